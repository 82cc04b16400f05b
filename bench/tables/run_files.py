"""Writes everything that a run leaves behind."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench.models.offline import OFFLINE_MODELS
from bench.results.files import write_atomically
from bench.results.manifest import build_manifest, reply_cost
from bench.results.run_folder import write_lines, write_truths
from bench.suites.geometry import Geometry
from bench.tables.tables import write_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.models.resolve import ResolvedModel
    from bench.options import Settings
    from bench.results.collector import ResultCollector
    from bench.results.record import Record
    from bench.results.run_folder import RunFolder
    from bench.session import Session

__all__ = ["annotates", "prepare_run", "write_run"]


def prepare_run(
    folder: RunFolder,
    *,
    settings: Settings,
    models: Sequence[ResolvedModel],
    session: Session,
    collected: ResultCollector,
    started: datetime,
    complete: bool,
    selected: int,
) -> dict[str, Any] | None:
    """Make room, bring drawings along, and return what run.json will say.

    A run without a record leaves no folder, and None is returned.

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
    return build_manifest(
        settings=settings,
        models=models,
        companions=session.companions,
        collected=collected,
        started=started,
        elapsed_s=(datetime.now(UTC) - started).total_seconds(),
        complete=complete,
        selected=selected,
    )


def write_run(
    folder: RunFolder,
    manifest: Mapping[str, Any],
    *,
    models: Sequence[ResolvedModel],
    session: Session,
    collected: ResultCollector,
) -> None:
    """Write raw outputs, tables and run.json, the last of all: where it stands, the rest does too.

    Raises:
        OSError: a file cannot be written.
    """
    records = collected.records
    truths = _truths(session, records)
    write_lines(folder.path, collected.lines)
    write_truths(folder.path, truths)
    write_tables(
        records,
        folder.path,
        truths=truths,
        options=manifest["options"],
        elapsed_s=manifest["elapsed_s"],
        cost_usd=reply_cost((*models, *session.companions.asked)),
    )
    _annotate(session, records, folder.path)
    folder.write_manifest(manifest)


def _keep_drawings(records: Sequence[Record], before: Path, path: Path) -> None:
    """Bring the drawings along where the results go to another folder than the run began with."""
    if path != before:
        for drawing in {record.drawing.path for record in records if record.drawing is not None}:
            if drawing is not None and (before / drawing).is_file():
                write_atomically(path / drawing, (before / drawing).read_bytes())


def _truths(session: Session, records: Iterable[Record]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the truths that metrics need and records do not hold: geometry's."""
    asked = {(record.item_id, record.task) for record in records if record.suite == "geometry"}
    suite = session.suites.get("geometry")
    return {} if suite is None else {("geometry", item): suite.item(item, task).truth for item, task in asked}


def annotates(session: Session, records: Sequence[Record]) -> bool:
    """Whether `write_run` draws pictures of cases, which the report shows."""
    return bool(_annotated(session, records))


def _annotated(session: Session, records: Sequence[Record]) -> list[Record]:
    which = session.settings.annotate
    return [record for record in records if record.suite == "geometry" and _is_annotated(record, which)]


def _annotate(session: Session, records: Sequence[Record], folder: Path) -> None:
    """Draw what --annotate asks for."""
    suite, wanted = session.suites.get("geometry"), _annotated(session, records)
    if not (wanted and isinstance(suite, Geometry)):
        return
    from bench.tables.geometry import Scored, annotate, annotated_file  # noqa: PLC0415 - only where geometry ran

    for record in wanted:
        item = suite.item(record.item_id, record.task)
        scored = Scored(record=record, item=item, score=suite.task_score(item, record.reply))
        picture = annotate(scored, session.pictures.png(item))
        write_atomically(folder / "geometry" / annotated_file(record), picture)


def _is_annotated(record: Record, which: str) -> bool:
    """Whether a case gets a picture: of models that never look, only when all are asked for."""
    looks = record.provider != "offline" or record.model not in OFFLINE_MODELS
    return which == "all" or (which == "failed" and not record.passed and looks)
