"""Requests to the extension module: JSON in, JSON out."""

from __future__ import annotations

import json
from typing import Any

from . import _playsim

__all__ = ["ask", "wanted"]


def ask(op: str, /, **fields: Any) -> Any:
    """Answers a request that needs no running simulation."""
    return json.loads(_playsim.request(json.dumps({"op": op, **fields})))


def wanted(part: str) -> str:
    """The request for one part of a trace."""
    return json.dumps({"want": [part]})
