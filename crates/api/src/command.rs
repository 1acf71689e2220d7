//! Calls of the JavaScript API and actions of the user.
//!
//! A call carries its arguments as page code would give them, of any number and type: the player
//! decides how to treat wrong ones, not the code that reads the scenario.

use playsim_base::code::Code;
use playsim_base::named::named;
use playsim_base::number::Decimal;
use playsim_base::value::{Fields, Text, Value};
use playsim_rules::RuleId;

/// A function that page code can bind, by the number that the driver of the player gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListenerIndex(pub usize);

/// A call as page code makes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The call or property.
    pub call: Call,
    /// The arguments in order. A property read by its bare name is a [`Query`] instead.
    pub args: Vec<Value>,
    /// Whether it is made in the ready callback or in a listener of `ready`. Rules SRC-2, GA-2.
    pub within_ready: bool,
    /// The function among its arguments; `None`: there is none, or it does nothing.
    pub listener: Option<ListenerIndex>,
}

impl Command {
    /// Returns a call with these arguments, made outside of the ready callback.
    #[must_use]
    pub fn new<V: Into<Value>>(call: Call, args: impl IntoIterator<Item = V>) -> Command {
        let args = args.into_iter().map(Into::into).collect();
        Command {
            args,
            ..Command::from(call)
        }
    }
}

impl From<Call> for Command {
    fn from(call: Call) -> Command {
        Command {
            call,
            args: Vec::new(),
            within_ready: false,
            listener: None,
        }
    }
}

named! {
    /// A call of the documented API, or of a bare media element; the variant is its name in page
    /// code.
    Call {
        On "on" "Binds a listener. Rules EVT-3, EVT-4.",
        Once "once" "Binds a listener for one dispatch. Rule EVT-5.",
        Off "off" "Removes a listener. Rules EVT-7, EVT-8.",
        Add "add" "The older spelling of `on`. Rule EVT-9.",
        AddOnce "addOnce" "The older spelling of `once`. Rule EVT-9.",
        Remove "remove" "The older spelling of `off`. Rule EVT-9.",
        Destroy "destroy" "Removes the player. Rule EVT-20.",
        Play "play" "Starts or resumes. Rules PLAY-1 to PLAY-21.",
        Pause "pause" "Pauses. Rules PAUSE-1 to PAUSE-6.",
        Stop "stop" "Returns to the initial state. Rules STOP-1 to STOP-8.",
        Volume "volume" "Reads or sets the volume. Rules VOL-1 to VOL-10.",
        Muted "muted" "Reads or switches mute. Rules MUTE-1 to MUTE-6.",
        CurrentTime "currentTime" "Reads or seeks. Rules TIME-1 to TIME-13.",
        CurrentChapter "currentChapter" "Reads the chapter or jumps to one. Rules CH-1 to CH-12.",
        SetHd "setHD" "Switches between HD and SD. Rules QUAL-8, QUAL-9.",
        SetVideoSource "setVideoSource" "Chooses a rendition. Rules QUAL-1 to QUAL-7.",
        Src "src" "Sets a custom source. Rules SRC-1 to SRC-11.",
        LoadPlaylist "loadPlaylist" "Loads a playlist file. Rules LPL-1 to LPL-7.",
        Next "next" "Plays the next item. Rule PL-4.",
        Previous "previous" "Plays the previous item. Rule PL-4.",
        PlayByIndex "playByIndex" "Plays one item. Rule PL-6.",
        SetAd "setAd" "Adds an ad object. Rules AD-10 to AD-17.",
        PlayAd "playAd" "Plays an ad on command. Rules PA-1 to PA-10.",
        PushAds "pushAds" "Plays the pre-rolls once more. Rules PUSH-1 to PUSH-5.",
        ToggleFullScreen "toggleFullScreen" "Enters or leaves fullscreen. Rules FS-1 to FS-7.",
        ChangeSkin "changeSkin" "Changes the skin. Rule SKIN-1.",
        Resize "resize" "Sets the size. Rules SIZE-1, SIZE-2.",
        FireCustom "GoogleAnalytics.fireCustom" "Fires a custom analytics event. Rules GA-1 to GA-3.",
        Duration "duration" "Reads the content's length. Rules DUR-1 to DUR-3.",
        IsHd "isHD" "Whether the rendition in use is an HD one. Rule QUAL-10.",
        CurrentSrc "currentSrc" "Reads the media URL in use. Rule SRCQ-1.",
        GetAdInProgress "getAdInProgress" "Whether an ad is on screen. Rules GAP-1, GAP-2.",
        AdDuration "adDuration" "The length of the ad on screen, an extension. Rule GAP-3.",
        AdRemainingTime "adRemainingTime" "The rest of the ad on screen, an extension. Rule GAP-4.",
        IsPlayerInView "isPlayerInView" "Whether half of the player is in view. Rules VIEW-1, VIEW-2.",
        GetTitle "getTitle" "Reads the current video's title. Rule META-1.",
        GetTags "getTags" "Reads the current video's tags. Rule META-1.",
        IsReady "isReady" "Whether the player is ready; documented as a property. Rule READY-2.",
        PlaylistLength "playlistLength" "The number of items; documented as a property. Rule PL-3.",
        CurrentIndex "currentIndex" "The index of the item in use; documented as a property. Rule PL-3.",
        IsFullScreen "isFullScreen" "Whether the player is in fullscreen; documented as a property. Rule FS-3.",
        Load "load" "Of a bare media element: loads its source anew. Rule MEL-1.",
        Loop "loop" "Of a bare media element: reads or sets whether it starts over at the end. Rule MEL-12.",
        PlaybackRate "playbackRate" "Of a bare media element: reads or sets the rate. Rule MEL-22.",
    }

    /// A documented getter or property; the variant names the value. Reading it changes nothing.
    /// Rule INV-23.
    Query {
        IsReady "isReady" "Whether the API is usable. Rule READY-1.",
        CurrentTime "currentTime" "The content position in seconds. Rule TIME-1.",
        Duration "duration" "The content's length in seconds. Rule DUR-1.",
        Volume "volume" "The volume, 0 to 1. Rule VOL-2.",
        Muted "muted" "Whether the player is muted. Rule MUTE-1.",
        CurrentChapter "currentChapter" "The chapter at the position. Rule CH-1.",
        IsHd "isHD" "Whether the rendition in use is an HD one. Rule QUAL-10.",
        CurrentSrc "currentSrc" "The media URL in use. Rule SRCQ-1.",
        PlaylistLength "playlistLength" "The number of items. Rule PL-1.",
        CurrentIndex "currentIndex" "The index of the item in use. Rule PL-2.",
        AdInProgress "getAdInProgress" "Whether an ad is on screen. Rule GAP-1.",
        AdDuration "adDuration" "The length of the ad on screen in seconds, or null. Rule GAP-3.",
        AdRemainingTime "adRemainingTime" "The rest of the ad on screen in seconds, or null. Rule GAP-4.",
        IsFullScreen "isFullScreen" "Whether the player is in fullscreen. Rule FS-3.",
        IsPlayerInView "isPlayerInView" "Whether half of the player is in view. Rule VIEW-1.",
        Title "getTitle" "The current video's title. Rule META-1.",
        Tags "getTags" "The current video's tags. Rule META-1.",
        LastVastXml "values.lastVASTXML" "The last VAST document received. Rules VX-1 to VX-4.",
        Paused "paused" "Of a bare media element: whether it is paused. Rules MEL-9, MEL-10.",
        Ended "ended" "Of a bare media element: whether it is over. Rule MEL-11.",
        Seeking "seeking" "Of a bare media element: whether a seek is in progress. Rule MEL-13.",
        ReadyState "readyState" "Of a bare media element: how much has loaded, 0 to 4. Rule MEL-3.",
        NetworkState "networkState" "Of a bare media element: the state of loading, 0 to 3. Rules MEL-1, MEL-2.",
        Error "error" "Of a bare media element: null, or the code of its failure. Rules MEL-6, MEL-7.",
        Loop "loop" "Of a bare media element: whether it starts over at the end. Rule MEL-12.",
        PlaybackRate "playbackRate" "Of a bare media element: how fast it plays. Rule MEL-22.",
        Src "src" "Of a bare media element: the URL that was set. Rule MEL-1.",
    }

    /// The kind of unit that an initialiser or an entry of a queue array creates. Rules QUEUE-1,
    /// OUT-1.
    UnitKind {
        Player "player" "A player with content.",
        Outstream "outstream" "A unit that shows ads only.",
    }
}

impl Query {
    /// The properties of a player. Page code reads them by their bare names, without a call.
    pub const PROPERTIES: &[Query] = &[
        Query::IsReady,
        Query::PlaylistLength,
        Query::CurrentIndex,
        Query::IsFullScreen,
        Query::LastVastXml,
    ];

    /// Whether it is a property: one of a player, or any of a bare media element.
    #[must_use]
    pub fn is_property(self) -> bool {
        self >= Query::Paused || Query::PROPERTIES.contains(&self)
    }
}

impl UnitKind {
    /// The name of its queue array. Rule QUEUE-1.
    #[must_use]
    pub const fn queue(self) -> &'static str {
        match self {
            UnitKind::Player => "_player_queue",
            UnitKind::Outstream => "_outstream_queue",
        }
    }
}

named! {
    /// An action of the user on an ad, apart from clicks and the player's controls. Rules ADX-19,
    /// ADX-22.
    Interaction {
        Accept "acceptInvitation" "Accepts the ad's invitation.",
        Other "otherAdInteraction" "Any interaction without a name of its own.",
        CustomClick "customClick" "A click that the ad handles itself.",
        Expand "adExpand" "Makes an overlay larger.",
        Collapse "adCollapse" "Returns an expanded overlay to its former size.",
        Minimize "minimize" "Reduces an overlay to a small control that opens it again.",
    }
}

/// A point of the player, in pixels from its upper left corner. Rule MAC-7.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClickAt {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
}

/// An action of the user, which is always a gesture too. Rules ENV-1, ENV-2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A touch or click that does nothing else: it lets script start playback. Rule PLAY-16.
    Gesture,
    /// The play button.
    Play,
    /// The pause button.
    Pause,
    /// A click on the content, ad or overlay on screen. Rules CLICK-1 to CLICK-4, MAC-7.
    Click(Option<ClickAt>),
    /// The skip button of an ad. Rules BRK-13, BRK-14.
    Skip,
    /// The close button of an overlay, or else of a sticky player. Rules OVL-5, STICK-1.
    Close,
    /// The button for the next item.
    Next,
    /// The button for the previous item.
    Previous,
    /// The button that turns sound off.
    Mute,
    /// The button that turns sound on.
    Unmute,
    /// The fullscreen button. Rule FS-4.
    Fullscreen,
    /// A click on the icon of this program. Rules ADX-10, ADX-11.
    Icon(Text),
    /// A click on the companion in this slot of the page. Rule ADX-16.
    Companion(Text),
    /// An interaction with the ad on screen. Rules ADX-19, ADX-22.
    Interact(Interaction),
    /// A drag on the timeline, in seconds.
    Seek(Value),
    /// A drag on the volume, 0 to 1.
    Volume(Value),
}

/// The value that an action of the user carries.
pub enum Carried<'a> {
    /// No value.
    Nothing,
    /// A value of page code.
    Value(&'a Value),
    /// A name, and its key in traces.
    Name(&'static str, &'a Text),
    /// An interaction with an ad.
    Interaction(Interaction),
    /// The position of a click.
    Point(ClickAt),
}

impl Act {
    /// The actions without a value.
    pub const PLAIN: &[Act] = &[
        Act::Gesture,
        Act::Play,
        Act::Pause,
        Act::Click(None),
        Act::Skip,
        Act::Close,
        Act::Next,
        Act::Previous,
        Act::Mute,
        Act::Unmute,
        Act::Fullscreen,
    ];

    /// The name in scenarios and traces.
    #[must_use]
    pub const fn name(&self) -> UserLine {
        match self {
            Act::Gesture => UserLine::Gesture,
            Act::Play => UserLine::Play,
            Act::Pause => UserLine::Pause,
            Act::Click(_) => UserLine::Click,
            Act::Skip => UserLine::Skip,
            Act::Close => UserLine::Close,
            Act::Next => UserLine::Next,
            Act::Previous => UserLine::Previous,
            Act::Mute => UserLine::Mute,
            Act::Unmute => UserLine::Unmute,
            Act::Fullscreen => UserLine::Fullscreen,
            Act::Seek(_) => UserLine::Seek,
            Act::Volume(_) => UserLine::Volume,
            Act::Icon(_) => UserLine::Icon,
            Act::Companion(_) => UserLine::Companion,
            Act::Interact(_) => UserLine::Interact,
        }
    }

    /// Returns the value that it carries.
    pub fn carried(&self) -> Carried<'_> {
        match self {
            Act::Seek(to) | Act::Volume(to) => Carried::Value(to),
            Act::Icon(program) => Carried::Name("program", program),
            Act::Companion(slot) => Carried::Name("slot", slot),
            Act::Interact(what) => Carried::Interaction(*what),
            Act::Click(Some(at)) => Carried::Point(*at),
            Act::Gesture
            | Act::Play
            | Act::Pause
            | Act::Click(None)
            | Act::Skip
            | Act::Close
            | Act::Next
            | Act::Previous
            | Act::Mute
            | Act::Unmute
            | Act::Fullscreen => Carried::Nothing,
        }
    }

    /// Returns the value that it carries, for traces.
    #[must_use]
    pub fn data(&self) -> Fields {
        match self.carried() {
            Carried::Nothing => Fields::NONE,
            Carried::Value(to) => Fields::one("to", to.clone()),
            Carried::Name(key, name) => Fields::one(key, name.clone()),
            Carried::Interaction(what) => Fields::one("what", what.name()),
            Carried::Point(at) => Fields::one("x", at.x).with("y", at.y),
        }
    }
}

/// A change of the page that a player notices. Rule ENV-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageChange {
    /// How much of the player is in view, in percent from 0 to 100. Rule VIEW-2.
    InView(Decimal),
    /// The new size of the window, in pixels. Rule SIZE-3.
    Window(u32, u32),
    /// Scrolling made the player sticky, or ended that. Rules STICK-1 to STICK-3.
    Sticky(bool),
    /// The browser leaves fullscreen, as with the escape key, or enters it. Rules FS-4, FS-6.
    Fullscreen(bool),
    /// The page is hidden, or shown again. Rule ENV-4.
    Hidden(bool),
    /// The new rate of the media element. Rule MEL-22.
    Rate(Decimal),
}

impl PageChange {
    /// The name in scenarios and traces.
    #[must_use]
    pub const fn name(&self) -> PageLine {
        match self {
            PageChange::InView(_) => PageLine::InView,
            PageChange::Window(..) => PageLine::Window,
            PageChange::Sticky(_) => PageLine::Sticky,
            PageChange::Fullscreen(_) => PageLine::Fullscreen,
            PageChange::Hidden(_) => PageLine::Hidden,
            PageChange::Rate(_) => PageLine::Rate,
        }
    }

    /// Its data, for traces.
    #[must_use]
    pub fn data(&self) -> Fields {
        match *self {
            PageChange::InView(percent) => Fields::one("percent", percent),
            PageChange::Window(width, height) => Fields::one("width", width).with("height", height),
            PageChange::Sticky(sticky) => Fields::one("sticky", sticky),
            PageChange::Fullscreen(fullscreen) => Fields::one("fullscreen", fullscreen),
            PageChange::Hidden(hidden) => Fields::one("hidden", hidden),
            PageChange::Rate(rate) => Fields::one("rate", rate),
        }
    }
}

named! {
    /// Actions of the user. Rule ENV-2.
    UserLine {
        Gesture "gesture" "A touch or click that does nothing else.",
        Play "play" "The play button.",
        Pause "pause" "The pause button.",
        Click "click" "A click on what is on screen.",
        Skip "skip" "The skip button of an ad.",
        Close "close" "The close button.",
        Next "next" "The button for the next item.",
        Previous "previous" "The button for the previous item.",
        Mute "mute" "The button that turns sound off.",
        Unmute "unmute" "The button that turns sound on.",
        Fullscreen "fullscreen" "The fullscreen button.",
        Seek "seek" "A drag on the timeline.",
        Volume "volume" "A drag on the volume.",
        Icon "icon" "A click on an icon.",
        Companion "companion" "A click on a companion.",
        Interact "interact" "Something else that is done with an ad.",
    }

    /// Changes of the page around the players. Rule ENV-1.
    PageLine {
        InView "in_view" "Another part of the player is in view.",
        Window "window" "The window has another size.",
        Sticky "sticky" "The player becomes sticky, or stops being sticky.",
        Fullscreen "fullscreen" "The browser enters or leaves fullscreen.",
        Hidden "hidden" "The page is hidden, or shown again.",
        Rate "rate" "The playback rate changes.",
        Script "script" "The script of the players or of the outstream units arrives.",
        Container "container" "The page puts an element in place that can hold a player.",
    }
}

/// A call that fails in the host language. It is traced, and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {text}")]
pub struct ApiError {
    /// Which kind of failure it is.
    pub code: Code,
    /// The value that was found, and the expected ones.
    pub text: Text,
    /// The rule that decided.
    pub rule: RuleId,
}
