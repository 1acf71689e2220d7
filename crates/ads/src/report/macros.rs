//! Macros in URLs, such as `[CACHEBUSTING]`.
//!
//! A known name is replaced; anything else in brackets stays as written. A known name whose value
//! is unknown becomes `-1`, one that the page withholds `-2`. Values come from the virtual clock,
//! the seed, the page, the player and the current ad, and are percent-encoded; the commas between
//! items of a list are not, unless a knob says so. A URL without macros is returned without copying
//! it.
//!
//! The names are in `standard`, their values in `value`, the macros for ad tags only in
//! `tag_facts`.
//!
//! Rules: MAC-1 to MAC-7, PRD-12 to PRD-14, PRD-38, PRD-41, CLK-8, CLK-10, EDIT-58; VAST 4.3
//! section 6.

use std::sync::Arc;

use crate::request::hop::{AdOfHop, Hop, HopIndex};
use playsim_api::page::{AdTerms, MacroValue, Page};
use playsim_api::video::Video;
use playsim_api::{BreakKind, BreakNumber, ClickAt};
use playsim_base::chance::{Chance, stream};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::{KnobReader, MacroSpelling};
use playsim_vast::standard_macros::{Current, MacroSource, Row, STANDARD};

mod readings;
mod tag_facts;
mod value;

pub(crate) use playsim_vast::standard_macros::Use;
use readings::{Fills, Readings};
use tag_facts::Fact;

/// Fills macros; holds the values that do not come from documents: the calendar, randomness, the
/// page, the player.
#[derive(Debug, Clone, Hash)]
pub struct Macros {
    epoch_micros: i64,
    chance: Chance,
    /// The seed of this player's random stream, from which the ids of breaks are derived.
    stream: u64,
    /// The break that was opened last.
    breaks: Option<BreakNumber>,
    /// The values that the page gives. Rule MAC-5.
    given: Vec<(Arc<str>, MacroValue)>,
    readings: Readings,
    /// The current state of the player.
    player: PlayerFacts,
    /// The current break.
    at_break: BreakFacts,
    /// How long after the start of an ad no tag is requested. Rule PRD-41.
    min_interval: Span,
    /// Until when that is, for the ad that started last.
    no_tag_until: Option<Time>,
}

/// The facts about the player for macros, as they are at the moment. Rules MAC-4, EDIT-58.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, true or not"
)]
pub struct PlayerFacts {
    /// Whether it is an outstream unit.
    pub is_outstream: bool,
    /// The id of the video's record.
    pub video_id: Option<Arc<str>>,
    /// The record.
    pub video: Option<Arc<Video>>,
    /// The duration of the content, if it is known and finite.
    pub duration: Option<Span>,
    /// The URL of the content's media.
    pub media: Option<Arc<str>>,
    /// The position in the content; `None` for a unit without content.
    pub position: Option<Position>,
    /// Whether the player was configured to autoplay.
    pub autoplay: bool,
    /// Whether scripts need a user gesture to start playback.
    pub needs_gesture: bool,
    /// Whether it may enter fullscreen.
    pub can_fill_screen: bool,
    /// Width and height of the player in pixels.
    pub size: (u64, u64),
    /// Whether at least half of the player is in view. Rule VIEW-1.
    pub is_in_view: bool,
    /// Whether the page is hidden. Rule ENV-4.
    pub is_hidden: bool,
    /// Whether it is muted.
    pub is_muted: bool,
    /// Whether it was muted when playback began.
    pub began_muted: bool,
    /// Whether it is in fullscreen.
    pub is_fullscreen: bool,
}

/// The facts about a break for macros. Rule MAC-4.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct BreakFacts {
    /// The number of the break in its player; `None` before any.
    pub number: Option<BreakNumber>,
    /// How many ads of the break have started.
    pub ads_started: u32,
}

/// The context that is shared by all URLs that are called together.
#[derive(Debug, Clone)]
pub(crate) struct Occasion<'a> {
    /// The current time.
    pub(crate) now: Time,
    /// The kind of the break.
    pub(crate) kind: BreakKind,
    /// The use of the URLs.
    what: Use,
    /// The error code that is reported, if any.
    code: Option<u16>,
    /// The message of that code, for the trackers of a VMAP break. Rule VMAP-14.
    message: Option<&'static str>,
    /// The current ad, if any.
    ad: Option<CurrentAd<'a>>,
    /// The wrappers passed, for the URL of the next document.
    wrappers: &'a [Hop],
    /// Where the user clicked.
    click: Option<ClickAt>,
    /// Why a verification did not run.
    reason: Option<u8>,
}

/// The facts about the current ad for macros.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CurrentAd<'a> {
    /// The position in the ad.
    pub(crate) playhead: Position,
    /// The URL of its media, if it has any.
    pub(crate) asset: Option<&'a str>,
    /// The wrappers that lead to the ad and the ad itself.
    pub(crate) hops: &'a [Hop],
}

/// The macro that a name in a URL means.
#[derive(Debug, Clone, Copy)]
enum Asked<'t> {
    Standard(&'static Row),
    /// A spelling of a standard macro that occurs in real tags. Rule MAC-3.
    Foreign(MacroSource),
    /// The message of the error code. Rule VMAP-14.
    Message,
    /// A macro that only ad tags may use.
    Tag(Fact<'t>),
}

/// The requirements of the page on ads, as values of macros. Durations are in whole seconds. Rule
/// MAC-5.
fn wanted(terms: &AdTerms, knobs: &KnobReader) -> [(&'static str, Vec<Arc<str>>); 5] {
    let seconds = |length: Option<Span>| {
        let seconds = |length: Span| Arc::from((length.micros() / 1_000_000).to_string());
        length.map(seconds).into_iter().collect()
    };
    let types = terms
        .plays
        .iter()
        .flatten()
        .map(|media| Arc::clone(&media.mime));
    [
        ("MEDIAMIME", types.collect()),
        (
            "BLOCKEDADCATEGORIES",
            terms
                .blocked
                .iter()
                .map(|blocked| Arc::clone(&blocked.category))
                .collect(),
        ),
        ("BREAKMINADLENGTH", seconds(terms.shortest)),
        ("BREAKMAXADLENGTH", seconds(terms.longest)),
        (
            "BREAKMAXDURATION",
            seconds(knobs.break_max_duration().length()),
        ),
    ]
}

/// Spellings that are not in the standard but occur. Rule MAC-3.
const FOREIGN: &[(&str, MacroSource)] = &[
    ("RANDOM", MacroSource::Cachebuster),
    ("random", MacroSource::Cachebuster),
    ("errorcode", MacroSource::Current(Current::ErrorCode)),
];

/// The one macro of a product that knows no other. Rule PRD-38.
const ERROR_CODE: &str = "[ERRORCODE]";

/// The delimiters of macros: the standard's, and two that occur in real tags. Rule MAC-3.
const DELIMITERS: &[(&str, &str)] = &[("[", "]"), ("%%", "%%"), ("${", "}")];

impl Asked<'_> {
    /// Whether the value is drawn at random.
    const fn is_drawn(&self) -> bool {
        match self {
            Asked::Standard(Row { source, .. }) | Asked::Foreign(source) => {
                matches!(source, MacroSource::Cachebuster)
            }
            Asked::Tag(_) | Asked::Message => false,
        }
    }
}

impl<'a> CurrentAd<'a> {
    /// The ad of the hop with this index, for a tracker.
    pub(crate) fn hop(&self, index: HopIndex) -> AdOfHop<'a> {
        self.hops[index.0].ad_at(index)
    }
}

impl<'a> Occasion<'a> {
    /// Creates a context for the trackers of a break.
    pub(crate) fn new(now: Time, kind: BreakKind) -> Occasion<'a> {
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

    /// Adds the current ad.
    pub(crate) fn with_ad(mut self, ad: CurrentAd<'a>) -> Occasion<'a> {
        self.ad = Some(ad);
        self
    }

    /// Adds the error code that is reported.
    pub(crate) fn with_code(mut self, code: u16) -> Occasion<'a> {
        (self.what, self.code) = (Use::Error, Some(code));
        self
    }

    /// Adds the message of the error code, which trackers of a VMAP break may use. Rule VMAP-14.
    pub(crate) fn with_message(mut self, message: &'static str) -> Occasion<'a> {
        self.message = Some(message);
        self
    }

    /// Makes it the context of the request for the document after these wrappers.
    pub(crate) fn after_wrappers(mut self, wrappers: &'a [Hop]) -> Occasion<'a> {
        (self.what, self.wrappers) = (Use::Wrapper, wrappers);
        self
    }

    /// Makes it the context of a click, with its position if that is known.
    pub(crate) fn with_click(mut self, at: Option<ClickAt>) -> Occasion<'a> {
        (self.what, self.click) = (Use::Click, at);
        self
    }

    /// Makes it the context of a verification that did not run, for this reason.
    pub(crate) fn with_reason(mut self, reason: u8) -> Occasion<'a> {
        (self.what, self.reason) = (Use::Verification, Some(reason));
        self
    }
}

impl Macros {
    /// Whether the player is muted.
    pub(crate) fn is_muted(&self) -> bool {
        self.player.is_muted
    }

    /// Creates the macros of the player with this name. Time 0 of the run is this calendar time.
    /// Rules CLK-8, CLK-10.
    #[must_use]
    pub fn new(player: &str, seed: u64, epoch_micros: i64) -> Macros {
        let stream = stream("macros.cachebusting", player, seed);
        Macros {
            epoch_micros,
            chance: Chance::of_stream(stream),
            stream,
            breaks: None,
            given: Vec::new(),
            readings: Readings::of(&KnobReader::default()),
            player: PlayerFacts::default(),
            at_break: BreakFacts::default(),
            min_interval: Span::ZERO,
            no_tag_until: None,
        }
    }

    /// Sets the page and the knobs. Rules MAC-3, MAC-5.
    #[must_use]
    pub fn on(mut self, page: &Page, knobs: &KnobReader) -> Macros {
        self.given.clone_from(&page.macros);
        if let Some(url) = page
            .url
            .as_ref()
            .filter(|_| page.macros.iter().all(|(name, _)| **name != *"PAGEURL"))
        {
            self.given
                .push(("PAGEURL".into(), MacroValue::Items(vec![url.clone()])));
        }
        for (name, items) in wanted(&page.ads, knobs) {
            if !items.is_empty() && !self.given.iter().any(|(known, _)| **known == *name) {
                self.given.push((name.into(), MacroValue::Items(items)));
            }
        }
        self.readings = Readings::of(knobs);
        self.min_interval = knobs.ad_min_interval();
        self
    }

    /// Sets the current state of the player and the current break.
    pub fn note(&mut self, player: PlayerFacts, at_break: BreakFacts) {
        (self.player, self.at_break) = (player, at_break);
    }

    /// Whether the user can currently see the player. Rule ADX-4.
    pub(crate) fn is_seen(&self) -> bool {
        self.player.is_in_view && !self.player.is_hidden
    }

    /// Counts a new break and returns its facts.
    pub fn open_break(&mut self) -> BreakFacts {
        self.breaks = Some(self.breaks.map_or(BreakNumber::FIRST, BreakNumber::next));
        self.at_break = BreakFacts {
            number: self.breaks,
            ads_started: 0,
        };
        self.at_break
    }

    /// The facts about the current break.
    pub(crate) fn at_break(&self) -> BreakFacts {
        self.at_break
    }

    /// Counts an ad that starts in the break. Rules MAC-4, PRD-41.
    pub(crate) fn count_ad(&mut self, facts: &mut BreakFacts, now: Time) {
        facts.ads_started = facts.ads_started.saturating_add(1);
        self.at_break = *facts;
        if self.min_interval > Span::ZERO {
            self.no_tag_until = Some(now + self.min_interval);
        }
    }

    /// Whether a tag comes too soon after the start of an ad. Rule PRD-41.
    pub(crate) fn is_too_soon(&self, now: Time) -> bool {
        self.no_tag_until.is_some_and(|until| now < until)
    }

    /// Whether a tracker with this URL, as written in its document, is called. Rule PRD-14.
    pub(crate) fn calls(&self, url: &str) -> bool {
        self.readings.calls(url)
    }

    /// Fills the macros in the URL of an ad tag, which may use more macros than others. Rule
    /// EDIT-58.
    pub(crate) fn fill_tag(&mut self, url: &Arc<str>, occasion: Occasion<'_>) -> Arc<str> {
        self.fill(
            url,
            &Occasion {
                what: Use::AdTag,
                ..occasion
            },
        )
    }

    /// Fills the macros in a URL. Rule PRD-38.
    pub(crate) fn fill(&mut self, url: &Arc<str>, occasion: &Occasion<'_>) -> Arc<str> {
        match (self.readings.fills(occasion.what), occasion.code) {
            (Fills::All, _) => self.fill_all(url, occasion),
            (Fills::ErrorCode, Some(code)) if url.contains(ERROR_CODE) => {
                url.replacen(ERROR_CODE, &code.to_string(), 1).into()
            }
            (Fills::ErrorCode | Fills::None, _) => Arc::clone(url),
        }
    }

    fn fill_all(&mut self, url: &Arc<str>, occasion: &Occasion<'_>) -> Arc<str> {
        let mut filled: Option<String> = None;
        // One number for each URL, however often the URL uses it. MAC-2
        let mut cachebuster = None;
        let mut rest: &str = url;
        while let Some(at) = rest.find(['[', '%', '$']) {
            let (before, tail) = rest.split_at(at);
            let Some((asked, after)) = self.asked(tail, occasion) else {
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
            self.value(asked, occasion, cachebuster)
                .push_to(text, self.readings.lists);
            rest = after;
        }
        match filled {
            None => Arc::clone(url),
            Some(text) => (text + rest).into(),
        }
    }

    /// The known macro at the start of `tail`, and the rest after it.
    fn asked<'t>(&self, tail: &'t str, occasion: &Occasion<'_>) -> Option<(Asked<'t>, &'t str)> {
        let marks = match self.readings.spelling {
            MacroSpelling::Lenient => DELIMITERS,
            MacroSpelling::Strict => &DELIMITERS[..1],
        };
        marks.iter().find_map(|(open, close)| {
            let (name, after) = tail.strip_prefix(open)?.split_once(close)?;
            let of_break = || occasion.message.and_then(|_| of_break(name));
            Some((self.named(name, occasion.what).or_else(of_break)?, after))
        })
    }

    fn named<'t>(&self, name: &'t str, what: Use) -> Option<Asked<'t>> {
        if let Some(row) = STANDARD.iter().find(|row| row.name == name) {
            return Some(Asked::Standard(row));
        }
        let foreign = FOREIGN.iter().find(|(known, _)| *known == name);
        match (foreign, self.readings.spelling) {
            (Some((_, source)), MacroSpelling::Lenient) => Some(Asked::Foreign(*source)),
            (Some(_), MacroSpelling::Strict) => None,
            (None, _) if self.readings.tags_ask_more && what == Use::AdTag => {
                Fact::read(name).map(Asked::Tag)
            }
            (None, _) => None,
        }
    }

    /// Draws a uniformly distributed number below `limit`: the high half of a product. A draw that
    /// would introduce bias is repeated.
    fn below(&mut self, limit: u32) -> u32 {
        let floor = limit.wrapping_neg() % limit;
        loop {
            let product = u64::from(self.chance.next_u32()) * u64::from(limit);
            let [high, low] = [product >> 32, product & u64::from(u32::MAX)];
            if low >= u64::from(floor) {
                return u32::try_from(high)
                    .expect("the high half of a product of two halves is a half");
            }
        }
    }
}

/// The macros that only trackers of VMAP breaks may use. Rule VMAP-14.
fn of_break<'t>(name: &str) -> Option<Asked<'t>> {
    match name {
        "ERROR_CODE" => Some(Asked::Foreign(MacroSource::Current(Current::ErrorCode))),
        "ERROR_MESSAGE" => Some(Asked::Message),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
