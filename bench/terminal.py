"""What the terminal shows of a run: the header before, the summary after."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
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
    collected: Collected,
    models: Sequence[Contestant],
    *,
    selected: int,
    folder: Path,
    replies: Path | None,
    not_written: str | None,
) -> list[str]:
    """Return the lines that say what was measured, what is missing and where the files are."""
    from bench.leaderboard.summary import summarise  # noqa: PLC0415 - workers print no summary
    from bench.leaderboard.text import format_summary  # noqa: PLC0415

    lines = format_summary(summarise(collected.records))
    lines.extend(_asking(collected, models))
    if collected.from_store:
        lines.append(f"{collected.from_store} replies came from the store; --fresh asks again")
    if collected.skipped:
        lines.append(f"{collected.skipped} cases skipped: the replayed file has no output for them")
    if (missing := selected - collected.cases) > 0:
        kept = f"; the same command goes on from there (replies: {replies})" if replies else ""
        lines.append(f"{missing} of {selected} cases were not run{kept}")
    lines.append(not_written or f"results: {folder}")
    return lines


def _asking(collected: Collected, models: Sequence[Contestant]) -> Iterator[str]:
    from bench.results.manifest import total_cost_usd  # noqa: PLC0415

    records = collected.records
    cut = [record for record in records if record.status == "truncated"]
    if cut:
        thought = any((record.reply.usage.reasoning_tokens or 0) > 0 for record in cut)
        why = " (they went into reasoning; --reasoning-effort lowers that)" if thought else ""
        yield f"{len(cut)} replies were cut off by the token limit{why}: raise --max-tokens"
    for model in models:
        for adaptation in collected.adaptations(model.label):
            yield f"{model.label}: the server refused {adaptation['field']}: {_done(adaptation)}"
    if any(model.factory is not None and model.factory.price is not None for model in models):
        asked, all_of_them = total_cost_usd(collected.asked_records, models), total_cost_usd(records, models)
        yield f"cost: {_usd(asked)} asked now, {_usd(all_of_them)} for all replies shown"


def _done(adaptation: Mapping[str, str]) -> str:
    return f"sent as {adaptation['to']}" if "to" in adaptation else "left out"


def _usd(amount: float | None) -> str:
    return "unknown" if amount is None else f"{amount:.4f} USD"


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
