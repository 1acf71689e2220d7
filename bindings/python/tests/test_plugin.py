"""The plugin of pytest, on folders of its own."""

from __future__ import annotations

import pytest
from conftest import DATA


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with one scenario."""
    monkeypatch.delenv("CI", raising=False)
    pytester.path.joinpath("case.playsim.yaml").write_bytes((DATA / "preroll.yaml").read_bytes())
    pytester.path.joinpath("ad.xml").write_bytes((DATA / "ad.xml").read_bytes())
    return pytester


def change(folder: pytest.Pytester, old: str, new: str) -> None:
    file = folder.path / "case.playsim.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_scenario_is_a_test_and_gets_a_golden_trace(folder: pytest.Pytester) -> None:
    first = folder.runpytest_subprocess()
    first.assert_outcomes(passed=1, warnings=1)
    first.stdout.fnmatch_lines(
        ["*case.playsim.trace: there is no golden trace; pytest --playsim-bless writes it*"]
    )
    assert not (folder.path / "case.playsim.trace").exists()
    folder.runpytest_subprocess("--playsim-bless").assert_outcomes(passed=1)
    assert (folder.path / "case.playsim.trace").read_text(encoding="utf-8").startswith("playsim trace 1")
    folder.runpytest_subprocess().assert_outcomes(passed=1, warnings=0)


def test_a_trace_that_differs_fails_and_is_shown(folder: pytest.Pytester) -> None:
    folder.runpytest_subprocess("--playsim-bless").assert_outcomes(passed=1)
    change(folder, "after: 190ms", "after: 390ms")
    differs = folder.runpytest_subprocess()
    differs.assert_outcomes(failed=1)
    differs.stdout.fnmatch_lines(
        ["case.playsim.trace: the trace differs; pytest --playsim-bless accepts*", "*0.510000*"]
    )
    assert "pytest_plugin.py" not in differs.stdout.str()
    folder.runpytest_subprocess("--playsim-bless").assert_outcomes(passed=1)
    folder.runpytest_subprocess().assert_outcomes(passed=1)


def test_an_expectation_that_fails_has_its_line_and_is_not_blessed(folder: pytest.Pytester) -> None:
    change(folder, "never: playbackerror", "never: adStart")
    failed = folder.runpytest_subprocess("--playsim-bless")
    failed.assert_outcomes(failed=1)
    lines = (folder.path / "case.playsim.yaml").read_text(encoding="utf-8").splitlines()
    line = 1 + next(index for index, text in enumerate(lines) if "never: adStart" in text)
    failed.stdout.fnmatch_lines([f"case.playsim.yaml:{line}: expected *"])
    assert not (folder.path / "case.playsim.trace").exists()


def test_a_broken_scenario_fails_with_its_place(folder: pytest.Pytester) -> None:
    change(folder, "network:", "netwrok:")
    broken = folder.runpytest_subprocess()
    broken.assert_outcomes(failed=1)
    broken.stdout.fnmatch_lines(['*case.playsim.yaml:*:1: *did you mean "network"?*'])


def test_a_missing_golden_trace_fails_in_ci(folder: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    missing = folder.runpytest_subprocess()
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*there is no golden trace*"])


def test_the_fixture_compares_a_trace_of_python(folder: pytest.Pytester) -> None:
    folder.makepyfile(
        test_skip="""
        import playsim

        def test_pause(playsim_golden):
            sim = playsim.Simulation("case.playsim.yaml")
            sim.advance_to("adStart")
            sim.user("pause")
            playsim_golden(sim.run())
        """
    )
    folder.runpytest_subprocess("--playsim-bless", "test_skip.py").assert_outcomes(passed=1)
    golden = folder.path / "golden" / "test_pause.trace"
    assert "pause" in golden.read_text(encoding="utf-8")
    folder.runpytest_subprocess("test_skip.py").assert_outcomes(passed=1)
    golden.write_text(golden.read_text(encoding="utf-8").replace("adPause", "adPlay"), encoding="utf-8")
    folder.runpytest_subprocess("test_skip.py").assert_outcomes(failed=1)


def test_golden_traces_are_those_of_the_command(folder: pytest.Pytester) -> None:
    folder.runpytest_subprocess("--playsim-bless").assert_outcomes(passed=1)
    import playsim.cli

    assert playsim.cli.run(["test", str(folder.path)]) == 0
