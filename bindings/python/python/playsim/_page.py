"""Pages of reports in a notebook."""

from __future__ import annotations

from html import escape

__all__ = ["frame", "whole"]


def frame(page: str, height: int = 640) -> str:
    """A whole page within the output of a notebook's cell. Its style and its script stay in it."""
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts allow-popups" loading="lazy" '
        f'style="width: 100%; height: {height}px; border: 1px solid #8884; border-radius: 4px"></iframe>'
    )


def whole(page: dict[str, str]) -> str:
    """A page from its title, its style and its body."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(page['title'])}</title><style>{page['style']}</style></head><body>{page['body']}</body></html>"
    )
