"""Writes everything that a run leaves behind."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench.calibration import Calibration
from bench.geometry_suite import Geometry
from bench.leaderboard.auxsolidmath import write_auxsolidmath_tables
from bench.leaderboard.calibration import write_calibration
from bench.leaderboard.leaderboard import write_leaderboard
from bench.leaderboard.plotchain import write_plotchain_tables
from bench.models.offline import OFFLINE_MODELS
from bench.results.files import write_atomically
from bench.results.manifest import build_manifest, reply_cost
from bench.results.raw import write_raw
from bench.results.stored_run import write_records, write_truths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bench.contestants import Contestant
    from bench.options import Settings
    from bench.results.collected import Collected
    from bench.results.folder import RunFolder
    from bench.results.record import Record
    from bench.session import Session

__all__ = ["write_run"]


def write_run(
    folder: RunFolder,
    *,
    settings: Settings,
    models: Sequence[Contestant],
    session: Session,
    collected: Collected,
    started: datetime,
    complete: bool,
    selected: int,
) -> dict[str, Any] | None:
    """Write raw outputs, tables and run.json, the last of all: where it stands, the rest does too.

    Returns run.json's content. A run without a record leaves no folder, and None is returned.

    Raises:
        OSError: a file cannot be written.
    """
    records = collected.records
    if not records:
        folder.remove_if_empty()
        return None
    before = folder.path
    folder.make_room(selected)
    _keep_drawings(records, before, folder.path)
    write_records(folder.path, records)
    costs = reply_cost((*models, *session.companions.asked))
    for name, suite in session.suites.items():
        own = [record for record in records if record.suite == name]
        if own:
            write_raw(own, folder.path / name)
            if isinstance(suite, Geometry):
                _write_geometry(suite, own, folder.path / name, session, started=started, cost_usd=costs)
            elif name == "auxsolidmath":
                write_auxsolidmath_tables(own, folder.path / name)
            elif isinstance(suite, Calibration):
                write_calibration(own, folder.path / name)
            else:
                write_plotchain_tables(own, folder.path / name)
    write_leaderboard(folder.path / "leaderboard.csv", records, edition=settings.edition, cost_usd=costs)
    manifest = build_manifest(
        settings=settings,
        models=models,
        companions=session.companions,
        collected=collected,
        started=started,
        complete=complete,
        selected=selected,
    )
    folder.write_manifest(manifest)
    return manifest


def _keep_drawings(records: Sequence[Record], before: Path, path: Path) -> None:
    """Bring the drawings along where the results go to another folder than the run began with."""
    if path != before:
        for drawing in {record.drawing.path for record in records if record.drawing is not None}:
            if drawing is not None and (before / drawing).is_file():
                write_atomically(path / drawing, (before / drawing).read_bytes())


def _write_geometry(
    suite: Geometry,
    records: Sequence[Record],
    folder: Path,
    session: Session,
    *,
    started: datetime,
    cost_usd: Callable[[Record], float | None],
) -> None:
    """Score again with all metrics, which records do not hold, and draw what --annotate asks for."""
    from bench.leaderboard.geometry import (  # noqa: PLC0415 - only where geometry ran
        Scored,
        annotate,
        annotated_file,
        write_geometry_tables,
    )

    items = [suite.item(record.item_id, record.task) for record in records]
    scored = [
        Scored(record=record, item=item, score=suite.task_score(item, record.reply))
        for record, item in zip(records, items, strict=True)
    ]
    write_truths(folder.parent, {(one.record.suite, one.record.item_id): one.item.truth for one in scored})
    settings = session.settings
    elapsed_s = (datetime.now(UTC) - started).total_seconds()
    write_geometry_tables(scored, folder, config=settings.to_json(), elapsed_s=elapsed_s, cost_usd=cost_usd)
    for one in scored:
        if _is_annotated(one.record, settings.annotate):
            picture = annotate(one, session.pictures.png(one.item))
            write_atomically(folder / annotated_file(one.record), picture)


def _is_annotated(record: Record, which: str) -> bool:
    """Whether a case gets a picture: of models that never look, only when all are asked for."""
    looks = record.provider != "offline" or record.model not in OFFLINE_MODELS
    return which == "all" or (which == "failed" and not record.passed and looks)
