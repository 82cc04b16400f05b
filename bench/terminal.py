"""What the terminal shows of a run: the header before, the summary after."""

from __future__ import annotations

import textwrap
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.forecast import is_paid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import pytest

    from bench.companions import Companions
    from bench.contestants import Contestant
    from bench.leaderboard.gate.result import GateResult
    from bench.options import Settings
    from bench.results.collected import Collected

__all__ = ["header", "print_gate", "shortened_failures", "stages_header", "summary"]

TABLES_SHOWN = 10
WIDTH = 80


def header(
    settings: Settings, models: Sequence[Contestant], suites: Sequence[str], *, distributed: bool
) -> list[str]:
    """Return the lines that say what is about to be measured."""
    lines = [f"eyechart: model {model.label} ({model.about})" for model in models]
    limit = "" if settings.limit is None else f", the first {settings.limit}"
    shard = "" if settings.shard is None else f", shard {settings.shard}"
    lines.extend(f"eyechart: {about}{limit}{shard}" for about in suites)
    if all(model.provider == "offline" for model in models):
        lines.append("eyechart: name a real model with --model=PROVIDER:NAME, such as --model=gpt-4o")
    if distributed and any(model.remote for model in models):
        lines.append("eyechart: each worker has one ask in flight; --concurrency is for runs without -n")
    return lines


def stages_header(companions: Companions, settings: Settings, *, two_stage: bool) -> list[str]:
    """Return the lines that say who judges and who draws."""
    lines = [f"eyechart: {one.label} ({one.about})" for one in companions.asked]
    if settings.visual_cot_control is not None:
        lines.append(f"eyechart: no drawing is asked for; shown instead: {settings.visual_cot_control}")
    elif not two_stage:
        lines.append(
            "eyechart: two-stage cases are left out; --image-model=PROVIDER:NAME names a model that draws"
        )
    return lines


def summary(
    collected: Collected,
    models: Sequence[Contestant],
    *,
    selected: int,
    folder: Path | None,
    going_on: str,
    width: int,
) -> list[str]:
    """Return the lines that say what was measured, what is missing and where the files are.

    `folder` is None when nothing could be written; `going_on` says how missing cases get run.
    """
    from bench.leaderboard.summary import summarise  # noqa: PLC0415 - workers print no summary
    from bench.leaderboard.text import format_summary  # noqa: PLC0415

    notes = [
        *_first_stages(collected),
        *_calibration(collected),
        *_asking(collected, models),
        *_missing(collected, selected, going_on),
    ]
    if folder is not None:
        notes.append(f"results: {folder}" if collected.records else "nothing was measured, and nothing written")
    wrapper = textwrap.TextWrapper(
        width=min(WIDTH, width), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    wrapped = [line for note in notes for line in wrapper.wrap(note)]
    return [*format_summary(summarise(collected.records)), *wrapped]


def print_gate(reporter: pytest.TerminalReporter, result: GateResult, *, ends_with: int) -> None:
    """Print the gate's verdict and what it rests on; `ends_with` is the exit code of the run."""
    from bench.leaderboard.gate.text import format_gate  # noqa: PLC0415 - only where a gate is

    verdict, *lines = format_gate(result)
    reporter.write_sep("=", "eyechart gate")
    reporter.write_line(verdict, bold=True, green=result.verdict == "upgrade", red=result.exit_code == 1)
    for line in lines:
        reporter.write_line(line)
    if ends_with != result.exit_code:
        reporter.write_line(f"exit code {ends_with} stands before the gate's: the run did not end as it should")


def _first_stages(collected: Collected) -> Iterator[str]:
    """Say what became of the drawings: for each source, how many of which status."""
    counts: dict[str, Counter[str]] = {}
    for record in collected.records:
        if record.drawing is not None:
            counts.setdefault(record.drawing.source, Counter())[record.drawing.status] += 1
    for source, found in counts.items():
        said = ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in found.most_common())
        yield f"first stage, {source}: {said}"


def _calibration(collected: Collected) -> list[str]:
    records = [record for record in collected.records if record.suite == "calibration"]
    if not records:
        return []
    from bench.leaderboard.calibration import calibration_text  # noqa: PLC0415 - only where a judge was calibrated

    return calibration_text(records)


def _asking(collected: Collected, models: Sequence[Contestant]) -> Iterator[str]:
    records = collected.records
    cut = [record for record in records if record.status == "truncated"]
    if cut:
        thought = any((record.reply.usage.reasoning_tokens or 0) > 0 for record in cut)
        why = " (reasoning counts; --reasoning-effort lowers it)" if thought else ""
        were = _count(len(cut), "reply was", "replies were")
        yield f"{were} cut off by the token limit{why}: raise --max-tokens"
    for model in models:
        for adaptation in collected.adaptations(model.label):
            yield f"{model.label}: the server refused {adaptation['field']}: {_done(adaptation)}"
        if (spent := collected.spent.get(model.label)) and is_paid(model):
            yield f"{model.label}: {_count(spent.asks, 'ask', 'asks')} sent, cost {_usd(spent.known_usd)}"


def _missing(collected: Collected, selected: int, going_on: str) -> Iterator[str]:
    if collected.from_store:
        came = _count(collected.from_store, "reply came", "replies came")
        yield f"{came} from the store; --fresh asks again"
    if collected.skipped:
        skipped = _count(collected.skipped, "case", "cases")
        yield f"{skipped} skipped: the replayed file has no output for them"
    for reason, declined in collected.declined.items():
        yield f"{_count(declined, 'case', 'cases')} skipped: {reason}"
    if (missing := selected - collected.cases) > 0:
        yield f"{missing} of {selected} cases not run" + (f"; {going_on}" if going_on else "")


def _count(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


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
