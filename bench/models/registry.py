"""From `--model SPEC` to a model: which provider is meant, whether its key is there, then its client.

Importing this module imports no HTTP library.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bench.errors import UserError
from bench.models.keys import Key, read_key
from bench.models.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.http_model import HttpModel

__all__ = ["ModelFactory", "ModelName", "parse_spec", "resolve"]

HTTP_KEY = "EYECHART_API_KEY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Where a provider's models are asked; `base` is None where only the user knows."""

    base: str | None
    key: str
    key_optional: bool = False


PROVIDERS: dict[str, Provider] = {
    # A key meant for OpenAI is never sent to another server: http: has its own variable, and can do without.
    "http": Provider(base=None, key=HTTP_KEY, key_optional=True),
    "openai": Provider(base="https://api.openai.com/v1", key="OPENAI_API_KEY"),
}

BARE_NAMES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"gpt-oss"), ("http", "ollama", "openrouter")),
    (re.compile(r"gpt-|chatgpt-|o\d+(-|$)"), ("openai",)),
    (re.compile(r"claude-"), ("anthropic",)),
    (re.compile(r"gemini-"), ("gemini",)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """A model as named on the command line: its provider and its name there."""

    provider: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFactory:
    """A model that is known to be askable, before its client is imported; call it once in each event loop."""

    provider: str
    name: str
    base: str
    key: Key | None
    traffic: Traffic = field(default_factory=Traffic)

    def __call__(self) -> HttpModel:
        """Import the client and return a model."""
        from bench.models.http_model import HttpModel  # noqa: PLC0415 - httpx only when it is used
        from bench.models.openai_chat import OpenAIChat  # noqa: PLC0415

        field_name = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        wire = OpenAIChat(
            provider=self.provider, name=self.name, base=self.base, token_limit_field=field_name
        )
        return HttpModel(wire, key=self.key, traffic=self.traffic)


def resolve(
    spec: str,
    *,
    api_base: str | None = None,
    traffic: Traffic | None = None,
    environ: Mapping[str, str] | None = None,
) -> ModelFactory:
    """Return a factory for the model `spec` names, `provider:name` or a well-known bare name.

    Raises:
        UserError: The spec is unknown or ambiguous, a key is missing or malformed, or an address is.
    """
    model = parse_spec(spec)
    provider = PROVIDERS[model.provider]
    base = _checked_base(api_base or provider.base, spec)
    needed_by = None if provider.key_optional else f"--model={spec}"
    key = read_key(provider.key, os.environ if environ is None else environ, needed_by=needed_by)
    return ModelFactory(
        provider=model.provider, name=model.name, base=base, key=key, traffic=traffic or Traffic()
    )


def parse_spec(spec: str) -> ModelName:
    """Return provider and name of `provider:name`, or of a bare name that only one provider serves.

    Raises:
        UserError: No provider or more than one is meant; the message lists the choices.
    """
    provider, colon, name = spec.partition(":")
    if provider in {"http", "https"} and name.startswith("//"):
        raise UserError(f"--model={spec!r} is an address: write --model=http:NAME --api-base={spec}")
    if colon and provider in PROVIDERS:
        if not name.strip() or name != name.strip():
            raise UserError(f"--model={spec!r} names no model: write {provider}:NAME")
        return ModelName(provider=provider, name=name)
    fitting = _providers_of(spec)
    if len(fitting) == 1 and fitting[0] in PROVIDERS:
        return ModelName(provider=fitting[0], name=spec)
    known = [f"{p}:{spec}" for p in fitting if p in PROVIDERS]
    if known:
        raise UserError(f"--model={spec!r} could be several: write one of {', '.join(known)}")
    raise UserError(
        f"--model={spec!r} is unknown: write PROVIDER:NAME with one of {', '.join(sorted(PROVIDERS))}, "
        "a name beginning with gpt-, o1, o3, o4, claude- or gemini-, or one of blind, oracle, reader"
    )


def _providers_of(name: str) -> tuple[str, ...]:
    return next((providers for pattern, providers in BARE_NAMES if pattern.match(name)), ())


def _checked_base(base: str | None, spec: str) -> str:
    if base is None:
        raise UserError(f"--model={spec} needs --api-base URL, such as http://127.0.0.1:8000/v1")
    try:
        parts = urlsplit(base)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise UserError(f"--api-base is no address: {base!r}") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UserError(f"--api-base must hold no user, password or query; keys come from {HTTP_KEY}")
    if not valid:
        raise UserError(f"--api-base must begin with http:// or https:// and name a host, got {base!r}")
    return base.rstrip("/")
