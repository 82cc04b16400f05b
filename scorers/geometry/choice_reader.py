"""Reading one word out of few: mentions of labels in prose, negation, either-or lists.

Tried in this order; the rule that fired is recorded:

1. `exact label`: the prompt's own label in capitals at the start of a line, `PATTERN: HEXAGONAL` (the last one).
   It decides alone: what it leaves open ("REGULARITY: unclear") stays open.
2. `json`: a field of the task's name or `answer` (the last object that has one).
3. `label`: `Pattern = hexagonal`, `The answer is hexagonal` (the last one that names a label).
4. `bare`: a line that is nothing but a label.
5. `statement`, unless the reply is a refusal: what prose asserts.

Behind a label the first label named is the answer; what follows justifies it. Elsewhere different labels that are
all asserted are no answer, unless a word such as "actually", "so" stands between them: then the last is.

A mention is denied by not, no, none, nor, neither, never, without, than, rather than, instead of, unlike, up to
four words before it in the same clause ("not random but hexagonal" is hexagonal), and by "no" or a cross behind it
("Random: No"). Where "yes" or a tick stands behind labels only these count. Labels joined by "or" are a list
of what might be, or the question's own words, and say nothing; after a denial all of them are denied.
Questions and what could, would, might or may be are no statements, nor is the form (`PATTERN: <RANDOM or ...>`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

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
    from collections.abc import Mapping, Sequence

__all__ = ["ChoiceReading", "Vocabulary", "read_choice"]

_NEGATOR = re.compile(
    r"(?:\bnot\b(?!\s(?:only|just)\b)|n't\b|\bno\b(?!\sdoubt)|\bnone\b|\bnor\b|\bneither\b|\bnever\b|"
    r"\bwithout\b(?!\s(?:a\s)?doubt)|\bthan\b|\binstead of\b|\bas opposed to\b|\bunlike\b|\bnon-?)"
    r"(?:\s*\b(?!but\b)[\w'-]+\b){0,4}\s*$",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;.:!?()\n]|\bbut\b")
_JOIN = re.compile(
    r"[\s\"',/()]*(?:\b(?:and/)?or\b)?[\s\"',/()]*(?:\b(?:in\s)?an?\b|\bthe\b|\beither\b)?\s*", re.IGNORECASE
)
_OR = re.compile(r"\bor\b|/", re.IGNORECASE)
_ASIDE = re.compile(r"\((\w{1,20})\)")
_TICK = re.compile(r"[\s:=?-]{1,6}(?:(yes|true|✓|✔|✅|☑)|(?:no|false|✗|✘|❌|✕)(?![\w-]))", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?](?!\d)|\n")
_SUPPOSED = re.compile(
    r"\b(?:would|could|might|may|whether|if|perhaps|maybe|unsure|not sure|unclear|in contrast to|"
    r"compared (?:to|with))\b",
    re.IGNORECASE,
)
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
        names: what the answer is called, in JSON fields and in front of a colon; the first is the prompt's label.
        bare: words that are a label only when they stand alone.
        opposite: label -> the label that a denial of it means, for choices of two.
        remark: mentions that count only where there is no other, as a regular expression that begins there.
    """

    def __init__(
        self,
        words: Mapping[str, str],
        *,
        names: Sequence[str],
        bare: Mapping[str, str] | None = None,
        opposite: Mapping[str, str] | None = None,
        remark: str = r"(?!)",
    ) -> None:
        groups = "|".join(f"(?P<{label}>{pattern})" for label, pattern in words.items())
        self.mention = re.compile(rf"\b(?:{groups})", re.IGNORECASE)
        self.names = names
        self.bare = {**(bare or {})}
        self.opposite = opposite or {}
        self.remark = re.compile(remark, re.IGNORECASE)
        self.exact = re.compile(rf"{LINE_START}{names[0].upper()}[ ]{{0,3}}(?:[:=]|->|[ ]-[ ]|[ ])", re.MULTILINE)
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
    remark: bool
    ticked: bool


def read_choice(text: str, vocabulary: Vocabulary) -> ChoiceReading:
    """Read a label from any text; total, and equal for equal text in every process."""
    seen = _ASIDE.sub(r"\1", prepared(text))
    if not seen:
        return ChoiceReading(value=None, rule="empty")
    return (
        _labelled(seen, vocabulary, vocabulary.exact, "exact label")
        or _from_json(seen, vocabulary)
        or _labelled(seen, vocabulary, vocabulary.title, "label")
        or _bare_lines(seen, vocabulary)
        or _stated(seen[-PROSE_CHARS:], vocabulary)
    )


def _from_json(text: str, vocabulary: Vocabulary) -> ChoiceReading | None:
    fields = last_object(text, vocabulary.names)
    if fields is None:
        return None
    held = next(fields[name] for name in vocabulary.names if name in fields)
    return ChoiceReading(value=_first(str(held), vocabulary), rule="json")


def _labelled(text: str, vocabulary: Vocabulary, title: re.Pattern[str], rule: str) -> ChoiceReading | None:
    """Return what stands behind the last label; a loose label that names nothing is passed over."""
    reading = None
    for label in list(title.finditer(text))[-MAX_LABELS:]:
        rest = text[label.end() : label.end() + _SCOPE_CHARS].lstrip().partition("\n")[0].strip(": ")
        first = re.split(r"[.;]", rest, maxsplit=1)[0]
        named = vocabulary.mention.search(first) or first.strip(" !\"'").lower() in vocabulary.bare
        if rest and not rest.startswith("<") and (named or rule == "exact label"):
            reading = ChoiceReading(value=_first(rest, vocabulary) if named else None, rule=rule)
    return reading


def _first(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the label that a labelled value names first."""
    plain = text.strip(" .!\"'[]()<>-:").lower()
    if plain in vocabulary.bare:
        return vocabulary.bare[plain]
    for group in _groups(_mentions(text, vocabulary), text):
        values = {_meaning(mention, vocabulary) for mention in _asserted(group, text)} - {None}
        if not values and any(mention.denied for mention in group):
            continue
        return values.pop() if len(values) == 1 else None
    return None


def _meaning(mention: _Mention, vocabulary: Vocabulary) -> str | None:
    return vocabulary.opposite.get(mention.label) if mention.denied else mention.label


def _bare_lines(text: str, vocabulary: Vocabulary) -> ChoiceReading | None:
    lines = []
    at = 0
    for line in lines_of(text):
        at = text.index(line, at)
        plain = line.strip(" .!\"'[]()-:").lower()
        match = vocabulary.mention.fullmatch(plain)
        label = vocabulary.bare.get(plain) or (match.lastgroup if match else None)
        if label:
            lines.append((label, at, at + len(line)))
        at += len(line)
    return ChoiceReading(value=_settled(lines, text), rule="bare") if lines else None


def _stated(text: str, vocabulary: Vocabulary) -> ChoiceReading:
    if is_refusal(text):
        return ChoiceReading(value=None, rule="refusal")
    groups = _groups(_mentions(text, vocabulary), text)
    kept = [mention for group in groups for mention in _asserted(group, text)]
    kept = [mention for mention in kept if not _is_supposed(text, mention)]
    ticked = [mention for mention in kept if mention.ticked]
    plain = [mention for mention in kept if not mention.remark or mention.denied]
    found = [
        (label, mention.start, mention.end)
        for mention in ticked or plain or kept
        if (label := _meaning(mention, vocabulary))
    ]
    value = _settled(found, text)
    return ChoiceReading(value=value, rule="statement" if found else "none")


def _settled(found: Sequence[tuple[str, int, int]], text: str) -> str | None:
    """Return the one label that all name, or the last if each change of mind is announced."""
    if not found:
        return None
    changes = [(left, right) for left, right in pairwise(found) if left[0] != right[0]]
    return found[-1][0] if all(is_corrected(text[left[2] : right[1]]) for left, right in changes) else None


def _is_supposed(text: str, mention: _Mention) -> bool:
    """Whether the mention stands in a question, or in a sentence about what might be."""
    before = _SENTENCE_END.split(text[max(0, mention.start - _SCOPE_CHARS) : mention.start])[-1]
    end = _SENTENCE_END.search(text, mention.end, mention.end + _SCOPE_CHARS)
    after = text[mention.end : end.start() if end else mention.end + _SCOPE_CHARS]
    asked = end is not None and end[0] == "?" and not _TICK.match(text, mention.end)
    return asked or _SUPPOSED.search(f"{before} {after}") is not None


def _mentions(text: str, vocabulary: Vocabulary) -> list[_Mention]:
    found: list[_Mention] = []
    for match in vocabulary.mention.finditer(text):
        last = found[-1].end if found else 0
        clause = _CLAUSE_END.split(text[max(last, match.start() - _SCOPE_CHARS) : match.start()])[-1]
        tick = _TICK.match(text, match.end())
        inherited = bool(found) and found[-1].denied and not text[last : match.start()].strip()
        found.append(
            _Mention(
                label=str(match.lastgroup),
                start=match.start(),
                end=match.end(),
                denied=inherited or _NEGATOR.search(clause) is not None or (tick is not None and not tick[1]),
                remark=vocabulary.remark.match(text, match.start()) is not None,
                ticked=tick is not None and tick[1] is not None,
            )
        )
    return found


def _groups(mentions: Sequence[_Mention], text: str) -> list[list[_Mention]]:
    """Put mentions together that are joined by nothing but commas, slashes, "and", "or"."""
    groups: list[list[_Mention]] = []
    for mention in mentions:
        between = text[groups[-1][-1].end : mention.start] if groups else "("
        if "(" not in between and _JOIN.fullmatch(between):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


def _asserted(group: list[_Mention], text: str) -> list[_Mention]:
    """Leave out a list of different labels that are joined by "or"."""
    joined = any(_OR.search(text, left.end, right.start) for left, right in pairwise(group))
    if joined and group[0].denied:
        return [replace(mention, denied=True) for mention in group]
    several = len({mention.label for mention in group}) > 1
    return [] if joined and several and not any(mention.denied for mention in group) else group
