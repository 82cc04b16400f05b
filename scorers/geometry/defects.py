"""DEFECT: reading whether a lattice has defects, how many spots are missing and extra, and their scores.

Tried in this order; the rule that fired is recorded:

1. `exact label`: lines that begin with the prompt's labels in capitals, `DEFECTS: YES`, `MISSING: 3`, `EXTRA: 2`
   (of each the last), or their long names (`DEFECTS_FOUND`, `MISSING_COUNT`, `NOISE_COUNT`). Where one of them is
   there, the others may stand anywhere.
2. `json`: an object with such fields (`defects`, `missing`, `extra`, ...); lists count their entries.
3. `label`: the same labels in any case anywhere; several different counts under one label are none.
4. `statement`, unless the reply is a refusal: "no missing spots, 4 extra", "3 spots are missing", "no defects",
   a reply that begins with yes or no. A denial is a word such as no, not, none, without up to six words before in
   the same clause. Questions and sentences about what might be say nothing.

A count is a number that stands for spots: no place ("(210, 180)", "row 2"), no range ("3-4"), no sum without its
result. "None" is 0. What is stated but no number ("several") is not counted, and says that there are some.
Where no verdict is stated it follows from the counts: yes if one is above 0, no if both are 0. With the verdict
no, a count that is not stated is 0.
Refused (verdict None, rule `contradiction`): "no defects" beside a count above 0.
"Imperfect" is not "perfect"; "YES or NO" is the question's own form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from scorers.geometry.count import as_count
from scorers.geometry.reading import (
    LINE_START,
    MAX_LABELS,
    NUMBER,
    Statement,
    first_reading,
    prepared,
    quantities,
    settled,
)
from scorers.geometry.tasks import THRESHOLDS, optional_number
from scorers.json_extraction import last_object
from scorers.score import field_row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorers.geometry.tasks import Metrics
    from scorers.score import FieldScore

__all__ = ["DefectReading", "DefectScore", "DefectTruth", "read_defects", "score_defects"]

_VERDICT_FIELDS = ("defects", "defects_found", "has_defects", "defect", "has_defect", "defective")
_MISSING_FIELDS = ("missing", "missing_count", "missing_spots", "num_missing", "missing_spots_count")
_EXTRA_FIELDS = ("extra", "extra_count", "extra_spots", "noise", "noise_count", "num_extra", "extra_spots_count")
_SEPARATOR = r"[ \"']*(?:[:=]|->|[ ]-[ ]|\bis\b|\bare\b)+[ \"']*"
_FORMS = (
    rf"DEFECTS?[ _]*(?:FOUND|PRESENT|DETECTED)?{_SEPARATOR}[\[(<]?(YES|NO|TRUE|FALSE|NONE)\b"
    r"(?!\s*(?:or|/)\s*(?:YES|NO)\b)",
    rf"MISSING(?:[ _](?:COUNT|SPOTS|DOTS|SITES))*{_SEPARATOR}(?=[^\s<])",
    rf"(?:EXTRA|NOISE)(?:[ _](?:COUNT|SPOTS|DOTS))*{_SEPARATOR}(?=[^\s<])",
)
_EXACT = tuple(re.compile(LINE_START + form.replace("is|are", "IS"), re.MULTILINE) for form in _FORMS)
_LOOSE = tuple(re.compile(r"\b" + form, re.IGNORECASE) for form in _FORMS)
_NONE = re.compile(r"(?:none|no)\b", re.IGNORECASE)
_SOME = re.compile(
    r"(?:several|some|many|a few|multiple|various|numerous|at least|rows?|columns?|[(\[])", re.IGNORECASE
)
_END_OF_VALUE = re.compile(r"(?<=.)(?:[;(]|[.,]\s(?![0-9]))")
_VALUE = re.compile(
    rf"[~≈\[(]?\s?(?:(?:about|approximately|around)\s)?({NUMBER})(?!\s?[,;]\s?[+-]?[0-9])", re.IGNORECASE
)
_SPOT = r"(?:(?:lattice|grid|hexagonal|white|circular)\s)?(?:spots?|dots?|circles?|sites?|positions?|points?)"
_GONE = r"(?:missing|absent|vacant|gaps?\b|vacanc(?:y|ies)|holes?\b|empty\ssites?)"
_ADDED = r"(?:extra|additional|noise|spurious|stray|interstitial|off-lattice|added|superfluous)"
_FLAW = r"(?:defects?|irregularit(?:y|ies)|imperfections?|anomal(?:y|ies)|flaws?)\b"
_NO = (
    r"(?:\b(?:no|not|none|nothing|never|zero|without|neither|nor|free\sof|cannot)\b|n't\b)"
    r"(?:\s(?!but\b|only\b|just\b|doubt\b|because\b|since\b|as\b|all\b|[0-9])[\w'-]+){0,6}?\s"
)
_LEAD = r"(?:about |approximately |around |~)?"
_NO_GONE = re.compile(rf"{_NO}{_GONE}", re.IGNORECASE)
_NO_ADDED = re.compile(rf"{_NO}{_ADDED}", re.IGNORECASE)
_NO_DEFECT = re.compile(
    rf"{_NO}{_FLAW}|\bdefect-free\b|\bflawless\b|"
    r"(?<!not )(?<!not a )\bperfect(?:ly)?\b|\b(?:pattern|lattice|grid|it)\sis\s(?:complete|intact)\b",
    re.IGNORECASE,
)
_SOME_DEFECT = re.compile(
    r"\b(?:defects?|irregularit(?:y|ies)|imperfections?)\s(?:(?:are|is|were|was)\s)?(?:found|detected|present|noted|visible|"
    r"seen)\b|\bthere (?:are|is)(?:\s\w+){0,2}\s(?:defects?|irregularit(?:y|ies))\b|\bimperfect\b",
    re.IGNORECASE,
)
_NO_PLACE = r"(?<!row )(?<!column )(?<!line )(?<!position )(?<!site )(?<!number )(?<!#)"
_COUNTED_GONE = re.compile(
    rf"{_NO_PLACE}({NUMBER})\s(?:{_SPOT}\s)?(?:(?:is|are|were|appear to be|seem to be)\s)?{_GONE}|"
    rf"\bmissing\s{_LEAD}({NUMBER})\b(?=\s{_SPOT}|[.,;])",
    re.IGNORECASE,
)
_COUNTED_ADDED = re.compile(
    rf"{_NO_PLACE}({NUMBER})\s(?:{_SPOT}\s(?:is|are)\s)?{_ADDED}"
    rf"(?=\s(?:{_SPOT}|{_ADDED}|ones|and|or|in|at|between|are|is|were|was|off)\b|\s?(?:[.,;:!()\n]|$))",
    re.IGNORECASE,
)
_WORD_GONE = re.compile(_GONE, re.IGNORECASE)
_WORD_ADDED = re.compile(rf"\b{_ADDED}(?=\s(?:\w+\s)?{_SPOT}|\sones|\s?[.,;:!)\n]|$)", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:whether|if|might|may|could(?!\s?n[o']t)|would|possibly|perhaps|unsure|unclear|not sure|uncertain|"
    r"difficult|hard to|(?:cannot|can't|unable to|not able to|impossible to) (?:\w+ )?(?:determine|tell|"
    r"say|judge|count))"
    r"\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?\n])")
_VERDICT_FIRST = re.compile(r"\s*(yes|no)\b(?=\s*(?:[.,;:!-]|$|there))(?!\s*(?:or|/)\s*no)", re.IGNORECASE)
_TRUE = frozenset({"yes", "true"})
_VALUE_CHARS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectReading:
    """Verdict and counts that were read, each None when there is none, and the rule."""

    has_defects: bool | None
    missing_count: int | None
    extra_count: int | None
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """What was said of one kind: a count if it was one; `some` if there are any; `stated` if it was spoken of."""

    count: int | None = None
    some: bool = False
    stated: bool = False


def read_defects(text: str) -> DefectReading:
    """Read a verdict on defects from any text; total, and equal for equal text in every process."""
    return first_reading(
        prepared(text),
        (_from_exact_labels, _from_json, partial(_from_labels, labels=_LOOSE, rule="label")),
        prose=_from_prose,
        nothing=_nothing,
    )


def _from_exact_labels(text: str) -> DefectReading | None:
    found = [exact.search(text) is not None for exact in _EXACT]
    labels = [
        exact if seen_exactly else loose for exact, loose, seen_exactly in zip(_EXACT, _LOOSE, found, strict=True)
    ]
    return _from_labels(text, labels, "exact label") if any(found) else None


def _nothing(rule: str) -> DefectReading:
    return DefectReading(has_defects=None, missing_count=None, extra_count=None, rule=rule)


def _settled(verdict: bool | None, missing: _Said, extra: _Said, rule: str) -> DefectReading:
    """Let the counts decide where no verdict is stated, and refuse what contradicts itself."""
    some = any(said.some or said.count for said in (missing, extra))
    if verdict is False and some:
        return _nothing("contradiction")
    if verdict is None and some:
        verdict = True
    elif verdict is None and missing.count == extra.count == 0:
        verdict = False
    counts = [0 if verdict is False and not said.stated else said.count for said in (missing, extra)]
    return DefectReading(has_defects=verdict, missing_count=counts[0], extra_count=counts[1], rule=rule)


def _from_json(text: str) -> DefectReading | None:
    fields = last_object(text, (*_VERDICT_FIELDS, *_MISSING_FIELDS, *_EXTRA_FIELDS))
    if fields is None:
        return None
    verdict = _field(fields, _VERDICT_FIELDS)
    if isinstance(verdict, str):
        word = verdict.strip().lower()
        verdict = word in _TRUE if word in {*_TRUE, "no", "false", "none"} else None
    stated = verdict if isinstance(verdict, bool) else None
    return _settled(stated, _held(_field(fields, _MISSING_FIELDS)), _held(_field(fields, _EXTRA_FIELDS)), "json")


def _field(fields: dict[str, object], names: Sequence[str]) -> object:
    return next((fields[name] for name in names if name in fields), None)


def _held(value: object) -> _Said:
    if isinstance(value, list):
        return _Said(count=len(value), stated=True)
    if isinstance(value, str):
        return _value_said(value)
    return _Said(count=as_count(value), stated=value is not None)


def _from_labels(text: str, labels: Sequence[re.Pattern[str]], rule: str) -> DefectReading | None:
    verdicts = labels[0].findall(text)
    missing, extra = _labelled(text, labels[1]), _labelled(text, labels[2])
    if not (verdicts or missing.stated or extra.stated):
        return None
    verdict = verdicts[-1].lower() in _TRUE if verdicts else None
    return _settled(verdict, missing, extra, rule)


def _labelled(text: str, label: re.Pattern[str]) -> _Said:
    """Return what stands behind the last label; of loose labels that differ nothing is counted."""
    said = [
        _value_said(text[match.end() : match.end() + _VALUE_CHARS].partition("\n")[0])
        for match in list(label.finditer(text))[-MAX_LABELS:]
    ]
    if not said:
        return _Said()
    if label in _LOOSE and len(set(said)) > 1:
        return _Said(some=all(entry.some or entry.count for entry in said), stated=True)
    return said[-1]


def _value_said(text: str) -> _Said:
    """Read a labelled value: its first number, or the result of a sum."""
    value = _END_OF_VALUE.split(text.lstrip(), maxsplit=1)[0].rpartition("=")[2].lstrip()
    if _NONE.match(value):
        return _Said(count=0, stated=True)
    if not _VALUE.match(value):
        return _Said(some=_SOME.match(text) is not None, stated=True)
    first = quantities(value)[0]
    summed = re.match(r"\s?[+×*]\s?[0-9]", value[first.end :])
    count = None if first.hedged or summed else as_count(first.value)
    return _Said(count=count, some=count is None and first.value > 0, stated=True)


def _from_prose(text: str) -> DefectReading:
    opening = _VERDICT_FIRST.match(text)
    plain = "".join(part for part in _SENTENCE.split(text) if not _SUPPOSED.search(part))
    missing = _stated(plain, _COUNTED_GONE, _NO_GONE)
    extra = _stated(plain, _COUNTED_ADDED, _NO_ADDED)
    verdict = opening[1].lower() == "yes" if opening else _stated_verdict(plain, missing, extra)
    reading = _settled(verdict, missing, extra, "statement")
    return _nothing("none") if reading.has_defects is None and reading.rule == "statement" else reading


def _stated(text: str, counted: re.Pattern[str], denied: re.Pattern[str]) -> _Said:
    """Return the count that prose states: a number, or 0 for a denial; different ones count only if corrected."""
    found = [Statement(value=0, start=match.start(), end=match.end()) for match in denied.finditer(text)]
    for match in counted.finditer(text):
        start = match.start(match.lastindex or 0)
        first = next((entry for entry in quantities(text[start : match.end()]) if not entry.hedged), None)
        value = None if first is None else as_count(first.value)
        if value is not None:
            found.append(Statement(value=value, start=match.start(), end=match.end()))
    found.sort(key=lambda one: (one.start, one.end, one.value))
    count = settled(found, text)
    return _Said(
        count=count, some=count is None and bool(found) and all(one.value for one in found), stated=bool(found)
    )


def _stated_verdict(text: str, missing: _Said, extra: _Said) -> bool | None:
    """Return the verdict of prose; None where it is said both that there are and that there are no defects."""
    if missing.count or extra.count or _SOME_DEFECT.search(_NO_DEFECT.sub("", text)):
        return True
    more = _mentions(text, _WORD_GONE, _NO_GONE), _mentions(text, _WORD_ADDED, _NO_ADDED)
    unsettled = any(said.stated and said.count is None for said in (missing, extra))
    if _NO_DEFECT.search(text) or missing.count == 0 or extra.count == 0:
        named = (more[0] and missing.count != 0) or (more[1] and extra.count != 0)
        return None if unsettled else named
    return True if any(more) and not unsettled else None


def _mentions(text: str, word: re.Pattern[str], denied: re.Pattern[str]) -> bool:
    """Whether a defect is named outside the places where it is denied."""
    return word.search(denied.sub("", text)) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectTruth:
    """Whether there are defects, how many spots are missing and extra (None: not known)."""

    has_defects: bool
    missing_count: int | None
    extra_count: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectScore:
    """A scored verdict on defects."""

    reading: DefectReading
    truth: DefectTruth

    task: Literal["DEFECT"] = "DEFECT"

    @property
    def rule(self) -> str:
        """The reading rule that fired."""
        return self.reading.rule

    @property
    def parsed(self) -> bool:
        """Whether a verdict was read."""
        return self.reading.has_defects is not None

    @property
    def verdict_correct(self) -> bool:
        """Whether the verdict is right."""
        return self.reading.has_defects == self.truth.has_defects

    @property
    def passed(self) -> bool:
        """Whether the verdict is right and every known count within tolerance."""
        return self.verdict_correct and all(row.passed for row in self.rows)

    @property
    def prediction(self) -> dict[str, object]:
        """What was read."""
        return {
            "has_defects": self.reading.has_defects,
            "missing_count": self.reading.missing_count,
            "extra_count": self.reading.extra_count,
        }

    @property
    def expected(self) -> dict[str, object]:
        """The truth."""
        return {
            "has_defects": self.truth.has_defects,
            "missing_count": self.truth.missing_count,
            "extra_count": self.truth.extra_count,
        }

    @property
    def missing_count_error(self) -> int | None:
        """|missing - truth|, None when either is unknown."""
        return _error(self.reading.missing_count, self.truth.missing_count)

    @property
    def noise_count_error(self) -> int | None:
        """|extra - truth|, None when either is unknown."""
        return _error(self.reading.extra_count, self.truth.extra_count)

    @property
    def metrics(self) -> Metrics:
        """The metrics by name."""
        return {
            "correct": self.verdict_correct,
            "missing_count_error": self.missing_count_error,
            "noise_count_error": self.noise_count_error,
        }

    @property
    def rows(self) -> tuple[FieldScore, ...]:
        """Verdict (1 for yes, 0 for no), missing and extra count; a count whose truth is unknown has no row."""
        said = self.reading.has_defects
        verdict = field_row(
            "has_defects",
            prediction=None if said is None else float(said),
            truth=float(self.truth.has_defects),
            passed=self.verdict_correct,
            why=f"no verdict: {self.rule}" if said is None else f"said {'yes' if said else 'no'}",
        )
        counts = (
            ("missing_count", self.reading.missing_count, self.truth.missing_count),
            ("extra_count", self.reading.extra_count, self.truth.extra_count),
        )
        return (verdict, *(_count_row(*count) for count in counts if count[2] is not None))


def _error(said: int | None, truth: int | None) -> int | None:
    return None if said is None or truth is None else abs(said - truth)


def _count_row(name: str, said: int | None, truth: int | None) -> FieldScore:
    error = _error(said, truth)
    allowed = THRESHOLDS.defect_count
    passed = error is not None and error <= allowed
    why = "no count" if error is None else f"|error| {error} {'<=' if passed else '>'} {allowed}"
    return field_row(name, prediction=said, truth=truth or 0, passed=passed, abs_tol=allowed, why=why)


def score_defects(text: str, truth: Mapping[str, object]) -> DefectScore:
    """Score any text as a reply to DEFECT against `has_defects`, `missing_count`, `extra_count` of the truth."""
    missing, extra = optional_number(truth, "missing_count"), optional_number(truth, "extra_count")
    return DefectScore(
        reading=read_defects(text),
        truth=DefectTruth(
            has_defects=bool(truth["has_defects"]),
            missing_count=None if missing is None else int(missing),
            extra_count=None if extra is None else int(extra),
        ),
    )
