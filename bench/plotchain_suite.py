"""The plot suite: how its items are listed, made, asked and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.cases import CaseName
from bench.models.protocol import Ask, Reply, Sampling, Turn
from bench.results.record import scorable_text
from scorers.plotchain import score_plotchain
from scorers.tolerances import Tolerance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bench.items_source import ItemsSource
    from generators.items import Item
    from scorers.score import Score
    from scorers.tolerances import Policy

__all__ = ["PlotChain", "own_tolerances", "score_item"]

PLOTCHAIN_MAX_TOKENS = 4096


class PlotChain:
    """Engineering plots: numbers as JSON, judged by absolute or relative tolerance for each field."""

    name = "plotchain"

    def __init__(self, source: ItemsSource, *, policy: Policy) -> None:
        self._source = source
        self.policy = policy

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        return f"{self._source.about}; tolerances {self.policy}"

    def cases(self, limit: int | None) -> Iterator[CaseName]:
        """Name the cases, one for each item."""
        for ref in self._source.refs[:limit]:
            yield CaseName(id=ref.id, item_id=ref.id, difficulty=ref.difficulty)

    def item(self, item_id: str, task: str | None) -> Item:  # noqa: ARG002 - plots have one task
        """Make one item."""
        return self._source.item(item_id)

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: Sampling, repeat: int) -> Ask:
        """Build the one question: the prompt with the picture."""
        turn = Turn(role="user", text=item.prompt, pictures=tuple(pictures))
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
        return score_item(item, scorable_text(reply), policy=self.policy, stored_answer=stored_answer)

    def about_item(self, item: Item) -> dict[str, str | None]:  # noqa: ARG002
        """Return nothing: the tables need no more than the records hold."""
        return {}


def score_item(
    item: Item, text: str | None, *, policy: Policy, stored_answer: Mapping[str, object] | None = None
) -> Score:
    """Score what was answered about an item; None, where there is no answer, fails every field."""
    return score_plotchain(
        text,
        family=item.family,
        truth=item.truth,
        final_fields=item.final_fields,
        checkpoint_fields=item.checkpoint_fields,
        policy=policy,
        stored_answer=stored_answer,
        tolerances=own_tolerances(item, policy),
    )


def own_tolerances(item: Item, policy: Policy) -> dict[str, Tolerance]:
    """Return the tolerances that the item brings with it, by field; the table serves the others."""
    return {
        name: Tolerance(absolute=plotread if policy == "plotread" else strict, relative=0.0)
        for name, (plotread, strict) in item.tolerances.items()
    }
