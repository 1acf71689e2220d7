"""Recordings of real pages: what has happened on them, and what the documented player does with the same
answers."""

from __future__ import annotations

import json
import os
import threading
from functools import cached_property
from typing import Any, Iterable, Mapping, NamedTuple, Sequence, Union, overload

from . import _page, _playsim
from .errors import InputError
from .scenarios import Scenario, read
from .tables import Table

__all__ = ["Note", "Recording", "RecordingTable", "Verdict", "WhatIf", "waterfall"]

PathLike = Union[str, "os.PathLike[str]"]


class Note(NamedTuple):
    """Something that was found out about a page.

    Attributes:
        text: a sentence.
        certainty: ``"seen"``, ``"inferred"`` or ``"unknown"``.
    """

    text: str
    certainty: str

    def __str__(self) -> str:
        return f"{self.certainty}: {self.text}"


class Verdict(NamedTuple):
    """What a recording shows.

    Attributes:
        as_documented: whether the page did what the documented player does.
        differences: how many things it did otherwise.
        simulated: whether the page could be simulated; it cannot if the recording has no bodies.
        notes: what was found out.
        rules_of: the player whose rules it was held against, and what is known of it, such as ``"shaka, measured
            in 120 recordings"``; ``None`` if it is the documented one, or nothing was simulated.
    """

    as_documented: bool
    differences: int
    simulated: bool
    notes: tuple[Note, ...]
    rules_of: str | None


class WhatIf(NamedTuple):
    """A page with other settings.

    Attributes:
        answer: the result in sentences.
        table: the table as ``playsim waterfall --vary --format json`` prints it.
        page: all of it as a whole web page, which a notebook shows.
    """

    answer: tuple[str, ...]
    table: dict[str, Any]
    page: str

    def __str__(self) -> str:
        return "\n".join(self.answer)

    def _repr_html_(self) -> str:
        return _page.frame(self.page)


class Recording:
    """A recording of a real page, understood, and played by the documented player with the same answers.

    Made by `waterfall`. In a notebook it is shown as its report.
    """

    def __init__(self, inner: _playsim.Recording) -> None:
        self._inner = inner

    def _perform(self, op: str, **fields: Any) -> Any:
        return json.loads(self._inner.perform(json.dumps({"op": op, **fields})))

    @cached_property
    def verdict(self) -> Verdict:
        """What it shows."""
        it = self._perform("verdict")
        notes = tuple(Note(note["text"], note["certainty"]) for note in it["notes"])
        return Verdict(it["asDocumented"], it["differences"], it["simulated"], notes, it["rulesOf"])

    @cached_property
    def report(self) -> dict[str, Any]:
        """Everything in one dict, as ``playsim waterfall --format json`` prints it: what each request shows,
        the verdict with breaks and tags, the simulation, and the differences between both. Times are in
        microseconds."""
        return self._perform("json")

    def text(self) -> str:
        """The report as ``playsim waterfall`` prints it."""
        return str(self._perform("text"))

    def html(self) -> str:
        """The report as a whole web page."""
        return str(self._perform("html"))

    def scenario(self) -> Scenario:
        """The scenario that plays the recorded page.

        Raises:
            InputError: the recording has no bodies, so that nothing can be simulated.
        """
        it = self._perform("scenario")
        if it is None:
            raise InputError(
                "the recording has no bodies, so that nothing can be simulated; save it with content"
            )
        return read(it["yaml"] + "\n", files=it["files"])

    def what_if(self, *vary: str, compare: Sequence[str] = (), runs: int | None = None) -> WhatIf:
        """The recorded page with other settings: what would have helped?

        Args:
            vary: settings with their values, as ``--vary`` takes them, such as
                ``ad.timeout=500ms..3s/500ms``.
            compare: configurations beside each other.
            runs: how often each is played, if something is random; at most 20,000. Default: 2,000. For more,
                `sweep` the `scenario`.

        Raises:
            InputError: a setting is wrong, or the recording has no bodies.
        """
        it = self._perform("what_if", vary=list(vary), compare=list(compare), runs=runs, html=True)
        return WhatIf(tuple(it["table"]["answer"]), it["table"], it["html"])

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return _page.frame(self.html())


class RecordingTable:
    """Many recordings: what became of each tag, and what differs from another set of recordings.

    Made by `waterfall`. Nothing of them is simulated. In a notebook it is shown as its report.
    """

    def __init__(self, inner: _playsim.Recordings) -> None:
        self._inner = inner

    def _perform(self, op: str) -> Any:
        return json.loads(self._inner.perform(json.dumps({"op": op})))

    @cached_property
    def report(self) -> dict[str, Any]:
        """Everything in one dict, as ``playsim waterfall DIR --format json`` prints it."""
        return self._perform("json")

    def csv(self) -> str:
        """The table as CSV: a row for each tag."""
        return str(self._perform("csv"))

    def tags(self) -> Table:
        """A row for each tag as columns; a column is ``int64`` if all of its values are whole numbers."""
        import csv
        import io

        rows = list(csv.reader(io.StringIO(self.csv())))
        if not rows:
            return Table({}, {})
        columns: dict[str, list[Any]] = {}
        types: dict[str, str] = {}
        for name, *cells in zip(*rows):
            given = [cell for cell in cells if cell != ""]
            is_whole = bool(given) and all(cell.isdecimal() for cell in given)
            types[name] = "int64" if is_whole else "string"
            columns[name] = [None if cell == "" else int(cell) if is_whole else cell for cell in cells]
        return Table(columns, types)

    def text(self) -> str:
        """The table as ``playsim waterfall DIR`` prints it."""
        return str(self._perform("text"))

    def html(self) -> str:
        """The table as a whole web page."""
        return str(self._perform("html"))

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return _page.frame(self.html())


@overload
def waterfall(  # type: ignore[overload-overlap]  # A text is a path, although it also is many texts.
    recording: PathLike,
    *,
    tags: Sequence[str] = ...,
    ignored: Sequence[str] = ...,
    content_length: str | None = ...,
    keep_secrets: bool = ...,
    profile: str | os.PathLike[str] | None = ...,
    knobs: Mapping[str, str] | None = ...,
) -> Recording: ...


@overload
def waterfall(
    recording: Iterable[PathLike],
    *,
    against: Iterable[PathLike] = ...,
    tags: Sequence[str] = ...,
    ignored: Sequence[str] = ...,
    content_length: str | None = ...,
    keep_secrets: bool = ...,
) -> RecordingTable: ...


def waterfall(
    recording: PathLike | Iterable[PathLike],
    *,
    against: Iterable[PathLike] = (),
    tags: Sequence[str] = (),
    ignored: Sequence[str] = (),
    content_length: str | None = None,
    keep_secrets: bool = False,
    profile: str | os.PathLike[str] | None = None,
    knobs: Mapping[str, str] | None = None,
) -> Recording | RecordingTable:
    """Which tag failed on a recorded page, when and why.

    Args:
        recording: the path of an HTTP archive or of another form that the command line reads, also
            compressed; or many paths, for a table over all of them.
        against: of many recordings: those to compare with.
        tags: parts of the URLs of ad tags, with ``*`` for any text, if they are not found by themselves.
        ignored: parts of the URLs of requests that do not matter.
        content_length: the length of the content, such as ``"30m"``, if the recording cannot tell.
        keep_secrets: whether the values of query parameters such as ``token`` are kept.
        profile: of one recording: the player that is compared with, such as ``"ima"``, or a file with a profile,
            such as ``Path("mine.yaml")``, which ``playsim conform fit`` writes.
        knobs: of one recording: settings of that player, such as ``{"ad.timeout": "2s"}``.

    Raises:
        InputError: it is not a recording, or has no ad tag. Of many recordings, those are left out, and the
            report says so.
        OSError: the file cannot be read.
    """
    options: dict[str, Any] = {"tags": list(tags), "ignored": list(ignored), "keepSecrets": keep_secrets}
    if content_length is not None:
        options["contentLength"] = content_length
    if isinstance(recording, (str, os.PathLike)):
        if list(against):
            raise InputError("against is for many recordings; give a list")
        options |= {"profile": _profile(profile), "knobs": dict(knobs or {})}
        path = os.fspath(recording)
        return Recording(
            _playsim.Recording.open(path, json.dumps({**options, "name": os.path.basename(path)}))
        )
    if profile is not None or knobs:
        raise InputError("profile and knobs are for one recording: many are not simulated")
    given = [os.fspath(path) for path in recording]
    if not given:
        raise InputError("there are no recordings; give paths, such as sorted(Path('day1').glob('*.har'))")
    files = [*((it, False) for it in given), *((os.fspath(it), True) for it in against)]
    return RecordingTable(_read(files, options))


def _profile(given: str | os.PathLike[str] | None) -> str | dict[str, str] | None:
    """Reads the file of a profile. A text is a name."""
    if given is None or isinstance(given, str):
        return given
    with open(given, encoding="utf-8") as file:
        return {"file": os.fspath(given), "text": file.read()}


def _read(files: list[tuple[str, bool]], options: dict[str, Any]) -> _playsim.Recordings:
    """Reads many recordings on all cores. An interrupt ends it after those that are being read."""
    from concurrent.futures import ThreadPoolExecutor

    left = iter(files)
    lock, is_over = threading.Lock(), threading.Event()

    def read() -> _playsim.Recordings:
        own = _playsim.Recordings()
        while not is_over.is_set():
            with lock:
                file = next(left, None)
            if file is None:
                break
            path, is_before = file
            own.add(path, json.dumps({**options, "name": path}), is_before)
        return own

    table = _playsim.Recordings()
    count = min(_playsim.Scenario.cores(), len(files))
    with ThreadPoolExecutor(count) as threads:
        try:
            for part in [threads.submit(read) for _ in range(count)]:
                table.merge(part.result())
        finally:
            is_over.set()
    return table
