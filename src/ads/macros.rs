//! Macros in addresses: `[CACHEBUSTING]` and its like.
//!
//! A name that stands in the table is replaced, whatever else is in the brackets stays as written. A known
//! name whose value is not known here becomes `-1`. Values come from the virtual clock and a seed, and are
//! percent-encoded. An address without a macro is handed on without a copy. What ad tags alone may ask is
//! `tag_facts`.
//!
//! Rules: CLK-8, CLK-10, EDIT-58; VAST 4.3 section 6.

use std::fmt::Write as _;
use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::BreakKind;
use crate::time::{Position, Time};

mod tag_facts;

use tag_facts::Fact;
pub use tag_facts::TagFacts;

/// Where values that no document holds come from: the calendar, chance, and for ad tags the player.
#[derive(Debug, Clone)]
pub struct Macros {
    epoch_micros: i64,
    chance: Xoshiro256PlusPlus,
    /// What ad tags may ask besides; `None`: nothing. Knob `macros`.
    tag_facts: Option<Box<TagFacts>>,
}

/// What is the same for all addresses that are called together.
#[derive(Debug, Clone)]
pub(super) struct Occasion<'a> {
    /// When.
    pub(super) now: Time,
    /// The break.
    pub(super) kind: BreakKind,
    /// The code that is reported, if one is.
    pub(super) code: Option<u16>,
    /// What it means, for the trackers of a VMAP break. Rule VMAP-14.
    message: Option<&'static str>,
    /// The ad that is on, if one is.
    pub(super) ad: Option<AdAtHand<'a>>,
    /// Drawn when it is first asked for.
    cachebuster: Option<u32>,
}

/// What addresses may ask about the ad that is on.
#[derive(Debug, Clone, Copy)]
pub(super) struct AdAtHand<'a> {
    /// Where it stands.
    pub(super) playhead: Position,
    /// The address of its media, if it has any.
    pub(super) asset: Option<&'a str>,
    /// Its place in a VAST pod.
    pub(super) sequence: Option<u32>,
}

/// Where a macro's value comes from.
#[derive(Debug, Clone, Copy)]
enum Source<'t> {
    Timestamp,
    Cachebuster,
    ErrorCode,
    ErrorMessage,
    AdPlayhead,
    MediaPlayhead,
    BreakPosition,
    AssetUri,
    PodSequence,
    /// Something that only ad tags may ask.
    Tag(Fact<'t>),
    /// Nothing here knows it.
    Unknown,
}

/// What an address is for, as far as its macros go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    AdTag,
    /// A tracker of a VMAP break. Rule VMAP-14.
    Break,
    Other,
}

const UNKNOWN: &str = "-1";

macro_rules! names {
    ($($name:literal)*) => { &[$(($name, Source::Unknown)),*] };
}

/// Macros that have a value. Lower-case spellings are those that real tags use.
const KNOWN: &[(&str, Source<'static>)] = &[
    ("TIMESTAMP", Source::Timestamp),
    ("CACHEBUSTING", Source::Cachebuster),
    ("RANDOM", Source::Cachebuster),
    ("random", Source::Cachebuster),
    ("ERRORCODE", Source::ErrorCode),
    ("errorcode", Source::ErrorCode),
    ("ADPLAYHEAD", Source::AdPlayhead),
    ("CONTENTPLAYHEAD", Source::AdPlayhead),
    ("MEDIAPLAYHEAD", Source::MediaPlayhead),
    ("BREAKPOSITION", Source::BreakPosition),
    ("ASSETURI", Source::AssetUri),
    ("PODSEQUENCE", Source::PodSequence),
];

/// Standard macros that nothing here knows the value of.
const STANDARD: &[(&str, Source<'static>)] = names! {
    "BLOCKEDADCATEGORIES" "ADCATEGORIES" "ADCOUNT" "TRANSACTIONID" "PLACEMENTTYPE" "ADTYPE" "UNIVERSALADID"
    "BREAKMAXDURATION" "BREAKMAXADS" "BREAKMINADLENGTH" "BREAKMAXADLENGTH" "IFA" "IFATYPE" "CLIENTUA"
    "SERVERUA" "DEVICEUA" "SERVERSIDE" "DEVICEIP" "LATLONG" "DOMAIN" "PAGEURL" "APPBUNDLE" "VASTVERSIONS"
    "APIFRAMEWORKS" "EXTENSIONS" "VERIFICATIONVENDORS" "OMIDPARTNER" "MEDIAMIME" "PLAYERCAPABILITIES"
    "CLICKTYPE" "PLAYERSTATE" "INVENTORYSTATE" "PLAYERSIZE" "CONTENTID" "CONTENTURI" "ADSERVINGID" "CLICKPOS"
    "REASON" "LIMITADTRACKING" "REGULATIONS" "GDPRCONSENT" "STOREID" "STOREURL" "PLAYBACKMETHODS" "CONTENTCAT"
    "GPPSTRING" "GPPSECTIONID" "DSAREQUIRED" "DSAPARAMS" "DSAPUBRENDER"
};

/// What trackers of VMAP breaks may ask besides. Rule VMAP-14.
const OF_BREAKS: &[(&str, Source<'static>)] =
    &[("ERROR_CODE", Source::ErrorCode), ("ERROR_MESSAGE", Source::ErrorMessage)];

/// How a macro is marked: the standard's way, and two that real tags use.
const DELIMITERS: &[(&str, &str)] = &[("[", "]"), ("%%", "%%"), ("${", "}")];

impl<'a> Occasion<'a> {
    /// An occasion in a break.
    pub(super) fn new(now: Time, kind: BreakKind) -> Occasion<'a> {
        Occasion { now, kind, code: None, message: None, ad: None, cachebuster: None }
    }

    /// The same while this ad is on.
    pub(super) fn with_ad(mut self, ad: AdAtHand<'a>) -> Occasion<'a> {
        self.ad = Some(ad);
        self
    }

    /// The same when this code is reported.
    pub(super) fn with_code(mut self, code: u16) -> Occasion<'a> {
        self.code = Some(code);
        self
    }

    /// The same when this is what the code means.
    pub(super) fn with_message(mut self, message: &'static str) -> Occasion<'a> {
        self.message = Some(message);
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
        Macros { epoch_micros, chance: Xoshiro256PlusPlus::seed_from_u64(stream), tag_facts: None }
    }

    /// Says what ad tags may ask from here on. Knob `macros`.
    pub fn set_tag_facts(&mut self, facts: TagFacts) {
        self.tag_facts = Some(Box::new(facts));
    }

    /// The address with its macros filled.
    pub(super) fn fill(&mut self, url: &Arc<str>, occasion: &mut Occasion<'_>) -> Arc<str> {
        self.fill_for(Use::Other, url, occasion)
    }

    /// The address of an ad tag with its macros filled: it may ask more than others. Rule EDIT-58.
    pub(super) fn fill_tag(&mut self, url: &Arc<str>, occasion: &mut Occasion<'_>) -> Arc<str> {
        let is_told = self.tag_facts.is_some();
        self.fill_for(if is_told { Use::AdTag } else { Use::Other }, url, occasion)
    }

    /// The address of a tracker of a VMAP break with its macros filled. Rule VMAP-14.
    pub(super) fn fill_break(&mut self, url: &Arc<str>, occasion: &mut Occasion<'_>) -> Arc<str> {
        self.fill_for(Use::Break, url, occasion)
    }

    fn fill_for(&mut self, what: Use, url: &Arc<str>, occasion: &mut Occasion<'_>) -> Arc<str> {
        let mut filled: Option<String> = None;
        let mut rest: &str = url;
        while let Some(at) = rest.find(['[', '%', '$']) {
            let (before, tail) = rest.split_at(at);
            let Some((name, behind)) = DELIMITERS.iter().find_map(|marks| name_in(tail, *marks, what)) else {
                let step = at + 1;
                if let Some(text) = &mut filled {
                    text.push_str(&rest[..step]);
                }
                rest = &rest[step..];
                continue;
            };
            let text = filled.get_or_insert_with(|| url[..url.len() - rest.len()].to_owned());
            text.push_str(before);
            self.push_value(text, name, occasion);
            rest = behind;
        }
        match filled {
            None => Arc::clone(url),
            Some(text) => (text + rest).into(),
        }
    }

    fn push_value(&mut self, text: &mut String, source: Source<'_>, occasion: &mut Occasion<'_>) {
        let value = match source {
            Source::Timestamp => self.timestamp(occasion.now),
            Source::Cachebuster => {
                let number = *occasion.cachebuster.get_or_insert_with(|| self.below(100_000_000));
                Some(format!("{number:08}"))
            }
            Source::ErrorCode => occasion.code.map(|code| code.to_string()),
            Source::ErrorMessage => occasion.message.map(str::to_owned),
            Source::AdPlayhead => occasion.ad.map(|ad| timecode(ad.playhead)),
            Source::MediaPlayhead => match occasion.kind {
                BreakKind::Pre => Some(timecode(Position::ZERO)),
                BreakKind::Mid
                | BreakKind::Post
                | BreakKind::Command
                | BreakKind::Overlay
                | BreakKind::Display => None,
            },
            Source::BreakPosition => Some(break_position(occasion.kind).to_owned()),
            Source::AssetUri => occasion.ad.and_then(|ad| ad.asset).map(str::to_owned),
            Source::PodSequence => occasion.ad.and_then(|ad| ad.sequence).map(|number| number.to_string()),
            Source::Tag(fact) => {
                let micros = self.epoch_micros.checked_add_unsigned(occasion.now.micros());
                self.tag_facts.as_ref().and_then(|facts| facts.value(fact, occasion.kind, micros))
            }
            Source::Unknown => None,
        };
        push_encoded(text, value.as_deref().unwrap_or(UNKNOWN));
    }

    /// ISO 8601 in UTC with milliseconds; `None` for an instant that no calendar holds.
    fn timestamp(&self, now: Time) -> Option<String> {
        let millis = self.epoch_micros.checked_add_unsigned(now.micros())?.div_euclid(1_000);
        let instant = jiff::Timestamp::from_millisecond(millis).ok()?;
        Some(format!("{instant:.3}"))
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

/// The known macro that `tail` begins with, and what stands behind it.
fn name_in<'t>(tail: &'t str, (open, close): (&str, &str), what: Use) -> Option<(Source<'t>, &'t str)> {
    let inner = tail.strip_prefix(open)?;
    let (name, behind) = inner.split_once(close)?;
    let more = if what == Use::Break { OF_BREAKS } else { &[] };
    let row = KNOWN.iter().chain(STANDARD).chain(more).find(|(known, _)| *known == name);
    let of_tag = || Fact::read(name).filter(|_| what == Use::AdTag).map(Source::Tag);
    Some((row.map(|row| row.1).or_else(of_tag)?, behind))
}

const fn break_position(kind: BreakKind) -> &'static str {
    match kind {
        BreakKind::Pre => "1",
        BreakKind::Mid => "2",
        BreakKind::Post => "3",
        BreakKind::Command | BreakKind::Overlay | BreakKind::Display => "4",
    }
}

/// `HH:MM:SS.mmm`.
fn timecode(position: Position) -> String {
    let millis = position.micros() / 1_000;
    let (seconds, millis) = (millis / 1_000, millis % 1_000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    format!("{:02}:{:02}:{seconds:02}.{millis:03}", minutes / 60, minutes % 60)
}

/// Percent-encodes all but what RFC 3986 calls unreserved.
fn push_encoded(text: &mut String, value: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            text.push(char::from(byte));
        } else {
            write!(text, "%{byte:02X}").expect("writing to a text cannot fail");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(url: &str) -> String {
        let mut macros = Macros::new("main", 0, 946_684_800_000_000);
        let ad = AdAtHand {
            playhead: Position::from_millis(61_500),
            asset: Some("https://m.test/a b"),
            sequence: None,
        };
        let occasion = Occasion::new(Time::from_millis(1_234), BreakKind::Pre).with_ad(ad).with_code(303);
        macros.fill(&url.into(), &mut occasion.clone()).to_string()
    }

    #[test]
    fn known_macros_are_filled_and_encoded() {
        assert_eq!(
            fill("https://t.test/?t=[TIMESTAMP]&x"),
            "https://t.test/?t=2000-01-01T00%3A00%3A01.234Z&x"
        );
        assert_eq!(fill("[errorcode]|%%ERRORCODE%%|${ERRORCODE}"), "303|303|303");
        assert_eq!(fill("[ADPLAYHEAD]"), "00%3A01%3A01.500");
        assert_eq!(fill("[ASSETURI]"), "https%3A%2F%2Fm.test%2Fa%20b");
        assert_eq!(fill("a[PODSEQUENCE][IFA]b"), "a-1-1b");
    }

    #[test]
    fn what_is_no_macro_stays_as_written() {
        for url in
            ["[foo]", "[ERRORCODE", "a%20b%%c", "$100", "[[", "%%", "${x}", "[domain]", "\u{e9}[\u{e9}"]
        {
            assert_eq!(fill(url), url);
        }
        assert_eq!(fill("[[ERRORCODE]]"), "[303]");
        assert_eq!(fill("%20%%ERRORCODE%%%20"), "%20303%20");
    }

    #[test]
    fn an_address_without_macro_is_not_copied() {
        let url: Arc<str> = "https://t.test/%20[no]".into();
        let filled = Macros::new("main", 0, 0).fill(&url, &mut Occasion::new(Time::ZERO, BreakKind::Pre));
        assert!(Arc::ptr_eq(&url, &filled));
    }

    #[test]
    fn a_cachebuster_has_eight_digits_and_is_the_same_within_an_occasion() {
        let mut macros = Macros::new("main", 7, 0);
        let mut draw =
            || macros.fill(&"[CACHEBUSTING][random]".into(), &mut Occasion::new(Time::ZERO, BreakKind::Pre));
        let (first, second) = (draw(), draw());
        assert_eq!(first.len(), 16);
        assert_eq!(first[..8], first[8..]);
        assert_ne!(first, second);
        let again = Macros::new("main", 7, 0)
            .fill(&"[CACHEBUSTING]".into(), &mut Occasion::new(Time::ZERO, BreakKind::Pre));
        assert_eq!(*again, first[..8]);
    }

    #[test]
    fn an_instant_that_no_calendar_holds_is_unknown() {
        let mut macros = Macros::new("main", 0, i64::MAX);
        let filled = macros.fill(&"[TIMESTAMP]".into(), &mut Occasion::new(Time::MAX, BreakKind::Pre));
        assert_eq!(&*filled, "-1");
    }
}
