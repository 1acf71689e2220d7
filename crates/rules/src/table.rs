//! The families of rules, in the order in which they are printed.

use super::RuleRow;

pub(super) mod breaks;
pub(super) mod clock;
pub(super) mod documents;
pub(super) mod edit;
pub(super) mod element;
pub(super) mod events;
pub(super) mod limits;
pub(super) mod page;
pub(super) mod playback;
pub(super) mod playlist;
pub(super) mod surface;
pub(super) mod trackers;
pub(super) mod units;

/// Declares the rules of one family: a constant for each rule, with its gist as documentation, and
/// the family's rows in order.
macro_rules! rules {
    ($family:ident $($id:ident $basis:ident $source:literal, $gist:literal $(, waits $waits:literal)?;)*) => {
        $(
            #[doc = $gist]
            pub const $id: $crate::RuleId =
                $crate::RuleId::declare($crate::Family::$family, stringify!($family), stringify!($id));
        )*
        pub(super) const $family: &[$crate::RuleRow] = &[$($crate::RuleRow {
            id: $id,
            basis: super::rules!(@basis $basis),
            source: $source,
            gist: $gist,
            built: super::rules!(@built $($waits)?),
        },)*];
    };
    (@basis stated) => { $crate::Basis::Stated };
    (@basis html) => { $crate::Basis::Html };
    (@basis iab) => { $crate::Basis::Iab };
    (@basis chosen) => { $crate::Basis::Chosen };
    (@basis not_modelled) => { $crate::Basis::NotModelled };
    (@built) => { $crate::Built::Yes };
    (@built $waits:literal) => { $crate::Built::No($waits) };
}
use rules;

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
            $(Rows { id: Family::$name, name: stringify!($name), title: $title, packed: pack(stringify!($name)), rows: $module::$name },)*
        ];
    };
}

families! {
    CLK clock "time and order",
    LOAD page "the page's scripts",
    QUEUE page "queue arrays",
    INIT page "creating a player",
    READY page "readiness",
    EVT events "listeners and dispatch",
    MEL element "the underlying media element",
    PLAY playback "play",
    PAUSE playback "pause",
    STOP playback "stop",
    END playback "the end of an item",
    LAST playback "the last second",
    VOL playback "volume",
    MUTE playback "mute",
    TIME playback "position and seeking",
    DUR playback "duration",
    CH playback "chapters",
    QUAL playback "renditions",
    SRC playlist "custom sources",
    LPL playlist "loaded playlists",
    SRCQ playlist "current source",
    META playlist "titles and tags",
    PL playlist "playlist",
    AD breaks "ad objects",
    REQ breaks "ad requests",
    CHN documents "the chain of documents",
    SEL documents "choosing ads and media",
    BRK breaks "the ad break",
    PRE breaks "pre-rolls",
    CUE breaks "mid-rolls",
    POST breaks "post-rolls",
    OVL breaks "overlays",
    PA breaks "ads on command",
    PUSH breaks "pre-rolls on command",
    GAP breaks "is an ad in progress",
    VX breaks "the last VAST document",
    VMAP documents "breaks scheduled by a document",
    SCHED breaks "how often ads appear",
    MAC documents "macros in URLs",
    ADX documents "what an ad has besides its video",
    PRD documents "where products differ",
    FS surface "fullscreen",
    VIEW surface "visibility",
    SKIN surface "skins",
    SIZE surface "size",
    STICK surface "sticky players",
    CLICK surface "clicks",
    VPAID units "VPAID units",
    SIMID units "SIMID units",
    GA surface "analytics",
    ENV page "the environment",
    ERR element "content errors",
    LIVE element "live streams",
    OUT surface "outstream units",
    DESTROY surface "destroying a player",
    EV events "the documented events",
    EDIT edit "the edit call",
    CON limits "contradictions in the reference",
    INV clock "invariants",
    TRACE clock "the trace",
    TRK trackers "trackers, as ad servers see them",
    SCR trackers "what is on screen",
    NM limits "not modelled, on purpose",
}

/// A family with its rows.
#[derive(Debug, Clone, Copy)]
pub struct Rows {
    /// The family.
    pub id: Family,
    /// Its name in an ID.
    pub name: &'static str,
    /// The subject of its rules.
    pub title: &'static str,
    /// The letters of its name, a byte each, the first one highest.
    pub packed: u64,
    /// Its rows, in order.
    pub rows: &'static [RuleRow],
}

const fn pack(name: &str) -> u64 {
    let mut letters = name.as_bytes();
    assert!(
        letters.len() <= 7,
        "a family's name has at most seven letters"
    );
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
