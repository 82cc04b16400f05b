"""The validity report: its rows, what is said about each, what was found in words, and its files."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from bench.results.files import write_atomically
from bench.statistics.intervals import wilson_interval
from bench.tables.csv_files import Cell, write_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "COLUMNS",
    "FAMILY_HEADINGS",
    "FIELD_HEADINGS",
    "LEAK_RATE",
    "VALIDITY_JSON",
    "FamilyValidity",
    "FieldValidity",
    "SuiteValidity",
    "ValidityReport",
    "family_cells",
    "field_cells",
    "findings",
    "judged",
    "markdown",
    "write_report",
]

Verdict = Literal["sound", "leaks", "finer than a pixel", "not shown"]
Leak = Literal["constant", "question", "place", "axes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldValidity:
    """What is known of one field, or of one geometry task; rates are from 0 to 1, None: not measured.

    `one_px_*` and `all_px_*` are the pixels that a passing answer may be off: the most sensitive reading alone,
    all readings together; smallest and median over the items. `below_1_px` and `below_2_px` count items by
    `all_px`; `beyond_axes` those with a reading outside the drawn axes.

    `blind_same_seed` and `blind_other_seeds` are pass rates of the best constant, fitted on these items and on
    items of other seeds; `chance` is what any constant earns where the answer is a choice (rates are then averages
    over the choices). `in_question` is the rate of items whose question holds the answer as a number of its own.
    `constant_place` is passed by reading the axes at one fixed place (chosen on another seed) without looking at
    the curve; `place` is that, in shares of the axes from their low ends. `other_axes` is passed by reading the
    right place without looking at the axes, averaged over all other items'; None for pure numbers of a curve's
    shape, such as a duty cycle, which need no axes.
    """

    suite: str
    family: str
    field: str
    items: int
    one_px_smallest: float | None = None
    one_px_median: float | None = None
    all_px_smallest: float | None = None
    all_px_median: float | None = None
    below_1_px: int | None = None
    below_2_px: int | None = None
    beyond_axes: int | None = None
    blind_same_seed: float | None = None
    blind_other_seeds: float | None = None
    chance: float = 0.0
    in_question: float | None = None
    constant_place: float | None = None
    place: tuple[float, ...] = ()
    other_axes: float | None = None
    reader: float | None = None
    reader_by_group: Mapping[str, float] = dataclasses.field(default_factory=dict)
    leaks_by: tuple[Leak, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyValidity:
    """A family's pictures: how many, how many differ in their decoded pixels, and copies with another truth.

    `ordered` are pairs of final fields of one unit that stand in the same order on every item.
    """

    suite: str
    family: str
    pictures: int
    distinct: int
    clashing: int
    ordered: tuple[str, ...] = ()

    @property
    def copies(self) -> int:
        """Pictures that equal an earlier one."""
        return self.pictures - self.distinct


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteValidity:
    """One suite's rows by field and by family."""

    fields: tuple[FieldValidity, ...]
    families: tuple[FamilyValidity, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidityReport:
    """Everything that was measured; `findings` say what deserves attention, worst suites first in words."""

    edition: str
    seed: int
    policy: str
    fields: tuple[FieldValidity, ...]
    families: tuple[FamilyValidity, ...]
    findings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        content = dataclasses.asdict(self)
        for row, family in zip(content["families"], self.families, strict=True):
            row["copies"] = family.copies
        return content

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> ValidityReport:
        """Build the report that `to_json` described.

        Raises:
            KeyError: a part is missing.
            TypeError: a part is missing, unknown or of another type.
        """
        fields = (
            {**row, **{name: tuple(row[name]) for name in ("place", "leaks_by", "verdicts")}}
            for row in content["fields"]
        )
        families = (
            {name: part for name, part in {**row, "ordered": tuple(row["ordered"])}.items() if name != "copies"}
            for row in content["families"]
        )
        return ValidityReport(
            **{name: content[name] for name in ("edition", "seed", "policy")},
            fields=tuple(FieldValidity(**row) for row in fields),
            families=tuple(FamilyValidity(**row) for row in families),
            findings=tuple(content["findings"]),
        )


_FIELDS = tuple(field.name for field in dataclasses.fields(FieldValidity) if field.name != "verdicts")

COLUMNS = (*_FIELDS[:4], "verdict", "leaks_by", *_FIELDS[4:-1])
"""Columns of validity.csv."""

LEAK_RATE = 0.10
"""A field leaks when more than this share of such items passes, above chance, without what should be looked at.

It must be so with 95 % confidence: the low end of Wilson's interval counts (7 of 30 items are needed).
"""


def judged(field: FieldValidity) -> FieldValidity:
    """Return the field with its leaks and verdicts; more than one may hold, none of them is `sound`."""
    rates: tuple[tuple[Leak, float | None], ...] = (
        ("constant", field.blind_other_seeds),
        ("question", field.in_question),
        ("place", field.constant_place),
        ("axes", field.other_axes),
    )
    leaks = tuple(leak for leak, rate in rates if rate is not None and _at_least(rate, field) > LEAK_RATE)
    verdicts: list[Verdict] = ["leaks"] if leaks else []
    if field.below_1_px:
        verdicts.append("finer than a pixel")
    if field.beyond_axes:
        verdicts.append("not shown")
    return dataclasses.replace(field, leaks_by=leaks, verdicts=tuple(verdicts) or ("sound",))


def _at_least(rate: float, field: FieldValidity) -> float:
    """Return what a rate is above chance with 95 % confidence."""
    return (wilson_interval(rate * field.items, field.items).low or 0.0) - field.chance


_ALL = 1.0
_MOSTLY = 0.5
_LEAKS = {
    "in_question": "the question prints the answer of",
    "constant_place": "the axes read at one fixed place give most answers of",
    "other_axes": "the place gives most answers, whatever the axes say, of",
}


def findings(fields: Sequence[FieldValidity], families: Sequence[FamilyValidity]) -> tuple[str, ...]:
    """Return one sentence for each kind of weakness of each suite that has it."""
    found = []
    for suite in dict.fromkeys(row.suite for row in fields):
        rows = [row for row in fields if row.suite == suite]
        own = [row for row in families if row.suite == suite]
        sentences = (*_blind_findings(rows), *_pixel_findings(rows), *_picture_findings(own), *_unread(rows))
        found += [f"{suite}: {sentence}" for sentence in sentences]
    return tuple(found)


def _blind_findings(rows: Sequence[FieldValidity]) -> Iterator[str]:
    """Say what passes without looking: constants, and by question, place or axes most answers of a field."""
    same, others = _mean(rows, "blind_same_seed"), _mean(rows, "blind_other_seeds")
    if same is not None and others is not None:
        answers = f"{same:.1%} of the {sum(row.items for row in rows)} answers"
        fitted = f"{others:.1%} when they are fitted on other seeds"
        yield f"without looking, the best constants pass {answers}, {fitted}"
    certain = [row for row in rows if row.blind_other_seeds == _ALL and not row.chance]
    if certain:
        yield f"{len(certain)} fields pass by one constant on every item: {_listed(certain, lambda _: '')}"
    for rate, words in _LEAKS.items():
        found = [row for row in rows if (getattr(row, rate) or 0) > _MOSTLY]
        if found:
            yield f"{words} {_listed(found, partial(_leak_note, rate))}"


def _leak_note(rate: str, row: FieldValidity) -> str:
    """Return a rate, and where a field's one place is, if it is one reading."""
    at = f" at {row.place[0]:.2f}" if rate == "constant_place" and len(row.place) == 1 else ""
    return f" ({getattr(row, rate):.0%}{at})"


def _pixel_findings(rows: Sequence[FieldValidity]) -> Iterator[str]:
    measured = [row for row in rows if row.below_2_px is not None]
    one, two = sum(row.below_1_px or 0 for row in measured), sum(row.below_2_px or 0 for row in measured)
    if two:
        below = [row for row in measured if row.below_1_px]
        fields = _listed(below, lambda row: f" ({row.below_1_px}, down to {row.all_px_smallest:.2f} px)")
        detail = f": {fields}" if fields else ""
        count = sum(row.items for row in measured)
        yield f"of {count} readings {one} must be better than one pixel, {two} better than two{detail}"
    beyond = [row for row in rows if row.beyond_axes]
    if beyond:
        yield f"beyond the drawn axes lie {_listed(beyond, lambda row: f' ({row.beyond_axes} items)')}"


def _picture_findings(families: Sequence[FamilyValidity]) -> Iterator[str]:
    copied = [f"{row.family} ({row.copies})" for row in families if row.copies]
    if copied:
        pictures, distinct = sum(row.pictures for row in families), sum(row.distinct for row in families)
        clashing = sum(row.clashing for row in families)
        worst = f"; {clashing} of them have another truth than their twin" if clashing else ""
        copies = f"{pictures - distinct} are copies: {', '.join(copied)}"
        yield f"{distinct} of {pictures} pictures are distinct, {copies}{worst}"
    pairs = [f"{row.family}.{pair}" for row in families for pair in row.ordered]
    if pairs:
        yield f"on every item, by definition or by the recipe, {', '.join(pairs)}"


def _unread(rows: Sequence[FieldValidity]) -> Iterator[str]:
    missed = [row for row in rows if row.reader is not None and row.reader < _ALL]
    if missed:
        yield f"the reader misses some of {_listed(missed, lambda row: f' ({row.reader:.0%})')}"


def _mean(rows: Iterable[FieldValidity], rate: str) -> float | None:
    """Return a rate over all items of all rows that have it."""
    known = [(row.items, value) for row in rows if (value := getattr(row, rate)) is not None]
    return sum(items * value for items, value in known) / sum(items for items, _ in known) if known else None


def _listed(rows: Iterable[FieldValidity], note: Callable[[FieldValidity], str]) -> str:
    """List fields by family, each with a note."""
    families: dict[str, list[str]] = {}
    for row in rows:
        families.setdefault(row.family, []).append(f"{row.field}{note(row)}")
    return "; ".join(
        ", ".join(names) if family == "all classes" else f"{family}: {', '.join(names)}"
        for family, names in families.items()
    )


VALIDITY_JSON = "validity.json"
FIELD_HEADINGS = (
    "family", "field", "n", "px one", "px all", "blind", "question", "place", "axes", "reader", "verdict",
)  # fmt: skip
FAMILY_HEADINGS = ("family", "pictures", "distinct", "copies", "copies with another truth")

_LEGEND = f"""\
How to read the table:

- **px one / all**: by how many pixels the most sensitive reading alone, or all readings at once, may be off in an
  answer that still passes; smallest and median over the items.
- **blind**: pass rate of the best constant, fitted on these items / on other seeds; beside it chance, where the
  answer is a choice.
- **question**: items whose question prints the answer. **place**: what passes by reading the axes at one fixed
  place. **axes**: what passes by reading the right place on another item's axes.
- **reader**: pass rate of the pixel-only baseline, and by difficulty or class where these differ.
- **verdict**: *leaks* when blind on other seeds, question, place or axes pass more than {LEAK_RATE:.0%} over
  chance, with 95 % confidence; *finer than a pixel* when an item leaves less than one pixel for all readings at
  once; *not shown* when a reading lies beyond the drawn axes; else *sound*.
"""


def write_report(report: ValidityReport, folder: Path) -> None:
    """Write validity.csv, validity.json and validity.md.

    Raises:
        OSError: a file cannot be written.
    """
    write_csv(folder / "validity.csv", COLUMNS, map(_csv_row, report.fields))
    write_atomically(folder / VALIDITY_JSON, json.dumps(report.to_json(), indent=1, ensure_ascii=False) + "\n")
    write_atomically(folder / "validity.md", markdown(report))


def _csv_row(field: FieldValidity) -> dict[str, Cell]:
    return {column: getattr(field, column, None) for column in COLUMNS} | {
        "verdict": "; ".join(field.verdicts),
        "leaks_by": "; ".join(field.leaks_by),
        "place": "; ".join(f"{share:.3f}" for share in field.place),
        "reader_by_group": "; ".join(f"{group} {rate:.3f}" for group, rate in field.reader_by_group.items()),
    }


def markdown(report: ValidityReport) -> str:
    """Return the report as Markdown."""
    parts = [
        f"# Validity of PlotChain {report.edition} (seed {report.seed}, {report.policy} tolerances) and geometry",
        "## Findings",
        "\n".join(f"- {finding}" for finding in report.findings),
    ]
    for suite in dict.fromkeys(field.suite for field in report.fields):
        cells = (field_cells(field) for field in report.fields if field.suite == suite)
        rows = ((f"{family}<br>{name}", *rest) for family, name, *rest in cells)
        parts += [f"## {suite}: fields", _table(FIELD_HEADINGS[1:], rows)]
        families = [family_cells(row) for row in report.families if row.suite == suite]
        if families:
            parts += [f"## {suite}: pictures", _table(FAMILY_HEADINGS, families)]
    return "\n\n".join([*parts, _LEGEND])


def field_cells(field: FieldValidity) -> tuple[str, ...]:
    """Return a field's texts under `FIELD_HEADINGS`."""
    return (
        field.family,
        field.field,
        str(field.items),
        _span(field.one_px_smallest, field.one_px_median),
        _span(field.all_px_smallest, field.all_px_median),
        _blind(field),
        _percent(field.in_question),
        _percent(field.constant_place),
        _percent(field.other_axes),
        _reader(field),
        _verdict(field),
    )


def family_cells(family: FamilyValidity) -> tuple[str, ...]:
    """Return a family's texts under `FAMILY_HEADINGS`."""
    counts = (family.pictures, family.distinct, family.copies, family.clashing)
    return (family.family, *map(str, counts))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (heads, ["-"] * len(heads), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _span(smallest: float | None, median: float | None) -> str:
    return "-" if smallest is None or median is None else f"{smallest:.2f} / {median:.1f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _blind(field: FieldValidity) -> str:
    chance = f" (chance {field.chance:.0%})" if field.chance else ""
    return f"{_percent(field.blind_same_seed)} / {_percent(field.blind_other_seeds)}{chance}"


def _reader(field: FieldValidity) -> str:
    groups = ", ".join(f"{group} {rate:.0%}" for group, rate in field.reader_by_group.items())
    differ = len(set(field.reader_by_group.values())) > 1
    return f"{_percent(field.reader)} ({groups})" if differ else _percent(field.reader)


def _verdict(field: FieldValidity) -> str:
    leaks = f" ({', '.join(field.leaks_by)})" if field.leaks_by else ""
    return ", ".join(f"{verdict}{leaks if verdict == 'leaks' else ''}" for verdict in field.verdicts)
