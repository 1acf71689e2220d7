//! Pages of what other settings would have done: over one axis, over several, side by side, of
//! recordings.

use playsim::Scenario;
use playsim::sweep::{Axis, Configuration, Price, RecordedBasis, Sweep, Table, WhatIfPage};

use super::{parsed, words};

const FILM: &str = "videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s }, default: { duration: 4s } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a, https://ads.test/b, https://ads.test/c] }] }
network:
  https://ads.test/a: { after: 120ms, text: \"<VAST version='4.2'/>\" }
  https://ads.test/c: { after: 300ms, text: \"<VAST version='4.2'><Ad><InLine><Creatives><Creative><Linear>
    <MediaFiles><MediaFile delivery='progressive' type='video/mp4'>spot.mp4</MediaFile></MediaFiles>
    </Linear></Creative></Creatives></InLine></Ad></VAST>\" }
  https://ads.test/b: ";

/// Three tags: an empty one, one that answers after 2.6 s, and one that is quick.
fn slow() -> Scenario {
    let ad = "{ after: 2600ms, text: \"<VAST version='4.2'><Ad><InLine><Creatives><Creative><Linear><MediaFiles>\
              <MediaFile delivery='progressive' type='video/mp4'>spot.mp4</MediaFile></MediaFiles></Linear></Creative>\
              </Creatives></InLine></Ad></VAST>\" }\n";
    format!("{FILM}{ad}").parse().expect("it is a scenario")
}

/// The same, of a recording whose player gave the second tag up after 1.5 s.
fn given_up() -> Scenario {
    let knob = "knobs: { ad.timeout: 1.5s }\n";
    format!("{FILM}{{ after: 1500ms, fails: timeout }}\n{knob}")
        .parse()
        .expect("it is a scenario")
}

fn table(scenario: &Scenario, axes: &[&str], compared: &[&str], runs: Option<u64>) -> Table {
    let mut none = |_: &str| Err("no answer is read here".to_owned());
    let axes = axes
        .iter()
        .map(|axis| axis.parse::<Axis>().expect("it is an axis"));
    let sweep = axes.fold(Sweep::of(scenario), Sweep::vary);
    let compared: Vec<Configuration> = compared
        .iter()
        .map(|it| Configuration::read(it, &mut none).expect("it can be compared"))
        .collect();
    let sweep = if compared.is_empty() {
        sweep
    } else {
        sweep.compare(compared)
    };
    let price = |text: &str| text.parse::<Price>().expect("it is a price");
    let sweep = sweep.price(price("tag2=3")).price(price("tag3=1"));
    let sweep = runs.map_or(sweep.clone(), |runs| sweep.runs(runs));
    sweep.run().expect("it can be played")
}

fn page(scenario: &Scenario, table: &Table) -> String {
    let mut html = String::new();
    let page = WhatIfPage::new(table)
        .with_scenario(scenario)
        .with_command("playsim waterfall ...");
    page.write(&mut html)
        .expect("writing to a string cannot fail");
    html
}

fn recorded() -> String {
    let scenario = given_up();
    let table = table(&scenario, &["ad.timeout=500ms..3s/500ms"], &[], None);
    let notes = [("a note <b>owned</b>".to_owned(), "inferred")];
    let recording = RecordedBasis {
        name: "a<b>.har",
        notes: &notes,
        limit: "inferred",
    };
    let mut html = String::new();
    let page = WhatIfPage::new(&table)
        .with_scenario(&scenario)
        .with_recording(recording);
    page.write(&mut html)
        .expect("writing to a string cannot fail");
    html
}

const NAMES: [&str; 8] = [
    "what_if_exact",
    "what_if_random",
    "what_if_one_row",
    "what_if_orders",
    "what_if_two_axes",
    "what_if_many_lines",
    "what_if_compared",
    "what_if_recorded",
];

/// All sample pages with their names.
pub(super) fn all() -> Vec<(&'static str, String)> {
    NAMES.map(|name| (name, of(name))).into()
}

fn of(name: &str) -> String {
    let slow = slow();
    let of =
        |axes: &[&str], compared: &[&str], runs| page(&slow, &table(&slow, axes, compared, runs));
    let latency = "tag2.after=lognormal(1s, 0.8)";
    match name {
        "what_if_exact" => of(&["ad.timeout=250ms..5s/250ms"], &[], None),
        "what_if_random" => of(&["ad.timeout=1s..6s/500ms", latency], &[], Some(400)),
        "what_if_one_row" => of(&[latency], &[], Some(400)),
        "what_if_orders" => of(&["order=all"], &[], None),
        "what_if_two_axes" => of(
            &["profile=default,ima", "ad.timeout=1s..3s/500ms"],
            &[],
            None,
        ),
        "what_if_many_lines" => of(
            &["tag3.after=0s..5s/1s", "ad.timeout=1s..3s/500ms"],
            &[],
            None,
        ),
        "what_if_compared" => of(
            &[latency],
            &["base", "ima", "ad.timeout=1s+tag3.fill=50%"],
            Some(400),
        ),
        _ => recorded(),
    }
}

#[test]
fn each_chart_has_the_current_value_its_limits_and_labels_at_the_end_of_its_lines() {
    for (name, charts) in [
        ("what_if_exact", 4),
        ("what_if_random", 3),
        ("what_if_recorded", 4),
    ] {
        let html = of(name);
        let document = parsed(&html);
        let all: Vec<_> = document
            .descendants()
            .filter(|node| node.attribute("role") == Some("img"))
            .collect();
        assert_eq!(all.len(), charts, "{name}");
        for chart in &all {
            let has = |class: &str| {
                chart
                    .descendants()
                    .filter(|it| {
                        it.attribute("class")
                            .is_some_and(|it| it.split(' ').any(|it| it == class))
                    })
                    .count()
            };
            assert_eq!(has("now"), 1, "{name}: the line of the current value");
            let named = chart
                .descendants()
                .any(|it| it.text().is_some_and(|text| text.starts_with("now ")));
            assert!(named, "{name}: its name");
            let is_strip = chart
                .attribute("aria-label")
                .is_some_and(|label| label.starts_with("Outcome"));
            assert!(
                is_strip || has("full") >= 2,
                "{name}: lines at 0 and at the top"
            );
            if name == "what_if_random" {
                assert!(has("bd") > 0, "{name}: intervals as bands");
            }
        }
        let current = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("cur"));
        assert_eq!(current.count(), 1, "{name}: its row of the table");
    }
}

#[test]
fn what_a_recording_cannot_know_is_named_and_has_no_number() {
    let html = of("what_if_recorded");
    assert!(
        html.contains("beyond 1.5 s: the player gave up on tag2 after 1.5 s"),
        "{html}"
    );
    assert!(html.contains("a note &lt;b&gt;owned&lt;/b&gt;") && html.contains("a&lt;b&gt;.har"));
    let document = parsed(&html);
    let rows = document
        .descendants()
        .filter(|node| node.has_tag_name("tr"));
    let unknown: Vec<String> = rows
        .map(words)
        .filter(|row| row.contains("unknown") && !row.contains("seen"))
        .collect();
    // Three rows wait longer than the player; the tag itself is listed as unknown.
    assert_eq!(
        unknown,
        [
            "2s unknown",
            "2.5s unknown",
            "3s unknown",
            "tag2, https://ads.test/b nothing within 1.5 s; what it would have answered later, nobody saw unknown"
        ]
    );
    let marks = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("tick"));
    assert_eq!(marks.count(), 0, "what is unknown is no tipping point");
}

#[test]
fn reasons_of_configurations_are_found_with_random_latencies_too() {
    let slow = slow();
    let found = table(
        &slow,
        &["tag2.after=lognormal(1s, 0.8)"],
        &["base", "ima", "ad.timeout=1s+tag3.fill=50%"],
        Some(2_000),
    );
    let because = |line: &str| {
        let mut reasons = found
            .reasons
            .iter()
            .filter(|it| it.lines.iter().any(|it| it == line));
        let reason = reasons.next().unwrap_or_else(|| panic!("{line} differs"));
        assert_eq!(reason.configuration, "ad.timeout=1s+tag3.fill=50%");
        (reason.because.join(", "), reason.is_partial)
    };
    assert_eq!(because("by tag2"), ("ad.timeout=1s".to_owned(), false));
    assert_eq!(because("an ad"), ("tag3.fill".to_owned(), false));
    assert_eq!(
        because("earned by 1,000"),
        ("ad.timeout=1s, tag3.fill".to_owned(), true)
    );
}
