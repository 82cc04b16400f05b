"""The task's functions over rows of the data set, under the names that evaluation harnesses know.

A row ("doc") has `question`, `original_image`, `answer` and `auxiliary_line_description`; `kind` and `answer_kind`
where they are known. The work is done by the same code that the tests run: prompts, checker, judge.
"""

from __future__ import annotations

import asyncio
import io
import os
from typing import TYPE_CHECKING, Any

from bench.models.resolve import JUDGE, resolve
from bench.models.roles import EXACT, judge_spec
from bench.suites.judge import JudgeQuestion, judge_request, new_nonce, verdict_of
from scorers.judge_verdict import NoVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PIL import Image

    from bench.models.resolve import ModelFactory
    from bench.models.types import Request, Response

__all__ = [
    "auxsolidmath_aggregate",
    "auxsolidmath_doc_to_target",
    "auxsolidmath_doc_to_text",
    "auxsolidmath_doc_to_text_visual_cot",
    "auxsolidmath_doc_to_visual",
    "auxsolidmath_process_results",
]

METRIC = "auxsolidmath_text_acc"
NOT_JUDGED = {"text_ok": None, "reasoning_rigorous": None, "conclusion_correct": None, "text_reason": None}


def auxsolidmath_doc_to_text(doc: Mapping[str, Any], options: Mapping[str, Any] | None = None) -> str:  # noqa: ARG001
    """Return the prompt of direct generation; `options` of the harness change nothing."""
    from generators.auxsolidmath.prompts import direct_prompt  # noqa: PLC0415 - only where it runs

    return direct_prompt(str(doc["question"]))


def auxsolidmath_doc_to_text_visual_cot(
    doc: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,  # noqa: ARG001
) -> str:
    """Return both stages' prompts in `[GEN_PROMPT]...[/GEN_PROMPT][QUESTION]...[/QUESTION]` form."""
    from generators.auxsolidmath.prompts import visual_cot_prompt  # noqa: PLC0415

    return visual_cot_prompt(str(doc["question"]))


def auxsolidmath_doc_to_visual(doc: Mapping[str, Any]) -> list[Image.Image]:
    """Return the original diagram as one RGB picture on white.

    `original_image` is a Pillow image, a file's bytes, or a mapping with them under `bytes`.

    Raises:
        OSError: the bytes are no picture.
        TypeError: it is something else.
    """
    from PIL import Image  # noqa: PLC0415

    given = doc["original_image"]
    data = given.get("bytes") if isinstance(given, dict) else given
    if isinstance(data, bytes):
        data = Image.open(io.BytesIO(data))
    if not isinstance(data, Image.Image):
        raise TypeError(f"original_image: expected a picture or its bytes, got {type(data).__name__}")
    over = data.convert("RGBA")
    white = Image.new("RGB", over.size, "white")
    white.paste(over, mask=over.getchannel("A"))
    return [white]


def auxsolidmath_doc_to_target(doc: Mapping[str, Any]) -> str:
    """Return the reference answer."""
    return str(doc["answer"])


def auxsolidmath_process_results(
    doc: Mapping[str, Any], results: Sequence[str], *, judge: str = EXACT
) -> dict[str, dict[str, Any]]:
    """Judge one solution; `judge` is what --judge takes.

    Each part is True, False, or None where it is not judged; `unscored` says why. Under "exact" only the
    conclusion of a calculation is.

    Raises:
        UserError: the judge is unknown, or its key or address is missing.
    """
    text = str(results[0]) if results else ""
    return {METRIC: _exact(doc, text) if judge == EXACT else _judged(doc, text, judge)}


def auxsolidmath_aggregate(results: Iterable[Mapping[str, Any]]) -> float | None:
    """Return the share of solutions whose reasoning and conclusion hold, of those judged; None without one."""
    known = [bool(result["text_ok"]) for result in results if result["text_ok"] is not None]
    return sum(known) / len(known) if known else None


def _exact(doc: Mapping[str, Any], text: str) -> dict[str, Any]:
    from scorers.auxsolidmath import score_exact  # noqa: PLC0415

    kind, answer_kind = str(doc.get("kind") or "CALCULATION"), str(doc.get("answer_kind") or "number")
    found = score_exact(text, gold=str(doc["answer"]), answer_kind=answer_kind, kind=kind)
    if found.check is None:
        why = None if found.unscored is None else found.unscored.why
        return {**NOT_JUDGED, "unscored": why}
    said = {"conclusion_correct": found.check.matched, "text_reason": found.check.why}
    return {**NOT_JUDGED, **said, "unscored": "the reasoning is judged by a model only"}


def _judged(doc: Mapping[str, Any], text: str, judge: str) -> dict[str, Any]:
    question = JudgeQuestion(
        problem=str(doc["question"]),
        kind=str(doc.get("kind") or "CALCULATION"),
        construction=str(doc.get("auxiliary_line_description") or ""),
        answer=str(doc["answer"]),
    )
    factory = resolve(judge_spec(judge, os.environ), options=JUDGE)
    verdict = verdict_of(asyncio.run(_asked(factory, judge_request(question, text, nonce=new_nonce()))))
    if isinstance(verdict, NoVerdict):
        return {**NOT_JUDGED, "unscored": verdict.why}
    parts = {name: getattr(verdict, name) for name in NOT_JUDGED}
    return {**parts, "unscored": None}


async def _asked(factory: ModelFactory, request: Request) -> Response:
    model = factory()
    try:
        return await model.ask(request)
    finally:
        await model.close()
