"""Statements that a picture holds no spot at all."""

from __future__ import annotations

import re

__all__ = ["nothing_seen"]

_NOUN = r"(?:spots?|circles?|dots?|points?|dis[ck]s?|blobs?|particles?|objects?|shapes?)\b"
_KIND = r"(?:(?:visible|circular|white|round|distinct|discernible|detectable|such|bright|clear|of the)\s){0,3}"
_END = (
    r"(?:\s(?:that\s)?(?:are|is|were|can be))?(?:\s(?:clearly|currently))?"
    r"(?:\s(?:visible|present|seen|detected|found|here|there|at all|whatsoever|anywhere))*"
    r"(?:\s(?:in|on|within)\s(?:the|this)\s(?:\w+\s)?(?:image|picture|canvas|frame|field of view|photo))?"
    r"(?:\s(?:at all|whatsoever))?\s{0,2}(?=[.,;!)\"'\n]|$|\band\b|\bso\b)"
)
_NOTHING = re.compile(
    rf"\b(?<!not )(?:no|zero)\s{_KIND}{_NOUN}{_END}"
    rf"|(?:don't|do not|can't|can ?not|couldn't|could not|didn't|did not)\s(?:\w+\s)?"
    rf"(?:see|find|detect|observe|spot|identify)"
    rf"\sany\s{_KIND}{_NOUN}{_END}"
    rf"|\bthere (?:are|is)(?: not|n't) any\s{_KIND}{_NOUN}{_END}"
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
