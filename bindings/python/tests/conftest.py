"""What tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

import playsim

# In the background of a shell Ctrl-C is ignored, also by the programs that tests start. They are about a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[3]
"""The checkout."""
DATA = Path(__file__).resolve().parent / "data"

pytest_plugins = ["pytester"]


@pytest.fixture
def preroll() -> playsim.Scenario:
    """A pre-roll whose first tag is empty and whose second one fills."""
    return playsim.read(DATA / "preroll.yaml")
