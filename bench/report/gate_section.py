"""The gate's verdict on the page: what it rests on, and what changed, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.gate.text import error_text
from bench.gate.wording import about_sentences, figure_cells, points
from bench.report.contents import Section
from bench.report.links import case_name, gallery_link
from bench.report.markup import Html, element, joined
from bench.report.tables import table
from bench.report.words import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.gate.result import CaseChange, Comparison, FamilyChange, GateResult
    from bench.report.markup import Part

__all__ = ["gate_section"]

CASES_SHOWN = 200
UNFOLDED = 10
_TONES = {"upgrade": "good", "regression": "bad"}
_COMPARED = (
    "", "cases", "missing", "old", "new", "change", "95 % limits", "lost", "won", "at least", "margin",
)  # fmt: skip


def gate_section(result: GateResult) -> Section:
    """Return the section."""
    rows = [result.overall, *result.suites] if result.overall and len(result.suites) > 1 else [*result.suites]
    body = joined(
        element("p", result.verdict, class_=f"verdict {_TONES.get(result.verdict, '')}".strip()),
        element("p", f"{result.why}."),
        element("p", *_runs(result), class_="note"),
        table(_COMPARED, [_comparison(one) for one in rows], numbers_from=1) if rows else None,
        element("ul", *(element("li", sentence) for sentence in about_sentences(result))),
        _changes("Newly failing", result.newly_failing),
        _families(result.families),
        _changes("Newly passing", result.newly_passing),
    )
    return Section(id="gate", heading="Upgrade gate", body=body)


def _runs(result: GateResult) -> Iterator[Part]:
    for place, run in enumerate((result.old, result.new)):
        yield " → " if place else None
        yield element("bdi", f"{run.provider}:{run.model}")
        yield f" ({run.label}, {run.started[:10]})" if run.started else f" ({run.label})"
    yield f"; margins {result.margins} points; exit code {result.exit_code}"


def _comparison(one: Comparison) -> list[Part]:
    figures: list[Part] = ["–"] * 6
    if one.complete is not None:
        old, new, *others = figure_cells(one.complete)
        figures = [f"{old} %", f"{new} %", *others]
    return [one.name, str(one.n), str(one.missing_n), *figures, points(one.worst_low), points(-one.margin)]


def _changes(what: str, changes: Sequence[CaseChange]) -> Html | None:
    if not changes:
        return None
    rows = [
        [
            element("a", name, href=gallery_link(case=name, suite=change.suite)),
            change.family,
            error_text(change.old_error),
            error_text(change.new_error),
        ]
        for change in changes[:CASES_SHOWN]
        for name in (case_name(change.item_id, change.task),)
    ]
    folded = rows[UNFOLDED:]
    left_out = len(changes) - len(rows)
    return joined(
        element("h3", f"{what}: {plural(len(changes), 'case', 'cases')}"),
        _cases(rows[:UNFOLDED]),
        element("details", element("summary", f"{len(folded)} more"), _cases(folded)) if folded else None,
        element("p", f"{left_out} more in gate.json.", class_="note") if left_out else None,
    )


def _cases(rows: Sequence[Sequence[Part]]) -> Html:
    return table(("case", "family", "error in tolerances, old", "new"), rows, numbers_from=2)


def _families(families: Sequence[FamilyChange]) -> Html | None:
    changed = [family for family in families if family.losses or family.gains]
    if not changed:
        return None
    rows: list[list[Part]] = [
        [
            element("a", one.family, href=gallery_link(suite=one.suite, family=one.family)),
            one.suite,
            str(one.n),
            f"{one.losses:.4g}",
            f"{one.gains:.4g}",
            f"{one.p:.2g}",
            "regressed" if one.regressed else "",
        ]
        for one in changed
    ]
    return joined(
        element("h3", "Families that changed"),
        table(("family", "suite", "cases", "lost", "won", "p (Holm)", ""), rows, numbers_from=2),
    )
