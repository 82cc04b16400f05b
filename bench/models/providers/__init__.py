"""The providers: where their models are asked, which environment variables they read, which wire they speak.

Variables are those of the providers' own packages. Wires are imported when a model of that provider is resolved.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.models.providers.base import ProviderAdapter

__all__ = ["DRAWING", "HTTP_KEY", "PROVIDERS", "Provider", "ollama_address"]

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
    user knows. `wire` makes a wire from name, address and environment.
    """

    wire: Callable[[str, str, Mapping[str, str]], ProviderAdapter]
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


def _openai(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.openai import needs_responses  # noqa: PLC0415 - imported when it is used

    if needs_responses(name):
        from bench.models.providers.openai_responses import OpenAIResponses  # noqa: PLC0415

        return OpenAIResponses(provider="openai", name=name, base=base)
    from bench.models.providers.openai import OpenAIChat  # noqa: PLC0415

    limit = "max_completion_tokens"
    return OpenAIChat(provider="openai", name=name, base=base, server="OpenAI", token_limit_field=limit)


def _http(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.openai import OpenAIChat  # noqa: PLC0415

    return OpenAIChat(provider="http", name=name, base=base)


def _azure(name: str, base: str, environ: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.azure import AzureChat  # noqa: PLC0415

    version, bearer = _azure_settings(environ)
    return AzureChat(provider="azure", name=name, base=base, api_version=version, bearer=bearer)


def _anthropic(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.anthropic import Anthropic  # noqa: PLC0415

    return Anthropic(name=name, base=base)


def _gemini(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.gemini import Gemini  # noqa: PLC0415

    return Gemini(name=name, base=base)


def _openrouter(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.openrouter import OpenRouter  # noqa: PLC0415

    return OpenRouter(name=name, base=base)


def _ollama(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.ollama import Ollama  # noqa: PLC0415

    return Ollama(name=name, base=base)


def _openai_edits(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.images import OpenAIImageEdits  # noqa: PLC0415

    return OpenAIImageEdits(name=name, base=base)


def _azure_edits(name: str, base: str, environ: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.images import AzureImageEdits  # noqa: PLC0415

    version, bearer = _azure_settings(environ)
    return AzureImageEdits(name=name, base=base, api_version=version, bearer=bearer)


def _gemini_drawing(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.images import GeminiDrawing  # noqa: PLC0415

    return GeminiDrawing(name=name, base=base)


def _openrouter_drawing(name: str, base: str, _: Mapping[str, str]) -> ProviderAdapter:
    from bench.models.providers.images import OpenRouterDrawing  # noqa: PLC0415

    return OpenRouterDrawing(name=name, base=base)


def _azure_settings(environ: Mapping[str, str]) -> tuple[str | None, bool]:
    version = environ.get("AZURE_OPENAI_API_VERSION") or environ.get("OPENAI_API_VERSION")
    return version or None, "AZURE_OPENAI_API_KEY" not in environ


PROVIDERS: dict[str, Provider] = {
    "anthropic": Provider(wire=_anthropic, keys=("ANTHROPIC_API_KEY",), base="https://api.anthropic.com"),
    "azure": Provider(
        wire=_azure,
        keys=("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_AD_TOKEN"),
        base_variable="AZURE_OPENAI_ENDPOINT",
    ),
    "gemini": Provider(
        wire=_gemini,
        keys=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        base="https://generativelanguage.googleapis.com",
    ),
    # A key meant for OpenAI is never sent to another server: http: has its own variable, and can do without.
    "http": Provider(wire=_http, keys=(HTTP_KEY,), key_optional=True),
    "ollama": Provider(
        wire=_ollama,
        keys=("OLLAMA_API_KEY",),
        key_optional=True,
        base=f"http://127.0.0.1:{OLLAMA_PORT}",
        base_variable="OLLAMA_HOST",
    ),
    "openai": Provider(wire=_openai, keys=("OPENAI_API_KEY",), base="https://api.openai.com/v1"),
    "openrouter": Provider(wire=_openrouter, keys=("OPENROUTER_API_KEY",), base="https://openrouter.ai/api/v1"),
}

DRAWING: dict[str, Callable[[str, str, Mapping[str, str]], ProviderAdapter]] = {
    "azure": _azure_edits,
    "gemini": _gemini_drawing,
    "openai": _openai_edits,
    "openrouter": _openrouter_drawing,
}
"""How a model draws, for the providers whose models do."""
