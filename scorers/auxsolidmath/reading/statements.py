"""Splitting text in plain form into statements, clauses, alternatives and chains.

* A statement ends at a line's end, a full stop, `。`, `;`, `!` or `?`; one that begins with `=` or `≈`, or follows
  one that ends in `:`, `=` or a copula, goes on with the one before.
* Words that negate are cut out with what they negate ("not 5", "rather than 5", 而不是5), and so are subordinate
  clauses ("where AB = 2", 其中...).
* A clause ends at a comma outside brackets, or at a word such as "so" or 所以.
* Copulas ("is", "equals", 为, 等于) count as `=`, "approximately" and 约 as `≈`: a chain is split there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = [
    "Member",
    "alternatives",
    "any_word",
    "chain",
    "clauses",
    "has_number",
    "holds_value",
    "split_outside_brackets",
    "statements",
    "states_equation",
    "without_negated",
    "without_remarks",
]


def any_word(*words: str) -> str:
    """Return a regular expression for one of the words, which are expressions themselves."""
    return rf"\b(?:{'|'.join(words)})\b"


_NEGATED = re.compile(
    r"(?:[,;]|\bor\b|\band\b|或)?(?:(?!或|\bor\b|\band\b)[^,;()。\n]){1,40}"
    r"\((?:舍去?|不合题意|不符合|rejected|discarded|extraneous)[^()\n]{0,40}\)"
    r"|,?\s*(?:\b(?:rejecting|discarding|excluding|ruling out|ignoring)\b|舍去|舍)[^,;()。\n]{0,80}"
    r"|[^,;()。\n≠]{0,40}≠[^,;()。\n]{0,40}"
    r"|\(\s*(?:not|而不是|不是)\b[^()\n]{0,120}\)"
    r"|,?\s*(?:\b(?:and|but|is|are|was|be|which is|it is|it's|that is)\s+)?"
    r"\b(?:not|isn't|never|neither|rather than|instead of)\s"
    r"(?:(?!\bbut\b)[^,;()。\n]|\((?!\s*not)[^()\n]{0,80}\)){0,120}"
    r"|,?(?:而不是|并不是|而非|并非|不是|不等于|不为)[^,;。\n]{0,120}",
    re.IGNORECASE,
)
"""A negation with what it negates."""

_SUBORDINATE = re.compile(
    r"[,(]?\s*(?:"
    + any_word("where", "since", "because", "given", "provided", "assuming", "when", "whenever", "if", "with",
               "using", "as (?:desired|required|the)", "for (?:any|all|every)", "in which",
               "on account of", "due to")
    + r"|\bfor (?=[a-zA-Z]\w?\s*=)|其中|因为|由于|此时|∵)",
    re.IGNORECASE,
)  # fmt: skip
"""Where a clause begins that only says on which terms the rest holds."""

_THEN = re.compile(r"\bthen\b|则|时,", re.IGNORECASE)
"""Where such a clause ends."""

_CONNECTIVE = re.compile(
    r"\s*(?:[,;]\s*)?(?:"
    + any_word("and so", "so that", "so", "and thus", "thus", "and hence", "hence", "and therefore", "therefore",
               "consequently", "which (?:gives|means|implies|yields)", "giving", "yielding", "that is", r"i\.?e",
               "namely", "we (?:get|obtain|have)", "it follows that")
    + r"[.,:]?|[⇒∴]|所以|因此|故|即|从而|于是|可得|解得|得到|则)\s*",
    re.IGNORECASE,
)  # fmt: skip
"""What stands between two clauses of which the second follows from the first."""

_APPROXIMATELY = re.compile(
    r"(?:\b(?:which|that|it)\s+)?\b(?:is|are|equals?|or)?\s*"
    + any_word("approximately", "about", "roughly", "approx", "around", "nearly", "close to", "almost")
    + r"(?:\s+equal(?:s)?(?:\s+to)?)?|(?<![a-zA-Z0-9])~(?=\s*[-0-9])"
    + r"|约等于|大约(?:为|是)?|近似(?:为|等于|值为)|约为|约是|约(?=\s*[-0-9.])",
    re.IGNORECASE,
)
"""What says that a value is not exact."""

_COPULA = re.compile(
    any_word("is equal to", "are equal to", "equal to", "equals", "comes? (?:out )?to(?: be)?", "turns out to be",
             "evaluates to", "amounts to", "works out to", "must be", "should be", "will be", "would be", "can be",
             "to be", "is", "are", "was", "becomes", "it's", "that's")
    + r"|等于|应该是|应该为|应为|为|是|≡|∈",
    re.IGNORECASE,
)  # fmt: skip
"""What says that one thing is another."""

_OR = re.compile(
    r"\s*(?:,\s*)?\b(?:or|and|as well as)\b(?: else| equivalently)?\s*|\s*(?:或者|或|以及|和|与|及)\s*",
    re.IGNORECASE,
)
"""What stands between two values of which both are given."""

_SENTENCE_END = re.compile(r"[\n。;!?]|\.(?=\s|$|\$(?:\s|$))|(?<=[\w)}\]])\.(?=\*|[一-龥])")
_GOES_ON = re.compile(r"(?:[:=≈]|\b(?:is|are|equals|be|as|by)|[为是于])[\s$]*$", re.IGNORECASE)
_CONTINUES = re.compile(r"[\s$]*[=≈]")
_VALUE = re.compile(
    r"[0-9√π∞±]|\\frac|\\sqrt|\b(?:pi|sqrt|arc(?:cos|sin|tan))|[零〇一二两三四五六七八九十百](?!面角|面体|棱|般|定)|根号"
)
_LABELS = re.compile(r"[A-Z](?:_?\{?[0-9]\}?)?'?(?![a-z])")
_COLON = re.compile(r"(?<=[a-zA-Z\u4e00-\u9fa5])(?<![A-Z][0-9a-zA-Z])(?<!\b[a-zA-Z]):(?!\s*[a-zA-Z]\b\s*:)")
_REMARK = re.compile(r"\(((?:[^()]|\([^()]{0,60}\)){1,160})\)")
_NO_REMARK = re.compile(
    r"\\[a-z]+|arc(?:cos|sin|tan)|cos|sin|tan|cot|sqrt|cbrt|root|[零〇一二两三四五六七八九十百千万点又负倍派度]|根号|分之"
)
_REMARK_WORDS = re.compile(r"≈|~|\bi\.?e\b|^\s*[=:]|[A-Za-z]{3,}|[\u4e00-\u9fa5]", re.IGNORECASE)
_EXACTLY = re.compile(
    r"^\s*(?:exactly|precisely|exact value:?|i\.?e\.?,? exactly|精确值为?|准确值为?)", re.IGNORECASE
)
_UNIT_REMARK = re.compile(r"^\s*(?:[cdk]m|mm|m(?=\s?\^))\s?(?:\^\s?\{?[23]\}?|[23])?\s*$")
_DEGREES_REMARK = re.compile(r"^\s*[0-9.]+\s?°\s*$")
_FUNCTION_BEFORE = re.compile(r"(?:^|[-+*/=]|cos|sin|tan|cot|sec|csc)(?:\s?\^\s?\{?-?[0-9]\}?)?\s*$")
_OR_REMARK = re.compile(r"\(\s*(?:or|或)\s*((?:[^()]|\([^()]{0,40}\)){1,80})\)", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<![0-9,.])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One member of a chain; `approximate` when `≈` stands before it."""

    text: str
    approximate: bool


def statements(text: str) -> list[str]:
    """Return the statements that are not empty, in order."""
    result: list[str] = []
    for piece in _SENTENCE_END.split(text):
        if not piece.strip(" $\t"):
            continue
        if result and (_CONTINUES.match(piece) or _GOES_ON.search(result[-1])):
            result[-1] = f"{result[-1]} {piece}"
        else:
            result.append(piece)
    return result


def without_negated(text: str) -> str:
    """Cut out what is negated, with the word that negates it."""
    return _NEGATED.sub(" ", text)


def without_remarks(text: str, letters: frozenset[str] = frozenset()) -> str:
    """Cut out remarks in round brackets: those with words, or an approximation; "(exactly 8/3)" is the answer."""

    def kept(found: re.Match[str]) -> str:
        content = _NO_REMARK.sub(" ", found[1])
        words = [word for word in re.findall(r"[A-Za-z]{3,}", content) if not set(word) <= letters]
        if _UNIT_REMARK.match(found[1]):
            return f" {found[1]} "
        if _DEGREES_REMARK.match(found[1]) and not _FUNCTION_BEFORE.search(text[: found.start()]):
            return f" or {found[1]}"
        if _EXACTLY.match(found[1]):
            return _EXACTLY.sub(" = ", found[1])
        bare = re.sub(r"[A-Za-z]+", "", content) if not words else content
        return " " if _REMARK_WORDS.search(bare) or re.search(r"\bi\.?e\b", content) else found[0]

    text = _OR_REMARK.sub(r" or \1", text)
    return _REMARK.sub(kept, text)


def holds_value(text: str) -> bool:
    """Whether there is something like a number in the text."""
    return _VALUE.search(text) is not None


def has_number(text: str) -> bool:
    """Whether a value stands outside labels such as A1 or ABCD-A1B1C1D1."""
    return holds_value(_LABELS.sub("", text))


def states_equation(text: str) -> bool:
    """Whether the text says that something equals, or is, something."""
    return len(chain(text)) > 1


def clauses(statement: str) -> list[str]:
    """Return the clauses of a statement that do not merely say where it holds."""
    kept = [
        _main(piece)
        for part in _CONNECTIVE.split(statement)
        for piece in _without_reasons(split_outside_brackets(part))
    ]
    return [piece for piece in kept if piece.strip(" $,:")]


def _without_reasons(pieces: list[str]) -> list[str]:
    """Leave out what goes on giving the reasons begun behind a value: "12/13 since AC = 5, CC₁ = 12"."""
    for place, piece in enumerate(pieces):
        found = _SUBORDINATE.search(piece)
        if found is not None and holds_value(piece[: found.start()]):
            name = _left_side(piece)
            return pieces[: place + 1] + [
                one for one in pieces[place + 1 :] if _left_side(one) in {"", name} or _THEN.search(one)
            ]
    return pieces


def _left_side(clause: str) -> str:
    left, equals, _ = clause.partition("=")
    return re.sub(r"[\s$]", "", left) if equals else ""


def _main(clause: str) -> str:
    found = _SUBORDINATE.search(clause)
    if found is None:
        return clause
    then = _THEN.search(clause, found.end())
    if not has_number(clause[: found.start()]):
        return clause[then.end() :] if then else ""
    return clause[: found.start()]


def split_outside_brackets(text: str, *, marks: str = ",;", thousands: bool = True) -> list[str]:
    """Split at the marks that no bracket encloses; a comma inside `1,000` is none when `thousands`."""
    kept = {at for found in _THOUSANDS.finditer(text) for at in range(*found.span())} if thousands else set()
    pieces, start, depth = [], 0, 0
    for at, sign in enumerate(text):
        if sign in "([{⦃":
            depth += 1
        elif sign in ")]}⦄":
            depth = max(0, depth - 1)
        elif sign in marks and depth == 0 and at not in kept:
            pieces.append(text[start:at])
            start = at + 1
    return [*pieces, text[start:]]


def alternatives(clause: str) -> list[str]:
    """Split at "or" and "and"."""
    return [piece for piece in _OR.split(clause) if piece.strip(" $")]


def chain(clause: str) -> list[Member]:
    """Split a clause at `=`, `≈`, copulas, and colons behind a word."""
    text = _COPULA.sub("=", _APPROXIMATELY.sub("≈", clause))
    text = _merged(text)
    pieces = re.split(r"([=≈])", text)
    members = [Member(text=pieces[0], approximate=False)]
    members += [
        Member(text=piece, approximate=sign == "≈") for sign, piece in zip(pieces[1::2], pieces[2::2], strict=True)
    ]
    return [member for member in members if member.text.strip(" $,:")]


def _merged(text: str) -> str:
    """Let a run of signs count as one, as `≈` when one of them is."""
    return re.sub(r"[=≈](?:\s*[=≈])+", lambda found: "≈" if "≈" in found[0] else "=", _COLON.sub("=", text))
