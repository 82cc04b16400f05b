"""All tables of a run, from its records and what run.json says of it: the same for one run and for merged ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bench.models.types import scorable_text
from bench.results.raw import write_raw
from bench.results.record import record_order
from bench.tables.auxsolidmath import write_auxsolidmath_tables
from bench.tables.calibration import write_calibration
from bench.tables.field_rows import grouped
from bench.tables.leaderboard import write_leaderboard
from bench.tables.model_pairs import write_model_pairs
from bench.tables.plotchain import write_plotchain_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from bench.results.record import Record
    from bench.tables.geometry import ScoredReply
    from scorers.geometry.tasks import Task

__all__ = ["scored_geometry", "write_tables"]


WRITERS: Mapping[str, Callable[[Sequence[Record], Path], object]] = {
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
        elapsed_s: how long asking took, the only figure that records do not hold.
        cost_usd: prices one record's reply.

    Raises:
        OSError: the folder cannot be written.
        KeyError: a truth is missing.
    """
    ordered = sorted(records, key=record_order)
    for suite, own in sorted(grouped(ordered, lambda record: record.suite).items()):
        write_raw(own, folder / suite)
        if suite == "plotchain":
            write_plotchain_tables(own, folder / suite)
        elif suite == "geometry":
            from bench.tables.geometry import write_geometry_tables  # noqa: PLC0415 - only where geometry ran

            scored = scored_geometry(own, truths, count_tolerance=options["count_tolerance"])
            write_geometry_tables(scored, folder / suite, config=options, elapsed_s=elapsed_s, cost_usd=cost_usd)
        else:
            WRITERS[suite](own, folder / suite)
    write_leaderboard(folder / "leaderboard.csv", ordered, edition=options["edition"], cost_usd=cost_usd)
    write_model_pairs(folder, ordered)


def scored_geometry(
    records: Sequence[Record], truths: Mapping[tuple[str, str], Mapping[str, Any]], *, count_tolerance: int
) -> list[ScoredReply]:
    """Score replies again with all of their task's metrics, which records do not hold.

    Raises:
        KeyError: a truth is missing.
        ValueError: a record's task is none of the suite's.
    """
    from bench.tables.geometry import ScoredReply  # noqa: PLC0415
    from scorers.geometry import score_geometry  # noqa: PLC0415

    return [
        ScoredReply(
            record=record,
            score=score_geometry(
                cast("Task", record.task),
                scorable_text(record.reply),
                truths[record.suite, record.item_id],
                count_tolerance=count_tolerance,
            ),
        )
        for record in records
    ]
