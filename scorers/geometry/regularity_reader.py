"""Reading whether spots sit exactly on their sites: REGULAR or PERTURBED.

The rules are those of `scorers.geometry.choice_reader`. As there are two labels only, denying one states the other
("not exactly on the sites" is PERTURBED). A regular thing that spots are displaced from ("displaced from the exact
sites") is not a statement of regularity, and a "regular grid" is one only where nothing else is said.
"Regularity" by itself says nothing.
"""

from __future__ import annotations

from scorers.geometry.choice_reader import ChoiceReading, Vocabulary, read_choice

__all__ = ["REGULARITIES", "read_regularity"]

REGULARITIES = ("REGULAR", "PERTURBED")

_FROM_SOMETHING = r"(?<!from )(?<!from the )(?<!from their )(?<!from a )(?<!off the )(?<!off their )(?<!from an )"
_VOCABULARY = Vocabulary(
    {
        "PERTURBED": (
            r"(?:perturb(?:ed|ations?)?|displac(?:ed|ements?)|irregular(?:ly|ity|ities)?|jitter(?:ed|ing)?|"
            r"distort(?:ed|ions?)|disorder(?:ed)?|shifted|offsets?|deviat(?:es?|ing|ions?)|imperfect(?:ly|ions?)?|"
            r"misaligned|moved)\b"
        ),
        "REGULAR": (
            rf"{_FROM_SOMETHING}(?:regular(?:ly)?|exact(?:ly)?|perfect(?:ly)?|undisplaced|unperturbed|precise(?:ly)?|"
            r"ideal(?:ly)?|on[ ]the[ ](?:grid|lattice)[ ]sites)\b"
        ),
    },
    names=("regularity", "final_answer", "answer", "classification"),
    opposite={"REGULAR": "PERTURBED", "PERTURBED": "REGULAR"},
    remark=(
        r"(?:regular|exact|perfect|ideal|precise)(?:ly)?\s(?:regular\s)?(?:(?:hexagonal|triangular)\s)?"
        r"(?:grid|lattice|sites?|positions?|pattern|array|arrangement|places?)\b"
    ),
)


def read_regularity(text: str) -> ChoiceReading:
    """Read a regularity from any text."""
    return read_choice(text, _VOCABULARY)
