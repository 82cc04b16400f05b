"""JSON that is sent: pictures bypass the encoder, and nobody could tell."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bench.models.json_values import encode_json
from bench.models.providers.base import base64_text, data_url

PNG = b"\x89PNG\r\n\x1a\n"
PICTURES = st.binary(max_size=300).map(lambda rest: PNG + rest)
LEAVES = st.none() | st.booleans() | st.integers() | st.text() | PICTURES.map(base64_text) | PICTURES.map(data_url)
BODIES = st.dictionaries(
    st.text(),
    st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12),
    max_size=5,
)


@given(body=BODIES)
def test_a_body_with_pictures_is_encoded_as_the_library_would(body: dict[str, Any]) -> None:
    content, content_type = encode_json(body)
    assert content == json.dumps(body, separators=(",", ":")).encode()
    assert content_type == "application/json"
