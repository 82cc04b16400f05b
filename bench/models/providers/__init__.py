"""The providers: where their models are asked, which environment variables they read, which adapter they need.

Variables are those of the packages of the providers. An adapter is imported when one of its models is resolved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypedDict

from bench.errors import UserError

if TYPE_CHECKING:
    from bench.models.providers.base import ProviderAdapter

__all__ = ["DRAWING", "HTTP_KEY", "PROVIDERS", "Provider", "ollama_address"]

AdapterMaker = Callable[[str, str, Mapping[str, str]], "ProviderAdapter"]
"""Makes an adapter from a model's name, its server's address and the environment."""


class AzureSettings(TypedDict):
    """What the environment says of Azure: the version of its interface, and whether the key is a token."""

    api_version: str | None
    bearer: bool


HTTP_KEY = "EYECHART_API_KEY"
OLLAMA_PORT = 11434


HOST_AND_PORT = re.compile(
    r"\[(?P<v6>[0-9A-Fa-f:.]+)\](?::(?P<port>[0-9]+))?"
    r"|(?P<bare>[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)"
    r"|(?P<name>[^:\[\]]*)(?::(?P<port_of_name>[0-9]+))?"
)
REACHABLE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - compared, not bound
"""Where a server that listens everywhere is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One provider.

    `keys` are tried in turn. `base` is the address, or a variable's name with `base_variable`; None where only the
    user knows. `adapter` makes an adapter from name, address and environment.
    """

    adapter: AdapterMaker
    keys: tuple[str, ...]
    key_optional: bool = False
    base: str | None = None
    base_variable: str | None = None


def ollama_address(host: str) -> str:
    """Return the address that an `OLLAMA_HOST` means: `host`, `host:port`, `:port`, or a whole URL.

    A host may be an IPv6 address, which needs brackets where a port follows. An address with a user or a password
    comes back as it is, for the check of addresses to refuse.

    Raises:
        UserError: It is none of these.
    """
    scheme, separator, rest = host.strip().rpartition("://")
    address = f"{scheme if separator else 'http'}://"
    if "@" in rest:
        return address + rest
    place, slash, path = rest.rstrip("/").partition("/")
    found = HOST_AND_PORT.fullmatch(place)
    if found is None:
        raise UserError(f"OLLAMA_HOST must be HOST, HOST:PORT or an address, got {host!r}")
    name, port = found["v6"] or found["bare"] or found["name"] or "", found["port"] or found["port_of_name"]
    default = {"https": "443", "http": "80"}.get(scheme, str(OLLAMA_PORT))
    reachable = REACHABLE.get(name, f"[{name}]" if ":" in name else name)
    return f"{address}{reachable}:{port or default}{slash}{path}"


def _made(module: str, kind: str, **settings: str) -> AdapterMaker:
    """Return what imports an adapter's module when it is used, and makes the adapter."""

    def make(name: str, base: str, environ: Mapping[str, str]) -> ProviderAdapter:  # noqa: ARG001
        adapter = getattr(import_module(f"{__name__}.{module}"), kind)
        made: ProviderAdapter = adapter(name=name, base=base, **settings)
        return made

    return make


def _openai(name: str, base: str, environ: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.openai import needs_responses  # noqa: PLC0415 - imported when it is used

    if needs_responses(name):
        return _made("openai_responses", "OpenAIResponses", provider="openai")(name, base, environ)
    limit = "max_completion_tokens"
    chat = _made("openai", "OpenAIChat", provider="openai", server="OpenAI", token_limit_field=limit)
    return chat(name, base, environ)


def _azure(name: str, base: str, environ: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.azure import AzureChat  # noqa: PLC0415

    return AzureChat(provider="azure", name=name, base=base, **_azure_settings(environ))


def _azure_edits(name: str, base: str, environ: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.azure import AzureImageEdits  # noqa: PLC0415

    return AzureImageEdits(name=name, base=base, **_azure_settings(environ))


def _azure_settings(environ: Mapping[str, str]) -> AzureSettings:
    version = environ.get("AZURE_OPENAI_API_VERSION") or environ.get("OPENAI_API_VERSION")
    return {"api_version": version or None, "bearer": "AZURE_OPENAI_API_KEY" not in environ}


PROVIDERS: dict[str, Provider] = {
    "anthropic": Provider(
        adapter=_made("anthropic", "Anthropic"), keys=("ANTHROPIC_API_KEY",), base="https://api.anthropic.com"
    ),
    "azure": Provider(
        adapter=_azure,
        keys=("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"),
        base_variable="AZURE_OPENAI_ENDPOINT",
    ),
    "gemini": Provider(
        adapter=_made("gemini", "Gemini"),
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        base="https://generativelanguage.googleapis.com",
    ),
    # A key meant for OpenAI is never sent to another server: http: has its own variable, and can do without.
    "http": Provider(adapter=_made("openai", "OpenAIChat", provider="http"), keys=(HTTP_KEY,), key_optional=True),
    "ollama": Provider(
        adapter=_made("ollama", "Ollama"),
        keys=("OLLAMA_API_KEY",),
        key_optional=True,
        base=f"http://127.0.0.1:{OLLAMA_PORT}",
        base_variable="OLLAMA_HOST",
    ),
    "openai": Provider(adapter=_openai, keys=("OPENAI_API_KEY",), base="https://api.openai.com/v1"),
    "openrouter": Provider(
        adapter=_made("openrouter", "OpenRouter"),
        keys=("OPENROUTER_API_KEY",),
        base="https://openrouter.ai/api/v1",
    ),
}

DRAWING: dict[str, AdapterMaker] = {
    "azure": _azure_edits,
    "gemini": _made("gemini", "GeminiDrawing"),
    "openai": _made("images", "OpenAIImageEdits"),
    "openrouter": _made("openrouter", "OpenRouterDrawing"),
}
"""How a model draws, for the providers whose models do."""
