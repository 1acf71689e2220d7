//! Pages made by hand: with a comparison, charts, hostile text, nothing at all, and far too much.

use playsim::report::comparison::{ComparedStep, Pixel, ProductComparison, Seen, StepKind, StepVerdict};
use playsim::report::page::ReportPage;
use playsim::report::page::chart::{Band, Bin, ByValue, ChartAxis, DistributionChart, Mark, Series};
use playsim::report::page::section::{Part, Section};
use playsim::report::page::table::{PageColumn, PageTable};
use playsim::report::waterfall::Waterfalls;
use playsim::trace::{Trace, read_jsonl};

use super::{played, written};

/// All samples with their names, except for the long one.
pub(super) fn all() -> Vec<(&'static str, String)> {
    vec![("charts", charts()), ("hostile", hostile()), ("empty", empty())]
}

/// A waterfall with a comparison and both kinds of charts.
pub(super) fn charts() -> String {
    let (scenario, trace) = played("cli/waterfall.yaml");
    let waterfalls = Waterfalls::of_played(&trace, &scenario);
    let comparison = comparison();
    let page = ReportPage::new(&trace).with_waterfalls(&waterfalls).with_documents(&scenario);
    let page = page.with_comparison(&comparison).with_section(helped());
    written(
        &page.with_command("playsim waterfall session.har --vary ad.timeout=250ms..3s/250ms --format html"),
    )
}

/// A trace of no lines but the last.
fn empty() -> String {
    written(&ReportPage::new(&trace("{\"t\":0,\"seq\":0,\"kind\":\"outcome\",\"name\":\"idle\"}")))
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
    comparison.notes = vec![text.to_owned()];
    for step in &mut comparison.steps {
        (step.name, step.note) = (text.to_owned(), Some(text.to_owned()));
    }
    for pixel in &mut comparison.pixels {
        (pixel.event, pixel.url, pixel.rule) = (text.to_owned(), text.to_owned(), Some(text.to_owned()));
    }
    let mut section = helped();
    (section.title, section.lead) = (text.to_owned(), text.to_owned());
    section.parts.push(Part::Text(text.to_owned()));
    let page = ReportPage::new(&trace).with_comparison(&comparison).with_section(section);
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
        let cause = cause.map(|cause| format!(",\"cause\":{cause}")).unwrap_or_default();
        format!(
            "{{\"t\":{seq},\"seq\":{seq},\"player\":\"p\",\"kind\":\"event\",\"name\":\"{name}\"{data}{cause}}}\n"
        )
    };
    let lines: String = (1..12_000).map(line).collect();
    written(&ReportPage::new(&trace(&lines)))
}

/// A recording that differs from its simulation in every possible way.
fn comparison() -> ProductComparison {
    let seen = |from_us, to_us, outcome: &str| Some(Seen { from_us, to_us, outcome: outcome.to_owned() });
    let step = |kind, name: &str, verdict| ComparedStep {
        kind,
        ad_break: 0,
        wp: Some(0),
        hop: None,
        name: name.to_owned(),
        recorded: seen(0, Some(130_000), "200"),
        simulated: seen(0, Some(120_000), "200"),
        verdict,
        note: None,
    };
    let first = step(StepKind::Tag, "https://ads.test/refused", StepVerdict::Same);
    let late = ComparedStep {
        recorded: seen(130_000, None, "aborted"),
        note: Some("it was open for 0.4 s more than the limit".to_owned()),
        ..step(StepKind::Tag, "https://ads.test/slow", StepVerdict::OtherTime)
    };
    let only = ComparedStep {
        simulated: None,
        wp: None,
        ..step(StepKind::Media, "https://media.test/a.mp4", StepVerdict::OnlyRecorded)
    };
    let unknown = ComparedStep { recorded: None, ..step(StepKind::Ad, "spot", StepVerdict::Unknown) };
    let pixel = |event: &str, verdict, recorded_us, simulated_us, difference_us| Pixel {
        event: event.to_owned(),
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
            pixel("impression", StepVerdict::Same, Some(1_204_000), Some(1_200_000), Some(4_000)),
            pixel("start", StepVerdict::OtherTime, Some(1_000_000), Some(1_200_000), Some(-200_000)),
            pixel("midpoint", StepVerdict::OnlySimulated, None, Some(3_200_000), None),
            pixel("complete", StepVerdict::Unknown, None, Some(5_200_000), None),
        ],
        notes: vec!["The recording ends 4.0 s after the ad began.".to_owned()],
    }
}

/// What would have helped, as a table and two charts.
fn helped() -> Section {
    let seconds = |name: &str| ChartAxis { name: name.to_owned(), unit: "s".to_owned(), decimals: 6 };
    let points = (1..=12).map(|step: i64| {
        let first = if step < 7 { 950_000 + step * 250_000 } else { 1_620_000 };
        (step * 250_000, (step > 1).then_some(first))
    });
    let by_value = ByValue {
        title: "When the first ad starts, by the limit of a tag".to_owned(),
        x: seconds("ad.timeout"),
        y: seconds("first ad"),
        series: vec![Series { name: String::new(), points: points.collect() }],
        bands: vec![
            Band { from: 250_000, to: 400_000, label: "no ad".to_owned(), is_bad: true, is_unknown: false },
            Band { from: 400_000, to: 1_500_000, label: "tag 3 fills".to_owned(), ..Band::default() },
            Band {
                from: 1_500_000,
                to: 3_000_000,
                label: "tag 2 answers without an ad".to_owned(),
                ..Band::default()
            },
        ],
        tips: vec![
            Mark { at: 400_000, label: "fills from here on".to_owned() },
            Mark { at: 1_500_000, label: "tag 2 is waited for to its end".to_owned() },
        ],
        now: Some(1_000_000),
    };
    let bins = [1, 4, 11, 23, 31, 40, 35, 22, 17, 9, 6, 4, 2, 1, 0, 1];
    let bins =
        (0..).zip(bins).map(|(index, count)| Bin { from: index * 200_000, to: (index + 1) * 200_000, count });
    let mark = |at, label: &str| Mark { at, label: label.to_owned() };
    let distribution = DistributionChart {
        title: "Time to the first ad in 207 runs".to_owned(),
        x: seconds("first ad"),
        bins: bins.collect(),
        marks: vec![mark(1_120_000, "50th"), mark(2_100_000, "95th"), mark(2_700_000, "99th")],
    };
    let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
    let table = PageTable {
        caption: "Results by ad.timeout".to_owned(),
        columns: vec![
            PageColumn::number("ad.timeout, s"),
            PageColumn::text("filled by"),
            PageColumn::number("first ad, s"),
            PageColumn::text("codes"),
        ],
        rows: vec![
            row(["0.5", "tag 3", "0.700", "301, 301"]),
            row(["1", "tag 3", "1.200", "301, 301"]),
            row(["0.25", "", "", "301, 301, 301"]),
        ],
        now: Some(1),
    };
    Section {
        title: "What would have helped".to_owned(),
        lead: "With a limit of 0.5 s the same ad would have started 0.500 s earlier.".to_owned(),
        parts: vec![
            Part::ByValue(by_value),
            Part::Table(table),
            Part::Heading("With latencies as they are distributed".to_owned()),
            Part::Distribution(distribution),
        ],
    }
}
