"""What a reply cost: a dated table of list prices, prices the user gives, and nothing guessed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bench.errors import DataError
from bench.models.json_values import JsonObject, JsonValue, decode_json, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.models.types import Response, Usage

__all__ = [
    "FREE_FAILURES",
    "Above",
    "Price",
    "cost_usd",
    "find_price",
    "load_prices",
    "prices_date",
    "reply_cost_usd",
]

FREE_FAILURES = frozenset({"auth", "quota", "rate", "data"})

TABLE = Path(__file__).with_name("prices.json")
MILLION = 1_000_000
NUMBERS = ("input", "output", "cached", "image_input", "image_output")
FORM = '{"PROVIDER:NAME": {"input": 2.5, "output": 10, "cached": 1.25}} in USD per million tokens'


@dataclass(frozen=True, slots=True, kw_only=True)
class Above:
    """How prices change for a request with more than `tokens` input tokens."""

    tokens: int
    input_factor: float
    output_factor: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """USD per million tokens; None where it is the same as for text."""

    input: float
    output: float
    cached: float | None = None
    image_input: float | None = None
    image_output: float | None = None
    above: Above | None = None


def find_price(provider: str, name: str, *, given: Mapping[str, Price] | None = None) -> Price | None:
    """Return the price of a model, the user's before the table's; None when nobody says.

    Names must agree exactly: snapshots of one name have had different prices.
    """
    for table in (given or {}, _table()):
        for key in (f"{provider}:{name}", name):
            if key in table:
                return table[key]
    return None


def cost_usd(usage: Usage, price: Price | None) -> float | None:
    """Return what a reply cost: what the server says, else tokens times price, else None."""
    if usage.cost_usd is not None:
        return usage.cost_usd
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    above = price.above
    high = above if above is not None and usage.input_tokens > above.tokens else None
    input_usd = _input_usd(usage, usage.input_tokens, price) * (high.input_factor if high else 1.0)
    output_usd = _output_usd(usage, usage.output_tokens, price) * (high.output_factor if high else 1.0)
    return (input_usd + output_usd) / MILLION


def reply_cost_usd(reply: Response, price: Price | None) -> float | None:
    """Return what a reply cost, in USD; None where nobody knows.

    A request that was turned away (key, quota, rate) or never sent is free; any other failure may have been
    charged for.
    """
    known = cost_usd(reply.usage, price)
    return 0.0 if known is None and reply.failure in FREE_FAILURES else known


def load_prices(path: Path) -> dict[str, Price]:
    """Read the file of `--prices`.

    Raises:
        DataError: It cannot be read, or an entry is not a price; the message names the model.
    """
    try:
        content = decode_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise DataError(f"--prices {path}: cannot be read as JSON ({error}); expected {FORM}") from error
    if not isinstance(content, dict) or not content:
        raise DataError(f"--prices {path}: expected {FORM}, got {json.dumps(content)[:60]}")
    return {name: _price(entry, f"--prices {path}: {name!r}") for name, entry in content.items()}


def prices_date() -> str:
    """Return the day of the built-in table, as YYYY-MM-DD."""
    date: str = _content()["as_of"]
    return date


@cache
def _content() -> JsonObject:
    content: JsonObject = decode_json(TABLE.read_bytes())
    return content


@cache
def _table() -> dict[str, Price]:
    return {name: _price(entry, name) for name, entry in _content()["models"].items()}


def _price(entry: JsonValue, where: str) -> Price:
    if not isinstance(entry, dict) or not {"input", "output"} <= set(entry):
        raise DataError(f"{where}: a price needs input and output; expected {FORM}")
    unknown = set(entry) - {*NUMBERS, "above", "checked"}
    if unknown:
        raise DataError(f"{where}: unknown {min(unknown)!r}; known are {', '.join(NUMBERS)}, above")
    numbers = {key: _number(entry, key, where) for key in NUMBERS if key in entry}
    return Price(**numbers, above=_above(entry["above"], where) if "above" in entry else None)


def _above(entry: JsonValue, where: str) -> Above:
    keys = ("tokens", "input_factor", "output_factor")
    if not isinstance(entry, dict) or set(entry) != set(keys):
        raise DataError(f"{where}: above needs {', '.join(keys)}, and nothing else")
    tokens, input_factor, output_factor = (_number(entry, key, where) for key in keys)
    return Above(tokens=int(tokens), input_factor=input_factor, output_factor=output_factor)


def _number(entry: JsonObject, key: str, where: str) -> float:
    number = number_of(entry[key])
    if number is None:
        raise DataError(f"{where}: {key} must be a number of 0 or more, got {entry[key]!r}")
    return number


def _input_usd(usage: Usage, tokens: int, price: Price) -> float:
    cached = min(usage.cached_tokens or 0, tokens)
    pictures = min(usage.image_input_tokens or 0, tokens - cached)
    return (
        (tokens - cached - pictures) * price.input
        + cached * (price.input if price.cached is None else price.cached)
        + pictures * (price.input if price.image_input is None else price.image_input)
    )


def _output_usd(usage: Usage, tokens: int, price: Price) -> float:
    drawn = min(usage.image_output_tokens or 0, tokens)
    return (tokens - drawn) * price.output + drawn * (
        price.output if price.image_output is None else price.image_output
    )
