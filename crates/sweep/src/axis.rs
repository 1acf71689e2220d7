//! An axis of a sweep: one target and its values, as `ad.timeout=250ms..5s/250ms`.

use std::str::FromStr;
use std::sync::Arc;

use super::SweepError;
use super::order::TagOrder;
use super::setting::{Latency, OFF, ReadAnswer, Setting, SettingTarget, Settings};
use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_base::words;
use playsim_rules::knobs::{Profile, Takes};

/// The largest number of values of one axis.
pub const MAX_VALUES: usize = 10_000;

/// How many steps a range without a step has at most.
const STEPS: u64 = 20;

/// One dimension of a sweep.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Its name, as in `ad.timeout`.
    pub(super) name: String,
    /// Its values; ascending if they have an order.
    pub(super) values: Vec<AxisValue>,
    /// Its target; `None` for whole configurations.
    pub(super) target: Option<SettingTarget>,
    /// How its values are ordered, if they are.
    pub(super) order: Option<Order>,
}

/// One value of an axis.
#[derive(Debug, Clone)]
pub(super) struct AxisValue {
    /// How it is written.
    pub(super) label: String,
    pub(super) settings: Settings,
    /// Its place on the scale of the axis.
    pub(super) at: Option<u64>,
}

/// An ordered axis: values between its rows exist and can be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub(super) target: SettingTarget,
    pub(super) unit: Unit,
}

/// The unit of a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Microseconds.
    Us,
    /// A number of things.
    Count,
    /// Millionths.
    Millionths,
}

impl Unit {
    pub(super) fn read(self, text: &str) -> Option<u64> {
        match self {
            Unit::Us if text == "0" => Some(0),
            Unit::Us => text.parse().ok().map(Span::micros),
            Unit::Count => text.parse::<u32>().ok().map(u64::from),
            Unit::Millionths => super::setting::percent(text)?.millionths().try_into().ok(),
        }
    }

    /// Writes a point of the scale as a value that parses back.
    pub(super) fn write(self, at: u64) -> String {
        match self {
            Unit::Us => Span::from_micros(at).in_seconds(),
            Unit::Count => at.to_string(),
            Unit::Millionths => {
                let percent = i64::try_from(at).unwrap_or(i64::MAX).saturating_mul(100);
                format!("{}%", Decimal::from_millionths(percent))
            }
        }
    }

    /// Writes a point of the scale as part of a sentence: `2.6 s`.
    pub(super) fn words(self, at: u64) -> String {
        match self {
            Unit::Us => format!("{} s", Decimal::seconds(at)),
            Unit::Count => at.to_string(),
            Unit::Millionths => {
                let percent = i64::try_from(at).unwrap_or(i64::MAX).saturating_mul(100);
                format!("{} %", Decimal::from_millionths(percent))
            }
        }
    }

    const fn example(self) -> &'static str {
        match self {
            Unit::Us => "250ms..5s/250ms",
            Unit::Count => "0..10/1",
            Unit::Millionths => "10%..90%/10%",
        }
    }
}

/// As [`Axis::read`], without responses: `tagN.answer` is an error.
impl FromStr for Axis {
    type Err = SweepError;

    fn from_str(text: &str) -> Result<Axis, SweepError> {
        Axis::read(text, &mut |_| {
            Err("responses are read by Axis::read".to_owned())
        })
    }
}

/// The name of an axis of whole configurations.
pub(super) const CONFIGURATION: &str = "configuration";

impl Axis {
    /// Parses a target and its values: a value, a list `1s,2s,5s`, a range `250ms..5s/250ms` with
    /// or without a step, or a distribution. `answer` reads responses for `tagN.answer`.
    ///
    /// # Errors
    ///
    /// The error, with a form to copy.
    pub fn read(text: &str, answer: &mut ReadAnswer<'_>) -> Result<Axis, SweepError> {
        // Leaving a tag out needs no value.
        let (name, values) = match text.split_once('=') {
            Some(both) => both,
            None if text.starts_with("tag") && text.trim_end().ends_with(".off") => (text, OFF),
            None => {
                return Err(SweepError::input(format!(
                    "\"{text}\": it must be a name and values, such as ad.timeout=250ms..5s/250ms, \
                 profile=default,ima or tag1.after=lognormal(300ms, 0.5)"
                )));
            }
        };
        let (name, values) = (name.trim(), values.trim());
        let target = SettingTarget::read(name)?;
        if values.is_empty() {
            return Err(SweepError::input(format!(
                "\"{text}\": there are no values after the equals sign"
            )));
        }
        // The commas of an order are its own.
        let words = if matches!(target, SettingTarget::Order) {
            values.split('|').map(str::trim).collect()
        } else {
            listed(values)
        };
        let unit = unit(&target);
        if let [range] = words.as_slice()
            && let Some((from, to)) = range.split_once("..")
        {
            let Some(unit) = unit else {
                let text = format!(
                    "\"{text}\": {target} has no range; list its values, such as {}",
                    example(&target)
                );
                return Err(SweepError::input(text));
            };
            let points = points(text, unit, from, to)?;
            return Axis::along(Order { target, unit }, &points, answer);
        }
        let mut read = Vec::new();
        for word in words {
            let setting = target.value(word, answer)?;
            let label = match &setting {
                Setting::After(_, Latency::Drawn(drawn)) => drawn.to_string(),
                Setting::After(_, Latency::Fixed(span)) => span.in_seconds(),
                Setting::Order(order) => order.to_string(),
                Setting::Profile(_)
                | Setting::Knob(..)
                | Setting::Answer(..)
                | Setting::Fill(..)
                | Setting::AllOrders
                | Setting::Off(..) => word.to_owned(),
            };
            let at = unit.and_then(|unit| unit.read(word));
            read.push(AxisValue {
                label,
                settings: Arc::new([setting]),
                at,
            });
        }
        let order = unit.filter(|_| read.iter().all(|value| value.at.is_some()));
        let order = order.map(|unit| Order { target, unit });
        if order.is_some() {
            read.sort_by_key(|value| value.at);
            read.dedup_by_key(|value| value.at);
        }
        Ok(Axis {
            name: target.to_string(),
            values: read,
            target: Some(target),
            order,
        })
    }

    /// An axis of whole configurations next to each other, each a label and its settings.
    #[must_use]
    pub(super) fn of_configurations(configurations: Vec<(String, Settings)>) -> Axis {
        let value = |(label, settings)| AxisValue {
            label,
            settings,
            at: None,
        };
        let values = configurations.into_iter().map(value).collect();
        Axis {
            name: CONFIGURATION.to_owned(),
            values,
            target: None,
            order: None,
        }
    }

    fn along(
        order: Order,
        points: &[u64],
        answer: &mut ReadAnswer<'_>,
    ) -> Result<Axis, SweepError> {
        let value = |at: &u64| {
            let label = order.unit.write(*at);
            let setting = order.target.value(&label, answer)?;
            Ok(AxisValue {
                label,
                settings: Arc::new([setting]),
                at: Some(*at),
            })
        };
        let values = points
            .iter()
            .map(value)
            .collect::<Result<_, SweepError>>()?;
        Ok(Axis {
            name: order.target.to_string(),
            values,
            target: Some(order.target),
            order: Some(order),
        })
    }

    /// The same with each of all orders, if it is `order=all`.
    pub(super) fn with_orders(
        mut self,
        tags: impl FnOnce() -> Result<usize, SweepError>,
    ) -> Result<Axis, SweepError> {
        if !self.values.iter().any(AxisValue::is_all_orders) {
            return Ok(self);
        }
        let value = |order: TagOrder| AxisValue {
            label: order.to_string(),
            settings: Arc::new([Setting::Order(order)]),
            at: None,
        };
        self.values = TagOrder::all(tags()?)?.into_iter().map(value).collect();
        Ok(self)
    }

    /// Whether it has more than one value.
    #[must_use]
    pub fn has_several(&self) -> bool {
        self.len() > 1 || self.values.iter().any(AxisValue::is_all_orders)
    }

    /// Its name, such as `ad.timeout`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many values it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has no values; an axis that was read has at least one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl AxisValue {
    fn is_all_orders(&self) -> bool {
        self.settings.contains(&Setting::AllOrders)
    }
}

impl Order {
    /// The setting at a point of the scale.
    pub(super) fn setting(&self, at: u64) -> Result<Setting, SweepError> {
        let text = self.unit.write(at);
        self.target
            .value(&text, &mut |_| Err("a response has no order".to_owned()))
    }
}

/// Splits a list at its commas, except within brackets and between measured quantiles.
fn listed(text: &str) -> Vec<&str> {
    if text.starts_with('p') && text.contains('=') && !text.contains('(') {
        return vec![text];
    }
    let (mut words, mut depth, mut from) = (Vec::new(), 0u32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                words.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    words.push(text[from..].trim());
    words
}

/// The unit of a target's values, if they have an order.
fn unit(target: &SettingTarget) -> Option<Unit> {
    match target {
        SettingTarget::After(_) => Some(Unit::Us),
        SettingTarget::Fill(_) => Some(Unit::Millionths),
        SettingTarget::Knob(knob) => match (knob.takes)() {
            Takes::Length | Takes::Limit => Some(Unit::Us),
            Takes::Number => Some(Unit::Count),
            Takes::Words(_) | Takes::Form(_) => None,
        },
        SettingTarget::Profile
        | SettingTarget::Answer(_)
        | SettingTarget::Order
        | SettingTarget::Off(_) => None,
    }
}

/// Values to copy, for a target without an order.
fn example(target: &SettingTarget) -> String {
    match target {
        SettingTarget::Profile => {
            let names: Vec<&str> = Profile::ALL.iter().map(|profile| profile.name()).collect();
            format!("profile=default,ima (known are {})", names.join(", "))
        }
        SettingTarget::Knob(knob) => {
            let takes = (knob.takes)();
            let words: Vec<&str> = takes.words().iter().map(|(word, _)| *word).collect();
            let words = if words.is_empty() {
                knob.default()
            } else {
                words.join(",")
            };
            format!("{}={words}", knob.name)
        }
        SettingTarget::Answer(tag) => format!("{tag}.answer=empty,404,timeout"),
        SettingTarget::Order => "order=2,1,3|1,2,3".to_owned(),
        SettingTarget::Off(tag) => format!("{tag}.off=no,yes"),
        SettingTarget::After(_) | SettingTarget::Fill(_) => target.to_string(),
    }
}

/// The values of a range.
fn points(text: &str, unit: Unit, from: &str, to: &str) -> Result<Vec<u64>, SweepError> {
    let wrong = |why: &str| {
        SweepError::input(format!(
            "\"{text}\": {why}; write it like {}",
            unit.example()
        ))
    };
    let (to, step) = to
        .split_once('/')
        .map_or((to, None), |(to, step)| (to, Some(step.trim())));
    let read = |word: &str| {
        let word = word.trim();
        unit.read(word)
            .ok_or_else(|| wrong(&format!("\"{word}\" is not a value of this range")))
    };
    let (from, to) = (read(from)?, read(to)?);
    if from > to {
        return Err(wrong("the range must ascend"));
    }
    let step = match step {
        Some(step) => read(step)?,
        None => round_step((to - from).div_ceil(STEPS)),
    };
    if step == 0 {
        return Err(wrong("the step must be above 0"));
    }
    let count = (to - from) / step + 1;
    if count > MAX_VALUES as u64 {
        return Err(wrong(&format!(
            "these are {}, and {MAX_VALUES} are the most; take a larger step",
            words::counted(usize::try_from(count).unwrap_or(usize::MAX), "value")
        )));
    }
    let mut points: Vec<u64> = (0..count).map(|nth| from + nth * step).collect();
    // The end of the range is always a row.
    if points.last() != Some(&to) {
        points.push(to);
    }
    Ok(points)
}

/// The smallest of 1, 2, 5, 10, 20, 50, ... that is at least this.
fn round_step(least: u64) -> u64 {
    let mut power = 1u64;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if step >= least {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Axis, SweepError> {
        Axis::read(text, &mut |word| {
            Err(format!("\"{word}\" is not an answer"))
        })
    }

    fn labels(text: &str) -> Vec<String> {
        let axis = read(text).unwrap_or_else(|error| panic!("{error}"));
        axis.values.into_iter().map(|value| value.label).collect()
    }

    #[test]
    fn ranges_have_their_ends_and_their_steps() {
        assert_eq!(
            labels("ad.timeout=1s..2s/250ms"),
            ["1s", "1.25s", "1.5s", "1.75s", "2s"]
        );
        assert_eq!(
            labels("ad.timeout=1s..2s/400ms"),
            ["1s", "1.4s", "1.8s", "2s"]
        );
        assert_eq!(labels("tag2.after=0..3s").len(), 16);
        assert_eq!(labels("tag2.after=0..3s")[1], "0.2s");
        assert_eq!(labels("tag2.after=5ms..5ms"), ["0.005s"]);
        assert_eq!(labels("ad.max_wrappers=0..3"), ["0", "1", "2", "3"]);
        assert_eq!(labels("tag1.fill=0%..100%/50%"), ["0%", "50%", "100%"]);
    }

    #[test]
    fn lists_are_sorted_if_their_values_have_an_order() {
        assert_eq!(
            labels("ad.timeout=5s,1s,2s,1s"),
            ["5s", "1s", "2s"].map(String::from).to_vec().sorted()
        );
        assert_eq!(labels("profile=ima,default"), ["ima", "default"]);
        assert_eq!(labels("ad.hop_timeout=off,2s"), ["off", "2s"]);
        let drawn = "tag1.after=300ms,lognormal(300ms, 0.5),quantiles(p50=1s,p95=2s)";
        assert_eq!(
            labels(drawn),
            ["0.3s", "lognormal(0.3s, 0.5)", "quantiles(p50=1s, p95=2s)"]
        );
        assert_eq!(
            labels("tag1.after=p50=1s,p95=2s"),
            ["quantiles(p50=1s, p95=2s)"]
        );
    }

    trait Sorted {
        fn sorted(self) -> Self;
    }

    impl Sorted for Vec<String> {
        fn sorted(mut self) -> Vec<String> {
            self.sort();
            self
        }
    }

    #[test]
    fn a_mistake_is_named_with_a_form_to_copy() {
        for (text, why) in [
            ("ad.timeout", "such as ad.timeout=250ms..5s/250ms"),
            ("ad.timeout=", "no values"),
            ("ad.timeuot=1s", "did you mean \"ad.timeout\"?"),
            ("xyz=1s", "playsim rules --knobs"),
            (
                "ad.timeout=5s..1s",
                "must ascend; write it like 250ms..5s/250ms",
            ),
            ("ad.timeout=1s..5s/0", "the step must be above 0"),
            ("ad.timeout=1s..5", "\"5\" is not a value of this range"),
            ("ad.timeout=0..5s/1us", "10000 are the most"),
            ("ad.timeout=0s..1s,2s", "a duration such as 250ms"),
            ("timeupdate.period=2s", "15ms to 1s"),
            ("ad.timeout=uniform(1s,2s)", "a knob is not left to chance"),
            ("profile=imma", "did you mean \"ima\"?"),
            (
                "profile=default..ima",
                "list its values, such as profile=default,ima",
            ),
            ("macros=iab..obs", "list its values, such as macros="),
            ("tag0.after=1s", "tag1 is the first"),
            ("tag1.latency=1s", "tag1.after (its latency)"),
            ("tag1.after=300", "with its unit"),
            ("tag1.after=-1s", "must not be negative"),
            ("tag1.fill=60", "such as 60%"),
            ("tag1.fill=160%", "from 0% to 100%"),
            ("tag1.answer=nix", "\"nix\" is not an answer"),
            (
                "tag1.answer=1s..2s",
                "list its values, such as tag1.answer=empty,404,timeout",
            ),
        ] {
            match read(text) {
                Ok(axis) => panic!("{text}: {axis:?}"),
                Err(error) => assert!(error.to_string().contains(why), "{text}: {error}"),
            }
        }
    }
}
