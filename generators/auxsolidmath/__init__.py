"""AuxSolidMath: solid-geometry problems with exact answers, diagrams and auxiliary constructions.

Importing and listing load next to nothing, making problems the standard library only; drawing loads Pillow.
"""

from typing import TYPE_CHECKING

from generators import names_from

if TYPE_CHECKING:
    from generators.auxsolidmath.prompts import direct_prompt, split_visual_cot_prompt, visual_cot_prompt
    from generators.auxsolidmath.registry import ListedProblem, list_problems
    from generators.auxsolidmath.source import AuxSolidMathSource, auxiliary_picture, blind_answer

__all__ = [
    "AuxSolidMathSource",
    "ListedProblem",
    "auxiliary_picture",
    "blind_answer",
    "direct_prompt",
    "list_problems",
    "split_visual_cot_prompt",
    "visual_cot_prompt",
]

__getattr__ = names_from(
    __name__,
    {
        "AuxSolidMathSource": "source",
        "ListedProblem": "registry",
        "auxiliary_picture": "source",
        "blind_answer": "source",
        "direct_prompt": "prompts",
        "list_problems": "registry",
        "split_visual_cot_prompt": "prompts",
        "visual_cot_prompt": "prompts",
    },
)
