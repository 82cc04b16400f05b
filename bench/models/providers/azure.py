"""Azure OpenAI, chat completions and image edits: bodies of OpenAI under the addresses and keys of Azure.

Follows the Azure OpenAI API lifecycle page (2026): without a dated version the v1 interface
`{endpoint}/openai/v1/`, whose `model` is the deployment's name; with one the classic
`{endpoint}/openai/deployments/{deployment}/…?api-version=…`. Content filters answer 400 (the prompt) or a
finish reason (the answer); the spelling of their details varies, their code does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from bench.models.keys import bearer_headers
from bench.models.providers.images import OpenAIImageEdits
from bench.models.providers.openai import OpenAIChat

if TYPE_CHECKING:
    from bench.models.keys import Key

__all__ = ["AzureChat", "AzureImageEdits", "azure_headers", "azure_url"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureChat(OpenAIChat):
    """Chat completions of a deployment; `base` is the resource's endpoint, `name` the deployment.

    `bearer` sends the key as an Entra token.
    """

    server: str = "Azure"
    token_limit_field: str = "max_completion_tokens"  # noqa: S105 - a field name, not a password
    api_version: str | None = None
    bearer: bool = field(default=False)

    version: ClassVar[str] = "azure-chat/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return azure_url(self.base, self.name, "chat/completions", api_version=self.api_version)

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the `api-key` header, or the bearer header of a token."""
        return azure_headers(key, bearer=self.bearer)


def azure_url(endpoint: str, deployment: str, path: str, *, api_version: str | None) -> str:
    """Return the address of `path` for a deployment: v1 without a version, classic with one."""
    root = endpoint.removesuffix("/openai/v1").removesuffix("/openai")
    if api_version is None:
        return f"{root}/openai/v1/{path}"
    version = quote(api_version, safe="")
    return f"{root}/openai/deployments/{quote(deployment, safe='')}/{path}?api-version={version}"


def azure_headers(key: Key | None, *, bearer: bool) -> dict[str, str]:
    """Return the header that carries a key or an Entra token."""
    if bearer:
        return bearer_headers(key)
    return {"api-key": key.reveal()} if key else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureImageEdits(OpenAIImageEdits):
    """Image edits of an Azure deployment; `base` is the resource's endpoint."""

    provider: str = "azure"
    server: str = "Azure"
    api_version: str | None = None
    bearer: bool = False

    version: ClassVar[str] = "azure-image-edits/1"

    @property
    def url(self) -> str:
        """Where requests are posted."""
        return azure_url(self.base, self.name, "images/edits", api_version=self.api_version)

    def headers(self, key: Key | None) -> dict[str, str]:
        """Return the `api-key` header, or the bearer header of a token."""
        return azure_headers(key, bearer=self.bearer)
