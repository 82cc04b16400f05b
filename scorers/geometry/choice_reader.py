"""Reading one word out of few: mentions of labels in prose, negation, either-or lists.

Tried in this order; the rule that fired is recorded:

1. `json`: a field of the task's name or `answer` (the last object that has one).
2. `label`: `PATTERN: HEXAGONAL`, `The answer is hexagonal` (the last one that names a label).
3. `bare`: a line that is nothing but a label (the last such line).
4. `statement`, unless the reply is a refusal: the last mention in prose that is not denied.

A mention is denied by not, no, nor, neither, never, without, rather than, instead of, unlike, up to four words
before it in the same clause ("not random but hexagonal" is hexagonal). Labels joined by "or" are a list of what
might be, or the question's own words, and say nothing; after a denial all of them are denied.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from scorers.geometry.reply_text import MAX_LABELS, PROSE_CHARS, is_refusal, lines_of, prepared
from scorers.geometry.structured import last_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["ChoiceReading", "Vocabulary", "read_choice"]

_NEGATOR = re.compile(
    r"(?:\bnot\b(?!\s(?:only|just)\b)|n't\b|\bno\b(?!\sdoubt)|\bnor\b|\bneither\b|\bnever\b|\bwithout\b(?!\s(?:a\s)?doubt)|"
    r"\brather than\b|\binstead of\b|\bas opposed to\b|\bunlike\b|\bnon-?)"
    r"(?:\s*\b(?!but\b)[\w'-]+\b){0,4}\s*$",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;.:!?()\n]|\bbut\b")
_JOIN = re.compile(
    r"[\s\"',/()]*(?:\b(?:and/)?or\b)?[\s\"',/()]*(?:\b(?:in\s)?an?\b|\bthe\b|\beither\b)?\s*", re.IGNORECASE
)
_OR = re.compile(r"\bor\b|/", re.IGNORECASE)
_ASIDE = re.compile(r"\((\w{1,20})\)")
_SCOPE_CHARS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceReading:
    """The label that was read, None when there is none, and the rule."""

    value: str | None
    rule: str


class Vocabulary:
    """The words for each label.

    Args:
        words: label -> regular expression; where two match at one place the earlier label wins.
        names: what the answer is called, in JSON fields and in front of a colon.
        opposite: label -> the label that a denial of it means, for choices of two.
    """

    def __init__(
        self,
        words: Mapping[str, str],
        *,
        names: Sequence[str],
        bare: Mapping[str, str] | None = None,
        opposite: Mapping[str, str] | None = None,
    ) -> None:
        groups = "|".join(f"(?P<{label}>{pattern})" for label, pattern in words.items())
        self.mention = re.compile(rf"\b(?:{groups})", re.IGNORECASE)
        self.names = names
        self.bare = {**(bare or {})}
        self.opposite = opposite or {}
        titles = "|".join(name.replace("_", "[ _]") for name in names)
        self.title = re.compile(
            rf"\b(?:{titles})(?:\s(?:type|of (?:the )?\w+))?\s*(?:[:=]|\bis\b(?!\sthe\b)|->|(?-i:(?<=[A-Z])[ ]))+",
            re.IGNORECASE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mention:
    label: str
    start: int
    end: int
    denied: bool


def read_choice(text: str, vocabulary: Vocabulary) -> ChoiceReading:
    """Read a label from any text; total, and equal for equal text in every process."""
    seen = _ASIDE.sub(r"\1", prepared(text))
    if not seen:
        return ChoiceReading(value=None, rule="empty")
    fields = last_object(seen, vocabulary.names)
    if fields is not None:
        held = next(fields[name] for name in vocabulary.names if name in fields)
        return ChoiceReading(value=_choice(str(held), vocabulary), rule="json")
    return _labelled(seen, vocabulary) or _bare_line(seen, vocabulary) or _stated(seen[-PROSE_CHARS:], vocabulary)


def _labelled(text: str, vocabulary: Vocabulary) -> ChoiceReading | None:
    value = None
    for title in list(vocabulary.title.finditer(text))[-MAX_LABELS:]:
        rest = text[title.end() : title.end() + _SCOPE_CHARS].lstrip().partition("\n")[0]
        value = _choice(re.split(r"[.;]", rest, maxsplit=1)[0], vocabulary) or value
    return None if value is None else ChoiceReading(value=value, rule="label")


def _bare_line(text: str, vocabulary: Vocabulary) -> ChoiceReading | None:
    value = None
    for line in lines_of(text):
        plain = line.strip(" .!\"'[]()-:").lower()
        match = vocabulary.mention.fullmatch(plain)
        value = vocabulary.bare.get(plain) or (match.lastgroup if match else None) or value
    return None if value is None else ChoiceReading(value=value, rule="bare")


def _stated(text: str, vocabulary: Vocabulary) -> ChoiceReading:
    if is_refusal(text):
        return ChoiceReading(value=None, rule="refusal")
    value = _choice(text, vocabulary)
    return ChoiceReading(value=value, rule="none" if value is None else "statement")


def _choice(text: str, vocabulary: Vocabulary) -> str | None:
    plain = text.strip(" .!\"'[]()<>-:").lower()
    if plain in vocabulary.bare:
        return vocabulary.bare[plain]
    value = None
    for mention in _asserted(_mentions(text, vocabulary), text):
        if not mention.denied:
            value = mention.label
        elif mention.label in vocabulary.opposite:
            value = vocabulary.opposite[mention.label]
    return value


def _mentions(text: str, vocabulary: Vocabulary) -> list[_Mention]:
    found: list[_Mention] = []
    for match in vocabulary.mention.finditer(text):
        low = max(found[-1].end if found else 0, match.start() - _SCOPE_CHARS)
        clause = _CLAUSE_END.split(text[low : match.start()])[-1]
        found.append(
            _Mention(
                label=str(match.lastgroup),
                start=match.start(),
                end=match.end(),
                denied=_NEGATOR.search(clause) is not None,
            )
        )
    return found


def _asserted(mentions: Sequence[_Mention], text: str) -> list[_Mention]:
    """Leave out lists of different labels that are joined by "or"."""
    kept: list[_Mention] = []
    group: list[_Mention] = []
    for mention in mentions:
        if group and not _JOIN.fullmatch(text, group[-1].end, mention.start):
            kept += _unless_alternative(group, text)
            group = []
        group.append(mention)
    return kept + _unless_alternative(group, text)


def _unless_alternative(group: list[_Mention], text: str) -> list[_Mention]:
    if not group:
        return []
    joined = any(_OR.search(text, left.end, right.start) for left, right in pairwise(group))
    if joined and group[0].denied:
        return [replace(mention, denied=True) for mention in group]
    several = len({mention.label for mention in group}) > 1
    return [] if joined and several and not any(mention.denied for mention in group) else group
