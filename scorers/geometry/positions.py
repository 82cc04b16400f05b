"""Reading positions of spots.

The forms are tried on what follows the last line such as "Final answer:" or "Let me correct this:", and on the
whole reply if that holds none. Of a line with an arrow between positions what follows the arrow counts. The form
that gives most points is taken, of equal ones the first of: `json`, `x and y`, `brackets`,
`rows`. Without any point the reply says that there is none (`nothing seen`: "NONE", "[]", "no spots"), or
nothing (None: `refusal`, `empty`, `none`).

What the numbers are is decided once, from all of them: percents if any has a percent sign; fractions of the
picture's size if none is outside -0.1..1.1; percents if three or more different points are all within 0..100,
and reach beyond 60 both ways, in a picture larger than that; else pixels, as the prompt asks.

No answer (None, rule `y first`): positions that are announced as y before x, or row before column.
Not taken for positions: indices, list marks, radii, and in a sentence the picture's corners ("from (0, 0) to
(700, 510)"). Points outside the picture are kept: they were answered, and are wrong. Boxes with named corners
count by their centres. Several rows of four numbers may be boxes by corners, boxes by size or two points each:
they are none.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scorers.geometry.reading import is_refusal, nothing_seen, prepared
from scorers.json_extraction import fields_of, structured_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MAX_POINTS", "LocateReading", "Point", "read_positions"]

MAX_POINTS = 10_000
"""Points beyond this number are not read."""

MAX_PX = 1e6
"""Points farther away than this are no positions."""

_FINAL = re.compile(
    r"\b(?:(?:final|corrected|revised|updated|second)\s(?:answer|list|coordinates|positions|result|attempt)s?|"
    r"correction|let me (?:correct|fix|redo|revise|refine)|(?:scaled|converted) to pixels)\b[^\n:]{0,60}[:\n]",
    re.IGNORECASE,
)
_Y_FIRST = re.compile(
    r"\b(?:y(?:[ _-]?coord\w*)?|rows?)(?:[ ]?\(?px\)?)?[ ]?[,;][ ]?(?:x\b|col(?:umn)?s?\b)|\bbox_2d\b|"
    r"\bymin\b.{0,9}\bxmin\b",
    re.IGNORECASE,
)
_LARGEST_FRACTION = 1.1
_LEAST_FRACTION = -0.1
_PERCENT = 100.0
_POINTS_FOR_BARE_PERCENT = 3
_SPREAD_PERCENT = 60.0

_NUM = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
_NUMBER = re.compile(rf"(?<![\w.])({_NUM})(?!\w|\.\d)\s?(%)?")
_TWO_NUMBERS = re.compile(r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)(%)?\s?[,; ]\s?([+-]?[0-9]+(?:\.[0-9]+)?)(%)?\s*")
_LABELLED = re.compile(
    rf"\b([xy])\d{{0,4}}\s*[=:]\s*[\"'~≈]?({_NUM})\s?(%)?[\"']?\s*(?:px|pixels?)?\s*[,;|]?\s*(?:and\s)?\s*(?:[-•]\s*)?"
    rf"(?!\1)[xy]\d{{0,4}}\s*[=:]\s*[\"'~≈]?({_NUM})\s?(%)?",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    rf"[(\[{{<]\s*[~≈]?({_NUM})\s?(%)?\s?(?:px)?\s*[,;\s]\s*[~≈]?({_NUM})\s?(%)?\s?(?:px|pixels?)?\s*"
    rf"(?:[,;]\s*[\w= .]{{0,16}})?[)\]}}>]"
)
_OPEN = re.compile(r"[(\[{<]")
_MARKER = re.compile(
    r"\s*(?:[-•·–]\s+)?(?:(?:(?:spot|dot|circle|point|no\.?|number)\s*)?#?\d{1,5}\s*(?:[.):]|->|-(?=\s))\s*(?=[\s(\[])"
    r"|(?:spot|dot|circle|point)\s*#?\d{1,5}\s*(?:[:,]|->)?\s*|(?:\(\d{1,5}\)|\[\d{1,5}\])\s*(?=[\d.]))?",
    re.IGNORECASE,
)
_RADIUS = re.compile(rf"\b(?:r|radius|d|diameter|size)\s*[=:]?\s*~?{_NUM}\s?(?:px|pixels?|µm|um)?", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-zµ]+")
_NOT_BARE = re.compile(r"[()\[\]{}=]")
_NEUTRAL = frozenset({
    "spot", "spots", "dot", "dots", "circle", "circles", "point", "points", "center", "centre", "at", "is",
    "located", "position", "positions", "coordinate", "coordinates", "coord", "coords", "location",
    "approximately", "approx", "about", "around", "near", "pixel", "pixels", "px", "and", "x", "y", "e",
})  # fmt: skip
_POSITION_FIELDS = (
    "center", "centre", "position", "point", "point_2d", "coordinates", "coordinate", "location", "coords", "xy",
    "pos",
)  # fmt: skip
_XY_FIELDS = (
    ("x", "y"), ("cx", "cy"), ("x_px", "y_px"), ("center_x", "center_y"), ("x_center", "y_center"),
)  # fmt: skip
_CORNER_FIELDS = (
    ("x1", "y1", "x2", "y2"), ("x_min", "y_min", "x_max", "y_max"), ("xmin", "ymin", "xmax", "ymax"),
    ("left", "top", "right", "bottom"),
)  # fmt: skip
_NO_POSITION = frozenset({
    "image_size", "size", "image", "image_dimensions", "dimensions", "resolution", "canvas", "origin",
    "image_resolution",
})  # fmt: skip
_NO_LABEL = re.compile(
    r"[=(\[{,]|\b(?:x|y|image|picture|canvas|size|resolution|origin|dimensions?|range|frame|width)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*\([^()\n]{0,40}[A-Za-z][^()\n]{0,40}\)\s*$")
_MAYBE_PAIR = re.compile(r"[0-9][^0-9\n]{0,16}[,;:|\s][^0-9\n]{0,16}?\.?[0-9]")
_Y_BEFORE_X = re.compile(r"\by\b[^x]*\bx\b", re.IGNORECASE)
_PLACE_LIST = re.compile(
    r"^\W{0,6}(?:row|column|line|group|region|quadrant|part)\s[^\n\[{]{0,30}[\[{]", re.IGNORECASE | re.MULTILINE
)
_BOX_FIELDS = ("bbox", "bbox_2d", "box", "bounding_box")
_OTHER_KEY = re.compile(
    rf"[\"']?\b(?:xs?|ys?|{'|'.join(sorted(_NO_POSITION))})[\"']\s{{0,3}}:\s{{0,3}}$", re.IGNORECASE
)
_KEY_CHARS = 40
_PAIR, _BOX = 2, 4
_MAX_CHARS_IN_LINE = 50_000


class Point(NamedTuple):
    """A position in pixels from the top left corner, y downwards."""

    x_px: float
    y_px: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LocateReading:
    """The positions that were read, None when the reply is no answer, and the rule."""

    points: tuple[Point, ...] | None
    rule: str


def read_positions(text: str, *, width_px: int, height_px: int) -> LocateReading:
    """Read positions from any text; total, and equal for equal text in every process."""
    seen = prepared(text, keep_bars=True)
    if not seen:
        return LocateReading(points=None, rule="empty")
    if ">" in seen or "→" in seen:
        seen = "\n".join(map(_behind_arrow, seen.split("\n")))
    if _Y_FIRST.search(seen):
        return LocateReading(points=None, rule="y first")
    finals = list(_FINAL.finditer(seen))
    parts = [seen[finals[-1].end() :], seen] if finals else [seen]
    for part in parts:
        raw, rule = _best(part, width_px, height_px)
        if raw:
            points, form = _in_pixels(raw[:MAX_POINTS], width_px, height_px)
            return LocateReading(points=points or None, rule=f"{rule}, {form}")
    return _without_points(seen)


def _behind_arrow(line: str) -> str:
    """Return what follows the last arrow if it may be a position, else the line."""
    tail = re.split(r"→|[-=]>", line)[-1]
    return tail if len(re.findall(r"[0-9]+(?:\.[0-9]+)?", tail)) > 1 else line


def _without_points(text: str) -> LocateReading:
    if is_refusal(text):
        return LocateReading(points=None, rule="refusal")
    if nothing_seen(text) or _from_json(text) == []:
        return LocateReading(points=(), rule="nothing seen")
    return LocateReading(points=None, rule="none")


def _best(text: str, width_px: int, height_px: int) -> tuple[list[_RawPoint], str]:
    candidates = {
        "json": _from_json(text) or [],
        "x and y": _labelled(text),
        "brackets": [point for point in _bracketed(text) if not _is_corner(point, width_px, height_px)],
        "rows": _rows(text),
    }
    finite = {
        rule: [point for point in found if math.isfinite(point.x + point.y)] for rule, found in candidates.items()
    }
    rule = max(finite, key=lambda name: len(finite[name]))
    return finite[rule], rule


def _is_corner(point: _RawPoint, width_px: int, height_px: int) -> bool:
    return point.in_prose and point.x in {0, width_px, width_px - 1} and point.y in {0, height_px, height_px - 1}


def _in_pixels(raw: Sequence[_RawPoint], width_px: int, height_px: int) -> tuple[tuple[Point, ...], str]:
    form = _form(raw, width_px, height_px)
    x_factor, y_factor = {
        "pixels": (1.0, 1.0),
        "fractions": (float(width_px), float(height_px)),
        "percent": (width_px / _PERCENT, height_px / _PERCENT),
    }[form]
    points = [Point(point.x * x_factor, point.y * y_factor) for point in raw]
    return tuple(point for point in points if abs(point.x_px) <= MAX_PX >= abs(point.y_px)), form


def _form(raw: Sequence[_RawPoint], width_px: int, height_px: int) -> str:
    numbers = [number for point in raw for number in (point.x, point.y)]
    if any(point.percent for point in raw):
        return "percent"
    if min(numbers) >= _LEAST_FRACTION and max(numbers) <= _LARGEST_FRACTION:
        return "fractions"
    small = min(numbers) >= 0 and max(numbers) <= _PERCENT < min(width_px, height_px)
    spread = min(max(point.x for point in raw), max(point.y for point in raw)) >= _SPREAD_PERCENT
    several = len({(point.x, point.y) for point in raw}) >= _POINTS_FOR_BARE_PERCENT
    return "percent" if small and spread and several else "pixels"


class _RawPoint(NamedTuple):
    """Two numbers as written; `percent` if a percent sign followed either, `in_prose` if words stood around."""

    x: float
    y: float
    percent: bool = False
    in_prose: bool = False


def _labelled(text: str) -> list[_RawPoint]:
    """Find `x=…, y=…`, `y=…, x=…` and `x="…" y="…"`."""
    found = []
    for match in _LABELLED.finditer(text):
        x, y = (match[2], match[4]) if match[1] in "xX" else (match[4], match[2])
        found.append(_RawPoint(x=float(x), y=float(y), percent=bool(match[3] or match[5])))
    return found


def _bracketed(text: str) -> list[_RawPoint]:
    """Find `(x, y)`, `[x, y]` and `(x, y, r)` anywhere."""
    found: list[_RawPoint] = []
    for line in text.split("\n"):
        if not _OPEN.search(line):
            continue
        prose = any(word.lower() not in _NEUTRAL for word in _WORD.findall(line))
        found += [
            _RawPoint(x=float(match[1]), y=float(match[3]), percent=bool(match[2] or match[4]), in_prose=prose)
            for match in _BRACKETED.finditer(line)
            if not _is_of_other_key(line, match.start())
        ]
    return found


def _is_of_other_key(line: str, start: int) -> bool:
    before = line[max(0, start - _KEY_CHARS) : start]
    return before.rstrip().endswith(":") and _OTHER_KEY.search(before) is not None


def _from_json(text: str) -> list[_RawPoint] | None:
    """Return the points of the last JSON value that holds several, else those of all values.

    Lists that are announced row by row ("Row 1: [...]") belong together.

    None if no value says anything about points. A list of two or three plain numbers is left to
    `_bracketed`. An empty list says that there is no point.
    """
    values = [value for value in structured_values(text) if isinstance(value, dict) or not _is_plain(value)]
    boxes = [len(value) == _BOX and all(isinstance(entry, int | float) for entry in value) for value in values]
    if sum(boxes) > 1:
        values = [value for value, box in zip(values, boxes, strict=True) if not box]
    points = [_points_in(value) for value in values]
    several = [found for found in points if found and len(found) > 1]
    if several and len(_PLACE_LIST.findall(text)) <= 1:
        return several[-1]
    single = [point for found in points if found for point in found]
    return single or ([] if any(found == [] for found in points) else None)


def _is_plain(value: Sequence[object]) -> bool:
    return 0 < len(value) <= _PAIR + 1 and not any(isinstance(entry, dict | list | str) for entry in value)


def _points_in(value: object) -> list[_RawPoint] | None:
    """Return the points inside a value; None if it says nothing about points."""
    if isinstance(value, dict):
        return _points_in_object(fields_of(value))
    if isinstance(value, list):
        return _points_in_list(value)
    return None


def _points_in_object(fields: dict[str, object]) -> list[_RawPoint] | None:
    for x_name, y_name in _XY_FIELDS:
        if x_name in fields and y_name in fields:
            return _columns(fields[x_name], fields[y_name])
    for name in _BOX_FIELDS:
        box = _plain_numbers(fields.get(name))
        if len(box) == _BOX:
            ordered = box[0] <= box[2] and box[1] <= box[3]
            return [_RawPoint(x=(box[0] + box[2]) / 2, y=(box[1] + box[3]) / 2)] if ordered else None
    for names in _CORNER_FIELDS:
        box = _plain_numbers([fields.get(name) for name in names])
        if len(box) == _BOX:
            return [_RawPoint(x=(box[0] + box[2]) / 2, y=(box[1] + box[3]) / 2)]
    for name in _POSITION_FIELDS:
        if name in fields and (found := _points_in(fields[name])):
            return found[:1] if len(_plain_numbers(fields[name])) > 1 else found
    left_out = {*_BOX_FIELDS, *_NO_POSITION}
    return _joined(_points_in(part) for name, part in fields.items() if name not in left_out)


def _columns(x: object, y: object) -> list[_RawPoint] | None:
    """Return the points of two numbers or lists; one number beside a list counts for each of its entries."""
    if x == [] == y:
        return []
    xs, ys = _plain_numbers(x if isinstance(x, list) else [x]), _plain_numbers(y if isinstance(y, list) else [y])
    percent = "%" in f"{x}{y}"
    if isinstance(x, list) is not isinstance(y, list):
        xs, ys = (xs * len(ys), ys) if len(xs) == 1 else (xs, ys * len(xs))
    if not xs or len(xs) != len(ys):
        return None
    return [_RawPoint(x=left, y=top, percent=percent) for left, top in zip(xs, ys, strict=True)]


def _points_in_list(entries: list[object]) -> list[_RawPoint] | None:
    if not entries:
        return []
    numbers = _plain_numbers(entries)
    if len(numbers) == len(entries):
        return _from_table([[(number, False) for number in numbers]]) or None
    table = [_plain_numbers(entry) for entry in entries]
    if len(table) == 1 and len(table[0]) == _BOX:
        return None
    if all(len(row) > 1 for row in table):
        return _from_table([[(number, False) for number in row] for row in table]) or None
    if all(isinstance(entry, str) for entry in entries):
        text = "\n".join(str(entry) for entry in entries)
        return _bracketed(text) or _rows(text) or None
    return _joined(_points_in(entry) for entry in entries)


def _joined(parts: Iterator[list[_RawPoint] | None]) -> list[_RawPoint] | None:
    known = [part for part in parts if part is not None]
    return [point for part in known for point in part] if known else None


def _plain_numbers(value: object) -> list[float]:
    """Return the numbers of a list of numbers (as such or as texts), else an empty list."""
    if not isinstance(value, list):
        return []
    numbers = []
    for entry in value:
        if isinstance(entry, int | float) and not isinstance(entry, bool):
            numbers.append(float(entry))
            continue
        match = re.fullmatch(rf"\s*({_NUM})\s?(?:%|px)?\s*", str(entry)) if not isinstance(entry, bool) else None
        if match is None:
            return []
        numbers.append(float(match[1]))
    return numbers


Row = list[tuple[float, bool]]


def _rows(text: str) -> list[_RawPoint]:
    """Find points in lines of numbers and in tables; lines that hold other words are skipped.

    A leading list mark ("1.", "Spot 3:") is no number. A first column that counts 0, 1, 2, ... or 1, 2, 3, ...
    is an index; a third number is a radius. In a table with a header the columns named x and y count.
    """
    table: list[Row] = []
    columns: tuple[int, int] | None = None
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if "|" in line else []
        columns = ((_WORD.search(line) and _header(cells)) or columns) if cells else None
        if columns and len(cells) > max(columns):
            table += _table_row(cells[columns[0]], cells[columns[1]])
        else:
            table += _bare_rows(line.replace("|", " "))
    return _from_table(table)


def _header(cells: Sequence[str]) -> tuple[int, int] | None:
    names = [re.sub(r"[^a-z]", "", cell.lower().partition("(")[0]).removesuffix("px") for cell in cells]
    kept = [re.sub(r"coordinate|coord|pixels|position", "", name) for name in names]
    return (kept.index("x"), kept.index("y")) if "x" in kept and "y" in kept else None


def _table_row(x_cell: str, y_cell: str) -> list[Row]:
    x, y = _NUMBER.search(x_cell), _NUMBER.search(y_cell)
    return [[_entry(x), _entry(y)]] if x and y else []


def _entry(match: re.Match[str]) -> tuple[float, bool]:
    return float(match[1]), match[2] is not None


def _bare_rows(line: str) -> list[Row]:
    if simple := _TWO_NUMBERS.fullmatch(line):
        return [[(float(simple[1]), bool(simple[2])), (float(simple[3]), bool(simple[4]))]]
    if not _MAYBE_PAIR.search(line):
        return []
    if (":" in line or "(" in line) and (pair := _pair_behind_words(line)):
        return [pair]
    marker = _MARKER.match(line)
    rest = line[marker.end() if marker else 0 :]
    words = _WORD.findall(rest)
    rest = _RADIUS.sub("", rest) if words else rest
    worded = any(word.lower() not in _NEUTRAL for word in (_WORD.findall(rest) if words else ()))
    if worded or _Y_BEFORE_X.search(rest) or _NOT_BARE.search(rest) or len(rest) > _MAX_CHARS_IN_LINE:
        return []
    parts = [[_entry(match) for match in _NUMBER.finditer(part)] for part in rest.split(";")]
    if all(len(part) != 1 for part in parts):
        return [part for part in parts if part]
    return [[entry for part in parts for entry in part]]


def _pair_behind_words(line: str) -> Row | None:
    """Return the two numbers that a line ends with behind words and a colon ("left edge: 280, 148").

    An aside in brackets may follow ("126, 342 (row 1)").
    """
    label, colon, rest = _ASIDE.sub("", line).rpartition(":")
    pair = _TWO_NUMBERS.fullmatch(rest)
    if pair is None or (colon and _NO_LABEL.search(label)):
        return None
    return [(float(pair[1]), bool(pair[2])), (float(pair[3]), bool(pair[4]))]


def _from_table(table: Sequence[Row]) -> list[_RawPoint]:
    """Take the columns of x and y out of rows of equal length; an even number of columns may be several points."""
    indexed = {
        length: _is_indexed([row for row in table if len(row) == length]) for length in {len(row) for row in table}
    }
    boxes = sum(len(row) == _BOX for row in table) > 1
    found: list[_RawPoint] = []
    for row in table:
        if boxes and len(row) == _BOX and not indexed[_BOX]:
            continue
        if len(row) > _PAIR and indexed[len(row)]:
            found.append(_point(row[1], row[2]))
        elif len(row) in {_PAIR, _PAIR + 1}:
            found.append(_point(row[0], row[1]))
        elif len(row) % _PAIR == 0:
            found += [_point(row[at], row[at + 1]) for at in range(0, len(row), _PAIR)]
    return found


def _is_indexed(table: Sequence[Row]) -> bool:
    """Whether the first column counts from 0 or 1; of more than three columns only if there are several rows."""
    columns, first = len(table[0]), [row[0][0] for row in table]
    if columns > _BOX or (columns == _BOX and len(table) == 1):
        return False
    return first[0] in {0, 1} and all(number == first[0] + place for place, number in enumerate(first))


def _point(x: tuple[float, bool], y: tuple[float, bool]) -> _RawPoint:
    return _RawPoint(x[0], y[0], x[1] or y[1])
