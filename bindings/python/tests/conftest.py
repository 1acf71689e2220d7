"""What tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

import playsim

ROOT = Path(__file__).resolve().parents[3]
"""The checkout."""
DATA = Path(__file__).resolve().parent / "data"

pytest_plugins = ["pytester"]


@pytest.fixture
def preroll() -> playsim.Scenario:
    """A pre-roll whose first tag is empty and whose second one fills."""
    return playsim.read(DATA / "preroll.yaml")
