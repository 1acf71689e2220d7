"""Pages of reports in a notebook."""

from __future__ import annotations

__all__ = ["frame"]


def frame(page: str, height: int = 640) -> str:
    """A whole page within the output of a notebook's cell. Its style and its script stay in it."""
    from html import escape

    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts allow-popups" loading="lazy" '
        f'style="width: 100%; height: {height}px; border: 1px solid #8884; border-radius: 4px"></iframe>'
    )
