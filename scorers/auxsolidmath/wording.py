"""Words that the locating and the splitting of answers go by, in English and Chinese."""

from __future__ import annotations

import re

__all__ = [
    "ANSWER_CUE",
    "APPROXIMATELY",
    "BEHIND",
    "CONFIRMED",
    "CONNECTIVE",
    "COPULA",
    "DENIED",
    "FILLER",
    "NEGATED",
    "NEGATED_BOX",
    "NOTE",
    "OR",
    "PROSE",
    "REFUTED",
    "SUBORDINATE",
    "SUPPOSED",
    "THEN",
    "UNDETERMINED",
    "WITHDRAWAL",
]


def _english(*words: str) -> str:
    return rf"\b(?:{'|'.join(words)})\b"


_COPULAS = ("is", "are", "equals", "should be", "must be", "would be", "comes out (?:to be|as)", "becomes")

ANSWER_CUE = re.compile(
    r"(?:\b|(?<=_))(?:answer|solution|result)s?\b\"?(?:\s+(?:to|for|of)\b[^.:\n=]{1,80}?)?\s*"
    rf"(?:(?::|=|⇒)|{_english(*_COPULAS)})\s*:?"
    r"|\b(?:final|my)\s+(?:answer|result)\b\s*:?"
    r"|^[ #]{0,12}answer[ ]{0,12}$"
    r"|(?:答案|最终结果|最后结果|结论)(?!不)\s*(?:应该是|应该为|应为|应是|是|为|等于|:)?|(?:^|(?<=[\s。;,]))答\s*:",
    re.IGNORECASE | re.MULTILINE,
)
"""What stands in front of a final answer."""

_WRONG = ("wrong", "incorrect", "not right", "not correct")

WITHDRAWAL = re.compile(
    _english("wait", "actually", "correction", "scratch that", "on second thought", "let me (?:correct|redo|fix)",
             "i made an? (?:mistake|error|slip)", "sorry", "oops", "apologies", "my mistake", "i misread",
             "i miscalculated")
    + rf"|\b(?:that|this|it|which)(?:'s| is| was) (?:{'|'.join(_WRONG)}|a mistake|an error)\b"
    + r"|不对|更正|纠正|抱歉|等一下|算错|有误|搞错|错了|重新计算",
    re.IGNORECASE,
)  # fmt: skip
"""What takes an answer back, or may."""

CONFIRMED = re.compile(
    _english("yes", "confirmed", "confirms", "indeed", "matches", "consistent", "is (?:right|correct)", "all good",
             "checks out", "same")
    + r"|没错|正确|一致|吻合|无误",
    re.IGNORECASE,
)  # fmt: skip
"""What says that a check came out well."""

DENIED = re.compile(
    _english("no", *_WRONG, "mistake", "error", "scratch", "misread", "miscalculated", "oops") + r"|不对|错|有误",
    re.IGNORECASE,
)
"""What says that the answer before is wrong."""

NOTE = re.compile(
    r"^[\s$(*]*(?:note|check|verif|remark|for (?:reference|comparison)|confidence"
    r"|auxiliary (?:line|construction)s?|key (?:idea|step|point)s?|注|检验|验证|说明|辅助线|置信度)",
    re.IGNORECASE,
)
"""How a statement begins that is no conclusion."""

NEGATED = re.compile(
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

NEGATED_BOX = re.compile(
    r"(?:\b(?:not|isn't|never|neither|nor|rather than|instead of|cannot be|can't be)"
    r"(?:\s+(?:equal to|simply|just|be))?"
    r"|\b(?:wrong|incorrect|tempting|mistake)\b[^.,;\n]{0,20}|(?:不是|并非|而非|不等于))[\s$:]*$",
    re.IGNORECASE,
)
"""What stands in front of a box that is not the answer."""

REFUTED = re.compile(
    r"[=≈][^=≈,;]{1,60}\b(?:is|are|was|would be|leads to|gives)\s+(?:impossible|false|absurd|wrong|incorrect"
    r"|a contradiction|not possible|not true)\b|[=≈][^=≈,;]{1,60}\b(?:contradicts|would contradict)\b"
    r"|[=≈][^=≈,;]{1,60}(?:不可能|不成立|矛盾)|\b(?:impossible (?:that|for)|someone might say|one might think)\b"
    r"|\b(?:cannot|can't|can not|could not|couldn't|must not) (?:be|equal)\s+[$-]{0,2}[0-9√\\]",
    re.IGNORECASE,
)
"""What says of a value that it is none of the problem's."""

SUPPOSED = re.compile(
    r"^[\s$(*]*(?:let|assum(?:e|ing)|suppos(?:e|ing)|设|令|假设)"
    r"(?!.*(?:,|\b(?:then|so|thus|hence|therefore|gives?|get)\b|[⇒∴则得有]|所以))",
    re.IGNORECASE | re.DOTALL,
)
"""How a statement begins that only supposes a value."""

_CANNOT = "(?:cannot|can't|can not|(?:am|are) unable to)"

UNDETERMINED = re.compile(
    rf"(?:\b(?:answer|problem|question)\b[^.\n]{{0,40}}\b{_CANNOT} be (?:determined|solved|answered|found|given)\b"
    rf"|\b(?:i|we) {_CANNOT} (?:solve|answer|determine the answer|give an answer)\b"
    r"|\b(?:insufficient|not enough) (?:information|data)\b"
    r"|(?:无法|不能)(?:作答|回答|解答|确定答案|求出答案)|条件不足)"
    r"(?!.*(?:\b(?:but|however|yet|therefore|thus|hence|so)\b|[∴⇒]|所以|因此|故|但))",
    re.IGNORECASE | re.DOTALL,
)
"""What says that no answer is given."""

SUBORDINATE = re.compile(
    r"[,(]?\s*(?:"
    + _english("where", "since", "because", "given", "provided", "assuming", "when", "whenever", "if", "with",
               "using", "as (?:desired|required|the)", "for (?:any|all|every)", "in which",
               "on account of", "due to")
    + r"|\bfor (?=[a-zA-Z]\w?\s*=)|其中|因为|由于|此时|∵)",
    re.IGNORECASE,
)  # fmt: skip
"""Where a clause begins that only says on which terms the rest holds."""

THEN = re.compile(r"\bthen\b|则|时,", re.IGNORECASE)
"""Where such a clause ends."""

CONNECTIVE = re.compile(
    r"\s*(?:[,;]\s*)?(?:"
    + _english("and so", "so that", "so", "and thus", "thus", "and hence", "hence", "and therefore", "therefore",
               "consequently", "which (?:gives|means|implies|yields)", "giving", "yielding", "that is", r"i\.?e",
               "namely", "we (?:get|obtain|have)", "it follows that")
    + r"[.,:]?|[⇒∴]|所以|因此|故|即|从而|于是|可得|解得|得到|则)\s*",
    re.IGNORECASE,
)  # fmt: skip
"""What stands between two clauses of which the second follows from the first."""

APPROXIMATELY = re.compile(
    r"(?:\b(?:which|that|it)\s+)?\b(?:is|are|equals?|or)?\s*"
    + _english("approximately", "about", "roughly", "approx", "around", "nearly", "close to", "almost")
    + r"(?:\s+equal(?:s)?(?:\s+to)?)?|(?<![a-zA-Z0-9])~(?=\s*[-0-9])"
    + r"|约等于|大约(?:为|是)?|近似(?:为|等于|值为)|约为|约是|约(?=\s*[-0-9.])",
    re.IGNORECASE,
)
"""What says that a value is not exact."""

COPULA = re.compile(
    _english("is equal to", "are equal to", "equal to", "equals", "comes? (?:out )?to(?: be)?", "turns out to be",
             "evaluates to", "amounts to", "works out to", "must be", "should be", "will be", "would be", "can be",
             "to be", "is", "are", "was", "becomes", "it's", "that's")
    + r"|等于|应该是|应该为|应为|为|是|≡|∈",
    re.IGNORECASE,
)  # fmt: skip
"""What says that one thing is another."""

OR = re.compile(
    r"\s*(?:,\s*)?\b(?:or|and|as well as)\b(?: else| equivalently)?\s*|\s*(?:或者|或|以及|和|与|及)\s*",
    re.IGNORECASE,
)
"""What stands between two values of which both are given."""

FILLER = re.compile(
    _english("exactly", "just", "simply", "precisely", "only", "equal", "to", "an?", "the", "of", "be", "we",
             "get", "obtain", "have", "has", "gives?", "find", "finally", "value", "indeed", "also", "both",
             "either", "but", "it", "they", "that", "which", "thus", "then", "now")
    + r"\s*|(?:共|总共|大小|值|其)\s*|\s*[:,.]\s*",
    re.IGNORECASE,
)  # fmt: skip
"""A word in front of a value."""

PROSE = re.compile(
    r"(?:(?:∠|△|[A-Z][0-9]?'?(?:_\{?[0-9]\}?)?(?:-?[A-Z][0-9]?'?(?:_\{?[0-9]\}?)?)+"
    r"|[A-Za-z]{2,}|[AIa](?=\s)|[\u4e00-\u9fa5]+|[,'\"$])\s*)+"
)
"""Words and labels such as A1B1C1D1 in front of a value."""

BEHIND = re.compile(
    r"\s*(?:"
    + _english("as", "for", "in", "which", "at", "by", "from", "since", "because", "of", "on", "per",
               "units? long", "long", "high", "wide", "away", "approximately", "total", "respectively",
               "is", "are", "was")
    + r"[^0-9√π]*$|[\u4e00-\u9fa5]+$)",
    re.IGNORECASE,
)  # fmt: skip
"""Words behind a value."""
