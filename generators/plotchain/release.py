"""Write a whole set to a folder: records, pictures and validation tables, resumably and on several cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.files import write_atomically
from generators.picture_release import PictureJob, draw_pictures, pictures_to_draw
from generators.plotchain.drawn import dedicate_process
from generators.plotchain.records import item_line
from generators.plotchain.validation import rows_csv, summary_csv, validate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from generators.items import Item
    from generators.plotchain.registry import Edition
    from generators.plotchain.source import PlotChainSource

__all__ = ["ReleaseReport", "write_release"]

_LEDGER = "pictures.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseReport:
    """What a call wrote: items, pictures drawn now, pictures kept, values that the baseline disputes."""

    items: int
    drawn: int
    kept: int
    disputed: int


def write_release(
    source: PlotChainSource, folder: Path, *, jobs: int, tell: Callable[[int, int], None]
) -> ReleaseReport:
    """Write `plotchain_<edition>.jsonl`, `images/`, both validation tables and the ledger of pictures.

    Every file appears whole or not at all. A picture is drawn again unless the ledger says that the file
    there was drawn from the same content, and the file is still that one.

    Args:
        source: the items.
        folder: where to write; made when missing.
        jobs: processes that draw, at least 1.
        tell: called with pictures done and to do as they get done.

    Raises:
        OSError: a file cannot be written.
        PictureError: a picture cannot be drawn.
    """
    items = list(source)
    disputed = _write_records(items, source.edition, folder)
    pictures = [
        PictureJob(path=folder / str(item.extra["image_path"]), name=item.id, picture=item.picture)
        for item in items
    ]
    ledger = folder / _LEDGER
    missing = pictures_to_draw(pictures, ledger)
    for done in draw_pictures(missing, ledger, processes=jobs, prepare=dedicate_process):
        tell(done, len(missing))
    return ReleaseReport(
        items=len(items),
        drawn=len(missing),
        kept=len(items) - len(missing),
        disputed=disputed,
    )


def _write_records(items: Sequence[Item], edition: Edition, folder: Path) -> int:
    """Write all but the pictures; return how many values the baseline disputes."""
    rows = validate(items, edition)
    write_atomically(folder / "validation_rows.csv", rows_csv(rows).encode())
    write_atomically(folder / "validation_summary.csv", summary_csv(rows).encode())
    lines = "".join(f"{item_line(item)}\n" for item in items)
    write_atomically(folder / f"plotchain_{edition.name}.jsonl", lines.encode())
    return sum(not row.passed for row in rows)
