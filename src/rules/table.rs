//! The families of rules, in the order in which they are printed.

use super::{Basis, Built, Row};

mod ad;
mod adx;
mod brk;
mod ch;
mod chn;
mod click;
mod clk;
mod con;
mod cue;
mod destroy;
mod dur;
mod edit;
mod end;
mod env;
mod err;
mod ev;
mod evt;
mod fs;
mod ga;
mod gap;
mod init;
mod inv;
mod last;
mod live;
mod load;
mod lpl;
mod mac;
mod mel;
mod meta;
mod mute;
mod nm;
mod out;
mod ovl;
mod pa;
mod pause;
mod pl;
mod play;
mod post;
mod prd;
mod pre;
mod push;
mod qual;
mod queue;
mod ready;
mod req;
mod sched;
mod sel;
mod simid;
mod size;
mod skin;
mod src;
mod srcq;
mod stick;
mod stop;
mod time;
mod trace;
mod view;
mod vmap;
mod vol;
mod vpaid;
mod vx;

macro_rules! families {
    ($($name:ident $module:ident $title:literal,)*) => {
        /// A family of rules: the first part of an ID.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Family {
            $(
                #[doc = $title]
                $name,
            )*
        }

        const FAMILIES: &[Rows] = &[
            $(Rows { id: Family::$name, name: stringify!($name), title: $title, packed: pack(stringify!($name)), rows: $module::ROWS },)*
        ];
    };
}

families! {
    CLK clk "time and order",
    LOAD load "scripts of the page",
    QUEUE queue "queue arrays",
    INIT init "getting a player",
    READY ready "readiness",
    EVT evt "listeners and dispatch",
    MEL mel "the media element below",
    PLAY play "play",
    PAUSE pause "pause",
    STOP stop "stop",
    END end "the end of an item",
    LAST last "the last second",
    VOL vol "volume",
    MUTE mute "mute",
    TIME time "position and seeking",
    DUR dur "duration",
    CH ch "chapters",
    QUAL qual "renditions",
    SRC src "custom sources",
    LPL lpl "loaded playlists",
    SRCQ srcq "current source",
    META meta "titles and tags",
    PL pl "playlist",
    AD ad "ad objects",
    REQ req "ad requests",
    CHN chn "the chain of documents",
    SEL sel "choosing ads and media",
    BRK brk "the ad break",
    PRE pre "pre-rolls",
    CUE cue "mid-rolls",
    POST post "post-rolls",
    OVL ovl "overlays",
    PA pa "ads on command",
    PUSH push "pre-rolls on command",
    GAP gap "is an ad in progress",
    VX vx "the last VAST document",
    VMAP vmap "breaks that a document schedules",
    SCHED sched "how often ads come",
    MAC mac "macros in addresses",
    ADX adx "what an ad does besides its film",
    PRD prd "what products do otherwise",
    FS fs "fullscreen",
    VIEW view "visibility",
    SKIN skin "skins",
    SIZE size "size",
    STICK stick "sticky players",
    CLICK click "clicks",
    VPAID vpaid "VPAID units",
    SIMID simid "SIMID units",
    GA ga "analytics",
    ENV env "surroundings",
    ERR err "content errors",
    LIVE live "live streams",
    OUT out "outstream units",
    DESTROY destroy "destroying a player",
    EV ev "the 41 events",
    EDIT edit "the edit call",
    CON con "contradictions of the reference",
    INV inv "invariants",
    TRACE trace "the trace",
    NM nm "not modelled, on purpose",
}

/// A family with its rows.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// Which family.
    pub id: Family,
    /// Its name in an ID.
    pub name: &'static str,
    /// What its rules are about.
    pub title: &'static str,
    /// The letters of its name, a byte each, the first one highest.
    pub packed: u64,
    /// Its rows in order.
    pub rows: &'static [Row],
}

const fn pack(name: &str) -> u64 {
    let mut letters = name.as_bytes();
    assert!(letters.len() <= 7, "a family's name has at most seven letters");
    let mut packed = 0;
    while let [letter, rest @ ..] = letters {
        packed = packed << 8 | *letter as u64;
        letters = rest;
    }
    packed
}

/// All families.
#[must_use]
pub const fn families() -> &'static [Rows] {
    FAMILIES
}

const fn stated(number: u8, source: &'static str, gist: &'static str) -> Row {
    Row { number, basis: Basis::Stated, source, gist, knob: "", built: Built::Yes }
}

const fn html(number: u8, source: &'static str, gist: &'static str) -> Row {
    Row { number, basis: Basis::Html, source, gist, knob: "", built: Built::Yes }
}

const fn iab(number: u8, source: &'static str, gist: &'static str) -> Row {
    Row { number, basis: Basis::Iab, source, gist, knob: "", built: Built::Yes }
}

const fn chosen(number: u8, source: &'static str, gist: &'static str) -> Row {
    Row { number, basis: Basis::Chosen, source, gist, knob: "", built: Built::Yes }
}

const fn not_modelled(number: u8, source: &'static str, gist: &'static str) -> Row {
    Row { number, basis: Basis::NotModelled, source, gist, knob: "", built: Built::Yes }
}

impl Row {
    const fn knob(self, knob: &'static str) -> Row {
        Row { knob, ..self }
    }

    const fn waits(self, why: &'static str) -> Row {
        Row { built: Built::No(why), ..self }
    }
}
