"""Messages between a process and its parent: a length as big-endian 32-bit integer, then so many bytes."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import StreamReader

__all__ = ["BEGINNING", "PENDING_BYTES", "framed", "read_frame"]

PENDING_BYTES = 1_048_576
"""How much may wait to be read: asks that wait there need not wait where they come from."""

BEGINNING = b"\0eyechart: messages follow\n"
"""Stands before the first message: what a machine's own start-up files print comes earlier."""

_LENGTH = struct.Struct(">I")


def framed(content: bytes) -> bytes:
    """Return the message with its length before it."""
    return _LENGTH.pack(len(content)) + content


async def read_frame(stream: StreamReader) -> bytes:
    """Return the next message.

    Raises:
        asyncio.IncompleteReadError: the stream ended, at a message's beginning or within it.
    """
    (length,) = _LENGTH.unpack(await stream.readexactly(_LENGTH.size))
    return await stream.readexactly(length)
