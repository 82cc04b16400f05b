"""Gemini generateContent."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from bench.errors import UserError
from bench.models.json_values import JsonObject, JsonValue, at, count, encode_json, objects, text_of
from bench.models.providers.base import (
    Adaptation,
    Unreadable,
    adaptation_for,
    base64_text,
    decode_picture,
    media_type,
)
from bench.models.request_errors import RequestError, classify, read_error
from bench.models.types import Message, Request, Response, SamplingParams, Status, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.keys import Key

__all__ = ["Gemini", "GeminiDrawing", "gemini_candidate", "gemini_contents", "judge_gemini"]


TOO_MANY = 429
KEY_REASONS = frozenset({"API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "API_KEY_EXPIRED"})
SECONDS = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s")
NO_LIMIT_LEFT = re.compile(r"limit: 0\b")


def judge_gemini(status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
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


EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
RESOLUTIONS = {"low": "MEDIA_RESOLUTION_LOW", "high": "MEDIA_RESOLUTION_HIGH"}
ULTRA = {"level": "MEDIA_RESOLUTION_ULTRA_HIGH"}
BUDGETED = re.compile(r"gemini-(1|2)\b")
ADAPTABLE: dict[str, Adaptation] = {
    "temperature": Adaptation(action="drop", path="generationConfig.temperature"),
    "mediaResolution": Adaptation(action="drop", path="generationConfig.mediaResolution"),
    "media_resolution": Adaptation(action="drop", path="generationConfig.mediaResolution"),
}
REFUSED = frozenset(
    {
        *("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "ESCALATION"),
        *("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "PUP_LIMITED_DISABLED"),
    }
)
TRUNCATED = frozenset({"MAX_TOKENS", "CONTINUATION"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Gemini:
    """The generateContent interface; `base` is the server's address without `/v1beta`."""

    name: str
    base: str

    provider: ClassVar[str] = "gemini"
    version: ClassVar[str] = "gemini-generate-content/1 v1beta"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        name = quote(self.name.removeprefix("models/"), safe="")
        return f"{self.base.removesuffix('/v1beta')}/v1beta/models/{name}:generateContent"

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the key; never in the address, which shows up in logs."""
        return {"x-goog-api-key": key.reveal()} if key else {}

    def check(self, sampling: SamplingParams, *, structured: bool) -> None:  # noqa: ARG002 - schemas are passed on
        """Refuse an effort that this generation has no word for."""
        effort = sampling.reasoning_effort
        if effort is None:
            return
        if BUDGETED.match(self.name):
            raise UserError(f"{self.name} takes a thinking budget, no --reasoning-effort: leave the option out")
        if effort not in EFFORTS:
            raise UserError(f"{self.name} takes --reasoning-effort {', '.join(EFFORTS)}, got {effort!r}")

    def body(self, request: Request) -> JsonObject:
        """Return the request body; pictures follow their turn's text."""
        body: JsonObject = {"contents": gemini_contents(request, detail=self._detail(request.sampling))}
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        if system:
            body["systemInstruction"] = {"parts": [{"text": system}]}
        if config := _generation_config(request, self._detail(request.sampling)):
            body["generationConfig"] = config
        return body

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body as JSON."""
        return encode_json(body)

    def reply(self, answer: JsonObject) -> Response:
        """Read the first candidate: its text parts, without the thoughts."""
        parts, reason = gemini_candidate(answer)
        text = "".join(part["text"] for part in parts if text_of(part.get("text")))
        return Response(
            status=_status(reason, text),
            text=text,
            served_model=text_of(answer.get("modelVersion")),
            finish_reason=reason,
            usage=self.usage(answer),
        )

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts; output includes the thoughts, as with the other providers."""
        usage = answer.get("usageMetadata")
        said, thought = count(usage, "candidatesTokenCount"), count(usage, "thoughtsTokenCount")
        return Usage(
            input_tokens=count(usage, "promptTokenCount"),
            output_tokens=None if said is None and thought is None else (said or 0) + (thought or 0),
            reasoning_tokens=thought,
            cached_tokens=count(usage, "cachedContentTokenCount"),
        )

    def fault(self, status: int, headers: Mapping[str, str], answer: JsonValue) -> RequestError:
        """Judge an error answer by its typed details."""
        return judge_gemini(status, headers, answer)

    def adaptation(self, fault: RequestError) -> Adaptation | None:
        """Return what to change when the server refuses a field that the question can do without."""
        return adaptation_for(fault, ADAPTABLE)

    def _detail(self, sampling: SamplingParams) -> str | None:
        return None if BUDGETED.match(self.name) else sampling.image_detail


def gemini_contents(request: Request, *, detail: str | None) -> list[JsonObject]:
    """Return the turns but the system's; the assistant is called "model"."""
    return [_content(message, detail) for message in request.messages if message.role != "system"]


def gemini_candidate(answer: JsonObject) -> tuple[list[JsonObject], str | None]:
    """Return the parts of the first candidate that are no thoughts, and why it ended.

    Raises:
        Unreadable: There is neither a candidate nor a reason why the prompt was blocked.
    """
    candidate = at(answer, "candidates", 0)
    if not isinstance(candidate, dict):
        blocked = text_of(at(answer, "promptFeedback", "blockReason"))
        if blocked is None:
            raise Unreadable("the answer has no candidates")
        return [], f"PROMPT_{blocked}"
    parts = objects(at(candidate, "content", "parts"))
    said = [part for part in parts if not part.get("thought")]
    return said, text_of(candidate.get("finishReason"))


def _content(message: Message, detail: str | None) -> JsonObject:
    parts: list[JsonObject] = [{"text": message.text}] if message.text else []
    parts += [_picture(picture, detail) for picture in message.pictures]
    return {"role": "model" if message.role == "assistant" else "user", "parts": parts}


def _picture(picture: bytes, detail: str | None) -> JsonObject:
    part: JsonObject = {"inlineData": {"mimeType": media_type(picture), "data": base64_text(picture)}}
    return {**part, "mediaResolution": ULTRA} if detail == "original" else part


def _generation_config(request: Request, detail: str | None) -> JsonObject:
    sampling = request.sampling
    config: JsonObject = {}
    if sampling.temperature is not None:
        config["temperature"] = sampling.temperature
    if sampling.max_tokens is not None:
        config["maxOutputTokens"] = sampling.max_tokens
    if sampling.reasoning_effort is not None:
        config["thinkingConfig"] = {"thinkingLevel": sampling.reasoning_effort.upper()}
    if detail in RESOLUTIONS:
        config["mediaResolution"] = RESOLUTIONS[detail]
    if request.schema is not None:
        config |= {"responseMimeType": "application/json", "responseJsonSchema": request.schema}
    return config


def _status(reason: str | None, text: str) -> Status:
    if reason in REFUSED or (reason or "").startswith("PROMPT_"):
        return "refused"
    if reason in TRUNCATED:
        return "truncated"
    if not text and reason not in {"STOP", None}:
        raise Unreadable(f"the candidate has no text and ended as {reason!r}")
    return "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiDrawing(Gemini):
    """A Gemini model that may answer with pictures."""

    version: ClassVar[str] = "gemini-drawing/1 v1beta"

    def body(self, request: Request) -> JsonObject:
        """Return the request body, with pictures allowed in the answer."""
        body = Gemini.body(self, request)
        config = body.setdefault("generationConfig", {})
        config.pop("mediaResolution", None)
        config["responseModalities"] = ["TEXT", "IMAGE"]
        return body

    def reply(self, answer: JsonObject) -> Response:
        """Read the first candidate's text and pictures."""
        parts, reason = gemini_candidate(answer)
        pictures = tuple(decode_picture(data) for part in parts if (data := _inline(part)))
        if pictures and reason in {None, "STOP"}:
            answer = {**answer, "candidates": [_with_text(answer["candidates"][0])]}
        return replace(Gemini.reply(self, answer), pictures=pictures)

    def usage(self, answer: JsonObject) -> Usage:
        """Read token counts, those of pictures apart."""
        return replace(Gemini.usage(self, answer), image_output_tokens=_image_tokens(answer))


def _inline(part: JsonObject) -> str | None:
    return text_of(at(part, "inlineData", "data"))


def _with_text(candidate: JsonObject) -> JsonObject:
    """Return a candidate that counts as ended well: a picture alone is an answer."""
    return {**candidate, "finishReason": "STOP"}


def _image_tokens(answer: JsonObject) -> int | None:
    details = objects(at(answer, "usageMetadata", "candidatesTokensDetails"))
    images = [detail for detail in details if detail.get("modality") == "IMAGE"]
    return count(images[0], "tokenCount") if images else None
