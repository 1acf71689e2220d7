//! Which rules a trace exercises: those on its lines, and some that leave no line with their ID.

use std::collections::BTreeSet;

use playsim::api::Kind;
use playsim::rules::RuleId;
use playsim::trace::{Record, Trace};

/// Returns whether a trace exercises a rule.
pub(super) fn is_exercised(rule: RuleId, trace: &Trace) -> bool {
    let word = rule.to_string();
    trace.records.iter().any(|record| record.rule == Some(rule))
        || WITHOUT_LINES
            .iter()
            .any(|it| it.rule == word && (it.is_shown)(trace))
}

/// A rule that leaves no line with its ID.
struct WithoutLine {
    rule: &'static str,
    /// Whether a trace exercises it.
    is_shown: fn(&Trace) -> bool,
}

const WITHOUT_LINES: &[WithoutLine] = &[
    // Several trackers at one instant, impressions among them.
    WithoutLine {
        rule: "ADX-7",
        is_shown: |it| {
            lines(it, Kind::Beacon, "impression") > 0 && lines(it, Kind::Beacon, "start") > 0
        },
    },
    // A tag that fills with several ads.
    WithoutLine {
        rule: "BRK-9",
        is_shown: |it| lines(it, Kind::Ad, "fill") > lines(it, Kind::Event, "requestAd"),
    },
    // Content goes on after a break, and `play` has fired once.
    WithoutLine {
        rule: "BRK-18",
        is_shown: |it| !cues(it).is_empty() && lines(it, Kind::Event, "play") == 1,
    },
    WithoutLine {
        rule: "CUE-1",
        is_shown: |it| !cues(it).is_empty(),
    },
    // A part of the content is played again, and no cue point has two breaks.
    WithoutLine {
        rule: "CUE-4",
        is_shown: |it| {
            let again = lines(it, Kind::Event, "seeked") > 0 || lines(it, Kind::Event, "ended") > 1;
            again
                && !cues(it).is_empty()
                && cues(it).iter().collect::<BTreeSet<_>>().len() == cues(it).len()
        },
    },
    // An earlier cue point after a later one.
    WithoutLine {
        rule: "CUE-6",
        is_shown: |it| !cues(it).is_sorted(),
    },
    WithoutLine {
        rule: "CUE-8",
        is_shown: |it| begins(it).any(|line| line.data.integer("pods") > Some(1)),
    },
    // Eight digits in the place of the macro.
    WithoutLine {
        rule: "MAC-2",
        is_shown: |it| {
            let called = it
                .records
                .iter()
                .filter(|record| record.kind == Kind::Beacon);
            let mut filled = called.filter_map(|record| record.data.text("url")?.split_once("cb="));
            filled.any(|(_, value)| {
                value.len() == 8 && value.bytes().all(|digit| digit.is_ascii_digit())
            })
        },
    },
    WithoutLine {
        rule: "PRE-3",
        is_shown: |it| {
            begins(it)
                .filter(|line| line.rule.is_some_and(|rule| rule.to_string() == "PRE-1"))
                .count()
                > 1
        },
    },
    WithoutLine {
        rule: "VMAP-3",
        is_shown: |it| {
            begins(it)
                .filter(|line| line.data.get("vmap").is_some())
                .count()
                > 1
        },
    },
];

/// The number of lines of this kind and name.
pub(super) fn lines(trace: &Trace, kind: Kind, name: &str) -> usize {
    trace
        .records
        .iter()
        .filter(|record| record.kind == kind && *record.name == *name)
        .count()
}

/// The first lines of the breaks.
fn begins(trace: &Trace) -> impl Iterator<Item = &Record> {
    trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Break && &*record.name == "begin")
}

/// The cue points of the breaks in the content, in whole seconds, in the order of the breaks.
fn cues(trace: &Trace) -> Vec<i64> {
    begins(trace)
        .filter_map(|line| line.data.integer("cue"))
        .collect()
}
