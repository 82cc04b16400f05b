"""`python -m generators.geometry --out-dir FOLDER [--seed N] [--classes CTRL,HSFR]`: write a suite of pictures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from generators.geometry.classes import IMAGE_CLASSES
from generators.geometry.writer import write_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a suite; returns the process's exit code: 0, or 1 when the folder cannot be written."""
    parser = argparse.ArgumentParser(
        prog="python -m generators.geometry", description="Write a suite of dot pictures in imagegen's layout."
    )
    parser.add_argument("--out-dir", "--out", type=Path, required=True, metavar="FOLDER", help="made if missing")
    parser.add_argument("--seed", type=int, default=0, help="0 is the standard suite, any other a fresh one")
    parser.add_argument("--classes", type=_classes, metavar="A,B", help=f"only these of {','.join(IMAGE_CLASSES)}")
    chosen = parser.parse_args(arguments)
    try:
        written = write_suite(chosen.out_dir, seed=chosen.seed, classes=chosen.classes)
    except OSError as error:
        sys.stderr.write(f"{chosen.out_dir}: cannot be written: {error}\n")
        return 1
    sys.stdout.write(f"{written} pictures of seed {chosen.seed} in {chosen.out_dir}\n")
    return 0


def _classes(text: str) -> list[str]:
    names = [name.strip().upper() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in IMAGE_CLASSES]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(IMAGE_CLASSES)}, got {text!r}")
    return names


if __name__ == "__main__":
    sys.exit(main())
