"""What an OpenAI model's name says about it: the interface it needs and the efforts it takes.

Follows the endpoint tables of the OpenAI model pages as audited in 2026-08, and the effort values of the
openai package 3.57.0. Names that say nothing are taken as able: the server will tell.
"""

from __future__ import annotations

import re

from bench.errors import UserError

__all__ = ["EFFORTS", "check_openai_effort", "needs_responses"]

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
RESPONSES_ONLY = re.compile(
    r"^(o1-pro|o3-pro|gpt-[\d.]+-(?:\w+-)?(?:pro|codex)|codex-|computer-use|.*deep-research)"
)
NO_EFFORT = re.compile(r"^(gpt-4|gpt-3\.5|chatgpt-4o)")


def needs_responses(name: str) -> bool:
    """Return whether the model is served by `/responses` alone."""
    return RESPONSES_ONLY.match(name) is not None


def check_openai_effort(name: str, effort: str | None) -> None:
    """Refuse an effort that no model knows, or any for a model that does not reason.

    Raises:
        UserError: The message names the option and the choices.
    """
    if effort is None:
        return
    if effort not in EFFORTS:
        raise UserError(f"--reasoning-effort must be one of {', '.join(EFFORTS)}, got {effort!r}")
    if NO_EFFORT.match(name):
        raise UserError(f"{name} does not reason and takes no --reasoning-effort: leave the option out")
