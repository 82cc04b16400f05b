"""AuxSolidMath: solid-geometry problems with exact answers, diagrams and auxiliary constructions.

Importing, listing and making problems load the standard library only; drawing loads Pillow.
"""

from generators.auxsolidmath.prompts import direct_prompt, split_visual_cot_prompt, visual_cot_prompt
from generators.auxsolidmath.source import (
    AuxSolidMathSource,
    ProblemRef,
    auxiliary_picture,
    blind_answer,
    list_problems,
)

__all__ = [
    "AuxSolidMathSource",
    "ProblemRef",
    "auxiliary_picture",
    "blind_answer",
    "direct_prompt",
    "list_problems",
    "split_visual_cot_prompt",
    "visual_cot_prompt",
]
