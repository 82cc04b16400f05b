"""Everything that a run leaves behind: raw outputs, tables, annotated pictures and run.json."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench.models.offline import OFFLINE_MODELS
from bench.results.aggregate import grouped
from bench.results.files import write_atomically
from bench.results.manifest import build_manifest
from bench.results.raw import write_raw
from bench.results.record import record_order
from bench.results.run_folder import annotated_file, write_lines, write_truths
from bench.tables.auxsolidmath import write_auxsolidmath_tables
from bench.tables.calibration import write_calibration
from bench.tables.leaderboard import write_leaderboard, write_model_pairs
from bench.tables.plotchain import write_plotchain_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.models.resolve import ResolvedModel
    from bench.models.roles import ModelRoles
    from bench.options import Settings
    from bench.results.collector import ResultCollector
    from bench.results.record import Record
    from bench.results.run_folder import RunFolder
    from bench.suites.geometry import Geometry
    from generators.items import Item

__all__ = ["annotated", "prepare_run", "write_run", "write_tables"]


WRITERS: Mapping[str, Callable[[Sequence[Record], Path], object]] = {
    "plotchain": write_plotchain_tables,
    "auxsolidmath": write_auxsolidmath_tables,
    "calibration": write_calibration,
}


def write_tables(
    records: Iterable[Record],
    folder: Path,
    *,
    truths: Mapping[tuple[str, str], Mapping[str, Any]],
    options: Mapping[str, Any],
    elapsed_s: float,
    cost_usd: Callable[[Record], float | None],
) -> None:
    """Write raw outputs and every table.

    Args:
        records: in any order.
        folder: the run's folder.
        truths: by suite and item id, of items whose metrics need more than their records say.
        options: the options as run.json has them.
        elapsed_s: how long the run took, the only figure that records do not hold.
        cost_usd: prices one record's reply.

    Raises:
        OSError: the folder cannot be written.
        KeyError: a truth is missing.
    """
    ordered = sorted(records, key=record_order)
    for suite, own in sorted(grouped(ordered, lambda record: record.suite).items()):
        write_raw(own, folder / suite)
        if suite == "geometry":
            from bench.tables.geometry import write_geometry_tables  # noqa: PLC0415 - only where geometry ran

            write_geometry_tables(
                own, folder / suite, truths=truths, config=options, elapsed_s=elapsed_s, cost_usd=cost_usd
            )
        else:
            WRITERS[suite](own, folder / suite)
    write_leaderboard(folder / "leaderboard.csv", ordered, edition=options["edition"], cost_usd=cost_usd)
    write_model_pairs(folder, ordered)


def prepare_run(
    folder: RunFolder,
    *,
    settings: Settings,
    models: Sequence[ResolvedModel],
    roles: ModelRoles,
    collector: ResultCollector,
    started: datetime,
    complete: bool,
    selected: int,
) -> dict[str, Any] | None:
    """Make room, bring drawings along, and return what run.json will say.

    A run without a record leaves no folder, and None is returned.

    Raises:
        OSError: a file cannot be written.
    """
    records = collector.records
    if not records:
        folder.remove_if_empty()
        return None
    before = folder.path
    folder.make_room(selected)
    _keep_drawings(records, before, folder.path)
    return build_manifest(
        settings=settings,
        models=models,
        roles=roles,
        collector=collector,
        started=started,
        elapsed_s=(datetime.now(UTC) - started).total_seconds(),
        complete=complete,
        selected=selected,
    )


def write_run(
    folder: RunFolder,
    manifest: Mapping[str, Any],
    *,
    collector: ResultCollector,
    cost_usd: Callable[[Record], float | None],
    geometry: Geometry | None,
    png: Callable[[Item], bytes],
) -> None:
    """Write raw outputs, tables and run.json, the last of all: where it stands, the rest does too.

    Args:
        folder: the run's folder.
        manifest: what run.json will say.
        collector: the run's records.
        cost_usd: prices one record's reply.
        geometry: the suite, which has the truths that records do not hold; None where it did not run.
        png: returns an item's picture, to be annotated.

    Raises:
        OSError: a file cannot be written.
    """
    records, options = collector.records, manifest["options"]
    truths = {} if geometry is None else _truths(geometry, records)
    write_lines(folder.path, collector.lines)
    write_truths(folder.path, truths)
    write_tables(
        records,
        folder.path,
        truths=truths,
        options=options,
        elapsed_s=manifest["elapsed_s"],
        cost_usd=cost_usd,
    )
    if geometry is not None and (wanted := annotated(records, options["annotate"])):
        _annotate(wanted, folder.path, geometry, png)
    folder.write_manifest(manifest)


def _keep_drawings(records: Sequence[Record], before: Path, path: Path) -> None:
    """Bring the drawings along where the results go to another folder than the run began with."""
    if path != before:
        for drawing in {record.drawing.path for record in records if record.drawing is not None}:
            if drawing is not None and (before / drawing).is_file():
                write_atomically(path / drawing, (before / drawing).read_bytes())


def _truths(geometry: Geometry, records: Iterable[Record]) -> dict[tuple[str, str], Mapping[str, Any]]:
    asked = {(record.item_id, record.task) for record in records if record.suite == "geometry"}
    return {("geometry", item): geometry.item(item, task).truth for item, task in asked}


def annotated(records: Iterable[Record], which: str) -> list[Record]:
    """Return the records of which `write_run` draws annotated pictures; `which` is --annotate's value."""
    return [record for record in records if record.suite == "geometry" and _is_annotated(record, which)]


def _annotate(records: Iterable[Record], folder: Path, geometry: Geometry, png: Callable[[Item], bytes]) -> None:
    from bench.tables.geometry import ScoredReply, annotate  # noqa: PLC0415 - only where geometry ran

    for record in records:
        item = geometry.item(record.item_id, record.task)
        scored = ScoredReply(record=record, score=geometry.task_score(item, record.reply))
        write_atomically(folder / "geometry" / annotated_file(record), annotate(scored, item.truth, png(item)))


def _is_annotated(record: Record, which: str) -> bool:
    """Whether a case gets a picture: of models that never look, only with "all"."""
    looks = record.provider != "offline" or record.model not in OFFLINE_MODELS
    return which == "all" or (which == "failed" and not record.passed and looks)
