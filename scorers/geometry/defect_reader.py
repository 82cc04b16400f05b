"""Reading whether a lattice has defects, and how many spots are missing and extra.

Tried in this order; the rule that fired is recorded:

1. `json`: an object with such fields (`defects`, `missing`, `extra`, ...); lists count their entries.
2. `label`: `DEFECTS: YES`, `MISSING: 3`, `EXTRA: 2` (of each the last), or their long names (`DEFECTS_FOUND`,
   `MISSING_COUNT`, `NOISE_COUNT`).
3. `statement`, unless the reply is a refusal: "no missing spots, 4 extra", "3 spots are missing", "no defects",
   a reply that begins with yes or no.

Where no verdict is stated it follows from the counts; without defects a count that is not stated is 0. "None"
is 0.
Refused (verdict None, rule `contradiction`): "no defects" beside a count above 0. A range ("3-4") is no count.
"Imperfect" is not "perfect"; "YES or NO" is the question's own form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorers.geometry.count_reader import as_count
from scorers.geometry.quantities import NUMBER, quantities
from scorers.geometry.reply_text import MAX_LABELS, PROSE_CHARS, is_refusal, prepared
from scorers.geometry.structured import last_object

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DefectReading", "read_defects"]

_VERDICT_FIELDS = ("defects", "defects_found", "has_defects", "defect", "has_defect", "defective")
_MISSING_FIELDS = ("missing", "missing_count", "missing_spots", "num_missing", "missing_spots_count")
_EXTRA_FIELDS = ("extra", "extra_count", "extra_spots", "noise", "noise_count", "num_extra", "extra_spots_count")
_SEPARATOR = r"[\s\"']*(?:[:=]|->|\bis\b)+[\s\"'\[(<]*"
_VERDICT = re.compile(
    rf"\bDEFECTS?[ _]*(?:FOUND|PRESENT|DETECTED)?{_SEPARATOR}(YES|NO|TRUE|FALSE|NONE)\b"
    r"(?!\s*(?:or|/)\s*(?:YES|NO)\b)",
    re.IGNORECASE,
)
_MISSING_LABEL = re.compile(rf"\bMISSING(?:[ _](?:COUNT|SPOTS|DOTS|SITES))*{_SEPARATOR}", re.IGNORECASE)
_EXTRA_LABEL = re.compile(rf"\b(?:EXTRA|NOISE)(?:[ _](?:COUNT|SPOTS|DOTS))*{_SEPARATOR}", re.IGNORECASE)
_NONE = re.compile(r"\s*(?:none|no)\b", re.IGNORECASE)
_NO = r"\b(?:no|zero|without(?: any)?|not any|free of|n't (?:any|see any|find any)|neither)\s(?:\w+\s){0,2}?"
_SPOT = r"(?:(?:lattice|grid|hexagonal|white|circular)\s)?(?:spots?|dots?|circles?|sites?|positions?|points?)"
_GONE = r"(?:missing|absent|vacant|gaps?\b|vacanc(?:y|ies)|holes?\b|empty\ssites?)"
_ADDED = r"(?:extra|additional|noise|spurious|stray|interstitial|off-lattice|added|superfluous)"
_LEAD = r"(?:about |approximately |around |~)?"
_NO_GONE = re.compile(
    rf"{_NO}{_GONE}|{_NO}{_SPOT}\s(?:is|are)\s{_GONE}|\bnothing\s(?:is\s)?missing", re.IGNORECASE
)
_NO_ADDED = re.compile(rf"{_NO}(?:missing\s(?:or|nor|and)\s)?(?:{_ADDED}|or {_ADDED})", re.IGNORECASE)
_NO_DEFECT = re.compile(
    rf"{_NO}(?:defects?|irregularit(?:y|ies)|imperfections?|anomal(?:y|ies)|flaws?)\b|\bdefect-free\b|\bflawless\b|"
    r"(?<!not )(?<!not a )\bperfect(?:ly)?\b|\b(?:pattern|lattice|grid|it)\sis\s(?:complete|intact)\b",
    re.IGNORECASE,
)
_SOME_DEFECT = re.compile(
    r"\b(?:defects?|irregularit(?:y|ies)|imperfections?)\s(?:(?:are|is|were|was)\s)?(?:found|detected|present|noted|visible|"
    r"seen)\b|\bthere (?:are|is)(?:\s\w+){0,2}\s(?:defects?|irregularit(?:y|ies))\b|\bimperfect\b",
    re.IGNORECASE,
)
_COUNTED_GONE = re.compile(
    rf"({NUMBER})\s(?:{_SPOT}\s)?(?:(?:is|are|were|appear to be|seem to be)\s)?{_GONE}|"
    rf"\bmissing\s{_LEAD}({NUMBER})\b(?=\s{_SPOT}|[.,;])",
    re.IGNORECASE,
)
_COUNTED_ADDED = re.compile(rf"({NUMBER})\s(?:{_SPOT}\s(?:is|are)\s)?{_ADDED}", re.IGNORECASE)
_WORD_GONE = re.compile(_GONE, re.IGNORECASE)
_WORD_ADDED = re.compile(_ADDED, re.IGNORECASE)
_VERDICT_FIRST = re.compile(r"\s*(yes|no)\b(?=\s*(?:[.,;:!-]|$|there))(?!\s*(?:or|/)\s*no)", re.IGNORECASE)
_TRUE = frozenset({"yes", "true"})
_VALUE_CHARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectReading:
    """Verdict and counts that were read, each None when there is none, and the rule."""

    has_defects: bool | None
    missing_count: int | None
    extra_count: int | None
    rule: str


def read_defects(text: str) -> DefectReading:
    """Read a verdict on defects from any text; total, and equal for equal text in every process."""
    seen = prepared(text)
    if not seen:
        return _nothing("empty")
    return _from_json(seen) or _from_labels(seen) or _from_prose(seen[-PROSE_CHARS:])


def _nothing(rule: str) -> DefectReading:
    return DefectReading(has_defects=None, missing_count=None, extra_count=None, rule=rule)


def _settled(verdict: bool | None, missing: int | None, extra: int | None, rule: str) -> DefectReading:
    """Let the counts decide where no verdict is stated, and refuse what contradicts itself."""
    some = bool(missing) or bool(extra)
    if verdict is False and some:
        return _nothing("contradiction")
    if verdict is None and (some or not (missing is None and extra is None)):
        verdict = some
    if verdict is False:
        missing, extra = missing or 0, extra or 0
    return DefectReading(has_defects=verdict, missing_count=missing, extra_count=extra, rule=rule)


def _from_json(text: str) -> DefectReading | None:
    fields = last_object(text, (*_VERDICT_FIELDS, *_MISSING_FIELDS, *_EXTRA_FIELDS))
    if fields is None:
        return None
    verdict = _field(fields, _VERDICT_FIELDS)
    if isinstance(verdict, str):
        verdict = (
            verdict.strip().lower() in _TRUE
            if verdict.strip().lower() in {*_TRUE, "no", "false", "none"}
            else None
        )
    stated = verdict if isinstance(verdict, bool) else None
    return _settled(
        stated, _counted(_field(fields, _MISSING_FIELDS)), _counted(_field(fields, _EXTRA_FIELDS)), "json"
    )


def _field(fields: dict[str, object], names: Sequence[str]) -> object:
    return next((fields[name] for name in names if name in fields), None)


def _counted(value: object) -> int | None:
    return len(value) if isinstance(value, list) else as_count(value)


def _from_labels(text: str) -> DefectReading | None:
    verdicts = _VERDICT.findall(text)
    missing, extra = _labelled(text, _MISSING_LABEL), _labelled(text, _EXTRA_LABEL)
    if not verdicts and missing is None and extra is None:
        return None
    verdict = verdicts[-1].lower() in _TRUE if verdicts else None
    return _settled(verdict, missing, extra, "label")


def _labelled(text: str, label: re.Pattern[str]) -> int | None:
    value = None
    for match in list(label.finditer(text))[-MAX_LABELS:]:
        rest = text[match.end() : match.end() + _VALUE_CHARS].partition("\n")[0]
        if _NONE.match(rest):
            value = 0
        elif re.match(rf"[\s~≈\[(]*(?:about\s|approximately\s)?{NUMBER}", rest, re.IGNORECASE):
            first = quantities(rest)[0]
            value = None if first.hedged else as_count(first.value)
    return value


def _from_prose(text: str) -> DefectReading:
    if is_refusal(text):
        return _nothing("refusal")
    missing = _stated(text, _COUNTED_GONE, _NO_GONE)
    extra = _stated(text, _COUNTED_ADDED, _NO_ADDED)
    verdict = _stated_verdict(text, missing, extra)
    reading = _settled(verdict, missing, extra, "statement")
    return _nothing("none") if reading.has_defects is None and reading.rule == "statement" else reading


def _stated(text: str, counted: re.Pattern[str], denied: re.Pattern[str]) -> int | None:
    """Return the count stated last: a number, or 0 for a denial."""
    spans = [(match.start(), 0) for match in denied.finditer(text)]
    for match in counted.finditer(text):
        start = match.start(match.lastindex or 0)
        first = next((entry for entry in quantities(text[start : match.end()]) if not entry.hedged), None)
        value = None if first is None else as_count(first.value)
        spans += [] if value is None else [(match.start(), value)]
    return max(spans)[1] if spans else None


def _stated_verdict(text: str, missing: int | None, extra: int | None) -> bool | None:
    opening = _VERDICT_FIRST.match(text)
    if opening:
        return opening[1].lower() == "yes"
    if missing or extra or _SOME_DEFECT.search(_NO_DEFECT.sub("", text)):
        return True
    if _NO_DEFECT.search(text) or missing == 0 or extra == 0:
        return (_mentions(text, _WORD_GONE, _NO_GONE) or _mentions(text, _WORD_ADDED, _NO_ADDED)) and missing != 0
    return True if _WORD_GONE.search(text) or _WORD_ADDED.search(text) else None


def _mentions(text: str, word: re.Pattern[str], denied: re.Pattern[str]) -> bool:
    """Whether a defect is named outside the places where it is denied."""
    return word.search(denied.sub("", text)) is not None
