"""Reading a count of spots.

Tried in this order; the name of the rule that fired is recorded:

1. `json`: an object with a field such as `count`, `total`, `answer` (the last such object).
2. `label`: `COUNT: 42`, `Final answer: 42`, `Total = 42` (the last one that is no part).
3. `bare`: the whole reply, or its last line, is a number.
4. prose, unless the reply is a refusal: a `total`; else what is `announced` ("there are", "I count"); else a
   plain `statement` ("42 white spots"); else a `bare line`. Within each the last wins. "No spots", "the image
   is empty" announce 0. A count of a part ("5 spots in row 2", "Quadrant 1 has 12 spots") is no count.

Accepted: digits, thousands separators, words (`forty-two`), "about 42", "~42".
Refused (value None): ranges and bounds ("40 to 50", "40 or 41", "100+", "at least 40"), fractions, negative
numbers, more than `MAX_COUNT`, a number that belongs to something else ("700x510", "6 rows").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorers.geometry.nothing_seen import nothing_seen
from scorers.geometry.quantities import NUMBER, Quantity, quantities, value_of
from scorers.geometry.reply_text import MAX_LABELS, PROSE_CHARS, is_refusal, lines_of, prepared
from scorers.geometry.structured import last_object

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_COUNT", "NOUN", "QUALIFIERS", "CountReading", "as_count", "read_count"]

MAX_COUNT = 10_000

NOUN = r"(?:spots?|circles?|dots?|points?|dis[ck]s?|blobs?|particles?|objects?|shapes?)\b"
QUALIFIERS = (
    r"(?:(?:small|large|big|tiny|white|bright|light|gr[ae]y|round|circular|visible|distinct|individual|separate|clear|"
    r"uniform|identical|isolated|solid|filled|complete|whole|single|similar|equal|sized|size|scattered|detectable|"
    r"identifiable|different|random|randomly|hexagonally|evenly|equally|arranged|distributed|spaced|total|perfect|such|"
    r"more or less|well-defined|same-sized|equal-sized|non-overlapping)[ ,-]{1,2}){0,6}"
)
_NAMES = (
    "count", "spot_count", "total", "total_count", "number_of_spots", "num_spots", "spots_count", "total_spots",
    "number", "answer", "final_answer", "spots", "circles", "dots", "circular_spots", "value", "result",
)  # fmt: skip
_LABEL = re.compile(
    r"\b(?:(?:the[ ])?(?:final|correct|total|my)?[ ]?(?:answer|count|total|number)(?:[ ](?:number|count))?"
    rf"(?:[ ]of[ ](?:the[ ])?{QUALIFIERS}{NOUN})?(?:[ ]in[ ](?:the|this)[ ]image)?)"
    r"[ ]{0,3}(?:[:=]|is\b|are\b|(?-i:(?<=COUNT)[ ])|->)+\s{0,3}",
    re.IGNORECASE,
)
_LEAD = (
    r"[\s\"'(\[~≈]{0,4}(?:(?:exactly|about|approximately|approx\.?|around|roughly|only|just|a total of|"
    r"there are|=)\s+){0,2}~?"
)
_SUM = re.compile(r"\s{0,2}(?:[+×*]|x\s|-\s)[^=\n]{1,60}=")
_LABEL_VALUE = re.compile(rf"{_LEAD}({NUMBER})", re.IGNORECASE)
_BARE = re.compile(rf"{_LEAD}({NUMBER})[\"')\]]?\s{{0,3}}(?:{QUALIFIERS}{NOUN})?\s{{0,3}}[.!]?", re.IGNORECASE)
_TOTAL_BEFORE = re.compile(
    r"(?:\b(?:totals?|totall?ing|altogether|in all|overall|sum)\b(?:[ ](?:of|is|number|count|to|to about|about))*"
    r"[\s:=,]{0,3}|=\s{0,2})$",
    re.IGNORECASE,
)
_TOTAL_AFTER = re.compile(
    rf"\s(?:{QUALIFIERS}{NOUN}\s)?(?:in (?:the )?(?:image|picture) )?"
    r"(?:in total|altogether|in all|overall|total)\b",
    re.IGNORECASE,
)
_ANNOUNCED_BEFORE = re.compile(
    r"(?:\bthere(?:'s| are| is| appear to be| seem to be)|\b(?:i|we)(?: can| could|'ve| have)?"
    r" (?:see|count|find|detect|counted|found|detected|observe|identify|identified|get|got)"
    r"|\b(?:image|picture|it|canvas|this)(?: clearly)? (?:contains|shows|has|depicts|displays|includes)"
    r"|\bcontaining"
    r"|\b(?:actually|wait|correction|sorry|recount(?:ing)?|rather|revised|instead|so|therefore|thus|hence)\b[,:]?"
    r"(?: (?:it is|it's|there are|i count|i see|that makes|that's))?)"
    r"(?:\s(?:a total of|exactly|about|approximately|around|roughly|only|just|precisely))*\s{1,2}~?$",
    re.IGNORECASE,
)
_COUNTED_AFTER = re.compile(rf"(?:\s?\([^()\n]{{1,20}}\))?[ ]{QUALIFIERS}{NOUN}", re.IGNORECASE)
_ENDS_AFTER = re.compile(
    r"\s{0,2}(?:[.,;!)](?![0-9])|\n|$|visible\b|in (?:the|this) (?:image|picture)\b)", re.IGNORECASE
)
_PLACE = (
    r"(?:rows?|columns?|quadrants?|corners?|clusters?|regions?|sections?|groups?|lines?|half|halves|sides?|left|right|"
    r"top|bottom|middle|upper|lower|cent(?:er|re)|edges?|border)"
)
_PART_BEFORE = re.compile(
    rf"\b{_PLACE}\b[\w \-()#]{{0,24}}(?:[:=]|\bhas\b|\bhave\b|\bcontains?\b|\bwith\b|\bshows?\b|\bholds?\b)"
    r"\s{0,2}(?:about |around |approximately )?~?$",
    re.IGNORECASE,
)
_PLACE_BEFORE = re.compile(rf"\b{_PLACE}\b[\w \-()#]{{0,24}}$", re.IGNORECASE)
_PART_AFTER = re.compile(
    rf"[^.;,(\n]{{0,40}}?\b(?:(?:in|on|at|near|along|within|across|from)\s(?:(?:the|each|every|this)\s)?"
    rf"(?:(?:very\s)?(?:first|second|third|fourth|fifth|sixth|last|next|other)\b|"
    rf"(?:row|column|quadrant|corner|edges?|border|cluster|region|left|right|top|bottom|middle|upper|lower)\b)|"
    rf"(?:per|each|every)\s{_PLACE})",
    re.IGNORECASE,
)
_SAID_BEFORE = re.compile(r"[A-Za-z]\s?:\s{0,2}~?$")
_SINGLE = re.compile(rf"\ba single (?!{_PLACE}){QUALIFIERS}{NOUN}", re.IGNORECASE)
_NEGATED = re.compile(r"\bnot\s{1,2}(?:exactly\s|quite\s)?$", re.IGNORECASE)
_BEFORE_CHARS = 80
_NUMBERS_WEIGHED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CountReading:
    """The count that was read, None when there is none, and the rule."""

    value: int | None
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    rank: int
    start: int
    value: int | None


_RANKS = {3: "total", 2: "announced", 1: "statement"}


def read_count(text: str) -> CountReading:
    """Read a count from any text; total, and equal for equal text in every process."""
    seen = prepared(text)
    if not seen:
        return CountReading(value=None, rule="empty")
    return _from_json(seen) or _from_label(seen) or _from_bare(seen) or _from_prose(seen[-PROSE_CHARS:])


def as_count(value: object) -> int | None:
    """Return a JSON value or a number as a count: a whole number from 0 to `MAX_COUNT`, else None."""
    if isinstance(value, str):
        match = _BARE.fullmatch(value.strip())
        value = None if match is None else value_of(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= MAX_COUNT and value == int(value) else None


def _from_json(text: str) -> CountReading | None:
    fields = last_object(text, _NAMES)
    if fields is None:
        return None
    held = [fields[name] for name in _NAMES if name in fields and not isinstance(fields[name], list | dict)]
    return CountReading(value=as_count(held[0]), rule="json") if held else None


def _from_label(text: str) -> CountReading | None:
    reading = None
    for label in list(_LABEL.finditer(text))[-MAX_LABELS:]:
        rest = text[label.end() : label.end() + _BEFORE_CHARS].partition("\n")[0]
        match = _LABEL_VALUE.match(rest)
        if match is None:
            continue
        line = text[max(0, label.start() - _BEFORE_CHARS) : label.start()].rpartition("\n")[2]
        part = _PLACE_BEFORE.search(line) or _is_part(text, label.start(), label.end() + match.end(1))
        if not part:
            start = rest.rfind("=") if _SUM.match(rest, match.end()) else match.start(1)
            reading = CountReading(value=_committed(rest, start), rule="label")
    return reading


def _committed(text: str, start: int) -> int | None:
    found = [quantity for quantity in quantities(text) if quantity.start >= start]
    return as_count(found[0].value) if found and not found[0].hedged else None


def _from_bare(text: str) -> CountReading | None:
    if is_refusal(text):
        return None
    return _bare(text, "bare") or _bare(lines_of(text)[-1], "bare last line")


def _bare(line: str, rule: str) -> CountReading | None:
    match = _BARE.fullmatch(line)
    return None if match is None else CountReading(value=_committed(line, match.start(1)), rule=rule)


def _from_prose(text: str) -> CountReading:
    if is_refusal(text):
        return CountReading(value=None, rule="refusal")
    claims = [*_claims(text), *(_Claim(rank=2, start=at, value=0) for at in nothing_seen(text))]
    claims += [_Claim(rank=1, start=match.start(), value=1) for match in _SINGLE.finditer(text)]
    if not claims:
        lines = [reading for line in lines_of(text) if (reading := _bare(line, "bare line"))]
        return lines[-1] if lines else CountReading(value=None, rule="none")
    best = max(claims, key=lambda claim: (claim.rank, claim.start))
    return CountReading(value=best.value, rule=_RANKS[best.rank])


def _claims(text: str) -> Iterable[_Claim]:
    for quantity in quantities(text)[-_NUMBERS_WEIGHED:]:
        rank = _rank(text, quantity)
        if rank:
            value = None if quantity.hedged else as_count(quantity.value)
            yield _Claim(rank=rank, start=quantity.start, value=value)


def _rank(text: str, quantity: Quantity) -> int:
    before = text[max(0, quantity.start - _BEFORE_CHARS) : quantity.start]
    counted = _COUNTED_AFTER.match(text, quantity.end) is not None
    ends = _ENDS_AFTER.match(text, quantity.end) is not None
    if _NEGATED.search(before):
        return 0
    if _TOTAL_AFTER.match(text, quantity.end) or (_TOTAL_BEFORE.search(before) and (counted or ends)):
        return 3
    if _is_part(text, quantity.start, quantity.end) or not (counted or ends):
        return 0
    if _ANNOUNCED_BEFORE.search(before):
        return 2
    if ends and _SAID_BEFORE.search(before):
        return 1
    return 1 if counted and text[quantity.start : quantity.end].lower() != "one" else 0


def _is_part(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _BEFORE_CHARS) : start].rpartition("\n")[2]
    return bool(_PART_BEFORE.search(before) or _PART_AFTER.match(text, end))
