//! Effects of record edits on players.

use playsim::Trace;
use playsim::api::Kind;

use super::Absence;
use super::support::{events, expect, film, list, play, still};

pub(super) const ALL: &[Absence] = &[
    Absence {
        name: "an edit takes effect when the item is loaded again",
        rules: &["META-2", "EDIT-62", "EDIT-50", "EDIT-59"],
        check: next_load,
    },
    Absence {
        name: "an edit to monetize 0 leaves the item without ads",
        rules: &["EDIT-53"],
        check: monetize,
    },
    Absence {
        name: "an age gate is stored without effect",
        rules: &["EDIT-57"],
        check: age_gate,
    },
];

/// The values that a getter returned, in order.
fn read_of(trace: &Trace, name: &str) -> Vec<String> {
    let reads = trace.records.iter().filter(|record| &*record.name == name);
    reads
        .filter_map(|record| record.data.get("returns"))
        .map(ToString::to_string)
        .collect()
}

fn next_load() -> Result<(), String> {
    let edit = "edit: { id: v1, fields: { name: New, \"Chapter[timestamp][]\": [\"0.5\"], \"Chapter[title][]\": [Late] } }";
    let steps = format!(
        "{{ at: 1s, {edit} }}\n{{ at: 1s, read: [getTitle, currentChapter] }}\n{{ at: 1s, do: next }}\n\
         {{ at: 1s, do: previous }}\n{{ at: 2s, read: [getTitle, currentChapter] }}"
    );
    let titles = |trace: &_| read_of(trace, "getTitle").join(" ");
    let trace = play(&list("", &steps));
    expect(
        titles(&trace) == "\"One\" \"New\"",
        "the title of the record after the next load",
        &trace,
    )?;
    let chapters = read_of(&trace, "currentChapter").join(" ");
    expect(
        chapters.contains("\"A\"") && chapters.ends_with("\"end\":3}") && chapters.contains("Late"),
        "its chapters",
        &trace,
    )?;
    let live = play(&list("knobs: { record.live_update: on }", &steps));
    expect(
        titles(&live) == "\"New\" \"New\"",
        "the title at once, by knob",
        &live,
    )?;
    let unseen = play(&film(&format!(
        "{{ at: 1s, {edit} }}\n{{ at: 2s, read: getTitle }}"
    )));
    expect(
        titles(&unseen) == "\"One\"",
        "the title of the load",
        &unseen,
    )
}

fn monetize() -> Result<(), String> {
    let world = "player: { ads: [{ adType: 0, mobile: [https://ads.test/a] }] }\nnetwork: { https://ads.test/a: { text: \"<VAST version='4.2'/>\" } }";
    let steps = "{ at: 1s, edit: { id: v1, fields: { monetize: \"0\" } } }\n{ at: 1s, do: next }\n{ at: 2s, do: previous }\n{ at: 2s, do: stop }";
    let trace = play(&list(world, steps));
    let asked = events(&trace)
        .iter()
        .filter(|name| **name == "requestAd")
        .count();
    expect(
        asked == 2,
        "two requests: for v1 before the edit, and for v2",
        &trace,
    )
}

fn age_gate() -> Result<(), String> {
    let trace = |edit: &str| play(&still("", &format!("{edit}{{ at: 1s, do: play }}")));
    let with = trace("{ at: 0s, edit: { id: v1, fields: { age_gate_id: \"3\" } } }\n");
    let without = trace("");
    let seen = |trace: &Trace| {
        let lines = trace
            .records
            .iter()
            .filter(|record| record.kind != Kind::Edit);
        lines
            .map(|record| (record.at, record.kind, record.name.clone()))
            .skip(1)
            .collect::<Vec<_>>()
    };
    let is_edited = with.records.iter().any(|record| record.kind == Kind::Edit);
    expect(
        is_edited && seen(&with) == seen(&without),
        "the same lines",
        &with,
    )
}
