//! The names of trace lines, one table for each kind, and the parts of a line.
//!
//! A line is written with a name of these tables and read back as one: [`LineName::from_name`]
//! turns kind and name of a record into it. Calls, getters and events have tables of their own.
//! Some kinds take their names from elsewhere: listeners and analytics from page code, beacons from
//! ad documents, edits from the routes of the service. Names outside the tables are allowed: a
//! trace that was recorded elsewhere may contain any.
//!
//! Rules: TRACE-1, TRACE-2.

use super::command::{Call, PageLine, Query, UserLine};
use super::event::EventName;
use playsim_base::code::Code;
use playsim_base::named::named;
use playsim_base::value::{Fields, Text, Value};

named! {
    /// The kinds of trace lines. Rule TRACE-2.
    Kind {
        Header "header" "The first line.",
        Call "call" "A call by page code.",
        User "user" "An action of the user.",
        Page "page" "A change of the page.",
        Event "event" "A documented event.",
        Listener "listener" "A listener that makes a call or throws.",
        State "state" "A change of the player's state.",
        Media "media" "An event of the media element that page code does not see.",
        Ui "ui" "Changes that the user would see.",
        Ad "ad" "A decision about ads.",
        Break "break" "The beginning or end of an ad break.",
        Net "net" "A request or its result.",
        Beacon "beacon" "A request to a tracking URL.",
        Diag "diag" "A diagnostic.",
        Analytics "analytics" "A custom analytics event.",
        Measurement "measurement" "Audience measurement.",
        Edit "edit" "An edit of a video's record.",
        Outcome "outcome" "The last line.",
        Native "native" "An event of another player, under its own name.",
    }

    /// The name of the first line. Rule TRACE-6.
    HeaderLine {
        Trace "playsim-trace" "The version of the format, the settings and the scenario.",
        Recording "recording" "The version of the format, the player that was recorded, and what could be heard of it.",
    }

    /// Calls that create something, before there is a player to call. Rules INIT-1, QUEUE-1, MEL-2.
    MakingLine {
        Player "$player" "The initialiser.",
        PlayerEntry "_player_queue.push" "An entry of the queue array of players.",
        OutstreamEntry "_outstream_queue.push" "An entry of the queue array of outstream units.",
        Element "element" "A bare media element is made.",
    }

    /// The states of a player. Rule INIT-9.
    StateLine {
        Created "created" "It is not ready yet.",
        Initial "initial" "It is ready, and nothing has played.",
        AdLoading "ad-loading" "Content is held for a break that loads.",
        AdPlaying "ad-playing" "An ad plays.",
        AdPaused "ad-paused" "An ad is paused.",
        Playing "playing" "Content plays.",
        Buffering "buffering" "Content waits for data.",
        Paused "paused" "Content is paused.",
        Ended "ended" "Content is over.",
        Failed "failed" "Content has failed.",
        Destroyed "destroyed" "The player is gone.",
    }

    /// Lines of the media element other than its events, which page code receives only on demand.
    MediaLine {
        PlayResolved "play-resolved" "A promise that `play()` returned is fulfilled. Rule PLAY-3.",
        PlayRejected "play-rejected" "A promise that `play()` returned is rejected. Rule PLAY-3.",
        Chapter "chapter" "Another chapter begins. Rule CH-8.",
        Replaced "replaced" "The content was replaced. Rule SRC-12.",
        Audible "audible" "A VPAID ad is heard until mute reaches it. Rule MUTE-6.",
    }

    /// Changes that the user would see.
    UiLine {
        ActivationEnd "activation-end" "The transient activation of the page ends. Rule PLAY-23.",
        Companion "companion" "A companion in its place on the page. Rule ADX-15.",
        EndCard "end-card" "An end card after the ad's video. Rule ADX-17.",
        Gone "gone" "A film that is no longer on screen. Only in recordings.",
        Icon "icon" "An icon over the ad. Rule ADX-9.",
        IconFallback "icon-fallback" "The image that a click on an icon opens. Rule ADX-11.",
        Navigate "navigate" "Another page opens. Rule CLICK-1.",
        Overlay "overlay" "An overlay over the content. Rule OVL-2.",
        Poster "poster" "The picture before the content.",
        Shown "shown" "A film that is now on screen. Only in recordings.",
        Skin "skin" "The look of the player. Rule SKIN-1.",
        Unit "unit" "An outstream unit. Rule OUT-3.",
    }

    /// Decisions about ads, and what ads and their units do.
    AdLine {
        About "about" "Who sells the ad, and what it is about. Rule ADX-26.",
        Bid "bid" "A header bid comes first. Rule REQ-13.",
        CategoryTold "category-told" "A blocked category is reported. Rule PRD-7.",
        Click "click" "A click that does not open a page. Rule CLICK-4.",
        CompanionUnshown "companion-unshown" "A companion cannot be shown. Rule ADX-14.",
        Cut "cut" "An ad that is left out or cut short by the break's length. Rules SEL-4, SEL-15.",
        DocumentInside "document-inside" "A document inside a VMAP break. Rule VMAP-10.",
        DropBreak "drop-break" "A scheduled break is dropped. Rule VMAP-19.",
        Failed "failed" "The ad on screen fails. Rule BRK-20.",
        Fallback "fallback" "Another ad of the document takes the place of one that failed. Rule SEL-3.",
        Fill "fill" "An ad is ready to be shown. Rule BRK-7.",
        Hold "hold" "An ad waits, for play is not wanted any more. Rule VPAID-18.",
        Ignore "ignore" "An ad of the document is not considered. Rule SEL-1.",
        LeaveOutBreak "leave-out-break" "A break of a VMAP document is not scheduled. Rule VMAP-4.",
        LoopOver "loop-over" "The ad loop has reached its end.",
        NoFill "no-fill" "A tag has given no ad. Rule REQ-3.",
        NoReplace "no-replace" "No other ad may take the place of one that failed.",
        NotCalled "not-called" "A tracker that the product does not call. Rules PRD-14 to PRD-16.",
        NoBreak "no-break" "Content is held for a break that does not come. Rule PRD-32.",
        NotItsTurn "not-its-turn" "The video has no turn to show ads. Rule SCHED-4.",
        NotMonetized "not-monetized" "The video shows no ads. Rule REQ-14.",
        NotUsed "not-used" "An ad that was not shown. Rule SEL-5.",
        PassPreRoll "pass-pre-roll" "The pre-roll is passed over. Rule PRD-9.",
        Playing "playing" "The ad's video goes on after a stall. Rule BRK-20.",
        Reject "reject" "An ad cannot be used. Rule REQ-5.",
        RejectInteractive "reject-interactive" "The ad plays without its interactive file. Rule SIMID-3.",
        Replace "replace" "A stand-alone ad takes the place of one that failed. Rule SEL-2.",
        Retry "retry" "A document is requested again. Rule PRD-25.",
        Schedule "schedule" "The response is a VMAP document. Rule VMAP-1.",
        ScheduleOver "schedule-over" "A schedule is over with the item. Rule VMAP-21.",
        Seek "seek" "The position of an ad is moved. Rules TIME-6, PRD-23.",
        SelectCaptions "select-captions" "The captions of the ad. Rule ADX-25.",
        SelectCompanions "select-companions" "The companions of the ad. Rule ADX-12.",
        SelectDisplay "select-display" "The display ad of the document. Rule VMAP-20.",
        SelectIcons "select-icons" "The icons of the ad. Rule ADX-8.",
        SelectInteractive "select-interactive" "The interactive file of the ad. Rule SIMID-2.",
        SelectMedia "select-media" "The media file of the ad. Rule SEL-7.",
        SelectOverlay "select-overlay" "The overlay of the document. Rule OVL-1.",
        Simid "simid" "A message between the player and a SIMID unit. Rule SIMID-3.",
        Verification "verification" "A verification script runs, or cannot. Rule ADX-1.",
        Viewability "viewability" "Whether the ad was in view for long enough. Rule ADX-4.",
        Vpaid "vpaid" "A call to a VPAID unit, or an event of it. Rule VPAID-1.",
        WaitBreak "wait-break" "A scheduled break waits for space. Rule VMAP-20.",
        Waiting "waiting" "The ad's video has run out of data. Rule BRK-20.",
        Warning "warning" "Something in a document that was tolerated.",
        Waterfall "waterfall" "An ad object changes the tags of a break. Rule AD-16.",
    }

    /// The course of an ad break. Rule BRK-23.
    BreakLine {
        Begin "begin" "It begins.",
        Turn "turn" "It turns into another kind of break. Rule VMAP-7.",
        End "end" "It ends.",
    }

    /// The kind of a break, as in the data `kind` of its lines. Rule BRK-23.
    BreakKind {
        Pre "pre" "Before an item.",
        Mid "mid" "Within an item.",
        Post "post" "After an item.",
        Command "command" "On command.",
        Overlay "overlay" "Over an item.",
        Display "display" "Next to the player. Rule VMAP-20.",
    }

    /// Requests and their results.
    NetLine {
        Request "request" "A request is sent.",
        Redirect "redirect" "The server redirects it. Rule CHN-4.",
        Response "response" "The server responds. Rule REQ-17.",
        Failed "failed" "There will be no response.",
        Timeout "timeout" "The player waits no longer. Rule REQ-7.",
        Late "late" "A response after the timeout. Rule REQ-10.",
        Dropped "dropped" "A response to a request that was called off. Rule STOP-3.",
    }

    /// The beacons that reports look for. All others have the names that their documents give them.
    BeaconLine {
        Error "error" "An error URL. Rule REQ-5.",
    }

    /// Audience measurement.
    MeasurementLine {
        Start "start" "An item starts. Rule EDIT-60.",
    }

    /// How a run ends. Rule CLK-7.
    Outcome {
        Idle "idle" "Nothing more will happen.",
        Until "until" "The scenario's end is reached.",
        Limit "limit" "A limit is reached.",
        Livelock "livelock" "Too much happens in one second of simulated time.",
    }
}

impl Kind {
    /// Whether lines of this kind are actions of a step of the scenario or of page code.
    #[must_use]
    pub const fn is_act(self) -> bool {
        matches!(self, Kind::Call | Kind::User | Kind::Page | Kind::Edit)
    }

    /// Whether it is the first or the last line.
    #[must_use]
    pub const fn is_frame(self) -> bool {
        matches!(self, Kind::Header | Kind::Outcome)
    }
}

/// Makes one enum of all the tables, with the kind of each.
macro_rules! line_names {
    ($($kind:ident $variant:ident($table:ident),)*) => {
        /// A name that a table has, with the kind of line it names.
        ///
        /// Names of calls that are getters too are read as [`LineName::Call`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum LineName {
            $(
                #[doc = concat!("A line of kind `Kind::", stringify!($kind), "`.")]
                $variant($table),
            )*
        }

        impl LineName {
            /// The kind of line that it names.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self {
                    $(LineName::$variant(_) => Kind::$kind,)*
                }
            }

            /// The exact name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(LineName::$variant(name) => name.name(),)*
                }
            }

            /// Its variant as in code: `AdLine::NoFill`.
            #[must_use]
            pub fn variant(self) -> String {
                match self {
                    $(LineName::$variant(name) => format!("{}::{name:?}", stringify!($table)),)*
                }
            }

            /// Its description, a sentence.
            #[must_use]
            pub const fn gist(self) -> &'static str {
                match self {
                    $(LineName::$variant(name) => name.gist(),)*
                }
            }

            /// All of them: kind by kind, in the order of their tables.
            pub fn all() -> impl Iterator<Item = LineName> {
                let none: [LineName; 0] = [];
                none.into_iter()$(.chain($table::ALL.iter().map(|name| LineName::$variant(*name))))*
            }

            /// The name of a line of this kind; `None` if no table has it.
            #[must_use]
            pub fn from_name(kind: Kind, name: &str) -> Option<LineName> {
                $(
                    if kind == Kind::$kind && let Some(name) = $table::from_name(name) {
                        return Some(LineName::$variant(name));
                    }
                )*
                None
            }
        }

        line_names!(@from $($variant($table))*);
    };
    (@from $($variant:ident($table:ident))*) => {
        $(line_names!(@one $variant $table);)*
    };
    // An event may name two kinds of line.
    (@one MediaEvent $table:ident) => {};
    (@one $variant:ident $table:ident) => {
        impl From<$table> for LineName {
            fn from(name: $table) -> LineName {
                LineName::$variant(name)
            }
        }
    };
}

line_names! {
    Header Header(HeaderLine),
    Call Call(Call),
    Call Query(Query),
    Call Making(MakingLine),
    User User(UserLine),
    Page Page(PageLine),
    Event Event(EventName),
    State State(StateLine),
    Media Media(MediaLine),
    Media MediaEvent(EventName),
    Ui Ui(UiLine),
    Ad Ad(AdLine),
    Break Break(BreakLine),
    Net Net(NetLine),
    Beacon Beacon(BeaconLine),
    Diag Diag(Code),
    Measurement Measurement(MeasurementLine),
    Outcome Outcome(Outcome),
}

/// A trace line as it is written: a decision, a diagnostic, a beacon, a change of state.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Line {
    kind: Kind,
    name: Text,
    data: Fields,
}

impl Line {
    /// A line with a name of the tables.
    #[must_use]
    pub fn new(name: impl Into<LineName>, data: Fields) -> Line {
        let name = name.into();
        Line {
            kind: name.kind(),
            name: Text::Static(name.name()),
            data,
        }
    }

    /// A listener runs that was bound to `heard`, an event or `onReady`.
    #[must_use]
    pub fn listener(heard: &'static str, data: Fields) -> Line {
        Line {
            kind: Kind::Listener,
            name: heard.into(),
            data,
        }
    }

    /// A tracking URL of this name is called. Ad documents name them.
    #[must_use]
    pub fn beacon(name: impl Into<Text>, data: Fields) -> Line {
        Line {
            kind: Kind::Beacon,
            name: name.into(),
            data,
        }
    }

    /// Page code sends an analytics event of this category.
    #[must_use]
    pub fn analytics(category: Text, data: Fields) -> Line {
        Line {
            kind: Kind::Analytics,
            name: category,
            data,
        }
    }

    /// An edit call by this route of the service.
    #[must_use]
    pub fn edit(route: &'static str, data: Fields) -> Line {
        Line {
            kind: Kind::Edit,
            name: route.into(),
            data,
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its name within the kind.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its data.
    #[must_use]
    pub fn data(&self) -> &Fields {
        &self.data
    }

    /// Adds to its data.
    pub fn push(&mut self, key: impl Into<Text>, value: impl Into<Value>) {
        self.data.push(key, value);
    }

    /// Kind, name and data.
    #[must_use]
    pub fn into_parts(self) -> (Kind, Text, Fields) {
        (self.kind, self.name, self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_parsed_and_printed() {
        assert_eq!("adStart".parse(), Ok(EventName::AdStart));
        assert_eq!(format!("{:>8}", EventName::AdStart), " adStart");
        let error = "adStrat".parse::<EventName>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown name \"adStrat\"; did you mean \"adStart\"?"
        );
    }

    #[test]
    fn a_name_is_read_back_as_it_was_written() {
        let names = AdLine::ALL.iter().map(|name| LineName::from(*name));
        let names = names.chain(UiLine::ALL.iter().map(|name| LineName::from(*name)));
        let names = names.chain(EventName::ALL.iter().map(|name| LineName::from(*name)));
        let names = names.chain(
            EventName::ALL
                .iter()
                .map(|name| LineName::MediaEvent(*name)),
        );
        let names = names.chain(MediaLine::ALL.iter().map(|name| LineName::from(*name)));
        let names = names.chain(MakingLine::ALL.iter().map(|name| LineName::from(*name)));
        for name in names.chain(Call::ALL.iter().map(|name| LineName::from(*name))) {
            assert_eq!(LineName::from_name(name.kind(), name.name()), Some(name));
        }
        let getter = LineName::from(Query::LastVastXml);
        assert_eq!(LineName::from_name(Kind::Call, getter.name()), Some(getter));
        assert_eq!(
            LineName::from_name(Kind::Call, "volume"),
            Some(LineName::Call(Call::Volume))
        );
        assert_eq!(LineName::from_name(Kind::Ad, "from elsewhere"), None);
        assert_eq!(LineName::from_name(Kind::Beacon, "impression"), None);
    }
}
