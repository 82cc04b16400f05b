from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bench.errors import DataError, UserError
from bench.models.budget import estimate
from bench.models.limits import ClientLimits
from bench.models.prices import Above, Price, cost_usd, find_price, load_prices, prices_date
from bench.models.resolve import resolve
from bench.models.types import Message, Request, SamplingParams, Usage
from tests.bench.models.asking import png

if TYPE_CHECKING:
    from pathlib import Path

PRICE = Price(input=2.0, output=10.0, cached=0.5)


def usage(input_tokens: int | None, output_tokens: int | None, **more: float) -> Usage:
    return Usage(input_tokens=input_tokens, output_tokens=output_tokens, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("used", "price", "usd"),
    [
        (usage(1_000_000, 0), PRICE, 2.0),
        (usage(0, 1_000_000), PRICE, 10.0),
        (usage(1_000_000, 0, cached_tokens=400_000), PRICE, 1.4),
        (usage(1_000_000, 0, cached_tokens=400_000), Price(input=2.0, output=10.0), 2.0),
        (usage(1_000_000, 0, cached_tokens=9_000_000), PRICE, 0.5),
        (usage(100, 1_000_000, image_output_tokens=1_000_000),
         Price(input=0.0, output=1.0, image_output=30.0), 30.0),
        (usage(1_000_000, 0, image_input_tokens=500_000), Price(input=5.0, output=0.0, image_input=8.0), 6.5),
        (usage(0, 1_000_000, reasoning_tokens=900_000), PRICE, 10.0),
    ],
)  # fmt: skip
def test_cost_is_tokens_times_price(used: Usage, price: Price, usd: float) -> None:
    assert cost_usd(used, price) == pytest.approx(usd, rel=1e-12)


@pytest.mark.parametrize(("tokens", "usd"), [(272_000, 0.272 * 2 + 1.0), (272_001, 0.272001 * 4 + 1.5)])
def test_long_inputs_cost_more_only_above_the_threshold(tokens: int, usd: float) -> None:
    above = Above(tokens=272_000, input_factor=2.0, output_factor=1.5)
    price = Price(input=2.0, output=10.0, above=above)
    assert cost_usd(usage(tokens, 100_000), price) == pytest.approx(usd, rel=1e-9)


@pytest.mark.parametrize("used", [usage(None, 5), usage(5, None)])
def test_cost_of_unknown_usage_is_unknown(used: Usage) -> None:
    assert cost_usd(used, PRICE) is None


def test_cost_without_a_price_is_unknown() -> None:
    assert cost_usd(usage(5, 5), None) is None


def test_what_the_server_charged_comes_first() -> None:
    assert cost_usd(usage(5, 5, cost_usd=0.7), PRICE) == 0.7


@pytest.mark.parametrize(
    ("provider", "name", "expected"),
    [
        ("openai", "gpt-4o", (2.5, 10.0)),
        ("openai", "gpt-4o-2024-05-13", None),
        ("anthropic", "claude-opus-5-5", (4.0, 20.0)),
        ("azure", "gpt-4o", None),
        ("openrouter", "openai/gpt-4o", None),
        ("openai", "gpt-6.2-astra", None),
        ("http", "gpt-4o", None),
    ],
)
def test_only_what_the_table_says_has_a_price(
    provider: str, name: str, expected: tuple[float, float] | None
) -> None:
    price = find_price(provider, name)
    assert (None if price is None else (price.input, price.output)) == expected


def test_the_table_is_dated() -> None:
    assert prices_date() == "2026-11-27"


def test_prices_given_by_the_user_come_first(tmp_path: Path) -> None:
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({"openai:gpt-4o": {"input": 1, "output": 2}, "mine": {"input": 0, "output": 0}}))
    given = load_prices(file)
    assert find_price("openai", "gpt-4o", given=given) == Price(input=1.0, output=2.0)
    assert find_price("http", "mine", given=given) == Price(input=0.0, output=0.0)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "expected"),
        ("{}", "expected"),
        ('{"m": 5}', "'m': a price needs input and output"),
        ('{"m": {"input": 1}}', "a price needs input and output"),
        ('{"m": {"input": "1", "output": 2}}', "input must be a number of 0 or more, got '1'"),
        ('{"m": {"input": -1, "output": 2}}', "input must be a number of 0 or more, got -1"),
        ('{"m": {"input": NaN, "output": 2}}', "input must be a number of 0 or more, got nan"),
        ('{"m": {"input": true, "output": 2}}', "input must be a number of 0 or more, got True"),
        ('{"m": {"input": 1, "output": 2, "outptu": 3}}', "unknown 'outptu'"),
        ('{"m": {"input": 1, "output": 2, "above": {}}}', "above needs tokens"),
        ('{"m": {"input": 1, "output": 2}, "m": {"input": 3, "output": 2}}', "appears twice"),
    ],
)
def test_a_malformed_price_file_is_refused(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "prices.json"
    file.write_text(content)
    with pytest.raises(DataError, match=said) as caught:
        load_prices(file)
    assert "\n" not in str(caught.value)


def test_a_missing_price_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        load_prices(tmp_path / "absent.json")


def test_max_cost_needs_a_price(tmp_path: Path) -> None:
    client_limits = ClientLimits(max_cost_usd=1.0, shared_limits=tmp_path / "limits.sqlite")
    with pytest.raises(UserError, match=r"--max-cost needs the price of http:m: give it with --prices FILE"):
        resolve("http:m", api_base="http://h/v1", client_limits=client_limits, environ={})


def test_an_estimate_bounds_text_pictures_and_output() -> None:
    message = Message(role="user", text="x" * 300, pictures=(png(1024, 768),))
    ask = Request(messages=(message,), sampling=SamplingParams(max_tokens=500))
    found = estimate(ask, provider="openai", name="gpt-4o")
    assert found.input_tokens == 100 + 10 + 85 + 4 * 170
    assert found.output_tokens == 500
    assert found.cost_usd(PRICE) == pytest.approx((875 * 2 + 500 * 10) / 1e6)


def test_an_estimate_without_a_known_rule_is_generous() -> None:
    message = Message(role="user", text="", pictures=(png(1024, 768),))
    found = estimate(Request(messages=(message,), sampling=SamplingParams()), provider="http", name="m")
    assert (found.input_tokens, found.output_tokens) == (4010, 8192)
