//! Fits: what recordings of a player say about its settings, and what they do not.

use playsim::api::Kind;
use playsim::conform::{
    Behaviour, Case, Fit, FitOptions, FittedKnob, FittedSetting, HeldOut, fit, nearest, suggest,
};
use playsim::knobs::{Knobs, Profile};
use playsim::recording::Recording;
use playsim::time::Time;

use super::report::{BROWSER, behaviour, case, knobs, recorded};

/// A case, and the settings that the player has in it.
type Recorded<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// A player with known settings, recorded in some cases.
struct Player {
    cases: Vec<Case>,
    recordings: Vec<Recording>,
}

impl Player {
    fn of(cases: &[Recorded<'_>]) -> Player {
        let (cases, recordings) = cases
            .iter()
            .map(|(name, settings)| {
                let case = case(name);
                let trace = case.play(&knobs(settings)).expect("it plays");
                let recording = recorded(&trace, BROWSER);
                (case, recording)
            })
            .unzip();
        Player { cases, recordings }
    }

    fn pairs(&self) -> Vec<(&Case, &Recording)> {
        self.cases.iter().zip(&self.recordings).collect()
    }

    fn fit(&self) -> Fit {
        let options = FitOptions {
            holds_out: false,
            ..FitOptions::default()
        };
        fit(&self.pairs(), &behaviour(), options)
    }
}

fn named<'a>(all: &'a [FittedKnob], knob: &str) -> Option<&'a FittedKnob> {
    all.iter().find(|it| it.setting.knob == knob)
}

#[test]
fn three_recordings_decide_a_setting() {
    let own: &[(&str, &str)] = &[("postroll.ask", "-2s"), ("ad.tracker_calls", "twice")];
    let names = [
        "pre_roll",
        "post_roll",
        "pre_mid_and_post_roll",
        "post_roll_without_an_ad",
    ];
    let player = Player::of(&names.map(|name| (name, own)));
    let fitted = player.fit();
    let twice = named(&fitted.decided, "ad.tracker_calls").expect("all recordings show it");
    assert_eq!(twice.setting.value, "twice");
    assert_eq!(twice.decided_by.len(), 3, "{twice:?}");
    assert_eq!(twice.decision.word(), "decided");
    let ask = named(&fitted.decided, "postroll.ask").expect("three recordings show it");
    let (shortest, longest) = ask.interval_us.expect("it is a time");
    let (shortest, longest) = (shortest.expect("an end"), longest.expect("an end"));
    assert!((shortest..=longest).contains(&-2_000_000), "{ask:?}");
    assert!(longest - shortest < 2_000_000, "{ask:?}");
    assert_eq!(fitted.after.in_order, 4, "{:?}", fitted.remaining);
    assert!(fitted.before.in_order < 4);
    assert!(
        fitted
            .knobs
            .differing()
            .all(|(name, _)| own.iter().any(|(known, _)| *known == name))
    );
}

#[test]
fn a_single_recording_decides_nothing() {
    let own: &[(&str, &str)] = &[("postroll.ask", "-2s")];
    let player = Player::of(&[("no_ads", own), ("pre_roll", own), ("post_roll", own)]);
    let fitted = player.fit();
    assert_eq!(fitted.decided, []);
    assert_eq!(fitted.knobs, Knobs::default());
    let ask = named(&fitted.undecided, "postroll.ask").expect("it is said");
    assert_eq!(ask.decided_by, ["post_roll"]);
    assert_eq!(
        serde_json::to_value(ask).expect("it is written")["decision"],
        "not decided"
    );
}

/// The player stops at the first wrapper of a loop, in three recordings, and follows three wrappers
/// in another one, which differs anyway: it calls each tracker twice there.
#[test]
fn a_recording_that_differs_anyway_contradicts_all_the_same() {
    let one: &[(&str, &str)] = &[("ad.max_wrappers", "1")];
    let twice: &[(&str, &str)] = &[("ad.tracker_calls", "twice")];
    let player = Player::of(&[
        ("wrapper_loop", one),
        ("wrapper_loop", one),
        ("wrapper_loop", one),
        ("wrapper_chain_of_three", twice),
    ]);
    let fitted = player.fit();
    assert_eq!(named(&fitted.decided, "ad.max_wrappers"), None);
    assert_eq!(fitted.knobs.differing().count(), 0, "{:?}", fitted.decided);
}

/// Three recordings ask for an earlier request, which four contradict.
#[test]
fn a_decided_knob_is_not_listed_with_a_value_that_is_out() {
    let later: Recorded<'_> = ("post_roll", &[("postroll.ask", "-2s")]);
    let earlier: Recorded<'_> = ("post_roll", &[("postroll.ask", "-3s")]);
    let player = Player::of(&[later, later, later, later, earlier, earlier, earlier]);
    let fitted = player.fit();
    let ask = named(&fitted.decided, "postroll.ask").expect("four recordings show it");
    assert_eq!(ask.setting.value, "-2s");
    assert_eq!(named(&fitted.undecided, "postroll.ask"), None);
}

/// Two recordings ask for about a second before the end, and three for two seconds, which the last
/// one contradicts.
#[test]
fn an_undecided_knob_is_listed_once() {
    let one: Recorded<'_> = ("pre_roll", &[("complete.at", "-1s")]);
    let two: Recorded<'_> = ("pre_roll", &[("complete.at", "-2s")]);
    let last: Recorded<'_> = ("pre_roll", &[("complete.at", "-500ms")]);
    let fitted = Player::of(&[one, one, two, two, two, last]).fit();
    assert_eq!(fitted.decided, []);
    let all = fitted.undecided.iter();
    let all = all.filter(|it| it.setting.knob == "complete.at");
    assert_eq!(all.count(), 1, "{:?}", fitted.undecided);
}

/// No recording lasts until the end of an endless time: the fit says how long it is at least.
#[test]
fn a_time_that_no_recording_outlasts_has_no_upper_end() {
    let own: &[(&str, &str)] = &[("ad.timeout", "10m")];
    let mut player = Player::of(&["tag_without_answer"; 3].map(|name| (name, own)));
    for recording in &mut player.recordings {
        // The recorder stops after 34 s; its last line says so.
        let end = Time::from_micros(34_000_000);
        let records = &mut recording.trace.records;
        let mut last = records.last().cloned().expect("there are lines");
        records.retain(|record| record.at <= end);
        (last.at, last.kind, last.name) = (end, Kind::Diag, "note".into());
        records.push(last);
    }
    let fitted = player.fit();
    assert_eq!(named(&fitted.decided, "ad.timeout"), None);
    assert_eq!(fitted.knobs, Knobs::default(), "no value is made of it");
    let timeout = named(&fitted.cut, "ad.timeout").expect("three recordings are too short");
    let (shortest, longest) = timeout.interval_us.expect("it is a time");
    assert_eq!(longest, None);
    assert!(
        shortest.is_some_and(|it| (25_000_000..35_000_000).contains(&it)),
        "{timeout:?}"
    );
}

/// The response takes 12 s: any timeout that is longer explains the recordings.
#[test]
fn a_time_of_which_one_end_shows_is_left_as_it_was() {
    let own: &[(&str, &str)] = &[("ad.timeout", "20s")];
    let fitted = Player::of(&["late_by_12_s"; 3].map(|name| (name, own))).fit();
    assert_eq!(fitted.decided, []);
    assert_eq!(fitted.knobs, Knobs::default(), "no value is made of it");
    let timeout = named(&fitted.cut, "ad.timeout").expect("three recordings show it");
    assert_eq!(timeout.decided_by.len(), 3);
    let (shortest, longest) = timeout.interval_us.expect("it is a time");
    assert_eq!(longest, None);
    assert!(
        shortest.is_some_and(|it| (11_500_000..=12_500_000).contains(&it)),
        "{timeout:?}"
    );
}

#[test]
fn times_that_no_recording_tells_apart_are_a_range() {
    let own: &[(&str, &str)] = &[("complete.at", "-800ms")];
    let names = ["pre_roll", "pod_of_two", "post_roll", "two_mid_rolls"];
    let fitted = Player::of(&names.map(|name| (name, own))).fit();
    let complete = named(&fitted.decided, "complete.at").expect("all recordings show it");
    let (shortest, longest) = complete.interval_us.expect("it is a time");
    assert!(
        shortest.is_some_and(|it| it < -800_000) && longest >= Some(-800_000),
        "{complete:?}"
    );
}

/// The ads last 4 s and 2 s: one that calls `complete` earlier and rounds its quartiles down is
/// like one that does neither.
#[test]
fn what_explains_the_recordings_as_well_is_named_and_a_situation_tells_it() {
    let own: &[(&str, &str)] = &[("complete.at", "-1s"), ("quartile.at", "whole_second")];
    let names = [
        "pre_roll",
        "pause_in_the_content",
        "post_roll",
        "replay_after_a_pre_roll",
    ];
    let player = Player::of(&names.map(|name| (name, own)));
    let fitted = player.fit();
    assert!(named(&fitted.decided, "complete.at").is_some());
    assert_eq!(named(&fitted.decided, "quartile.at"), None);
    let is_own = |settings: &Vec<FittedSetting>| {
        let settings = settings.iter().map(|it| (it.knob, it.value.as_str()));
        settings.eq(own.iter().copied())
    };
    assert!(fitted.alternatives.iter().any(is_own), "{fitted:?}");
    let suggested = suggest(&player.cases.iter().collect::<Vec<_>>(), &fitted);
    let tells = suggested.iter().find(|it| is_own(&it.tells));
    let tells = tells.expect("a situation tells it");
    assert_eq!(tells.name, "pre_roll_ads_of_7000_ms");
    let text = tells.scenario.inlined().to_json();
    let none = &mut |_: &str| Err(std::io::ErrorKind::NotFound.into());
    playsim::scenario::read("suggested.json", &text, none).expect("it can be read again");
}

/// Ads of other lengths tell apart what short ones do not, and show whether what was fitted to the
/// one predicts the other.
#[test]
fn a_second_suite_decides_what_the_first_leaves_open() {
    let own: &[(&str, &str)] = &[("complete.at", "-1s"), ("quartile.at", "whole_second")];
    let names = [
        "pre_roll",
        "post_roll",
        "lengths/ad_of_7_s",
        "lengths/ad_of_15_s",
        "lengths/mid_roll_at_3_7_s",
    ];
    let player = Player::of(&names.map(|name| (name, own)));
    let fitted = fit(&player.pairs(), &behaviour(), FitOptions::default());
    let quartile = named(&fitted.decided, "quartile.at").expect("three recordings show it");
    assert_eq!(quartile.setting.value, "whole_second");
    assert!(named(&fitted.decided, "complete.at").is_some());
    assert_eq!(fitted.after.in_order, names.len(), "{:?}", fitted.remaining);
    let by_suite = fitted
        .held_out
        .iter()
        .find(|(how, _)| *how == HeldOut::Suite);
    let (_, by_suite) = by_suite.expect("there are two suites");
    assert_eq!(by_suite.recordings, names.len());
    // Two short ones decide nothing, and what they leave open makes trackers of the others differ.
    assert!(by_suite.same_lines < by_suite.lines, "{by_suite:?}");
    assert_eq!(fitted.after.same_lines, fitted.after.lines);
}

#[test]
fn a_fit_does_not_depend_on_threads_and_names_how_it_predicts() {
    let own: &[(&str, &str)] = &[("ad.tracker_calls", "twice")];
    let names = [
        "pre_roll",
        "pod_of_two",
        "post_roll",
        "two_mid_rolls",
        "mid_roll_at_4_s",
    ];
    let player = Player::of(&names.map(|name| (name, own)));
    let with = |threads| {
        let options = FitOptions {
            threads,
            ..FitOptions::default()
        };
        fit(&player.pairs(), &behaviour(), options)
    };
    let fitted = with(1);
    assert_eq!(fitted, with(2));
    assert_eq!(fitted.held_out.len(), 2);
    for (_, agreement) in &fitted.held_out {
        assert_eq!(
            (agreement.recordings, agreement.in_order),
            (5, 5),
            "{:?}",
            fitted.held_out
        );
    }
}

#[test]
fn the_nearest_profile_is_the_one_that_explains_most() {
    let of_fluid: Vec<(&str, String)> = Profile::FluidPlayer.knobs().differing().collect();
    let of_fluid: Vec<(&str, &str)> = of_fluid
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let player = Player::of(&[
        ("pre_roll", &of_fluid),
        ("pod_of_two", &of_fluid),
        ("tag_404", &of_fluid),
    ]);
    let all = [Profile::Default, Profile::FluidPlayer].map(|it| Behaviour {
        name: it.name().to_owned(),
        knobs: it.knobs(),
    });
    let nearest = nearest(&player.pairs(), all.into_iter(), Default::default());
    assert_eq!(nearest.name, "fluid-player");
}
