"""Bringing a reply into a plain form that the readers understand: bounded, and equal for equal content.

* Only the last `MAX_CHARS` characters count: models think first and answer last. Prose is read in the last
  `PROSE_CHARS`.
* Thinking blocks are dropped (`scorers.thinking`).
* Markdown emphasis, headings, code marks, quote marks, LaTeX wrappers and HTML tags are taken off; table bars
  become `:` unless a reader wants the columns.
* Other scripts' digits, minus signs, micro signs and spaces become the plain ones.
"""

from __future__ import annotations

import re

from scorers.thinking import without_thinking

__all__ = ["MAX_CHARS", "MAX_LABELS", "PROSE_CHARS", "is_refusal", "lines_of", "prepared"]

MAX_CHARS = 24_000

MAX_LABELS = 50
"""Of labels such as "Answer:" the last so many are looked at."""

PROSE_CHARS = 2_500
"""Prose is read in the last so many characters only: a statement is at the end."""

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
    r"\*+|`+|(?<!\w)_+|_+(?!\w)|^[ ]{0,3}\#{1,6}[ ]|^[ ]{0,3}>[ ]?|\$+|\\[()\[\]]"
    r"|</?[A-Za-z][A-Za-z0-9_]{0,30}/?>",
    re.MULTILINE,
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
    seen = without_thinking(text[-MAX_CHARS:]).replace("\r\n", "\n").translate(_PLAIN)
    seen = _LATEX_MICRO.sub("µ", _LATEX_SPACE.sub(" ", seen))
    seen = _LATEX.sub(r"\1", _LATEX.sub(r"\1", seen))
    seen = _MARKS.sub("", seen)
    if not keep_bars:
        seen = _RULE_ROW.sub("", seen).replace("|", " : ")
    return seen.strip()


def is_refusal(text: str) -> bool:
    """Whether a prepared text says that the picture cannot be seen or the question not answered."""
    return _REFUSAL.search(text) is not None


def lines_of(text: str) -> list[str]:
    """Return a prepared text's lines that hold something, without outer spaces."""
    return [line.strip() for line in text.split("\n") if line.strip()]
