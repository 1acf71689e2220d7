"""The command in the wheel."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import DATA

import playsim.cli

COMMAND = [sys.executable, "-m", "playsim"]


def test_exit_codes_and_streams_are_those_of_the_binary(tmp_path: Path) -> None:
    def run(*args: str) -> tuple[int, str, str]:
        it = subprocess.run([*COMMAND, *args], capture_output=True, text=True, cwd=tmp_path)
        return it.returncode, it.stdout, it.stderr

    code, out, err = run("--version")
    assert (code, out.splitlines()[0], err) == (0, f"playsim {playsim.__version__}", "")
    code, out, err = run("run", "none.yaml")
    assert (code, out) == (3, "") and "none.yaml" in err
    code, out, err = run("rnu")
    assert (code, out) == (2, "") and "run" in err
    assert run("new", "first")[0] == 0
    code, out, _ = run("run", "first.yaml")
    assert code == 0 and out.startswith("playsim trace 1")
    assert playsim.read(tmp_path / "first.yaml").run().text() in out
    code, _, _ = run("run", "first.yaml", "--format", "html", "-o", "page.html")
    assert code == 0 and "playsim run first.yaml --format html" in (tmp_path / "page.html").read_text(
        encoding="utf-8"
    )


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_a_closed_pipe_and_ctrl_c_end_it_quietly() -> None:
    piped = subprocess.run(
        f'"{sys.executable}" -m playsim rules | head -1', shell=True, capture_output=True, text=True
    )
    assert piped.returncode == 0 and piped.stderr == "" and len(piped.stdout.splitlines()) == 1
    args = ["sweep", "preroll.yaml", "--vary", "tag2.fill=60%", "--runs", "90000000"]
    long = subprocess.Popen([*COMMAND, *args], cwd=DATA, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(1)
    long.send_signal(signal.SIGINT)
    _, err = long.communicate(timeout=10)
    assert long.returncode == -signal.SIGINT and err == b""


def test_a_program_runs_commands(capfd: pytest.CaptureFixture[str]) -> None:
    assert playsim.cli.run(["vast", str(DATA / "ad.xml")]) == 0
    assert "spot" in capfd.readouterr().out
    assert playsim.cli.run(["vast", "none.xml"]) == 3
    assert playsim.cli.run(["--help"]) == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.skipif(os.name == "nt", reason="processes are interrupted in another way")
def test_ctrl_c_interrupts_a_program_that_runs_a_command(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    args = ["fuzz", "--time", "1h"]
    script.write_text(
        "import sys, playsim.cli\nprint('begun', flush=True)\n"
        f"try:\n    playsim.cli.run({args!r})\nexcept KeyboardInterrupt:\n    sys.exit(9)\n",
        encoding="utf-8",
    )
    program = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert program.stdout is not None and program.stdout.readline() == b"begun\n"
    time.sleep(1)
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=10)
    assert program.returncode == 9
