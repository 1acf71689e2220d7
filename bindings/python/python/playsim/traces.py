"""Traces: what has happened in a run, and why."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from . import _page, _playsim
from ._module import ask, wanted
from .tables import Table

if TYPE_CHECKING:
    from .scenarios import Scenario

__all__ = ["Finding", "Trace", "View", "check"]

View = Literal["review", "page", "all"]
"""Which lines a text shows: those for a review, those that page code can see, or all."""

_EVENTS = {"at_us": "int64", "line": "int64", "player": "string", "event": "string", "data": "object"}
_RECORDS = {
    **{
        "at_us": "int64",
        "line": "int64",
        "player": "string",
        "break": "int64",
        "kind": "string",
        "name": "string",
    },
    **{"data": "object", "cause": "int64", "rule": "string"},
}


class Finding(NamedTuple):
    """Something in a trace that is against a rule.

    Attributes:
        rule: the rule, such as ``"TRK-1"``; ``playsim rules TRK-1`` prints it.
        line: the number of the line in the trace.
        at: when, in seconds.
        text: what is wrong.
        due: what should have happened.
        certainty: ``"seen"``, ``"inferred"`` or ``"unknown"``.
        level: how bad it is.
    """

    rule: str
    line: int
    at: float
    text: str
    due: str
    certainty: str
    level: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.at} s: {self.text} ({self.rule})"


class Trace:
    """The trace of a run: every call, event, ad request, wrapper hop, beacon and error, each with its cause
    and rule.

    In a notebook it is shown as its report.
    """

    __slots__ = ("_inner",)

    def __init__(self, inner: _playsim.Trace) -> None:
        self._inner = inner

    @property
    def digest(self) -> str:
        """A fingerprint of all lines: 32 hexadecimal digits, the same on every machine."""
        return self._inner.digest

    @property
    def outcome(self) -> str | None:
        """How the run has ended: ``idle``, ``until``, ``limit`` or ``livelock``."""
        return self._inner.outcome

    @property
    def scenario(self) -> Scenario:
        """The scenario that plays to this trace."""
        from .scenarios import Scenario

        return Scenario(self._inner.scenario)

    def events(self) -> Table:
        """The events that page code can hear, as columns.

        ``at_us`` is in microseconds from the beginning, ``line`` the number of the line, ``player`` the
        container, and ``data`` a dict, or ``None`` for an event without data.
        """
        return Table(self._inner.events(), _EVENTS)

    def records(self) -> Table:
        """All lines as columns: as `events`, and with the ``break``, the ``cause``, which is the number of a
        line, and the ``rule`` that decided, each ``None`` where there is none. Each time update has a row of
        its own."""
        return Table(self._inner.records(), _RECORDS)

    def jsonl(self) -> str:
        """All lines as JSON lines: the canonical form, which ``playsim check`` and ``playsim diff`` read."""
        return self._inner.jsonl()

    def text(self, view: View = "review", *, why: bool = False) -> str:
        """The trace as ``playsim run`` prints it, which is also the form of golden traces; ``why`` adds the
        rules."""
        return self._inner.text(view, why)

    def report(self) -> dict[str, Any]:
        """The report on waterfalls: breaks, tags, what each answered and when, beacons; times in
        microseconds."""
        return self._part("report")

    def html(self) -> str:
        """The report as a whole web page, which needs nothing else."""
        return str(self._part("html"))

    def check(self) -> list[Finding]:
        """Judges the trace by rules alone: order and time of trackers, what is on screen, events."""
        return [_finding(it) for it in self._part("check")]

    def _part(self, part: str) -> Any:
        return json.loads(self._inner.show(wanted(part)))[part]

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Trace) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<playsim.Trace {self.digest} {self.outcome}>"

    def _repr_html_(self) -> str:
        return _page.frame(self.html())


def check(trace: Union[Trace, str, "os.PathLike[str]"]) -> list[Finding]:
    """Judges a trace by rules alone: one of playsim, or what was heard of a real player.

    Args:
        trace: a `Trace`, a text of JSON lines, or the path of a file with them.

    Returns:
        What is against a rule; nothing if the list is empty.

    Raises:
        InputError: it is no trace; the message names the line.
        OSError: the file cannot be read.
    """
    if isinstance(trace, Trace):
        return trace.check()
    if isinstance(trace, str) and trace.lstrip().startswith("{"):
        name, text = "trace.jsonl", trace
    else:
        name = os.fspath(trace)
        with open(name, encoding="utf-8") as file:
            text = file.read()
    return [_finding(it) for it in ask("check", name=name, text=text)]


def _finding(it: dict[str, Any]) -> Finding:
    return Finding(**{field: it[field] for field in Finding._fields})
