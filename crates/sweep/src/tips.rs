//! Tipping points: the exact values between two rows at which the outcome changes, found by
//! bisection.

use super::SweepError;
use super::summary::RunOutcome;

/// The maximum number of tipping points that are found between two rows.
pub const MAX_TIPS: usize = 16;

/// The first value with a new outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tip {
    pub(super) at: u64,
    /// The outcome of the value just below.
    pub(super) before: RunOutcome,
    pub(super) after: RunOutcome,
}

/// A tipping point between two rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Found {
    pub(super) tips: Vec<Tip>,
    /// How many values were tried.
    pub(super) tried: u64,
    /// Whether there were more than [`MAX_TIPS`].
    pub(super) is_cut: bool,
}

/// Finds the tipping points between two values and their outcomes.
///
/// If both outcomes are equal, only the middle value is tried, so a different outcome that does not
/// include the middle is missed. If they differ, the first change is found by bisection, then the
/// next one, until the outcome equals that of the upper value.
pub(super) fn between(
    low: (u64, &RunOutcome),
    high: (u64, &RunOutcome),
    outcome: &mut dyn FnMut(u64) -> Result<RunOutcome, SweepError>,
) -> Result<Found, SweepError> {
    let mut found = Found::default();
    let middle = low.0 + (high.0 - low.0) / 2;
    if low.1.is_like(high.1) {
        if middle == low.0 {
            return Ok(found);
        }
        found.tried += 1;
        let other = outcome(middle)?;
        if other.is_like(low.1) {
            return Ok(found);
        }
        search(low, (middle, &other), outcome, &mut found)?;
        search((middle, &other), high, outcome, &mut found)?;
        return Ok(found);
    }
    search(low, high, outcome, &mut found)?;
    Ok(found)
}

fn search(
    low: (u64, &RunOutcome),
    high: (u64, &RunOutcome),
    outcome: &mut dyn FnMut(u64) -> Result<RunOutcome, SweepError>,
    found: &mut Found,
) -> Result<(), SweepError> {
    let (mut at, mut now) = (low.0, low.1.clone());
    while !now.is_like(high.1) {
        if found.tips.len() == MAX_TIPS {
            found.is_cut = true;
            return Ok(());
        }
        // `same` has the outcome `now`, `other` does not.
        let (mut same, mut before) = (at, now.clone());
        let (mut other, mut after) = (high.0, high.1.clone());
        while other - same > 1 {
            let middle = same + (other - same) / 2;
            found.tried += 1;
            let tried = outcome(middle)?;
            if tried.is_like(&now) {
                (same, before) = (middle, tried);
            } else {
                (other, after) = (middle, tried);
            }
        }
        found.tips.push(Tip {
            at: other,
            before,
            after: after.clone(),
        });
        (at, now) = (other, after);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tag::TagNumber;
    use super::*;

    /// An outcome that is identified by a number.
    fn outcome(number: u32) -> RunOutcome {
        RunOutcome {
            filled_by: TagNumber::new(number).into_iter().collect(),
            ..RunOutcome::default()
        }
    }

    fn tips(low: u64, high: u64, function: fn(u64) -> u32) -> (Vec<u64>, u64) {
        let found = between(
            (low, &outcome(function(low))),
            (high, &outcome(function(high))),
            &mut |at| Ok(outcome(function(at))),
        );
        let found = found.expect("nothing fails");
        for tip in &found.tips {
            assert_eq!(tip.before, outcome(function(tip.at - 1)));
            assert_eq!(tip.after, outcome(function(tip.at)));
        }
        (found.tips.iter().map(|tip| tip.at).collect(), found.tried)
    }

    #[test]
    fn one_change_is_found_exactly() {
        let (at, tried) = tips(0, 5_000_000, |at| u32::from(at >= 2_600_000));
        assert_eq!(at, [2_600_000]);
        assert!(tried <= 23, "{tried}");
        assert_eq!(tips(0, 1, |at| u32::from(at >= 1)).0, [1]);
    }

    #[test]
    fn several_changes_are_found_one_after_the_other() {
        assert_eq!(
            tips(0, 100, |at| if at < 10 {
                0
            } else if at < 90 {
                1
            } else {
                2
            })
            .0,
            [10, 90]
        );
        // A different outcome around the middle only.
        assert_eq!(
            tips(0, 100, |at| u32::from((40..70).contains(&at))).0,
            [40, 70]
        );
        // A short range away from the middle is missed, as documented.
        assert_eq!(tips(0, 100, |at| u32::from(at == 3)), (Vec::new(), 1));
        assert_eq!(
            tips(0, 200, |at| u32::try_from(at).unwrap_or(0)).0.len(),
            MAX_TIPS
        );
    }
}
