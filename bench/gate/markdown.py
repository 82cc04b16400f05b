"""The gate's result as Markdown, for a pull request or a CI job's summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.gate.text import error_text
from bench.gate.wording import about_sentences, figure_cells, points

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.gate.result import CaseChange, Comparison, FamilyChange, GateResult

__all__ = ["gate_markdown"]

CASES_SHOWN = 50
_SPECIAL = "\\`*_{}[]()#+!|<>&~"


def gate_markdown(result: GateResult) -> str:
    """Return the text; whatever a name holds is shown, not interpreted."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: GateResult) -> Iterator[str]:
    yield f"## eyechart gate: {result.verdict} (exit code {result.exit_code})"
    yield ""
    yield f"{_plain(result.why)}."
    yield ""
    yield (
        f"{_plain(result.old.provider + ':' + result.old.model)} → "
        f"{_plain(result.new.provider + ':' + result.new.model)}, margins {result.margins} points"
    )
    if result.overall is not None:
        rows = [result.overall, *result.suites] if len(result.suites) > 1 else list(result.suites)
        yield from _comparisons(rows)
    yield from _changes("Newly failing", result.newly_failing)
    yield from _changes("Newly passing", result.newly_passing)
    yield from _families(result.families)
    yield ""
    for sentence in about_sentences(result):
        yield f"- {_plain(sentence)}"


def _comparisons(rows: Sequence[Comparison]) -> Iterator[str]:
    yield ""
    yield "| | cases | missing | old % | new % | change | 95 % limits | lost | won | at least | margin |"
    yield "|---|--:|--:|--:|--:|--:|:-:|--:|--:|--:|--:|"
    for one in rows:
        held = (points(one.worst_low), points(-one.margin))
        yield _row((_plain(one.name), str(one.n), str(one.missing_n), *figure_cells(one.complete), *held))


def _changes(what: str, changes: Sequence[CaseChange]) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield f"### {what}: {len(changes)}"
    yield ""
    yield "| case | family | error in tolerances, old | new |"
    yield "|---|---|--:|--:|"
    for change in changes[:CASES_SHOWN]:
        name = change.item_id if change.task is None else f"{change.item_id} {change.task}"
        errors = (error_text(change.old_error), error_text(change.new_error))
        yield _row((_plain(name), _plain(change.family), *errors))
    if len(changes) > CASES_SHOWN:
        yield f"\n{len(changes) - CASES_SHOWN} more in gate.json"


def _families(families: Sequence[FamilyChange]) -> Iterator[str]:
    changed = [family for family in families if family.losses or family.gains]
    if not changed:
        return
    yield ""
    yield "### Families"
    yield ""
    yield "| suite | family | cases | lost | won | p (Holm) | |"
    yield "|---|---|--:|--:|--:|--:|---|"
    for one in changed:
        counts = (str(one.n), f"{one.losses:.4g}", f"{one.gains:.4g}", f"{one.p:.2g}")
        yield _row((_plain(one.suite), _plain(one.family), *counts, "regressed" if one.regressed else ""))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(text: str) -> str:
    """Escape what Markdown or HTML would act on; unprintable characters become question marks."""
    shown = (character if character.isprintable() else "?" for character in text)
    return "".join(f"\\{character}" if character in _SPECIAL else character for character in shown)
