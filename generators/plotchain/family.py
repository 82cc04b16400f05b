"""What a plot family is: parameters, exact truth, question and drawing under one name; and the editions.

Importing this module imports no family. A new family is one module in the `families` package of its edition.
"""

from __future__ import annotations

import dataclasses
import importlib
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from generators.errors import ItemDataError
from generators.items import item_seed
from generators.plotchain.numeric import nice_step, round_half_even

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.random import Generator

    from generators.items import JsonValue

__all__ = [
    "DIFFICULTIES",
    "EDITIONS",
    "Difficulty",
    "Edition",
    "Extent",
    "FieldSpec",
    "PixelBox",
    "PlotCase",
    "PlotDraws",
    "PlotFamily",
    "StoredParams",
    "edition_named",
]

Difficulty = Literal["clean", "moderate", "edge"]
DIFFICULTIES: tuple[Difficulty, ...] = ("clean", "moderate", "edge")

P = TypeVar("P")
T = TypeVar("T")
Range = tuple[float, float]

_ACCEPTED_TYPES: Mapping[str, tuple[type, ...]] = {
    "float": (float, int),
    "float | None": (float, int),
    "int": (int,),
    "int | None": (int,),
    "str": (str,),
    "bool": (bool,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One number to read from the picture.

    `decimals` is None where the truth is stored unrounded. `hinted` is False where the answer schema of
    this edition does not show the unit (kept as published). `meaning` defines the field where the family's
    question is made of such definitions.
    """

    name: str
    unit: str
    decimals: int | None
    hinted: bool = True
    meaning: str = ""

    @property
    def is_checkpoint(self) -> bool:
        """Whether only the answer schema names the field (`cp_` prefix), not the question."""
        return self.name.startswith("cp_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Data range of a plot and its nominal tick steps (None on a logarithmic axis), in axis units."""

    x_min: float
    x_max: float
    y_min: float
    y_max: float
    tick_step_x: float | None
    tick_step_y: float | None

    @classmethod
    def of(cls, *, x: Range, y: Range, steps: tuple[float | None, float | None] = (None, None)) -> Extent:
        """Build it from both ranges, low and high, and the steps in x and y."""
        return cls(x_min=x[0], x_max=x[1], y_min=y[0], y_max=y[1], tick_step_x=steps[0], tick_step_y=steps[1])

    @classmethod
    def with_nice_steps(cls, *, x: Range, y: Range, intervals: tuple[int, int]) -> Extent:
        """Build it from both ranges and about how many ticks divide them in x and y (see `nice_step`)."""
        steps = (nice_step(x[1] - x[0], intervals[0]), nice_step(y[1] - y[0], intervals[1]))
        return cls.of(x=x, y=y, steps=steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotCase(Generic[P]):
    """Everything that a picture depends on besides its family: parameters, difficulty, item seed."""

    params: P
    difficulty: Difficulty
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PixelBox:
    """A box in whole pixels of the picture, lower left corner counted from the picture's."""

    left: int
    bottom: int
    width: int
    height: int


class StoredParams:
    """A record's `plot_params`: numbers by item access, texts by `text`.

    Raises:
        KeyError: there is no such parameter.
    """

    def __init__(self, params: Mapping[str, JsonValue]) -> None:
        self._params = params

    def __getitem__(self, name: str) -> float:
        return float(str(self._params[name]))

    def text(self, name: str) -> str:
        """Return a parameter that is a text."""
        return str(self._params[name])


class PlotFamily(ABC, Generic[P]):
    """A plot family; `P` is its frozen parameter dataclass, whose fields are the record's `plot_params`.

    `fields` stand in ground-truth order. `question_text` may name parameters in braces. A family with
    `redraws` looks at values used by its lower indices while it samples, so it is sampled in order. Where
    `axes_box_px` is set the axes lie there and the picture is the whole figure; else it is cropped.
    """

    name: ClassVar[str]
    fields: ClassVar[tuple[FieldSpec, ...]]
    question_text: ClassVar[str]
    params_type: ClassVar[type]
    moderate_tag: ClassVar[str] = ""
    edge_tag: ClassVar[str] = ""
    figure_size_in: ClassVar[tuple[float, float]] = (6.0, 3.6)
    axes_box_px: ClassVar[PixelBox | None] = None
    redraws: ClassVar[bool] = False

    @abstractmethod
    def sample(self, draws: PlotDraws) -> P:
        """Draw parameters; all randomness comes from `draws`, in the order that the recipe gives."""

    @abstractmethod
    def truth(self, params: P) -> Mapping[str, float]:
        """Return every field's value before rounding, in ground-truth order and the fields' units."""

    @abstractmethod
    def extent(self, case: PlotCase[P]) -> Extent:
        """Return the stored data range (noise included) and nominal tick steps."""

    @abstractmethod
    def draw(self, axes: Axes, case: PlotCase[P]) -> None:
        """Draw the case into empty axes, including title, labels, grid and limits."""

    def baseline(self, p: StoredParams) -> Mapping[str, float]:  # noqa: ARG002 - each family has its own
        """Return every field's value, not rounded, from the stored parameters and by other means than `truth`.

        The validation tables of a written set compare the two.

        Raises:
            KeyError: the family has no baseline, or a parameter is missing.
        """
        raise KeyError(f"{self.name} has no baseline: write its method `baseline`")

    def question(self, params: P) -> str:
        """Return the question as published, final fields numbered."""
        return self.question_text.format(**self.dump(params))

    def tag(self, difficulty: Difficulty) -> str:
        """Return what the record says is harder in pictures of a difficulty; empty where nothing is said."""
        return {"clean": "", "moderate": self.moderate_tag, "edge": self.edge_tag}[difficulty]

    def rounded_truth(self, params: P) -> dict[str, float]:
        """Return the truth with each field rounded to its decimals, half to even."""
        exact = self.truth(params)
        decimals = self.decimals(params)
        return {
            name: float(value) if (places := decimals[name]) is None else round_half_even(float(value), places)
            for name, value in exact.items()
        }

    def decimals(self, params: P) -> Mapping[str, int | None]:  # noqa: ARG002 - an edition may look at them
        """Return to how many decimals each field is rounded; None: not at all."""
        return {spec.name: spec.decimals for spec in self.fields}

    def tolerances(self, params: P) -> Mapping[str, tuple[float, float]]:  # noqa: ARG002 - an edition may
        """Return the item's own tolerances by field: plotread, strict; none where a table serves."""
        return {}

    def generation(self, case: PlotCase[P]) -> dict[str, JsonValue]:
        """Return what the record's generation block says of the drawing."""
        return dataclasses.asdict(self.extent(case))

    def dump(self, params: P) -> dict[str, JsonValue]:
        """Return parameters as a JSON object; parameters that are None are left out."""
        values = {entry.name: getattr(params, entry.name) for entry in dataclasses.fields(self.params_type)}
        return {name: value for name, value in values.items() if value is not None}

    def restore(self, values: Mapping[str, JsonValue]) -> P:
        """Build parameters from a JSON object.

        Raises:
            ItemDataError: a parameter is missing, unknown or of another type.
        """
        known = {entry.name: str(entry.type) for entry in dataclasses.fields(self.params_type)}
        for name, value in values.items():
            self._check(name, value, known.get(name))
        missing = [name for name, kind in known.items() if name not in values and "None" not in kind]
        if missing:
            raise ItemDataError(f"plot_params of {self.name}: {', '.join(missing)} missing; add it")
        params: P = self.params_type(**values)
        return params

    def _check(self, name: str, value: JsonValue, kind: str | None) -> None:
        if kind is None:
            raise ItemDataError(f"plot_params of {self.name}: unknown parameter {name!r}; remove it")
        is_flag = isinstance(value, bool)
        if not isinstance(value, _ACCEPTED_TYPES[kind]) or is_flag != (kind == "bool"):
            raise ItemDataError(f"plot_params of {self.name}: {name} must be {kind}, got {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotDraws:
    """The random stream of one item; `used` holds what its family may not draw again.

    `origin` is what the item's seed was made from (see `item_seed`); side streams are named after it.
    """

    rng: Generator
    difficulty: Difficulty
    used: set[float] = field(default_factory=set)
    origin: tuple[int | str, ...] = ()

    def pick(self, options: Sequence[T]) -> T:
        """Draw one option uniformly; the order of `options` matters (same stream as `Generator.choice`)."""
        return options[int(self.rng.choice(len(options)))]

    def pick_two(self, options: Sequence[T]) -> tuple[T, T]:
        """Draw two distinct options in one call without replacement, in drawn order."""
        first, second = self.rng.choice(len(options), size=2, replace=False)
        return options[int(first)], options[int(second)]

    def uniform(self, low: float, high: float) -> float:
        """Draw a real number from [low, high)."""
        return float(self.rng.uniform(low, high))

    def log_uniform(self, low: float, high: float) -> float:
        """Draw a positive real number from [low, high) whose logarithm is uniform."""
        return math.exp(self.uniform(math.log(low), math.log(high)))

    def sign(self) -> float:
        """Draw 1.0 or -1.0, each half the time."""
        return 1.0 if self.rng.random() < 0.5 else -1.0  # noqa: PLR2004

    def side_seed(self, name: str) -> int:
        """Return the seed of another stream of this item, one that shares nothing with this one."""
        return item_seed(*self.origin, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A set of families: every module of the package `generators.plotchain.<name>.families` is one.

    `seed_prefix` stands before what item seeds are made from. Where items bring their own tolerances there is no
    table, and an item without them cannot be scored.
    """

    name: str
    seed_prefix: tuple[str, ...] = ()
    has_own_tolerances: bool = False

    @property
    def families(self) -> tuple[str, ...]:
        """Family names in alphabetical order, which is the order of items; imports no family."""
        return _family_names(self.name)

    def family(self, name: str) -> PlotFamily[Any]:
        """Import and return one family.

        Raises:
            KeyError: the edition has no family of that name.
        """
        if name not in self.families:
            raise KeyError(f"edition {self.name} has no family {name!r}")
        family: PlotFamily[Any] = importlib.import_module(f"{__package__}.{self.name}.families.{name}").FAMILY
        return family


@cache
def _family_names(edition: str) -> tuple[str, ...]:
    folder = Path(__file__).parent / edition / "families"
    return tuple(sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__"))


EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {"v4": Edition(name="v4"), "v5": Edition(name="v5", seed_prefix=("v5",), has_own_tolerances=True)}
)


def edition_named(name: str) -> Edition:
    """Return the edition of that name.

    Raises:
        ValueError: there is no such edition; the message lists those that exist.
    """
    if name not in EDITIONS:
        raise ValueError(f"unknown PlotChain edition {name!r}; expected one of: {', '.join(EDITIONS)}")
    return EDITIONS[name]
