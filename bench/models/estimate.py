"""How many tokens an ask can take, from above: for `--max-cost`, and for the estimate before a paid run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.models.picture_limits import picture_size
from bench.models.prices import cost_usd
from bench.models.protocol import Usage
from bench.models.sight import sight

if TYPE_CHECKING:
    from bench.models.prices import Price
    from bench.models.protocol import Ask

__all__ = ["Estimate", "estimate"]

BYTES_PER_TOKEN = 3
TOKENS_PER_TURN = 10
UNKNOWN_PICTURE_TOKENS = 4000
UNKNOWN_OUTPUT_TOKENS = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Upper bounds for one ask, sent once. `output_tokens` is the limit that was set, or a usual one."""

    input_tokens: int
    output_tokens: int

    def cost_usd(self, price: Price) -> float:
        """Return what the ask costs if it takes all of it, in USD."""
        usage = Usage(input_tokens=self.input_tokens, output_tokens=self.output_tokens)
        return cost_usd(usage, price) or 0.0


def estimate(ask: Ask, *, provider: str, name: str) -> Estimate:
    """Return how many tokens `ask` takes at most."""
    detail = ask.sampling.image_detail
    text = sum(len(turn.text.encode()) // BYTES_PER_TOKEN + TOKENS_PER_TURN for turn in ask.turns)
    pictures = (picture for turn in ask.turns for picture in turn.pictures)
    seen = sum(_picture_tokens(picture, provider, name, detail) for picture in pictures)
    most = ask.sampling.max_tokens
    return Estimate(input_tokens=text + seen, output_tokens=UNKNOWN_OUTPUT_TOKENS if most is None else most)


def _picture_tokens(picture: bytes, provider: str, name: str, detail: str | None) -> int:
    size = picture_size(picture)
    tokens = None if size is None else sight(provider, name, *size, detail=detail).tokens
    return UNKNOWN_PICTURE_TOKENS if tokens is None else tokens
