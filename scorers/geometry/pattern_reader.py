"""Reading the arrangement of spots: HEXAGONAL, GRID, RANDOM, EMPTY or SINGLE.

The rules are those of `scorers.geometry.choice_reader`. Words that count as
HEXAGONAL: hexagonal, hexagon, hex, honeycomb, triangular lattice, close-packed;
GRID: regular grid, rectangular, square lattice, grid;
RANDOM: random, scattered, irregular, disordered, no (clear) pattern, but not "random displacements" of
something else, nor "a few random spots";
EMPTY: empty or blank picture, no spots; SINGLE: only one spot, a single spot, but not "every single spot",
"only one spot missing".
"""

from __future__ import annotations

from scorers.geometry.choice_reader import ChoiceReading, Vocabulary, read_choice

__all__ = ["PATTERNS", "read_pattern"]

PATTERNS = ("RANDOM", "HEXAGONAL", "GRID", "EMPTY", "SINGLE")

_KIND = r"(?:grid|lattice|array|pattern|packing|arrangement|structure|tiling|layout|order(?:ing)?)s?"
_SPOT = r"(?:spots?|dots?|circles?|points?)"
_OF_SOMETHING = (
    r"(?![\s-]+(?:small\s|slight\s)?(?:displace|perturb|shift|jitter|offset|noise|missing|extra|removed|defect|variation|"
    r"deviation|gap|vacanc|additional|spacing))"
)
_MISSING = r"(?!\s(?:is\s|was\s)?(?:missing|absent|displaced|shifted|off|removed|added|extra))"
_VOCABULARY = Vocabulary(
    {
        "HEXAGONAL": (
            r"(?:regular(?:ly)?[\s-]+(?:grid\s)?)?(?:hexagonal(?:ly)?|hexagons?|hex|honeycomb(?:ed)?|close[\s-]packed|"
            rf"triangular(?=[\s-]+{_KIND}\b))(?:[\s-]+(?:close[\s-]+)?(?:packed|{_KIND}))?\b"
        ),
        "GRID": (
            rf"(?:(?:regular|rectangular|square|orthogonal|cartesian|rectilinear)[\s-]+){{1,2}}(?:grid|lattice)s?\b|"
            rf"(?:rectangular|square|orthogonal|rectilinear)[\s-]+{_KIND}\b|rectangular\b|grid\b"
        ),
        "RANDOM": (
            rf"(?<!few )(?<!some )(?<!several )(?<!slight )(?<!minor )(?<!small )(?<!occasional )(?<!additional )"
            rf"random(?:ly|ness)?\b{_OF_SOMETHING}|scattered\b|irregular(?:ly)?\b{_OF_SOMETHING}|disordered\b|unordered\b|"
            r"unstructured\b|haphazard(?:ly)?\b|no[ ](?:(?:clear|discernible|obvious|apparent|particular|"
            r"regular|visible|"
            rf"real|fixed|specific|recogni[sz]able|consistent|underlying)[ ])*{_KIND}\b"
        ),
        "EMPTY": (
            r"(?:image|picture|canvas|field|it)\s(?:is|appears|seems|looks)(?:\sto\sbe)?(?:\s(?:completely|entirely|totally))?"
            rf"\s(?:empty|blank)\b|no\s(?:visible\s|circular\s)?{_SPOT}(?=\s*(?:[.,;!]|$|(?:are\s)?(?:visible|present)|in\sthe))"
        ),
        "SINGLE": (
            rf"(?:only|just|exactly)\s(?:one|1|a\ssingle)\s(?:\w+\s)?{_SPOT}\b{_MISSING}|"
            rf"(?<!every )(?<!each )single\s{_SPOT}\b{_MISSING}"
        ),
    },
    names=("pattern", "arrangement", "classification", "final_answer", "answer"),
    bare={"empty": "EMPTY", "blank": "EMPTY", "none": "EMPTY", "single": "SINGLE", "regular": "GRID"},
)


def read_pattern(text: str) -> ChoiceReading:
    """Read a pattern from any text."""
    return read_choice(text, _VOCABULARY)
