"""The other models of a run: the one that judges solutions, and the one that draws in a first stage."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.errors import UserError
from bench.models.prices import load_prices
from bench.models.resolve import (
    IMAGE_MODEL,
    JUDGE,
    OFFLINE,
    ModelFactory,
    ResolvedModel,
    client_limits_of,
    parse_spec,
    resolve,
    resolve_drawing,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from bench.models.resolve import OptionNames
    from bench.options import Settings

__all__ = ["DRAWS_REFERENCE", "EXACT", "ModelRoles", "judge_spec", "resolve_roles"]

EXACT = "exact"
DRAWS_REFERENCE = "oracle"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRoles:
    """`judge` is None where final answers are compared instead; `image_model` is None where no model draws."""

    judge: ResolvedModel | None = None
    image_model: ResolvedModel | None = None

    @property
    def asked(self) -> tuple[ResolvedModel, ...]:
        """Those that are there."""
        return tuple(one for one in (self.judge, self.image_model) if one is not None)


def resolve_roles(
    settings: Settings, shared_limits: Path, *, environ: Mapping[str, str] | None = None
) -> ModelRoles:
    """Return the judge of --judge and the model of --image-model.

    They share --rpm, --max-cost and --prices with the tested models. --api-base is the tested models' server; a
    role of the same provider shares it, unless it has an option of its own.

    Raises:
        UserError: a model is unknown, its key, address, price or deployment is missing, or it does not draw.
        DataError: the file of prices cannot be read.
    """
    shared = _Shared(
        settings=settings, shared_limits=shared_limits, environ=os.environ if environ is None else environ
    )
    return ModelRoles(judge=_judge(shared), image_model=_image_model(shared))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shared:
    """What both are resolved with."""

    settings: Settings
    shared_limits: Path
    environ: Mapping[str, str]


def _judge(shared: _Shared) -> ResolvedModel | None:
    given = shared.settings.judge
    if given == EXACT:
        return None
    spec = judge_spec(given, shared.environ)
    return _resolved(resolve, spec, shared, options=JUDGE, role="judge", base=shared.settings.judge_api_base)


def _image_model(shared: _Shared) -> ResolvedModel | None:
    spec = shared.settings.image_model
    if spec in {None, DRAWS_REFERENCE} or shared.settings.visual_cot_control is not None:
        return None
    base = shared.settings.image_api_base
    return _resolved(resolve_drawing, spec or "", shared, options=IMAGE_MODEL, role="image", base=base)


def judge_spec(given: str, environ: Mapping[str, str]) -> str:
    """Return the model that --judge names; "azure" takes its deployment from JUDGE_DEPLOYMENT.

    Raises:
        UserError: it names no model that can judge, or the variable is not set.
    """
    if given in OFFLINE:
        raise UserError(f"--judge={given}: expected {EXACT}, azure or a model as PROVIDER:NAME")
    if given != "azure":
        return given
    deployment = environ.get("JUDGE_DEPLOYMENT", "").strip()
    if not deployment:
        raise UserError("--judge=azure needs the name of a deployment: set JUDGE_DEPLOYMENT, or write azure:NAME")
    return f"azure:{deployment}"


def _resolved(
    how: Callable[..., ModelFactory],
    spec: str,
    shared: _Shared,
    *,
    options: OptionNames,
    role: str,
    base: str | None,
) -> ResolvedModel:
    if spec in OFFLINE:
        raise UserError(f"{options.model}={spec}: expected a model as PROVIDER:NAME")
    provider, settings = parse_spec(spec, option=options.model).provider, shared.settings
    factory = how(
        spec,
        api_base=base or _shared_api_base(provider, settings),
        client_limits=client_limits_of(settings, shared.shared_limits),
        prices=None if settings.prices is None else load_prices(settings.prices),
        environ=shared.environ,
        options=options,
    )
    return ResolvedModel(
        label=f"{role} {factory.name}",
        provider=factory.provider,
        name=factory.name,
        about=factory.about,
        factory=factory,
    )


def _shared_api_base(provider: str, settings: Settings) -> str | None:
    """Return --api-base where it is this provider's: no other provider's key is sent there."""
    tested = {parse_spec(spec).provider for spec in settings.models if spec not in OFFLINE}
    return settings.api_base if provider in tested or not tested else None
