"""What OpenAI's two interfaces for text share: who is asked, the key's header, the settings, the encoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.json_values import JsonObject, encode_json
from bench.models.keys import bearer_headers
from bench.models.openai_names import check_openai_effort

if TYPE_CHECKING:
    from bench.models.keys import Key
    from bench.models.protocol import Sampling

__all__ = ["OpenAIWire"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIWire:
    """The common part of a wire; `base` is the server's address up to and without the interface's own path."""

    provider: str
    name: str
    base: str

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the bearer header, or none without a key."""
        return bearer_headers(key)

    def check(self, sampling: Sampling, *, structured: bool) -> None:  # noqa: ARG002 - schemas are passed on
        """Refuse an effort that this model cannot take."""
        check_openai_effort(self.name, sampling.reasoning_effort)

    def encode(self, body: JsonObject) -> tuple[bytes, str]:
        """Return the body as JSON."""
        return encode_json(body)
