"""The suites: how each lists, makes, asks and scores its items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.models.protocol import Ask, Reply, Sampling, Turn
from bench.results.record import scorable_text
from scorers.plotchain import score_plotchain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.cases import ItemRef
    from generators.items import Item
    from scorers.score import Score
    from scorers.tolerances import Policy

__all__ = ["PlotChain"]

PLOTCHAIN_MAX_TOKENS = 4096


class PlotChain:
    """Engineering plots: numbers as JSON, judged by absolute or relative tolerance for each field.

    `refs` list the items in order; `make` builds one by its id.
    """

    name = "plotchain"

    def __init__(self, refs: Sequence[ItemRef], make: Callable[[str], Item], *, policy: Policy) -> None:
        self._refs = refs
        self._make = make
        self._policy = policy

    def refs(self) -> Sequence[ItemRef]:
        """List the items in their order, without making them."""
        return self._refs

    def item(self, item_id: str) -> Item:
        """Make one item."""
        return self._make(item_id)

    def ask(self, item: Item, picture: bytes, sampling: Sampling, repeat: int) -> Ask:
        """Build the one question: the prompt with the picture."""
        turn = Turn(role="user", text=item.prompt, pictures=(picture,))
        return Ask(turns=(turn,), sampling=sampling.with_max_tokens(PLOTCHAIN_MAX_TOKENS), repeat=repeat)

    def schema(self, item: Item) -> dict[str, Any]:
        """Return a schema with every field as a number or null, all required, none else."""
        fields = (*item.final_fields, *item.checkpoint_fields)
        return {
            "type": "object",
            "properties": {field: {"type": ["number", "null"]} for field in fields},
            "required": list(fields),
            "additionalProperties": False,
        }

    def score(self, item: Item, reply: Reply, stored_answer: Mapping[str, object] | None) -> Score:
        """Score every field; a reply that is no answer fails them all."""
        return score_plotchain(
            scorable_text(reply),
            family=item.family,
            truth=item.truth,
            final_fields=item.final_fields,
            checkpoint_fields=item.checkpoint_fields,
            policy=self._policy,
            stored_answer=stored_answer,
        )
