"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_atomically"]


def write_atomically(path: Path, data: bytes, *, synced: bool = False) -> None:
    """Write a file under a temporary name beside it, then rename: never half a file.

    Missing folders are made. A process killed while writing leaves at most a hidden `.tmp` file.

    Args:
        path: the file; an old one is replaced.
        data: its bytes.
        synced: wait before the rename until the disk holds the bytes, so that the file is whole after a power
            failure, too; needless for what can be made again.

    Raises:
        OSError: the file cannot be written; no temporary file is left.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
