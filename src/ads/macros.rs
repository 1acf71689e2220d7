//! Macros in addresses: `[CACHEBUSTING]` and its like.
//!
//! A name that stands in the table is replaced, whatever else is in the brackets stays as written. A known
//! name whose value is not known here becomes `-1`, one that the page withholds `-2`. Values come from the
//! virtual clock, a seed, the page, the player and the ad at hand, and are percent-encoded; items of a list
//! stand between commas that are not. An address without a macro is handed on without a copy.
//!
//! The table is `standard`, what stands for a macro is `value`, what ad tags alone may ask is `tag_facts`.
//!
//! Rules: MAC-1 to MAC-7, CLK-8, CLK-10, EDIT-58; VAST 4.3 section 6.

use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::BreakKind;
use super::tracking::Hop;
use crate::api::ClickAt;
use crate::knobs::{Knobs, MacroSet, MacroSpelling};
use crate::page::{AdTerms, MacroValue, Page};
use crate::time::{Position, Span, Time};
use crate::video::Video;

mod standard;
mod tag_facts;
mod value;

use standard::{Row, STANDARD, Source};
pub use standard::{given_by_pages, is_standard};
use tag_facts::Fact;

/// Where values that no document holds come from: the calendar, chance, the page and the player.
#[derive(Debug, Clone)]
pub struct Macros {
    epoch_micros: i64,
    chance: Xoshiro256PlusPlus,
    /// What the ids of breaks are made of.
    stream: u64,
    /// How many breaks have been opened.
    breaks: u64,
    /// What the page says. Rule MAC-5.
    given: Vec<(Arc<str>, MacroValue)>,
    spelling: MacroSpelling,
    /// Whether ad tags may ask more than the standard has. Knob `macros`.
    tags_ask_more: bool,
    /// How things stand with the player.
    player: PlayerFacts,
    /// The break that asks.
    at_break: BreakFacts,
}

/// What addresses may ask of the player, as it is at the moment. Rules MAC-4, EDIT-58.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, true or not")]
pub struct PlayerFacts {
    /// Whether it is an outstream unit.
    pub is_outstream: bool,
    /// The id of the video's record.
    pub video_id: Option<Arc<str>>,
    /// The record.
    pub video: Option<Arc<Video>>,
    /// The content's length, if it is known and has an end.
    pub duration: Option<Span>,
    /// The address of the content's media.
    pub media: Option<Arc<str>>,
    /// Where the content stands; nothing for a unit without content.
    pub position: Option<Position>,
    /// Whether the player was set up to play by itself.
    pub autoplay: bool,
    /// Whether script may not start playback without a gesture.
    pub needs_gesture: bool,
    /// Whether it may fill the screen.
    pub can_fill_screen: bool,
    /// Width and height of the player in pixels.
    pub size: (u64, u64),
    /// Whether at least half of the player can be seen. Rule VIEW-1.
    pub is_in_view: bool,
    /// Whether the page is hidden. Rule ENV-4.
    pub is_hidden: bool,
    /// Whether it is muted.
    pub is_muted: bool,
    /// Whether it was from the beginning.
    pub began_muted: bool,
    /// Whether it fills the screen.
    pub is_fullscreen: bool,
}

/// What addresses may ask of the break. Rule MAC-4.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BreakFacts {
    /// Which break of the player it is, counted from 1.
    pub number: u64,
    /// How many ads of it have started.
    pub ads_started: u32,
}

/// What is the same for all addresses that are called together.
#[derive(Debug, Clone)]
pub(super) struct Occasion<'a> {
    /// When.
    pub(super) now: Time,
    /// The break.
    pub(super) kind: BreakKind,
    /// What the addresses are for.
    what: Use,
    /// The code that is reported, if one is.
    code: Option<u16>,
    /// What it means, for the trackers of a VMAP break. Rule VMAP-14.
    message: Option<&'static str>,
    /// The ad that is on, if one is.
    ad: Option<AdAtHand<'a>>,
    /// The wrappers passed, for the address of the next document.
    wrappers: &'a [Hop],
    /// Where the person clicked.
    click: Option<ClickAt>,
    /// Why a verification did not run.
    reason: Option<u8>,
}

/// What addresses may ask about the ad that is on.
#[derive(Debug, Clone, Copy)]
pub(super) struct AdAtHand<'a> {
    /// Where it stands.
    pub(super) playhead: Position,
    /// The address of its media, if it has any.
    pub(super) asset: Option<&'a str>,
    /// The ads on the way to it, itself last.
    pub(super) hops: &'a [Hop],
}

/// What an address is for, as far as its macros go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    AdTag,
    Wrapper,
    Tracking,
    Click,
    Error,
    Verification,
}

/// What a name in an address asks for.
#[derive(Debug, Clone, Copy)]
enum Asked<'t> {
    Standard(&'static Row),
    /// The spellings of real tags for two of them. Rule MAC-3.
    Foreign(Source),
    /// What the code means. Rule VMAP-14.
    Message,
    /// Something that only ad tags may ask.
    Tag(Fact<'t>),
}

/// What the page asks of ads, as macros say it. Lengths are in whole seconds. Rule MAC-5.
fn wanted(terms: &AdTerms, knobs: &Knobs) -> [(&'static str, Vec<Arc<str>>); 5] {
    let seconds = |length: Option<Span>| {
        let seconds = |length: Span| Arc::from((length.micros() / 1_000_000).to_string());
        length.map(seconds).into_iter().collect()
    };
    let types = terms.plays.iter().flatten().map(|media| Arc::clone(&media.mime));
    [
        ("MEDIAMIME", types.collect()),
        ("BLOCKEDADCATEGORIES", terms.blocked.iter().map(|blocked| Arc::clone(&blocked.category)).collect()),
        ("BREAKMINADLENGTH", seconds(terms.shortest)),
        ("BREAKMAXADLENGTH", seconds(terms.longest)),
        ("BREAKMAXDURATION", seconds(knobs.break_max_duration.length())),
    ]
}

/// Spellings that are none of the standard, and occur. Rule MAC-3.
const FOREIGN: &[(&str, Source)] =
    &[("RANDOM", Source::Cachebuster), ("random", Source::Cachebuster), ("errorcode", Source::ErrorCode)];

/// How a macro is marked: the standard's way, and two that real tags use. Rule MAC-3.
const DELIMITERS: &[(&str, &str)] = &[("[", "]"), ("%%", "%%"), ("${", "}")];

impl Asked<'_> {
    /// Whether chance has the value.
    const fn is_drawn(&self) -> bool {
        match self {
            Asked::Standard(Row { source, .. }) | Asked::Foreign(source) => {
                matches!(source, Source::Cachebuster)
            }
            Asked::Tag(_) | Asked::Message => false,
        }
    }
}

impl<'a> Occasion<'a> {
    /// An occasion in a break: trackers are called.
    pub(super) fn new(now: Time, kind: BreakKind) -> Occasion<'a> {
        let what = Use::Tracking;
        Occasion {
            now,
            kind,
            what,
            code: None,
            message: None,
            ad: None,
            wrappers: &[],
            click: None,
            reason: None,
        }
    }

    /// The same while this ad is on.
    pub(super) fn with_ad(mut self, ad: AdAtHand<'a>) -> Occasion<'a> {
        self.ad = Some(ad);
        self
    }

    /// The same when this code is reported.
    pub(super) fn with_code(mut self, code: u16) -> Occasion<'a> {
        (self.what, self.code) = (Use::Error, Some(code));
        self
    }

    /// The same when this is what the code means: a tracker of a VMAP break may ask. Rule VMAP-14.
    pub(super) fn with_message(mut self, message: &'static str) -> Occasion<'a> {
        self.message = Some(message);
        self
    }

    /// The same when the document behind these wrappers is asked for.
    pub(super) fn behind(mut self, wrappers: &'a [Hop]) -> Occasion<'a> {
        (self.what, self.wrappers) = (Use::Wrapper, wrappers);
        self
    }

    /// The same when the person has clicked, there if that is known.
    pub(super) fn with_click(mut self, at: Option<ClickAt>) -> Occasion<'a> {
        (self.what, self.click) = (Use::Click, at);
        self
    }

    /// The same when a verification did not run, for this reason.
    pub(super) fn with_reason(mut self, reason: u8) -> Occasion<'a> {
        (self.what, self.reason) = (Use::Verification, Some(reason));
        self
    }
}

impl Macros {
    /// Macros of the player of this name, in a run with this seed whose time 0 is this calendar instant.
    ///
    /// Rules CLK-8, CLK-10.
    #[must_use]
    pub fn new(player: &str, seed: u64, epoch_micros: i64) -> Macros {
        // A stream of its own: another player or use of chance does not shift this one. CLK-8
        let source = format!("macros.cachebusting/{player}");
        let stream = xxhash_rust::xxh3::xxh3_64_with_seed(source.as_bytes(), seed);
        Macros {
            epoch_micros,
            chance: Xoshiro256PlusPlus::seed_from_u64(stream),
            stream,
            breaks: 0,
            given: Vec::new(),
            spelling: MacroSpelling::Lenient,
            tags_ask_more: false,
            player: PlayerFacts::default(),
            at_break: BreakFacts::default(),
        }
    }

    /// The same on this page, read as these knobs say. Rules MAC-3, MAC-5.
    #[must_use]
    pub fn on(mut self, page: &Page, knobs: &Knobs) -> Macros {
        self.given.clone_from(&page.macros);
        for (name, items) in wanted(&page.ads, knobs) {
            if !items.is_empty() && !self.given.iter().any(|(known, _)| **known == *name) {
                self.given.push((name.into(), MacroValue::Items(items)));
            }
        }
        self.spelling = knobs.macro_spelling;
        self.tags_ask_more = knobs.macros == MacroSet::Obs;
        self
    }

    /// How things stand from here on.
    pub fn note(&mut self, player: PlayerFacts, at_break: BreakFacts) {
        (self.player, self.at_break) = (player, at_break);
    }

    /// Whether the person can see the player at the moment. Rule ADX-4.
    pub(super) fn is_seen(&self) -> bool {
        self.player.is_in_view && !self.player.is_hidden
    }

    /// A break opens. Gives what may be asked of it.
    pub fn open_break(&mut self) -> BreakFacts {
        self.breaks += 1;
        self.at_break = BreakFacts { number: self.breaks, ads_started: 0 };
        self.at_break
    }

    /// An ad of the break starts.
    pub(super) fn count_ad(&mut self, facts: &mut BreakFacts) {
        facts.ads_started = facts.ads_started.saturating_add(1);
        self.at_break = *facts;
    }

    /// The address of an ad tag with its macros filled: it may ask more than others. Rule EDIT-58.
    pub(super) fn fill_tag(&mut self, url: &Arc<str>, occasion: &mut Occasion<'_>) -> Arc<str> {
        occasion.what = Use::AdTag;
        self.fill(url, occasion)
    }

    /// The address with its macros filled.
    pub(super) fn fill(&mut self, url: &Arc<str>, occasion: &Occasion<'_>) -> Arc<str> {
        let mut filled: Option<String> = None;
        // One for each address, however often it asks. MAC-2
        let mut cachebuster = None;
        let mut rest: &str = url;
        while let Some(at) = rest.find(['[', '%', '$']) {
            let (before, tail) = rest.split_at(at);
            let Some((asked, behind)) = self.asked(tail, occasion) else {
                let step = at + 1;
                if let Some(text) = &mut filled {
                    text.push_str(&rest[..step]);
                }
                rest = &rest[step..];
                continue;
            };
            let text = filled.get_or_insert_with(|| url[..url.len() - rest.len()].to_owned());
            text.push_str(before);
            if asked.is_drawn() && cachebuster.is_none() {
                cachebuster = Some(self.below(100_000_000));
            }
            self.value(asked, occasion, cachebuster).push_to(text);
            rest = behind;
        }
        match filled {
            None => Arc::clone(url),
            Some(text) => (text + rest).into(),
        }
    }

    /// The known macro that `tail` begins with, and what stands behind it.
    fn asked<'t>(&self, tail: &'t str, occasion: &Occasion<'_>) -> Option<(Asked<'t>, &'t str)> {
        let marks = match self.spelling {
            MacroSpelling::Lenient => DELIMITERS,
            MacroSpelling::Strict => &DELIMITERS[..1],
        };
        marks.iter().find_map(|(open, close)| {
            let (name, behind) = tail.strip_prefix(open)?.split_once(close)?;
            let of_break = || occasion.message.and_then(|_| of_break(name));
            Some((self.named(name, occasion.what).or_else(of_break)?, behind))
        })
    }

    fn named<'t>(&self, name: &'t str, what: Use) -> Option<Asked<'t>> {
        if let Some(row) = STANDARD.iter().find(|row| row.name == name) {
            return Some(Asked::Standard(row));
        }
        let foreign = FOREIGN.iter().find(|(known, _)| *known == name);
        match (foreign, self.spelling) {
            (Some((_, source)), MacroSpelling::Lenient) => Some(Asked::Foreign(*source)),
            (Some(_), MacroSpelling::Strict) => None,
            (None, _) if self.tags_ask_more && what == Use::AdTag => Fact::read(name).map(Asked::Tag),
            (None, _) => None,
        }
    }

    /// An even draw from 0 to below `limit`: the high half of a product, drawn again where it would lean.
    fn below(&mut self, limit: u32) -> u32 {
        let floor = limit.wrapping_neg() % limit;
        loop {
            let product = u64::from(self.chance.next_u32()) * u64::from(limit);
            let [high, low] = [product >> 32, product & u64::from(u32::MAX)];
            if low >= u64::from(floor) {
                return u32::try_from(high).expect("the high half of a product of two halves is a half");
            }
        }
    }
}

/// The names that VMAP has for its trackers. Rule VMAP-14.
fn of_break<'t>(name: &str) -> Option<Asked<'t>> {
    match name {
        "ERROR_CODE" => Some(Asked::Foreign(Source::ErrorCode)),
        "ERROR_MESSAGE" => Some(Asked::Message),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
