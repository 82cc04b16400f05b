"""COUNT: reading a count of spots, and its error: exact match, within ±N, absolute and in percent.

Tried in this order; the name of the rule that fired is recorded:

1. `exact label`: the prompt's own label in capitals at the start of a line, `COUNT: 42` (the last one). It decides
   alone: what it leaves open ("COUNT: unclear") stays open.
2. `json`: an object with a field such as `count`, `total`, `answer` (the last such object).
3. `label`: `Final answer: 42`, `Total = 42` (the last one that is no part).
4. `bare`: the whole reply, or its last line, is a number, and no other line is another number.
5. prose, unless the reply is a refusal: a `total`; else what is `announced` ("there are", "I count"); else a
   plain `statement` ("42 white spots"); else a `bare line`. "No spots", "the image is empty" announce 0; "it is
   black" does where nothing is counted.

Different numbers of equal standing are no count, unless a word such as "actually", "so" stands between them: then
the last is. Behind a label that holds for every number in the value, but the result of a sum counts.
A count of a part ("5 spots in row 2", "Quadrant 1 has 12 spots", an entry of "8, 7, 8") is no count. Of one size
("20 large spots") it is none where another size is mentioned.

Accepted: digits, thousands separators, words (`forty-two`), "about 42", "~42".
Refused (value None): ranges and bounds ("40 to 50", "40 or 41", "100+", "at least 40"), fractions, negative
numbers, more than 10,000, a number that belongs to something else ("700x510", "6 rows").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from scorers.geometry.reading import (
    LINE_START,
    MAX_LABELS,
    NOUN,
    NUMBER,
    NumberInText,
    Statement,
    TaskReading,
    bare_reading,
    bare_value,
    first_reading,
    is_refusal,
    nothing_seen,
    prepared,
    quantities,
    settled,
    value_of,
)
from scorers.geometry.tasks import whole_of
from scorers.json_extraction import last_object
from scorers.score import field_row

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorers.geometry.tasks import Metrics
    from scorers.score import FieldScore

__all__ = [
    "CountScore",
    "as_count",
    "read_count",
    "score_count",
]

_MAX_COUNT = 10_000

_QUALIFIERS = (
    r"(?:(?:small|large|big|tiny|white|bright|light|gr[ae]y|round|circular|visible|distinct|individual|separate|clear|"
    r"uniform|identical|isolated|solid|filled|complete|whole|single|similar|equal|sized|size|scattered|detectable|"
    r"identifiable|different|random|randomly|hexagonally|evenly|equally|arranged|distributed|spaced|total|perfect|such|"
    r"more or less|well-defined|same-sized|equal-sized|non-overlapping)[ ,-]{1,2}){0,6}"
)
_NAMES = (
    "count", "spot_count", "total", "total_count", "number_of_spots", "num_spots", "spots_count", "total_spots",
    "number", "answer", "final_answer", "spots", "circles", "dots", "circular_spots", "value", "result",
)  # fmt: skip
_EXACT = re.compile(rf"{LINE_START}COUNT[ ]{{0,3}}(?:[:=]|->|[ ]-[ ]|[ ])+[ ]{{0,3}}(?=[^\s<])", re.MULTILINE)
_LABEL = re.compile(
    r"\b(?:(?:the[ ])?(?:final|correct|total|my)?[ ]?(?:answer|count|total|number)(?:[ ](?:number|count))?"
    rf"(?:[ ]of[ ](?:the[ ])?{_QUALIFIERS}{NOUN})?(?:[ ]in[ ](?:the|this)[ ]image)?)"
    r"[ ]{0,3}(?:[:=]|is\b|are\b|(?-i:(?<=COUNT)[ ])|->)+\s{0,3}",
    re.IGNORECASE,
)
_LEAD = (
    r"[\s\"'(\[~≈]{0,4}(?:(?:exactly|about|approximately|approx\.?|around|roughly|only|just|a total of|"
    r"there are|=)\s+){0,2}~?"
)
_END_OF_VALUE = re.compile(r"[(;\n]|[.!]\s")
_LABEL_VALUE = re.compile(rf"{_LEAD}({NUMBER})", re.IGNORECASE)
_BARE = re.compile(rf"{_LEAD}({NUMBER})[\"')\]]?\s{{0,3}}(?:{_QUALIFIERS}{NOUN})?\s{{0,3}}[.!]?", re.IGNORECASE)
_TOTAL_BEFORE = re.compile(
    r"(?:\b(?:totals?|totall?ing|altogether|in all|overall|sum|making|makes|giving)\b(?:[ ](?:of|is|"
    r"number|count|to|to about|about))*"
    r"[\s:=,]{0,3}|(?:[0-9]|each|spots|dots|circles)\s?=\s{0,2})$",
    re.IGNORECASE,
)
_TOTAL_AFTER = re.compile(
    rf"\s(?:{_QUALIFIERS}{NOUN}\s)?(?:in (?:the )?(?:image|picture) )?"
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
_COUNTED_AFTER = re.compile(rf"(?:\s?\([^()\n]{{1,20}}\))?[ ]{_QUALIFIERS}{NOUN}", re.IGNORECASE)
_ENDS_AFTER = re.compile(
    r"\s{0,2}(?:[.;!)](?![0-9])|,(?!\s?[0-9…])|\n|$|visible\b|in (?:the|this) (?:image|picture)\b)", re.IGNORECASE
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
_SIZE = r"(?:small|large|big|medium|tiny)"
_ROWS_OF = re.compile(r"\b(?:rows|columns|lines|groups|clusters)\sof\s(?:about\s)?$", re.IGNORECASE)
_PLACE_BEFORE = re.compile(rf"\b(?:{_PLACE}|{_SIZE})\b[\w \-()#]{{0,24}}$", re.IGNORECASE)
_PART_AFTER = re.compile(
    rf"[^.;,(\n]{{0,40}}?\b(?:(?:in|on|at|near|along|within|across|from)\s(?:(?:the|each|every|this)\s)?"
    rf"(?:(?:very\s)?(?:first|second|third|fourth|fifth|sixth|last|next|other)\b|"
    rf"(?:row|column|quadrant|corner|edges?|border|cluster|region|left|right|top|bottom|middle|upper|lower)\b)|"
    rf"(?:per|each|every)\s{_PLACE})",
    re.IGNORECASE,
)
_SIZE_WORD = re.compile(rf"\b{_SIZE}\b", re.IGNORECASE)
_ENTRY_BEFORE = re.compile(r"[0-9]\s?(?:[,+]|,?\sand)\s?$", re.IGNORECASE)
_JOINED_BEFORE = re.compile(r"(?:,|\band|\bplus)(?:\sand)?\s$", re.IGNORECASE)
_OTHER_THING = re.compile(rf"\s?(?:%|px\b|pixels?\b|µm|um\b|{_PLACE}\b)", re.IGNORECASE)
_SAID_BEFORE = re.compile(r"[A-Za-z]\s?:\s{0,2}~?$")
_SINGLE = re.compile(rf"\ba single (?!{_PLACE}){_QUALIFIERS}{NOUN}", re.IGNORECASE)
_NEGATED = re.compile(r"\bnot\s{1,2}(?:exactly\s|quite\s)?$", re.IGNORECASE)
_BEFORE_CHARS = 80
_NUMBERS_WEIGHED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A number that may be the count; `size` is the size of the spots that it counts, if one is named."""

    rank: int
    start: int
    value: int | None
    size: str | None = None


_TOTAL, _ANNOUNCED = 3, 2
_RANKS = {_TOTAL: "total", _ANNOUNCED: "announced", 1: "statement"}


def read_count(text: str) -> TaskReading[int]:
    """Read a count from any text; total, and equal for equal text in every process."""
    return first_reading(
        prepared(text),
        (_from_exact_label, _from_json, _from_label, _from_bare),
        prose=_from_prose,
        nothing=lambda rule: TaskReading(value=None, rule=rule),
    )


def as_count(value: object) -> int | None:
    """Return a JSON value or a number as a count: a whole number from 0 to 10,000, else None."""
    if isinstance(value, str):
        match = _BARE.fullmatch(value.strip())
        value = None if match is None else value_of(match[1])
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _MAX_COUNT and value == int(value) else None


def _from_json(text: str) -> TaskReading[int] | None:
    fields = last_object(text, _NAMES)
    if fields is None:
        return None
    held = [fields[name] for name in _NAMES if name in fields and not isinstance(fields[name], list | dict)]
    return TaskReading(value=as_count(held[0]), rule="json") if held else None


def _from_exact_label(text: str) -> TaskReading[int] | None:
    labels = list(_EXACT.finditer(text))
    if not labels:
        return None
    end = labels[-1].end()
    return TaskReading(value=_labelled_value(text[end : end + _BEFORE_CHARS]), rule="exact label")


def _from_label(text: str) -> TaskReading[int] | None:
    reading = None
    for label in list(_LABEL.finditer(text))[-MAX_LABELS:]:
        rest = text[label.end() : label.end() + _BEFORE_CHARS].partition("\n")[0]
        match = _LABEL_VALUE.match(rest)
        if match is None:
            continue
        line = text[max(0, label.start() - _BEFORE_CHARS) : label.start()].rpartition("\n")[2]
        part = _PLACE_BEFORE.search(line) or _is_part(text, label.start(), label.end() + match.end(1))
        if not part:
            reading = TaskReading(value=_labelled_value(rest), rule="label")
    return reading


def _labelled_value(text: str) -> int | None:
    """Return the one number of a labelled value, or the result of its sum."""
    value = _END_OF_VALUE.split(text, maxsplit=1)[0].rpartition("=")[2]
    found = [entry for entry in quantities(value) if not _OTHER_THING.match(value, entry.end)]
    if not found or any(entry.hedged for entry in found) or len({entry.value for entry in found}) > 1:
        return None
    return as_count(found[0].value)


def _from_bare(text: str) -> TaskReading[int] | None:
    return None if is_refusal(text) else bare_reading(text, _bare)


def _bare(line: str) -> TaskReading[int] | None:
    match = _BARE.fullmatch(line)
    return None if match is None else TaskReading(value=_labelled_value(line[match.start(1) :]), rule="bare line")


def _from_prose(text: str) -> TaskReading[int]:
    claims = _claims(text)
    if not claims:
        value = bare_value(text, _bare)
        return TaskReading(value=value, rule="none" if value is None else "bare line")
    wholes = [claim for claim in claims if claim.rank == _TOTAL or claim.size is None]
    best = max(claim.rank for claim in wholes or claims)
    sizes = {word.lower() for word in _SIZE_WORD.findall(text)}
    parts = best < max(claim.rank for claim in claims) or (not wholes and len(sizes) > 1)
    leading = [
        Statement(value=claim.value, start=claim.start, end=claim.start)
        for claim in wholes or claims
        if claim.rank == best
    ]
    return TaskReading(value=None if parts else settled(leading, text), rule=_RANKS[best])


def _claims(text: str) -> list[_Claim]:
    """Find the claims of prose in their order."""
    found = [_Claim(rank=1, start=match.start(), value=1) for match in _SINGLE.finditer(text)]
    counted: list[_Claim] = []
    for quantity in quantities(text)[-_NUMBERS_WEIGHED:]:
        rank = _rank(text, quantity)
        if rank == 1 and counted and _is_joined(text, counted[-1], quantity):
            rank = min(counted[-1].rank, _ANNOUNCED)
        if rank:
            value = None if quantity.hedged else as_count(quantity.value)
            counted.append(_Claim(rank=rank, start=quantity.start, value=value, size=_size(text, quantity)))
    found += counted
    empty = nothing_seen(text)
    weak = [at for at in empty if "black" in text[at : at + _BEFORE_CHARS].partition(".")[0]]
    found += [_Claim(rank=_ANNOUNCED, start=at, value=0) for at in empty if not (found and at in weak)]
    return sorted(found, key=lambda claim: claim.start)


def _is_joined(text: str, last: _Claim, quantity: NumberInText) -> bool:
    """Whether the number goes on with the list that the last claim is in ("20 dots and 25 circles")."""
    between = text[last.start : quantity.start]
    return _JOINED_BEFORE.search(between) is not None and not re.search(r"[.;:\n]", between)


def _size(text: str, quantity: NumberInText) -> str | None:
    before = text[max(0, quantity.start - _BEFORE_CHARS) : quantity.start].rpartition("\n")[2]
    after = _COUNTED_AFTER.match(text, quantity.end)
    told = _SAID_BEFORE.search(before) is not None and _SIZE_WORD.search(before)
    word = (_SIZE_WORD.search(after[0]) if after else None) or told
    return word[0].lower() if word else None


def _rank(text: str, quantity: NumberInText) -> int:
    before = text[max(0, quantity.start - _BEFORE_CHARS) : quantity.start]
    counted = _COUNTED_AFTER.match(text, quantity.end) is not None
    ends = _ENDS_AFTER.match(text, quantity.end) is not None
    if _NEGATED.search(before):
        return 0
    if _TOTAL_AFTER.match(text, quantity.end) or (_TOTAL_BEFORE.search(before) and (counted or ends)):
        return _TOTAL
    if _is_part(text, quantity.start, quantity.end) or _ENTRY_BEFORE.search(before) or not (counted or ends):
        return 0
    if _ANNOUNCED_BEFORE.search(before):
        return _ANNOUNCED
    if ends and _SAID_BEFORE.search(before):
        return 1
    return 1 if counted and text[quantity.start : quantity.end].lower() != "one" else 0


def _is_part(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - _BEFORE_CHARS) : start].rpartition("\n")[2]
    return bool(_PART_BEFORE.search(before) or _ROWS_OF.search(before) or _PART_AFTER.match(text, end))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountScore:
    """A scored count; errors are None without a reading, `pct_error` (percent of the truth) also for truth 0."""

    rule: str
    prediction: int | None
    truth: int
    tolerance: int

    task: Literal["COUNT"] = "COUNT"

    @property
    def parsed(self) -> bool:
        """Whether a count was read."""
        return self.prediction is not None

    @property
    def passed(self) -> bool:
        """Whether the count is exact."""
        return self.exact_match

    @property
    def expected(self) -> int:
        """The true count."""
        return self.truth

    @property
    def exact_match(self) -> bool:
        """Whether the count is exact."""
        return self.prediction == self.truth

    @property
    def within_n(self) -> bool:
        """Whether the count is within the tolerance, inclusive."""
        return self.abs_error is not None and self.abs_error <= self.tolerance

    @property
    def abs_error(self) -> int | None:
        """|count - truth|."""
        return None if self.prediction is None else abs(self.prediction - self.truth)

    @property
    def pct_error(self) -> float | None:
        """|count - truth| / truth x 100."""
        return None if self.abs_error is None or not self.truth else 100 * self.abs_error / self.truth

    @property
    def false_positive(self) -> bool:
        """Whether spots were counted in an empty picture."""
        return self.truth == 0 and bool(self.prediction)

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        return {
            "exact_match": self.exact_match,
            "within_n": self.within_n,
            "abs_error": self.abs_error,
            "pct_error": self.pct_error,
            "false_positive": self.false_positive,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row: the count."""
        why = f"no count: {self.rule}" if self.prediction is None else f"|error| {self.abs_error}, must be exact"
        return (field_row("count", prediction=self.prediction, truth=self.truth, passed=self.passed, why=why),)


def score_count(text: str, truth: Mapping[str, object], *, tolerance: int) -> CountScore:
    """Score a reply to COUNT.

    Args:
        text: any text.
        truth: the item's truth (`count`).
        tolerance: N of "within ±N".
    """
    reading = read_count(text)
    return CountScore(
        rule=reading.rule, prediction=reading.value, truth=whole_of(truth, "count"), tolerance=tolerance
    )
