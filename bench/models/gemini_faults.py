"""Gemini's errors: a status, and typed details that say what kind of limit was met.

Follows the troubleshooting page of the Gemini documentation (2026) and the error bodies that users reported:
`google.rpc` ErrorInfo, QuotaFailure and RetryInfo, at times inside a list of one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bench.models.faults import Fault, classify, read_error
from bench.models.json_values import at, objects, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.json_values import JsonObject, JsonValue

__all__ = ["judge_gemini"]

TOO_MANY = 429
KEY_REASONS = frozenset({"API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "API_KEY_EXPIRED"})
SECONDS = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s")
NO_LIMIT_LEFT = re.compile(r"limit: 0\b")


def judge_gemini(status: int, headers: Mapping[str, str], answer: JsonValue) -> Fault:
    """Judge an error answer: a day's quota or one of zero cannot be waited for, a minute's can."""
    error = read_error(answer)
    details = _details(answer)
    fault = classify(status, headers, error, server="Gemini")
    if any(text_of(detail.get("reason")) in KEY_REASONS for detail in details):
        return replace(fault, kind="auth", retryable=False)
    if status != TOO_MANY:
        return fault
    if _spent(error.message, details):
        return replace(fault, kind="quota", retryable=False, wait_s=None)
    delays = [SECONDS.fullmatch(str(detail.get("retryDelay"))) for detail in details]
    wait_s = next((float(delay[1]) for delay in delays if delay), fault.wait_s)
    return replace(fault, wait_s=wait_s)


def _spent(message: str, details: list[JsonObject]) -> bool:
    violations = [violation for detail in details for violation in objects(detail.get("violations"))]
    daily = any("PerDay" in str(violation.get("quotaId")) for violation in violations)
    return daily or NO_LIMIT_LEFT.search(message) is not None


def _details(answer: JsonValue) -> list[JsonObject]:
    body = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    return objects(at(body, "error", "details"))
