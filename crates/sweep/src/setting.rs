//! The settings of a sweep: knobs, the profile, and the responses of tags, wrappers and media.

use std::fmt;
use std::sync::Arc;

use super::SweepError;
use super::distribution::Distribution;
use super::order::TagOrder;
use super::tag::TagNumber;
use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_base::words;
use playsim_rules::knobs::{KNOBS, Knob, Knobs, Profiles, UnknownProfile};
use playsim_scenario::AnswerScript;

/// The target of a setting: the name before the equals sign.
#[derive(Debug, Clone, Copy)]
pub enum SettingTarget {
    /// `profile`.
    Profile,
    /// The name of a knob.
    Knob(&'static Knob),
    /// `tag1.after`, `wrapper.after`, `media.after`: how long responses take.
    After(SettingSource),
    /// `tag1.answer`: the response of the tag.
    Answer(TagNumber),
    /// `tag1.fill`: how often the tag has an ad.
    Fill(TagNumber),
    /// `order`: in which order the tags are asked.
    Order,
    /// `tag1.off`: whether the tag is left out.
    Off(TagNumber),
}

/// Whose responses a setting is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingSource {
    /// The own document of a tag.
    Tag(TagNumber),
    /// The document after this many wrappers of a tag, from 1.
    Hop(TagNumber, u32),
    /// The documents that wrappers point to.
    Wrappers,
    /// The media files of ads.
    Media,
}

/// A target and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// Other profiles; the scenario's own knobs stay on top of them. Several such settings add up,
    /// like profiles with `+` between them.
    Profile(Profiles),
    /// A knob, which was checked to accept the value.
    Knob(&'static str, String),
    /// How long responses take.
    After(SettingSource, Latency),
    /// The response of a tag. A delay of the answer counts as well, if it has one.
    Answer(TagNumber, AnswerScript),
    /// The share of requests, from 0 to 1, to which a tag responds as the scenario says; to all
    /// others it responds with a document without an ad.
    Fill(TagNumber, Decimal),
    /// In which order the tags are asked.
    Order(TagOrder),
    /// All orders, as soon as it is known how many tags there are.
    AllOrders,
    /// Whether a tag is left out.
    Off(TagNumber, bool),
}

/// How long a response takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Latency {
    /// Always the same.
    Fixed(Span),
    /// Drawn for each request.
    Drawn(Distribution),
}

/// Reads an answer such as `404@120ms` or the name of a file.
pub type ReadAnswer<'a> = dyn FnMut(&str) -> Result<AnswerScript, String> + 'a;

impl fmt::Display for SettingTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingTarget::Profile => f.write_str("profile"),
            SettingTarget::Knob(knob) => f.write_str(knob.name),
            SettingTarget::After(SettingSource::Tag(tag)) => write!(f, "{tag}.after"),
            SettingTarget::After(SettingSource::Hop(tag, hop)) => write!(f, "{tag}.hop{hop}.after"),
            SettingTarget::After(SettingSource::Wrappers) => f.write_str("wrapper.after"),
            SettingTarget::After(SettingSource::Media) => f.write_str("media.after"),
            SettingTarget::Answer(tag) => write!(f, "{tag}.answer"),
            SettingTarget::Fill(tag) => write!(f, "{tag}.fill"),
            SettingTarget::Order => f.write_str("order"),
            SettingTarget::Off(tag) => write!(f, "{tag}.off"),
        }
    }
}

/// The value of `tagN.off` that leaves the tag out.
pub(super) const OFF: &str = "yes";

/// The settings other than knobs that can be varied, for messages.
const OTHERS: &str = "profile, order, tagN.after, tagN.hopM.after, tagN.answer, tagN.fill, tagN.off, wrapper.after, \
                      media.after";

impl SettingTarget {
    /// Parses a name.
    pub(super) fn read(name: &str) -> Result<SettingTarget, SweepError> {
        match name {
            "profile" => return Ok(SettingTarget::Profile),
            "order" => return Ok(SettingTarget::Order),
            "wrapper.after" => return Ok(SettingTarget::After(SettingSource::Wrappers)),
            "media.after" => return Ok(SettingTarget::After(SettingSource::Media)),
            _ => {}
        }
        if let Some((tag, what)) = name
            .strip_prefix("tag")
            .and_then(|rest| rest.split_once('.'))
            && tag.bytes().all(|digit| digit.is_ascii_digit())
        {
            let Some(tag) = tag.parse().ok().and_then(TagNumber::new) else {
                let text = "tags are counted from 1: tag1 is the first";
                return Err(SweepError::input(format!("\"{name}\": {text}")));
            };
            return match what {
                "after" => Ok(SettingTarget::After(SettingSource::Tag(tag))),
                "answer" => Ok(SettingTarget::Answer(tag)),
                "fill" => Ok(SettingTarget::Fill(tag)),
                "off" => Ok(SettingTarget::Off(tag)),
                _ => hop(what).map(|hop| SettingTarget::After(SettingSource::Hop(tag, hop))).ok_or_else(|| {
                    SweepError::input(format!(
                        "\"{name}\": of a tag one can vary {tag}.after (its latency), {tag}.hop1.after (that of the \
                         document behind its first wrapper), {tag}.answer (its response), {tag}.fill (how often it has \
                         an ad) and {tag}.off (leave it out)"
                    ))
                }),
            };
        }
        Knob::named(name)
            .map(SettingTarget::Knob)
            .ok_or_else(|| unknown(name))
    }

    /// Parses one value of it.
    pub(super) fn value(
        &self,
        text: &str,
        answer: &mut ReadAnswer<'_>,
    ) -> Result<Setting, SweepError> {
        let wrong = |why: &str| SweepError::input(format!("{self}={text}: {why}"));
        match self {
            SettingTarget::Profile => {
                let unknown = |unknown: UnknownProfile| SweepError::input(unknown.to_string());
                text.parse().map(Setting::Profile).map_err(unknown)
            }
            SettingTarget::Knob(knob) => {
                if Distribution::is_meant(text) && text.parse::<Distribution>().is_ok() {
                    let range = format!("--vary {}=250ms..5s/250ms", knob.name);
                    return Err(wrong(&format!(
                        "a knob is not left to chance; give a range such as {range}, and distributions to what \
                         responds: tag1.after, wrapper.after, media.after"
                    )));
                }
                Knobs::default()
                    .set(knob.name, text)
                    .map_err(|error| SweepError::input(error.to_string()))?;
                Ok(Setting::Knob(knob.name, text.to_owned()))
            }
            SettingTarget::After(source) if Distribution::is_meant(text) => {
                let drawn = text
                    .parse()
                    .map_err(|error| SweepError::input(format!("{self}: {error}")))?;
                Ok(Setting::After(*source, Latency::Drawn(drawn)))
            }
            SettingTarget::After(source) => {
                let span = if text == "0" {
                    Ok(Span::ZERO)
                } else {
                    text.parse()
                };
                let fixed = span.map_err(|error| {
                    wrong(&format!(
                        "{error}; a random one is written like lognormal(300ms, 0.5)"
                    ))
                });
                Ok(Setting::After(*source, Latency::Fixed(fixed?)))
            }
            SettingTarget::Answer(tag) => Ok(Setting::Answer(
                *tag,
                answer(text).map_err(|why| wrong(&why))?,
            )),
            SettingTarget::Fill(tag) => {
                let share = percent(text)
                    .ok_or_else(|| wrong("it must be a share from 0% to 100%, such as 60%"))?;
                Ok(Setting::Fill(*tag, share))
            }
            SettingTarget::Order if text == "all" => Ok(Setting::AllOrders),
            SettingTarget::Order => TagOrder::read(text)
                .map(Setting::Order)
                .map_err(|why| wrong(&why)),
            SettingTarget::Off(tag) => match text {
                OFF => Ok(Setting::Off(*tag, true)),
                "no" => Ok(Setting::Off(*tag, false)),
                _ => Err(wrong(&format!(
                    "it must be yes or no; {tag}.off alone leaves it out, {tag}.off=no,yes plays both"
                ))),
            },
        }
    }
}

/// Parses a share such as `60%`.
pub(super) fn percent(text: &str) -> Option<Decimal> {
    let number: Decimal = text.strip_suffix('%')?.trim().parse().ok()?;
    let share = Decimal::from_millionths(number.millionths() / 100);
    (Decimal::ZERO..=Decimal::ONE)
        .contains(&share)
        .then_some(share)
}

/// Parses the hop of `hop1.after`.
fn hop(text: &str) -> Option<u32> {
    text.strip_prefix("hop")?
        .strip_suffix(".after")?
        .parse()
        .ok()
        .filter(|hop| *hop > 0)
}

fn unknown(name: &str) -> SweepError {
    let others = OTHERS.split(", ");
    let known = KNOBS.iter().map(|knob| knob.name).chain(others);
    let text = match words::nearest(name, known) {
        Some(meant) => format!("nothing named \"{name}\" can be varied; did you mean \"{meant}\"?"),
        None => format!(
            "nothing named \"{name}\" can be varied; it must be a knob (playsim rules --knobs) or one of {OTHERS}"
        ),
    };
    SweepError::input(text)
}

impl Setting {
    /// The tag that it is about.
    pub(super) fn tag(&self) -> Option<TagNumber> {
        match self {
            Setting::After(SettingSource::Tag(tag) | SettingSource::Hop(tag, _), _)
            | Setting::Answer(tag, _)
            | Setting::Fill(tag, _)
            | Setting::Off(tag, _) => Some(*tag),
            Setting::After(SettingSource::Wrappers | SettingSource::Media, _)
            | Setting::Profile(_)
            | Setting::Order(_)
            | Setting::AllOrders
            | Setting::Knob(..) => None,
        }
    }

    /// Whether runs with it differ by chance.
    #[must_use]
    pub fn is_random(&self) -> bool {
        match self {
            Setting::After(_, Latency::Drawn(_)) => true,
            Setting::Fill(_, share) => !matches!(*share, Decimal::ZERO | Decimal::ONE),
            Setting::After(_, Latency::Fixed(_))
            | Setting::Profile(_)
            | Setting::Knob(..)
            | Setting::Order(_)
            | Setting::AllOrders
            | Setting::Off(..)
            | Setting::Answer(..) => false,
        }
    }
}

/// Settings that are in force together, later ones over earlier ones.
pub(super) type Settings = Arc<[Setting]>;
