"""A plain averaging reader of edition v5, one module a family: the second route to every truth value.

Each measures its fields in the pixels of what is drawn and turns pixels into values by the tick labels. On clean
pictures it confirms the truth by a route of its own; on noisy ones it shows that the noise can be read through.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from tests.generators.plotchain.v5.seen import Seen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tests.generators.plotchain.v5.seen import Answers

FAMILIES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def read_fields(family: str, axes: Axes, *, is_noisy: bool) -> Answers:
    """Every field of a drawn plot, in its own unit."""
    answers: Answers = importlib.import_module(f"{__name__}.{family}").read_fields(Seen(axes), is_noisy)
    return answers
