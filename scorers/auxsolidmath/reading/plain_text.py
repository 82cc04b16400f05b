r"""Bringing a reply to one plain form: Unicode and LaTeX notations become the same few signs.

The work is bounded: what a model thought aloud is dropped, then only the last `MAX_CHARS` characters count.

After it: fractions are `\frac{a}{b}`, roots `\sqrt{x}` or `\sqrt[n]{x}`, powers `^`, degrees `°`, products `*`,
approximation `≈`, implication `⇒`, comparison `< > ≤ ≥`, sets `⦃ ⦄`; the words of `\text{...}` stand bare,
`\boxed` and `$` remain, and what lies between `$` signs or in a display is on one line.
"""

from __future__ import annotations

import re
import unicodedata

from scorers.thinking import without_thinking

__all__ = ["FACTORIAL", "MAX_CHARS", "plain"]

MAX_CHARS = 20_000
"""Only so many characters at the end of a reply are read: an answer is at its end."""

_BREAK = "\x1e"
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
_SUPERSCRIPT = re.compile(f"[{''.join(_SUPERSCRIPTS)}]+")
_CIRCLED = {chr(0x2460 + place): f"({place + 1})" for place in range(20)}
_VULGAR = {
    sign: "\\frac{{{}}}{{{}}}".format(*unicodedata.normalize("NFKC", sign).split("\u2044"))
    for sign in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"
}
_BEFORE = str.maketrans(
    {**_CIRCLED, **_VULGAR, "∛": "\\sqrt[3]", "∜": "\\sqrt[4]", "\u00ba": "°", "\u02da": "°", "\u2218": "°",
     "\u00b4": "'", "\u2032": "'", "\u2033": '"'}
)  # fmt: skip
_AFTER = str.maketrans(
    {
        "\u2044": "/", "\u2215": "/", "÷": "/", "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "✕": "*",
        "✖": "*", "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": ", ",
        "\u2236": ":", "≒": "≈", "≃": "≈", "≅": "≈", "∼": "≈", "⩽": "≤", "≦": "≤", "⩾": "≥", "≧": "≥",
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u200b": None, "\u200c": None,
        "\u200d": None, "\u2060": None, "\ufeff": None, "\u00ad": None, "\r": "\n", "\t": " ", "、": ",",
        "【": "\n", "】": " ", "「": " ", "」": " ", "→": "⇒", "⟹": "⇒", "⟶": "⇒", "⟨": "(", "⟩": ")", "ϕ": "φ",
        "ϑ": "θ", "\u0305": None,
    }
)  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "theta": "θ",
    "vartheta": "θ", "lambda": "λ", "mu": "μ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "varphi": "φ",
    "psi": "ψ", "omega": "ω", "pi": "π", "Omega": "Ω",
}  # fmt: skip
_COMMANDS = {
    **_GREEK, "surd": "√", "langle": "(", "rangle": ")", "vec": "", "overrightarrow": "",
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤",
    "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "lt": "<", "gt": ">", "ne": "≠", "neq": "≠",
    "infty": "∞", "cup": "∪", "in": "∈", "approx": "≈", "thickapprox": "≈", "sim": "≈", "simeq": "≈",
    "doteq": "≈", "degree": "°", "therefore": "∴", "because": "∵", "Rightarrow": "⇒", "implies": "⇒",
    "Longrightarrow": "⇒", "to": "⇒", "rightarrow": "⇒", "longrightarrow": "⇒", "iff": "⇒",
    "Leftrightarrow": "⇒", "colon": ":", "mid": "|", "vert": "|", "lvert": "|", "rvert": "|", "dfrac": "\\frac",
    "tfrac": "\\frac", "cfrac": "\\frac", "angle": "∠", "triangle": "△", "perp": "⊥", "parallel": "∥",
    "ldots": "…", "cdots": "…", "dots": "…", "quad": " ", "qquad": " ", "left": "", "right": "",
    "displaystyle": " ", "textstyle": " ", "big": "", "Big": "", "bigg": "", "Bigg": "", "bigl": "", "bigr": "",
    "Bigl": "", "Bigr": "", "limits": "", "hline": " ", "prime": "'", "equiv": "=", "lor": " or ",
    "vee": " or ", "land": " and ", "wedge": " and ", "lbrack": "[", "rbrack": "]", "nonumber": " ",
    "arccos": " arccos ", "arcsin": " arcsin ", "arctan": " arctan ", "cos": " cos ", "sin": " sin ",
    "tan": " tan ", "blacksquare": " ", "square": " ", "Box": " ", "newline": "\n",
}  # fmt: skip
_COMMAND = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])")
_DEGREES = re.compile(
    r"(?:\{\s?\}\s?)?\s?\^\s?(?:\{\s?(?:\\circ|\\degree|°)\s?\}|(?:\\circ|\\degree)(?![A-Za-z])|°)"
    r"|\\circ(?![A-Za-z])"
)
_WRAPPED = re.compile(
    r"\\(?:text|textbf|textit|textrm|textnormal|texttt|mathrm|mathbf|mathit|mathsf|boldsymbol|bm|mbox|hbox|operatorname"
    r"|rm|emph|underline|mathop|mathord|bf)\*?\s?\{([^{}]{0,400})\}"
)
_UNBRACED = re.compile(r"\\(?:mathrm|mathbf|mathit|text|rm|bf)\s+([A-Za-z0-9])(?![A-Za-z])")
_SUPERSCRIPT_O = re.compile(r"(?<=[0-9])\^(?:o(?![a-z])|\{\s?o\s?\})")
_STYLE = re.compile(
    r"\\(?:mathbf|mathrm|mathit|mathsf|boldsymbol|bm|text|textbf|underline|mathop|mathord|displaystyle)\s?(?=\{)"
)
_DOUBLED = re.compile(
    r"(?<!\\)\\\\(?=(?:[dt]?frac|sqrt|boxed|pi|text|mathrm|cdot|times|circ|approx|left|right)(?![a-z]))"
)
_SYMBOLS = frozenset("°△▵∠©") | frozenset(_CIRCLED)
_LONG_GAP = re.compile(r"[ \t\u00a0\u2000-\u200a\u3000]{3,}")
_LONG_BREAK = re.compile(r"\n(?:[ ]{0,2}\n){2,}")
FACTORIAL = re.compile(r"(?<=[0-9})])!")
_COLOURED = re.compile(r"\\(?:color|textcolor)\s?\{[^{}]{0,40}\}")
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s?\{[^{}]{0,40}\}(?:\{[^{}]{0,40}\})?")
_SPACES = re.compile(r"\\[,;:!> ]|~(?=[\\A-Za-z(])|[\u2000-\u200a\u202f\u00a0\u3000]")
_THIN = re.compile(r"(?<=[0-9])(?:\\[,!]|\{,\}|[\u2009\u202f\u00a0])(?=[0-9]{3}(?![0-9]))")
_DISPLAYS = re.compile(
    r"\$\$([^$]{1,2000})\$\$"
    r"|\\\[((?:(?!\\[\[\]]).){1,2000})\\\]|\\\(((?:(?!\\[()]).){1,2000})\\\)"
    r"|\$([^$\n]{1,2000}(?:\n[^$\n]{1,2000}){0,3})\$",
    re.DOTALL,
)
_EMPHASIS = re.compile(r"(?<=[0-9)])\*\*(?=[0-9(])")
_LONE_STAR = re.compile(
    r"(?<![0-9a-zA-Zπ)}°\]\s])\s?\*|\*\s?(?![\s0-9a-zA-Zπ(\\√{[])|(?<=\s)\*(?=\S)(?=[^*\n]{1,200}\*)"
)
_MARKUP = re.compile(
    r"^[ ]{0,3}(?:#{1,6}[ ]+|>[ ]?|[-•+][ ]+)|`+|(?<![\w}])__|__(?![\w{])|</?[a-z]{1,10}>", re.MULTILINE
)
_ABBREVIATIONS = re.compile(
    r"\b(?:i\.\s?e|e\.\s?g|approx|sq|cu|vs|resp|deg|cm|mm|eq|fig|no)\.(?=[\s,)])", re.IGNORECASE
)
_ELLIPSIS = re.compile(r"(?<=[0-9])\s?\.{3}")
_TABLE_ROW = re.compile(r"^[ ]{0,3}\|([^|\n]{0,200}\|[^\n]{0,200})\|[ ]*$", re.MULTILINE)
_RECURRING = re.compile(r"\\dot\s?(?:\{([0-9])\}|([0-9]))")
_RECURRING_SIGN = re.compile("([0-9])\u0307")
_OVERLINE = re.compile(r"\\(?:overline|bar)\s?\{([0-9]{1,20})\}")


def plain(text: str) -> str:
    """Return a reply's end in plain form; linear in its length."""
    seen = without_thinking(text)[-MAX_CHARS:].replace("\r\n", "\n")
    seen = _DOUBLED.sub(r"\\", _without_gaps("".join(sign for sign in seen if not _is_idle(sign))))
    seen = _SUPERSCRIPT.sub(_raised, seen.translate(_BEFORE))
    seen = unicodedata.normalize("NFKC", _THIN.sub("", seen))
    seen = _RECURRING_SIGN.sub(r"\\dot{\1}", seen)
    seen = _without_latex(_ELLIPSIS.sub("…", seen.translate(_AFTER)))
    seen = _TABLE_ROW.sub(_row, _without_gaps(seen))
    seen = _LONE_STAR.sub(" ", _EMPHASIS.sub("^", seen).replace("**", ""))
    seen = _ABBREVIATIONS.sub(lambda found: found[0][:-1], _MARKUP.sub(" ", seen))
    return _in_signs(_without_gaps(seen))


def _without_gaps(text: str) -> str:
    """Shorten runs of spaces and of empty lines: what reads words apart looks at every space of a run."""
    return _LONG_BREAK.sub("\n\n", _LONG_GAP.sub("  ", text))


def _is_idle(sign: str) -> bool:
    """Whether a sign is never part of an answer: formatting and direction marks, pictographs, ends of proofs."""
    if sign < "\x7f" or sign in _SYMBOLS:
        return False
    return unicodedata.category(sign) in {"Cf", "So"} or sign in "∎\ufe0e\ufe0f"


def _raised(found: re.Match[str]) -> str:
    """Turn superscript digits into a power; a lone superscript zero is a degree sign."""
    digits = "".join(_SUPERSCRIPTS[sign] for sign in found[0])
    return "°" if digits == "0" else f"^{{{digits}}}"


def _row(found: re.Match[str]) -> str:
    """Turn a table's row into "name = value"; a rule between rows into nothing."""
    cells = [cell.strip() for cell in found[1].split("|")]
    return "" if all(re.fullmatch(r":?-*:?", cell) for cell in cells) else " = ".join(cells)


def _without_latex(text: str) -> str:
    text = _DISPLAYS.sub(_on_one_line, _ENVIRONMENT.sub(" ", text).replace("\\\\", _BREAK).replace("&", " "))
    text = (
        text.replace(_BREAK, "\n").replace("\\%", "%").replace("\\{", "⦃").replace("\\}", "⦄").replace("\\$", " ")
    )
    text = _DEGREES.sub("°", _SPACES.sub(" ", text))
    text = _OVERLINE.sub(r"\\recurring{\1}", _RECURRING.sub(r"\\dot{\1\2}", _COLOURED.sub("", text)))
    text = _UNBRACED.sub(r" \1 ", _SUPERSCRIPT_O.sub("°", text)).replace("{}", "")
    for _ in range(3):
        text = _WRAPPED.sub(r" \1 ", text)
    text = _STYLE.sub("", text)
    return _COMMAND.sub(lambda found: _COMMANDS.get(found[1], found[0]), text)


def _on_one_line(found: re.Match[str]) -> str:
    content = FACTORIAL.sub("‼", next(group for group in found.groups() if group is not None))
    if found[1] is None and found[2] is None:
        return f"${content}$".replace("\n", " ")
    lines = [line.strip() for line in content.replace("\n", " ").split(_BREAK) if line.strip()]
    return "\n" + "\n".join(f"${line}$" for line in lines) + "\n"


_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12,
}  # fmt: skip
_ONE = "|".join(sorted(_ONES, key=len, reverse=True))
_TEN = "|".join(_TENS)
_BELOW_100 = rf"(?:(?:{_TEN})(?:[- ](?:{_ONE}))?|{_ONE})"
_WHOLE = rf"(?:(?:{_ONE}) hundred(?:(?: and)? {_BELOW_100})?|{_BELOW_100})"
_PART = rf"(?:{'|'.join(word if word.endswith('es') else word + 's?' for word in _PARTS)})"
_FRACTION = rf"(?:{_WHOLE}[- ]{_PART}|half)"
_NUMERAL = (
    rf"(?P<both>(?P<count>{_WHOLE}) and (?:an? )?(?P<rest>{_FRACTION}))"
    rf"|(?P<fraction>{_FRACTION})|(?P<decimal>{_WHOLE}) point (?P<places>(?:(?:{_ONE})\s?){{1,6}}(?<=\w))"
    rf"|(?P<whole>{_WHOLE})"
)
_VALUE_BEFORE = (
    r"(?P<before>(?:^|[{=≈:]|\b(?:is|equals|equal to|be|exactly|about|approximately|gives)\b|[为是]|√|[*/])"
    r"[ $*]{0,4}(?:the |an? )?(?:minus )?[ -]{0,3})"
)
_BEHIND = (
    r"(?=[\s$]{0,3}(?:$|[.,;!)}(√*/°]|π|\\frac|\\sqrt|(?:pi|times|over|degrees?|rad|radians?|(?:cubic|square) \w+"
    r"|units?|cm|mm|m|root|or)\b|\n))"
)
_NUMERALS = re.compile(f"{_VALUE_BEFORE}(?:{_NUMERAL}){_BEHIND}", re.IGNORECASE | re.MULTILINE)
_START = r"(?=[\s$]{0,3}(?:[0-9√π(\\]|" + _FRACTION + "|" + _WHOLE + r"))"
_VALUE_END = r"(?<=[0-9π°})])"
_RADICAND = rf"(?=[\s$]{{0,3}}(?:[0-9]+(?![0-9./ ]*/| (?:over|divided))|{_ONE}))"
_DEGREES_BEHIND = r"(?=[\s$]{0,3}[0-9.]+\s?°)"
_SIGNS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), sign)
    for pattern, sign in (
        (rf"\b(?:the )?(?:positive )?square root of{_RADICAND}", "√ "),
        (rf"\b(?:the )?cube root of{_RADICAND}", "∛ "),
        (rf"{_VALUE_END}[\s$]{{0,3}}\bdivided by\b{_START}", "/ "),
        (rf"\b(?:plus or minus|plus[- ]minus)\b{_START}", "± "),
        (rf"\b(?:negative|neg)\b{_START}", "- "),
        (rf"{_VALUE_BEFORE}twice(?: the)?\b(?=[\s$]{{0,3}}[0-9√\\])", r"\g<before>2* "),
        (rf"{_VALUE_BEFORE}half(?: of)?(?: the)?\b(?=[\s$]{{0,3}}[0-9√\\])", r"\g<before>1/2* "),
        (r"(?<=[0-9]) and (?:a|one) half\b", " 1/2 "),
        (rf"\b(?:the )?cosine of{_DEGREES_BEHIND}", "cos "),
        (rf"\b(?:the )?sine of{_DEGREES_BEHIND}", "sin "),
        (rf"\b(?:the )?tangent of{_DEGREES_BEHIND}", "tan "),
    )
)
_MOST_NUMERALS = 3


def _in_signs(text: str) -> str:
    """Return the text with worded numbers and operations as signs of the grammar; linear in its length."""
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    for _ in range(_MOST_NUMERALS):
        text = _NUMERALS.sub(_written, text)
    return text


def _written(found: re.Match[str]) -> str:
    before = found["before"]
    if found["both"]:
        return f"{before}{_whole(found['count'])} {_fraction(found['rest'])}"
    if found["fraction"]:
        return f"{before}{_fraction(found['fraction'])}"
    if found["decimal"]:
        places = "".join(str(_ONES[word]) for word in found["places"].lower().split())
        return f"{before}{_whole(found['decimal'])}.{places}"
    return f"{before}{_whole(found['whole'])}"


def _fraction(text: str) -> str:
    words = text.lower()
    if words == "half":
        return "1/2"
    upper, _, part = words.replace("-", " ").rpartition(" ")
    return f"{_whole(upper)}/{_PARTS.get(part) or _PARTS[part.removesuffix('s')]}"


def _whole(text: str) -> int:
    value = 0
    for word in text.lower().replace("-", " ").split():
        if word == "hundred":
            value *= 100
        else:
            value += _ONES.get(word) or _TENS.get(word, 0)
    return value
