"""A headless stand-in for an ad-supported web video player: scenarios and recordings in, exact traces and
tables out.

::

    import playsim

    s = playsim.read("preroll.yaml")
    trace = s.with_("network.https://ads.test/second.after", "3s").run()
    playsim.sweep(s, "tag2.after=lognormal(1s, 0.5)", "ad.timeout=1s,2s,4s", runs=100_000).to_pandas()
    playsim.waterfall("session.har")

Everything is played on a virtual clock, so that nothing is fetched, decoded or waited for.
"""

from . import _playsim
from .documents import Document, ErrorCode, code, vast
from .errors import CallError, Error, InputError, Mistake, RunError, ScenarioError
from .live import Event, Simulation
from .recordings import Recording, RecordingTable, Verdict, WhatIf, waterfall
from .scenarios import Scenario, read
from .sweeps import sweep
from .tables import Table
from .traces import Finding, Trace, check

__all__ = [
    "CallError",
    "Document",
    "Error",
    "ErrorCode",
    "Event",
    "Finding",
    "InputError",
    "Mistake",
    "Recording",
    "RecordingTable",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Simulation",
    "Table",
    "Trace",
    "Verdict",
    "WhatIf",
    "check",
    "code",
    "read",
    "sweep",
    "vast",
    "waterfall",
]

__version__: str = _playsim.__version__
