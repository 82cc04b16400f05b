"""The geometry suite: dot images, each asked several tasks, judged by the tasks' metrics."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bench.errors import UserError
from bench.models.types import Message, Request, Response, SamplingParams, scorable_text
from bench.suites.base import CaseName, ReadsValues

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.options import Settings
    from generators.geometry.examples import Shots
    from generators.geometry.tasks import Task
    from generators.items import Item
    from scorers.geometry.aggregate import TaskScore
    from scorers.score import Score

__all__ = ["Geometry", "chosen_tasks", "task_of"]


def chosen_tasks(named: str | None) -> tuple[Task, ...] | None:
    """Read --tasks: names in any case, separated by commas; None, which is all of them, without it.

    Raises:
        UserError: a name is no task.
    """
    if named is None:
        return None
    from generators.geometry.tasks import TASKS  # noqa: PLC0415 - only where geometry runs

    asked = {name.strip().upper() for name in named.split(",") if name.strip()}
    if not asked or not asked <= set(TASKS):
        raise UserError(f"--tasks: expected names out of {', '.join(TASKS)}, got {named!r}")
    return tuple(task for task in TASKS if task in asked)


class Geometry(ReadsValues):
    """Cases are pictures times tasks; pictures come from the generator or from a folder in imagegen's layout."""

    name = "geometry"

    def __init__(
        self, *, seed: int, folder: Path | None, tasks: Sequence[Task] | None, shots: Shots, count_tolerance: int
    ) -> None:
        self._seed = seed
        self._folder = folder
        self._tasks = tasks
        self._shots = shots
        self._count_tolerance = count_tolerance

    @classmethod
    def from_settings(cls, settings: Settings) -> Geometry:
        """Make the suite that the options describe.

        Raises:
            UserError: --tasks names no task.
            ItemDataError: --geometry-suite cannot be used.
        """
        suite = cls(
            seed=settings.item_seed,
            folder=settings.geometry_suite,
            tasks=chosen_tasks(settings.tasks),
            shots=settings.shots,
            count_tolerance=settings.count_tolerance,
        )
        if settings.geometry_suite is not None:
            suite.load()
        return suite

    def load(self) -> None:
        """Read the folder now, so that a fault in it is met before anything is asked.

        Raises:
            ItemDataError: the folder cannot be used; the message names the entry.
        """
        _ = self._loaded

    @property
    def about(self) -> str:
        """One clause for the run's header."""
        source = f"seed {self._seed}" if self._folder is None else f"pictures from {self._folder}"
        shots = f", {self._shots} example pictures before each question" if self._shots else ""
        tasks = "all tasks" if self._tasks is None else f"tasks {', '.join(self._tasks)}"
        return f"geometry, {source}, {tasks}{shots}"

    @property
    def policy(self) -> str:
        """What decides a pass: the tasks' thresholds."""
        return "thresholds"

    def cases(self, limit: int | None) -> Iterator[CaseName]:
        """Name the cases of the first `limit` pictures."""
        for image in self._images[:limit]:
            for task in image.tasks:
                if self._tasks is None or task in self._tasks:
                    yield CaseName(
                        id=f"{image.id}-{task}", item_id=image.id, difficulty=image.family.lower(), task=task
                    )

    def item(self, item_id: str, task: str | None) -> Item:
        """Make a picture's item for one task."""
        from generators.geometry.records import task_item  # noqa: PLC0415 - only where geometry runs

        return task_item(self._picture_item(item_id), _task(task))

    def ask(self, item: Item, pictures: Sequence[bytes], sampling: SamplingParams, repeat: int) -> Request:
        """Build the question: example pictures with their answers, then the prompt with the picture."""
        from generators.geometry.tasks import answer_tokens  # noqa: PLC0415

        task = task_of(item)
        question = Message(role="user", text=item.prompt, pictures=tuple(pictures))
        return Request(
            messages=(*self._example_turns(task), question),
            sampling=sampling.with_max_tokens(answer_tokens(task, item.truth)),
            repeat=repeat,
        )

    def schema(self, item: Item) -> dict[str, Any] | None:  # noqa: ARG002
        """Answers are labelled lines, not JSON: no schema is asked for."""
        return None

    def score(self, item: Item, reply: Response, stored_answer: Mapping[str, object] | None) -> Score:  # noqa: ARG002
        """Score a reply; one that is no answer fails."""
        from scorers.geometry import as_score  # noqa: PLC0415

        return as_score(self.task_score(item, reply))

    def oracle_text(self, item: Item) -> str:
        """Return the truth as the prompt asks for it."""
        from generators.geometry.tasks import oracle_answer  # noqa: PLC0415

        return oracle_answer(task_of(item), item.truth)

    def blind_text(self, item: Item) -> str:
        """Return the constant answer of the task."""
        from generators.geometry.tasks import blind_answer  # noqa: PLC0415

        return blind_answer(task_of(item), item.truth)

    def task_score(self, item: Item, reply: Response) -> TaskScore:
        """Score a reply with all of the task's metrics."""
        from scorers.geometry import score_geometry  # noqa: PLC0415

        return score_geometry(
            task_of(item),
            scorable_text(reply),
            item.truth,
            count_tolerance=self._count_tolerance,
        )

    @cached_property
    def _images(self) -> Sequence[Any]:
        """What is known of each picture before it is made: id, family, tasks."""
        from generators.geometry.source import list_images  # noqa: PLC0415

        if self._folder is None:
            return list_images()
        from generators.geometry.source import ImageRef  # noqa: PLC0415
        from generators.geometry.tasks import tasks_of  # noqa: PLC0415

        return [
            ImageRef(
                id=item.id,
                family=item.family,
                index=item.index,
                difficulty=item.difficulty,
                tasks=tasks_of(item),
            )
            for item in self._loaded.values()
        ]

    @cached_property
    def _loaded(self) -> Mapping[str, Item]:
        from generators.geometry.loader import load_suite  # noqa: PLC0415

        return {} if self._folder is None else {item.id: item for item in load_suite(self._folder)}

    @cached_property
    def _made(self) -> dict[str, Item]:
        return {}

    @cached_property
    def _source(self) -> Any:  # noqa: ANN401
        from generators.geometry.source import GeometrySource  # noqa: PLC0415

        return GeometrySource(seed=self._seed)

    def _picture_item(self, item_id: str) -> Item:
        if item_id in self._loaded:
            return self._loaded[item_id]
        if item_id not in self._made:
            self._made[item_id] = self._source.item(item_id)
        return self._made[item_id]

    def _example_turns(self, task: Task) -> tuple[Message, ...]:
        from generators.geometry.examples import examples_for  # noqa: PLC0415

        messages: list[Message] = []
        for example in examples_for(task, self._shots):
            messages.append(Message(role="user", text=example.prompt, pictures=(example.picture.png(),)))
            messages.append(Message(role="assistant", text=example.answer))
        return tuple(messages)


def task_of(item: Item) -> Task:
    """Return the task that a geometry item asks."""
    return _task(item.extra["task"])


def _task(name: object) -> Task:
    from generators.geometry.tasks import TASKS  # noqa: PLC0415

    for task in TASKS:
        if task == name:
            return task
    raise ValueError(f"expected a geometry task, got {name!r}")
