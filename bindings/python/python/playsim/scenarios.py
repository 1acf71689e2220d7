"""Scenarios: read, changed, played."""

from __future__ import annotations

import copy
import json
import os
from datetime import timedelta
from typing import Any, Mapping, Union

from . import _playsim, _times
from ._paths import Path, assigned, found, new_key, removed
from .errors import InputError, ScenarioError
from .traces import Trace

__all__ = ["Scenario", "Source", "read", "scenario_of"]

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A scenario that is not read yet: a text in YAML or JSON, the path of a file, or a dict."""

_ENDINGS = (".yaml", ".yml", ".json")


def read(
    source: Source,
    *,
    files: Mapping[str, str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    name: str | None = None,
) -> Scenario:
    """Reads a scenario.

    Args:
        source: a text in YAML or JSON, the path of a file, or a dict. A text of one line is a path if it ends
            in ``.yaml``, ``.yml`` or ``.json``.
        files: the documents that the scenario names, by their paths, such as ``{"ad.xml": "<VAST ...>"}``.
        folder: where the documents are that are not in ``files``. Default: the folder of the file.
        name: what errors call the scenario. Default: the path, or ``scenario.yaml``.

    Raises:
        ScenarioError: it has mistakes; each has its place and, if it can be guessed, what was meant.
        OSError: the file cannot be read.
    """
    if isinstance(source, Mapping):
        text, default = json.dumps(source, indent=2, default=_plain), "scenario.json"
    elif isinstance(source, str) and not _is_path(source):
        text, default = source, "scenario.yaml"
    elif isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        text, default = _text_of(path), path
        folder = os.path.dirname(path) if folder is None else folder
    else:
        raise InputError(f"a scenario is a text, a path or a dict, not {type(source).__name__}")
    try:
        return Scenario(_playsim.read(text, name or default, None if files is None else dict(files), folder))
    except UnicodeEncodeError as error:
        raise InputError(f"{name or default} has half a character (at index {error.start})") from None


def scenario_of(given: Scenario | Source) -> Scenario:
    """A scenario that may have been read already."""
    return given if isinstance(given, Scenario) else read(given)


def _is_path(source: str) -> bool:
    return "\n" not in source and source.lower().endswith(_ENDINGS)


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not valid UTF-8 (at byte {error.start})") from None


def _write(path: str, text: str) -> None:
    # The same bytes on every system.
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def _plain(value: object) -> str:
    """Values of Python that JSON lacks."""
    if isinstance(value, timedelta):
        return _times.text(value)
    raise InputError(f"{value!r} cannot be in a scenario; it holds texts, numbers, lists and dicts")


class Scenario:
    """Everything that a run depends on: a page, videos, ad tags with their responses and delays, actions.

    It is made by `read` and never changes: `with_` returns another one.
    """

    __slots__ = ("_inner",)

    def __init__(self, inner: _playsim.Scenario) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """Its name, as it says, or that of its file."""
        return self._inner.name

    @property
    def digest(self) -> str:
        """A fingerprint of everything in it, documents included: 32 hexadecimal digits."""
        return self._inner.digest

    @property
    def files(self) -> dict[str, str]:
        """The documents that it names, by their paths."""
        return dict(self._inner.files())

    def run(self) -> Trace:
        """Plays it to its end. The same scenario gives the same trace, to the byte, on every machine.

        Raises:
            ScenarioError: it cannot be played.
        """
        return Trace(self._inner.run())

    def get(self, path: Path) -> Any:
        """The value at a place, such as ``"network.https://a.test.after"``; ``None`` if it is left at its
        default."""
        return found(self.to_dict(), path)

    def with_(self, path: Path, value: Any, *, files: Mapping[str, str] | None = None) -> Scenario:
        """A scenario that differs in one value.

        Args:
            path: the place, with dots: ``"network.https://a.test.after"``, ``"player.ads[0].mobile"``,
                ``"knobs.ad.timeout"``. Keys with dots, such as URLs, need no quotes; if a path can be
                understood in two ways, give its parts: ``("network", "https://a.test", "after")``.
            value: a text, number, list or dict, as in YAML, or a ``timedelta``.
            files: documents that the value names, by their paths.

        Raises:
            InputError: there is no such place.
            ScenarioError: the value is not allowed there.
        """
        changed = self.to_dict()
        near = new_key(changed, path)
        assigned(changed, path, copy.deepcopy(value))
        try:
            return self._changed(changed, path, files)
        except ScenarioError as error:
            if near is None:
                raise
            hint = f'nothing is at "{near[0]}" yet; did you mean "{near[1]}"?'
            raise ScenarioError(f"{error.args[0]}\n  {hint}", error.mistakes) from None

    def without(self, path: Path) -> Scenario:
        """A scenario without what is at a place, which has its default there.

        Raises:
            InputError: there is nothing.
            ScenarioError: nothing can be played without it.
        """
        changed = self.to_dict()
        removed(changed, path)
        return self._changed(changed, path, None)

    def _changed(self, scenario: dict[str, Any], path: Path, files: Mapping[str, str] | None) -> Scenario:
        text = json.dumps(scenario, default=_plain)
        try:
            return Scenario(_playsim.read(text, self.name, {**self.files, **(files or {})}, None))
        except ScenarioError as error:
            # The place in a text that nobody has written would only confuse.
            shown = path if isinstance(path, str) else ".".join(map(str, path))
            if not error.mistakes:
                raise ScenarioError(f"{shown}: {error}") from None
            first = error.mistakes[0]
            helped = f'; did you mean "{first.help}"?' if first.help else ""
            mistakes = tuple(type(it)(it.message, None, None, it.help) for it in error.mistakes)
            raise ScenarioError(f"{shown}: {first.message}{helped}", mistakes) from None

    def to_dict(self) -> dict[str, Any]:
        """As a dict; what has its default is left out, and documents are in `files`."""
        scenario: dict[str, Any] = json.loads(self._inner.json())
        return scenario

    def to_yaml(self, *, inline: bool = False) -> str:
        """As YAML. Documents are in `files`, or with ``inline`` within the text."""
        return (self._inner.inlined() if inline else self._inner).yaml()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as YAML, and its documents into the same folder, so that ``playsim run`` can play it."""
        folder = os.path.dirname(path)
        for name, text in self.files.items():
            document = os.path.join(folder, name)
            os.makedirs(os.path.dirname(document) or ".", exist_ok=True)
            _write(document, text)
        _write(os.fspath(path), self.to_yaml())

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Scenario) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<playsim.Scenario {self.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # For the processes of a cluster.
        return _restored, (self.to_yaml(), self.files, self.name)


def _restored(text: str, files: dict[str, str], name: str) -> Scenario:
    return read(text + "\n", files=files, name=name)
