"""The process that reads: `python -m bench.models.reader.worker`, frames on its standard streams.

A request is two big-endian 32-bit lengths, the prompt (UTF-8) and the picture's bytes; a reply is one length and
a JSON object: `answered`, `text` and `seconds` of CPU time, or `fault`. The process ends with its input.
"""

from __future__ import annotations

import json
import struct
import sys
import time
from typing import TYPE_CHECKING, Any

from bench.frames import framed

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["main", "serve"]

MEMORY_BYTES = 3 * 2**30


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until they end."""
    while len(lengths := requests.read(8)) == 8:  # noqa: PLR2004 - two 32-bit lengths
        prompt_length, picture_length = struct.unpack(">II", lengths)
        prompt = requests.read(prompt_length).decode("utf-8", "replace")
        reply = json.dumps(_read(requests.read(picture_length), prompt)).encode()
        replies.write(framed(reply))
        replies.flush()


def _read(picture: bytes, prompt: str) -> dict[str, Any]:
    from bench.models.reader.reader import read  # noqa: PLC0415 - after memory was bounded

    started = time.process_time()
    try:
        outcome = read(picture, prompt)
    except Exception as error:  # noqa: BLE001 - one line to the parent, whatever it is
        return {"fault": f"{type(error).__name__} while reading a picture: {error}".splitlines()[0]}
    return {"answered": outcome.answered, "text": outcome.text, "seconds": time.process_time() - started}


def _bound_memory() -> None:
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (bound, hard))


def main() -> None:
    """Serve standard input with bounded memory; nothing else is written to standard output."""
    _bound_memory()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    serve(requests, replies)


if __name__ == "__main__":
    main()
