"""What a plot family is: parameters, exact truth, question and drawing under one name."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, TypeVar

from generators.errors import ItemDataError
from generators.plotchain.numeric import round_half_even

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from generators.items import JsonValue
    from generators.plotchain.draws import Draws

__all__ = ["DIFFICULTIES", "Case", "Difficulty", "Extent", "Family", "FieldSpec", "PixelBox"]

Difficulty = Literal["clean", "moderate", "edge"]
DIFFICULTIES: tuple[Difficulty, ...] = ("clean", "moderate", "edge")

P = TypeVar("P")

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Generic[P]):
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


class Family(ABC, Generic[P]):
    """A plot family; `P` is its frozen parameter dataclass, whose fields are the record's `plot_params`.

    `fields` stand in ground-truth order. `question_text` may name parameters in braces. A family with
    `redraws` looks at values used by its lower indices while it samples, so it is sampled in order. Where
    `axes_box_px` is set the axes lie there and the picture is the whole figure; else it is cropped.
    """

    name: ClassVar[str]
    fields: ClassVar[tuple[FieldSpec, ...]]
    question_text: ClassVar[str]
    params_type: ClassVar[type]
    edge_tags: ClassVar[Mapping[Difficulty, str]] = {}
    figure_size_in: ClassVar[tuple[float, float]] = (6.0, 3.6)
    axes_box_px: ClassVar[PixelBox | None] = None
    redraws: ClassVar[bool] = False

    @abstractmethod
    def sample(self, draws: Draws) -> P:
        """Draw parameters; all randomness comes from `draws`, in the order that the recipe gives."""

    @abstractmethod
    def truth(self, params: P) -> Mapping[str, float]:
        """Return every field's value before rounding, in ground-truth order and the fields' units."""

    @abstractmethod
    def extent(self, case: Case[P]) -> Extent:
        """Return the stored data range (noise included) and nominal tick steps."""

    @abstractmethod
    def draw(self, axes: Axes, case: Case[P]) -> None:
        """Draw the case into empty axes, including title, labels, grid and limits."""

    def question(self, params: P) -> str:
        """Return the question as published, final fields numbered."""
        return self.question_text.format(**self.dump(params))

    def rounded_truth(self, params: P) -> dict[str, float]:
        """Return the truth with each field rounded to its decimals, half to even."""
        exact = self.truth(params)
        decimals = self.decimals(params)
        return {name: _rounded(value, decimals[name]) for name, value in exact.items()}

    def decimals(self, params: P) -> Mapping[str, int | None]:  # noqa: ARG002 - an edition may look at them
        """Return to how many decimals each field is rounded; None: not at all."""
        return {spec.name: spec.decimals for spec in self.fields}

    def tolerances(self, params: P) -> Mapping[str, tuple[float, float]]:  # noqa: ARG002 - an edition may
        """Return the item's own tolerances by field: plotread, strict; none where a table serves."""
        return {}

    def generation(self, case: Case[P]) -> dict[str, JsonValue]:
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


def _rounded(value: float, decimals: int | None) -> float:
    return float(value) if decimals is None else round_half_even(float(value), decimals)
