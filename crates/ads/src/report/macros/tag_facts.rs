//! Macros about page, player and video that only the URLs of ad tags may use: those found in tags
//! of public integrations in addition to VAST's own.
//!
//! The names are lower-case, so none collides with a VAST macro. A known name whose value is
//! unknown here, such as the page's URL, becomes `-1`, as with VAST macros.
//!
//! Rules: EDIT-58, CLK-10.

use std::sync::Arc;

use super::PlayerFacts;
use super::value::push_encoded;
use playsim_api::BreakKind;
use playsim_base::number::Decimal;

/// A fact that a tag may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact<'t> {
    VideoId,
    Title,
    Duration,
    Media,
    Autoplay,
    Width,
    Height,
    Viewability,
    Timestamp,
    Position,
    /// All custom parameters.
    CustomParams,
    /// The custom parameter of this key.
    Custom(&'t str),
    /// A known name without a value here.
    Unknown,
}

/// The prefix of a custom parameter.
const CUSTOM: &str = "custom.";

const NAMES: &[(&str, Fact<'static>)] = &[
    ("video_id", Fact::VideoId),
    ("title", Fact::Title),
    ("duration", Fact::Duration),
    ("media_url", Fact::Media),
    ("autoplay", Fact::Autoplay),
    ("player_width", Fact::Width),
    ("player_height", Fact::Height),
    ("viewability", Fact::Viewability),
    ("timestamp", Fact::Timestamp),
    ("position", Fact::Position),
    ("custom_params", Fact::CustomParams),
    ("page_url", Fact::Unknown),
    ("referrer_url", Fact::Unknown),
    ("description_url", Fact::Unknown),
    ("description", Fact::Unknown),
    ("user_agent", Fact::Unknown),
    ("ip", Fact::Unknown),
    ("do_not_track", Fact::Unknown),
    ("gdpr", Fact::Unknown),
    ("gdpr_consent", Fact::Unknown),
    ("us_privacy", Fact::Unknown),
    ("user_id", Fact::Unknown),
];

impl<'t> Fact<'t> {
    /// The fact for a name; `None` if it is not one of these.
    pub(super) fn read(name: &'t str) -> Option<Fact<'t>> {
        let row = NAMES.iter().find(|(known, _)| *known == name);
        row.map(|row| row.1)
            .or_else(|| Some(Fact::Custom(name.strip_prefix(CUSTOM)?)))
    }
}

impl PlayerFacts {
    /// The value, not encoded; `None` if it is unknown. `micros` is the calendar time.
    pub(super) fn tag_value(
        &self,
        fact: Fact<'_>,
        kind: BreakKind,
        micros: Option<i64>,
    ) -> Option<String> {
        let flag = |truth: bool| Some(u8::from(truth).to_string());
        match fact {
            Fact::VideoId => self.video_id.as_deref().map(str::to_owned),
            Fact::Title => self.video.as_ref().map(|video| video.name.to_string()),
            Fact::Duration => self
                .duration
                .map(|duration| Decimal::seconds(duration.micros()).to_string()),
            Fact::Media => self.media.as_deref().map(str::to_owned),
            Fact::Autoplay => flag(self.autoplay),
            Fact::Width => Some(self.size.0.to_string()),
            Fact::Height => Some(self.size.1.to_string()),
            Fact::Viewability => flag(self.is_in_view),
            Fact::Timestamp => micros.map(|micros| micros.div_euclid(1_000).to_string()),
            Fact::Position => Some(kind.name().to_owned()),
            Fact::CustomParams => Some(self.all_params()),
            Fact::Custom(key) => self.param(key),
            Fact::Unknown => None,
        }
    }

    fn custom_params(&self) -> &[(Arc<str>, Arc<str>)] {
        self.video
            .as_ref()
            .map_or(&[], |video| &video.custom_params)
    }

    /// All parameters as `key=value&key=value`, each encoded.
    fn all_params(&self) -> String {
        let mut text = String::new();
        for (number, (key, value)) in self.custom_params().iter().enumerate() {
            if number > 0 {
                text.push('&');
            }
            push_encoded(&mut text, key);
            text.push('=');
            push_encoded(&mut text, value);
        }
        text
    }

    /// The values of a key, separated by commas; `None` if it has none.
    fn param(&self, key: &str) -> Option<String> {
        let of_key = self
            .custom_params()
            .iter()
            .filter(|(known, _)| **known == *key);
        let values: Vec<&str> = of_key.map(|(_, value)| &**value).collect();
        (!values.is_empty()).then(|| values.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::macros::{BreakFacts, Macros, Occasion};
    use playsim_api::page::Page;
    use playsim_api::video::{Video, VideoRecord};
    use playsim_base::time::{Span, Time};
    use playsim_rules::knobs::{KnobReader, Knobs, MacroSet};
    use playsim_vast::standard_macros::is_standard;

    fn macros() -> Macros {
        let knobs = KnobReader::from(Knobs {
            macros: MacroSet::Obs,
            ..Knobs::default()
        });
        let mut macros = Macros::new("main", 0, 946_684_800_000_000).on(&Page::default(), &knobs);
        let custom_params = [("genre", "news"), ("a&b", "1=2"), ("genre", "sport")]
            .map(|(key, value)| (key.into(), value.into()))
            .to_vec();
        let record = VideoRecord {
            name: "Big & small".into(),
            custom_params,
            ..VideoRecord::default()
        };
        let video = Video {
            record,
            ..Video::default()
        };
        let player = PlayerFacts {
            video_id: Some("v1".into()),
            video: Some(Arc::new(video)),
            duration: Some(Span::from_millis(1_500)),
            autoplay: true,
            size: (640, 360),
            ..PlayerFacts::default()
        };
        macros.note(player, BreakFacts::default());
        macros
    }

    fn fill(url: &str) -> String {
        let occasion = Occasion::new(Time::from_millis(1_234), BreakKind::Mid);
        macros().fill_tag(&url.into(), occasion).to_string()
    }

    #[test]
    fn ad_tags_may_use_facts_about_player_and_video() {
        assert_eq!(
            fill("[video_id]|[title]|[duration]"),
            "v1|Big%20%26%20small|1.5"
        );
        assert_eq!(
            fill("[autoplay]|%%player_width%%|${player_height}|[viewability]|[position]"),
            "1|640|360|0|mid"
        );
        assert_eq!(
            fill("[timestamp]|[page_url]|[media_url]"),
            "946684801234|-1|-1"
        );
        assert_eq!(fill("[custom.genre]|[custom.none]"), "news%2Csport|-1");
        assert_eq!(
            fill("[custom_params]"),
            "genre%3Dnews%26a%2526b%3D1%253D2%26genre%3Dsport"
        );
        assert_eq!(fill("[ERRORCODE][nobody]"), "-1[nobody]");
    }

    #[test]
    fn other_urls_may_not_use_them() {
        let url: Arc<str> = "https://t.test/?[title][custom.x]".into();
        let occasion = Occasion::new(Time::ZERO, BreakKind::Pre);
        assert_eq!(macros().fill(&url, &occasion), url);
        assert_eq!(Macros::new("main", 0, 0).fill_tag(&url, occasion), url);
    }

    #[test]
    fn no_name_is_a_vast_macro() {
        assert!(NAMES.iter().all(|(name, _)| !is_standard(name)));
    }
}
