"""Writes everything that a run leaves behind, from records alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.leaderboard.leaderboard import write_leaderboard
from bench.leaderboard.plotchain import write_plotchain_tables
from bench.results.manifest import build_manifest, reply_cost
from bench.results.raw import write_raw

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from bench.contestants import Contestant
    from bench.options import Settings
    from bench.results.collected import Collected
    from bench.results.folder import RunFolder

__all__ = ["write_run"]

TABLES = {"plotchain": write_plotchain_tables}


def write_run(
    folder: RunFolder,
    *,
    settings: Settings,
    models: Sequence[Contestant],
    suites: Sequence[str],
    collected: Collected,
    started: datetime,
    complete: bool,
    selected: int,
) -> None:
    """Write raw outputs, tables and run.json, the last of all: where it stands, the rest does too.

    A run without a record leaves no folder.

    Raises:
        OSError: a file cannot be written.
    """
    records = collected.records
    if not records:
        folder.remove_if_empty()
        return
    folder.make_room(selected)
    for suite in suites:
        own = [record for record in records if record.suite == suite]
        write_raw(own, folder.path / suite)
        TABLES[suite](own, folder.path / suite)
    write_leaderboard(
        folder.path / "leaderboard.csv", records, edition=settings.edition, cost_usd=reply_cost(models)
    )
    folder.write_manifest(
        build_manifest(
            settings=settings,
            models=models,
            collected=collected,
            started=started,
            complete=complete,
            selected=selected,
        )
    )
