"""A plugin of pytest: files whose names end in ``.playsim.yaml`` are tests.

Each is played; its expectations, the invariants, and its golden trace must hold. The golden trace of
``case.playsim.yaml`` is ``case.playsim.trace`` beside it, as ``playsim test`` has it. ``--playsim-bless``
writes those that are missing or differ.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Iterable, Protocol

import pytest

from ._module import ask
from .errors import Error
from .scenarios import Scenario, read
from .traces import Trace

__all__ = ["Golden", "PlaysimFailure", "PlaysimWarning"]

_ENDINGS = (".playsim.yaml", ".playsim.yml", ".playsim.json")


class PlaysimWarning(UserWarning):
    """A scenario is not compared with anything yet."""


class PlaysimFailure(Exception):
    """A scenario does not do what it should. The text says what, and where."""


class Golden(Protocol):
    """Compares a trace with a golden one: what the fixture ``playsim_golden`` gives."""

    def __call__(self, trace: Trace, name: str | None = None) -> None:
        """Args: the trace, and the name of its golden trace; default: that of the test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--playsim-bless``."""
    group = parser.getgroup("playsim")
    group.addoption(
        "--playsim-bless",
        action="store_true",
        help="write golden traces that are missing or differ, unless something else is wrong",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects scenarios."""
    if file_path.name.endswith(_ENDINGS):
        file: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
        return file
    return None


class ScenarioFile(pytest.File):
    """A file with a scenario."""

    def collect(self) -> Iterable[pytest.Item]:
        """One test: the scenario."""
        yield ScenarioItem.from_parent(self, name="scenario")


class ScenarioItem(pytest.Item):
    """A scenario as a test."""

    def runtest(self) -> None:
        """Plays the scenario, and compares it."""
        name = _short(self.path, self.config)
        scenario = read(self.path, name=name)
        text = self.path.read_text(encoding="utf-8-sig")
        golden = self.path.with_suffix(".trace")
        _judge(scenario, text, name, golden, self.config)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong, without the frames of this plugin."""
        if isinstance(excinfo.value, (PlaysimFailure, Error)):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[os.PathLike[str], int | None, str]:
        """The file."""
        return self.path, None, _short(self.path, self.config)


@pytest.fixture
def playsim_golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a trace with its golden one, a file in the folder ``golden`` beside the test.

    ::

        def test_skip(playsim_golden):
            sim = playsim.Simulation("preroll.yaml")
            sim.advance_to("adStart")
            sim.user("skip")
            playsim_golden(sim.run())
    """
    folder = request.path.parent / "golden"
    default = "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in request.node.name)

    def golden(trace: Trace, name: str | None = None) -> None:
        file = folder / f"{name or default}.trace"
        scenario = trace.scenario
        if scenario.get("expect") is not None:
            # They are about the session without what the test has done.
            scenario = scenario.without("expect")
        _judge(scenario, scenario.to_yaml() + "\n", scenario.name, file, request.config)

    return golden


def _judge(scenario: Scenario, text: str, name: str, golden: Path, config: pytest.Config) -> None:
    """Fails if anything is wrong with a scenario."""
    golden_name = _short(golden, config)
    known = golden.read_bytes().decode("utf-8", "replace") if golden.exists() else None
    it = ask("golden", scenario=text, name=name, files=scenario.files, golden=known, golden_name=golden_name)
    problems = [_unmet(name, unmet) for unmet in it["failed"]]
    problems += [f"{name}: {invariant}" for invariant in it["invariants"]]
    bless = bool(config.getoption("--playsim-bless"))
    if it["same"] is not True and bless and not problems:
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_bytes(it["text"].encode("utf-8"))
        return
    if it["same"] is False:
        left = (
            "it is not blessed, because of what is above"
            if bless
            else "pytest --playsim-bless accepts the new trace"
        )
        problems.append(f"{golden_name}: the trace differs; {left}\n\n{it['difference'].rstrip()}")
    if it["same"] is None:
        missing = f"{golden_name}: there is no golden trace; pytest --playsim-bless writes it"
        if _is_ci():
            problems.append(missing)
        elif not problems:
            warnings.warn(PlaysimWarning(missing), stacklevel=2)
    if problems:
        raise PlaysimFailure("\n\n".join(problems))


def _unmet(name: str, it: dict[str, Any]) -> str:
    place = "" if it["line"] is None else f":{it['line']}"
    return f"{name}{place}: expected {it['expected']}; {it['found']}"


def _is_ci() -> bool:
    """Whether the variable CI is set, as the command line reads it."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def _short(path: Path, config: pytest.Config) -> str:
    """A path relative to the root of the tests, with slashes, so that messages are the same everywhere."""
    try:
        return path.relative_to(config.rootpath).as_posix()
    except ValueError:
        return path.name
