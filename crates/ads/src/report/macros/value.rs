//! The values of macros.
//!
//! Numbers of AdCOM: its lists of creative subtypes, API frameworks, playback methods and
//! placements.
//!
//! Rules: MAC-1, MAC-2, MAC-4 to MAC-8, CLK-10.

use std::borrow::Cow;

use percent_encoding::utf8_percent_encode;

use super::{Asked, BreakFacts, Macros, Occasion, PlayerFacts};
use crate::request::creative::{media_types, skips};
use crate::request::hop::Hop;
use playsim_api::page::MacroValue;
use playsim_api::{BreakKind, BreakNumber};
use playsim_base::escape::RESERVED;
use playsim_base::time::{Position, Time};
use playsim_rules::knobs::{AssetUri, ContentPlayhead, MacroLists, MacroSpelling};
use playsim_vast::standard_macros::{Current, MacroSource, Usual};

/// The value of a macro. Rule MAC-1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value<'a> {
    /// Unknown: `-1`.
    Unknown,
    /// Known but withheld: `-2`.
    Withheld,
    /// A single value.
    One(Cow<'a, str>),
    /// Several values, separated by commas.
    List(Vec<Cow<'a, str>>),
}

const UNKNOWN: &str = "-1";
const WITHHELD: &str = "-2";

/// VAST 2.0 to 4.3 and their wrappers, in the numbers of AdCOM.
const VAST_VERSIONS: [&str; 12] = [
    "2", "3", "5", "6", "7", "8", "11", "12", "13", "14", "15", "16",
];

/// VPAID 2.0 and SIMID 1.0, in the numbers of AdCOM.
const FRAMEWORKS: [&str; 2] = ["2", "8"];

impl Value<'_> {
    /// Appends the value to a URL. Rule PRD-12.
    pub(super) fn push_to(&self, text: &mut String, lists: MacroLists) {
        match self {
            Value::Unknown => text.push_str(UNKNOWN),
            Value::Withheld => text.push_str(WITHHELD),
            Value::One(value) => push_encoded(text, value),
            Value::List(items) => {
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        text.push_str(match lists {
                            MacroLists::Literal => ",",
                            MacroLists::Encoded => "%2C",
                        });
                    }
                    push_encoded(text, item);
                }
            }
        }
    }

    fn text(value: impl ToString) -> Value<'static> {
        Value::One(value.to_string().into())
    }
}

impl<'a> Value<'a> {
    fn known(value: Option<impl Into<Cow<'a, str>>>) -> Value<'a> {
        value.map_or(Value::Unknown, |value| Value::One(value.into()))
    }

    /// A list; an empty one counts as unknown.
    fn list(items: impl IntoIterator<Item = impl Into<Cow<'a, str>>>) -> Value<'a> {
        let items: Vec<Cow<'a, str>> = items.into_iter().map(Into::into).collect();
        if items.is_empty() {
            Value::Unknown
        } else {
            Value::List(items)
        }
    }
}

impl Macros {
    /// The value of a macro. `cachebuster` is the number drawn for this URL.
    pub(super) fn value<'v>(
        &'v self,
        asked: Asked<'_>,
        occasion: &'v Occasion<'_>,
        cachebuster: Option<u32>,
    ) -> Value<'v> {
        let source = match asked {
            Asked::Standard(row)
                if self.readings.spelling == MacroSpelling::Strict
                    && !row.context.allows(occasion.what) =>
            {
                return Value::Unknown;
            }
            Asked::Standard(row) => {
                if let Some((_, given)) = self.given.iter().find(|(name, _)| **name == *row.name) {
                    return of_page(given, row.source, occasion);
                }
                row.source
            }
            Asked::Foreign(source) => source,
            Asked::Message => return Value::text(occasion.message.unwrap_or_default()),
            Asked::Tag(fact) => {
                let micros = self
                    .epoch_micros
                    .checked_add_unsigned(occasion.now.micros());
                return Value::known(self.player.tag_value(fact, occasion.kind, micros));
            }
        };
        match source {
            MacroSource::Cachebuster => {
                Value::known(cachebuster.map(|number| format!("{number:08}")))
            }
            MacroSource::Timestamp => Value::known(self.timestamp(occasion.now)),
            MacroSource::TransactionId => transaction(self.stream, self.at_break),
            MacroSource::AdCount => Value::text(self.at_break.ads_started),
            MacroSource::MediaPlayhead => {
                Value::known(content_playhead(&self.player, occasion.kind))
            }
            MacroSource::ContentPlayhead => match (self.readings.content_playhead, occasion.ad) {
                (ContentPlayhead::Ad, Some(ad)) => Value::known(Some(timecode(ad.playhead))),
                (ContentPlayhead::Content, _) | (ContentPlayhead::Ad, None) => {
                    Value::known(content_playhead(&self.player, occasion.kind))
                }
            },
            MacroSource::PlayerState => self.player.state(),
            MacroSource::PlayerSize => Value::List(vec![
                self.player.size.0.to_string().into(),
                self.player.size.1.to_string().into(),
            ]),
            MacroSource::InventoryState => self.player.inventory(occasion),
            MacroSource::Page => Value::Unknown,
            MacroSource::Usual(usual) => self.usual(usual),
            MacroSource::AssetUri => match self.readings.asset {
                AssetUri::Played => Value::known(occasion.ad.and_then(|ad| ad.asset)),
                AssetUri::First => Value::known(
                    occasion
                        .ad
                        .and_then(|ad| ad.hops.last()?.first_media_file()),
                ),
            },
            MacroSource::Current(current) => of_current(current, occasion),
        }
    }

    /// The default where the page gives no value. Rule MAC-5.
    fn usual(&self, usual: Usual) -> Value<'_> {
        let player = &self.player;
        match usual {
            Usual::Domain => {
                Value::known(self.given.iter().find_map(|(name, value)| match value {
                    MacroValue::Items(items) if **name == *"PAGEURL" => host(items.first()?),
                    MacroValue::Items(_) | MacroValue::Withheld => None,
                }))
            }
            Usual::VastVersions => Value::list(VAST_VERSIONS),
            Usual::ApiFrameworks => Value::list(FRAMEWORKS),
            Usual::MediaTypes => Value::list(media_types()),
            Usual::Capabilities => Value::list(player.capabilities()),
            Usual::PlaybackMethod => Value::One(player.playback_method().into()),
            Usual::Placement if player.is_outstream => Value::Unknown,
            Usual::Placement => Value::One("1".into()),
            Usual::ServerSide | Usual::LimitAdTracking => Value::One("0".into()),
            Usual::ContentId => Value::known(player.video_id.as_deref()),
            Usual::ContentUri => Value::known(player.media.as_deref()),
        }
    }

    /// The time in ISO 8601, UTC, with milliseconds; `None` outside the range of the calendar. Rule
    /// CLK-10.
    fn timestamp(&self, now: Time) -> Option<String> {
        let millis = self
            .epoch_micros
            .checked_add_unsigned(now.micros())?
            .div_euclid(1_000);
        let instant = jiff::Timestamp::from_millisecond(millis).ok()?;
        Some(format!("{instant:.3}"))
    }
}

impl PlayerFacts {
    fn state(&self) -> Value<'static> {
        let words = [(self.is_muted, "muted"), (self.is_fullscreen, "fullscreen")];
        Value::list(
            words
                .into_iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, word)| word),
        )
    }

    fn capabilities(&self) -> impl Iterator<Item = &'static str> {
        let words = [
            (true, "skip"),
            (true, "mute"),
            (!self.needs_gesture, "autoplay"),
            (true, "mautoplay"),
            (self.can_fill_screen, "fullscreen"),
            (true, "icon"),
        ];
        words
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, word)| word)
    }

    fn inventory(&self, occasion: &Occasion<'_>) -> Value<'static> {
        let is_skippable = occasion
            .ad
            .and_then(|ad| ad.hops.last())
            .is_some_and(|hop| skips(hop, occasion.kind));
        let words = [
            (is_skippable, "skippable"),
            (self.autoplay && !self.began_muted, "autoplayed"),
            (self.autoplay && self.began_muted, "mautoplayed"),
        ];
        Value::list(
            words
                .into_iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, word)| word),
        )
    }

    /// The playback method: autoplay with sound, autoplay muted, or started by a call or click.
    const fn playback_method(&self) -> &'static str {
        match (self.autoplay, self.began_muted) {
            (true, false) => "1",
            (true, true) => "2",
            (false, _) => "3",
        }
    }
}

/// The value that the page gives. The categories it blocks are added to those that wrappers block.
fn of_page<'v>(
    given: &'v MacroValue,
    source: MacroSource,
    occasion: &'v Occasion<'_>,
) -> Value<'v> {
    match given {
        MacroValue::Withheld => Value::Withheld,
        MacroValue::Items(items) if source == MacroSource::Current(Current::BlockedCategories) => {
            let of_wrappers = occasion.wrappers.iter().flat_map(Hop::blocked_categories);
            Value::list(of_wrappers.chain(items.iter().map(|item| &**item)))
        }
        MacroValue::Items(items) => Value::list(items.iter().map(|item| &**item)),
    }
}

/// The value from the current ad, click or error.
fn of_current<'v>(current: Current, occasion: &'v Occasion<'_>) -> Value<'v> {
    let ad = occasion.ad;
    let shown = || ad.and_then(|ad| ad.hops.last());
    match current {
        Current::ErrorCode => Value::known(occasion.code.map(|code| code.to_string())),
        Current::Reason => Value::known(occasion.reason.map(|reason| reason.to_string())),
        Current::AdPlayhead => Value::known(ad.map(|ad| timecode(ad.playhead))),
        Current::BreakPosition => Value::One(break_position(occasion.kind).into()),
        Current::PodSequence => Value::known(
            shown()
                .and_then(|hop| hop.ad().sequence)
                .map(|number| number.to_string()),
        ),
        Current::AdType => Value::known(shown().map(Hop::ad_type)),
        Current::AdServingId => Value::known(shown().and_then(Hop::serving_id)),
        Current::UniversalAdId => Value::list(shown().into_iter().flat_map(Hop::universal_ids)),
        Current::AdCategories => Value::list(shown().into_iter().flat_map(Hop::categories)),
        Current::BlockedCategories => {
            Value::list(occasion.wrappers.iter().flat_map(Hop::blocked_categories))
        }
        Current::ClickPosition => match occasion.click {
            Some(at) => Value::List(vec![at.x.to_string().into(), at.y.to_string().into()]),
            None => Value::Unknown,
        },
    }
}

/// The position in the content; zero before the content starts. Rule MAC-4.
fn content_playhead(player: &PlayerFacts, kind: BreakKind) -> Option<String> {
    if kind == BreakKind::Pre {
        Some(timecode(Position::ZERO))
    } else {
        player.position.map(timecode)
    }
}

/// An id in the form of a random UUID, the same for all requests and trackers of a break. Rule
/// MAC-6.
fn transaction(stream: u64, at_break: BreakFacts) -> Value<'static> {
    let number = u64::from(at_break.number.map_or(0, BreakNumber::get));
    let bits = xxhash_rust::xxh3::xxh3_128_with_seed(&number.to_le_bytes(), stream);
    // Version 4, variant 1. RFC 9562
    let bits = bits & !(0xF << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let hex = format!("{bits:032x}");
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    Value::One(parts.join("-").into())
}

/// The host of a URL.
fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("//")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = host.rsplit_once(':').map_or(host, |(host, port)| {
        if port.bytes().all(|it| it.is_ascii_digit()) {
            host
        } else {
            authority
        }
    });
    (!host.is_empty()).then_some(host)
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
    format!(
        "{:02}:{:02}:{seconds:02}.{millis:03}",
        minutes / 60,
        minutes % 60
    )
}

/// Percent-encodes everything but the unreserved characters of RFC 3986.
pub(super) fn push_encoded(text: &mut String, value: &str) {
    text.extend(utf8_percent_encode(value, RESERVED));
}
