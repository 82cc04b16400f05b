"""Every option, declared once: its field of Settings, command line, ini value, meaning, default and check."""

# ruff: noqa: RUF009 - a declaration is made once, when the module is read

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from bench.errors import UserError, without_login

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

__all__ = [
    "OPTIONS",
    "REPLIES",
    "Margins",
    "Option",
    "Settings",
    "Shard",
    "VisualCotControl",
    "add_options",
    "parse_margins",
    "parse_shard",
    "read_settings",
]

Policy = Literal["plotread", "strict"]
Language = Literal["en", "zh"]
VisualCotControl = Literal["original", "gold", "shuffled", "blank"]

MOST_SHARDS = 1000
REPLIES = Path("results/replies.sqlite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The k-th of n parts of the items, k from 1."""

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.n <= MOST_SHARDS:
            raise ValueError(f"a shard is k/n with 1 <= k <= n <= {MOST_SHARDS}, got {self}")

    def __str__(self) -> str:
        return f"{self.k}/{self.n}"


def parse_shard(text: str) -> Shard:
    """Read "k/n" such as 2/3.

    Raises:
        ValueError: another form, or k is not from 1 to n.
    """
    k, _, n = text.partition("/")
    if k.isdecimal() and n.isdecimal() and 1 <= int(k) <= int(n) <= MOST_SHARDS:
        return Shard(k=int(k), n=int(n))
    raise ValueError(f"k/n such as 2/3, with k from 1 to n and n up to {MOST_SHARDS}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Margins:
    """Percentage points by which a new model may be worse: `overall` for all suites together, `suite` for each."""

    overall: float
    suite: float

    def __post_init__(self) -> None:
        if not (0 < self.overall <= 100 and 0 < self.suite <= 100):  # noqa: PLR2004 - per cent
            raise ValueError(f"margins are points above 0 and up to 100, got {self.overall!r} and {self.suite!r}")

    def __str__(self) -> str:
        return f"{self.overall:g}/{self.suite:g}"


def parse_margins(text: str) -> Margins:
    """Read "overall/suite" points such as 4/8, one number for both, or "strict", which is 2/2.

    Raises:
        ValueError: another form, or points that are not above 0 and up to 100.
    """
    if text.strip().lower() == "strict":
        return Margins(overall=2.0, suite=2.0)
    overall, slash, suite = text.partition("/")
    try:
        return Margins(overall=float(overall), suite=float(suite if slash else overall))
    except ValueError:
        raise ValueError('points above 0 and up to 100 as overall/suite, such as 4/8, or "strict" (2/2)') from None


def _nonblank(text: str) -> str:
    if not text.strip():
        raise ValueError("a value that is not empty")
    return text.strip()


def _margins_text(text: str) -> str:
    """Check margins; the text stays as it was typed."""
    parse_margins(text)
    return text.strip()


def _number(kind: Callable[[str], Any], low: float, high: float) -> Callable[[str], Any]:
    """Accept whole numbers (`kind` is int) or any finite ones (float), both bounds included."""
    expected = f"a whole number from {low} to {high}" if kind is int else f"a number from {low:g} to {high:g}"

    def parse(text: str) -> Any:  # noqa: ANN401
        with suppress(ValueError):
            value = kind(text)
            if low <= value <= high:  # which NaN is not
                return value
        raise ValueError(expected)

    return parse


def _or_none(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Accept what `parse` accepts, and "none" as None."""

    def parse_or_none(text: str) -> Any:  # noqa: ANN401
        if text.strip().lower() == "none":
            return None
        try:
            return parse(text)
        except ValueError as error:
            raise ValueError(f"{error}, or none") from None

    return parse_or_none


def _choice(*choices: str | int) -> Callable[[str], Any]:
    """Accept one of the words or whole numbers."""
    by_name = {str(value): value for value in choices}

    def parse(text: str) -> Any:  # noqa: ANN401
        if text not in by_name:
            raise ValueError(f"one of {', '.join(by_name)}")
        return by_name[text]

    return parse


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word not in {"true", "1", "yes", "on", "false", "0", "no", "off"}:
        raise ValueError("true or false")
    return word in {"true", "1", "yes", "on"}


def _path(text: str) -> Path:
    return Path(_nonblank(text)).expanduser()


def _existing(expected: str, is_there: Callable[[Path], bool]) -> Callable[[str], Path]:
    def parse(text: str) -> Path:
        path = Path(text).expanduser()
        if not is_there(path):
            raise ValueError(expected)
        return path

    return parse


_existing_file = _existing("an existing file", Path.is_file)
_existing_folder = _existing("an existing folder", Path.is_dir)
_existing_path = _existing("an existing folder or file", Path.exists)
_PATHS = (_path, _existing_file, _existing_folder, _existing_path)


def _server_url(text: str) -> str:
    if not text.lower().startswith(("http://", "https://")):
        raise ValueError("an http:// or https:// address")
    return text.rstrip("/")


def _option(
    spelling: str, parse: Callable[[str], Any], about: str, default: object = None, *, many: bool = False
) -> Any:  # noqa: ANN401
    flag, _, metavar = spelling.partition(" ")
    declared = {"flag": flag, "metavar": metavar, "parse": parse, "help": about, "many": many}
    return field(default=default, metadata=declared)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All options as resolved and validated; each field is declared with its option (see `Option`).

    `models` are specs as typed; `temperature`, `max_tokens` None: left to server or task.
    `request_timeout_s` bounds one request in seconds.
    """

    models: tuple[str, ...] = _option(
        "--model SPEC",
        _nonblank,
        "model to test, as provider:name or a well-known name; may be given several times",
        ("reader",),
        many=True,
    )
    api_base: str | None = _option(
        "--api-base URL", _server_url, "another server that speaks the provider's wire format"
    )
    policy: Policy = _option(
        "--policy NAME", _choice(*get_args(Policy)), "PlotChain tolerances: plotread or strict", "plotread"
    )
    edition: str = _option(
        "--edition NAME",
        _choice("v4", "v5"),
        "PlotChain edition: v4 equals the published release, v5 is its mended successor",
        "v4",
    )
    item_seed: int = _option(
        "--item-seed N",
        _number(int, 0, 2**63 - 1),
        "master seed of the items; 0 with 30 per family is the published set",
        0,
    )
    items_per_family: int = _option(
        "--items-per-family N", _number(int, 1, 1_000_000), "PlotChain items in each family", 30
    )
    limit: int | None = _option("--limit N", _number(int, 1, 10**9), "only the first N items of each suite")
    plotchain_data: Path | None = _option(
        "--plotchain-data F.jsonl", _existing_file, "PlotChain items from a data set file instead of the generator"
    )
    geometry_suite: Path | None = _option(
        "--geometry-suite DIR",
        _existing_folder,
        "geometry pictures from a folder in imagegen's layout instead of the generator",
    )
    tasks: str | None = _option("--tasks COUNT,LOCATE,...", _nonblank, "geometry tasks to ask; all without it")
    shots: Literal[0, 3, 5] = _option(
        "--shots N", _choice(0, 3, 5), "geometry: example pictures with answers before each question: 0, 3 or 5", 0
    )
    count_tolerance: int = _option(
        "--count-tolerance N", _number(int, 0, 1000), "geometry: N of the metric within_n", 2
    )
    annotate: str = _option(
        "--annotate WHICH",
        _choice("failed", "all", "none"),
        "geometry: cases whose picture is written with truth and answer drawn in: failed, all or none",
        "failed",
    )
    auxsolidmath_data: Path | None = _option(
        "--auxsolidmath-data PATH",
        _existing_path,
        "AuxSolidMath problems from a local copy of the data set instead of the generator",
    )
    question_language: Language = _option(
        "--question-language LANGUAGE",
        _choice(*get_args(Language)),
        "AuxSolidMath: language of the problems: en or zh",
        "en",
    )
    judge: str = _option(
        "--judge SPEC",
        _nonblank,
        "AuxSolidMath: exact (final answers, offline), azure (deployment JUDGE_DEPLOYMENT), or provider:name",
        "exact",
    )
    judge_api_base: str | None = _option(
        "--judge-api-base URL", _server_url, "the judge's server, where it is not the one of --api-base"
    )
    image_model: str | None = _option(
        "--image-model SPEC",
        _nonblank,
        "AuxSolidMath: the model that draws in the first of two stages; oracle draws the reference",
    )
    image_api_base: str | None = _option(
        "--image-api-base URL", _server_url, "the drawing model's server, where it is not the one of --api-base"
    )
    visual_cot_control: VisualCotControl | None = _option(
        "--visual-cot-control KIND",
        _or_none(_choice(*get_args(VisualCotControl))),
        "AuxSolidMath: show this instead of a drawing: original, gold, shuffled or blank",
    )
    concurrency: int = _option(
        "--concurrency N", _number(int, 1, 512), "asks in flight in one process (with -n, each worker has one)", 8
    )
    request_timeout_s: float = _option(
        "--request-timeout S", _number(float, 0.1, 86_400), "seconds that one request may take", 120.0
    )
    ask_retries: int = _option(
        "--ask-retries N", _number(int, 0, 100), "further requests after a failure that may pass", 3
    )
    temperature: float | None = _option(
        "--temperature T",
        _or_none(_number(float, 0, 2)),
        "sampling temperature; none leaves it to the server",
        0.0,
    )
    max_tokens: int | None = _option(
        "--max-tokens N", _number(int, 1, 10_000_000), "output tokens at most; default per task"
    )
    image_detail: str | None = _option(
        "--image-detail D",
        _or_none(_choice("low", "high", "original", "auto")),
        "picture detail asked of providers that have the setting",
        "high",
    )
    reasoning_effort: str | None = _option(
        "--reasoning-effort E", _nonblank, "how long a reasoning model may think, in the provider's words"
    )
    structured: bool = _option("--structured", _switch, "ask for JSON by the provider's schema mode", False)
    rpm: float | None = _option(
        "--rpm N", _number(float, 0.01, 1e6), "requests in a minute at most, by all workers together"
    )
    max_cost_usd: float | None = _option(
        "--max-cost USD", _number(float, 0.0001, 1e6), "stop asking before the run costs more"
    )
    prices: Path | None = _option(
        "--prices FILE", _existing_file, "JSON file of prices for models that the built-in table lacks"
    )
    repeats: int = _option(
        "--repeats K", _number(int, 1, 1000), "ask each item K times; a case passes by majority", 1
    )
    fresh: bool = _option("--fresh", _switch, "ask again even where a reply is stored", False)
    replay: tuple[Path, ...] = _option(
        "--replay RAW.jsonl",
        _existing_file,
        "score stored raw outputs instead of asking; may be given several times",
        (),
        many=True,
    )
    out: Path | None = _option("--out DIR", _path, "the run's folder; default results/<model>_<UTC time>")
    replies: Path = _option(
        "--replies FILE", _path, "the reply store: what was answered once is not asked again", REPLIES
    )
    exit_zero: bool = _option(
        "--exit-zero",
        _switch,
        "exit with 0 when the run was measured, whatever the score; a gate's exit code stays",
        False,
    )
    shard: Shard | None = _option(
        "--shard K/N",
        parse_shard,
        "only the k-th of n stable parts of the items; python -m bench.leaderboard merges the parts' runs",
    )
    gate: Path | None = _option(
        "--gate RUN",
        _existing_path,
        "decide whether the model may replace that of an earlier run (its folder or a baseline file)",
    )
    gate_margin: str | None = _option(
        "--gate-margin M",
        _margins_text,
        "points that the model may be worse by, overall/suite, or strict (2/2); default 4/8, a lone suite 6",
    )
    gate_aa: Path | None = _option(
        "--gate-aa RUN", _existing_path, "a second run of the gate's old model, which gives the noise floor"
    )

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON-safe values, for run.json."""
        return {option.name: _plain(getattr(self, option.name)) for option in OPTIONS}

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> Settings:
        """Return the settings that `to_json` wrote, also where files have gone since.

        Options that were not known then have their defaults.

        Raises:
            UserError: a value is not of its option's form.
        """
        return Settings(
            **{option.name: _restored(option, content.get(option.name, option.default)) for option in OPTIONS}
        )


def _plain(value: object) -> object:
    if isinstance(value, Path | Shard):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


def _restored(option: Option, value: object) -> Any:  # noqa: ANN401
    if isinstance(value, list | tuple):
        return tuple(_restored(option, entry) for entry in value)
    if isinstance(value, str) and option.parse not in _PATHS:
        return _parse(option, value, f"a run's option {option.name}")
    return Path(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option: `name` is the Settings field, `flag` the command-line spelling.

    `parse` turns one text into the value or raises ValueError saying what was expected; `many` takes several.
    """

    name: str
    flag: str
    metavar: str
    parse: Callable[[str], Any]
    default: Any
    help: str
    many: bool

    @property
    def switch(self) -> bool:
        """Whether it stands without a value on the command line."""
        return self.parse is _switch

    @property
    def dest(self) -> str:
        """Name in pytest's option namespace, prefixed so that no plugin's option can collide."""
        return f"eyechart_{self.name}"

    @property
    def ini(self) -> str:
        """Name of the ini value, such as eyechart_items_per_family."""
        return "eyechart_" + self.flag.lstrip("-").replace("-", "_")


OPTIONS = tuple(Option(name=entry.name, default=entry.default, **entry.metadata) for entry in fields(Settings))


def add_options(parser: pytest.Parser) -> None:
    """Declare every option and its ini value."""
    group = parser.getgroup("eyechart", "eyechart: an eye test for vision-language models")
    for option in OPTIONS:
        extra: dict[str, Any] = {"metavar": option.metavar, **({"action": "append"} if option.many else {})}
        if option.switch:
            extra = {"action": "store_const", "const": "true"}
        group.addoption(option.flag, dest=option.dest, default=None, help=option.help, **extra)
        ini_type: Literal["linelist", "string"] = "linelist" if option.many else "string"
        parser.addini(option.ini, option.help, type=ini_type, default=None)


def read_settings(config: pytest.Config) -> Settings:
    """Resolve all options: command line, then ini value, then default.

    The default reply store lies under pytest's root, wherever the run was started.

    Raises:
        UserError: a value is not of its option's form, or two options exclude each other.
    """
    resolved: dict[str, Any] = {}
    for option in OPTIONS:
        given, said_by = config.getoption(option.dest), option.flag
        if given is None:
            given, said_by = config.getini(option.ini), f"ini value {option.ini}"
        if option.many and given:
            resolved[option.name] = tuple(_parse(option, text, said_by) for text in given)
        elif given is not None and given != []:
            resolved[option.name] = _parse(option, given, said_by)
    resolved.setdefault("replies", config.rootpath / REPLIES)
    settings = Settings(**resolved)
    _check_together(config, settings)
    return settings


def _parse(option: Option, text: str, said_by: str) -> Any:  # noqa: ANN401
    try:
        return option.parse(text)
    except ValueError as error:
        shown = without_login(text) if option.parse is _server_url else text
        raise UserError(f"{said_by}: expected {error}, got {shown!r}") from None
    except (OSError, RuntimeError) as error:  # a name too long, or "~" of nobody
        raise UserError(f"{said_by}: {text[:80]!r} is no usable path ({error})") from None


def _check_together(config: pytest.Config, settings: Settings) -> None:
    if settings.replay and config.getoption("eyechart_models") is not None:
        raise UserError("--replay scores stored outputs and asks no model: give --replay or --model, not both")
    if settings.replay and settings.repeats > 1:
        raise UserError("--repeats asks a model again: it has no meaning with --replay")
    if settings.gate is None and (settings.gate_margin is not None or settings.gate_aa is not None):
        raise UserError("--gate-margin and --gate-aa belong to a gate: name the run to compare with by --gate")
    if len(set(settings.models)) != len(settings.models):
        raise UserError(f"--model: each model once, got {', '.join(settings.models)}")
