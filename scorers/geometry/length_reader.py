"""Reading lengths in micrometres: one (a diameter, a spacing) or two (the smallest and the largest diameter).

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
`MAX_UM`.
Not taken for an answer: the scale ("0.14 µm per pixel", "1 pixel = 0.14 µm"), radii, factors ("20 × 0.14"),
numbers of something else ("20 spots", "2.5 times") or in another unit (cm, m), and in prose lengths of something
else: of the picture, spacings where a diameter is asked for, diameters where a spacing is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from scorers.geometry.quantities import NUMBER, quantities
from scorers.geometry.reply_text import (
    LINE_START,
    MAX_LABELS,
    PROSE_CHARS,
    is_corrected,
    is_refusal,
    lines_of,
    prepared,
)
from scorers.geometry.structured import last_object

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MAX_UM", "LengthName", "LengthReading", "LengthsReading", "read_length", "read_size_range"]

MAX_UM = 100.0

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
class LengthReading:
    """The length in micrometres that was read, None when there is none, and the rule."""

    value_um: float | None
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthsReading:
    """Smallest and largest length in micrometres, None where there is none, and the rule."""

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


def read_length(text: str, *, name: LengthName, um_per_px: float) -> LengthReading:
    """Read one length from any text.

    Args:
        text: the reply.
        name: what is asked for.
        um_per_px: the picture's scale, for lengths given in pixels.
    """
    seen = _with_points(prepared(text))
    if not seen:
        return LengthReading(value_um=None, rule="empty")
    return (
        _named(seen, name, um_per_px)
        or _from_bare(seen, um_per_px)
        or _from_prose(seen[-PROSE_CHARS:], name, um_per_px)
    )


def read_size_range(text: str, *, um_per_px: float) -> LengthsReading:
    """Read the smallest and the largest diameter from any text; the arguments are those of `read_length`."""
    seen = _with_points(prepared(text))
    small, large = _named(seen, SMALLEST, um_per_px), _named(seen, LARGEST, um_per_px)
    if small and large:
        return LengthsReading(smallest_um=small.value_um, largest_um=large.value_um, rule=small.rule)
    end = seen[-PROSE_CHARS:]
    return _bare_pair(end, um_per_px) or _stated_range(end, um_per_px)


def _with_points(text: str) -> str:
    return _DECIMAL_COMMA.sub(r"\1.\2", text)


def _named(text: str, name: LengthName, um_per_px: float) -> LengthReading | None:
    return (
        _from_exact_label(text, name, um_per_px)
        or _from_json(text, name, um_per_px)
        or _from_label(text, name, um_per_px)
    )


def _from_exact_label(text: str, name: LengthName, um_per_px: float) -> LengthReading | None:
    pattern = (
        rf"{LINE_START}{name.exact}(?:[ ]?\([\w ]{{1,20}}\))?[ ]{{0,3}}"
        r"(?:[:=≈]|->|[ ]-[ ]|[ ])+[ ]{0,3}(?=[^\s<:])"
    )
    labels = list(re.finditer(pattern, text, re.MULTILINE))
    if not labels:
        return None
    found = _value(text[labels[-1].end() : labels[-1].end() + _BEFORE_CHARS], um_per_px)
    return LengthReading(value_um=_agreed(found, ""), rule="exact label")


def _value(text: str, um_per_px: float) -> list[_Length]:
    """Return the lengths of a labelled value; behind the last `=` or `≈` if there is one."""
    value = _END_OF_VALUE.split(text.lstrip("( "), maxsplit=1)[0]
    return _lengths(re.split("[=≈]", value)[-1], um_per_px)


def _from_json(text: str, name: LengthName, um_per_px: float) -> LengthReading | None:
    fields = last_object(text, name.fields)
    if fields is None:
        return None
    key = next(field for field in name.fields if field in fields)
    unit = (
        "px" if key.endswith("_px") else "" if key.endswith("_um") else fields.get("unit", fields.get("units", ""))
    )
    known = not unit or re.fullmatch(_UNIT, f"{unit}", re.IGNORECASE)
    found = _lengths(f"{fields[key]} {unit}", um_per_px) if known else []
    return LengthReading(value_um=_agreed(found, ""), rule="json")


def _from_label(text: str, name: LengthName, um_per_px: float) -> LengthReading | None:
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
    return LengthReading(value_um=_agreed(found, text), rule="label") if found else None


def _agreed(found: Sequence[_Length], text: str) -> float | None:
    """Return the length that all are within a tenth, or the last if each change of mind is announced."""
    if not found or any(length.hedged for length in found):
        return None
    changes = [text[left.end : right.start] for left, right in pairwise(found) if not _is_same(left, right)]
    return found[-1 if changes else 0].um if all(is_corrected(between) for between in changes) else None


def _is_same(left: _Length, right: _Length) -> bool:
    if left.um is None or right.um is None:
        return left.um is right.um
    return abs(left.um - right.um) <= _SAME * max(left.um, right.um)


def _from_bare(text: str, um_per_px: float) -> LengthReading | None:
    whole = _bare(text, "bare", um_per_px)
    if whole:
        return whole
    last = _bare(lines_of(text)[-1], "bare last line", um_per_px)
    return last and LengthReading(value_um=_bare_value(text, um_per_px), rule=last.rule)


def _bare(line: str, rule: str, um_per_px: float) -> LengthReading | None:
    match = _BARE.fullmatch(line)
    if match is None or not _AFTER.fullmatch(match[2].rstrip()):
        return None
    return LengthReading(value_um=_agreed(_lengths(line, um_per_px), ""), rule=rule)


def _bare_value(text: str, um_per_px: float) -> float | None:
    """Return what all lines say that are nothing but a number."""
    end = text[-PROSE_CHARS:]
    readings = [_bare(line, "bare line", um_per_px) for line in dict.fromkeys(lines_of(end))]
    values = {reading.value_um for reading in readings if reading}
    return values.pop() if len(values) == 1 else None


def _from_prose(text: str, name: LengthName, um_per_px: float) -> LengthReading:
    if is_refusal(text):
        return LengthReading(value_um=None, rule="refusal")
    found = [length for length in _lengths(text, um_per_px) if length.named and not _is_other(text, length, name)]
    metric = [length for length in found if length.metric]
    for chosen, rule in ((metric, "statement"), (found, "pixels")):
        if chosen:
            return LengthReading(value_um=_agreed(chosen, text), rule=rule)
    value = _bare_value(text, um_per_px)
    return LengthReading(value_um=value, rule="none" if value is None else "bare line")


def _is_other(text: str, length: _Length, name: LengthName) -> bool:
    """Whether the words around say that the length is one of something else."""
    before = text[max(0, length.start - _BEFORE_CHARS) : length.start]
    clause = re.split(r"[.,;\n](?![0-9])|\band\b|\bwith\b", before)[-1]
    return bool(
        _OF_PICTURE.search(clause)
        or re.search(name.other_before, clause, re.IGNORECASE)
        or re.compile(name.other_after, re.IGNORECASE).match(text, length.end)
    )


def _bare_pair(text: str, um_per_px: float) -> LengthsReading | None:
    found = _lengths(text, um_per_px)
    rest = re.sub(rf"{NUMBER}|{_UNIT}|[\s,;/.&]|\band\b", "", text, flags=re.IGNORECASE)
    if len(found) != len(("smallest", "largest")) or rest or any(length.hedged for length in found):
        return None
    return LengthsReading(smallest_um=_accepted(found[0]), largest_um=_accepted(found[1]), rule="bare")


def _stated_range(text: str, um_per_px: float) -> LengthsReading:
    if is_refusal(text):
        return LengthsReading(smallest_um=None, largest_um=None, rule="refusal")
    for match in list(_PAIR_FROM.finditer(text))[: -_RANGES_READ - 1 : -1]:
        written = text[match.start() : match.end() + _BEFORE_CHARS].partition("\n")[0]
        found = _lengths(written, um_per_px)[:2]
        if len(found) > 1 and found[1].named:
            factor = 1.0 if found[0].named or found[1].metric else um_per_px
            low = None if found[0].um is None else found[0].um * factor
            return LengthsReading(smallest_um=low, largest_um=found[1].um, rule="range")
    return LengthsReading(smallest_um=None, largest_um=None, rule="none")


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
                um=value if 0 < value < MAX_UM else None,
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
