"""What the readers of all tasks share: the plain form of a reply, the order of rules, numbers, agreement.

The plain form is bounded, and equal for equal content:

* Thinking blocks are dropped (`scorers.thinking`), of the whole reply: one may begin long before its end.
* Then only the last `MAX_CHARS` characters count: models think first and answer last. Prose is read in the last
  `PROSE_CHARS`.
* Markdown emphasis, headings, code marks, quote marks and LaTeX wrappers are taken off; table bars become `:`
  unless a reader wants the columns.
* HTML tags, and tags that are closed somewhere, become a space, those that end a line or an item a line's end.
  Other angle brackets around one word or number (`<45>`) are the prompt's own and only the brackets go.
* Other scripts' digits, minus signs, micro signs and spaces become the plain ones; a unit is set apart from its
  number (`2.8um`).

The rules of a reader are tried in order (`first_reading`): the prompt's own label (`COUNT: 42`), JSON, labels in
general, a reply or a last line that is nothing but an answer, and what prose states, unless it is a refusal.
"""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

from scorers.thinking import without_thinking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "LINE_START",
    "MAX_LABELS",
    "NOUN",
    "NUMBER",
    "PROSE_CHARS",
    "NumberInText",
    "Statement",
    "TaskReading",
    "are_changes_announced",
    "bare_reading",
    "bare_value",
    "committed_value",
    "first_reading",
    "is_refusal",
    "lines_of",
    "nothing_seen",
    "prepared",
    "quantities",
    "settled",
    "value_of",
]

R = TypeVar("R")
T = TypeVar("T")

MAX_CHARS = 24_000

MAX_LABELS = 50
"""Of labels such as "Answer:" the last so many are looked at."""

PROSE_CHARS = 2_500
"""Prose is read in the last so many characters only: a statement is at the end."""

LINE_START = r"(?:^(?:[ :>•-]|[0-9]{1,2}[.)][ ]){0,8}|(?<=[.!?][ ]))"
"""In front of a label that begins a line or a sentence: list marks and table bars."""

_PLAIN = str.maketrans(
    {
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
        "\u00b5": "µ", "\u03bc": "µ", "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-",
        "\u2014": " - ", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ",
        "\u202f": "\u2009", "\u2026": " \u2026 ", "\u2039": "<", "\u203a": ">", "\u200b": None, "\ufeff": None,
        "\uff0c": ",", "\uff1a": ":", "\uff08": "(", "\uff09": ")", "\r": "\n", "\t": " ",
    }
)  # fmt: skip
_MARKS = re.compile(
    r"\*+|`+|(?<!\w)_+|_+(?!\w)|^[ ]{0,3}\#{1,6}[ ]|^[ ]{0,3}>[ ]?|\$+|\\[()\[\]]",
    re.MULTILINE,
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_]{0,30})[ ]?(/?)>")
_HTML = frozenset({
    "b", "br", "center", "code", "dd", "div", "dl", "dt", "em", "font", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "i", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th",
    "thead", "tr", "u", "ul",
})  # fmt: skip
_LINE_ENDS = frozenset({"br", "hr", "/br", "/p", "/li", "/tr", "/div", "/point", "/spot", "/dot", "/circle"})
_TEMPLATE = re.compile(
    r"<[ ]?([A-Za-z]{1,20}|~?[0-9]{1,9}(?:[.,][0-9]{1,9})?(?:[ ]?(?:µm|um|px|spots?|dots?))?)[ ]?>", re.IGNORECASE
)
_GLUED_UNIT = re.compile(r"(?<=[0-9])(?=(?:µm|um|nm|mm|px|pixels?)(?![A-Za-z]))", re.IGNORECASE)
_CORRECTION = re.compile(
    r"\b(?:actually|wait|correction|correct(?:ed|ing)|sorry|revised?|instead|recount(?:ed|ing)?|re-?check(?:ed|ing)?|"
    r"on second thought|on closer|let me re\w*|however|so|therefore|thus|hence|final(?:ly)?|conclusion|overall|"
    r"i\.e|corresponds?|gives?|equals?)\b|=>",
    re.IGNORECASE,
)
_LATEX = re.compile(r"\\(?:boxed|text|mathrm|mathbf|textbf|mathit)\s{0,3}\{([^{}]{0,80})\}")
_LATEX_MICRO = re.compile(r"\\(?:mu|micro)(?![A-Za-z])\s?")
_LATEX_SPACE = re.compile(r"\\[,;!: ]|\\q?quad")
_RULE_ROW = re.compile(r"^[ |:+-]{3,}$", re.MULTILINE)
_REFUSAL = re.compile(
    r"(?:can ?not|can't|could not|couldn't|unable to|not able to|don't have the ability to)\s+"
    r"(?:\w+\s+){0,3}?(?:see|view|access|open|process|analy[sz]e|display|load|interpret|inspect|perceive|examine)\s+"
    r"(?:\w+\s+){0,3}?(?:images?|pictures?|attachments?|photos?|files?|visuals?)\b"
    r"|(?:don't|do not|can't|cannot)\s+(?:see|have)\s+(?:an?|any|the)\s+(?:\w+\s+)?"
    r"(?:image|picture|attachment|photo|file)\b(?!\s+of)"
    r"|no\s+(?:image|picture|attachment|file)\s+(?:was|is|has been|seems|appears)?"
    r"|please\s+(?:provide|upload|attach|share|send)\b"
    r"|(?:can ?not|can't|unable to|not able to|won't)\s+"
    r"(?:help|assist|comply|provide|answer|determine|tell|do that)\b"
    r"|as an? (?:text|language|AI)[- ]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReading(Generic[T]):
    """The value that was read, None when there is none, and the rule."""

    value: T | None
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement(Generic[T]):
    """A value that the text states, and where."""

    value: T
    start: int
    end: int


def prepared(text: str, *, keep_bars: bool = False) -> str:
    """Return the reply in the plain form; linear in its length."""
    seen = without_thinking(text)[-MAX_CHARS:].replace("\r\n", "\n").translate(_PLAIN).replace("...", " \u2026 ")
    seen = _LATEX_MICRO.sub("µ", _LATEX_SPACE.sub(" ", seen))
    seen = _LATEX.sub(r"\1", _LATEX.sub(r"\1", seen))
    seen = _GLUED_UNIT.sub(" ", _without_tags(_MARKS.sub("", seen)))
    if not keep_bars:
        seen = _RULE_ROW.sub("", seen).replace("|", " : ")
    return seen.strip()


def _without_tags(text: str) -> str:
    known = {*_HTML, *(tag[2].lower() for tag in _TAG.finditer(text) if tag[1])}

    def plain(tag: re.Match[str]) -> str:
        name = tag[2].lower()
        if name not in known:
            return tag[0]
        return "\n" if f"{tag[1]}{name}" in _LINE_ENDS else " "

    return _TEMPLATE.sub(r" \1 ", _TAG.sub(plain, text))


def is_refusal(text: str) -> bool:
    """Whether a prepared text says that the picture cannot be seen or the question not answered."""
    return _REFUSAL.search(text) is not None


def lines_of(text: str) -> list[str]:
    """Return a prepared text's lines that hold something, without outer spaces."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def first_reading(
    text: str,
    rules: Sequence[Callable[[str], R | None]],
    *,
    prose: Callable[[str], R],
    nothing: Callable[[str], R],
) -> R:
    """Return what the first rule reads that fires, or else what prose states; total for any text.

    Args:
        text: the reply in the plain form.
        rules: each gets the text, and returns None when it does not fire.
        prose: gets the text's end, unless it is a refusal.
        nothing: makes the reading without an answer, of the rule `refusal` or `empty`.
    """
    if not text:
        return nothing("empty")
    for rule in rules:
        reading = rule(text)
        if reading is not None:
            return reading
    end = text[-PROSE_CHARS:]
    return nothing("refusal") if is_refusal(end) else prose(end)


def bare_reading(text: str, read: Callable[[str], TaskReading[T] | None]) -> TaskReading[T] | None:
    """Read a reply that is nothing but an answer, or the last line of one; all lines that are must agree."""
    whole = read(text)
    if whole is not None:
        return TaskReading(value=whole.value, rule="bare")
    if read(lines_of(text)[-1]) is None:
        return None
    return TaskReading(value=bare_value(text[-PROSE_CHARS:], read), rule="bare last line")


def bare_value(text: str, read: Callable[[str], TaskReading[T] | None]) -> T | None:
    """Return what all lines say that are nothing but an answer; None where they differ, or there is none."""
    values = {reading.value for line in dict.fromkeys(lines_of(text)) if (reading := read(line))}
    return values.pop() if len(values) == 1 else None


def settled(found: Sequence[Statement[T]], text: str) -> T | None:
    """Return the value that all statements have, or the last if each change of mind is announced; None of none."""
    return found[-1].value if found and are_changes_announced(found, text, operator.eq) else None


def are_changes_announced(found: Sequence[Statement[T]], text: str, is_same: Callable[[T, T], bool]) -> bool:
    """Whether a word such as "actually" or "so" stands between any two neighbours that differ."""
    return all(
        is_same(left.value, right.value) or _CORRECTION.search(text[left.end : right.start])
        for left, right in pairwise(found)
    )


_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    name: 20 + 10 * place
    for place, name in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"))
}
_WORDS = {name: value for value, name in enumerate(_UNITS)} | _TENS | {"fourty": 40, "none": 0}
_WORD = "|".join(sorted([*_WORDS, "hundred"], key=len, reverse=True))
_WORDED = rf"(?:a[ ]hundred|(?:{_WORD}))(?:(?:[ -]|[ ]and[ ])(?:{_WORD})){{0,4}}"
_DIGITS = r"[0-9]{1,3}(?:[,'\u2009][0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+"
_EXPONENT = r"(?:[eE][+-]?[0-9]{1,3})?"

NUMBER = (
    rf"(?:(?<![\w.])[+-]?(?:{_DIGITS}){_EXPONENT}(?![0-9A-Za-z_½¼¾]|\.[0-9])|(?<![\w-])(?:{_WORDED})(?![\w-]))"
)
"""A number as digits or words, never a part of one; a sign counts only in front of digits."""

_NUMBER = re.compile(NUMBER, re.IGNORECASE)
_UNIT = r"(?:\s?(?:µm|um|nm|mm|px|pixels?|microns?|micromet(?:er|re)s?|spots?|dots?|circles?))?"
_RANGE = re.compile(
    rf"(?:{NUMBER}){_UNIT},?\s{{0,3}}(?:-|to|or|up to|through|~|/|…)\s{{0,3}}~?(?:{NUMBER})(?!\s{{0,2}}=)"
    rf"|between\s+(?:about\s+|around\s+)?(?:{NUMBER}){_UNIT}\s+and\s+(?:{NUMBER})",
    re.IGNORECASE,
)
_BOUND_BEFORE = re.compile(
    r"(?:at least|at most|more than|less than|fewer than|greater than|over|under|up to|no more than|not more than|"
    r"minimum of|maximum of|upwards of|in excess of|(?<![=-])[<>≥≤])\s{0,3}$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(r"\s{0,2}(?:\+(?!\s{0,2}[0-9])|or (?:more|fewer|less)\b|plus\b)", re.IGNORECASE)
_BEFORE_CHARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberInText:
    """A number in a text: its value and where it stands; `hedged` if it is part of a range or a mere bound."""

    value: float
    start: int
    end: int
    hedged: bool


def value_of(literal: str) -> float | None:
    """Read digits (thousands separators allowed) or words; None for what is neither or beyond all use."""
    plain = re.sub(r"[,'\u2009]", "", literal)
    if re.fullmatch(rf"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+){_EXPONENT}", plain):
        return float(plain)
    words = re.findall(r"[a-z]+", literal.lower())
    return _spoken(words) if words and all(word in {*_WORDS, "a", "hundred", "and"} for word in words) else None


def _spoken(words: list[str]) -> float:
    total = 0
    for word in words:
        if word == "hundred":
            total = max(total, 1) * 100
        else:
            total += _WORDS.get(word, 0)
    return float(total)


def quantities(text: str) -> list[NumberInText]:
    """Find the numbers of a text in their order."""
    ranges = [match.span() for match in _RANGE.finditer(text)]
    found: list[NumberInText] = []
    place = 0
    for match in _NUMBER.finditer(text):
        while place < len(ranges) and ranges[place][1] < match.end():
            place += 1
        in_range = place < len(ranges) and ranges[place][0] <= match.start()
        hedged = in_range or _is_hedged(text, match.start(), match.end())
        value = value_of(match[0])
        number = math.nan if value is None else value
        found.append(NumberInText(value=number, start=match.start(), end=match.end(), hedged=hedged))
    return found


def _is_hedged(text: str, start: int, end: int) -> bool:
    """Whether the number at that place is only a bound ("at least 40", "100+")."""
    before = text[max(0, start - _BEFORE_CHARS) : start]
    return bool(_BOUND_BEFORE.search(before) or _BOUND_AFTER.match(text, end))


def committed_value(text: str) -> float | None:
    """Return the first number of a text, or None when there is none or it is hedged."""
    found = quantities(text)
    return None if not found or found[0].hedged else found[0].value


NOUN = r"(?:spots?|circles?|dots?|points?|dis[ck]s?|blobs?|particles?|objects?|shapes?)\b"
"""What the prompts' spots are called, as a regular expression."""

_KIND = r"(?:(?:visible|circular|white|round|distinct|discernible|detectable|such|bright|clear|of the)\s){0,3}"
_END = (
    r"(?:\s(?:that\s)?(?:are|is|were|can be))?(?:\s(?:clearly|currently))?"
    r"(?:\s(?:visible|present|seen|detected|found|here|there|at all|whatsoever|anywhere))*"
    r"(?:\s(?:in|on|within)\s(?:the|this)\s(?:\w+\s)?(?:image|picture|canvas|frame|field of view|photo))?"
    r"(?:\s(?:at all|whatsoever))?\s{0,2}(?=[.,;!)\"'\n]|$|\band\b|\bso\b)"
)
_NOTHING = re.compile(
    rf"\b(?<!not )(?:no|zero)\s{_KIND}{NOUN}{_END}"
    rf"|(?:don't|do not|can't|can ?not|couldn't|could not|didn't|did not)\s(?:\w+\s)?"
    rf"(?:see|find|detect|observe|spot|identify)"
    rf"\sany\s{_KIND}{NOUN}{_END}"
    rf"|\bthere (?:are|is)(?: not|n't) any\s{_KIND}{NOUN}{_END}"
    r"|(?<!rest of the )(?<!rest of )\b(?:image|picture|canvas|frame|field|it|this)\s(?:is|appears|seems|"
    r"looks)(?:\sto be)?"
    r"(?:\s(?:completely|entirely|totally|fully|just|all))?\s(?:empty|blank|black)"
    r"(?=\s{0,2}(?:[.;!)\n]|$|,(?!\s(?:except|apart|but|save|besides|with|other))))"
    r"|\b(?:an?|the)\s(?:completely\s|entirely\s)?(?:empty|blank)\s(?:image|picture|canvas)\b(?!,?\s(?:except|apart|but|save|with))",
    re.IGNORECASE,
)
_ONLY_WORD = re.compile(r"(?:none|nothing|empty|zero|0|\[\s*\]|no)[.!]?", re.IGNORECASE)


def nothing_seen(text: str) -> list[int]:
    """Return where a prepared text says so; a denial about a part ("no spots in row 3") does not count.

    The text "none", "empty", "[]" or "0" alone says so too.
    """
    if _ONLY_WORD.fullmatch(text):
        return [0]
    return [match.start() for match in _NOTHING.finditer(text)]
