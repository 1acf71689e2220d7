//! Pages made by hand: with a comparison, hostile text, nothing at all, and far too much.

use playsim::report::comparison::{
    ComparedStep, Pixel, ProductComparison, Seen, SeenOutcome, StepKind, StepVerdict,
};
use playsim::report::page::ReportPage;
use playsim::report::waterfall::Waterfalls;
use playsim::trace::{Trace, read_jsonl};
use playsim::vast::TrackedEvent;

use super::{played, written};

/// All samples with their names, except for the long one.
pub(super) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("comparison", compared()),
        ("hostile", hostile()),
        ("empty", empty()),
    ]
}

/// A waterfall with a comparison.
pub(super) fn compared() -> String {
    let (scenario, trace) = played("cli/waterfall.yaml");
    let waterfalls = Waterfalls::of_played(&trace, &scenario);
    let comparison = comparison();
    let page = ReportPage::new(&trace)
        .with_waterfalls(&waterfalls)
        .with_documents(&scenario);
    let page = page.with_comparison(&comparison);
    written(&page.with_command("playsim waterfall session.har --format html"))
}

/// A trace of no lines but the last.
fn empty() -> String {
    written(&ReportPage::new(&trace(
        "{\"t\":0,\"seq\":0,\"kind\":\"outcome\",\"name\":\"idle\"}",
    )))
}

fn trace(lines: &str) -> Trace {
    read_jsonl("a.jsonl", lines).expect("it is a trace")
}

/// A trace and a comparison whose strings are all hostile.
pub(super) fn hostile() -> String {
    let text = "</script><b>owned</b>\u{1b}[2J\u{202e}\"'>&amp;\n";
    let quoted = serde_json::to_string(text).expect("it is a string");
    let lines = [
        format!(
            "\"kind\":\"break\",\"name\":\"begin\",\"data\":{{\"kind\":{quoted},\"why\":{quoted},\"vmap\":{{\"id\":{quoted}}},\"waterfalls\":[[{quoted}]]}}"
        ),
        format!(
            "\"kind\":\"net\",\"name\":\"request\",\"data\":{{\"id\":1,\"url\":{quoted},\"purpose\":{quoted},\"wp\":0,\"pod\":0,\"hop\":0}}"
        ),
        format!(
            "\"kind\":\"net\",\"name\":\"failed\",\"data\":{{\"id\":1,\"url\":{quoted},\"how\":{quoted}}},\"cause\":2"
        ),
        format!(
            "\"kind\":\"ad\",\"name\":\"no-fill\",\"data\":{{\"wp\":0,\"pod\":0,\"code\":301,\"why\":{quoted},\"at\":{quoted}}},\"cause\":3"
        ),
        format!(
            "\"kind\":\"beacon\",\"name\":{quoted},\"data\":{{\"url\":{quoted},\"ad\":{quoted}}},\"cause\":4"
        ),
        format!("\"kind\":\"event\",\"name\":{quoted},\"data\":{{{quoted}:{quoted}}},\"cause\":4"),
    ];
    let lines: Vec<String> = (1..)
        .zip(&lines)
        .map(|(seq, rest)| format!("{{\"t\":{seq}00000,\"seq\":{seq},\"player\":{quoted},{rest}}}"))
        .collect();
    let trace = trace(&lines.join("\n"));
    let mut comparison = comparison();
    comparison.recording = text.to_owned();
    for step in &mut comparison.steps {
        (step.name, step.note) = (text.to_owned(), Some(text.to_owned()));
    }
    for pixel in &mut comparison.pixels {
        pixel.event = Some(TrackedEvent::of(text));
        (pixel.url, pixel.rule) = (text.to_owned(), Some(text.to_owned()));
    }
    let page = ReportPage::new(&trace).with_comparison(&comparison);
    written(&page.with_command(text))
}

/// A trace with many more lines than a page lists.
pub(super) fn long() -> String {
    let line = |seq: u32| {
        let (name, data) = match seq % 10 {
            0 => ("adError", ",\"data\":{\"code\":301}"),
            _ => ("play", ""),
        };
        let cause = seq.checked_sub(1).filter(|cause| *cause > 0);
        let cause = cause
            .map(|cause| format!(",\"cause\":{cause}"))
            .unwrap_or_default();
        format!(
            "{{\"t\":{seq},\"seq\":{seq},\"player\":\"p\",\"kind\":\"event\",\"name\":\"{name}\"{data}{cause}}}\n"
        )
    };
    let lines: String = (1..12_000).map(line).collect();
    written(&ReportPage::new(&trace(&lines)))
}

/// A recording that differs from its simulation in every possible way.
fn comparison() -> ProductComparison {
    let seen = |from_us, to_us, outcome| {
        Some(Seen {
            from_us,
            to_us,
            outcome,
        })
    };
    let step = |kind, name: &str, verdict| ComparedStep {
        kind,
        ad_break: 0,
        wp: Some(0),
        hop: None,
        name: name.to_owned(),
        recorded: seen(0, Some(130_000), SeenOutcome::Status(200)),
        simulated: seen(0, Some(120_000), SeenOutcome::Status(200)),
        verdict,
        note: None,
    };
    let first = step(StepKind::Tag, "https://ads.test/refused", StepVerdict::Same);
    let late = ComparedStep {
        recorded: seen(130_000, None, SeenOutcome::Failed),
        note: Some("it was open for 0.4 s more than the limit".to_owned()),
        ..step(
            StepKind::Tag,
            "https://ads.test/slow",
            StepVerdict::OtherTime,
        )
    };
    let only = ComparedStep {
        simulated: None,
        wp: None,
        ..step(
            StepKind::Media,
            "https://media.test/a.mp4",
            StepVerdict::OnlyRecorded,
        )
    };
    let unknown = ComparedStep {
        recorded: None,
        ..step(StepKind::Ad, "spot", StepVerdict::Unknown)
    };
    let pixel = |event: &str, verdict, recorded_us, simulated_us, difference_us| Pixel {
        event: Some(TrackedEvent::of(event)),
        ad_break: Some(0),
        wp: Some(2),
        hop: Some(1),
        ad: Some("spot".to_owned()),
        url: format!("https://track.test/{event}?cb=12345678"),
        recorded_us,
        simulated_us,
        difference_us,
        verdict,
        rule: Some("BRK-1".to_owned()),
        note: None,
    };
    ProductComparison {
        recording: "session.har".to_owned(),
        within_us: 50_000,
        steps: vec![first, late, only, unknown],
        pixels: vec![
            pixel(
                "impression",
                StepVerdict::Same,
                Some(1_204_000),
                Some(1_200_000),
                Some(4_000),
            ),
            pixel(
                "start",
                StepVerdict::OtherTime,
                Some(1_000_000),
                Some(1_200_000),
                Some(-200_000),
            ),
            pixel(
                "midpoint",
                StepVerdict::OnlySimulated,
                None,
                Some(3_200_000),
                None,
            ),
            pixel(
                "complete",
                StepVerdict::Unknown,
                None,
                Some(5_200_000),
                None,
            ),
        ],
    }
}
