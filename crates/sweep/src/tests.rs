//! Sweeps of a waterfall whose outcomes are computed by hand.

use super::*;
use playsim_api::video::{Rendition, Video};
use playsim_api::{Fields, Value};
use playsim_base::time::Span;
use playsim_rules::knobs::Profile;
use playsim_scenario::{AnswerScript, MediaScript};

/// An ad of ten seconds with three pixels, and a price.
const AD: &str = "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
    <Pricing model='CPM' currency='EUR'>3.50</Pricing><Error>https://t.test/e?[ERRORCODE]</Error>\
    <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration>\
    <TrackingEvents><Tracking event='start'>https://t.test/s</Tracking>\
    <Tracking event='complete'>https://t.test/c</Tracking></TrackingEvents><MediaFiles>\
    <MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>https://m.test/a.mp4</MediaFile>\
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

const WRAPPER: &str = "<VAST version='4.2'><Ad id='w'><Wrapper><AdSystem>s</AdSystem>\
    <VASTAdTagURI>https://ads.test/inner?cb=[CACHEBUSTING]</VASTAdTagURI></Wrapper></Ad></VAST>";

/// A pre-roll of three tags: no ad after 100 ms, an ad after 2.6 s, a wrapper after 50 ms whose ad
/// takes 150 ms.
fn waterfall() -> Scenario {
    let tags = [
        "https://ads.test/1",
        "https://ads.test/2",
        "https://ads.test/3",
    ];
    let body = |text: &str, millis| AnswerScript::body(text).after(Span::from_millis(millis));
    let list = Value::List(tags.map(Value::from).into());
    let mut scenario = Scenario::default()
        .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
        .with_media("film.mp4", MediaScript::of_length(Span::from_secs(60)))
        .with_media(
            "https://m.test/a.mp4",
            MediaScript::of_length(Span::from_secs(10)),
        )
        .with_ad(
            Fields::one("adType", 0)
                .with("adTimeType", "s")
                .with("mobile", list),
        )
        .with_answer(tags[0], body("<VAST version='4.2'/>", 100))
        .with_answer(tags[1], body(AD, 2_600))
        .with_answer(tags[2], body(WRAPPER, 50))
        .with_answer("https://ads.test/inner", body(AD, 150));
    scenario.ignore_query.push("cb".into());
    scenario
}

fn axis(text: &str) -> Axis {
    Axis::read(text, &mut |word| match word {
        "ad" => Ok(AnswerScript::body(AD)),
        "silence" => Ok(playsim_scenario::ScriptedAnswer::Silence.into()),
        _ => Err("it must be ad or silence".to_owned()),
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

fn table(axes: &[&str]) -> Table {
    let scenario = waterfall();
    let sweep = axes
        .iter()
        .fold(Sweep::of(&scenario).threads(2), |sweep, text| {
            sweep.vary(axis(text))
        });
    sweep.run().unwrap_or_else(|error| panic!("{error}"))
}

fn error(sweep: &Sweep<'_>) -> String {
    sweep.run().expect_err("it cannot be run").to_string()
}

/// The value of each tipping point, and who fills below it and from it on.
fn tips(table: &Table) -> Vec<(String, String, String)> {
    let by = |outcome: &RunOutcome| {
        outcome
            .filled_by
            .first()
            .map_or_else(|| "-".to_owned(), ToString::to_string)
    };
    table
        .tipping_points
        .iter()
        .map(|tip| (tip.value.clone(), by(&tip.before), by(&tip.after)))
        .collect()
}

#[test]
fn tipping_points_are_exact() {
    // A tag has its time limit for itself, and an answer exactly at the limit still counts (REQ-7).
    // Below 100 ms no tag responds in time, from 200 ms on the wrapper with its ad does, from 2.6 s
    // on the second tag.
    let found = table(&["ad.timeout=20ms..5s/245ms"]);
    let expected = [("0.2s", "-", "tag3"), ("2.6s", "tag3", "tag2")];
    let tips = tips(&found);
    let tips: Vec<_> = tips
        .iter()
        .map(|(at, before, after)| (at.as_str(), before.as_str(), after.as_str()))
        .collect();
    // From 100 ms on the first tag fails in another way, which neither the viewer nor the
    // advertiser sees.
    assert_eq!(tips, expected);
    let said = found.answer.join(" ");
    assert_eq!(
        said,
        "You can lower the timeout from 5 s to 0.2 s without losing the fill; below that nothing fills. \
         At 0.2 s the first frame comes after 0.5 s in place of 2.7 s. From 2.6 s on tag2 fills, below that tag3 fills."
    );
    assert_eq!(found.returns, ["ad.timeout"; 0]);
    assert!(found.tried_between > 50 && found.cut.is_empty());
}

#[test]
fn each_row_says_what_became_of_the_session() {
    let found = table(&["tag2.after=0s..6s/3s"]);
    let rows: Vec<(u64, usize, u32)> = found
        .rows
        .iter()
        .filter_map(|row| row.outcome.as_ref())
        .map(|outcome| {
            (
                outcome.first_frame.unwrap().after_us,
                outcome.failed.len(),
                outcome.pixels(),
            )
        })
        .collect();
    // 100 ms for the first tag; then the latency of the second, or 5 s for it and 200 ms for the
    // third.
    assert_eq!(
        rows,
        [(100_000, 1, 3), (3_100_000, 1, 3), (5_300_000, 2, 3)]
    );
    assert_eq!(
        tips(&found),
        [("5.000001s".to_owned(), "tag2".to_owned(), "tag3".to_owned())]
    );
    let codes: Vec<_> = found.rows[2]
        .outcome
        .as_ref()
        .unwrap()
        .failed
        .iter()
        .map(|it| it.code)
        .collect();
    assert_eq!(codes, [Some(303), Some(301)]);
}

#[test]
fn several_things_are_varied_at_once() {
    let found = table(&[
        "tag2.answer=silence,ad",
        "wrapper.after=0s..8s/4s",
        "media.after=10ms",
    ]);
    assert_eq!(found.rows.len(), 6);
    assert_eq!(found.rows[0].values, ["silence", "0s"]);
    assert_eq!(found.fixed[0].name, "media.after");
    // Along the wrappers only where the third tag is asked: 50 ms of the limit of 5 s are used up
    // before.
    let [tip] = found.tipping_points.as_slice() else {
        panic!("{:?}", found.tipping_points)
    };
    assert_eq!(
        (tip.value.as_str(), tip.others[0].value.as_str()),
        ("4.950001s", "silence")
    );
    // An answer without a delay of its own takes as long as the scenario says; media take 10 ms
    // more.
    let frame = |row: &SweepRow| {
        row.outcome
            .as_ref()
            .and_then(|outcome| outcome.first_frame)
            .map(|it| it.after_us)
    };
    assert_eq!(frame(&found.rows[3]), Some(2_710_000));
}

/// For each row: its values, who fills, and the first frame in milliseconds.
fn fills(table: &Table) -> Vec<(String, String, u64)> {
    let row = |row: &SweepRow| {
        let outcome = row.outcome.as_ref().expect("nothing is random");
        let by: Vec<String> = outcome.filled_by.iter().map(ToString::to_string).collect();
        let frame = outcome.first_frame.expect("there is a picture").after_us / 1_000;
        (row.values.join(" "), by.join(" "), frame)
    };
    table.rows.iter().map(row).collect()
}

fn row(values: &str, by: &str, millis: u64) -> (String, String, u64) {
    (values.to_owned(), by.to_owned(), millis)
}

#[test]
fn a_tag_keeps_its_number_answer_and_latency_in_every_order() {
    // 100 ms without an ad, 2.6 s with one, and 200 ms for the wrapper with its ad.
    let expected = [
        row("1,2,3", "tag2", 2_700),
        row("1,3,2", "tag3", 300),
        row("2,1,3", "tag2", 2_600),
        row("2,3,1", "tag2", 2_600),
        row("3,1,2", "tag3", 200),
        row("3,2,1", "tag3", 200),
    ];
    assert_eq!(fills(&table(&["order=all"])), expected);
    assert_eq!(
        fills(&table(&["order=3,1,2|1,3,2"])),
        [expected[4].clone(), expected[1].clone()]
    );
    let outcome = table(&["order=3,1,2", "ad.timeout=100ms"]).rows[0]
        .outcome
        .clone()
        .unwrap();
    let failed: Vec<String> = outcome.failed.iter().map(|it| it.tag.to_string()).collect();
    assert_eq!(failed, ["tag3", "tag1", "tag2"]);
    assert_eq!(
        outcome
            .asked
            .iter()
            .map(|it| (it.tag.wp(), it.hops))
            .collect::<Vec<_>>(),
        [(0, 0), (1, 0), (2, 1)]
    );
    // Settings go with their tag.
    assert_eq!(
        fills(&table(&["order=2,1,3", "tag2.after=10s"])),
        [row("", "tag3", 5_300)]
    );
}

#[test]
fn a_tag_can_be_left_out_and_a_hop_can_be_slow() {
    assert_eq!(
        fills(&table(&["tag2.off=no,yes"])),
        [row("no", "tag2", 2_700), row("yes", "tag3", 300)]
    );
    assert_eq!(
        fills(&table(&["tag2.off", "tag1.off"])),
        [row("", "tag3", 200)]
    );
    assert_eq!(
        fills(&table(&["tag2.off", "order=3,2,1"])),
        [row("", "tag3", 200)]
    );
    let slow = table(&["tag2.off", "tag3.hop1.after=150ms,1s", "wrapper.after=4s"]);
    assert_eq!(
        fills(&slow),
        [row("0.15s", "tag3", 300), row("1s", "tag3", 1_150)]
    );
    let scenario = waterfall();
    let wrong = |text: &str, why: &str| {
        let message = error(&Sweep::of(&scenario).vary(axis(text)));
        assert!(message.contains(why), "{text}: {message}");
    };
    wrong(
        "tag2.hop1.after=1s",
        "tag2.hop1.after changes nothing: no session requested what is behind 1 wrapper",
    );
    wrong("order=2,1", "order=2,1: tag3 is missing");
    wrong("tag4.off", "tag4: there are 3 tags");
    let all = ["tag1.off", "tag2.off", "tag3.off"];
    let none = all
        .iter()
        .fold(Sweep::of(&scenario), |sweep, text| sweep.vary(axis(text)));
    assert!(error(&none).contains("has none left"), "{}", error(&none));
}

#[test]
fn tags_with_the_same_url_keep_their_own_answers() {
    let url = "https://ads.test/same";
    let list = Value::List(vec![Value::from(url), Value::from(url)]);
    let mut scenario = waterfall();
    scenario.player.ads = vec![Value::Map(
        Fields::one("adType", 0)
            .with("adTimeType", "s")
            .with("mobile", list),
    )];
    let answer = |text: &str, millis| AnswerScript::body(text).after(Span::from_millis(millis));
    scenario.network = vec![(
        url.into(),
        vec![answer("<VAST version='4.2'/>", 100), answer(AD, 300)],
    )];
    let table = Sweep::of(&scenario).vary(axis("order=all")).run().unwrap();
    assert_eq!(
        fills(&table),
        [row("1,2", "tag2", 400), row("2,1", "tag2", 300)]
    );
}

#[test]
fn a_tag_keeps_its_luck_in_every_order() {
    let scenario = waterfall();
    let sweep = Sweep::of(&scenario)
        .vary(axis("order=all"))
        .vary(axis("tag2.fill=50%"))
        .runs(400)
        .threads(2);
    let table = sweep.run().unwrap();
    let counts = |order: &str| {
        let row = table
            .rows
            .iter()
            .find(|row| row.values[0] == order)
            .unwrap();
        let tags = &row.figures.as_ref().unwrap().tags;
        (
            tags[1].filled.count,
            tags.iter().map(|tag| tag.asked.count).collect::<Vec<_>>(),
        )
    };
    let (filled, asked) = counts("1,2,3");
    assert!((150..250).contains(&filled), "{filled}");
    assert_eq!(asked, [400, 400, 400 - filled]);
    assert_eq!(
        counts("2,1,3"),
        (filled, vec![400 - filled, 400, 400 - filled])
    );
    assert_eq!(counts("3,2,1"), (0, vec![0, 0, 400]));
}

/// The waterfall with a first tag that a recorded player gave up after 1.5 s, as it still does.
fn given_up() -> Scenario {
    let mut scenario = waterfall();
    let silence = AnswerScript {
        content_type: None,
        after: Span::from_millis(1_500),
        answer: playsim_scenario::ScriptedAnswer::Silence,
    };
    scenario.network[0].1 = vec![silence];
    scenario.knobs.set("ad.timeout", "1500ms").unwrap();
    scenario
}

#[test]
fn beyond_what_was_recorded_nothing_is_known() {
    let scenario = given_up();
    let vary = |text: &str| Sweep::of(&scenario).vary(axis(text)).run().unwrap();
    let found = vary("ad.timeout=0.1s..3s/0.1s");
    let known: Vec<bool> = found.rows.iter().map(|row| !row.is_unknown()).collect();
    assert_eq!(known.iter().filter(|is_known| **is_known).count(), 15);
    let tips: Vec<&str> = found
        .tipping_points
        .iter()
        .map(|tip| tip.value.as_str())
        .collect();
    assert_eq!(tips, ["0.2s", "1.500001s"]);
    let why = "it is unknown: the player gave up on tag1 after 1.5 s";
    assert_eq!(
        found.answer[..],
        [
            "You can lower the timeout from 1.5 s to 0.2 s without losing the fill; below that nothing fills.",
            "At 0.2 s the first frame comes after 0.6 s in place of 3.2 s.",
            &format!("Beyond 1.5 s {why}.")
        ]
    );
    assert_eq!(found.tags[0].silent_until_us, Some(1_500_000));
    assert!(
        found
            .text(100)
            .contains("beyond 1.5 s: unknown, the player gave up on tag1"),
        "{}",
        found.text(100)
    );
    // Sessions that do not wait for it are known, and so are those with an assumed answer.
    assert!(
        vary("tag1.off=no,yes")
            .rows
            .iter()
            .all(|row| !row.is_unknown())
    );
    let order = Sweep::of(&scenario)
        .vary(axis("order=3,1,2"))
        .vary(axis("ad.timeout=5s"))
        .run()
        .unwrap();
    assert_eq!(
        (order.rows[0].is_unknown(), fills(&order)),
        (false, vec![row("", "tag3", 200)])
    );
    let assumed = Sweep::of(&scenario)
        .vary(axis("tag1.after=1s,4s"))
        .vary(axis("ad.timeout=3s"))
        .run()
        .unwrap();
    assert_eq!(
        fills(&assumed),
        [row("1s", "tag1", 1_000), row("4s", "tag2", 5_600)]
    );
    assert!(
        assumed.assumed[0].contains("tag1 answers with an ad of 15 s"),
        "{:?}",
        assumed.assumed
    );
}

#[test]
fn an_answer_keeps_no_latency_that_nobody_saw() {
    let scenario = given_up();
    let found = Sweep::of(&scenario)
        .vary(axis("tag1.answer=ad"))
        .run()
        .unwrap();
    assert_eq!(fills(&found), [row("", "tag1", 0)]);
    assert!(found.assumed[0].contains("tag1 answers at once, since nobody saw how long it takes"));
    // One that was seen is kept.
    let found = Sweep::of(&waterfall())
        .vary(axis("tag1.answer=ad"))
        .run()
        .unwrap();
    assert_eq!(
        (fills(&found), found.assumed.len()),
        (vec![row("", "tag1", 100)], 0)
    );
}

#[test]
fn the_first_sentence_answers_the_question() {
    let said = |axes: &[&str]| table(axes).answer.join(" ");
    assert_eq!(
        said(&["tag2.after=0s..6s/3s"]),
        "tag2 may take up to 5 s in place of 2.6 s, and tag2 still fills; beyond that tag3 fills."
    );
    assert_eq!(
        said(&["order=2,1,3|1,2,3"]),
        "tag2 before tag1 gives a first frame 0.1 s sooner."
    );
    assert_eq!(
        said(&["order=1,3,2|1,2,3"]),
        "tag3 before tag2 gives an ad of tag3 in place of one of tag2 and a first frame 2.4 s sooner."
    );
    assert_eq!(
        said(&["tag2.off=no,yes"]).split(" gives").next(),
        Some("Leaving out tag2")
    );
    assert_eq!(
        said(&["ad.timeout=20ms..100ms/40ms"]),
        "No value of the timeout from 0.02 s to 0.1 s fills."
    );
    let mut short = waterfall();
    short.knobs.set("ad.timeout", "100ms").unwrap();
    let found = Sweep::of(&short)
        .vary(axis("ad.timeout=50ms..5s/1s"))
        .run()
        .unwrap();
    assert_eq!(
        found.answer[0],
        "With the timeout raised from 0.1 s to 0.2 s, tag3 fills."
    );
    assert_eq!(
        said(&["media.after=0s..1s/500ms"]),
        "The latency of a media file makes no difference from 0 s to 1 s, except to times: tag2 fills."
    );
}

#[test]
fn a_price_counts_in_every_table() {
    let scenario = waterfall();
    let sweep = |price: &str| {
        Sweep::of(&scenario)
            .vary(axis("order=all"))
            .price(price.parse().unwrap())
    };
    let found = sweep("tag3=7").run().unwrap();
    let earned: Vec<String> = found
        .rows
        .iter()
        .map(|row| row.earned.unwrap().to_string())
        .collect();
    assert_eq!(earned, ["3.5", "7", "3.5", "3.5", "7", "7"]);
    assert_eq!(
        found.answer[0],
        "tag3 before tag1 gives an ad of tag3 in place of one of tag2, 100.0 % more revenue and a first frame 2.5 s \
         sooner."
    );
    assert!(found.without_effect.is_empty());
    let idle = sweep("tag1=2.50").run().unwrap();
    assert_eq!(
        idle.without_effect,
        ["the price tag1=2.5 has no effect: tag1 shows no ad, whatever is varied"]
    );
}

#[test]
fn differences_from_now_are_surer_than_figures() {
    let scenario = waterfall();
    let sweep = Sweep::of(&scenario)
        .vary(axis("order=1,2,3|1,3,2"))
        .vary(axis("tag3.fill=50%"));
    let found = sweep
        .runs(2_000)
        .threads(2)
        .price("tag3=7".parse().unwrap())
        .run()
        .unwrap();
    let [now, other] = &found.rows[..] else {
        panic!("there are two rows")
    };
    let zero = |row: &SweepRow| row.difference.unwrap().revenue.unwrap().mean.millionths() == 0;
    assert!(zero(now) && !zero(other));
    let difference = other.difference.unwrap();
    // Half of the sessions have the ad of tag3 2.4 s sooner, the others that of tag2 200 ms later.
    let frame = difference.first_frame;
    assert!(
        (-1_200_000..-1_000_000).contains(&frame.mean.millionths()),
        "{frame:?}"
    );
    assert!(!frame.is_within_chance() && difference.filled.mean.millionths() == 0);
    let said = &found.answer[0];
    assert!(
        said.starts_with("tag3 before tag2 gives ") && said.contains(" % more revenue (95 %: "),
        "{said}"
    );
    assert!(
        said.contains(" s sooner first frames (95 %: ") && !said.contains("fill"),
        "{said}"
    );
    assert_eq!(found.answer.len(), 1);
}

#[test]
fn each_difference_of_a_configuration_is_explained_by_what_makes_it() {
    let scenario = waterfall();
    let configurations = [
        "base",
        "ima+ad.timeout=1s",
        "tag2.answer=ad+tag2.after=1s",
        "tag2.off+order=3,1,2",
    ];
    let read = |text: &&str| {
        Configuration::read(text, &mut |_| Ok(AnswerScript::body(AD)))
            .unwrap_or_else(|error| panic!("{error}"))
    };
    let found = Sweep::of(&scenario)
        .compare(configurations.iter().map(read).collect())
        .run()
        .unwrap();
    let why = |configuration: &str, line: &str| -> Vec<String> {
        let reasons = found
            .reasons
            .iter()
            .filter(|it| it.configuration == configuration);
        let mut reasons = reasons.filter(|it| it.lines.iter().any(|it| it == line));
        reasons
            .next()
            .unwrap_or_else(|| panic!("{line} of {configuration}"))
            .because
            .clone()
    };
    assert_eq!(why("ima+ad.timeout=1s", "ad by"), ["ad.timeout=1s"]);
    assert_eq!(why("ima+ad.timeout=1s", "tag2"), ["ad.timeout=1s"]);
    assert_eq!(
        why("tag2.answer=ad+tag2.after=1s", "first frame"),
        ["tag2.after"]
    );
    // Without the order the frame comes at another time, but not when it did: the order makes a
    // part of the difference.
    assert_eq!(why("tag2.off+order=3,1,2", "first frame"), ["order"]);
    assert_eq!(why("tag2.off+order=3,1,2", "tag1"), ["order"]);
    let text = found.text(100);
    assert!(text.contains("ima+ad.timeout=1s: ad by"), "{text}");
}

#[test]
fn a_profile_keeps_the_knobs_of_the_scenario() {
    let mut scenario = waterfall();
    scenario.knobs.set("ad.timeout", "1s").unwrap();
    let table = Sweep::of(&scenario)
        .vary(axis("profile=default,standard"))
        .run()
        .unwrap();
    assert!(
        table
            .rows
            .iter()
            .all(|row| row.outcome.as_ref().is_some_and(|it| it.failed.len() == 2))
    );
}

#[test]
fn a_point_plays_like_a_scenario_with_its_settings() {
    let scenario = waterfall();
    let mut changed = scenario.clone();
    changed.profile = Profile::Standard.into();
    changed.knobs = Profile::Standard.knobs();
    changed.knobs.set("ad.timeout", "1s").unwrap();
    let prepared = Simulation::new(&scenario).unwrap();
    let shared = prepared.with_scenario(&changed).unwrap();
    assert_eq!(shared.run(), Simulation::new(&changed).unwrap().run());

    let mut late = scenario.clone();
    late.network[1].1[0].after = Span::from_secs(1);
    let samples = Sweep::of(&scenario).vary(axis("tag2.after=1s"));
    let sample = samples.samples(1).unwrap().next().unwrap().unwrap().run();
    let direct = Simulation::new(&late).unwrap().run();
    // All but the digest of the scenario in the header.
    assert_eq!(
        sample.records[1..sample.records.len() - 1],
        direct.records[1..direct.records.len() - 1]
    );
}

fn random(threads: usize) -> Table {
    let scenario = waterfall();
    let axes = [
        "tag2.after=lognormal(2s, 1)",
        "tag3.fill=50%",
        "wrapper.after=p50=300ms,p95=1.2s",
        "ad.timeout=1s,4s",
    ];
    let sweep = axes
        .iter()
        .fold(Sweep::of(&scenario), |sweep, text| sweep.vary(axis(text)));
    sweep
        .runs(1_700)
        .seed(7)
        .threads(threads)
        .price("tag2=2".parse().unwrap())
        .run()
        .unwrap()
}

#[test]
fn figures_do_not_depend_on_the_number_of_threads() {
    let one = random(1);
    assert_eq!(one, random(2));
    assert_eq!(one, random(7));
    assert_eq!(one.runs, Some(1_700));
    assert_eq!(one.rows.len(), 2);
}

#[test]
#[expect(
    clippy::disallowed_types,
    reason = "the expected shares are real numbers"
)]
fn figures_come_near_to_what_probabilities_say() {
    let table = random(2);
    let figures: Vec<&Figures> = table
        .rows
        .iter()
        .filter_map(|row| row.figures.as_ref())
        .collect();
    // Below 1 s is ln(1/2) / 1 = -0.693 deviations from the median: 24.4 percent. Below 4 s: 75.6
    // percent.
    for (figures, share) in figures.iter().zip([0.244, 0.756]) {
        let tag2 = figures.tags[1].filled;
        let [low, high] = [tag2.low, tag2.high].map(|end| end.to_string().parse::<f32>().unwrap());
        assert!(low - 0.01 < share && share < high + 0.01, "{tag2:?}");
        // Half of the requests to the third tag have no ad, whatever else happens.
        let asked = figures.runs - tag2.count;
        let empty = figures.tags[2]
            .failed
            .iter()
            .find(|it| it.code == Some(303))
            .unwrap()
            .sessions
            .count;
        assert!(
            (empty as f32 / asked as f32 - 0.5).abs() < 0.06,
            "{empty} of {asked}"
        );
        // The given price of the second tag, and that of the document for the third.
        let earned = 2 * tag2.count * 1_000 + 3_500 * figures.tags[2].filled.count;
        let revenue = figures.revenue.as_ref().unwrap();
        assert!(
            revenue
                .per_mille
                .millionths()
                .abs_diff((earned * 1_000 / figures.runs) as i64)
                <= 1
        );
        assert_eq!(revenue.currency.as_deref(), Some("EUR"));
        assert!(figures.first_frame.is_sorted_by_key(|it| it.us));
    }
}

#[test]
fn what_cannot_be_run_is_explained() {
    let scenario = waterfall();
    let sweep = || Sweep::of(&scenario);
    assert_eq!(
        error(&sweep().vary(axis("tag5.after=1s"))),
        "tag5: there are 3 tags, tag1 to tag3"
    );
    assert!(error(&sweep().vary(axis("tag1.fill=50%"))).starts_with("tag1 never has an ad"));
    assert!(
        error(&sweep().vary(axis("ad.timeout=1s,2s")).runs(5)).contains("nothing here is random")
    );
    let drawn = || sweep().vary(axis("tag1.after=uniform(0, 1s)"));
    assert_eq!(error(&drawn().runs(0)), "runs must be at least 1");
    assert!(error(&drawn().runs(u64::MAX)).contains("more than 100000000 sessions"));
    let many = sweep()
        .vary(axis("tag1.after=0s..1s/1ms"))
        .vary(axis("tag2.after=0s..1s/1ms"));
    assert!(error(&many).starts_with("1001 tag1.after times 1001 tag2.after are more than 10000"));
    let mut silent = scenario.clone();
    silent.network[1].1[0] = playsim_scenario::ScriptedAnswer::Silence.into();
    let message = error(&Sweep::of(&silent).vary(axis("tag2.after=0s..1s")));
    assert_eq!(
        message,
        "tag2 never responds (timeout), however long one waits; give it a response, such as tag2.answer=FILE"
    );
}

#[test]
fn configurations_are_profiles_and_settings() {
    let read = |text: &str| Configuration::read(text, &mut |_| Err("no answers".to_owned()));
    for text in [
        "base",
        "ima",
        "order=2,1,3",
        "ima+tag2.off",
        "ad.timeout=2s",
        "ima + ad.timeout=2s+tag2.after=300ms",
    ] {
        assert!(read(text).is_ok(), "{text}");
    }
    for (text, why) in [
        (
            "imma",
            "did you mean \"ima\"?\n  a configuration is base, a profile",
        ),
        (
            "ima+ad.timeout=1s,2s",
            "several values; write a configuration for each",
        ),
        ("ima+order=all", "order=all is many orders"),
        ("ima+ad.timeout", "unknown profile \"ad.timeout\""),
    ] {
        let message = read(text).expect_err("it is wrong").to_string();
        assert!(message.contains(why), "{message}");
    }
}
