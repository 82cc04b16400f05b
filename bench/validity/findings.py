"""What deserves attention, in sentences made from the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.validity.report import FamilyValidity, FieldValidity, Leak

__all__ = ["findings"]

_ALL = 1.0
_MOSTLY = 0.5


def findings(fields: Sequence[FieldValidity], families: Sequence[FamilyValidity]) -> tuple[str, ...]:
    """Return one sentence for each kind of weakness of each suite that has it."""
    found = []
    for suite in dict.fromkeys(row.suite for row in fields):
        rows = [row for row in fields if row.suite == suite]
        own = [row for row in families if row.suite == suite]
        sentences = (
            _blind(rows),
            _certain(rows),
            *(_leaks(rows, leak) for leak in _LEAKS),
            _fine(rows),
            _beyond(rows),
            _copies(own),
            _ordered(own),
            _unread(rows),
        )
        found += [f"{suite}: {sentence}" for sentence in sentences if sentence]
    return tuple(found)


def _blind(rows: Sequence[FieldValidity]) -> str:
    same = _mean(rows, lambda row: row.blind_same_seed)
    others = _mean(rows, lambda row: row.blind_other_seeds)
    if same is None or others is None:
        return ""
    return (
        f"without looking, the best constants pass {same:.1%} of the {sum(row.items for row in rows)} answers, "
        f"{others:.1%} when they are fitted on other seeds"
    )


def _certain(rows: Sequence[FieldValidity]) -> str:
    found = [row for row in rows if row.blind_other_seeds == _ALL and not row.chance]
    return f"{len(found)} fields pass by one constant on every item: {_listed(found)}" if found else ""


_LEAKS: dict[Leak, tuple[str, Callable[[FieldValidity], float | None]]] = {
    "question": ("the question prints the answer of", lambda row: row.in_question),
    "place": ("the axes read at one fixed place give most answers of", lambda row: row.constant_place),
    "axes": ("the place gives most answers, whatever the axes say, of", lambda row: row.other_axes),
}


def _leaks(rows: Sequence[FieldValidity], leak: Leak) -> str:
    words, rate_of = _LEAKS[leak]
    found = [row for row in rows if (rate_of(row) or 0) > _MOSTLY]
    return f"{words} {_listed(found, lambda row: f'{rate_of(row):.0%}{_at(row, leak)}')}" if found else ""


def _at(row: FieldValidity, leak: Leak) -> str:
    """Return where a field's one place is, if it is one reading."""
    return f" at {row.place[0]:.2f}" if leak == "place" and len(row.place) == 1 else ""


def _fine(rows: Sequence[FieldValidity]) -> str:
    measured = [row for row in rows if row.below_2_px is not None]
    one, two = sum(row.below_1_px or 0 for row in measured), sum(row.below_2_px or 0 for row in measured)
    if not two:
        return ""
    below = [row for row in measured if row.below_1_px]
    fields = _listed(below, lambda row: f"{row.below_1_px}, down to {row.all_px_smallest:.2f} px")
    count = sum(row.items for row in measured)
    detail = f": {fields}" if fields else ""
    return f"of {count} readings {one} must be better than one pixel, {two} better than two{detail}"


def _beyond(rows: Sequence[FieldValidity]) -> str:
    found = [row for row in rows if row.beyond_axes]
    return f"beyond the drawn axes lie {_listed(found, lambda row: f'{row.beyond_axes} items')}" if found else ""


def _copies(families: Sequence[FamilyValidity]) -> str:
    copied = [f"{row.family} ({row.copies})" for row in families if row.copies]
    if not copied:
        return ""
    pictures, distinct = sum(row.pictures for row in families), sum(row.distinct for row in families)
    clashing = sum(row.clashing for row in families)
    worst = f"; {clashing} of them have another truth than their twin" if clashing else ""
    copies = f"{pictures - distinct} are copies: {', '.join(copied)}"
    return f"{distinct} of {pictures} pictures are distinct, {copies}{worst}"


def _ordered(families: Sequence[FamilyValidity]) -> str:
    pairs = [f"{row.family}.{pair}" for row in families for pair in row.ordered]
    return f"on every item, by definition or by the recipe, {', '.join(pairs)}" if pairs else ""


def _unread(rows: Sequence[FieldValidity]) -> str:
    missed = [row for row in rows if row.reader is not None and row.reader < _ALL]
    return f"the reader misses some of {_listed(missed, lambda row: f'{row.reader:.0%}')}" if missed else ""


def _mean(rows: Iterable[FieldValidity], rate: Callable[[FieldValidity], float | None]) -> float | None:
    """Return a rate over all items of all rows that have it."""
    known = [(row.items, value) for row in rows if (value := rate(row)) is not None]
    return sum(items * value for items, value in known) / sum(items for items, _ in known) if known else None


def _listed(rows: Iterable[FieldValidity], note: Callable[[FieldValidity], str] | None = None) -> str:
    """List fields by family, each with a note."""
    families: dict[str, list[str]] = {}
    for row in rows:
        families.setdefault(row.family, []).append(f"{row.field} ({note(row)})" if note else row.field)
    return "; ".join(
        ", ".join(names) if family == "all classes" else f"{family}: {', '.join(names)}"
        for family, names in families.items()
    )
