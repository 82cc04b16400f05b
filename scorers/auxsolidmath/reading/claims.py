"""Reading one value out of a statement.

The last clause with a value counts. In a chain `a = b = c ≈ d` the last exact member is the answer and an
approximation only supports it; a decimal that is an earlier member rounded counts as an approximation, too, even
behind `=`. Bare values in a row ("5, 6", "5 or 6"), and values of one name ("x = 2, x = -2"), are alternatives:
all are kept. A member is read wholly or not at all; only words before and behind it, and a remark in brackets,
are taken off. Words next to a value that make it another value ("twice 5"), a bound ("less than 5") or the number
of a step ("case 5") are not: such a value is not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scorers.auxsolidmath.exact.value import ARCS, letters_of, rounded, rounds_to
from scorers.auxsolidmath.reading.grammar import MAX_CHARS, Quantity, parse_quantity
from scorers.auxsolidmath.reading.statements import (
    alternatives,
    any_word,
    chain,
    clauses,
    has_number,
    holds_value,
    states_equation,
    without_remarks,
)
from scorers.auxsolidmath.reading.tokens import SyntaxFault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from scorers.auxsolidmath.reading.locating import Located
    from scorers.auxsolidmath.reading.statements import Member

    T = TypeVar("T")

__all__ = ["Claim", "claims_of", "named_claims", "read_located", "read_member"]

_OF_ANGLES = frozenset({"cos", "sin", "tan"})
_MOST_CLAIMS = 12
_MOST_STATEMENT_CHARS = 1_500
_OPTION = re.compile(r"^(?:\([A-D]\)|[A-D][.)])\s+(?=\S)")
_SIGNS = re.compile(r"[±∓]")
_LETTERED = re.compile(r"^(?:\(?[A-Ea-e]\)\s*:?|[A-E][.:])\s*(?![-+*/])")
_FILLER = re.compile(
    any_word("exactly", "just", "simply", "precisely", "only", "equal", "to", "an?", "the", "of", "be", "we",
             "get", "obtain", "have", "has", "gives?", "find", "finally", "value", "indeed", "also", "both",
             "either", "but", "it", "they", "that", "which", "thus", "then", "now")
    + r"\s*|(?:共|总共|大小|值|其)\s*|\s*[:,.]\s*",
    re.IGNORECASE,
)  # fmt: skip
"""A word in front of a value."""

_PROSE = re.compile(
    r"(?:(?:∠|△|[A-Z][0-9]?'?(?:_\{?[0-9]\}?)?(?:-?[A-Z][0-9]?'?(?:_\{?[0-9]\}?)?)+"
    r"|[A-Za-z]{2,}|[AIa](?=\s)|[\u4e00-\u9fa5]+|[,'\"$])\s*)+"
)
"""Words and labels such as A1B1C1D1 in front of a value."""

_TAIL = re.compile(
    r"\s*(?:"
    + any_word("as", "for", "in", "which", "at", "by", "from", "since", "because", "of", "on", "per",
               "units? long", "long", "high", "wide", "away", "approximately", "total", "respectively",
               "is", "are", "was")
    + r"[^0-9√π]*$|[\u4e00-\u9fa5]+$)",
    re.IGNORECASE,
)  # fmt: skip
"""Words behind a value."""

_NUMERALS = (
    "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    "|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|point"
)
_BOUNDS = (
    r"(?:at (?:least|most)|up to|(?:more|less|greater|smaller|larger|fewer|lower|higher|bigger|other) than|over"
    r"|under|above|below|beyond|exceed(?:s|ing)?|between|not reach(?:ing)?|小于|大于|少于|多于|超过|低于|高于|至少"
    r"|至多|最多|不到|不足|不超过|不小于|不大于)"
)
_CHANGING = (
    r"(?:negative|neg|minus|plus|twice|thrice|double|triple|half|times|reciprocal|inverse|squared?|cubed?|root"
    r"|opposite|supplement|complement|log|ln|lg|负数|平方根|倒数|相反数|补角|余角|一半)"
)
_NUMBERED = (
    r"(?:steps?|figure|fig|case|theorem|lemma|part|option|question|problem|equation|eq|section|method|example|claim"
    r"|exercise|choice|image|diagram|page|no|number|步骤|图|情况|定理|选项|方法|例|第)"
)
_BETWEEN = r"(?:[\s$'\"]|\b(?:of|the|an?|than|to|exactly|by|and|or)\b|[的为是])*"
_CHANGED_BEFORE = re.compile(
    rf"(?:\b|(?<=[\u4e00-\u9fa5]))(?:{_NUMERALS}|{_BOUNDS}|{_CHANGING}|{_NUMBERED}){_BETWEEN}$", re.IGNORECASE
)
_BOUND_BEFORE = re.compile(rf"{_BOUNDS}(?:[\s$]|\b(?:and|or|equal|to)\b|[或等于])*$", re.IGNORECASE)
_CHANGED_BEHIND = re.compile(
    r"^[\s$]*(?:,?\s*(?:or|and)\s+(?:more|less|greater|fewer|higher|lower|above|below|so|beyond|an?\s+(?:half|bit))\b"
    r"|and\s+one\s+half\b|at\s+(?:most|least)\b|的?[^,;。]{0,8}(?:倍|半|平方根|立方根|倒数|相反数|补角|余角|以上|以下|以内))",
    re.IGNORECASE,
)
_ANOTHER = re.compile(
    r"^[\s$]*(?:[A-Za-zα-ω]{1,2}[0-9_']*|\|?[A-Z][A-Z]\|?)\s*(?:\^\s*\{?\s*[2-9]\s*\}?|\s+squared)[\s$]*$"
    r"|^[\s$]*(?:sin|cos|tan)\s*\^\s*\{?\s*2|^[\s$]*[2-9]\s?\*?\s?(?:[A-Za-zα-ω]|[A-Z]{2})(?:_\{?\w+\}?)?[\s$]*$"
    r"|\b(?:square|cube|reciprocal|negative) of\b|^[\s$]*(?:thus|so|hence|therefore)?,?\s*(?:twice|half|double)\b"
    r"|\b(?:a|one|two|three)[- ](?:half|thirds?|quarters?) of\b|\bsquared\s*$"
    r"|(?:的(?:平方|立方|一半|两倍|倒数)|分之[一二三四五])\s*$",
    re.IGNORECASE,
)

_BEFORE = " \t$,:;!?"
_BEHIND_SIGNS = " \t$.,:;!?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One value that is claimed: `name` is what the chain begins with."""

    text: str
    quantity: Quantity
    approximate: bool
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """The claims of one clause; `chained` when it has a sign of equality of its own."""

    claims: tuple[Claim, ...]
    chained: bool
    supporting: bool = False


def claims_of(statement: str, letters: frozenset[str], *, angles: bool = True) -> tuple[Claim, ...]:
    """Return the values that a statement claims: none, one, or several alternatives.

    Without `angles`, an angle that is named ("so θ = 19.47°") is no claim: another quantity is asked for.

    Raises:
        SyntaxFault: there is a value, or an equation, that cannot be read.
    """
    pieces = clauses(without_remarks(statement[-_MOST_STATEMENT_CHARS:], letters))
    kept: list[_Group] = []
    for piece in reversed(pieces):
        try:
            group = _group(piece, letters, angles=angles)
        except SyntaxFault:
            if kept and kept[0].chained:
                break  # what follows states a value of its own
            raise
        if group is None or (group.supporting and not kept and piece is not pieces[0]):
            continue
        if kept and not _in_a_row(group, kept[0]):
            break
        kept.insert(0, group)
    return _of_one_name([claim for group in kept for claim in group.claims])


def _of_one_name(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims that are alternatives of the last one, not other quantities' values."""
    if len(claims) > _MOST_CLAIMS:
        raise SyntaxFault(f"more than {_MOST_CLAIMS} values")
    return tuple(
        claim for claim in claims if not (claim.name and claims[-1].name) or claim.name == claims[-1].name
    )


def named_claims(statement: str, letters: frozenset[str]) -> tuple[Claim, ...]:
    """Return all claims of a statement, of all clauses.

    Raises:
        SyntaxFault: there is a value, or an equation, that cannot be read.
    """
    groups = [
        group
        for clause in clauses(without_remarks(statement[-_MOST_STATEMENT_CHARS:], letters))
        if (group := _group(clause, letters)) is not None
    ]
    return tuple(claim for group in groups if not group.supporting for claim in group.claims)


def read_located(located: Located, read: Callable[[str], T | None]) -> tuple[str, T] | None:
    """Read the first text that holds an answer; a text of the last rule that states none is passed over.

    Raises:
        SyntaxFault: a text holds an answer outside the grammar.
    """
    for text in located.texts:
        try:
            found = read(text)
        except SyntaxFault:
            if located.rule == "last statement" and not states_equation(text):
                continue
            raise
        if found is not None:
            return text, found
    return None


def _in_a_row(earlier: _Group, later: _Group) -> bool:
    if earlier.supporting:
        return False
    if not later.chained:
        return True
    return earlier.chained and bool(later.claims[0].name) and earlier.claims[-1].name == later.claims[0].name


def _group(clause: str, letters: frozenset[str], *, angles: bool = True) -> _Group | None:
    if not holds_value(clause) and not _is_parameters(clause, letters):
        return None
    claims: list[Claim] = []
    prose = ""
    for piece in alternatives(clause):
        claim = _chain_claims(prose + piece, letters)
        if not claim:
            prose = f"{prose}{piece} and "
            if claims and _changed_behind(f" and {piece}"):
                raise SyntaxFault("a value with words behind it that change it")
            continue
        prose = ""
        claims.extend(claim)
    if not angles:
        claims = [claim for claim in claims if not (claim.name and _is_angle(claim))]
    if not claims:
        return None
    members = chain(clause)
    supporting = members[0].approximate and len(members) == 1
    return _Group(claims=tuple(claims), chained=len(members) > 1, supporting=supporting)


def _is_angle(claim: Claim) -> bool:
    expression = claim.quantity.expression
    return expression.operation in ARCS or (claim.quantity.degrees and expression.operation not in _OF_ANGLES)


def _is_parameters(clause: str, letters: frozenset[str]) -> bool:
    return any(re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", clause) for name in letters)


def _chain_claims(piece: str, letters: frozenset[str]) -> tuple[Claim, ...]:
    members = chain(piece)
    if not members or (len(members) > 1 and _names_another(members[0].text)):
        return ()
    name = _name(members[0].text) if len(members) > 1 else ""
    approximation: tuple[Claim, ...] = ()
    for place in reversed(range(len(members))):
        claims = _member_claims(members, place, letters, name)
        if claims and place and _bounds(members[place - 1].text):
            raise SyntaxFault("a bound, where a value is asked for")
        if claims and members[place].approximate:
            approximation = approximation or claims
        elif claims:
            return _exact_before(members[:place], claims, letters, name)
    return approximation


def _name(text: str) -> str:
    return re.sub(r"[\s$_{}]|\d+$", "", text)


def _member_claims(members: Sequence[Member], place: int, letters: frozenset[str], name: str) -> tuple[Claim, ...]:
    """Read one member; the first of several may be a mere name, and a member without a value is passed over."""
    member = members[place]
    is_name = place == 0 and len(members) > 1
    if not holds_value(member.text) and not _is_parameters(member.text, letters):
        return ()
    try:
        quantities = read_member(member.text, letters)
    except SyntaxFault:
        if is_name or not has_number(member.text):
            return ()
        raise
    if is_name and any(letters_of(quantity.expression) - letters for quantity in quantities):
        return ()
    return tuple(
        Claim(text=_stripped(member.text), quantity=quantity, approximate=member.approximate, name=name)
        for quantity in quantities
    )


def _exact_before(
    earlier: Sequence[Member], claims: tuple[Claim, ...], letters: frozenset[str], name: str
) -> tuple[Claim, ...]:
    """Return the member before a decimal that is this member rounded; else the claims."""
    decimal = rounded(claims[0].quantity.expression) if len(claims) == 1 else None
    if decimal is None or decimal.is_whole:
        return claims
    for place in reversed(range(len(earlier))):
        try:
            before = _member_claims(earlier, place, letters, name)
            if (
                len(before) == 1
                and not before[0].approximate
                and rounds_to(before[0].quantity.expression, decimal)
            ):
                return before
        except (SyntaxFault, ArithmeticError):
            return claims
    return claims


def read_member(text: str, letters: frozenset[str]) -> tuple[Quantity, ...]:
    """Read a member as one value, or as two where it has a sign such as `±`; words around it are taken off.

    Raises:
        SyntaxFault: what is left is no value of the grammar.
    """
    stripped = _OPTION.sub("", _stripped(text))
    if len(stripped) > 2 * MAX_CHARS:
        raise SyntaxFault(f"an answer of more than {MAX_CHARS} characters")
    try:
        read = _read_signs(stripped, letters)
        return _without_words(stripped, letters) or read if _strays(read, letters) else read
    except SyntaxFault as fault:
        for candidate in _candidates(stripped):
            try:
                return _read_signs(candidate, letters)
            except SyntaxFault:
                continue
        raise fault from None


def _strays(read: tuple[Quantity, ...], letters: frozenset[str]) -> bool:
    return any(letters_of(quantity.expression) - letters for quantity in read)


def _without_words(text: str, letters: frozenset[str]) -> tuple[Quantity, ...] | None:
    """Read a value behind a short word or an option's letter, which would else count as letters of a product."""
    for candidate in [_LETTERED.sub("", text), *_candidates(text)]:
        try:
            read = _read_signs(candidate, letters)
        except SyntaxFault:
            continue
        if not _strays(read, letters):
            return read
    return None


def _stripped(text: str) -> str:
    """Take off spaces, dollar signs and stops; a pair of quotation marks; never a leading decimal point."""
    bare = text.lstrip(_BEFORE).rstrip(_BEHIND_SIGNS)
    if bare.endswith("}") and bare.count("}") > bare.count("{"):
        bare = bare.removesuffix("}").rstrip(_BEHIND_SIGNS)
    if bare.startswith('"'):
        bare = bare.removeprefix('"').removesuffix('"').strip()
    return bare.removesuffix('"') if bare.endswith('"') and "'" not in bare and "°" not in bare else bare


def _read_signs(text: str, letters: frozenset[str]) -> tuple[Quantity, ...]:
    if not _SIGNS.search(text) and "正负" not in text:
        return (parse_quantity(text, letters),)
    text = text.replace("正负", "±")
    upper = text.replace("±", "+").replace("∓", "-")
    lower = text.replace("±", "-").replace("∓", "+")
    return parse_quantity(upper, letters), parse_quantity(lower, letters)


def _candidates(text: str) -> list[str]:
    """Return the text without words behind, and without words before, too."""
    tail = _TAIL.search(text)
    if tail is not None and _changed_behind(tail[0]):
        return []
    behind = _stripped(_TAIL.sub("", text))
    shorter = behind
    while (filler := _FILLER.match(shorter)) and filler.end():
        shorter = shorter[filler.end() :]
    prose = _PROSE.match(shorter)
    bare = shorter[prose.end() :] if prose else shorter
    candidates = dict.fromkeys([behind, shorter, _stripped(bare)])
    return [one for one in candidates if not _changed_before(behind[: len(behind) - len(one)])]


def _changed_before(text: str) -> bool:
    """Whether the words in front of a value end in one that changes it."""
    return _CHANGED_BEFORE.search(text) is not None


def _bounds(text: str) -> bool:
    """Whether a member of a chain ends in a word that makes the next a bound."""
    return _BOUND_BEFORE.search(text) is not None


def _changed_behind(text: str) -> bool:
    """Whether the words behind a value begin with some that change it."""
    return _CHANGED_BEHIND.search(text) is not None


def _names_another(text: str) -> bool:
    """Whether the left side of an equation is a power, a part or a multiple of what it is about."""
    return _ANOTHER.search(text) is not None
