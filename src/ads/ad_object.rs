//! One ad object, as page code or a settings fixture gives it.
//!
//! Reads and judges the object alone; where its tags go is `schedule`.
//!
//! Rules: AD-1 to AD-9.

use std::sync::Arc;

use crate::api::{ApiError, Decimal, Fields, Text, Value};
use crate::knobs::{AdTagUrl, Knobs, TimeTypeRequired};
use crate::page::Device;
use crate::rule;
use crate::rules::RuleId;

/// An ad object. Rule AD-1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdObject {
    /// When its ads are shown.
    pub kind: AdType,
    /// Tags for every device, or for mobile devices only if there are others for desktops. Rule AD-6.
    pub mobile: Vec<Arc<str>>,
    /// Tags for desktops. Rule AD-6.
    pub desktop: Option<Vec<Arc<str>>>,
    /// The slot of the break that it names; only settings may. Rule AD-12.
    pub pod: Option<u32>,
    /// When a mid-roll or an overlay begins. Rules AD-8, AD-9.
    pub cues: Vec<Cue>,
    /// How long an overlay shows, in the unit of its cue. Rule AD-8.
    pub overlay_duration: Option<Decimal>,
}

/// When ads of an object are shown: the documented `adType`. Rule AD-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdType {
    /// 0: before the item.
    Pre,
    /// 1: within the item.
    Mid,
    /// 2: after the item.
    Post,
    /// 3: over the item.
    Overlay,
}

/// A moment of the content. Rule AD-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cue {
    /// What the value counts.
    pub unit: CueUnit,
    /// The value as written.
    pub value: Decimal,
}

/// The documented `adTimeType`. Rule AD-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CueUnit {
    /// `s`.
    Seconds,
    /// `%`.
    Percent,
}

/// Says something about an object that is accepted all the same, and what to write instead.
pub(super) type Tell<'a> = &'a mut dyn FnMut(RuleId, &'static str, Text, Option<&'static str>);

impl AdObject {
    /// The fields that are read; others have no effect. Rules AD-1, AD-5, AD-8, AD-12.
    pub const FIELDS: &[&str] = &[
        "adType",
        "adTimeType",
        "mobile",
        "desktop",
        "adTagUrl",
        "cuepoints",
        "overlayStartAt",
        "overlayDuration",
        "pod",
    ];

    /// Reads an ad object. `tell` hears what was tolerated.
    ///
    /// # Errors
    ///
    /// `bad_ad`: what makes the object unusable. Rules AD-2, AD-4.
    pub fn read(value: &Value, knobs: &Knobs, tell: Tell<'_>) -> Result<AdObject, ApiError> {
        let Value::Map(fields) = value else {
            return Err(bad_ad(rule!("AD-1"), format!("an ad is {value}; it must be an ad object")));
        };
        let kind = read_kind(fields)?;
        let unit = read_unit(fields, kind, knobs.ad_time_type_required, tell)?;
        let mobile = read_mobile(fields, knobs.ad_tag_url, tell)?;
        let desktop = match fields.get("desktop") {
            None | Some(Value::Undefined | Value::Null) => None,
            // An empty list counts as absent. AD-6
            Some(value) => Some(read_tags("desktop", value)?).filter(|tags| !tags.is_empty()),
        };
        let pod = match fields.get("pod") {
            None | Some(Value::Undefined | Value::Null) => None,
            Some(value) => {
                let pod = value.as_integer().and_then(|number| u32::try_from(number).ok());
                Some(pod.ok_or_else(|| {
                    bad_ad(rule!("AD-12"), format!("pod is {value}; it must be a whole number from 0"))
                })?)
            }
        };
        let (cues, overlay_duration) = match kind {
            AdType::Pre | AdType::Post => (Vec::new(), None),
            AdType::Mid => (read_cuepoints(fields, unit, tell)?, None),
            AdType::Overlay => {
                let start = read_number(fields, "overlayStartAt")?.unwrap_or_default();
                (vec![Cue { unit, value: start }], read_number(fields, "overlayDuration")?)
            }
        };
        Ok(AdObject { kind, mobile, desktop, pod, cues, overlay_duration })
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

impl AdType {
    /// The word in a trace.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AdType::Pre => "pre",
            AdType::Mid => "mid",
            AdType::Post => "post",
            AdType::Overlay => "overlay",
        }
    }
}

/// As in settings: `50%` or `5s`.
impl std::fmt::Display for Cue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = match self.unit {
            CueUnit::Seconds => "s",
            CueUnit::Percent => "%",
        };
        write!(f, "{}{unit}", self.value)
    }
}

pub(super) fn bad_ad(rule: RuleId, text: impl Into<Text>) -> ApiError {
    ApiError { code: "bad_ad", text: text.into(), rule }
}

fn read_kind(fields: &Fields) -> Result<AdType, ApiError> {
    match fields.get("adType") {
        None | Some(Value::Undefined) => {
            Err(bad_ad(rule!("AD-2"), "adType is missing; it is 0 (pre), 1 (mid), 2 (post) or 3 (overlay)"))
        }
        Some(value) => match value.as_integer() {
            Some(0) => Ok(AdType::Pre),
            Some(1) => Ok(AdType::Mid),
            Some(2) => Ok(AdType::Post),
            Some(3) => Ok(AdType::Overlay),
            Some(_) | None => {
                Err(bad_ad(rule!("AD-2"), format!("adType is {value}; it must be 0, 1, 2 or 3")))
            }
        },
    }
}

/// The unit; asked for only where it is used. Rule AD-3.
fn read_unit(
    fields: &Fields,
    kind: AdType,
    required: TimeTypeRequired,
    tell: Tell<'_>,
) -> Result<CueUnit, ApiError> {
    match fields.get("adTimeType") {
        None | Some(Value::Undefined | Value::Null) if required == TimeTypeRequired::Strict => {
            Err(bad_ad(rule!("AD-3"), "adTimeType is missing; it is \"s\" or \"%\""))
        }
        None | Some(Value::Undefined | Value::Null) => {
            match kind {
                AdType::Pre | AdType::Post => {}
                AdType::Mid | AdType::Overlay => {
                    tell(
                        rule!("AD-3"),
                        "ad_time_type",
                        "adTimeType is missing; it counts as \"s\"".into(),
                        Some("s"),
                    );
                }
            }
            Ok(CueUnit::Seconds)
        }
        Some(value) => match value.as_text().map(|text| &**text) {
            Some("s") => Ok(CueUnit::Seconds),
            Some("%") => Ok(CueUnit::Percent),
            Some(_) | None => {
                Err(bad_ad(rule!("AD-1"), format!("adTimeType is {value}; it must be \"s\" or \"%\"")))
            }
        },
    }
}

/// `mobile`, or else `adTagUrl`. Rules AD-4, AD-5.
fn read_mobile(fields: &Fields, tag_url: AdTagUrl, tell: Tell<'_>) -> Result<Vec<Arc<str>>, ApiError> {
    let mobile = match fields.get("mobile") {
        None | Some(Value::Undefined | Value::Null) => Vec::new(),
        Some(value) => read_tags("mobile", value)?,
    };
    let is_there = !matches!(fields.get("adTagUrl"), None | Some(Value::Undefined | Value::Null));
    if is_there && tag_url == AdTagUrl::Error {
        return Err(bad_ad(rule!("AD-5"), "adTagUrl is no field of an ad object; its tags are \"mobile\""));
    }
    if !mobile.is_empty() {
        return Ok(mobile);
    }
    if is_there && tag_url == AdTagUrl::Ignore {
        tell(
            rule!("AD-5"),
            "ad_tag_url",
            "adTagUrl is not read; tags are listed as mobile".into(),
            Some("mobile"),
        );
        return Err(bad_ad(
            rule!("AD-4"),
            "mobile is missing or empty; it lists ad tags, like [\"https://ads.test/a\"]",
        ));
    }
    let alias = match fields.get("adTagUrl") {
        None | Some(Value::Undefined | Value::Null) => Vec::new(),
        Some(Value::Text(text)) => vec![shared(text)],
        Some(value) => read_tags("adTagUrl", value)?,
    };
    if alias.is_empty() {
        return Err(bad_ad(
            rule!("AD-4"),
            "mobile is missing or empty; it lists ad tags, like [\"https://ads.test/a\"]",
        ));
    }
    tell(rule!("AD-5"), "ad_tag_url", "adTagUrl is taken as mobile".into(), Some("mobile"));
    Ok(alias)
}

fn read_tags(name: &str, value: &Value) -> Result<Vec<Arc<str>>, ApiError> {
    let wrong = || bad_ad(rule!("AD-1"), format!("{name} is {value}; it must be a list of addresses"));
    let Value::List(items) = value else { return Err(wrong()) };
    items.iter().map(|item| item.as_text().map(shared).ok_or_else(wrong)).collect()
}

/// `cuepoints`: a list, or text with commas. Rules AD-8, AD-9.
fn read_cuepoints(fields: &Fields, unit: CueUnit, tell: Tell<'_>) -> Result<Vec<Cue>, ApiError> {
    let wrong = |found: &dyn std::fmt::Display| {
        bad_ad(rule!("AD-8"), format!("cuepoints holds {found}; it must hold numbers, like [5, 10]"))
    };
    let values = match fields.get("cuepoints") {
        None | Some(Value::Undefined | Value::Null) => Vec::new(),
        Some(Value::Text(text)) => text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| Decimal::read(part).ok_or_else(|| wrong(&format_args!("\"{part}\""))))
            .collect::<Result<_, _>>()?,
        Some(Value::List(items)) => {
            items.iter().map(|item| number(item).ok_or_else(|| wrong(item))).collect::<Result<_, _>>()?
        }
        Some(single) => vec![number(single).ok_or_else(|| wrong(single))?],
    };
    if values.is_empty() {
        tell(rule!("AD-9"), "no_cue", "a mid-roll without cuepoints never starts".into(), Some("cuepoints"));
    }
    Ok(values.into_iter().map(|value| Cue { unit, value }).collect())
}

fn read_number(fields: &Fields, name: &str) -> Result<Option<Decimal>, ApiError> {
    match fields.get(name) {
        None | Some(Value::Undefined | Value::Null) => Ok(None),
        Some(value) => match number(value) {
            Some(number) => Ok(Some(number)),
            None => Err(bad_ad(rule!("AD-8"), format!("{name} is {value}; it must be a number"))),
        },
    }
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(text) => Decimal::read(text.trim()),
        Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::List(_)
        | Value::Map(_)
        | Value::Function(_) => None,
    }
}

fn shared(text: &Text) -> Arc<str> {
    match text {
        Text::Static(text) => (*text).into(),
        Text::Shared(text) => Arc::clone(text),
    }
}
