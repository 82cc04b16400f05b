"""Reading whether a lattice has defects, and how many spots are missing and extra.

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
from itertools import pairwise
from typing import TYPE_CHECKING

from scorers.geometry.count_reader import as_count
from scorers.geometry.quantities import NUMBER, quantities
from scorers.geometry.reply_text import LINE_START, MAX_LABELS, PROSE_CHARS, is_corrected, is_refusal, prepared
from scorers.geometry.structured import last_object

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DefectReading", "read_defects"]

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
    seen = prepared(text)
    if not seen:
        return _nothing("empty")
    found = [exact.search(seen) is not None for exact in _EXACT]
    labels = [
        exact if seen_exactly else loose for exact, loose, seen_exactly in zip(_EXACT, _LOOSE, found, strict=True)
    ]
    return (
        (_from_labels(seen, labels, "exact label") if any(found) else None)
        or _from_json(seen)
        or _from_labels(seen, _LOOSE, "label")
        or _from_prose(seen[-PROSE_CHARS:])
    )


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
    if is_refusal(text):
        return _nothing("refusal")
    opening = _VERDICT_FIRST.match(text)
    plain = "".join(part for part in _SENTENCE.split(text) if not _SUPPOSED.search(part))
    missing = _stated(plain, _COUNTED_GONE, _NO_GONE)
    extra = _stated(plain, _COUNTED_ADDED, _NO_ADDED)
    verdict = opening[1].lower() == "yes" if opening else _stated_verdict(plain, missing, extra)
    reading = _settled(verdict, missing, extra, "statement")
    return _nothing("none") if reading.has_defects is None and reading.rule == "statement" else reading


def _stated(text: str, counted: re.Pattern[str], denied: re.Pattern[str]) -> _Said:
    """Return the count that prose states: a number, or 0 for a denial; different ones count only if corrected."""
    spans = [(match.start(), match.end(), 0) for match in denied.finditer(text)]
    for match in counted.finditer(text):
        start = match.start(match.lastindex or 0)
        first = next((entry for entry in quantities(text[start : match.end()]) if not entry.hedged), None)
        value = None if first is None else as_count(first.value)
        spans += [] if value is None else [(match.start(), match.end(), value)]
    if not spans:
        return _Said()
    spans.sort()
    changes = [text[left[1] : right[0]] for left, right in pairwise(spans) if left[2] != right[2]]
    if all(is_corrected(between) for between in changes):
        return _Said(count=spans[-1][2], stated=True)
    return _Said(some=all(span[2] for span in spans), stated=True)


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
