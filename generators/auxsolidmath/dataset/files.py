"""Rows and pictures of a local copy of the data set."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generators.errors import ItemDataError, PictureError
from generators.files import lines_of, parse_json, read_inside
from generators.png import MAX_PIXELS, check_png

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PIL.Image import Image

    from generators.items import Picture

__all__ = ["SUFFIXES", "ImportedPicture", "Row", "as_png", "rows_of"]

SUFFIXES = (".jsonl", ".parquet")
_BATCH = 64

Row = dict[str, object]


def rows_of(path: Path) -> Iterator[tuple[int, Row]]:
    """Yield number (from 1) and fields of each row; blank lines of a JSONL file are passed over.

    Raises:
        ItemDataError: one line naming file, row, what was expected, what came and what to do.
    """
    return _parquet_rows(path) if path.suffix.lower() == ".parquet" else _jsonl_rows(path)


def _jsonl_rows(path: Path) -> Iterator[tuple[int, Row]]:
    for number, line in lines_of(path):
        yield number, _object(path, number, line)


def _object(path: Path, number: int, line: bytes) -> Row:
    try:
        value: object = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise ItemDataError(
            f"{path}, row {number}: expected one JSON object, got malformed JSON ({error}); mend the line"
        ) from error
    if not isinstance(value, dict):
        raise ItemDataError(f"{path}, row {number}: expected a JSON object, got {value!r:.60}; mend the line")
    return value


def _parquet_rows(path: Path) -> Iterator[tuple[int, Row]]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 - an optional package
    except ImportError as error:
        raise ItemDataError(
            f"{path}: expected the package pyarrow for a Parquet file, got none; "
            "run: pip install 'eyechart[parquet]', or name a JSONL file"
        ) from error
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {str(name): value for name, value in row.items()}
    except (OSError, ValueError, ArrowException) as error:
        reason = str(error).partition("\n")[0][:160]
        raise ItemDataError(f"{path}: expected a readable Parquet file, got: {reason}; name another") from error


_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF")
_OPAQUE = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedPicture:
    """A picture of a data set: a file in its folder, or bytes out of a table.

    `where` names file, row and field; `auxiliary` is the picture with the auxiliary lines where the set has one.
    """

    item_id: str
    where: str
    folder: Path
    relative_path: str = ""
    content: bytes | None = field(default=None, repr=False)
    auxiliary: Picture | None = None

    @property
    def key(self) -> None:
        """None: a file on disk needs no cache."""
        return

    def png(self) -> bytes:
        """Read the picture, and make it a PNG on white where it is none or has transparent places.

        Raises:
            PictureError: missing, unreadable, outside the data set's folder, no picture, or too large.
        """
        try:
            content = read_inside(self.folder, self.relative_path) if self.content is None else self.content
            return as_png(content)
        except (PictureError, ValueError) as error:
            raise PictureError(f"{self.item_id}: {self.where}: {error}; replace it") from error


def as_png(data: bytes) -> bytes:
    """Return an opaque PNG as it is; another picture as a PNG, transparent places over white.

    Raises:
        ValueError: no picture of a known format, damaged, or with too many pixels.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError  # noqa: PLC0415 - only where a picture is imported

    is_png = data.startswith(b"\x89PNG")
    if is_png:
        check_png(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the size is checked below
            opened = Image.open(io.BytesIO(data), formats=_FORMATS)
        _check_size(opened)
        opened.load()
        if is_png and _is_opaque(opened):
            return data
        return _encoded(_over_white(ImageOps.exif_transpose(opened)))
    except UnidentifiedImageError as error:
        raise ValueError(
            f"expected a picture ({', '.join(_FORMATS)}), got bytes that begin with {data[:8]!r}"
        ) from error
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise ValueError(f"expected a whole picture, got a damaged one ({error})") from error


def _check_size(opened: Image) -> None:
    if not 0 < opened.width * opened.height <= MAX_PIXELS:
        raise ValueError(f"expected 1 to {MAX_PIXELS} pixels, got {opened.width} x {opened.height}")


def _is_opaque(opened: Image) -> bool:
    if "transparency" not in opened.info and opened.mode not in {"RGBA", "LA", "PA"}:
        return True
    lowest = opened.convert("RGBA").getchannel("A").getextrema()[0]
    return lowest == _OPAQUE


def _over_white(opened: Image) -> Image:
    """Put the picture on white: what is transparent has any colour, mostly black, below."""
    from PIL import Image as images  # noqa: N813, PLC0415 - the module, beside the class of its pictures

    layer = opened.convert("RGBA")
    white = images.new("RGBA", layer.size, (255, 255, 255, 255))
    return images.alpha_composite(white, layer).convert("RGB")


def _encoded(picture: Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()
