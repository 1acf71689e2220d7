"""The documented player, as page code in Python has it.

Written by scripts/generate.py from the tables of the module. Do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, Mapping, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from .live import Event

EventName = Literal[
    "ready",
    "qualityChange",
    "start",
    "beforeStart",
    "play",
    "pause",
    "ended",
    "stopped",
    "lastSecond",
    "playbackerror",
    "clickedThrough",
    "livestreamstopped",
    "destroyBefore",
    "playlistStart",
    "skipped",
    "playlistComplete",
    "timeupdate",
    "progress",
    "seeked",
    "requestAd",
    "AdsManagerLoadedEvent",
    "bidWon",
    "adStart",
    "vpaidStart",
    "adImpression",
    "adFirstQuartile",
    "adMidpoint",
    "adThirdQuartile",
    "adEnd",
    "adComplete",
    "adSkip",
    "adError",
    "adPause",
    "adResume",
    "adClicked",
    "loadedmetadata",
    "fullscreenchange",
    "playerresize",
    "volumechange",
    "mutechange",
    "stickyChange",
]
"""An event that a player fires."""

MediaEventName = Literal[
    "loadstart",
    "suspend",
    "abort",
    "error",
    "emptied",
    "stalled",
    "durationchange",
    "resize",
    "loadeddata",
    "canplay",
    "canplaythrough",
    "playing",
    "waiting",
    "seeking",
    "ratechange",
]
"""An event that a player fires with the knob ``bus.expose_html`` only: those of its media element."""

AnyEventName = Union[EventName, MediaEventName]

Code = Literal[
    "ad_busy",
    "ad_field",
    "ad_tag_url",
    "ad_time_type",
    "address_not_listed",
    "already_initialised",
    "bad_ad",
    "bad_argument",
    "bad_chapter",
    "bad_date",
    "bad_flag",
    "bad_item",
    "bad_queue_entry",
    "bad_source",
    "chapter_behind_end",
    "config_missing:height",
    "config_missing:id",
    "config_missing:video",
    "config_missing:width",
    "config_size",
    "config_type",
    "config_unknown",
    "content_ignored",
    "content_replaced",
    "cue_dropped",
    "date_order",
    "deldiv_true_keeps",
    "destroyed",
    "event_dropped",
    "fullscreen_refused",
    "ga_outside_ready",
    "gesture_required",
    "IndexSizeError",
    "item_back",
    "item_excluded:geo",
    "item_excluded:kill_date",
    "item_excluded:no_rendition",
    "item_excluded:plan",
    "item_excluded:publish",
    "item_excluded:rejected",
    "listeners_gone",
    "media_not_listed",
    "no_ads",
    "no_class",
    "no_container",
    "no_cue",
    "no_event_named",
    "no_hd",
    "no_media",
    "no_rendition",
    "no_source",
    "no_such_call",
    "no_such_chapter",
    "no_such_item",
    "no_such_player",
    "no_user_agent",
    "non_integer_seek",
    "not_offered",
    "not_playing",
    "not_monetized",
    "not_ready",
    "NotSupportedError",
    "outstream",
    "plan_limit",
    "playlist_edge",
    "playlist_failed",
    "playlist_form",
    "pod_ignored",
    "property_called",
    "property_read_only",
    "queue_never_drained",
    "rate_range",
    "record_not_listed",
    "rendition_failed",
    "same_chapter_start",
    "same_player_id",
    "script_loaded_twice",
    "script_not_loaded",
    "seek_during_ad",
    "sent_both_ways",
    "skip_not_offered",
    "src_outside_ready",
    "sticky_closed",
    "title_ignored",
    "TypeError",
    "unknown_event",
    "unknown_pixel",
    "unknown_rendition",
    "unknown_skin",
    "video_barred:geo",
    "video_barred:kill_date",
    "video_barred:publish",
    "volume_mobile",
    "volume_range",
]
"""Why a call fails."""

Listener = Callable[["Event"], object]
"""A listener: it is called with the event."""


class Chapter(TypedDict):
    """A chapter; times are in seconds, and the end is None if it is unknown."""

    chapter: int
    title: str
    start: float
    end: float | None


class MediaError(TypedDict):
    """Why media cannot be played: 2 network, 3 decode, 4 not supported."""

    code: int


class AdCompleteData(TypedDict):
    """The data of the event adComplete."""

    wp: int
    """The position of the tag in its waterfall."""
    pod: int
    """The position of the slot in its break."""
    pods: int
    """The number of slots of the break."""


class AdSkipData(TypedDict):
    """The data of the event adSkip."""

    wp: int
    """The position of the tag in its waterfall."""
    pod: int
    """The position of the slot in its break."""
    pods: int
    """The number of slots of the break."""


class AdErrorData(TypedDict):
    """The data of the event adError."""

    code: int
    """The VAST error code."""
    message: str
    """Its meaning."""


class MutechangeData(TypedDict):
    """The data of the event mutechange."""

    muted: bool
    """Whether the player is muted now."""


class StickyChangeData(TypedDict):
    """The data of the event stickyChange."""

    sticky: bool
    """Whether it is sticky now."""
    interaction: bool
    """Whether the user has done it."""


class GoogleAnalyticsObject:
    """``player.GoogleAnalytics``."""

    def __init__(self, player: Player) -> None:
        self._call, self._query = player._call, player._query

    def fireCustom(self, category: str, action: str) -> None:
        """Fires a custom analytics event. Rules GA-1 to GA-3."""
        self._call("GoogleAnalytics.fireCustom", category, action)


class ValuesObject:
    """``player.values``."""

    def __init__(self, player: Player) -> None:
        self._call, self._query = player._call, player._query

    @property
    def lastVASTXML(self) -> str | None:
        """The last VAST document received. Rules VX-1 to VX-4."""
        return self._query("values.lastVASTXML")


class Player:
    """The documented player.

    Its methods and properties have the names that the documentation has. A call that fails raises `playsim.CallError`.

    Attributes:
        container: the container of its page.
    """

    container: str

    def _call(self, name: str, *args: Any) -> Any:
        raise NotImplementedError

    def _query(self, name: str) -> Any:
        raise NotImplementedError

    def _bind(self, name: str, events: Any, listener: Listener) -> None:
        raise NotImplementedError

    @property
    def GoogleAnalytics(self) -> GoogleAnalyticsObject:
        """Its object GoogleAnalytics."""
        return GoogleAnalyticsObject(self)

    @property
    def values(self) -> ValuesObject:
        """Its object values."""
        return ValuesObject(self)

    def on(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """Binds a listener. Rules EVT-3, EVT-4."""
        self._bind("on", event, listener)

    def once(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """Binds a listener for one dispatch. Rule EVT-5."""
        self._bind("once", event, listener)

    def off(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """Removes a listener. Rules EVT-7, EVT-8."""
        self._bind("off", event, listener)

    def add(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """The older spelling of `on`. Rule EVT-9."""
        self._bind("add", event, listener)

    def addOnce(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """The older spelling of `once`. Rule EVT-9."""
        self._bind("addOnce", event, listener)

    def remove(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """The older spelling of `off`. Rule EVT-9."""
        self._bind("remove", event, listener)

    def destroy(self, delDiv: bool | None = None) -> None:
        """Removes the player. Rule EVT-20."""
        self._call("destroy", delDiv)

    def play(self) -> None:
        """Starts or resumes. Rules PLAY-1 to PLAY-21."""
        self._call("play")

    def pause(self) -> None:
        """Pauses. Rules PAUSE-1 to PAUSE-6."""
        self._call("pause")

    def stop(self) -> None:
        """Returns to the initial state. Rules STOP-1 to STOP-8."""
        self._call("stop")

    def volume(self, volume: float | None = None) -> float | None:
        """Reads or sets the volume. Rules VOL-1 to VOL-10. Without an argument it only reads: the volume, 0
        to 1. Rule VOL-2.
        """
        return self._query("volume") if volume is None else self._call("volume", volume)

    def muted(self, muted: bool | None = None) -> bool | None:
        """Reads or switches mute. Rules MUTE-1 to MUTE-6. Without an argument it only reads: whether the
        player is muted. Rule MUTE-1.
        """
        return self._query("muted") if muted is None else self._call("muted", muted)

    def currentTime(self, seconds: float | None = None) -> float | None:
        """Reads or seeks. Rules TIME-1 to TIME-13. Without an argument it only reads: the content position in
        seconds. Rule TIME-1.
        """
        return self._query("currentTime") if seconds is None else self._call("currentTime", seconds)

    def currentChapter(self, chapter: float | None = None) -> Chapter | None:
        """Reads the chapter or jumps to one. Rules CH-1 to CH-12. Without an argument it only reads: the
        chapter at the position. Rule CH-1.
        """
        return self._query("currentChapter") if chapter is None else self._call("currentChapter", chapter)

    def setHD(self, toggle: bool) -> None:
        """Switches between HD and SD. Rules QUAL-8, QUAL-9."""
        self._call("setHD", toggle)

    def setVideoSource(self, rendition: str) -> None:
        """Chooses a rendition. Rules QUAL-1 to QUAL-7."""
        self._call("setVideoSource", rendition)

    def src(self, source: str | Mapping[str, Any]) -> None:
        """Sets a custom source. Rules SRC-1 to SRC-11."""
        self._call("src", source)

    def loadPlaylist(self, source: str) -> None:
        """Loads a playlist file. Rules LPL-1 to LPL-7."""
        self._call("loadPlaylist", source)

    def next(self) -> None:
        """Plays the next item. Rule PL-4."""
        self._call("next")

    def previous(self) -> None:
        """Plays the previous item. Rule PL-4."""
        self._call("previous")

    def playByIndex(self, index: float) -> None:
        """Plays one item. Rule PL-6."""
        self._call("playByIndex", index)

    def setAd(
        self, ad: Mapping[str, Any], prepend: bool | None = None, level: Literal["player", "video"] | None = None
    ) -> None:
        """Adds an ad object. Rules AD-10 to AD-17."""
        self._call("setAd", ad, prepend, level)

    def playAd(self, ad: Mapping[str, Any] | str) -> None:
        """Plays an ad on command. Rules PA-1 to PA-10."""
        self._call("playAd", ad)

    def pushAds(self) -> None:
        """Plays the pre-rolls once more. Rules PUSH-1 to PUSH-5."""
        self._call("pushAds")

    def toggleFullScreen(self) -> bool | None:
        """Enters or leaves fullscreen. Rules FS-1 to FS-7."""
        return self._call("toggleFullScreen")

    def changeSkin(self, id: float) -> None:
        """Changes the skin. Rule SKIN-1."""
        self._call("changeSkin", id)

    def resize(self, width: float, height: float) -> None:
        """Sets the size. Rules SIZE-1, SIZE-2."""
        self._call("resize", width, height)

    def duration(self) -> float | None:
        """Reads the content's length. Rules DUR-1 to DUR-3."""
        return self._query("duration")

    def isHD(self) -> bool:
        """Whether the rendition in use is an HD one. Rule QUAL-10."""
        return self._query("isHD")

    def currentSrc(self) -> str:
        """Reads the media URL in use. Rule SRCQ-1."""
        return self._query("currentSrc")

    def getAdInProgress(self) -> bool:
        """Whether an ad is on screen. Rules GAP-1, GAP-2."""
        return self._query("getAdInProgress")

    def adDuration(self) -> float | None:
        """The length of the ad on screen, an extension. Rule GAP-3."""
        return self._query("adDuration")

    def adRemainingTime(self) -> float | None:
        """The rest of the ad on screen, an extension. Rule GAP-4."""
        return self._query("adRemainingTime")

    def isPlayerInView(self) -> bool:
        """Whether half of the player is in view. Rules VIEW-1, VIEW-2."""
        return self._query("isPlayerInView")

    def getTitle(self) -> str:
        """Reads the current video's title. Rule META-1."""
        return self._query("getTitle")

    def getTags(self) -> str:
        """Reads the current video's tags. Rule META-1."""
        return self._query("getTags")

    @property
    def isReady(self) -> bool:
        """Whether the API is usable. Rule READY-1."""
        return self._query("isReady")

    @property
    def playlistLength(self) -> float:
        """The number of items. Rule PL-1."""
        return self._query("playlistLength")

    @property
    def currentIndex(self) -> float:
        """The index of the item in use. Rule PL-2."""
        return self._query("currentIndex")

    @property
    def isFullScreen(self) -> bool:
        """Whether the player is in fullscreen. Rule FS-3."""
        return self._query("isFullScreen")


class MediaElement:
    """A bare media element: the calls and properties of a ``<video>``.

    Attributes:
        container: the container of its page.
    """

    container: str

    def _call(self, name: str, *args: Any) -> Any:
        raise NotImplementedError

    def _query(self, name: str) -> Any:
        raise NotImplementedError

    def _bind(self, name: str, events: Any, listener: Listener) -> None:
        raise NotImplementedError

    def on(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """Binds a listener. Rules EVT-3, EVT-4."""
        self._bind("on", event, listener)

    def once(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """Binds a listener for one dispatch. Rule EVT-5."""
        self._bind("once", event, listener)

    def off(self, event: AnyEventName | Sequence[AnyEventName], listener: Listener) -> None:
        """Removes a listener. Rules EVT-7, EVT-8."""
        self._bind("off", event, listener)

    def play(self) -> None:
        """Starts or resumes. Rules PLAY-1 to PLAY-21."""
        self._call("play")

    def pause(self) -> None:
        """Pauses. Rules PAUSE-1 to PAUSE-6."""
        self._call("pause")

    def load(self) -> None:
        """Of a bare media element: loads its source anew. Rule MEL-1."""
        self._call("load")

    @property
    def currentTime(self) -> float:
        """The content position in seconds. Rule TIME-1."""
        return self._query("currentTime")

    @currentTime.setter
    def currentTime(self, value: float) -> None:
        self._call("currentTime", value)

    @property
    def duration(self) -> float | None:
        """The content's length in seconds. Rule DUR-1."""
        return self._query("duration")

    @property
    def volume(self) -> float:
        """The volume, 0 to 1. Rule VOL-2."""
        return self._query("volume")

    @volume.setter
    def volume(self, value: float) -> None:
        self._call("volume", value)

    @property
    def muted(self) -> bool:
        """Whether the player is muted. Rule MUTE-1."""
        return self._query("muted")

    @muted.setter
    def muted(self, value: bool) -> None:
        self._call("muted", value)

    @property
    def currentSrc(self) -> str:
        """The media URL in use. Rule SRCQ-1."""
        return self._query("currentSrc")

    @property
    def paused(self) -> bool:
        """Of a bare media element: whether it is paused. Rules MEL-9, MEL-10."""
        return self._query("paused")

    @property
    def ended(self) -> bool:
        """Of a bare media element: whether it is over. Rule MEL-11."""
        return self._query("ended")

    @property
    def seeking(self) -> bool:
        """Of a bare media element: whether a seek is in progress. Rule MEL-13."""
        return self._query("seeking")

    @property
    def readyState(self) -> float:
        """Of a bare media element: how much has loaded, 0 to 4. Rule MEL-3."""
        return self._query("readyState")

    @property
    def networkState(self) -> float:
        """Of a bare media element: the state of loading, 0 to 3. Rules MEL-1, MEL-2."""
        return self._query("networkState")

    @property
    def error(self) -> MediaError | None:
        """Of a bare media element: null, or the code of its failure. Rules MEL-6, MEL-7."""
        return self._query("error")

    @property
    def loop(self) -> bool:
        """Of a bare media element: whether it starts over at the end. Rule MEL-12."""
        return self._query("loop")

    @loop.setter
    def loop(self, value: bool) -> None:
        self._call("loop", value)

    @property
    def playbackRate(self) -> float:
        """Of a bare media element: how fast it plays. Rule MEL-22."""
        return self._query("playbackRate")

    @playbackRate.setter
    def playbackRate(self, value: float) -> None:
        self._call("playbackRate", value)

    @property
    def src(self) -> str:
        """Of a bare media element: the URL that was set. Rule MEL-1."""
        return self._query("src")

    @src.setter
    def src(self, value: str) -> None:
        self._call("src", value)
