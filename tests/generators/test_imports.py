"""Importing, listing records and prompts must not load what only drawing needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

_HEAVY = ("numpy", "matplotlib", "PIL", "scipy")
_LIGHT = (
    *("generators", "generators.items", "generators.pictures", "generators.draw", "generators.plotchain"),
    *("generators.plotchain.family", "generators.plotchain.source", "generators.auxsolidmath"),
    *("generators.geometry", "generators.geometry.annotation", "generators.geometry.loader", "scorers.geometry"),
)


def _loaded_after(*steps: str) -> list[set[str]]:
    """Return which of the heavy libraries are loaded after each step of one process."""
    probe = f"\nprint(*(set({_HEAVY!r}) & set(sys.modules)))\n"
    code = "import sys\n" + "".join(step + probe for step in steps)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return [set(line.split()) for line in result.stdout.splitlines()]


def test_importing_all_and_every_family_loads_no_array_or_drawing_library() -> None:
    families = (
        "from generators.plotchain.family import EDITIONS\n"
        "families = [edition.family(name) for edition in EDITIONS.values() for name in edition.families]\n"
        "assert len(families) >= 15"
    )

    assert _loaded_after(*(f"import {module}" for module in _LIGHT), families) == [set()] * (len(_LIGHT) + 1)


LIST_PLOTS = "from generators.plotchain import PlotChainSource\nitems = list(PlotChainSource(items_per_family=1))"


def test_listing_plots_loads_numpy_alone() -> None:
    assert _loaded_after(LIST_PLOTS) == [{"numpy"}]


@pytest.mark.sweep
def test_drawing_plots_loads_no_pyplot() -> None:
    drawing = "items[0].picture.png()\nassert 'matplotlib.pyplot' not in sys.modules"

    assert "matplotlib" in _loaded_after(LIST_PLOTS, drawing)[1]


def test_listing_making_and_drawing_dot_images_loads_none_of_them() -> None:
    code = (
        "import generators.geometry as geometry, scorers.geometry\n"
        "item = geometry.GeometrySource().item('CTRL_single_wb')\n"
        "assert item.picture.png() and item.picture.key and geometry.examples_for('COUNT', 3)\n"
        "scorers.geometry.score_geometry('LOCATE', '1, 2', item.truth)"
    )

    assert _loaded_after(code) == [set()]


def test_making_solid_geometry_problems_loads_none_of_them_and_drawing_pillow_alone() -> None:
    making = (
        "from generators.auxsolidmath.source import AuxSolidMathSource\n"
        "items = list(AuxSolidMathSource(easy=13, hard=15))\n"
        "assert len(items) == 28 and all(item.prompt and item.picture.key for item in items)"
    )

    assert _loaded_after(making, "items[0].picture.png()") == [set(), {"PIL"}]


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("from generators.auxsolidmath.registry import list_problems; assert len(list_problems()) == 302", 4),
        ("from generators.geometry import list_images; assert len(list_images()) == 92", 17),
    ],
)
def test_listing_loads_no_more_of_ours_than_names_cases(code: str, modules: int) -> None:
    script = f"{code}\nimport sys\nprint(sum(name.startswith('generators.') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) <= modules
