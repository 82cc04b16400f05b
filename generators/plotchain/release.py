"""Write a whole set to a folder: records, pictures and validation tables, resumably and on several cores."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.pictures import write_atomically
from generators.plotchain.drawn import dedicate_process
from generators.plotchain.records import item_line
from generators.plotchain.validation import rows_csv, summary_csv, validate
from generators.png import check_png

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from generators.items import Item, Picture
    from generators.plotchain.source import PlotChainSource

__all__ = ["ReleaseReport", "write_release"]

_LEDGER = "pictures.jsonl"
_PICTURES_A_TASK = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseReport:
    """What a call wrote: items, pictures drawn now, pictures kept, values that the baseline disputes."""

    items: int
    drawn: int
    kept: int
    disputed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    path: Path
    item_id: str
    picture: Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """One line of the ledger: which content a picture file was drawn from, and the file's SHA-256."""

    id: str
    key: str
    sha256: str


def write_release(source: PlotChainSource, folder: Path, *, jobs: int) -> ReleaseReport:
    """Write `plotchain_<edition>.jsonl`, `images/`, both validation tables and the ledger of pictures.

    Every file appears whole or not at all. A picture is drawn again unless the ledger says that the file
    there was drawn from the same content, and the file is still that one.

    Args:
        source: the items.
        folder: where to write; made when missing.
        jobs: processes that draw, at least 1.

    Raises:
        OSError: a file cannot be written.
        PictureError: a picture cannot be drawn.
    """
    items = list(source)
    rows = validate(items, source.edition)
    write_atomically(folder / "validation_rows.csv", rows_csv(rows).encode())
    write_atomically(folder / "validation_summary.csv", summary_csv(rows).encode())
    lines = "".join(f"{item_line(item)}\n" for item in items)
    write_atomically(folder / f"plotchain_{source.edition.name}.jsonl", lines.encode())
    missing = _missing(items, folder)
    _draw_all(missing, folder / _LEDGER, jobs)
    return ReleaseReport(
        items=len(items),
        drawn=len(missing),
        kept=len(items) - len(missing),
        disputed=sum(not row.passed for row in rows),
    )


def _missing(items: Sequence[Item], folder: Path) -> list[_Job]:
    """Return the pictures to draw, and rewrite the ledger so that it names only the others."""
    ledger = _read_ledger(folder / _LEDGER)
    kept: list[_Drawn] = []
    missing: list[_Job] = []
    for item in items:
        path = folder / str(item.extra["image_path"])
        entry = ledger.get(item.id)
        if entry is not None and entry.key == item.picture.key and _is_file(path, entry.sha256):
            kept.append(entry)
        else:
            missing.append(_Job(path=path, item_id=item.id, picture=item.picture))
    write_atomically(folder / _LEDGER, "".join(map(_ledger_line, kept)).encode())
    return missing


def _read_ledger(path: Path) -> dict[str, _Drawn]:
    """Read the ledger; a line cut short by a kill is left out."""
    if not path.is_file():
        return {}
    entries = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = _Drawn(**json.loads(line))
        except (TypeError, ValueError):
            continue
        entries[entry.id] = entry
    return entries


def _ledger_line(entry: _Drawn) -> str:
    return json.dumps({"id": entry.id, "key": entry.key, "sha256": entry.sha256}) + "\n"


def _is_file(path: Path, sha256: str) -> bool:
    try:
        data = path.read_bytes()
        check_png(data)
    except (OSError, ValueError):
        return False
    return hashlib.sha256(data).hexdigest() == sha256


def _draw_all(missing: Sequence[_Job], ledger: Path, jobs: int) -> None:
    with ledger.open("a", encoding="utf-8") as lines:
        for drawn in _drawn_by(missing, jobs):
            lines.writelines(map(_ledger_line, drawn))
            lines.flush()


def _drawn_by(missing: Sequence[_Job], jobs: int) -> Iterator[list[_Drawn]]:
    tasks = [missing[at : at + _PICTURES_A_TASK] for at in range(0, len(missing), _PICTURES_A_TASK)]
    if jobs == 1 or len(tasks) < 2:  # noqa: PLR2004 - one task needs no second process
        yield from map(_draw, tasks)
        return
    pool = ProcessPoolExecutor(
        min(jobs, len(tasks)), mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker
    )
    try:
        for future in as_completed([pool.submit(_draw, task) for task in tasks]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    """Let the parent alone answer Ctrl-C: a worker finishes its pictures and is then stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    dedicate_process()


def _draw(task: Sequence[_Job]) -> list[_Drawn]:
    drawn = []
    for job in task:
        data = job.picture.png()
        write_atomically(job.path, data)
        digest = hashlib.sha256(data).hexdigest()
        drawn.append(_Drawn(id=job.item_id, key=str(job.picture.key), sha256=digest))
    return drawn
