"""SIZE and SPACING: reading lengths in micrometres, and whether each is within a share of the truth.

One length is read (a diameter, a spacing), or two (the smallest and the largest diameter).

Tried in this order; the rule that fired is recorded:

1. `exact label`: the prompt's own label in capitals at the start of a line, `DIAMETER: 3.5 µm` (the last one). It
   decides alone: what it leaves open stays open.
2. `json`: the last object with a field of that name (`diameter`, `diameter_um`, `size`, ...), in its `unit`.
3. `label`: `diameter = 3.5 µm`, `the smallest is 2 µm`; not "image size", "row pitch".
4. `bare`: the whole reply, or its last line, is a number; for two lengths two numbers in the order asked for.
5. `statement`, unless the reply is a refusal: for one length what is given in a metric unit (`pixels` where there
   is none; else a `bare line`); for two lengths "from 2 to 5 µm".

Lengths that differ by more than a tenth are none, unless a word such as "actually", "so" stands between them: then
the last is. Behind a label the result of a sum or product counts.

Accepted: µm under all its names, nm and mm (converted), pixels (converted with the picture's scale), no unit
(µm), decimal comma, exponents, words, "3.0 ± 0.2", "about 3".
Refused (value None): ranges and bounds ("2-3 µm" where one length is asked for), nothing above 0 and below
100 µm.
Not taken for an answer: the scale ("0.14 µm per pixel", "1 pixel = 0.14 µm"), radii, factors ("20 × 0.14"),
numbers of something else ("20 spots", "2.5 times") or in another unit (cm, m), and in prose lengths of something
else: of the picture, spacings where a diameter is asked for, diameters where a spacing is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from scorers.geometry.reading import (
    LINE_START,
    MAX_LABELS,
    NUMBER,
    PROSE_CHARS,
    Statement,
    TaskReading,
    are_changes_announced,
    bare_reading,
    bare_value,
    first_reading,
    prepared,
    quantities,
)
from scorers.geometry.tasks import THRESHOLDS, number_of, optional_number
from scorers.json_extraction import last_object
from scorers.score import field_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.geometry.tasks import Metrics
    from scorers.score import FieldScore

__all__ = [
    "Length",
    "LengthName",
    "LengthScore",
    "SizeRangeReading",
    "read_length",
    "read_size_range",
    "score_size",
    "score_spacing",
]

_MAX_UM = 100.0

_UNIT = (
    r"(?:(?P<um>µm|um|mcm|microns?|micro-?met(?:er|re)s?)|(?P<nm>nm|nanomet(?:er|re)s?)|(?P<mm>mm|millimet(?:er|re)s?)|"
    r"(?P<px>px|pixels?))(?![\w²^])"
)
_AFTER = re.compile(rf"[\s\"')\]]{{0,3}}(?:(?:±|\+/-)\s?[0-9.]{{1,8}}\s?)?(?:{_UNIT})?", re.IGNORECASE)
_PER_PIXEL = re.compile(r"\s{0,2}(?:per|/|each|a)\s{0,2}(?:px|pixels?)\b|\s?(?:wide|high|tall)\b", re.IGNORECASE)
_OF_PIXEL = re.compile(
    r"(?<!/)(?<!per )(?:\bpixels?|\bpx)\s{0,2}(?:=|is|equals|corresponds to|represents|≈|measures)\s{0,2}$"
    r"|\bscale\b[\w\s]{0,12}[:=]?\s{0,2}$",
    re.IGNORECASE,
)
_OTHER_THING = re.compile(
    r"\s?(?:%|°|(?:cm|m|km|meters?|metres?|cent[a-z]+|inch(?:es)?|in|times|fold|spots?|dots?|circles?|rows?|columns?|"
    r"points?|samples?|images?)\b)|\sradi(?:us|i)\b|\s?(?:[×*·]|x(?=\s?[0-9])|[+/]\s?[0-9])",
    re.IGNORECASE,
)
_FACTOR_BEFORE = re.compile(r"(?:[×*·±]|\bx|\+/-|[0-9]\s?[+/])\s?$", re.IGNORECASE)
_OF_PICTURE = re.compile(r"\b(?:images?|pictures?|field|canvas|frame|view|scale)\b[^.,;\n]*$", re.IGNORECASE)
_RADIUS = re.compile(r"\bradi(?:us|i)\b(?:\s(?:of|is|about|approximately))*\s{0,2}[:=~≈]?\s{0,2}$", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d{1,2}),(\d{1,2}|\d{4,})(?![\d,])(?!,\d)")
_FACTORS = {"um": 1.0, "nm": 1e-3, "mm": 1e3}
_PAIR_FROM = re.compile(
    rf"(?:between|from|range[sd]?(?:\sfrom)?:?)?\s*~?({NUMBER})(\s*(?:{_UNIT})?)\s*(?:-|to|and)\s*~?({NUMBER})",
    re.IGNORECASE,
)
_BARE = re.compile(rf"[~≈\s]*(?:about|approximately|around)?\s*({NUMBER})(.{{0,24}}?)[.]?", re.IGNORECASE)
_BEFORE_CHARS = 60
_RANGES_READ = 20
_NUMBERS_WEIGHED = 300
_END_OF_VALUE = re.compile(r"[;(\n]|[.,]\s|\b(?:smallest|largest|minimum|maximum)\b", re.IGNORECASE)
_SAME = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthName:
    """What a length is called in JSON fields, by the prompt, and as a regular expression in loose labels.

    `other_before` and `other_after` tell by the words around a length that it is one of something else.
    """

    fields: tuple[str, ...]
    exact: str
    label: str
    other_before: str = r"(?!)"
    other_after: str = r"(?!)"


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeRangeReading:
    """Smallest and largest diameter in micrometres, None where there is none, and the rule."""

    smallest_um: float | None
    largest_um: float | None
    rule: str


DIAMETER = LengthName(
    fields=("diameter_um", "diameter", "size_um", "size", "diameter_µm", "spot_diameter_um", "spot_diameter",
            "answer", "diameter_px"),
    exact="DIAMETER",
    other_before=r"\b(?:spac\w+|apart|distances?|pitch|separat\w+|neighbou?rs?)\b[\w\s]{0,20}$",
    other_after=r"\s?(?:apart|spacing|pitch|between|separation|cent(?:er|re)[\s-]to)\b",
    label=r"(?:(?:spot|average|mean|typical|estimated)\s)?(?:diameters?|sizes?|width|final\sanswer|answer)",
)  # fmt: skip
SPACING = LengthName(
    fields=("spacing_um", "spacing", "distance_um", "distance", "pitch_um", "pitch", "answer", "spacing_px"),
    exact="SPACING",
    other_before=r"\b(?:diameters?|sizes?|sized|row|rows|vertical|column)\b[\w\s]{0,20}$",
    other_after=r"\s?(?:spots?|dots?|circles?|(?:in\s)?diameter|wide|across|large)\b",
    label=r"(?:spacing|distance|pitch|lattice\sconstant|separation|final\sanswer|answer)",
)
SMALLEST = LengthName(
    fields=("smallest_um", "smallest", "smallest_diameter_um", "smallest_diameter", "min_um", "min", "minimum",
            "min_diameter_um", "min_diameter", "smallest_px"),
    exact="SMALLEST",
    label=r"(?:smallest|minimum|min\b\.?|smaller)",
)  # fmt: skip
LARGEST = LengthName(
    fields=("largest_um", "largest", "largest_diameter_um", "largest_diameter", "max_um", "max", "maximum",
            "max_diameter_um", "max_diameter", "largest_px"),
    exact="LARGEST",
    label=r"(?:largest|biggest|maximum|max\b\.?|larger)",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Length:
    start: int
    end: int
    um: float | None
    metric: bool
    named: bool
    hedged: bool


def read_length(text: str, *, name: LengthName, um_per_px: float) -> TaskReading[float]:
    """Read one length from any text.

    Args:
        text: the reply.
        name: what is asked for.
        um_per_px: the picture's scale, for lengths given in pixels.
    """
    return first_reading(
        _with_points(prepared(text)),
        (
            partial(_named, name=name, um_per_px=um_per_px),
            partial(bare_reading, read=partial(_bare, um_per_px=um_per_px)),
        ),
        prose=partial(_from_prose, name=name, um_per_px=um_per_px),
        nothing=lambda rule: TaskReading(value=None, rule=rule),
    )


def read_size_range(text: str, *, um_per_px: float) -> SizeRangeReading:
    """Read the smallest and the largest diameter from any text; the arguments are those of `read_length`."""
    return first_reading(
        _with_points(prepared(text)) or " ",
        (partial(_named_pair, um_per_px=um_per_px), partial(_bare_pair, um_per_px=um_per_px)),
        prose=partial(_stated_range, um_per_px=um_per_px),
        nothing=lambda rule: SizeRangeReading(smallest_um=None, largest_um=None, rule=rule),
    )


def _with_points(text: str) -> str:
    return _DECIMAL_COMMA.sub(r"\1.\2", text)


def _named(text: str, name: LengthName, um_per_px: float) -> TaskReading[float] | None:
    return (
        _from_exact_label(text, name, um_per_px)
        or _from_json(text, name, um_per_px)
        or _from_label(text, name, um_per_px)
    )


def _from_exact_label(text: str, name: LengthName, um_per_px: float) -> TaskReading[float] | None:
    pattern = (
        rf"{LINE_START}{name.exact}(?:[ ]?\([\w ]{{1,20}}\))?[ ]{{0,3}}"
        r"(?:[:=≈]|->|[ ]-[ ]|[ ])+[ ]{0,3}(?=[^\s<:])"
    )
    labels = list(re.finditer(pattern, text, re.MULTILINE))
    if not labels:
        return None
    found = _value(text[labels[-1].end() : labels[-1].end() + _BEFORE_CHARS], um_per_px)
    return TaskReading(value=_agreed(found, ""), rule="exact label")


def _value(text: str, um_per_px: float) -> list[_Length]:
    """Return the lengths of a labelled value; behind the last `=` or `≈` if there is one."""
    value = _END_OF_VALUE.split(text.lstrip("( "), maxsplit=1)[0]
    return _lengths(re.split("[=≈]", value)[-1], um_per_px)


def _from_json(text: str, name: LengthName, um_per_px: float) -> TaskReading[float] | None:
    fields = last_object(text, name.fields)
    if fields is None:
        return None
    key = next(field for field in name.fields if field in fields)
    unit = (
        "px" if key.endswith("_px") else "" if key.endswith("_um") else fields.get("unit", fields.get("units", ""))
    )
    known = not unit or re.fullmatch(_UNIT, f"{unit}", re.IGNORECASE)
    found = _lengths(f"{fields[key]} {unit}", um_per_px) if known else []
    return TaskReading(value=_agreed(found, ""), rule="json")


def _from_label(text: str, name: LengthName, um_per_px: float) -> TaskReading[float] | None:
    pattern = re.compile(
        r"(?<!image )(?<!picture )(?<!sample )(?<!field )(?<!canvas )(?<!frame )(?<!pixel )(?<!row )(?<!column )"
        rf"(?<!vertical )\b(?:{name.label})"
        r"(?:\s(?:of|spots?|dots?|circles?|the|diameters?|size|between|neighbou?ring|cent(?:er|re)s)){0,6}"
        r"(?:\s?\((?:in\s)?[\w\s]{1,20}\))?"
        r"\s*(?:[:=≈]|\bis\b|\bare\b|->|\s(?=(?:(?:about|approximately|around|roughly)\s|~)?[0-9]))+"
        rf"\s*(?:exactly|about|approximately|approx\.?|around|roughly|~|≈|\(|\[|\s)*(?={NUMBER})",
        re.IGNORECASE,
    )
    found: list[_Length] = []
    for label in list(pattern.finditer(text))[-MAX_LABELS:]:
        value = _value(text[label.end() : label.end() + _BEFORE_CHARS], um_per_px)
        found += [replace(length, start=label.start(), end=label.end()) for length in value]
    return TaskReading(value=_agreed(found, text), rule="label") if found else None


def _agreed(found: Sequence[_Length], text: str) -> float | None:
    """Return the length that all are within a tenth, or the last if each change of mind is announced."""
    if not found or any(length.hedged for length in found):
        return None
    stated = [Statement(value=length.um, start=length.start, end=length.end) for length in found]
    if not are_changes_announced(stated, text, _is_same):
        return None
    changed = any(not _is_same(left.um, right.um) for left, right in pairwise(found))
    return found[-1 if changed else 0].um


def _is_same(left_um: float | None, right_um: float | None) -> bool:
    if left_um is None or right_um is None:
        return left_um is right_um
    return abs(left_um - right_um) <= _SAME * max(left_um, right_um)


def _bare(line: str, um_per_px: float) -> TaskReading[float] | None:
    match = _BARE.fullmatch(line)
    if match is None or not _AFTER.fullmatch(match[2].rstrip()):
        return None
    return TaskReading(value=_agreed(_lengths(line, um_per_px), ""), rule="bare line")


def _from_prose(text: str, name: LengthName, um_per_px: float) -> TaskReading[float]:
    found = [length for length in _lengths(text, um_per_px) if length.named and not _is_other(text, length, name)]
    metric = [length for length in found if length.metric]
    for chosen, rule in ((metric, "statement"), (found, "pixels")):
        if chosen:
            return TaskReading(value=_agreed(chosen, text), rule=rule)
    value = bare_value(text, partial(_bare, um_per_px=um_per_px))
    return TaskReading(value=value, rule="none" if value is None else "bare line")


def _is_other(text: str, length: _Length, name: LengthName) -> bool:
    """Whether the words around say that the length is one of something else."""
    before = text[max(0, length.start - _BEFORE_CHARS) : length.start]
    clause = re.split(r"[.,;\n](?![0-9])|\band\b|\bwith\b", before)[-1]
    return bool(
        _OF_PICTURE.search(clause)
        or re.search(name.other_before, clause, re.IGNORECASE)
        or re.compile(name.other_after, re.IGNORECASE).match(text, length.end)
    )


def _named_pair(text: str, um_per_px: float) -> SizeRangeReading | None:
    small, large = _named(text, SMALLEST, um_per_px), _named(text, LARGEST, um_per_px)
    if small is None or large is None:
        return None
    return SizeRangeReading(smallest_um=small.value, largest_um=large.value, rule=small.rule)


def _bare_pair(text: str, um_per_px: float) -> SizeRangeReading | None:
    text = text[-PROSE_CHARS:]
    found = _lengths(text, um_per_px)
    rest = re.sub(rf"{NUMBER}|{_UNIT}|[\s,;/.&]|\band\b", "", text, flags=re.IGNORECASE)
    if len(found) != len(("smallest", "largest")) or rest or any(length.hedged for length in found):
        return None
    return SizeRangeReading(smallest_um=_accepted(found[0]), largest_um=_accepted(found[1]), rule="bare")


def _stated_range(text: str, um_per_px: float) -> SizeRangeReading:
    for match in list(_PAIR_FROM.finditer(text))[: -_RANGES_READ - 1 : -1]:
        written = text[match.start() : match.end() + _BEFORE_CHARS].partition("\n")[0]
        found = _lengths(written, um_per_px)[:2]
        if len(found) > 1 and found[1].named:
            factor = 1.0 if found[0].named or found[1].metric else um_per_px
            low = None if found[0].um is None else found[0].um * factor
            return SizeRangeReading(smallest_um=low, largest_um=found[1].um, rule="range")
    return SizeRangeReading(smallest_um=None, largest_um=None, rule="none")


def _accepted(length: _Length) -> float | None:
    return None if length.hedged else length.um


def _lengths(text: str, um_per_px: float) -> list[_Length]:
    """Find the lengths of a text; the scale, radii, factors and numbers of something else are left out."""
    found = []
    for quantity in quantities(text)[-_NUMBERS_WEIGHED:]:
        after = _AFTER.match(text, quantity.end)
        before = text[max(0, quantity.start - _BEFORE_CHARS) : quantity.start]
        if after is None or _is_no_length(text, before, after):
            continue
        unit = after.lastgroup
        value = quantity.value * (um_per_px if unit == "px" else _FACTORS.get(unit or "um", 1.0))
        found.append(
            _Length(
                start=quantity.start,
                end=after.end(),
                um=value if 0 < value < _MAX_UM else None,
                metric=unit in _FACTORS,
                named=unit is not None,
                hedged=quantity.hedged,
            )
        )
    return found


def _is_no_length(text: str, before: str, after: re.Match[str]) -> bool:
    thing = _OTHER_THING.match(text, after.end())
    return bool(
        _PER_PIXEL.match(text, after.end())
        or (thing and (after.lastgroup is None or not thing[0].strip()[0].isalpha() or "radi" in thing[0].lower()))
        or _OF_PIXEL.search(before)
        or _RADIUS.search(before)
        or _FACTOR_BEFORE.search(before)
    )


_SLACK = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """One length: what was read (None: nothing) and the truth, in micrometres."""

    name: str
    prediction_um: float | None
    truth_um: float

    @property
    def abs_error_um(self) -> float | None:
        """|length - truth| in micrometres."""
        return None if self.prediction_um is None else abs(self.prediction_um - self.truth_um)

    @property
    def within_tolerance(self) -> bool:
        """Whether the error is at most 20 % of the truth: 3.6 for 3.0 is, whatever binary fractions make of it."""
        allowed = THRESHOLDS.length_rel * self.truth_um * (1 + _SLACK)
        return self.abs_error_um is not None and self.abs_error_um <= allowed


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthScore:
    """Scored lengths: one, or the smallest and the largest diameter."""

    task: Literal["SIZE", "SPACING"]
    rule: str
    lengths: tuple[Length, ...]

    @property
    def parsed(self) -> bool:
        """Whether every length was read."""
        return all(length.prediction_um is not None for length in self.lengths)

    @property
    def passed(self) -> bool:
        """Whether every length is within tolerance."""
        return all(length.within_tolerance for length in self.lengths)

    @property
    def prediction(self) -> dict[str, float | None]:
        """The lengths that were read, by name."""
        return {length.name: length.prediction_um for length in self.lengths}

    @property
    def expected(self) -> dict[str, float]:
        """The true lengths, by name."""
        return {length.name: length.truth_um for length in self.lengths}

    @property
    def mean_abs_error_um(self) -> float | None:
        """Mean absolute error over the lengths, None unless all were read."""
        errors = [length.abs_error_um for length in self.lengths if length.abs_error_um is not None]
        return sum(errors) / len(errors) if len(errors) == len(self.lengths) else None

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        error = self.mean_abs_error_um
        truth = sum(length.truth_um for length in self.lengths) / len(self.lengths)
        return {
            "abs_error_um": error,
            "pct_error": None if error is None else 100 * error / truth,
            "within_tolerance": self.passed,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row for each length."""
        return tuple(
            field_row(
                length.name,
                prediction=length.prediction_um,
                truth=length.truth_um,
                passed=length.within_tolerance,
                rel_tol=THRESHOLDS.length_rel,
                why=_why(length, self.rule),
            )
            for length in self.lengths
        )


def _why(length: Length, rule: str) -> str:
    if length.abs_error_um is None:
        return f"no length: {rule}"
    sign = "<=" if length.within_tolerance else ">"
    return f"|error| {length.abs_error_um:.4g} um {sign} {THRESHOLDS.length_rel * length.truth_um:.4g}"


def score_size(text: str, truth: Mapping[str, object]) -> LengthScore:
    """Score any text as a reply to SIZE.

    The truth is the item's `diameter_um` or, where dots differ, `smallest_diameter_um` and `largest_diameter_um`.
    """
    scale = number_of(truth, "um_per_px")
    diameter = optional_number(truth, "diameter_um")
    if diameter is not None:
        reading = read_length(text, name=DIAMETER, um_per_px=scale)
        lengths = (Length(name="diameter_um", prediction_um=reading.value, truth_um=diameter),)
        return LengthScore(task="SIZE", rule=reading.rule, lengths=lengths)
    both = read_size_range(text, um_per_px=scale)
    found = {"smallest_diameter_um": both.smallest_um, "largest_diameter_um": both.largest_um}
    return LengthScore(
        task="SIZE",
        rule=both.rule,
        lengths=tuple(
            Length(name=name, prediction_um=value, truth_um=number_of(truth, name))
            for name, value in found.items()
        ),
    )


def score_spacing(text: str, truth: Mapping[str, object]) -> LengthScore:
    """Score any text as a reply to SPACING; the truth is the item's `spacing_um`."""
    reading = read_length(text, name=SPACING, um_per_px=number_of(truth, "um_per_px"))
    spacing = Length(name="spacing_um", prediction_um=reading.value, truth_um=number_of(truth, "spacing_um"))
    return LengthScore(task="SPACING", rule=reading.rule, lengths=(spacing,))
