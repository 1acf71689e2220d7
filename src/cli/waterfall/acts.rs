//! What a person does while an ad of `playsim waterfall` is shown, as steps of its scenario.

use std::str::FromStr;

use playsim::api::{Act, EventName};
use playsim::scenario::{Step, StepAct, Target, Trigger};
use playsim::time::Span;

use crate::cli::failure::Invalid;

/// Acts of a person during each ad. Their times count from its start.
#[derive(Debug, clap::Args)]
pub(super) struct Acts {
    /// Skip each ad this long after its start, if it can be skipped by then; may be repeated, to
    /// try again
    #[arg(long, value_name = "TIME")]
    skip: Vec<Span>,
    /// Click on each ad this long after its start, which pauses it, and resume it at the end of the
    /// range, such as 2s..9s; may be repeated
    #[arg(long, value_name = "TIME[..TIME]")]
    click: Vec<Range>,
    /// Pause each ad this long after its start, and resume it at the end of the range, such as
    /// 3s..5s; without an end it stays paused; may be repeated
    #[arg(long, value_name = "TIME[..TIME]")]
    pause: Vec<Range>,
    /// Mute each ad at its start or this long after it, and unmute it at the end of the range; may
    /// be repeated
    #[arg(long, value_name = "TIME[..TIME]", num_args = 0..=1, default_missing_value = "0s", value_parser = mute)]
    mute: Vec<Range>,
}

/// A time, and when what began there ends, if it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    from: Span,
    to: Option<Span>,
}

impl Acts {
    /// Returns the steps of the scenario, in the order of their times.
    pub(super) fn steps(&self) -> Vec<Step> {
        let both = |ranges: &[Range], begin: Act, end: Act| -> Vec<(Span, Act)> {
            let acts = ranges.iter().flat_map(|range| {
                let end = range.to.map(|to| (to, end.clone()));
                [(range.from, begin.clone())].into_iter().chain(end)
            });
            acts.collect()
        };
        let mut acts = [
            both(&self.mute, Act::Mute, Act::Unmute),
            both(&self.pause, Act::Pause, Act::Play),
            both(&self.click, Act::Click(None), Act::Play),
            self.skip.iter().map(|time| (*time, Act::Skip)).collect(),
        ]
        .concat();
        acts.sort_by_key(|(time, _)| *time);
        let step = |(after, act)| {
            let trigger = Trigger::On {
                event: EventName::AdStart,
                nth: None,
                after: Some(after),
            };
            Step {
                trigger,
                act: StepAct::User(act),
                player: Target::First,
            }
        };
        acts.into_iter().map(step).collect()
    }
}

impl FromStr for Range {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Range, Invalid> {
        let time = |word: &str| {
            word.parse::<Span>()
                .map_err(|error| Invalid(format!("{error}, or a range, like 3s..5s")))
        };
        let Some((from, to)) = text.split_once("..") else {
            return Ok(Range {
                from: time(text)?,
                to: None,
            });
        };
        let range = Range {
            from: time(from)?,
            to: Some(time(to)?),
        };
        if range.to.is_some_and(|to| to <= range.from) {
            return Err(Invalid(
                "it must end after it begins, like 3s..5s".to_owned(),
            ));
        }
        Ok(range)
    }
}

/// Parses the value of `--mute`, which takes the next argument for its own if there is one.
fn mute(word: &str) -> Result<Range, Invalid> {
    word.parse().map_err(|Invalid(why)| {
        Invalid(format!(
            "{why}; to mute each ad from its start, write --mute=0s or put --mute at the end"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_one_time_or_two_in_their_order() {
        let range = |from, to: Option<u64>| Range {
            from: Span::from_secs(from),
            to: to.map(Span::from_secs),
        };
        assert_eq!("3s..5s".parse(), Ok(range(3, Some(5))));
        assert_eq!("3s".parse(), Ok(range(3, None)));
        for text in ["5s..3s", "3s..3s", "3s..", "..5s", "3s-5s", "ad.xml", ""] {
            assert!(text.parse::<Range>().is_err(), "{text}");
        }
    }
}
