"""The validity report as plain data: a row for each field, a row for each family, what was found in words."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["COLUMNS", "FamilyValidity", "FieldValidity", "Leak", "SuiteValidity", "ValidityReport", "Verdict"]

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


COLUMNS = (
    "suite",
    "family",
    "field",
    "items",
    "verdict",
    "leaks_by",
    "one_px_smallest",
    "one_px_median",
    "all_px_smallest",
    "all_px_median",
    "below_1_px",
    "below_2_px",
    "beyond_axes",
    "blind_same_seed",
    "blind_other_seeds",
    "chance",
    "in_question",
    "constant_place",
    "place",
    "other_axes",
    "reader",
    "reader_by_group",
)
"""Columns of validity.csv."""
