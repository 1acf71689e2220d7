//! Which ads are requested.

use playsim::api::{EventName, Kind, Value};

use super::super::support::{events, expect};
use super::world::{PLAY, asked, count, play, play_with, reads};

pub(super) fn a_desktop_without_a_list_of_its_own_uses_the_mobile_one() -> Result<(), String> {
    for (ads, device, due) in [
        (
            "[{ adType: 0, mobile: [https://ads.test/empty] }]",
            "desktop",
            "empty",
        ),
        (
            "[{ adType: 0, mobile: [https://ads.test/empty], desktop: [] }]",
            "desktop",
            "empty",
        ),
        (
            "[{ adType: 0, mobile: [https://ads.test/empty], desktop: [https://ads.test/spot] }]",
            "desktop",
            "spot",
        ),
        (
            "[{ adType: 0, mobile: [https://ads.test/empty], desktop: [https://ads.test/spot] }]",
            "mobile",
            "empty",
        ),
    ] {
        let trace = play_with(
            ads,
            PLAY,
            &format!("page: {{ device: {device}, gesture_policy: free }}\n"),
        );
        expect(asked(&trace) == [due], due, &trace)?;
    }
    Ok(())
}

pub(super) fn set_ad_appends_or_prepends_and_returns_nothing() -> Result<(), String> {
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", video: v1 } } }
  - { at: 1s, do: { setAd: [{ adType: 0, mobile: [https://ads.test/spot] }] } }
  - { at: 1s, do: { setAd: [{ adType: 0, mobile: [https://ads.test/b, https://ads.test/c] }, true, player] } }
  - { at: 1s, do: { setAd: [{ adType: 0, mobile: [https://ads.test/spot2] }, false] } }
  - { at: 2s, do: play }
"#;
    let trace = play("[{ adType: 0, mobile: [https://ads.test/empty] }]", steps);
    let due = ["b", "c", "empty", "spot"];
    expect(
        asked(&trace) == due,
        "prepended tags first in their order, appended ones last",
        &trace,
    )?;
    let place = trace
        .events()
        .find(|event| event.name == EventName::AdComplete);
    let wp = place.and_then(|event| event.data.get("wp"));
    expect(
        wp == Some(&Value::from(3)),
        "the tag at index 3 won",
        &trace,
    )?;
    let silent = reads(&trace, "setAd")
        .iter()
        .all(|returned| **returned == Value::Undefined);
    let before_play = trace
        .events()
        .filter(|event| event.at.micros() == 1_000_000)
        .map(|event| event.name);
    let heard: Vec<_> = before_play.collect();
    expect(
        silent && heard == [EventName::LoadedMetadata],
        "setAd returns nothing and causes no event",
        &trace,
    )
}

pub(super) fn a_single_tag_url_is_a_list_of_one() -> Result<(), String> {
    let one = play("[{ adType: 0, adTagUrl: https://ads.test/spot }]", PLAY);
    expect(asked(&one) == ["spot"], "a string is a list of one", &one)?;
    let two = play(
        "[{ adType: 0, adTagUrl: [https://ads.test/empty, https://ads.test/spot] }]",
        PLAY,
    );
    expect(asked(&two) == ["empty", "spot"], "a list is a list", &two)?;
    let both = "[{ adType: 0, adTagUrl: https://ads.test/empty, mobile: [https://ads.test/spot] }]";
    let both = play(both, PLAY);
    expect(asked(&both) == ["spot"], "mobile wins", &both)
}

pub(super) fn no_time_type_is_needed_where_there_is_no_time() -> Result<(), String> {
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", video: v1 } } }
  - { at: 1s, do: { setAd: [{ adType: 0, mobile: [https://ads.test/spot] }] } }
  - { at: 1s, do: { setAd: [{ adType: 2, mobile: [https://ads.test/spot] }] } }
"#;
    let trace = play("[]", steps);
    let diags = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Diag)
        .count();
    let calls = trace
        .records
        .iter()
        .filter(|record| *record.name == *"setAd");
    let fine = calls
        .filter(|record| record.data.get("error").is_none())
        .count();
    expect(
        diags == 0 && fine == 2,
        "pre- and post-rolls need no adTimeType",
        &trace,
    )
}

pub(super) fn video_level_ads_replace_only_their_type_and_item() -> Result<(), String> {
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", playlist: [v1, own, v2] } } }
  - { on: ready, do: play }
"#;
    let trace = play("[{ adType: 0, mobile: [https://ads.test/spot] }]", steps);
    expect(
        asked(&trace) == ["spot", "empty", "spot"],
        "only the item's own pre-roll is replaced",
        &trace,
    )?;
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", playlist: [v1, v2] } } }
  - { on: ready, do: { setAd: [{ adType: 2, mobile: [https://ads.test/spot2] }, false, video] } }
  - { on: ready, do: play }
"#;
    let trace = play("[{ adType: 0, mobile: [https://ads.test/spot] }]", steps);
    expect(
        asked(&trace)[0] == "spot",
        "a post-roll at video level leaves the player's pre-roll",
        &trace,
    )
}

pub(super) fn pods_are_counted_at_player_level() -> Result<(), String> {
    let ads = "[{ adType: 0, mobile: [https://ads.test/empty] }, \
        { adType: 0, pod: 1, mobile: [https://ads.test/empty] }, \
        { adType: 2, mobile: [https://ads.test/empty] }]";
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", video: v1 } } }
  - { on: ready, do: { setAd: [{ adType: 0, mobile: [https://ads.test/spot] }, false, video] } }
  - { on: ready, do: play }
"#;
    let trace = play(ads, steps);
    let data = trace
        .events()
        .find(|event| event.name == EventName::AdComplete)
        .map(|event| event.data.to_string());
    let due = r#"{"wp":0,"pod":0,"pods":2}"#;
    expect(
        asked(&trace)[..1] == ["spot"] && data.as_deref() == Some(due),
        due,
        &trace,
    )
}

pub(super) fn a_break_keeps_the_tags_it_began_with() -> Result<(), String> {
    let steps = format!(
        r#"{PLAY}
  - {{ at: 50ms, do: {{ setAd: [{{ adType: 0, mobile: [https://ads.test/spot] }}] }} }}
  - {{ on: start, nth: 1, do: {{ setAd: [{{ adType: 0, mobile: [https://ads.test/spot2] }}, true] }} }}
  - {{ on: ended, nth: 1, after: 1s, do: stop }}
  - {{ on: ended, nth: 1, after: 2s, do: play }}
"#
    );
    let trace = play("[{ adType: 0, mobile: [https://ads.test/empty] }]", &steps);
    expect(
        asked(&trace) == ["empty", "spot2"],
        "what was set meanwhile waits for the next start",
        &trace,
    )
}

pub(super) fn ads_are_only_for_monetized_items() -> Result<(), String> {
    let unpaid = PLAY.replace("v1", "unpaid");
    let (film, ads) = (PLAY, "[{ adType: 0, mobile: [https://ads.test/spot] }]");
    for (ads, steps) in [
        (ads, &*unpaid),
        ("[]", film),
        (
            "[{ adType: 2, mobile: [https://ads.test/spot] }]",
            &film.replace("play }", "stop }"),
        ),
    ] {
        let trace = play(ads, steps);
        let silent = count(&trace, "requestAd") == 0 && count(&trace, "adEnd") == 0;
        expect(
            silent
                && !trace
                    .records
                    .iter()
                    .any(|record| record.kind == Kind::Break),
            "no break",
            &trace,
        )?;
    }
    Ok(())
}

pub(super) fn a_list_requests_a_pre_roll_before_each_item() -> Result<(), String> {
    let steps = r#"
  - { at: 0s, init: { div: player, config: { id: p, width: "1", height: "1", playlist: [v1, v2] } } }
  - { on: ready, do: play }
"#;
    let trace = play("[{ adType: 0, mobile: [https://ads.test/empty] }]", steps);
    let names = events(&trace);
    let order: Vec<&str> = names
        .into_iter()
        .filter(|name| matches!(*name, "requestAd" | "start" | "ended"))
        .collect();
    let due = ["requestAd", "start", "ended", "requestAd", "start", "ended"];
    expect(order == due, "a pre-roll before each item", &trace)
}
