"""The prompt of a PlotChain item: question, answer schema with unit hints, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["build_prompt"]

_TEMPLATE = """\
You are given an engineering plot image. Read the plot and answer the question.

Question:
{question}

Return ONLY a single JSON object matching this schema (numbers or null; no strings; no units; no extra keys):
{{
{schema}
}}

Notes:
- Use cp_* fields as intermediate plot reads (checkpoints) that help verify your understanding of the plot.
- If you cannot determine a value, output null for that key.
- IMPORTANT: do NOT output arithmetic expressions like 1025/615; output a decimal number.
"""


def build_prompt(question: str, names: Sequence[str], hints: Mapping[str, str]) -> str:
    """Return the prompt; its text is the published runner's, so that stored replies stay comparable.

    Args:
        question: the item's question.
        names: fields in schema order, final fields first.
        hints: unit texts of the fields that have one; the others are listed without.
    """
    last = len(names) - 1
    lines = (_schema_line(name, hints.get(name), "" if at == last else ",") for at, name in enumerate(names))
    return _TEMPLATE.format(question=question, schema="\n".join(lines))


def _schema_line(name: str, hint: str | None, comma: str) -> str:
    comment = "" if hint is None else f"  // {hint}"
    return f'  "{name}": <number or null>{comment}{comma}'
