"""From `--model SPEC` to a model: its provider, its key and its client, or an offline model."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit

from bench.errors import UserError, without_login
from bench.models.keys import Key, read_key
from bench.models.limits import MEBIBYTE, ClientLimits
from bench.models.offline import OFFLINE_MODELS
from bench.models.prices import Price, find_price, load_prices
from bench.models.providers import DRAWING, HTTP_KEY, PROVIDERS, Provider, ollama_address
from bench.models.reader.model import ReaderFactory
from bench.models.types import SamplingParams

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from bench.models.client import HttpModel
    from bench.models.protocols import ModelMaker, OfflineModel
    from bench.models.providers.base import ProviderAdapter
    from bench.options import Settings

__all__ = [
    "IMAGE_MODEL",
    "JUDGE",
    "TESTED",
    "ModelFactory",
    "ModelName",
    "OptionNames",
    "ResolvedModel",
    "client_limits_of",
    "parse_spec",
    "resolve",
    "resolve_drawing",
    "resolve_models",
    "sampling_of",
]


DRAWING_LIMIT_BYTES = 64 * MEBIBYTE
OFFLINE = ("blind", "oracle", "reader")
SELF_HOSTED = ("http", "ollama", "openrouter")
BARE_NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"gpt-oss", SELF_HOSTED),
    (r"gpt-|chatgpt-|codex-|computer-use|o\d+(-|$)", ("openai",)),
    (r"claude-", ("anthropic",)),
    (r"gemini-", ("gemini",)),
    (r"gemma", ("gemini", *SELF_HOSTED)),
    (r"(llama|llava|qwen|pixtral|mistral|internvl|minicpm|moondream|phi|granite|smolvlm|deepseek)", SELF_HOSTED),
    (r"(?i)[\w.-]+/[\w.-]+", ("http", "openrouter")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionNames:
    """The options that name a model and its server."""

    model: str
    api_base: str


TESTED = OptionNames(model="--model", api_base="--api-base")
JUDGE = OptionNames(model="--judge", api_base="--judge-api-base")
IMAGE_MODEL = OptionNames(model="--image-model", api_base="--image-api-base")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """A model as named on the command line: its provider and its name there."""

    provider: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFactory:
    """A model that is known to be askable, before its client is imported; call it once in each event loop.

    `price` is None where nobody says what it costs.
    """

    provider: str
    name: str
    adapter: ProviderAdapter
    key: Key | None
    client_limits: ClientLimits
    price: Price | None = None
    remote: ClassVar[bool] = True
    declines: ClassVar[Mapping[str, str]] = {}

    def __call__(self) -> HttpModel:
        """Import the client and return a model."""
        from bench.models.client import HttpModel  # noqa: PLC0415 - httpx only when it is used

        return HttpModel(self.adapter, key=self.key, client_limits=self.client_limits, price=self.price)

    @property
    def about(self) -> str:
        """One clause for the run's header: where it is asked."""
        return f"asked at {self.adapter.url}"

    @property
    def identity(self) -> dict[str, Any]:
        """What besides the request decides a reply; the same as the model's."""
        return {
            "provider": self.provider,
            "endpoint": self.adapter.url,
            "name": self.name,
            "client": self.adapter.version,
        }

    def check(self, sampling: SamplingParams, *, structured: bool = False) -> None:
        """Refuse settings that this model cannot be sent.

        Raises:
            UserError: A reasoning effort, schema mode or picture detail is not supported.
        """
        self.adapter.check(sampling, structured=structured)


def resolve(
    spec: str,
    *,
    api_base: str | None = None,
    client_limits: ClientLimits | None = None,
    prices: Mapping[str, Price] | None = None,
    environ: Mapping[str, str] | None = None,
    options: OptionNames = TESTED,
) -> ModelFactory:
    """Return a factory for the model `spec` names, `provider:name` or a well-known bare name.

    `options` are those that errors name.

    Raises:
        UserError: The spec is unknown or ambiguous, a key is missing or malformed, an address is, or the traffic
            has a `max_cost_usd` and the model has no known price.
    """
    environ = os.environ if environ is None else environ
    client_limits = client_limits or ClientLimits()
    model = parse_spec(spec, option=options.model)
    provider = PROVIDERS[model.provider]
    adapter = provider.adapter(model.name, _base(provider, api_base, environ, spec, options), environ)
    price = find_price(model.provider, model.name, given=prices)
    if client_limits.max_cost_usd is not None and price is None:
        raise UserError(f"--max-cost needs the price of {model.provider}:{model.name}: give it with --prices FILE")
    key = _key(provider, environ, f"{options.model}={spec}")
    return ModelFactory(
        provider=model.provider,
        name=model.name,
        adapter=adapter,
        key=key,
        client_limits=client_limits,
        price=price,
    )


def resolve_drawing(
    spec: str,
    *,
    api_base: str | None = None,
    client_limits: ClientLimits | None = None,
    prices: Mapping[str, Price] | None = None,
    environ: Mapping[str, str] | None = None,
    options: OptionNames = IMAGE_MODEL,
) -> ModelFactory:
    """Return a factory for a model that draws, as `--image-model SPEC` names it.

    Raises:
        UserError: As `resolve` does, or the provider has no models that draw.
    """
    environ = os.environ if environ is None else environ
    factory = resolve(
        spec, api_base=api_base, client_limits=client_limits, prices=prices, environ=environ, options=options
    )
    if factory.provider not in DRAWING:
        raise UserError(f"{options.model}={spec}: models that draw are at {', '.join(sorted(DRAWING))}")
    base = _base(PROVIDERS[factory.provider], api_base, environ, spec, options)
    adapter = DRAWING[factory.provider](factory.name, base, environ)
    return replace(
        factory,
        adapter=adapter,
        client_limits=replace(factory.client_limits, reply_limit_bytes=DRAWING_LIMIT_BYTES),
    )


def parse_spec(spec: str, *, option: str = "--model") -> ModelName:
    """Return provider and name of `provider:name`, or of a bare name that only one provider serves.

    Raises:
        UserError: No provider or more than one is meant; the message lists the choices.
    """
    provider, colon, name = spec.partition(":")
    if provider in {"http", "https"} and name.startswith("//"):
        shown = without_login(spec)
        raise UserError(f"{option}={shown!r} is an address: write {option}=http:NAME --api-base={shown}")
    if colon and provider in PROVIDERS:
        if not name or not name.isprintable() or name != name.strip():
            raise UserError(f"{option}={spec!r} names no model: write {provider}:NAME")
        return ModelName(provider=provider, name=name)
    fitting = _providers_of(spec)
    if len(fitting) == 1:
        return ModelName(provider=fitting[0], name=spec)
    if fitting:
        choices = ", ".join(f"{provider}:{spec}" for provider in fitting)
        raise UserError(f"{option}={spec!r} could be several: write one of {choices}")
    shown = without_login(spec)
    raise UserError(
        f"{option}={shown!r} is unknown: write PROVIDER:NAME with one of {', '.join(sorted(PROVIDERS))}, "
        f"a name beginning with gpt-, o1, o3, o4, claude- or gemini-, or one of {', '.join(OFFLINE)}"
    )


def _providers_of(name: str) -> tuple[str, ...]:
    return next((providers for pattern, providers in BARE_NAMES if re.match(pattern, name)), ())


def _key(provider: Provider, environ: Mapping[str, str], needed_by: str) -> Key | None:
    variable = next((name for name in provider.keys if name in environ), provider.keys[0])
    return read_key(variable, environ, needed_by=None if provider.key_optional else needed_by)


def _base(
    provider: Provider, api_base: str | None, environ: Mapping[str, str], spec: str, options: OptionNames
) -> str:
    variable = provider.base_variable
    if api_base is not None:
        return _checked(api_base, options.api_base)
    if variable is not None and environ.get(variable):
        value = environ[variable]
        return _checked(ollama_address(value) if variable == "OLLAMA_HOST" else value, variable)
    if provider.base is not None:
        return provider.base
    if variable is not None:
        raise UserError(
            f"{options.model}={spec} needs the address of its server: set {variable} or {options.api_base} URL"
        )
    raise UserError(f"{options.model}={spec} needs {options.api_base} URL, such as http://127.0.0.1:8000/v1")


def _checked(base: str, option: str) -> str:
    try:
        parts = urlsplit(base)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise UserError(f"{option} is no address: {without_login(base)!r}") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UserError(
            f"{option} must hold no user, password or query; keys come from variables such as {HTTP_KEY}"
        )
    if not valid or not base.isprintable() or " " in base:
        raise UserError(
            f"{option} must begin with http:// or https:// and name a host, got {without_login(base)!r}"
        )
    return base.rstrip("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedModel:
    """One model of the run: either `offline` or `factory` is set."""

    label: str
    provider: str
    name: str
    about: str
    offline: OfflineModel | None = None
    factory: ModelMaker | None = None

    @property
    def looks(self) -> bool:
        """Whether it is shown pictures."""
        return self.factory is not None

    @property
    def remote(self) -> bool:
        """Whether a server answers."""
        return self.factory is not None and self.factory.remote

    def declines(self, suite: str) -> str | None:
        """Why the model is not asked this suite's cases; None where it is."""
        return None if self.factory is None else self.factory.declines.get(suite)


def resolve_models(
    settings: Settings,
    shared_limits: Path,
    replayed: Iterable[OfflineModel] = (),
    *,
    environ: Mapping[str, str] | None = None,
    processes: int = 1,
) -> tuple[ResolvedModel, ...]:
    """Return the models in the order given; `replayed` are those of --replay and exclude all others.

    Labels are model names, with the provider where two providers' models share one. `shared_limits` is the
    file through which the processes of the run keep --rpm and --max-cost together; `environ` is where keys are;
    `processes` is how many an embedded model may use.

    Raises:
        UserError: a model is unknown, its key or price is missing, it cannot take a setting, or it is given twice.
        DataError: the file of prices cannot be read.
    """
    found = [_offline(model) for model in replayed] or [
        _resolve(spec, settings, shared_limits, environ, processes) for spec in settings.models
    ]
    _check_one_server(settings, found)
    names = [one.name for one in found]
    labelled = tuple(
        replace(one, label=f"{one.provider}:{one.name}") if names.count(one.name) > 1 else one for one in found
    )
    for one in labelled:
        if [other.label for other in labelled].count(one.label) > 1:
            raise UserError(f"--model: {one.provider}:{one.name} is given twice; name each model once")
    return labelled


def _check_one_server(settings: Settings, found: Iterable[ResolvedModel]) -> None:
    """Refuse an address that several providers' models would share: each would get the other's key."""
    providers = sorted({model.provider for model in found if model.remote})
    if settings.api_base is not None and len(providers) > 1:
        raise UserError(
            f"--api-base is one provider's address, and the models are of {', '.join(providers)}: "
            "run them one after the other"
        )


def _resolve(
    spec: str, settings: Settings, shared_limits: Path, environ: Mapping[str, str] | None, processes: int
) -> ResolvedModel:
    if spec in OFFLINE_MODELS:
        return _offline(OFFLINE_MODELS[spec]())
    if spec == ReaderFactory.name:
        return _asked(ReaderFactory(processes=processes))
    client_limits = client_limits_of(settings, shared_limits)
    prices = None if settings.prices is None else load_prices(settings.prices)
    factory = resolve(
        spec, api_base=settings.api_base, client_limits=client_limits, prices=prices, environ=environ
    )
    factory.check(sampling_of(settings), structured=settings.structured)
    return _asked(factory)


def client_limits_of(settings: Settings, shared_limits: Path) -> ClientLimits:
    """Return how hard a server may be pressed; all processes of the run share the file of limits."""
    return ClientLimits(
        concurrency=settings.concurrency,
        request_timeout_s=settings.request_timeout_s,
        retries=settings.ask_retries,
        rpm=settings.rpm,
        max_cost_usd=settings.max_cost_usd,
        shared_limits=shared_limits if settings.rpm or settings.max_cost_usd else None,
    )


def sampling_of(settings: Settings) -> SamplingParams:
    """Return the settings that shape replies."""
    return SamplingParams(
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        reasoning_effort=settings.reasoning_effort,
        image_detail=settings.image_detail,
    )


def _offline(model: OfflineModel) -> ResolvedModel:
    return ResolvedModel(
        label=model.name, provider=model.provider, name=model.name, about=model.about, offline=model
    )


def _asked(factory: ModelMaker) -> ResolvedModel:
    return ResolvedModel(
        label=factory.name, provider=factory.provider, name=factory.name, about=factory.about, factory=factory
    )
