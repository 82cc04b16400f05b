from __future__ import annotations

import asyncio

import pytest

from bench.models.limits import ClientLimits
from bench.models.request_errors import Kind, RequestError, RequestFailed
from bench.models.retry import Backpressure, RetryPolicy
from bench.models.types import Response
from tests.bench.models.asking import Naps

OUT_OF_REACH = 10_000


def pauses(
    *,
    kind: Kind = "rate",
    wait_s: float | None = None,
    refusals: int = 1,
    backpressure: Backpressure | None = None,
    retries: int = 3,
) -> list[float]:
    """Seconds waited by one ask that is refused so many times and then answered."""
    naps, client_limits = Naps(), ClientLimits(retries=retries)
    retry_policy = RetryPolicy(client_limits, naps.clock(), backpressure or Backpressure())
    left = [refusals]

    async def attempt() -> Response:
        if left[0] > 0:
            left[0] -= 1
            raise RequestFailed(RequestError(kind=kind, message="no", retryable=True, wait_s=wait_s))
        return Response(status="answered", text="{}")

    try:
        asyncio.run(retry_policy.run(attempt))
    except RequestFailed:
        assert refusals >= OUT_OF_REACH
    return naps.lengths_s


def test_a_first_refusal_without_a_hint_waits_about_half_a_second() -> None:
    (pause_s,) = pauses()
    assert 0.5 * 0.75 <= pause_s <= 0.5 * 1.25


def test_pauses_of_one_ask_grow_with_the_time_it_has_waited() -> None:
    waited = pauses(refusals=25)
    assert sum(waited[-5:]) > 3 * sum(waited[5:10]) > 0
    assert max(waited) <= 30.0


@pytest.mark.parametrize("wished_s", [0.0, 0.012, 1.0, 7.0, 45.0])
@pytest.mark.parametrize("delay_s", [0.0, 2.0, 300.0])
def test_the_pause_is_never_shorter_than_retry_after(wished_s: float, delay_s: float) -> None:
    lead = 1 if delay_s else 0
    waited = pauses(wait_s=wished_s, refusals=5, backpressure=Backpressure(delay_s=delay_s))[lead:]
    assert len(waited) == 5
    assert min(waited) >= wished_s


@pytest.mark.parametrize("wished_s", [0.012, 1.0, 7.0, 45.0])
def test_alone_the_pause_is_retry_after_and_little_more(wished_s: float) -> None:
    (pause_s,) = pauses(wait_s=wished_s)
    assert wished_s <= pause_s <= wished_s * 1.1 + 0.02


def test_after_a_crowded_ask_the_next_begins_where_it_left_off() -> None:
    backpressure = Backpressure()
    first = pauses(refusals=12, backpressure=backpressure)
    assert 0.2 * sum(first) < backpressure.delay_s < 0.4 * sum(first)
    known_s = backpressure.delay_s
    lead_s, pause_s = pauses(backpressure=backpressure)
    assert 0.1 * known_s <= lead_s <= 0.2 * known_s
    assert 0.5 * 0.75 * known_s <= pause_s <= 0.5 * 1.25 * known_s


def test_crowding_is_forgotten_after_some_answers() -> None:
    backpressure = Backpressure(delay_s=4.0)
    for _ in range(15):
        pauses(refusals=0, backpressure=backpressure)
    assert backpressure.delay_s == 0.0
    assert pauses(refusals=0, backpressure=backpressure) == []


@pytest.mark.parametrize("kind", ["network", "server", "timeout"])
def test_other_failures_tell_nothing_of_crowding(kind: Kind) -> None:
    backpressure = Backpressure()
    waited = pauses(kind=kind, refusals=3, backpressure=backpressure)
    assert backpressure.delay_s == 0.0
    assert [0.25 <= pause_s <= 0.5 * 2**n for n, pause_s in enumerate(waited)] == [True] * 3


def test_one_refusal_is_no_crowd() -> None:
    backpressure = Backpressure()
    pauses(wait_s=30.0, backpressure=backpressure)
    assert backpressure.delay_s == 0.0


def test_a_server_that_only_refuses_is_given_up_within_both_bounds() -> None:
    waited = pauses(refusals=OUT_OF_REACH)
    assert len(waited) == 30
    assert sum(waited) <= ClientLimits().total_s
    waited = pauses(refusals=OUT_OF_REACH, wait_s=50.0)
    assert len(waited) == 11
    assert sum(waited) <= ClientLimits().total_s


def test_no_retries_means_none() -> None:
    assert pauses(refusals=OUT_OF_REACH, retries=0) == []
