"""What tests ask for: the case, its item, picture and reply, and how to ask and record."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from bench.run import RUN

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.recording import Recorder
    from bench.run import Run
    from bench.session import Answer
    from bench.suites.base import Case
    from generators.items import Item

__all__ = ["fixtures_of"]


def fixtures_of(config: pytest.Config) -> ModuleType:
    """Return a plugin with the fixtures of one configuration.

    They ask neither for `request` nor for `pytestconfig`, which asks for it: pytest makes one anew for each
    fixture of each test, a twelfth of a case's cost.
    """

    def run() -> Run:
        return config.stash[RUN]

    @pytest.fixture
    def case() -> Case:
        """The case that the test is about: item, task and model."""
        return run().case

    @pytest.fixture
    def item(case: Case) -> Item:
        """The item: prompt, exact truth, parameters."""
        return run().session.item(case)

    @pytest.fixture
    def image(item: Item) -> bytes:
        """The picture's PNG bytes, as a model is shown them."""
        return run().session.pictures.png(item)

    @pytest.fixture(scope="session")
    def ask() -> Callable[[Case], tuple[Answer, ...]]:
        """Ask a case's model: one answer for each of --repeats; trouble with the server is an error."""
        return run().ask

    @pytest.fixture
    def reply(case: Case, ask: Callable[[Case], tuple[Answer, ...]]) -> tuple[Answer, ...]:
        """The model's answers to the case."""
        return ask(case)

    @pytest.fixture(scope="session")
    def record() -> Recorder:
        """Score the answers to the test's case and keep the records; returns them."""
        return run().record

    plugin = ModuleType(__name__)
    vars(plugin).update(case=case, item=item, image=image, ask=ask, reply=reply, record=record)
    return plugin
