//! Rules CLK: time and order.

use super::{Row, chosen, html};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "assumed: reproducible traces",
        "Time on the clock is a whole number of microseconds since the run began. Wall clock, monotonic \
         clock, addresses, hash order and locale are never consulted.",
    ),
    chosen(
        2,
        "assumed: an answer right at its deadline is in time",
        "One agenda holds all waiting work, sorted by time, then class, then order of insertion. At equal \
         time the classes go NET (answers of the network), MEDIA (position and data), TIMER (waits and \
         time-outs), ACTION (scenario steps).",
    )
    .knob("tie.order"),
    chosen(
        3,
        "assumed, as real players derive these in their time handler",
        "MEDIA work of one instant has a fixed order: changes of data state, `timeupdate`, chapter \
         change, ad quartiles, `lastSecond`, overlay start and end, mid-roll cue point, end of media. The \
         end's own `timeupdate` is part of the end.",
    ),
    html(
        4,
        "html",
        "A task without delay stays in its instant: it comes after the tasks already queued there and \
         ahead of whatever the agenda holds next.",
    ),
    chosen(
        5,
        "assumed; INV-2",
        "How the clock is advanced does not matter: one big step and many small ones of the same sum give \
         one and the same trace.",
    ),
    chosen(
        6,
        "assumed",
        "An instant may hold at most `limit.tasks_per_instant` tasks (100000). One more ends the run as \
         `livelock`, with the last 32 causes listed.",
    )
    .knob("limit.tasks_per_instant"),
    chosen(
        7,
        "assumed: stopping must not look like hanging",
        "Every run ends under a name: `idle` (nothing left that could change state), `until` (the asked \
         time is reached), `livelock` or `limit`. Failed expectations are judged on the finished trace \
         and are not an outcome.",
    ),
    chosen(
        8,
        "assumed",
        "Chance enters only through knobs that ask for jitter. The scenario's seed feeds one separate \
         stream per named source, so that a new source leaves the others as they were.",
    )
    .knob("seed"),
    chosen(
        9,
        "assumed: JSON has neither",
        "Seconds are shown as decimals of at most six places without trailing zeros. In a trace an \
         unknown duration or not-a-number is `null`, and positive infinity is the text `Infinity`.",
    ),
    chosen(
        10,
        "assumed",
        "Calendar time (publish dates, timestamp macros of ad tags) counts from `epoch`, the UTC date \
         that stands for time 0, by default 2000-01-01T00:00:00Z.",
    )
    .knob("epoch, epoch.zone"),
    chosen(
        11,
        "assumed: debugging, shrinking of fuzz cases",
        "A run can be halted at any agenda entry, looked into and continued; a snapshot of the state \
         taken there goes on to the same trace.",
    ),
];
