"""The six auxiliary constructions, each with its wording in English and Chinese, its lines and its facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from generators.auxsolidmath.facts import Fact, fact
from generators.auxsolidmath.figure import Pair, pairs
from generators.auxsolidmath.naming import labels_in
from generators.auxsolidmath.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.auxsolidmath.bodies import Stroke

__all__ = [
    "NAMES",
    "Construction",
    "Operation",
    "extend",
    "join",
    "midpoint",
    "parallel",
    "perpendicular",
    "perpendicular_to_plane",
    "section",
]

Operation = Literal["join", "perp", "mid", "extend", "par", "section"]

NAMES: Mapping[Operation, tuple[str, str]] = {
    "join": ("connect points", "连接两点"),
    "perp": ("draw perpendicular", "过点作垂线"),
    "mid": ("find midpoint", "取中点"),
    "extend": ("extend line", "延长线"),
    "par": ("draw parallel", "作平行线"),
    "section": ("construct cross-section", "作截面"),
}
"""English and Chinese name of each construction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Construction:
    """One step of the auxiliary drawing.

    `en` and `zh` are sentences with labels in brackets. `creates` are the points that the step adds, `lines` the
    segments and `curves` the curves that it draws, `right_angles` the marks (arm, vertex, arm); `facts` must hold.
    """

    operation: Operation
    en: str
    zh: str
    creates: tuple[str, ...] = ()
    lines: tuple[Pair, ...] = ()
    curves: tuple[Stroke, ...] = ()
    right_angles: tuple[tuple[str, str, str], ...] = ()
    facts: tuple[Fact, ...] = ()


def join(lines: str, *, meeting: str = "", outside: str = "") -> Construction:
    """Connect points: "AC BD" draws AC and BD; `meeting` names the point where the first two lines cross.

    `outside` names lines, given first, that are drawn already and that the crossing point lies on.
    """
    drawn, crossed = pairs(lines), [*outside.split(), *lines.split()]
    names = [f"[{line}]" for line in lines.split()]
    en, zh = f"Connect {listed(names)}", f"连接{'、'.join(names)}"
    facts: tuple[Fact, ...] = ()
    if meeting:
        with_given = [f"[{line}]" for line in outside.split()]
        en += f", meeting {listed(with_given)} at [{meeting}]" if outside else f", meeting at [{meeting}]"
        zh += f"，交{'、'.join(with_given)}于点[{meeting}]" if outside else f"，交于点[{meeting}]"
        facts = tuple(fact("on_line", meeting + line) for line in crossed[:2])
    return Construction(
        operation="join", en=f"{en}.", zh=f"{zh}。", creates=labels_in(meeting), lines=drawn, facts=facts
    )


def perpendicular(point: str, line: str, *, foot: str) -> Construction:
    """Draw the perpendicular from a point to a line, with a new foot."""
    start, end = labels_in(line)
    return Construction(
        operation="perp",
        en=f"Draw the perpendicular from [{point}] to line [{line}], with foot [{foot}].",
        zh=f"过点[{point}]作[{point}{foot}]⊥[{line}]，垂足为[{foot}]。",
        creates=(foot,),
        lines=((point, foot),),
        right_angles=((point, foot, end),),
        facts=(fact("perpendicular", point + foot + line), fact("on_line", foot + start + end)),
    )


def perpendicular_to_plane(point: str, plane: str, *, foot: str, towards: str) -> Construction:
    """Draw the perpendicular from a point to a plane, with a new foot; the mark opens `towards` a point of it."""
    return Construction(
        operation="perp",
        en=f"Draw the perpendicular from [{point}] to plane [{plane}], with foot [{foot}].",
        zh=f"过点[{point}]作[{point}{foot}]⊥平面[{plane}]，垂足为[{foot}]。",
        creates=(foot,),
        lines=((point, foot),),
        right_angles=((point, foot, towards),),
        facts=(fact("perpendicular_to_plane", point + foot + plane), fact("on_plane", foot + plane)),
    )


def midpoint(point: str, line: str) -> Construction:
    """Take the midpoint of a segment."""
    return Construction(
        operation="mid",
        en=f"Take the midpoint [{point}] of [{line}].",
        zh=f"取[{line}]的中点[{point}]。",
        creates=(point,),
        facts=(fact("midpoint", point + line),),
    )


def extend(line: str, *, until: str, meeting: str) -> Construction:
    """Extend a segment beyond its second end until it meets the line `until`, which is produced to that point."""
    start, end = labels_in(line)
    near = labels_in(until)[1]
    return Construction(
        operation="extend",
        en=f"Extend [{line}] to meet the extension of [{until}] at [{meeting}].",
        zh=f"延长[{line}]，交[{until}]的延长线于点[{meeting}]。",
        creates=(meeting,),
        lines=((end, meeting), (near, meeting)),
        facts=(fact("on_line", meeting + start + end), fact("on_line", meeting + until)),
    )


def parallel(through: str, line: str, *, meeting: str, on: str) -> Construction:
    """Draw through a point the parallel to a line; it meets the line `on` at a new point."""
    return Construction(
        operation="par",
        en=f"Through [{through}] draw the parallel to [{line}], meeting [{on}] at [{meeting}].",
        zh=f"过点[{through}]作[{line}]的平行线，交[{on}]于点[{meeting}]。",
        creates=(meeting,),
        lines=((through, meeting),),
        facts=(fact("parallel", through + meeting + line), fact("on_line", meeting + on)),
    )


def section(points: str, lines: str, *, creates: str = "") -> Construction:
    """Construct the section of the solid through given points and draw its sides."""
    corners = labels_in(points)
    return Construction(
        operation="section",
        en=f"Construct the cross-section [{points}] of the solid.",
        zh=f"作截面[{points}]。",
        creates=labels_in(creates),
        lines=pairs(lines),
        facts=tuple(fact("on_plane", corner + "".join(corners[:3])) for corner in corners[3:]),
    )
