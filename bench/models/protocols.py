"""What the benchmark needs of a model: sent requests, made for that, or offline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.models.prices import Price
    from bench.models.types import Drawing, Request, Response
    from generators.items import Item

__all__ = ["Asked", "KnownAnswers", "Model", "ModelMaker", "OfflineModel"]


class NamedModel(Protocol):
    """Whatever stands in the model columns of tables."""

    @property
    def provider(self) -> str:
        """Provider as written into tables, such as "openai"."""
        ...

    @property
    def name(self) -> str:
        """Model name as written into tables, such as "gpt-4.1"."""
        ...


class IdentifiedModel(NamedModel, Protocol):
    """A model whose responses can be stored."""

    @property
    def identity(self) -> dict[str, Any]:
        """What besides the request decides a reply (provider, endpoint, name, client version), JSON-safe."""
        ...


class Model(IdentifiedModel, Protocol):
    """Anything that can be asked. One instance serves one run and one event loop."""

    @property
    def adaptations(self) -> list[dict[str, str]]:
        """What was changed in requests because the server refused it."""
        ...

    async def ask(self, request: Request) -> Response:
        """Ask once, with the client's own bounded retries; never raises for trouble with the server."""
        ...

    def send_no_more(self) -> None:
        """Send no further request; whoever waits to send one is cancelled. Called in the event loop."""
        ...

    async def close(self) -> None:
        """Release connections."""
        ...


class ModelMaker(IdentifiedModel, Protocol):
    """A model that is known to be askable, before its client is imported; call it once in each event loop."""

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        ...

    @property
    def remote(self) -> bool:
        """Whether a server answers: its replies are worth storing, and trouble with it may pass."""
        ...

    @property
    def price(self) -> Price | None:
        """What it costs, or None where nobody says."""
        ...

    @property
    def declines(self) -> Mapping[str, str]:
        """Suites that it is not asked, each with the reason."""
        ...

    def __call__(self) -> Model:
        """Return the model."""
        ...


Asked = tuple[str, str | None]
"""What a case asks: the item's id, and the task where the suite has several."""


class KnownAnswers(Protocol):
    """The part of a suite that offline models answer from."""

    def oracle_text(self, item: Item) -> str:
        """Return the truth in the form that the prompt asks for."""
        ...

    def blind_text(self, item: Item) -> str:
        """Return what is answered without looking."""
        ...


class OfflineModel(NamedModel, Protocol):
    """A model that answers from the item alone, at once and for nothing."""

    @property
    def about(self) -> str:
        """One clause for the run's header: what kind of answers to expect."""
        ...

    def answers(self, asked: Asked) -> bool:
        """Whether it has an answer for the case, which is skipped otherwise."""
        ...

    def repeats(self, asked: Asked, wanted: Iterable[int]) -> Iterable[int]:
        """Return which repeats it answers, of those wanted."""
        ...

    def reply(self, suite: KnownAnswers, item: Item, asked: Asked, repeat: int) -> Response:
        """Return the reply, always the same for the same question and repeat."""
        ...

    def stored_answer(self, asked: Asked, repeat: int) -> Mapping[str, Any] | None:
        """Return an answer kept beside the text, used only where the text holds none."""
        ...

    @property
    def has_drawings(self) -> bool:
        """Whether it knows of first stages of two-stage cases."""
        ...

    def drawing(self, asked: Asked, repeat: int) -> Drawing | None:
        """Return what is known of the first stage of a two-stage case."""
        ...
