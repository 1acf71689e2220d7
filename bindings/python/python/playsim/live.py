"""A simulation that is driven while it runs, with Python functions as listeners."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Any, Callable, Literal, Mapping, NamedTuple, Sequence

from . import _player, _playsim
from ._player import AnyEventName, Listener
from ._times import Length, micros
from ._values import decoded, encoded
from .errors import InputError, RunError
from .scenarios import Scenario, Source, scenario_of
from .tables import Table
from .traces import Trace
from .types import Answer, Config, PageChange, UserAct

__all__ = ["Element", "Event", "OnReady", "Player", "Simulation"]

OnReady = Callable[["Player"], object]
"""A ready callback: it is called with the player."""

_END = 2**63 - 1
_running = threading.local()


class Event(NamedTuple):
    """An event, as a listener gets it.

    Attributes:
        type: its name.
        target: the player that fired it, or the element.
        at: when, from the beginning.
        data: what it carries; ``None`` for an event that is documented without data.
    """

    type: str
    target: Player | Element
    at: timedelta
    data: dict[str, Any] | None

    @property
    def player(self) -> Player:
        """The player that fired it.

        Raises:
            TypeError: a bare media element has fired it; use ``target``.
        """
        if not isinstance(self.target, Player):
            raise TypeError(f"{self.target!r} is not a player; use target")
        return self.target


class _Handle:
    """A player or an element of a running simulation."""

    def __init__(self, simulation: Simulation, container: str) -> None:
        self._simulation = simulation
        self.container = container

    def _call(self, name: str, *args: Any) -> Any:
        given = list(args)
        while given and given[-1] is None:
            given.pop()
        return self._simulation._call(self.container, name, given)

    def _query(self, name: str) -> Any:
        return self._simulation._query(self.container, name)

    def _bind(self, name: str, events: Any, listener: Listener) -> None:
        self._simulation._bind(self.container, name, events, listener)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Handle):
            return NotImplemented
        return self._simulation is other._simulation and self.container == other.container

    def __hash__(self) -> int:
        return hash((id(self._simulation), self.container))

    def __repr__(self) -> str:
        return f"<playsim.{type(self).__name__} {self.container!r}>"


class Element(_Handle, _player.MediaElement):
    """A bare media element in a running simulation, with the calls, properties and events of a ``<video>``."""


class Player(_Handle, _player.Player):
    """A player in a running simulation: what ``$player()`` returns. Its methods have their documented
    names."""


class Simulation:
    """A page with players, on a virtual clock that only goes on when it is told to.

    ::

        sim = playsim.Simulation("preroll.yaml")
        player = sim.player("player")
        player.on("adStart", lambda event: player.pause())
        sim.advance_to("adStart")

    The steps of the scenario are performed as they are due. Python functions are listeners like any other; a
    page without steps is driven by Python alone. `trace` and `scenario` have what has happened: the scenario
    plays to the same trace without any Python.

    Args:
        scenario: a scenario, or what `playsim.read` takes.
        files: the documents that it names, if it is a text or a dict.
        on_error: what an exception of a listener does, besides being a line of the trace: ``raise`` passes it
            on to whoever moves the clock or makes the call that led to it, ``collect`` only keeps it in
            `errors`.

    Raises:
        ScenarioError: the scenario cannot be read or played.
    """

    def __init__(
        self,
        scenario: Scenario | Source,
        *,
        files: Mapping[str, str] | None = None,
        on_error: Literal["raise", "collect"] = "raise",
    ) -> None:
        if on_error not in ("raise", "collect"):
            raise InputError(f"on_error is {on_error!r}; it must be 'raise' or 'collect'")
        text, documents, name = _given(scenario, files)
        self._functions: dict[int, Callable[..., object]] = {}
        self._names: list[tuple[Callable[..., object], str]] = []
        self._ready: set[int] = set()
        self._elements: set[str] = set()
        self._on_error = on_error
        self._new: list[BaseException] = []
        self.errors: list[BaseException] = []
        """What listeners have raised so far."""
        request = json.dumps({"scenario": text, "files": documents, "name": name})
        self._world = _playsim.World(request, _called)

    # --- Players.

    def player(
        self, container: str | None = None, config: Config | None = None, on_ready: OnReady | None = None
    ) -> Player:
        """The documented ``$player``: makes a player in a container, or looks one up.

        Args:
            container: its id; without one, the earliest player that is alive.
            config: the configuration of a new player.
            on_ready: is called with the new player when it is ready.

        Raises:
            CallError: there is no such player.
            RunError: no player can be made; the trace says why.
        """
        if config is None:
            it = self._do({"op": "find", "player": container})
            return Player(self, str(it["value"]))
        return self._made("player", container, config, on_ready)

    def outstream(self, container: str, config: Config, on_ready: OnReady | None = None) -> Player:
        """The documented ``$outstream``: a unit that shows ads only."""
        return self._made("outstream", container, config, on_ready)

    def queue(
        self, container: str, config: Config, on_ready: OnReady | None = None, *, unit: str = "player"
    ) -> None:
        """Pushes an entry to the queue array: the player is made as soon as the player's script has
        loaded."""
        entry = {"div": container, "obj": self._encoded(config, "queue")}
        self._do({"op": "queue", "unit": unit, "entry": entry, **self._named_ready(on_ready)})

    def element(self, container: str, **attributes: Any) -> Element:
        """Makes a bare media element: a ``<video>`` with these attributes.

        Args:
            container: its id.
            attributes: ``src``, ``preload``, ``autoplay``, ``loop``, ``muted``, as in the page's markup.

        Raises:
            ScenarioError: there is no such attribute.
            RunError: no element can be made; the trace says why.
        """
        it = self._do({"op": "element", "div": container, "attributes": attributes})
        if it["value"] is None:
            raise RunError(f"no element can be made in {container!r}; the last lines of the trace say why")
        self._elements.add(str(it["value"]))
        return Element(self, str(it["value"]))

    def _made(self, unit: str, container: str | None, config: Config, on_ready: OnReady | None) -> Player:
        args = [container, self._encoded(config, unit)]
        it = self._do({"op": "init", "unit": unit, "args": args, **self._named_ready(on_ready)})
        if it["value"] is None:
            raise RunError(f"no {unit} can be made in {container!r}; the last lines of the trace say why")
        return Player(self, str(it["value"]))

    def _named_ready(self, on_ready: OnReady | None) -> dict[str, str]:
        if on_ready is None:
            return {}
        # Each is a function of its own, because it is called with a player and not with an event.
        number, name = self._define(_name_of(on_ready, "onReady"))
        self._functions[number] = on_ready
        self._ready.add(number)
        return {"onReady": name}

    # --- Around the page.

    def user(self, act: UserAct, player: Player | Element | str | None = None) -> None:
        """The user does something: ``sim.user("skip")``, ``sim.user({"seek": 30})``.

        Args:
            act: as in a scenario.
            player: with which player; default: the first one.

        Raises:
            ScenarioError: there is no such act.
        """
        self._do({"op": "user", "player": _container(player), "act": act})

    def page(self, change: PageChange, player: Player | Element | str | None = None) -> None:
        """The page changes around the player: ``sim.page({"hidden": True})``."""
        self._do({"op": "page", "player": _container(player), "change": change})

    def answer(self, url: str, answer: Answer, files: Mapping[str, str] | None = None) -> None:
        """Decides what a URL answers from now on. Requests that are under way keep their answer.

        Args:
            url: the URL, as in a scenario.
            answer: ``{"after": "50ms", "status": 503}``.
            files: the documents that the answer names.

        Raises:
            ScenarioError: it is no answer.
        """
        self._do({"op": "answer", "url": url, "answer": answer, "files": dict(files or {})})

    # --- Time.

    @property
    def now(self) -> timedelta:
        """The time on the virtual clock, from the beginning."""
        return timedelta(microseconds=self._world.now())

    @property
    def next_due(self) -> timedelta | None:
        """When the next thing is due; ``None`` if nothing is."""
        with self._entered():
            due = self._world.next_due()
        return None if due is None else timedelta(microseconds=due)

    def advance(self, length: Length) -> timedelta:
        """Moves time on, and plays everything that is due on the way. Returns the time on the clock, which is
        earlier only if the run is over.

        Raises:
            RunError: the run has ended at a limit.
        """
        self._outside("advance")
        self._play(min(self._world.now() + micros(length), _END))
        return self.now

    def advance_to(
        self,
        event: AnyEventName,
        player: Player | Element | str | None = None,
        *,
        within: Length | None = None,
    ) -> Event:
        """Plays until an event is fired that has not been fired yet. Returns it.

        Args:
            event: its name.
            player: of which player; default: any.
            within: at most this long.

        Raises:
            RunError: nothing more can happen, or the time is over; the message says what the run has come to.
        """
        self._outside("advance_to")
        if event not in _EVENTS:
            import difflib

            near = difflib.get_close_matches(str(event), _EVENTS, n=1)
            raise InputError(
                f'there is no event "{event}"' + (f'; did you mean "{near[0]}"?' if near else "")
            )
        end = _END if within is None else min(self._world.now() + micros(within), _END)
        container = _container(player)
        line = self._line()
        while True:
            is_going_on = self._turn(end)
            happened = self._do({"op": "events", "from": line, "type": event})
            line = happened["next"]
            for it in happened["events"]:
                if container is None or it["player"] == container:
                    return self._event(it, round(it["at"] * 1_000_000))
            if not is_going_on:
                raise RunError(f"{event} has not been fired: {self._why(end)}")

    def run(self) -> Trace:
        """Plays to the end: until nothing is due any more, or as long as the scenario says. Returns the
        trace.

        Raises:
            RunError: the run has ended at a limit, or in a loop without end.
        """
        self._outside("run")
        self._play(_END)
        return self.trace()

    def _play(self, end: int) -> None:
        while self._turn(end):
            pass

    def _turn(self, end: int) -> bool:
        """Plays one input; False if none was due, or the run is over."""
        with self._entered():
            if end == _END:
                # The clock stays where the last thing has happened.
                _, _, is_over = self._world.end_task()
                due = None if is_over else self._world.next_due()
                if due is not None:
                    # An input that is due may be none: one that was dropped meanwhile.
                    _, _, is_over = self._world.turn_until(due)
                goes_on = due is not None and not is_over
            else:
                has_played, _, is_over = self._world.turn_until(end)
                goes_on = has_played and not is_over
        if is_over and self.outcome in ("limit", "livelock"):
            raise RunError(self._text_of_outcome())
        return goes_on

    def _why(self, end: int) -> str:
        text = self._text_of_outcome()
        return text or f"the clock is at {self.now}" + ("" if end == _END else ", as far as it may go")

    def _outside(self, name: str) -> None:
        if self._world.is_within():
            raise RunError(f"{name}(): a listener runs; time goes on after it has returned")

    # --- What has happened.

    @property
    def outcome(self) -> str | None:
        """How the run has ended: ``idle``, ``until``, ``limit`` or ``livelock``; ``None`` while more can
        happen."""
        outcome: str | None = self._do({"op": "outcome"})["outcome"]
        return outcome

    def _text_of_outcome(self) -> str:
        return str(self._do({"op": "outcome"}).get("text") or "")

    def trace(self) -> Trace:
        """The trace so far, as if the run ended now."""
        with self._entered():
            return Trace(self._world.trace())

    def events(self) -> Table:
        """The events so far as columns; see `Trace.events`."""
        return self.trace().events()

    def scenario(self) -> Scenario:
        """The session so far as a scenario, which plays to the same trace without any Python: for a bug
        report, or for ``playsim run``."""
        return self.trace().scenario

    def fork(self) -> Simulation:
        """A second simulation in the same state, which goes its own way from here: what if?

        Its listeners are the same functions; their events name the players of the fork.
        """
        self._outside("fork")
        fork = Simulation.__new__(Simulation)
        fork._functions, fork._names = dict(self._functions), list(self._names)
        fork._ready, fork._on_error = set(self._ready), self._on_error
        fork._new, fork.errors = [], list(self.errors)
        fork._elements = set(self._elements)
        with self._entered():
            fork._world = self._world.fork()
        return fork

    # --- Operations and functions.

    def _call(self, container: str, name: str, args: Sequence[Any]) -> Any:
        it = self._do(
            {"op": "call", "player": container, "name": name, "args": self._encoded(list(args), name)}
        )
        return decoded(it["value"], self._function)

    def _query(self, container: str, name: str) -> Any:
        it = self._do({"op": "query", "player": container, "name": name})
        return decoded(it["value"], self._function)

    def _bind(self, container: str, name: str, events: Any, listener: Listener) -> None:
        if not callable(listener):
            raise InputError(f"{name}(): the listener is {listener!r}; it must be callable")
        known = next((known for function, known in self._names if function == listener), None)
        if known is None:
            event = events if isinstance(events, str) else next(iter(events), "")
            number, known = self._define(_name_of(listener, f"on{event[:1].upper()}{event[1:]}"))
            self._functions[number] = listener
            self._names.append((listener, known))
        self._do(
            {"op": "call", "player": container, "name": name, "args": [events, {"$": ["function", known]}]}
        )

    def _define(self, hint: str) -> tuple[int, str]:
        it = self._do({"op": "define", "name": hint})
        return int(it["fn"]), str(it["name"])

    def _function(self, name: str) -> object:
        return next((function for function, known in self._names if known == name), name)

    def _encoded(self, value: Any, where: str) -> Any:
        def refused(function: Callable[..., object]) -> str:
            raise InputError(f"{where}(): a function cannot be given here; bind it with on()")

        return encoded(value, refused, f"{where}()")

    def _do(self, operation: dict[str, Any]) -> Any:
        text = json.dumps(operation)
        with self._entered():
            return json.loads(self._world.perform(text))

    def _entered(self) -> _Entered:
        return _Entered(self)

    def _line(self) -> int:
        line: int = self._do({"op": "events", "from": 0xFFFF_FFFF})["next"]
        return line

    def _event(self, it: dict[str, Any], at: int) -> Event:
        data, container = it["data"], it["player"]
        return Event(
            it["type"],
            Element(self, container) if container in self._elements else Player(self, container),
            timedelta(microseconds=at),
            None if data is None else decoded(data, self._function),
        )

    def __repr__(self) -> str:
        return f"<playsim.Simulation at {self._world.now() / 1_000_000} s>"

    def _repr_html_(self) -> str:
        return self.trace()._repr_html_()


class _Entered:
    """Has functions of the page find their simulation, and passes on what they have raised."""

    __slots__ = ("_simulation",)

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __enter__(self) -> None:
        _stack().append(self._simulation)

    def __exit__(self, *_: object) -> None:
        stack, simulation = _stack(), self._simulation
        stack.pop()
        if simulation._new and simulation not in stack:
            first, simulation._new = simulation._new[0], []
            # The exception of a listener is the cause of everything else.
            if simulation._on_error == "raise" or not isinstance(first, Exception):
                raise first


def _stack() -> list[Simulation]:
    """The simulations that run on this thread, the innermost last."""
    stack: list[Simulation] = _running.__dict__.setdefault("stack", [])
    return stack


_EVENTS: tuple[str, ...] = (*_player.EventName.__args__, *_player.MediaEventName.__args__)  # type: ignore[attr-defined]


def _called(number: int, text: str) -> str | None:
    """Runs a function of the page. Returns the text of what it has raised."""
    simulation = _stack()[-1]
    it = json.loads(text)
    function = simulation._functions[number]
    try:
        if number in simulation._ready:
            function(Player(simulation, it["player"]))
        else:
            function(simulation._event(it, it["at"]))
    except BaseException as error:  # The engine goes on, and the exception is passed on afterwards.
        simulation.errors.append(error)
        simulation._new.append(error)
        return f"{type(error).__name__}: {error}"
    return None


def _name_of(function: Callable[..., object], default: str) -> str:
    """The name of a function in the trace; a lambda has none of its own."""
    name = getattr(function, "__name__", "")
    return name if isinstance(name, str) and name.isidentifier() else default


def _container(player: Player | Element | str | None) -> str | None:
    return player.container if isinstance(player, _Handle) else player


def _given(scenario: Scenario | Source, files: Mapping[str, str] | None) -> tuple[str, dict[str, str], str]:
    """The text of a scenario, which may have neither steps nor anything to play by itself."""
    if isinstance(scenario, str) and "\n" in scenario:
        return scenario, dict(files or {}), "scenario.yaml"
    if isinstance(scenario, Mapping):
        return json.dumps(scenario), dict(files or {}), "scenario.json"
    it = scenario_of(scenario)
    return it._inner.json(), {**it.files, **(files or {})}, it.name
