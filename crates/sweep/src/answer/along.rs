//! The answer where one thing with an order is varied and nothing is random: how far it can go
//! without losing the fill.

use super::{fills, sentence};
use crate::axis::Unit;
use crate::setting::{SettingSource, SettingTarget};
use crate::summary::RunOutcome;
use crate::table::{Table, Varied};
use playsim_base::number::Decimal;

/// The most stretches that are listed.
const MOST: usize = 6;

/// Values next to each other with the same outcome.
#[derive(Debug)]
struct Stretch<'t> {
    from: u64,
    to: u64,
    /// The outcome of its first value.
    outcome: &'t RunOutcome,
}

/// A varied setting, and the outcomes along it.
struct Along<'t> {
    table: &'t Table,
    varied: &'t Varied,
    unit: Unit,
    stretches: Vec<Stretch<'t>>,
    now: &'t RunOutcome,
}

/// Writes the answer; nothing if the values have no order.
pub(super) fn of(table: &Table, varied: &Varied, now: &RunOutcome) -> Vec<String> {
    let Some(unit) = varied.unit else {
        return Vec::new();
    };
    let Some(stretches) = stretches(table, varied) else {
        return Vec::new();
    };
    let along = Along {
        table,
        varied,
        unit,
        stretches,
        now,
    };
    let here = varied.now_point.and_then(|at| {
        let is_here = |it: &Stretch<'_>| (it.from..=it.to).contains(&at);
        // A value beyond the ends that has their outcome: where the outcome changes is known
        // anyway.
        let last = along.stretches.len() - 1;
        let end = if at < along.stretches[0].from {
            0
        } else {
            last
        };
        let here = along.stretches.iter().position(is_here).unwrap_or(end);
        // Between two rows a short stretch may be unseen.
        along.stretches[here]
            .outcome
            .is_like(now)
            .then_some((here, at))
    });
    let parts = match here {
        _ if along.stretches.len() == 1 => along.same(),
        Some(_) if now.is_unknown() => along.list(),
        Some((here, at)) if now.is_filled() => along.keeping(here, at),
        Some((here, at)) => along.wanting(here, at),
        None => along.list(),
    };
    parts.iter().map(|part| sentence(part)).collect()
}

fn stretches<'t>(table: &'t Table, varied: &Varied) -> Option<Vec<Stretch<'t>>> {
    let first = (*varied.points.first()?)?;
    let last = (*varied.points.last()?)?;
    let mut stretches = vec![Stretch {
        from: first,
        to: last,
        outcome: table.rows.first()?.outcome.as_ref()?,
    }];
    for tip in &table.tipping_points {
        if let Some(before) = stretches.last_mut() {
            before.to = tip.point.saturating_sub(1);
        }
        stretches.push(Stretch {
            from: tip.point,
            to: last,
            outcome: &tip.after,
        });
    }
    Some(stretches)
}

/// The varied setting in words, unless it is a latency.
pub(super) fn noun(name: &str) -> String {
    match name.strip_suffix(".fill") {
        _ if name == "ad.timeout" => "the timeout".to_owned(),
        Some(tag) => format!("the fill rate of {tag}"),
        None => name.to_owned(),
    }
}

impl Along<'_> {
    fn value(&self, at: u64) -> String {
        self.unit.words(at)
    }

    fn ends(&self) -> (String, String) {
        let ends = (self.stretches.first(), self.stretches.last());
        let at = |it: Option<u64>| it.map(|at| self.value(at)).unwrap_or_default();
        (at(ends.0.map(|it| it.from)), at(ends.1.map(|it| it.to)))
    }

    /// Of a latency: whose it is.
    fn whose(&self) -> Option<String> {
        let Ok(SettingTarget::After(source)) = SettingTarget::read(&self.varied.name) else {
            return None;
        };
        Some(match source {
            SettingSource::Hop(tag, hop) => format!("hop {hop} of {tag}"),
            SettingSource::Wrappers => "a document behind a wrapper".to_owned(),
            SettingSource::Media => "a media file".to_owned(),
            SettingSource::Tag(tag) => tag.to_string(),
        })
    }

    fn noun(&self) -> String {
        self.whose().map_or_else(
            || noun(&self.varied.name),
            |whose| format!("the latency of {whose}"),
        )
    }

    /// The outcome is the same everywhere.
    fn same(&self) -> Vec<String> {
        let (from, to) = self.ends();
        let noun = self.noun();
        if self.stretches[0].outcome.is_unknown() {
            return vec![format!(
                "whatever {noun} is from {from} to {to}, {}",
                fills(self.stretches[0].outcome)
            )];
        }
        if !self.stretches[0].outcome.is_filled() {
            return vec![format!("no value of {noun} from {from} to {to} fills")];
        }
        let by = fills(self.stretches[0].outcome);
        let frames = || {
            self.table
                .rows
                .iter()
                .filter_map(|row| row.outcome.as_ref()?.first_frame)
        };
        let is_same = frames().all(|frame| Some(frame) == frames().next());
        let other = if is_same { "" } else { ", except to times" };
        vec![format!(
            "{noun} makes no difference from {from} to {to}{other}: {by}"
        )]
    }

    /// The stretches with their outcomes, when no value is in force.
    fn list(&self) -> Vec<String> {
        let parts = self.stretches.iter().take(MOST);
        let parts =
            parts.map(|it| format!("from {} on {}", self.value(it.from), fills(it.outcome)));
        let mut parts: Vec<String> = parts.collect();
        if self.stretches.len() > MOST {
            parts.push(format!("and {} more changes", self.stretches.len() - MOST));
        }
        vec![format!("by {}: {}", self.noun(), parts.join("; "))]
    }

    /// How far it can go without losing the fill.
    fn keeping(&self, here: usize, at: u64) -> Vec<String> {
        // The limit of a tag is that of its own fill: another tag that fills in its place does not
        // count.
        let is_same =
            |it: &Stretch<'_>| self.whose().is_none() || it.outcome.filled_by == self.now.filled_by;
        let keeps = |it: &Stretch<'_>| {
            !it.outcome.is_unknown()
                && it.outcome.breaks_filled >= self.now.breaks_filled
                && is_same(it)
        };
        let low = here
            - self.stretches[..here]
                .iter()
                .rev()
                .take_while(|it| keeps(it))
                .count();
        let high = here
            + self.stretches[here + 1..]
                .iter()
                .take_while(|it| keeps(it))
                .count();
        let below = low.checked_sub(1).map(|below| &self.stretches[below]);
        let above = self.stretches.get(high + 1);
        let mut said = match self.whose() {
            Some(whose) => self.may_take(&whose, (low, high), at),
            None => self.can_lower((low, high), at),
        };
        if self.whose().is_some() {
            said.extend(below.map(|it| {
                format!(
                    "below {} {}",
                    self.value(self.stretches[low].from),
                    fills(it.outcome)
                )
            }));
        } else if let Some(above) = above {
            let word = if above.outcome.is_unknown() {
                "beyond"
            } else {
                "above"
            };
            said.push(format!(
                "{word} {} {}",
                self.value(self.stretches[high].to),
                fills(above.outcome)
            ));
        }
        let others = self.stretches[low..=high].windows(2);
        let others = others.filter(|pair| pair[0].outcome.filled_by != pair[1].outcome.filled_by);
        said.extend(others.take(MOST).map(|pair| {
            let (from, after, before) = (
                self.value(pair[1].from),
                fills(pair[1].outcome),
                fills(pair[0].outcome),
            );
            format!("from {from} on {after}, below that {before}")
        }));
        said
    }

    fn can_lower(&self, (low, _): (usize, usize), at: u64) -> Vec<String> {
        let (noun, now) = (self.noun(), self.value(at));
        let least = &self.stretches[low];
        let below = low
            .checked_sub(1)
            .map(|below| fills(self.stretches[below].outcome));
        if least.from == at {
            return vec![match below {
                Some(below) => {
                    format!("you cannot lower {noun} below {now} without losing the fill: {below}")
                }
                None => format!(
                    "{noun} is at the lowest value that was played, {now}: {}",
                    fills(self.now)
                ),
            }];
        }
        let below = below.map_or("lower values were not played".to_owned(), |below| {
            format!("below that {below}")
        });
        let from = self.value(least.from);
        let mut said = vec![format!(
            "you can lower {noun} from {now} to {from} without losing the fill; {below}"
        )];
        if let (Some(then), Some(now)) = (least.outcome.first_frame, self.now.first_frame)
            && then.after_us != now.after_us
        {
            let [then, now] = [then, now].map(|frame| Decimal::seconds(frame.after_us));
            said.push(format!(
                "at {from} the first frame comes after {then} s in place of {now} s"
            ));
        }
        said
    }

    fn may_take(&self, whose: &str, (_, high): (usize, usize), at: u64) -> Vec<String> {
        let (now, most) = (self.value(at), self.value(self.stretches[high].to));
        let still = fills(self.now).replacen(" fill", " still fill", 1);
        vec![match self.stretches.get(high + 1) {
            Some(above) => {
                let then = fills(above.outcome);
                format!(
                    "{whose} may take up to {most} in place of {now}, and {still}; beyond that {then}"
                )
            }
            None => format!(
                "{whose} may take {most}, the longest that was played, in place of {now}, and {still}"
            ),
        }]
    }

    /// Where it would fill, or fill more breaks than now.
    fn wanting(&self, here: usize, at: u64) -> Vec<String> {
        let (noun, now) = (self.noun(), self.value(at));
        let is_better = |it: &&Stretch<'_>| {
            !it.outcome.is_unknown() && it.outcome.breaks_filled > self.now.breaks_filled
        };
        let above = self.stretches[here + 1..].iter().find(is_better);
        let below = self.stretches[..here].iter().rev().find(is_better);
        let mut said = Vec::new();
        if let Some(it) = below {
            let (to, by) = (self.value(it.to), fills(it.outcome));
            said.push(match self.whose() {
                Some(whose) => {
                    format!("{whose} has to answer within {to} in place of {now}: then {by}")
                }
                None => format!("with {noun} lowered from {now} to {to}, {by}"),
            });
        }
        if let Some(it) = above {
            let (from, by) = (self.value(it.from), fills(it.outcome));
            said.push(format!("with {noun} raised from {now} to {from}, {by}"));
        }
        if said.is_empty() {
            let (from, to) = self.ends();
            said.push(
                match self.stretches.iter().find(|it| it.outcome.is_unknown()) {
                    Some(it) if it.from > 0 => {
                        let known = self.value(it.from - 1);
                        format!(
                            "up to {known} {}, whatever {noun} is; beyond that {}",
                            fills(self.now),
                            fills(it.outcome)
                        )
                    }
                    _ => format!("no value of {noun} from {from} to {to} fills more than now"),
                },
            );
        } else if let Some(it) = self.stretches.iter().find(|it| it.outcome.is_unknown()) {
            said.push(format!(
                "beyond {} {}",
                self.value(it.from.saturating_sub(1)),
                fills(it.outcome)
            ));
        }
        said
    }
}
