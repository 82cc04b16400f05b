"""Whatever JSON a server sends, with whatever status, an ask ends in a Reply."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.models.client import read_exchange
from bench.models.providers.gemini import GeminiDrawing
from bench.models.providers.images import OpenAIImageEdits
from bench.models.providers.openrouter import OpenRouterDrawing
from bench.models.request_errors import RequestFailed
from bench.models.transport import Exchange
from bench.models.types import Response
from tests.bench.models.adapters import SHAPES, adapter_for
from tests.bench.models.test_error_bodies import CASES, MORE
from tests.conftest import sampled
from tests.loopback.formats import chat_answer, gemini_answer

if TYPE_CHECKING:
    from bench.models.providers.base import ProviderAdapter

URL = "http://127.0.0.1:1"
DRAWING: dict[str, ProviderAdapter] = {
    "edits": OpenAIImageEdits(name="m", base=URL),
    "gemini drawing": GeminiDrawing(name="m", base=URL),
    "openrouter drawing": OpenRouterDrawing(name="m", base=URL),
}
DRAWN = [
    {"data": [{"b64_json": "iVBORw0KGgo="}], "usage": {"input_tokens_details": {"image_tokens": 1}}},
    gemini_answer({"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}),
    chat_answer("", images=[{"image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}]),
    {"usageMetadata": {"candidatesTokensDetails": [{"modality": "IMAGE", "tokenCount": 1}]}, "candidates": [{}]},
]
SAMPLES = [
    *(getattr(shapes, name) for shapes in SHAPES.values() for name in shapes.__slots__),
    *(case.body for case in (*CASES.values(), *MORE.values())),
    *DRAWN,
]
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, -1, 10**400, 1.5, float("nan"), "", "x", [], [None], [[]], {}, {"a": None}]
)


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(path for key, inner in items for path in paths(inner, (*here, key)))]


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A real answer or error body with one to three places replaced by something odd."""
    value = copy.deepcopy(draw(st.sampled_from([sample for sample in SAMPLES if sample is not None])))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(paths(value)))
        odd = copy.deepcopy(draw(ODD))
        if not path:
            return odd
        place = value
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = odd
    return value


@pytest.mark.parametrize("name", sampled([*SHAPES, *DRAWING], first=3))
@given(answer=damaged(), status=st.sampled_from([200, 200, 200, 400, 403, 429, 500]))
def test_any_answer_is_a_reply_or_a_fault(name: str, answer: Any, status: int) -> None:
    adapter = DRAWING.get(name) or adapter_for(name, URL)
    exchange = Exchange(status=status, headers={"retry-after": "x"}, body=json.dumps(answer).encode())
    try:
        reply = read_exchange(adapter, exchange)
    except RequestFailed as trouble:
        reply = trouble.fault.reply()
        adapter.adaptation(trouble.fault)
    assert isinstance(reply, Response)
    assert isinstance(reply.text, str)
    assert reply.error is None or (reply.error.isprintable() and len(reply.error) < 600)


@given(body=st.binary(max_size=200), status=st.sampled_from([200, 301, 404, 500]))
def test_any_bytes_are_a_reply_or_a_fault(body: bytes, status: int) -> None:
    exchange = Exchange(status=status, headers={"content-type": "\x7f" * 500}, body=body)
    with pytest.raises(RequestFailed) as caught:
        read_exchange(adapter_for("http", URL), exchange)
    assert str(caught.value).isprintable()
