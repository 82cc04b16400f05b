"""What the replies of records cost, by prices that run.json keeps: merged runs cost what their parts cost."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bench.models.prices import Above, Price, find_price, reply_cost_usd
from bench.tables.averages import known_total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bench.models.resolve import ResolvedModel
    from bench.results.record import Record

__all__ = ["Prices", "cost_by_price", "known_prices", "prices_from_json", "prices_to_json", "reply_cost"]

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
    return [
        {"provider": provider, "name": name, "usd_per_million": None if price is None else asdict(price)}
        for (provider, name), price in prices.items()
    ]


def prices_from_json(content: Iterable[Mapping[str, Any]]) -> Prices:
    """Read what `prices_to_json` wrote.

    Raises:
        KeyError: a part is missing.
        TypeError: a part is unknown.
    """
    return {(one["provider"], one["name"]): _price(one["usd_per_million"]) for one in content}


def _price(content: Mapping[str, Any] | None) -> Price | None:
    if content is None:
        return None
    above = content["above"]
    return Price(**{**content, "above": None if above is None else Above(**above)})
