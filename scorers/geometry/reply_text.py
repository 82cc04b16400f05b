"""Bringing a reply into a plain form that the readers understand: bounded, and equal for equal content.

* Thinking blocks are dropped (`scorers.thinking`), of the whole reply: one may begin long before its end.
* Then only the last `MAX_CHARS` characters count: models think first and answer last. Prose is read in the last
  `PROSE_CHARS`.
* Markdown emphasis, headings, code marks, quote marks and LaTeX wrappers are taken off; table bars become `:`
  unless a reader wants the columns.
* HTML tags, and tags that are closed somewhere, become a space, those that end a line or an item a line's end.
  Other angle brackets around one word or number (`<45>`) are the prompt's own and only the brackets go.
* Other scripts' digits, minus signs, micro signs and spaces become the plain ones; a unit is set apart from its
  number (`2.8um`).

Several readers share `is_corrected`: whether words between two statements make the later one replace the earlier.
"""

from __future__ import annotations

import re

from scorers.thinking import without_thinking

__all__ = [
    "LINE_START",
    "MAX_CHARS",
    "MAX_LABELS",
    "PROSE_CHARS",
    "is_corrected",
    "is_refusal",
    "lines_of",
    "prepared",
]

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
        "\u00b5": "µ",
        "\u03bc": "µ",
        "\u2212": "-",
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": " - ",
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00a0": " ",
        "\u202f": "\u2009",
        "\u2026": " \u2026 ",
        "\u2039": "<",
        "\u203a": ">",
        "\u200b": None,
        "\ufeff": None,
        "\uff0c": ",",
        "\uff1a": ":",
        "\uff08": "(",
        "\uff09": ")",
        "\r": "\n",
        "\t": " ",
    }
)
_MARKS = re.compile(
    r"\*+|`+|(?<!\w)_+|_+(?!\w)|^[ ]{0,3}\#{1,6}[ ]|^[ ]{0,3}>[ ]?|\$+|\\[()\[\]]",
    re.MULTILINE,
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_]{0,30})[ ]?(/?)>")
_HTML = frozenset(
    [
        "b",
        "br",
        "center",
        "code",
        "dd",
        "div",
        "dl",
        "dt",
        "em",
        "font",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "u",
        "ul",
    ]
)
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


def is_corrected(between: str) -> bool:
    """Whether the words between two statements say that the later one replaces the earlier, or follows from it."""
    return _CORRECTION.search(between) is not None


def is_refusal(text: str) -> bool:
    """Whether a prepared text says that the picture cannot be seen or the question not answered."""
    return _REFUSAL.search(text) is not None


def lines_of(text: str) -> list[str]:
    """Return a prepared text's lines that hold something, without outer spaces."""
    return [line.strip() for line in text.split("\n") if line.strip()]
