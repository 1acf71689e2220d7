"""Simulations that are driven by Python."""

from __future__ import annotations

import math
import threading
from datetime import timedelta

import pytest
from conftest import DATA

import playsim
from playsim.types import Config

PAGE = """
page: { containers: [box, other] }
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }
network: { https://ads.test/a: { after: 200ms, text: "<VAST version='4.2'/>" } }
"""
CONFIG: Config = {"id": "p", "width": "640", "height": "360", "video": "film"}


def test_a_page_is_written_in_python_and_saved() -> None:
    sim = playsim.Simulation(PAGE)
    heard: list[tuple[str, timedelta, object]] = []
    player = sim.player("box", CONFIG, on_ready=lambda it: it.play())
    player.on(["adError", "start"], lambda event: heard.append((event.type, event.at, event.data)))
    assert sim.now == timedelta(0) and not heard
    event = sim.advance_to("start")
    assert (event.type, event.player, event.at) == ("start", player, timedelta(milliseconds=200))
    assert heard == [
        ("adError", timedelta(milliseconds=200), {"code": 303, "message": "no ad in the response"}),
        ("start", timedelta(milliseconds=200), None),
    ]
    sim.user("pause")
    assert sim.advance("1s") == timedelta(seconds=1.2) and player.currentTime() == 0
    trace = sim.trace()
    assert sim.scenario().run() == trace and trace.check() == []
    assert "onAdError" in trace.text() and "onReady" in trace.text()


def test_listeners_act_while_they_run(preroll: playsim.Scenario) -> None:
    sim = playsim.Simulation(preroll)
    sim.advance("1ms")
    player = sim.player()
    order: list[str] = []

    def quiet(event: playsim.Event) -> None:
        order.append(event.type)
        assert event.player.volume(0.2) == 0.2
        with pytest.raises(playsim.RunError, match="a listener runs"):
            sim.advance("1s")

    player.on("adStart", quiet)
    player.once("volumechange", lambda event: order.append(event.type))
    sim.advance_to("adStart")
    assert order == ["adStart", "volumechange"] and player.volume() == 0.2
    player.off("adStart", quiet)
    player.playAd("https://ads.test/second")
    sim.run()
    assert order == ["adStart", "volumechange"]


def test_bound_methods_are_removed_again() -> None:
    class Page:
        heard = 0

        def on_start(self, event: playsim.Event) -> None:
            self.heard += 1

    page, sim = Page(), playsim.Simulation(PAGE)
    player = sim.player("box", CONFIG, on_ready=playsim.live.Player.play)
    player.on("start", page.on_start)
    player.off("start", page.on_start)
    sim.run()
    assert page.heard == 0


def test_exceptions_of_listeners_go_through() -> None:
    def broken(_: playsim.Event) -> None:
        raise LookupError("a bug of the page")

    sim = playsim.Simulation(PAGE)
    sim.player("box", CONFIG, on_ready=lambda it: it.play()).on("adError", broken)
    with pytest.raises(LookupError, match="a bug of the page") as raised:
        sim.run()
    assert "broken" in [frame.name for frame in raised.traceback]
    assert sim.run().outcome == "idle" and sim.errors == [raised.value]
    assert 'threw="LookupError: a bug of the page"' in sim.trace().text()
    quiet = playsim.Simulation(PAGE, on_error="collect")
    quiet.player("box", CONFIG, on_ready=lambda it: it.play()).on("adError", broken)
    quiet.run()
    assert [type(error) for error in quiet.errors] == [LookupError]


def test_a_fork_goes_its_own_way() -> None:
    sim = playsim.Simulation(PAGE)
    heard: list[tuple[playsim.Simulation, str]] = []
    player = sim.player("box", CONFIG, on_ready=lambda it: it.play())
    player.on("start", lambda event: heard.append((event.player._simulation, event.type)))
    sim.advance("100ms")
    fork = sim.fork()
    fork.answer("https://ads.test/b", {"status": 503})
    fork.user("pause")
    sim.run()
    fork.advance("2s")
    assert [it for it, _ in heard] == [sim] or {id(it) for it, _ in heard} == {id(sim), id(fork)}
    assert sim.trace() != fork.trace() and fork.scenario().run() == fork.trace()
    assert fork.player("box") != player


def test_answers_change_while_it_runs() -> None:
    sim = playsim.Simulation(PAGE)
    sim.answer(
        "https://ads.test/a",
        {"after": "50ms", "file": "ad.xml"},
        files={"ad.xml": (DATA / "ad.xml").read_text()},
    )
    sim.player("box", CONFIG, on_ready=lambda it: it.play())
    assert sim.advance_to("requestAd").at == timedelta(0)
    with pytest.raises(playsim.RunError, match="adComplete has not been fired"):
        sim.advance_to("adComplete", within="1s")
    with pytest.raises(playsim.ScenarioError, match="after"):
        sim.answer("https://ads.test/a", {"aftr": "50ms"})  # type: ignore[typeddict-unknown-key]


def test_calls_that_fail_say_the_rule() -> None:
    sim = playsim.Simulation(PAGE)
    with pytest.raises(playsim.CallError) as raised:
        sim.player("nowhere")
    assert raised.value.code == "no_such_player" and raised.value.rule
    with pytest.raises(playsim.RunError, match="no player can be made"):
        sim.player("nowhere", CONFIG)
    player = sim.player("box", CONFIG)
    sim.advance("1ms")
    player.destroy()
    with pytest.raises(playsim.CallError, match="destroyed"):
        player.play()


def test_wrong_arguments_say_what_to_write() -> None:
    sim = playsim.Simulation(PAGE)
    for wrong in (3, 2.5, "3 parsecs", timedelta(seconds=-1), "0.0000001s"):
        with pytest.raises(playsim.InputError):
            sim.advance(wrong)  # type: ignore[arg-type]
    assert sim.advance("1.5ms") == timedelta(microseconds=1500)
    with pytest.raises(playsim.InputError, match='did you mean "adStart"'):
        sim.advance_to("adStrat")  # type: ignore[arg-type]
    with pytest.raises(playsim.ScenarioError, match="skip"):
        sim.user("skp")  # type: ignore[arg-type]
    with pytest.raises(playsim.ScenarioError):
        playsim.Simulation("page: {}\nnetwrok: {}\n")
    player = sim.player("box", CONFIG)
    with pytest.raises(playsim.InputError, match="callable"):
        player.on("start", "not a function")  # type: ignore[arg-type]
    with pytest.raises(playsim.InputError, match="cannot be given to the player"):
        player.src({"src": object()})


def test_values_come_through() -> None:
    sim = playsim.Simulation(PAGE)
    player = sim.player("box", CONFIG, on_ready=lambda it: it.play())
    sim.advance("100ms")
    for value in (math.nan, math.inf, -math.inf):
        player.volume(value)
    assert player.duration() == 10 and player.isReady is True and player.values.lastVASTXML is None
    text = sim.trace().text("all")
    assert "volume(NaN)" in text and "volume(Infinity)" in text and "volume(-Infinity)" in text


def test_a_loop_without_end_is_cut() -> None:
    sim = playsim.Simulation(PAGE)
    player = sim.player("box", CONFIG, on_ready=lambda it: it.volume(0.5))
    player.on("volumechange", lambda event: event.player.volume(0.5 if event.player.volume() == 1 else 1))
    with pytest.raises(playsim.RunError, match="without end|limit"):
        sim.run()


def test_a_simulation_is_used_by_one_thread_at_a_time() -> None:
    sim = playsim.Simulation(PAGE)
    raised: list[BaseException] = []

    def use(_: playsim.Event) -> None:
        def other() -> None:
            try:
                sim.run()
            except playsim.Error as error:
                raised.append(error)

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    sim.player("box", CONFIG, on_ready=lambda it: it.play()).on("start", use)
    sim.run()
    assert "runs on another thread" in str(raised[0])


def test_a_listener_may_drive_another_simulation() -> None:
    outer, inner = playsim.Simulation(PAGE), playsim.Simulation(PAGE)
    starts: list[playsim.Simulation] = []
    inner.player("box", CONFIG, on_ready=lambda it: it.play()).on("start", lambda event: starts.append(inner))

    def drive(event: playsim.Event) -> None:
        inner.run()
        starts.append(outer)
        assert event.player.currentTime() == 0

    outer.player("box", CONFIG, on_ready=lambda it: it.play()).on("start", drive)
    outer.run()
    assert starts == [inner, outer]


def test_a_bare_element_is_driven() -> None:
    sim = playsim.Simulation("page: { containers: [v] }\nmedia: { film.mp4: { duration: 3s } }\n")
    element = sim.element("v", src="film.mp4", preload="auto")
    heard: list[str] = []
    element.on(["playing", "ended"], lambda event: heard.append(f"{event.type} {event.target == element}"))
    element.play()
    element.playbackRate = 2
    event = sim.advance_to("ended")
    assert heard == ["playing True", "ended True"] and event.target == element
    assert (event.at, element.paused, element.ended) == (timedelta(seconds=1.5), True, True)
    assert element.duration == 3
    assert element.src == "film.mp4" and element.currentTime == 3 and element.error is None
    with pytest.raises(TypeError, match="use target"):
        _ = event.player
    with pytest.raises(playsim.ScenarioError, match="srcc"):
        sim.element("v", srcc="film.mp4")
    assert sim.scenario().run() == sim.trace()
