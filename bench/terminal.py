"""What the terminal shows of a run: the header before, the summary after."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pytest

    from bench.contestants import Contestant
    from bench.options import Settings
    from bench.results.collected import Collected

__all__ = ["header", "shortened_failures", "summary"]

TABLES_SHOWN = 10


def header(settings: Settings, models: Sequence[Contestant], items: str, *, distributed: bool) -> list[str]:
    """Return the lines that say what is about to be measured."""
    lines = [f"eyechart: model {model.label} ({model.about})" for model in models]
    limit = "" if settings.limit is None else f", the first {settings.limit}"
    lines.append(f"eyechart: {items}{limit}; tolerances {settings.policy}")
    if all(model.label == "blind" for model in models):
        lines.append("eyechart: name a model that looks with --model=PROVIDER:NAME")
    if distributed and any(model.looks for model in models):
        lines.append("eyechart: each worker has one ask in flight; --concurrency is for runs without -n")
    return lines


def summary(
    collected: Collected, *, selected: int, folder: Path, replies: Path | None, not_written: str | None
) -> list[str]:
    """Return the lines that say what was measured, what is missing and where the files are."""
    from bench.leaderboard.summary import summarise  # noqa: PLC0415 - workers print no summary
    from bench.leaderboard.text import format_summary  # noqa: PLC0415

    lines = format_summary(summarise(collected.records))
    if collected.from_store:
        lines.append(f"{collected.from_store} replies came from the store; --fresh asks again")
    if collected.skipped:
        lines.append(f"{collected.skipped} cases skipped: the replayed file has no output for them")
    if (missing := selected - collected.cases) > 0:
        kept = f"; the same command goes on from there (replies: {replies})" if replies else ""
        lines.append(f"{missing} of {selected} cases were not run{kept}")
    lines.append(not_written or f"results: {folder}")
    return lines


@contextmanager
def shortened_failures(reporter: pytest.TerminalReporter, *, chosen_style: bool) -> Iterator[int]:
    """While pytest prints its summary, let it see only the first failed cases; give the number left out.

    A benchmark is not a broken build: hundreds of wrong answers are a result, and they stand in the tables.
    With `chosen_style` (--tb was given) nothing is left out.
    """
    failed = reporter.stats.get("failed", [])
    left_out = 0 if chosen_style else max(0, len(failed) - TABLES_SHOWN)
    if left_out:
        reporter.stats["failed"] = failed[:TABLES_SHOWN]
    try:
        yield left_out
    finally:
        if left_out:
            reporter.stats["failed"] = failed
