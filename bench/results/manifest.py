"""run.json: what was run, with what, and what came of it; enough to tell whether two runs can be compared."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from bench.errors import DataError
from bench.models.images import image_tokens
from bench.models.prices import Price, find_price, prices_date, reply_cost_usd
from bench.results.aggregate import known_total, total
from bench.results.files import convert
from bench.results.record import STATUSES
from bench.suites.judge import judge_prompt_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.models.resolve import ResolvedModel
    from bench.models.roles import ModelRoles
    from bench.models.types import Response
    from bench.options import Settings
    from bench.results.collector import ResultCollector
    from bench.results.record import Record

__all__ = [
    "Prices",
    "build_manifest",
    "cost_by_price",
    "items_summary",
    "known_prices",
    "prices_from_json",
    "prices_to_json",
    "reply_cost",
    "scorer_digest",
    "versions",
]

FORMAT = 1
LIBRARIES = ("eyechart", "pytest", "pytest-xdist", "httpx", "numpy", "matplotlib", "pillow")
SCORERS = Path(__file__).resolve().parents[2] / "scorers"


def build_manifest(
    *,
    settings: Settings,
    models: Sequence[ResolvedModel],
    roles: ModelRoles,
    collector: ResultCollector,
    started: datetime,
    elapsed_s: float,
    complete: bool,
    selected: int,
) -> dict[str, Any]:
    """Return the manifest; it holds no key, and no path but those given as options.

    `usage` and `cost_usd` are of the tested models' replies in the tables and of drawings for them; `judged`
    says what verdicts cost. `asked` is what this run sent, by model, also where no test came to use the reply.
    Costs are null where a price or a count is unknown, never guessed.
    """
    records = collector.records
    return {
        "format": FORMAT,
        "complete": complete,
        "started": started.isoformat(timespec="seconds"),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "elapsed_s": round(elapsed_s, 3),
        "cases_selected": selected,
        "options": settings.to_json(),
        "models": [_model(model, settings, collector) for model in models],
        "items": items_summary(records),
        "scorers_sha256": scorer_digest(),
        "replies": {
            **{status: sum(record.status == status for record in records) for status in STATUSES},
            "from_store": collector.from_store,
        },
        "usage": _usage(records),
        "cost_usd": known_total(map(reply_cost((*models, *roles.asked)), records)),
        "judge": None if roles.judge is None else _judge_version(roles.judge),
        "judged": None if roles.judge is None else _judged(roles.judge, collector),
        "image_model": None if roles.image_model is None else _about(roles.image_model, collector),
        "prices": prices_to_json(known_prices((*models, *roles.asked))),
        "asked": {
            label: {"asks": spent.asks, "cost_usd": spent.known_usd} for label, spent in collector.spent.items()
        },
        "versions": {"python": platform.python_version(), **versions()},
    }


@cache
def scorer_digest() -> str:
    """SHA-256 over the scorers' source: equal digests score equally."""
    digest = hashlib.sha256()
    for path in sorted(path for path in SCORERS.rglob("*.py") if path.is_file()):  # an editor's lock is none
        digest.update(path.relative_to(SCORERS).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _model(model: ResolvedModel, settings: Settings, collector: ResultCollector) -> dict[str, Any]:
    pair = (model.provider, model.name)
    own = [record.reply for record in collector.records if (record.provider, record.model) == pair]
    about = {"provider": model.provider, "name": model.name, "about": model.about, **_served(own)}
    if model.factory is None:
        return about
    size = collector.largest_picture_px(model.label)
    seen = None if size is None else image_tokens(model.provider, model.name, *size, detail=settings.image_detail)
    return {
        **about,
        "adaptations": collector.adaptations(model.label),
        "largest_picture_px": size,
        "seen_at_most": None if seen is None else asdict(seen),
        "prices_of": prices_date(),
    }


def _served(replies: Sequence[Response]) -> dict[str, Any]:
    served = sorted({reply.served_model for reply in replies if reply.served_model})
    return {"served_as": served, "replies": len(replies)}


def _about(model: ResolvedModel, collector: ResultCollector) -> dict[str, Any]:
    about = {"provider": model.provider, "name": model.name, "about": model.about}
    return {**about, "adaptations": collector.adaptations(model.label)}


def _judge_version(judge: ResolvedModel) -> dict[str, Any]:
    """Return what two runs must have in common to be judged alike: which model, which prompt."""
    return {"provider": judge.provider, "name": judge.name, "prompt_sha256": judge_prompt_digest()}


def _judged(judge: ResolvedModel, collector: ResultCollector) -> dict[str, Any]:
    """Return who gave the verdicts in the tables, how many there are, and what they cost."""
    replies = [record.judge_reply for record in collector.records if record.judge_reply is not None]
    price = None if judge.factory is None else judge.factory.price
    return {
        **_about(judge, collector),
        **_served(replies),
        "cost_usd": known_total(reply_cost_usd(reply, price) for reply in replies),
    }


def items_summary(records: Sequence[Record]) -> dict[str, dict[str, Any]]:
    """Return by suite the number of items and digests over them and over their prompts."""
    return {suite: _items(records, suite) for suite in sorted({record.suite for record in records})}


def _items(records: Iterable[Record], suite: str) -> dict[str, Any]:
    own = [record for record in records if record.suite == suite]
    items = sorted({(record.item_id, record.item_digest) for record in own})
    prompts = sorted({(record.item_id, record.task or "", record.prompt) for record in own})
    return {"n": len(items), "sha256": _digest(items), "prompts_sha256": _digest(prompts)}


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _usage(records: Sequence[Record]) -> dict[str, int | None]:
    names = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")
    return {name: total(getattr(record.reply.usage, name) for record in records) for name in names}


@cache
def versions() -> dict[str, str | None]:
    """Return the versions of the libraries that a result can depend on; None of those that are not installed."""
    return {name: _version(name) for name in LIBRARIES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


Prices = dict[tuple[str, str], Price | None]
"""By provider and name; None where nobody says."""


def reply_cost(models: Sequence[ResolvedModel]) -> Callable[[Record], float | None]:
    """Return the function that prices a record's reply and drawing, in USD; None where nobody knows.

    Offline models cost nothing. A replayed model has the table's price, if the table has it.
    """
    return cost_by_price(known_prices(models))


def known_prices(models: Iterable[ResolvedModel]) -> Prices:
    """Return the prices of the models that are paid for."""
    return {
        (model.provider, model.name): (
            find_price(model.provider, model.name) if model.factory is None else model.factory.price
        )
        for model in models
        if model.provider != "offline"
    }


def cost_by_price(prices: Prices) -> Callable[[Record], float | None]:
    """Return the function that prices a record; models without an entry have the table's price."""

    def price(pair: tuple[str, str]) -> Price | None:
        return prices[pair] if pair in prices else find_price(*pair)

    def cost(record: Record) -> float | None:
        drawn = record.drawing
        costs = [0.0 if record.provider == "offline" else _cost(record, price((record.provider, record.model)))]
        if drawn is not None and drawn.reply is not None:
            provider, _, name = drawn.source.partition(":")
            costs.append(reply_cost_usd(drawn.reply, price((provider, name))))
        return known_total(costs)

    return cost


def _cost(record: Record, price: Price | None) -> float | None:
    """Price a reply; what was never asked for (no second stage, a labelled solution) is free."""
    return 0.0 if record.reply.attempts == 0 else reply_cost_usd(record.reply, price)


def prices_to_json(prices: Prices) -> list[dict[str, Any]]:
    """Return prices as run.json has them."""
    listed = [
        _ListedPrice(provider=pair[0], name=pair[1], usd_per_million=price) for pair, price in prices.items()
    ]
    content: list[dict[str, Any]] = msgspec.to_builtins(listed)
    return content


def prices_from_json(content: Iterable[Mapping[str, Any]]) -> Prices:
    """Read what `prices_to_json` wrote.

    Raises:
        DataError: a part is missing or of another type.
    """
    try:
        listed = convert(content, list[_ListedPrice])
    except ValueError as error:
        raise DataError(f"run.json: prices cannot be read: {error}") from error
    return {(one.provider, one.name): one.usd_per_million for one in listed}


@dataclass(frozen=True, slots=True, kw_only=True)
class _ListedPrice:
    provider: str
    name: str
    usd_per_million: Price | None
