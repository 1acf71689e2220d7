"""Types of answers, acts and configurations, for type checkers.

Written by scripts/generate.py from the tables of the module. Do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

__all__ = [
    "AdObject",
    "Answer",
    "Config",
    "PageChange",
    "ScenarioDict",
    "UserAct",
]


class AdObject(TypedDict, total=False):
    """An ad object, as page code would write it."""

    adTagUrl: str | Sequence[str] | Mapping[str, Any] | None
    """Another name for `mobile`."""
    adTimeType: Literal["s", "%"] | Mapping[str, Any] | None
    """The unit of the times: `s` or `%`."""
    adType: Literal[0, 1, 2, 3]
    """Required. 0 for pre-roll, 1 mid-roll, 2 post-roll, 3 overlay."""
    cuepoints: float | str | Sequence[float | str] | Mapping[str, Any] | None
    """When the mid-roll starts."""
    desktop: Sequence[str] | Mapping[str, Any] | None
    """Ad tags for desktops."""
    mobile: Sequence[str] | Mapping[str, Any] | None
    """Ad tags; used on mobile devices only if `desktop` has tags."""
    overlayDuration: float | str | Mapping[str, Any] | None
    """How long the overlay is shown."""
    overlayStartAt: float | str | Mapping[str, Any] | None
    """When the overlay starts."""
    pod: int | Mapping[str, Any] | None
    """The pod of the break that the ad belongs to."""


class Answer(TypedDict, total=False):
    """The response of a URL."""

    after: str
    """How long it takes."""
    fails: Literal["timeout", "refused", "reset", "truncated", "too-many-redirects", "cors", "blocked"]
    """There is no response."""
    file: str | float
    """A file with the body, in or below the scenario's folder."""
    redirect: str | float
    """The URL to request instead."""
    status: int
    """The HTTP status. Default of a redirect: 302."""
    text: str | float
    """The body itself."""
    type: str | float
    """The MIME type that the body states. Default: what the ending of its file or URL, or else its beginning
    says.
    """


class Config(TypedDict, total=False):
    """The configuration of a player: id, width, height, and video or playlist."""

    ads: Any
    """Ad objects, added at player level."""
    autoplay: bool
    """Whether it plays as soon as it is ready."""
    height: str | int
    """Its height, written as the width is."""
    id: str
    """The player's id."""
    muted: bool
    """Whether it starts muted."""
    playlist: Any
    """Several videos: a list of ids and videos, or the URL of a playlist file."""
    poster: Any
    """The URL of a picture to use instead of the videos' own."""
    title: Any
    """A title to use instead of the name of the single video."""
    video: Any
    width: str | int
    """Its width: 640, "640", "50%", or a share of the height like "16x9"."""


PageChange = Mapping[str, Any]
"""A change of the page."""


class ScenarioDict(TypedDict, total=False):
    """A scenario: what exists, what happens and what is expected."""

    channels: Sequence[int] | None
    """The ids of the channels that exist. Default: any."""
    expect: Sequence[Any] | None
    """What must be true of the finished trace."""
    knobs: Mapping[str, Any]
    """Alternatives where the sources leave something open."""
    listeners: Mapping[str, Any] | None
    """Named listeners, for `on`, `once`, `off` and `on_ready`."""
    media: Mapping[str, Any]
    """What media URLs play, by URL; `default`: those not listed; `inline`: SIMID pages inside documents."""
    name: str | float
    """What the scenario shows, in a few words. Default: the name of the file."""
    network: Mapping[str, Any]
    """The responses of URLs, by URL."""
    page: Any
    """The page around the players."""
    player: Any
    """Settings of all players."""
    players: Mapping[str, Any] | None
    """Settings on top of those of `player`, by container."""
    profile: Literal["default", "literal", "element", "browser", "observed", "standard", "vast-client-js", "video-ad-sdk", "ima", "rmp-vast", "contrib-ads", "media3", "fluid-player", "shaka", "vast-player", "chromium", "firefox", "webkit"] | str
    """The set of knobs to start from; several with `+` between them, of which a later one wins."""
    rules: Sequence[str] | None
    """Rules that the scenario is meant to show. For readers only."""
    seed: int
    """The seed of everything random."""
    steps: Sequence[Any] | None
    """What happens. Without steps, one player plays the first video once it is ready."""
    until: Literal['idle'] | str | Mapping[str, Any]
    """When the run ends: `idle` (nothing can happen any more) or a time."""
    videos: Sequence[Any] | None
    """The videos, with the fields that the edit call has for them."""


UserAct = Union[Literal["gesture", "play", "pause", "click", "skip", "close", "next", "previous", "mute", "unmute", "fullscreen"], Mapping[str, Any]]
"""What the user does."""
