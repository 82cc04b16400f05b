"""The three prompts of the task, word for word, and the two-stage form that carries two of them in one text."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "DIRECT_PROMPT",
    "GENERATION_PROMPT",
    "QUESTION_PROMPT",
    "VisualCotPrompt",
    "direct_prompt",
    "split_visual_cot_prompt",
    "visual_cot_prompt",
]

DIRECT_PROMPT = """\
You are given a solid geometry problem with a 3D diagram.

Problem: {question}

Instructions:
1. First, carefully analyze the 3D diagram and identify what auxiliary lines (辅助线)
   need to be drawn to solve this problem. Common auxiliary constructions in solid
   geometry include:
   - Connecting points to form line segments
   - Drawing perpendiculars from a point to a plane or line
   - Finding midpoints and connecting them
   - Extending lines to find intersections
   - Drawing parallel lines through specific points
   - Constructing cross-sections

2. Clearly state which auxiliary lines you will draw and why they are helpful. For example:
   - "Connect point A to point B to form segment AB"
   - "Draw a perpendicular from point P to plane ABC, with foot H"
   - "Take the midpoint M of edge AB, connect M to C"
   - "Extend line DE to intersect plane ABC at point F"

3. After describing the auxiliary lines, provide a step-by-step solution using these
   auxiliary constructions.

4. Show all intermediate calculations and reasoning, including:
   - Distance calculations
   - Angle calculations
   - Volume/area calculations if needed

5. State the final answer clearly.

Please think step by step, starting with the auxiliary line construction."""

GENERATION_PROMPT = """\
You are given a solid geometry problem with a 3D diagram. Analyze the problem
and create an enhanced version of the SAME diagram with auxiliary constructions added.

Problem: {question}

Instructions:
1. KEEP all original elements exactly as they are (all points, edges, faces, labels)
2. Analyze what auxiliary constructions would help solve this problem
3. ADD auxiliary lines in a different color (e.g., red or dashed lines). Common
   auxiliary constructions include:
   - Perpendiculars from a point to a plane or line
   - Line segments connecting specific points
   - Midpoints of edges with connections
   - Extended lines to find intersections
   - Parallel lines through specific points
   - Cross-sections of the solid
4. Label any new points you add (use letters not already in the diagram)
5. The final diagram should look like the original 3D figure with extra auxiliary
   lines drawn on top

Generate an enhanced 3D diagram that preserves the original and adds helpful
auxiliary constructions."""

QUESTION_PROMPT = """\
You are given a solid geometry problem.

Problem: {question}

You are given TWO images:
1) ORIGINAL DIAGRAM: The 3D solid geometry figure as given
2) AUXILIARY DIAGRAM: The same figure with auxiliary constructions (extra lines)
   added to help solve the problem

Instructions:
1. Look at the auxiliary diagram to see what constructions were added
   (perpendiculars, connecting segments, midpoints, etc.)
2. Identify the geometric relationships established by these auxiliary lines
3. Use these constructions to set up your solution approach
4. Apply relevant theorems (Pythagorean theorem in 3D, properties of perpendiculars,
   volume formulas, etc.)
5. Show your step-by-step solution with clear calculations
6. State the final numerical answer

Solve this problem step by step using the auxiliary constructions."""

_HOLE = "{question}"
_OPENING = "[GEN_PROMPT]"
_BETWEEN = "[/GEN_PROMPT]\n[QUESTION]"
_CLOSING = "[/QUESTION]"


@dataclass(frozen=True, slots=True, kw_only=True)
class VisualCotPrompt:
    """What the drawing model is asked (stage 1), and what is asked of both pictures (stage 2)."""

    generation: str
    question: str


def direct_prompt(question: str) -> str:
    """Return the one-stage prompt of a problem."""
    return _filled(DIRECT_PROMPT, question)


def visual_cot_prompt(question: str) -> str:
    """Return both stages in one text: `[GEN_PROMPT]...[/GEN_PROMPT]`, newline, `[QUESTION]...[/QUESTION]`."""
    generation, asked = _filled(GENERATION_PROMPT, question), _filled(QUESTION_PROMPT, question)
    return f"{_OPENING}{generation}{_BETWEEN}{asked}{_CLOSING}"


def split_visual_cot_prompt(text: str) -> VisualCotPrompt:
    """Take a two-stage text apart.

    A text of `visual_cot_prompt` holds the problem twice between known words, so the problem's length follows
    from the text's, and a problem that itself holds any of the tags is split rightly. Any other text needs its
    tags at both ends and exactly one place where the first part ends and the second begins.

    Raises:
        ValueError: a tag is missing, or it is ambiguous where the second part begins.
    """
    length = (len(text) - len(visual_cot_prompt(""))) // 2
    start = len(_OPENING) + GENERATION_PROMPT.index(_HOLE)
    problem = text[start : start + max(length, 0)]
    if text == visual_cot_prompt(problem):
        return VisualCotPrompt(
            generation=_filled(GENERATION_PROMPT, problem), question=_filled(QUESTION_PROMPT, problem)
        )
    return _split_at_tags(text)


def _split_at_tags(text: str) -> VisualCotPrompt:
    stripped = text.strip()
    if not (stripped.startswith(_OPENING) and stripped.endswith(_CLOSING)):
        raise ValueError(
            f"expected a text from {_OPENING} to {_CLOSING}, got {stripped[:40]!r}...{stripped[-40:]!r}"
        )
    parts = stripped[len(_OPENING) : -len(_CLOSING)].split(_BETWEEN)
    if len(parts) != 2:  # noqa: PLR2004 - one text before, one after
        raise ValueError(
            f"expected {_BETWEEN!r} once, found it {len(parts) - 1} times: the stages cannot be told apart"
        )
    return VisualCotPrompt(generation=parts[0], question=parts[1])


def _filled(template: str, question: str) -> str:
    return template.replace(_HOLE, question)
