//! An ad object as given by page code or by the settings of a scenario.
//!
//! Reads and validates a single object; its tags are placed in waterfalls by `schedule`.
//!
//! Rules: AD-1 to AD-9, AD-19.

use std::sync::Arc;

use crate::page::Device;
use crate::{ApiError, Code, Decimal, Fields, Text, Value};
use playsim_base::escape;
use playsim_rules::knobs::{AdTagUrl, KnobReader, TimeTypeRequired};
use playsim_rules::{self as rules, RuleId};

mod fields;

pub use fields::{UnreadField, ad_fields, unread};

/// The origin of an ad object, which decides which of its fields are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdOrigin {
    /// The settings of a player, a configuration, a video, or `setAd`: requested when its break is
    /// due.
    Settings,
    /// `playAd`: requested at once, so its own times do not matter. Rule PA-1.
    Command,
}

/// An ad object. Rule AD-1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdObject {
    /// When its ads are shown.
    pub kind: AdPlacement,
    /// Tags for all devices, or for mobile devices only if `desktop` has tags. Rule AD-6.
    pub mobile: Vec<Arc<str>>,
    /// Tags for desktops. Rule AD-6.
    pub desktop: Option<Vec<Arc<str>>>,
    /// The pod of the break that it names; only allowed in settings. Rule AD-12.
    pub pod: Option<u32>,
    /// When a mid-roll or an overlay starts. Rules AD-8, AD-9.
    pub cues: Vec<Cue>,
    /// How long an overlay is shown, in the unit of its cue. Rule AD-8.
    pub overlay_duration: Option<Decimal>,
}

/// When the ads of an object are shown: the documented `adType`. Rule AD-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AdPlacement {
    /// 0: before the item.
    Pre,
    /// 1: within the item.
    Mid,
    /// 2: after the item.
    Post,
    /// 3: over the item.
    Overlay,
}

/// A position in the content. Rule AD-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cue {
    /// The unit of the value.
    pub unit: CueUnit,
    /// The value as written.
    pub value: Decimal,
}

/// The documented `adTimeType`. Rule AD-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CueUnit {
    /// `s`.
    Seconds,
    /// `%`.
    Percent,
}

/// Reports something that is tolerated in an ad object, and what to write instead.
pub(crate) type Tell<'a> = &'a mut dyn FnMut(RuleId, Code, Text, Option<&'static str>);

impl AdObject {
    /// Reads an ad object. `tell` is called for each tolerated mistake.
    ///
    /// # Errors
    ///
    /// `bad_ad` with the reason why the object is unusable. Rules AD-2, AD-4.
    pub fn read(
        value: &Value,
        origin: AdOrigin,
        knobs: &KnobReader,
        tell: Tell<'_>,
    ) -> Result<AdObject, ApiError> {
        let Value::Map(fields) = value else {
            return Err(bad_ad(
                rules::AD_1,
                format!("an ad must be an ad object, not {}", value.shown()),
            ));
        };
        let kind = read_kind(fields);
        // Before any error: a misspelt name may be the reason why a required field is missing.
        for unread in unread(fields, kind.as_ref().ok().copied(), origin) {
            tell(
                rules::AD_19,
                Code::AdField,
                unread.text.into(),
                unread.meant,
            );
        }
        let kind = kind?;
        let counts_time =
            match (kind, origin) {
                (AdPlacement::Pre | AdPlacement::Post, _)
                | (AdPlacement::Mid, AdOrigin::Command) => false,
                (AdPlacement::Mid, AdOrigin::Settings)
                | (AdPlacement::Overlay, AdOrigin::Settings) => true,
                (AdPlacement::Overlay, AdOrigin::Command) => is_there(fields, "overlayDuration"),
            };
        let unit = read_unit(fields, counts_time, knobs.ad_time_type_required(), tell)?;
        let mobile = read_mobile(fields, knobs.ad_tag_url(), tell)?;
        let desktop = match fields.get("desktop") {
            None | Some(Value::Undefined | Value::Null) => None,
            // An empty list counts as absent. AD-6
            Some(value) => Some(read_tags("desktop", value)?).filter(|tags| !tags.is_empty()),
        };
        let pod = match fields.get("pod") {
            None | Some(Value::Undefined | Value::Null) => None,
            Some(value) => {
                let pod = value
                    .as_integer()
                    .and_then(|number| u32::try_from(number).ok());
                Some(pod.ok_or_else(|| {
                    bad_ad(
                        rules::AD_12,
                        format!("pod must be a whole number from 0, not {}", value.shown()),
                    )
                })?)
            }
        };
        let (cues, overlay_duration) = match kind {
            AdPlacement::Pre | AdPlacement::Post => (Vec::new(), None),
            AdPlacement::Mid => {
                let cues = read_cuepoints(fields, unit)?;
                if cues.is_empty() && origin == AdOrigin::Settings {
                    let text = "a mid-roll without cuepoints never starts";
                    tell(rules::AD_9, Code::NoCue, text.into(), Some("cuepoints"));
                }
                (cues, None)
            }
            AdPlacement::Overlay => {
                let start = read_number(fields, "overlayStartAt")?.unwrap_or_default();
                (
                    vec![Cue { unit, value: start }],
                    read_number(fields, "overlayDuration")?,
                )
            }
        };
        Ok(AdObject {
            kind,
            mobile,
            desktop,
            pod,
            cues,
            overlay_duration,
        })
    }

    /// The type of an ad object; `None` if it is missing or invalid. Rule AD-2.
    #[must_use]
    pub fn kind_of(fields: &Fields) -> Option<AdPlacement> {
        read_kind(fields).ok()
    }

    /// The tags for a device. Rule AD-6.
    #[must_use]
    pub fn tags(&self, device: Device) -> &[Arc<str>] {
        match (device, &self.desktop) {
            (Device::Desktop, Some(desktop)) => desktop,
            (Device::Desktop, None) | (Device::Mobile, _) => &self.mobile,
        }
    }
}

impl AdPlacement {
    /// The word in a trace.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AdPlacement::Pre => "pre",
            AdPlacement::Mid => "mid",
            AdPlacement::Post => "post",
            AdPlacement::Overlay => "overlay",
        }
    }
}

/// As written in settings: `50%` or `5s`.
impl std::fmt::Display for Cue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match self.unit {
            CueUnit::Seconds => "s",
            CueUnit::Percent => "%",
        };
        write!(f, "{}{unit}", self.value)
    }
}

/// The error of a call whose ad object cannot be used.
pub fn bad_ad(rule: RuleId, text: impl Into<Text>) -> ApiError {
    ApiError {
        code: Code::BadAd,
        text: text.into(),
        rule,
    }
}

fn read_kind(fields: &Fields) -> Result<AdPlacement, ApiError> {
    match fields.get("adType") {
        None | Some(Value::Undefined) => Err(bad_ad(
            rules::AD_2,
            "adType is missing; it must be 0 (pre), 1 (mid), 2 (post) or 3 (overlay)",
        )),
        Some(value) => match value.as_integer() {
            Some(0) => Ok(AdPlacement::Pre),
            Some(1) => Ok(AdPlacement::Mid),
            Some(2) => Ok(AdPlacement::Post),
            Some(3) => Ok(AdPlacement::Overlay),
            Some(_) | None => Err(bad_ad(
                rules::AD_2,
                format!("adType must be 0, 1, 2 or 3, not {}", value.shown()),
            )),
        },
    }
}

fn is_there(fields: &Fields, name: &str) -> bool {
    !matches!(
        fields.get(name),
        None | Some(Value::Undefined | Value::Null)
    )
}

/// Reads the unit; a missing unit is reported only if a time depends on it. Rule AD-3.
fn read_unit(
    fields: &Fields,
    counts_time: bool,
    required: TimeTypeRequired,
    tell: Tell<'_>,
) -> Result<CueUnit, ApiError> {
    match fields.get("adTimeType") {
        None | Some(Value::Undefined | Value::Null) if required == TimeTypeRequired::Strict => {
            Err(bad_ad(
                rules::AD_3,
                "adTimeType is missing; it must be \"s\" or \"%\"",
            ))
        }
        None | Some(Value::Undefined | Value::Null) => {
            if counts_time {
                let text = "adTimeType is missing; it counts as \"s\"";
                tell(rules::AD_3, Code::AdTimeType, text.into(), Some("s"));
            }
            Ok(CueUnit::Seconds)
        }
        Some(value) => match value.as_text().map(|text| &**text) {
            Some("s") => Ok(CueUnit::Seconds),
            Some("%") => Ok(CueUnit::Percent),
            Some(_) | None => Err(bad_ad(
                rules::AD_1,
                format!("adTimeType must be \"s\" or \"%\", not {}", value.shown()),
            )),
        },
    }
}

/// Reads `mobile`, or else `adTagUrl`. Rules AD-4, AD-5.
fn read_mobile(
    fields: &Fields,
    tag_url: AdTagUrl,
    tell: Tell<'_>,
) -> Result<Vec<Arc<str>>, ApiError> {
    let mobile = match fields.get("mobile") {
        None | Some(Value::Undefined | Value::Null) => Vec::new(),
        Some(value) => read_tags("mobile", value)?,
    };
    let is_there = is_there(fields, "adTagUrl");
    if is_there && tag_url == AdTagUrl::Error {
        return Err(bad_ad(
            rules::AD_5,
            "adTagUrl is not a field of an ad object; list the tags in mobile",
        ));
    }
    if is_there && tag_url == AdTagUrl::Ignore {
        let text = "adTagUrl is ignored; list the tags in mobile";
        tell(rules::AD_5, Code::AdTagUrl, text.into(), Some("mobile"));
    } else if is_there && !mobile.is_empty() {
        tell(
            rules::AD_5,
            Code::AdTagUrl,
            "adTagUrl has no effect if mobile is given".into(),
            Some("mobile"),
        );
    }
    if !mobile.is_empty() {
        return Ok(mobile);
    }
    let alias = match fields.get("adTagUrl") {
        _ if tag_url == AdTagUrl::Ignore => Vec::new(),
        None | Some(Value::Undefined | Value::Null) => Vec::new(),
        Some(Value::Text(text)) => vec![shared(text)],
        Some(value) => read_tags("adTagUrl", value)?,
    };
    if alias.is_empty() {
        return Err(bad_ad(
            rules::AD_4,
            "mobile is missing or empty; it must list ad tags, like [\"https://ads.test/a\"]",
        ));
    }
    tell(
        rules::AD_5,
        Code::AdTagUrl,
        "adTagUrl is read as mobile".into(),
        Some("mobile"),
    );
    Ok(alias)
}

fn read_tags(name: &str, value: &Value) -> Result<Vec<Arc<str>>, ApiError> {
    let wrong = || {
        bad_ad(
            rules::AD_1,
            format!("{name} must be a list of URLs, not {}", value.shown()),
        )
    };
    let Value::List(items) = value else {
        return Err(wrong());
    };
    items
        .iter()
        .map(|item| item.as_text().map(shared).ok_or_else(wrong))
        .collect()
}

/// Reads `cuepoints`: a list, or a comma-separated string. Rules AD-8, AD-9.
fn read_cuepoints(fields: &Fields, unit: CueUnit) -> Result<Vec<Cue>, ApiError> {
    let wrong = |found: &str| {
        bad_ad(
            rules::AD_8,
            format!(
                "cuepoints must be numbers, like [5, 10], not {}",
                escape::shown(found)
            ),
        )
    };
    let values = match fields.get("cuepoints") {
        None | Some(Value::Undefined | Value::Null) => Vec::new(),
        Some(Value::Text(text)) => text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                part.parse::<Decimal>()
                    .map_err(|_| wrong(&format!("\"{part}\"")))
            })
            .collect::<Result<_, _>>()?,
        Some(Value::List(items)) => items
            .iter()
            .map(|item| number(item).ok_or_else(|| wrong(&item.to_string())))
            .collect::<Result<_, _>>()?,
        Some(single) => vec![number(single).ok_or_else(|| wrong(&single.to_string()))?],
    };
    Ok(values
        .into_iter()
        .map(|value| Cue { unit, value })
        .collect())
}

fn read_number(fields: &Fields, name: &str) -> Result<Option<Decimal>, ApiError> {
    match fields.get(name) {
        None | Some(Value::Undefined | Value::Null) => Ok(None),
        Some(value) => match number(value) {
            Some(number) => Ok(Some(number)),
            None => Err(bad_ad(
                rules::AD_8,
                format!("{name} must be a number, not {}", value.shown()),
            )),
        },
    }
}

fn number(value: &Value) -> Option<Decimal> {
    if let Value::Number(number) = value {
        Some(*number)
    } else {
        value.as_text()?.trim().parse().ok()
    }
}

fn shared(text: &Text) -> Arc<str> {
    match text {
        Text::Static(text) => (*text).into(),
        Text::Shared(text) => Arc::clone(text),
    }
}
