//! What a choice does, when it may matter, and how it is said in words.

use std::sync::Arc;

use playsim_api::PlayerIndex;
use playsim_base::time::{Span, Time};
use playsim_scenario::{Scenario, Target};
use playsim_sim::{Pending, PendingWork, Simulation};

use super::{Action, Choice};

pub(super) const MICROSECOND: Span = Span::from_micros(1);

/// Does something at an instant that is not over, after what is due until then. Returns the place
/// of its line among the records; `None` if there is nothing to do.
pub(super) fn perform(
    scenario: &Scenario,
    run: &mut Simulation,
    at: Time,
    action: &Action,
    player: PlayerIndex,
) -> Option<usize> {
    let container = Arc::clone(run.container(player)?);
    if at > run.now() {
        run.run_until(Time::from_micros(at.micros().saturating_sub(1)));
    }
    let act = action.act(scenario, run, &container)?;
    let before = run.records().len();
    // A call that fails is an act without an effect.
    let seq = run
        .perform_at(act, Target::Container(container), at)
        .ok()?
        .seq;
    run.records()
        .iter()
        .skip(before.saturating_sub(1))
        .position(|record| record.seq == seq)
        .map(|place| place + before.saturating_sub(1))
}

/// Returns an act in words.
pub(super) fn word_of_act(
    run: &Simulation,
    at: Time,
    action: &Action,
    player: PlayerIndex,
) -> Choice {
    let container = run
        .container(player)
        .filter(|_| run.live_players().nth(1).is_some());
    let what = container.map_or_else(
        || action.to_string(),
        |container| format!("{action} ({container})"),
    );
    Choice {
        at,
        is_act: true,
        what,
    }
}

/// Returns what the world will do, by its number.
pub(super) fn pending(run: &Simulation, number: u32) -> Option<Pending> {
    let mut all = run.pending().into_iter();
    all.find(|pending| pending.number == number)
}

/// Returns in words that something pending comes at another time.
pub(super) fn word_of_move(pending: &Pending, to: Time) -> Choice {
    let (due, what) = (pending.due, work_word(&pending.work));
    let how = if to < due {
        format!("{} s earlier", due - to)
    } else {
        format!("{} s later", to - due)
    };
    Choice {
        at: to,
        is_act: false,
        what: format!("{what} comes {how}"),
    }
}

/// Returns something that the world does in words.
pub(super) fn work_word(work: &PendingWork) -> String {
    match work {
        PendingWork::Response { url, purpose, .. } => format!("{} {url}", purpose.name()),
        PendingWork::Step(number) => format!("step {}", number + 1),
    }
}
