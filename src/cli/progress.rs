//! A progress line for work that takes longer than half a second.
//!
//! It is drawn on standard error if that is a terminal, and wiped away at the end. Nothing is ever
//! written elsewhere.

#![expect(clippy::disallowed_types, reason = "a person waits in real time")]

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::output::is_dumb;
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};

/// How long work may take before its progress is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// The progress of one piece of work; any thread may tell it how much is done.
pub(super) struct Progress {
    what: &'static str,
    form: String,
    begin: Instant,
    is_shown: bool,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// Begins the work; `what` is its name on the line.
    pub(super) fn of(what: &'static str) -> Progress {
        Progress::in_form(
            what,
            "{msg} {wide_bar} {human_pos} of {human_len}, {left} left".to_owned(),
        )
    }

    /// Begins work whose end is not known: only counts what is done, in pieces of this name.
    pub(super) fn counting(what: &'static str, pieces: &str) -> Progress {
        Progress::in_form(
            what,
            format!("{{msg}}: {{human_pos}} {pieces} in {{elapsed}}, {{rate}}"),
        )
    }

    fn in_form(what: &'static str, form: String) -> Progress {
        let is_shown = io::stderr().is_terminal() && !is_dumb();
        Progress {
            what,
            form,
            begin: Instant::now(),
            is_shown,
            bar: OnceLock::new(),
        }
    }

    /// Says how much is done of work whose end is not known.
    pub(super) fn count(&self, done: u64) {
        self.tell(done, u64::MAX);
    }

    /// Says how much of how much is done.
    pub(super) fn tell(&self, done: u64, all: u64) {
        if !self.is_shown || self.begin.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template(&self.form).expect("the form is valid");
            let style = style.with_key("rate", rate).with_key("left", left);
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            bar.with_style(style)
                .with_message(self.what)
                .with_elapsed(self.begin.elapsed())
        });
        // Threads may tell their counts out of order.
        if done > bar.position() {
            bar.set_position(done);
        }
    }
}

/// How many are done in a second, on average. The estimate of the library takes the first count,
/// which comes late, for the work of an instant, and needs 15 seconds to recover.
fn rate(state: &ProgressState, sink: &mut dyn Write) {
    let rate = u128::from(state.pos()) * 1_000 / state.elapsed().as_millis().max(1);
    let _ = write!(
        sink,
        "{}/s",
        HumanCount(u64::try_from(rate).unwrap_or(u64::MAX))
    );
}

/// How long the rest takes at the average rate.
fn left(state: &ProgressState, sink: &mut dyn Write) {
    let done = u128::from(state.pos().max(1));
    let rest = u128::from(state.len().unwrap_or_default()).saturating_sub(done);
    let millis = state.elapsed().as_millis().saturating_mul(rest) / done;
    let left = Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX));
    let _ = write!(sink, "{:#}", HumanDuration(left));
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
