"""The models of a run, offline or behind a server, under the labels that ids and tables use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bench.errors import UserError
from bench.models.offline import OFFLINE_MODELS
from bench.models.prices import load_prices
from bench.models.protocol import Sampling
from bench.models.reader.model import ReaderFactory
from bench.models.registry import resolve
from bench.models.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from bench.models.offline import OfflineModel
    from bench.models.protocol import ModelMaker
    from bench.options import Settings

__all__ = ["Contestant", "contestants", "sampling_of", "traffic_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
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


def contestants(
    settings: Settings,
    shared_limits: Path,
    replayed: Iterable[OfflineModel] = (),
    *,
    environ: Mapping[str, str] | None = None,
    processes: int = 1,
) -> tuple[Contestant, ...]:
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


def _check_one_server(settings: Settings, found: Iterable[Contestant]) -> None:
    """Refuse an address that several providers' models would share: each would get the other's key."""
    providers = sorted({model.provider for model in found if model.remote})
    if settings.api_base is not None and len(providers) > 1:
        raise UserError(
            f"--api-base is one provider's address, and the models are of {', '.join(providers)}: "
            "run them one after the other"
        )


def _resolve(
    spec: str, settings: Settings, shared_limits: Path, environ: Mapping[str, str] | None, processes: int
) -> Contestant:
    if spec in OFFLINE_MODELS:
        return _offline(OFFLINE_MODELS[spec]())
    if spec == ReaderFactory.name:
        return _asked(ReaderFactory(processes=processes))
    traffic = traffic_of(settings, shared_limits)
    prices = None if settings.prices is None else load_prices(settings.prices)
    factory = resolve(spec, api_base=settings.api_base, traffic=traffic, prices=prices, environ=environ)
    factory.check(sampling_of(settings), structured=settings.structured)
    return _asked(factory)


def traffic_of(settings: Settings, shared_limits: Path) -> Traffic:
    """Return how hard a server may be pressed; all processes of the run share the file of limits."""
    return Traffic(
        concurrency=settings.concurrency,
        request_timeout_s=settings.request_timeout_s,
        retries=settings.ask_retries,
        rpm=settings.rpm,
        max_cost_usd=settings.max_cost_usd,
        shared_limits=shared_limits if settings.rpm or settings.max_cost_usd else None,
    )


def sampling_of(settings: Settings) -> Sampling:
    """Return the settings that shape replies."""
    return Sampling(
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        reasoning_effort=settings.reasoning_effort,
        image_detail=settings.image_detail,
    )


def _offline(model: OfflineModel) -> Contestant:
    return Contestant(label=model.name, provider=model.provider, name=model.name, about=model.about, offline=model)


def _asked(factory: ModelMaker) -> Contestant:
    return Contestant(
        label=factory.name, provider=factory.provider, name=factory.name, about=factory.about, factory=factory
    )
