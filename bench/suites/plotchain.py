"""The plot suite: where its items come from, how they are asked and scored."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bench.models.types import Message, Request, Response, SamplingParams, scorable_text
from bench.suites.base import CaseName, ReadsValues
from bench.suites.blind_constants import blind_constants
from generators.plotchain.records import load_jsonl
from generators.plotchain.source import PlotChainSource
from scorers.plotchain import score_plotchain
from scorers.tolerances import Tolerance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bench.options import Settings
    from bench.suites.base import ItemRef
    from generators.items import Item
    from scorers.score import Score
    from scorers.tolerances import Policy

__all__ = ["PlotChain", "PlotItems", "own_tolerances", "plot_items", "score_item"]

KEPT_ITEMS = 8192
MAX_TOKENS = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotItems:
    """The plots of a run: listed cheaply, made one by one; `recipe` is what a drawing process makes them from."""

    about: str
    refs: Sequence[ItemRef]
    item: Callable[[str], Item]
    recipe: Mapping[str, str | int] = field(default_factory=dict)


def plot_items(settings: Settings) -> PlotItems:
    """Return the run's plots: from the data set file, or from the generator.

    Raises:
        ItemDataError: the data set file cannot be used; the message names the line.
    """
    if settings.plotchain_data is not None:
        items = {item.id: item for item in load_jsonl(settings.plotchain_data, edition=settings.edition)}
        about = f"plotchain, {len(items)} items from {settings.plotchain_data}"
        return PlotItems(about=about, refs=list(items.values()), item=items.__getitem__)
    seed, count = settings.item_seed, settings.items_per_family
    source = PlotChainSource(edition=settings.edition, seed=seed, items_per_family=count)
    return PlotItems(
        about=f"plotchain {settings.edition}, seed {seed}, {count} items in each family",
        refs=source.cases,
        item=lru_cache(KEPT_ITEMS)(lambda item_id: source.item(source.case(item_id))),
        recipe={"edition": settings.edition, "seed": seed, "items_per_family": count},
    )


class PlotChain(ReadsValues):
    """Engineering plots: numbers as JSON, judged by absolute or relative tolerance for each field."""

    name = "plotchain"

    def __init__(self, items: PlotItems, *, policy: Policy) -> None:
        self._items = items
        self.drawing_recipe = items.recipe
        self.policy = policy

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        return f"{self._items.about}; tolerances {self.policy}"

    def cases(self, limit: int | None) -> Iterator[CaseName]:
        """Name the cases, one for each item."""
        for ref in self._items.refs[:limit]:
            yield CaseName(id=ref.id, item_id=ref.id, difficulty=ref.difficulty)

    def item(self, item_id: str, task: str | None) -> Item:  # noqa: ARG002 - plots have one task
        """Make one item."""
        return self._items.item(item_id)

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        """Build the one question: the prompt with the picture."""
        message = Message(role="user", text=item.prompt, pictures=tuple(pictures))
        return Request(messages=(message,), sampling=sampling.with_max_tokens(MAX_TOKENS), repeat=repeat)

    def schema(self, item: Item) -> dict[str, Any]:
        """Return a schema with every field as a number or null, all required, none else."""
        fields = _wanted(item)
        return {
            "type": "object",
            "properties": {name: {"type": ["number", "null"]} for name in fields},
            "required": list(fields),
            "additionalProperties": False,
        }

    def score(self, item: Item, reply: Response, stored_answer: Mapping[str, object] | None) -> Score:
        """Score every field; a reply that is no answer fails them all."""
        return score_item(item, scorable_text(reply), policy=self.policy, stored_answer=stored_answer)

    def oracle_text(self, item: Item) -> str:
        """Return the truth as the prompt asks for it."""
        return json.dumps({name: item.truth[name] for name in _wanted(item)})

    def blind_text(self, item: Item) -> str:
        """Return the constants of the item's family."""
        constants = blind_constants(str(item.extra["edition"])).get(item.family, {})
        return json.dumps({name: constants.get(name) for name in _wanted(item)})


def _wanted(item: Item) -> tuple[str, ...]:
    return (*item.final_fields, *item.checkpoint_fields)


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
