"""PATTERN and REGULARITY: reading one word out of few; the label is right or wrong.

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

Words of PATTERN that count as
HEXAGONAL: hexagonal, hexagon, hex, honeycomb, triangular lattice, close-packed;
GRID: regular grid, rectangular, square lattice, grid;
RANDOM: random, scattered, irregular, disordered, no (clear) pattern, but not "random displacements" of
something else, nor "a few random spots";
EMPTY: empty or blank picture, no spots; SINGLE: only one spot, a single spot, but not "every single spot",
"only one spot missing".

REGULARITY has two labels only, REGULAR and PERTURBED, so that denying one states the other ("not exactly on the
sites" is PERTURBED). A regular thing that spots are displaced from ("displaced from the exact sites") is not a
statement of regularity, and a "regular grid" is one only where nothing else is said. "Regularity" by itself says
nothing.
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
    Statement,
    TaskReading,
    first_reading,
    lines_of,
    prepared,
    settled,
)
from scorers.geometry.tasks import text_of
from scorers.json_extraction import last_object
from scorers.score import field_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.geometry.tasks import Metrics
    from scorers.score import FieldScore

__all__ = [
    "PATTERNS",
    "REGULARITIES",
    "ChoiceScore",
    "read_pattern",
    "read_regularity",
    "score_pattern",
    "score_regularity",
]

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


class _Vocabulary:
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


def _read_choice(text: str, vocabulary: _Vocabulary) -> TaskReading[str]:
    """Read a label from any text; total, and equal for equal text in every process."""
    return first_reading(
        _ASIDE.sub(r"\1", prepared(text)),
        (
            partial(_labelled, vocabulary=vocabulary, title=vocabulary.exact, rule="exact label"),
            partial(_from_json, vocabulary=vocabulary),
            partial(_labelled, vocabulary=vocabulary, title=vocabulary.title, rule="label"),
            partial(_bare_lines, vocabulary=vocabulary),
        ),
        prose=partial(_stated, vocabulary=vocabulary),
        nothing=lambda rule: TaskReading(value=None, rule=rule),
    )


def _from_json(text: str, vocabulary: _Vocabulary) -> TaskReading[str] | None:
    fields = last_object(text, vocabulary.names)
    if fields is None:
        return None
    held = next(fields[name] for name in vocabulary.names if name in fields)
    return TaskReading(value=_first(str(held), vocabulary), rule="json")


def _labelled(text: str, vocabulary: _Vocabulary, title: re.Pattern[str], rule: str) -> TaskReading[str] | None:
    """Return what stands behind the last label; a loose label that names nothing is passed over."""
    reading = None
    for label in list(title.finditer(text))[-MAX_LABELS:]:
        rest = text[label.end() : label.end() + _SCOPE_CHARS].lstrip().partition("\n")[0].strip(": ")
        first = re.split(r"[.;]", rest, maxsplit=1)[0]
        named = vocabulary.mention.search(first) or first.strip(" !\"'").lower() in vocabulary.bare
        if rest and not rest.startswith("<") and (named or rule == "exact label"):
            reading = TaskReading(value=_first(rest, vocabulary) if named else None, rule=rule)
    return reading


def _first(text: str, vocabulary: _Vocabulary) -> str | None:
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


def _meaning(mention: _Mention, vocabulary: _Vocabulary) -> str | None:
    return vocabulary.opposite.get(mention.label) if mention.denied else mention.label


def _bare_lines(text: str, vocabulary: _Vocabulary) -> TaskReading[str] | None:
    lines = []
    at = 0
    for line in lines_of(text):
        at = text.index(line, at)
        plain = line.strip(" .!\"'[]()-:").lower()
        match = vocabulary.mention.fullmatch(plain)
        label = vocabulary.bare.get(plain) or (match.lastgroup if match else None)
        if label:
            lines.append(Statement(value=label, start=at, end=at + len(line)))
        at += len(line)
    return TaskReading(value=settled(lines, text), rule="bare") if lines else None


def _stated(text: str, vocabulary: _Vocabulary) -> TaskReading[str]:
    groups = _groups(_mentions(text, vocabulary), text)
    kept = [mention for group in groups for mention in _asserted(group, text)]
    kept = [mention for mention in kept if not _is_supposed(text, mention)]
    ticked = [mention for mention in kept if mention.ticked]
    plain = [mention for mention in kept if not mention.remark or mention.denied]
    found = [
        Statement(value=label, start=mention.start, end=mention.end)
        for mention in ticked or plain or kept
        if (label := _meaning(mention, vocabulary))
    ]
    return TaskReading(value=settled(found, text), rule="statement" if found else "none")


def _is_supposed(text: str, mention: _Mention) -> bool:
    """Whether the mention stands in a question, or in a sentence about what might be."""
    before = _SENTENCE_END.split(text[max(0, mention.start - _SCOPE_CHARS) : mention.start])[-1]
    end = _SENTENCE_END.search(text, mention.end, mention.end + _SCOPE_CHARS)
    after = text[mention.end : end.start() if end else mention.end + _SCOPE_CHARS]
    asked = end is not None and end[0] == "?" and not _TICK.match(text, mention.end)
    return asked or _SUPPOSED.search(f"{before} {after}") is not None


def _mentions(text: str, vocabulary: _Vocabulary) -> list[_Mention]:
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


PATTERNS = ("RANDOM", "HEXAGONAL", "GRID", "EMPTY", "SINGLE")

_KIND = r"(?:grid|lattice|array|pattern|packing|arrangement|structure|tiling|layout|order(?:ing)?)s?"
_SPOT = r"(?:spots?|dots?|circles?|points?)"
_OF_SOMETHING = (
    r"(?![\s-]+(?:small\s|slight\s)?(?:displace|perturb|shift|jitter|offset|noise|missing|extra|removed|defect|variation|"
    r"deviation|gap|vacanc|additional|spacing))"
)
_MISSING = r"(?!\s(?:is\s|was\s)?(?:missing|absent|displaced|shifted|off|removed|added|extra))"
_PATTERN_WORDS = _Vocabulary(
    {
        "HEXAGONAL": (
            r"(?:regular(?:ly)?[\s-]+(?:grid\s)?)?(?:hexagonal(?:ly)?|hexagons?|hex|honeycomb(?:ed)?|close[\s-]packed|"
            rf"triangular(?=[\s-]+{_KIND}\b))(?:[\s-]+(?:close[\s-]+)?(?:packed|{_KIND}))?\b"
        ),
        "GRID": (
            rf"(?:(?:regular|rectangular|square|orthogonal|cartesian|rectilinear)[\s-]+){{1,2}}(?:grid|lattice)s?\b|"
            rf"(?:rectangular|square|orthogonal|rectilinear)[\s-]+{_KIND}\b|rectangular\b|grid\b"
        ),
        "RANDOM": (
            rf"(?<!few )(?<!some )(?<!several )(?<!slight )(?<!minor )(?<!small )(?<!occasional )(?<!additional )"
            rf"random(?:ly|ness)?\b{_OF_SOMETHING}|scattered\b|irregular(?:ly)?\b{_OF_SOMETHING}|disordered\b|unordered\b|"
            r"unstructured\b|haphazard(?:ly)?\b|no[ ](?:(?:clear|discernible|obvious|apparent|particular|"
            r"regular|visible|"
            rf"real|fixed|specific|recogni[sz]able|consistent|underlying)[ ])*{_KIND}\b"
        ),
        "EMPTY": (
            r"(?:image|picture|canvas|field|it)\s(?:is|appears|seems|looks)(?:\sto\sbe)?(?:\s(?:completely|entirely|totally))?"
            rf"\s(?:empty|blank)\b|no\s(?:visible\s|circular\s)?{_SPOT}(?=\s*(?:[.,;!]|$|(?:are\s)?(?:visible|present)|in\sthe))"
        ),
        "SINGLE": (
            rf"(?:only|just|exactly)\s(?:one|1|a\ssingle)\s(?:\w+\s)?{_SPOT}\b{_MISSING}|"
            rf"(?<!every )(?<!each )single\s{_SPOT}\b{_MISSING}"
        ),
    },
    names=("pattern", "arrangement", "classification", "final_answer", "answer"),
    bare={"empty": "EMPTY", "blank": "EMPTY", "none": "EMPTY", "single": "SINGLE", "regular": "GRID"},
)


def read_pattern(text: str) -> TaskReading[str]:
    """Read a pattern from any text."""
    return _read_choice(text, _PATTERN_WORDS)


REGULARITIES = ("REGULAR", "PERTURBED")

_FROM_SOMETHING = r"(?<!from )(?<!from the )(?<!from their )(?<!from a )(?<!off the )(?<!off their )(?<!from an )"
_REGULARITY_WORDS = _Vocabulary(
    {
        "PERTURBED": (
            r"(?:perturb(?:ed|ations?)?|displac(?:ed|ements?)|irregular(?:ly|ity|ities)?|jitter(?:ed|ing)?|"
            r"distort(?:ed|ions?)|disorder(?:ed)?|shifted|offsets?|deviat(?:es?|ing|ions?)|imperfect(?:ly|ions?)?|"
            r"misaligned|moved)\b"
        ),
        "REGULAR": (
            rf"{_FROM_SOMETHING}(?:regular(?:ly)?|exact(?:ly)?|perfect(?:ly)?|undisplaced|unperturbed|precise(?:ly)?|"
            r"ideal(?:ly)?|on[ ]the[ ](?:grid|lattice)[ ]sites)\b"
        ),
    },
    names=("regularity", "final_answer", "answer", "classification"),
    opposite={"REGULAR": "PERTURBED", "PERTURBED": "REGULAR"},
    remark=(
        r"(?:regular|exact|perfect|ideal|precise)(?:ly)?\s(?:regular\s)?(?:(?:hexagonal|triangular)\s)?"
        r"(?:grid|lattice|sites?|positions?|pattern|array|arrangement|places?)\b"
    ),
)


def read_regularity(text: str) -> TaskReading[str]:
    """Read a regularity from any text."""
    return _read_choice(text, _REGULARITY_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceScore:
    """A scored label."""

    task: Literal["PATTERN", "REGULARITY"]
    rule: str
    prediction: str | None
    truth: str

    @property
    def parsed(self) -> bool:
        """Whether a label was read."""
        return self.prediction is not None

    @property
    def passed(self) -> bool:
        """Whether the label is the truth."""
        return self.prediction == self.truth

    @property
    def expected(self) -> str:
        """The true label."""
        return self.truth

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        return {"correct": self.passed}

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """One row: 1 for the right label, 0 for a wrong one."""
        said = f"no label: {self.rule}" if self.prediction is None else f"said {self.prediction}"
        right = None if self.prediction is None else float(self.passed)
        return (
            field_row(
                self.task.lower(),
                prediction=right,
                truth=1.0,
                passed=self.passed,
                why=f"{said}, truth {self.truth}",
            ),
        )


def score_pattern(text: str, truth: Mapping[str, object]) -> ChoiceScore:
    """Score any text as a reply to PATTERN; the truth is the item's `pattern`."""
    reading = read_pattern(text)
    return ChoiceScore(
        task="PATTERN", rule=reading.rule, prediction=reading.value, truth=text_of(truth, "pattern")
    )


def score_regularity(text: str, truth: Mapping[str, object]) -> ChoiceScore:
    """Score any text as a reply to REGULARITY; the truth is the item's `regularity`."""
    reading = read_regularity(text)
    return ChoiceScore(
        task="REGULARITY", rule=reading.rule, prediction=reading.value, truth=text_of(truth, "regularity")
    )
