//! The course of a break, and what can be read meanwhile.

use playsim::api::{Kind, Value};
use playsim::scenario;
use playsim::sim::Simulation;
use playsim::time::Time;
use playsim::trace::Record;

use super::super::support::{events, expect};
use super::world::{EMPTY, PLAY, SPOT, asked, count, play, play_with, read_words, reads, text};

const ONE: &str = "[{ adType: 0, mobile: [https://ads.test/spot] }]";
const TWO_PODS: &str = "[{ adType: 0, mobile: [https://ads.test/empty, https://ads.test/spot] }, \
    { adType: 0, pod: 1, mobile: [https://ads.test/spot] }]";

pub(super) fn quartiles_of_one_long_step_all_come_in_order() -> Result<(), String> {
    let text = text(ONE, PLAY);
    let scenario = scenario::read("test.yaml", &text, &mut |file| {
        Err(std::io::Error::other(file))
    });
    let mut simulation = Simulation::new(&scenario.map_err(|error| error.to_string())?)
        .map_err(|e| e.to_string())?;
    simulation.run_until(Time::from_millis(500));
    simulation.run_until(Time::from_secs(3600));
    let trace = simulation.run();
    let names: Vec<&str> = events(&trace)
        .into_iter()
        .filter(|name| name.starts_with("ad"))
        .collect();
    let due = [
        "adImpression",
        "adStart",
        "adFirstQuartile",
        "adMidpoint",
        "adThirdQuartile",
        "adComplete",
        "adEnd",
    ];
    expect(names == due, "every quartile, in order", &trace)
}

pub(super) fn content_does_not_move_during_an_ad() -> Result<(), String> {
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", video: v1 } } }
  - { at: 1500ms, do: { currentTime: 1 } }
  - { at: 2s, do: play }
  - { at: 3s, read: [currentTime] }
  - { at: 5s, read: [currentTime] }
  - { on: start, read: [currentTime] }
  - { on: start, after: 500ms, read: [currentTime] }
"#;
    let trace = play(ONE, steps);
    let positions = read_words(&trace, "currentTime");
    let read = &positions[positions.len() - 4..];
    expect(
        read == ["1", "1", "1", "1.5"],
        "position 1 s until the ad ends, and on from there",
        &trace,
    )
}

pub(super) fn an_ad_is_in_progress_from_its_impression_to_its_end() -> Result<(), String> {
    let ads = "[{ adType: 0, mobile: [https://ads.test/empty] }, { adType: 0, pod: 1, mobile: [https://ads.test/spot] }, \
        { adType: 0, pod: 2, mobile: [https://ads.test/spot] }]";
    let mut steps = PLAY.to_owned();
    let heard = [
        ("adError", "false"),
        ("adImpression", "true"),
        ("adStart", "true"),
        ("adMidpoint", "true"),
        ("adPause", "true"),
        ("adResume", "true"),
        ("adComplete", "false"),
        ("adSkip", "false"),
        ("requestAd", "false"),
        ("adEnd", "false"),
        ("play", "false"),
    ];
    for (event, _) in heard {
        steps.push_str(&format!("  - {{ on: {event}, read: [getAdInProgress] }}\n"));
    }
    steps.push_str("  - { on: adStart, nth: 1, after: 500ms, do: pause }\n");
    steps.push_str("  - { on: adStart, nth: 1, after: 600ms, read: [getAdInProgress] }\n");
    steps.push_str("  - { on: adStart, nth: 1, after: 700ms, do: play }\n");
    steps.push_str("  - { on: adStart, nth: 2, after: 3s, user: skip }\n");
    let trace = play(ads, &steps);
    let mut at = None;
    let mut seen = 0;
    for record in &trace.records {
        match &*record.name {
            name if record.kind == playsim::api::Kind::Event => at = Some(name),
            "getAdInProgress" => {
                let is = record
                    .data
                    .get("returns")
                    .map_or(String::new(), ToString::to_string);
                let paused = record.at.micros() == 800_000;
                let due = at
                    .and_then(|at| heard.iter().find(|(event, _)| *event == at))
                    .map(|(_, due)| *due);
                let due = if paused { Some("true") } else { due };
                expect(
                    due == Some(&*is),
                    &format!("expected {due:?} at {at:?}, not {is}"),
                    &trace,
                )?;
                seen += 1;
            }
            _ => {}
        }
    }
    expect(seen >= 14, "each of them was read", &trace)
}

pub(super) fn content_may_load_during_a_break() -> Result<(), String> {
    let trace = play(ONE, PLAY);
    let names = events(&trace);
    let at = |name: &str| names.iter().position(|other| *other == name);
    let is_within = at("adStart") < at("loadedmetadata") && at("loadedmetadata") < at("adEnd");
    expect(is_within, "the film's metadata comes during the ad", &trace)
}

pub(super) fn before_start_is_once_per_item_and_not_per_ad() -> Result<(), String> {
    let trace = play(TWO_PODS, PLAY);
    let once = count(&trace, "beforeStart") == 1 && count(&trace, "adImpression") == 2;
    expect(once, "one beforeStart for two ads", &trace)
}

pub(super) fn each_ad_ends_and_the_break_once() -> Result<(), String> {
    let trace = play(TWO_PODS, PLAY);
    expect(
        count(&trace, "adComplete") == 2 && count(&trace, "adEnd") == 1,
        "two ads, one break",
        &trace,
    )?;
    let nothing = play("[{ adType: 0, mobile: [https://ads.test/empty] }]", PLAY);
    let ends = count(&nothing, "adEnd") == 1 && count(&nothing, "adComplete") == 0;
    expect(ends, "a break that shows nothing ends too", &nothing)
}

pub(super) fn each_failing_tag_has_an_error() -> Result<(), String> {
    let ads = "[{ adType: 0, mobile: [https://ads.test/empty, https://ads.test/gone, https://ads.test/empty] }]";
    let trace = play(ads, PLAY);
    let names = events(&trace);
    let of_ads: Vec<&str> = names
        .into_iter()
        .filter(|name| name.contains("Ad") || name.starts_with("ad"))
        .collect();
    let due = [
        "requestAd",
        "adError",
        "requestAd",
        "adError",
        "requestAd",
        "adError",
        "adEnd",
    ];
    expect(
        of_ads == due,
        "an error for each tag, before the next is requested",
        &trace,
    )
}

pub(super) fn a_replay_requests_no_ad_and_a_start_after_stop_does() -> Result<(), String> {
    let steps = format!(
        "{PLAY}  - {{ on: ended, nth: 1, do: play }}
  - {{ on: ended, nth: 2, do: stop }}
  - {{ on: stopped, nth: 1, do: play }}
"
    );
    let trace = play(ONE, &steps);
    expect(
        asked(&trace) == ["spot", "spot"],
        "requested for the first start and for the one after stop",
        &trace,
    )?;
    let starts = (
        count(&trace, "start"),
        count(&trace, "beforeStart"),
        count(&trace, "ended"),
    );
    expect(starts == (2, 2, 3), "two starts and three passes", &trace)
}

pub(super) fn play_while_a_break_loads_only_sets_the_intent() -> Result<(), String> {
    let steps = format!(
        "{PLAY}  - {{ at: 50ms, do: play }}\n  - {{ at: 60ms, do: pause }}\n  - {{ at: 70ms, do: play }}\n"
    );
    let trace = play(ONE, &steps);
    let plain = play(ONE, PLAY);
    expect(
        events(&trace) == events(&plain),
        "the events are those without the calls",
        &trace,
    )
}

pub(super) fn the_last_document_is_available_in_the_events_of_its_response() -> Result<(), String> {
    let ads = "[{ adType: 0, mobile: [https://ads.test/empty, https://ads.test/spot] }]";
    let mut steps = PLAY.to_owned();
    for event in ["requestAd", "adError", "adImpression", "adStart", "adEnd"] {
        steps.push_str(&format!(
            "  - {{ on: {event}, player: null, read: [values.lastVASTXML] }}\n"
        ));
    }
    let trace = play(ads, &steps);
    let read: Vec<&str> = reads(&trace, "values.lastVASTXML")
        .iter()
        .map(|value| value.as_text().map_or("null", |text| &**text))
        .collect();
    let due = ["null", EMPTY, EMPTY, SPOT, SPOT, SPOT];
    expect(
        read == due,
        "nothing before the first response, then the latest",
        &trace,
    )
}

pub(super) fn the_last_document_is_that_of_the_current_break() -> Result<(), String> {
    let steps = format!(
        "{PLAY}  - {{ on: ended, read: [values.lastVASTXML] }}
  - {{ on: ended, after: 1s, do: stop }}
  - {{ on: ended, after: 2s, read: [values.lastVASTXML] }}
  - {{ on: ended, after: 3s, do: play }}
  - {{ on: ended, after: 3050ms, read: [values.lastVASTXML] }}
  - {{ on: ended, after: 3060ms, do: stop }}
"
    );
    let trace = play(ONE, &steps);
    let kept: Vec<bool> = reads(&trace, "values.lastVASTXML")
        .iter()
        .map(|value| value.as_text().is_some())
        .collect();
    expect(
        kept == [true, true, false],
        "kept until the next break opens",
        &trace,
    )
}

pub(super) fn a_failed_request_leaves_the_document_of_the_previous_hop() -> Result<(), String> {
    let wrapper = "<VAST version='4.2'><Ad><Wrapper><VASTAdTagURI>https://ads.test/gone</VASTAdTagURI></Wrapper></Ad></VAST>";
    let text = text(
        "[{ adType: 0, mobile: [https://ads.test/spotless, https://ads.test/gone] }]",
        &format!("{PLAY}  - {{ on: adError, read: [values.lastVASTXML] }}\n"),
    );
    let listed =
        format!("network:\n  https://ads.test/spotless: {{ after: 10ms, text: \"{wrapper}\" }}\n");
    let trace = super::super::support::play(&text.replace("network:\n", &listed));
    let read: Vec<String> = read_words(&trace, "values.lastVASTXML");
    expect(
        read.len() == 2 && read[0].contains("Wrapper") && read[1] == "null",
        "the wrapper, then nothing",
        &trace,
    )?;
    let silent = play_with("[{ adType: 0, mobile: [https://ads.test/gone] }]", PLAY, "");
    expect(
        count(&silent, "adError") == 1,
        "one tag, one error",
        &silent,
    )
}

pub(super) fn the_hops_of_a_chain_are_called_in_the_order_of_the_profile() -> Result<(), String> {
    let around = "<VAST version='4.2'><Ad><Wrapper><VASTAdTagURI>https://ads.test/spot</VASTAdTagURI>\
                  <Impression>https://t.test/around</Impression></Wrapper></Ad></VAST>";
    let scenario = text("[{ adType: 0, mobile: [https://ads.test/around] }]", PLAY);
    let listed =
        format!("network:\n  https://ads.test/around: {{ after: 10ms, text: \"{around}\" }}\n");
    let scenario = scenario.replace("network:\n", &listed);
    for (order, hops) in [
        ("outermost_first", [0, 1]),
        ("innermost_first", [1, 0]),
        ("impressions_apart", [0, 1]),
    ] {
        let trace = super::super::support::play(&format!(
            "{scenario}knobs: {{ ad.tracker_order: {order} }}\n"
        ));
        let impressions = trace
            .records
            .iter()
            .filter(|record| *record.name == *"impression");
        let called: Vec<_> = impressions
            .filter_map(|record| record.data.get("hop").and_then(Value::as_integer))
            .collect();
        expect(
            called == hops,
            &format!("the impressions of hops {hops:?} with {order}"),
            &trace,
        )?;
    }
    Ok(())
}

pub(super) fn a_cue_point_is_met_at_the_next_look_at_the_position() -> Result<(), String> {
    let ads = "[{ adType: 1, adTimeType: s, cuepoints: [1], mobile: [https://ads.test/spot] }]";
    let trace = play_with(ads, PLAY, "knobs: { cue.check: 800ms }\n");
    let at = |name: &str| {
        let is_it = |record: &&Record| record.kind == Kind::Event && *record.name == *name;
        trace
            .records
            .iter()
            .find(is_it)
            .map(|record| record.at.micros())
    };
    let late = at("requestAd")
        .zip(at("start"))
        .map(|(asked, start)| asked - start);
    expect(
        late == Some(1_600_000),
        "the look after 1.6 s is the first after the cue point",
        &trace,
    )
}
