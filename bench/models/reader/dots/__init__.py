"""Dot images: spots to sub-pixel places, their lattice, answers in the form that each prompt asks for.

Here is what a prompt asks: the task, by the form of answer it wants, and the scale it states.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

__all__ = ["DotQuestion", "Question", "parse_question"]

Question = Literal["COUNT", "LOCATE", "PATTERN", "SIZE", "SIZE RANGE", "DEFECT", "SPACING", "REGULARITY"]

_FORMS: tuple[tuple[str, Question], ...] = (
    (r"^COUNT: <", "COUNT"),
    (r"^x, y$", "LOCATE"),
    (r"^PATTERN: <", "PATTERN"),
    (r"^DIAMETER: <", "SIZE"),
    (r"^SMALLEST: <", "SIZE RANGE"),
    (r"^DEFECTS: <", "DEFECT"),
    (r"^SPACING: <", "SPACING"),
    (r"^REGULARITY: <", "REGULARITY"),
)
_SCALE = re.compile(r"One pixel is (\d{1,6}(?:\.\d{1,9})?(?:e[+-]?\d{1,2})?) micrometers wide")


@dataclass(frozen=True, slots=True, kw_only=True)
class DotQuestion:
    """A question about a dot image; `um_per_px` is None where the prompt states no scale."""

    question: Question
    um_per_px: float | None


def parse_question(prompt: str) -> DotQuestion | None:
    """Return what the prompt asks, None when it asks for none of the forms that are known."""
    questions = [question for form, question in _FORMS if re.search(form, prompt, re.MULTILINE)]
    if len(questions) != 1:
        return None
    scale = _SCALE.search(prompt)
    return DotQuestion(question=questions[0], um_per_px=float(scale[1]) if scale and float(scale[1]) > 0 else None)
