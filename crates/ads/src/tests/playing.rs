//! From the start of an ad to its end: skip, pause, stalls, quartiles, abort.

use super::*;

#[test]
fn an_ad_is_skipped_from_its_offset_on_and_not_before() {
    let world = |offset, deeds: &[u64]| {
        let world = World::new()
            .with(A, 0, document(vec![skippable(ad("a"), offset)]))
            .keeping(&[Kind::Beacon, Kind::Diag]);
        deeds
            .iter()
            .fold(world, |world, at| world.deed(*at, Deed::Skip))
            .run(&[A])
    };
    let log = world(Offset::At(ms(2_500)), &[2_499, 2_500]);
    let expected = [
        r#"2.499 * skip_not_offered {"text":"the ad can be skipped from 2.5s on"}"#,
        r#"2.5 adSkip {"wp":0,"pod":0,"pods":1}"#,
        "2.5 ! skip https://a.test/skip",
        "2.5 adEnd",
    ];
    assert_eq!(log[log.len() - 4..], expected);
    let log = world(Offset::Share(500_000), &[1_999, 2_000]);
    assert_eq!(
        log[log.len() - 5..log.len() - 3],
        ["2 adMidpoint", "2 ! midpoint https://a.test/midpoint"]
    );
    assert!(log[log.len() - 1].starts_with("2 adEnd"));
    let log = World::new()
        .with(A, 0, document(vec![ad("a")]))
        .deed(3_500, Deed::Skip)
        .keeping(&[Kind::Diag])
        .run(&[A]);
    assert!(
        log.contains(
            &r#"3.5 * skip_not_offered {"text":"the ad cannot be skipped: it has no skipoffset"}"#
                .to_owned()
        )
    );
    assert!(log.iter().any(|line| line.contains("adComplete")));
}

#[test]
fn pause_stops_the_clock_of_an_ad() {
    let log = World::new()
        .with(A, 0, document(vec![ad("a")]))
        .deed(1_500, Deed::Pause)
        .deed(1_600, Deed::Pause)
        .deed(11_500, Deed::Resume)
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    let expected = [
        "1 adFirstQuartile",
        "1.5 adPause",
        "1.5 ! pause https://a.test/pause",
        "11.5 adResume",
        "11.5 ! resume https://a.test/resume",
        "12 adMidpoint",
    ];
    assert_eq!(log[6..12], expected);
}

#[test]
fn a_held_ad_waits_before_its_impression() {
    let mut world = World::new()
        .with(A, 100, document(vec![ad("a")]))
        .deed(3_000, Deed::Start);
    world.starts = false;
    assert_eq!(
        world.run(&[A])[..3],
        ["0 requestAd", "3 adImpression", "3 adStart"]
    );
}

fn stalling(at_ms: u64, length_ms: u64) -> Result<MediaInfo, MediaFault> {
    let stall = Stall {
        at: Position::from_millis(at_ms),
        length: ms(length_ms),
    };
    Ok(MediaInfo {
        duration: ms(4_000),
        stalls: vec![stall],
        ..MediaInfo::default()
    })
}

#[test]
fn a_stall_stops_the_clock_and_fails_the_ad_if_it_is_too_long() {
    let world = |length| {
        World::new()
            .with(A, 0, document(vec![ad("a")]))
            .with(B, 0, document(Vec::new()))
            .media("https://m.test/a.mp4", 0, stalling(2_000, length))
            .run(&[A, B])
    };
    let log = world(8_000);
    assert_eq!(
        log[3..6],
        ["1 adFirstQuartile", "2 adMidpoint", "11 adThirdQuartile"]
    );
    let log = world(8_001);
    let expected = [
        "1 adFirstQuartile",
        "2 adMidpoint",
        r#"10 adError {"code":405,"message":"the media file cannot be displayed"}"#,
        "10 requestAd",
        r#"10 adError {"code":303,"message":"no ad in the response"}"#,
        "10 adEnd",
    ];
    assert_eq!(log[3..], expected);
}

#[test]
fn a_stall_while_paused_does_not_count() {
    let log = World::new()
        .with(A, 0, document(vec![ad("a")]))
        .media("https://m.test/a.mp4", 0, stalling(2_000, 20_000))
        .deed(3_000, Deed::Pause)
        .deed(15_000, Deed::Resume)
        .run(&[A]);
    assert_eq!(
        log[5..8],
        ["3 adPause", "15 adResume", "23 adThirdQuartile"]
    );
}

#[test]
fn media_that_fails_while_it_plays_ends_the_ad() {
    let fails = Some(Failure {
        at: Position::from_millis(2_000),
        how: MediaFault::Decode,
    });
    let info = MediaInfo {
        duration: ms(4_000),
        fails,
        ..MediaInfo::default()
    };
    let log = World::new()
        .with(A, 0, document(vec![ad("a")]))
        .media("https://m.test/a.mp4", 0, Ok(info))
        .keeping(&[Kind::Beacon, Kind::Break])
        .run(&[A]);
    let expected = [
        "1 adFirstQuartile",
        r#"2 adError {"code":405,"message":"the media file cannot be displayed"}"#,
        "2 ! error https://a.test/err?405",
        "2 adEnd",
        r#"2 * end {"kind":"pre","outcome":"filled"}"#,
    ];
    assert_eq!(log[log.len() - 5..], expected);
}

#[test]
fn a_pod_goes_on_after_an_ad_that_failed_in_the_middle() {
    let fails = Some(Failure {
        at: Position::from_millis(1),
        how: MediaFault::Decode,
    });
    let info = MediaInfo {
        duration: ms(4_000),
        fails,
        ..MediaInfo::default()
    };
    for (ads, last) in [
        (vec![sequenced(ad("a"), 1), sequenced(ad("b"), 2)], "adEnd"),
        (vec![sequenced(ad("b"), 1), sequenced(ad("a"), 2)], "adEnd"),
    ] {
        let log = World::new()
            .with(A, 0, document(ads))
            .media("https://m.test/a.mp4", 0, Ok(info.clone()))
            .run(&[A, B]);
        assert_eq!(count(&names(&log), EventName::RequestAd), 1, "{log:#?}");
        assert_eq!(names(&log).last(), Some(&last));
        assert_eq!(codes(&log), ["405"]);
    }
}

#[test]
fn an_ad_of_length_zero_fires_everything_at_once() {
    let log = World::new()
        .with(A, 0, document(vec![ad("a")]))
        .media("https://m.test/a.mp4", 0, lasting(0))
        .run(&[A]);
    let expected = [
        "requestAd",
        "adImpression",
        "adStart",
        "adFirstQuartile",
        "adMidpoint",
        "adThirdQuartile",
        "adComplete",
        "adEnd",
    ];
    assert_eq!(names(&log), expected);
    assert!(log.iter().all(|line| line.starts_with("0 ")));
}

#[test]
fn quartiles_precede_progress_on_a_tie_and_follow_the_duration_of_the_media() {
    let mut timed = ad("a");
    let linear = linear_of(&mut timed);
    linear.duration = Some(ms(9_000));
    linear.tracking = vec![
        tracking("a", "progress", Some(Offset::At(ms(2_000)))),
        tracking("b", "progress", Some(Offset::Share(500_000))),
        tracking("c", "progress", Some(Offset::At(ms(500)))),
        tracking("d", "progress", Some(Offset::At(ms(4_001)))),
        tracking("e", "progress", Some(Offset::At(ms(4_000)))),
        tracking("f", "progress", None),
    ];
    let log = World::new()
        .with(A, 0, document(vec![timed]))
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    let expected = [
        "0.5 ! progress https://c.test/progress",
        "1 adFirstQuartile",
        "2 adMidpoint",
        "2 ! progress https://a.test/progress",
        "2 ! progress https://b.test/progress",
        "3 adThirdQuartile",
        "4 ! progress https://e.test/progress",
        r#"4 adComplete {"wp":0,"pod":0,"pods":1}"#,
        "4 adEnd",
    ];
    assert_eq!(log[4..], expected);
}

#[test]
fn an_aborted_break_is_silent_and_returns_its_requests() {
    let world = || {
        World::new()
            .with(A, 2_000, document(vec![ad("a")]))
            .keeping(&[Kind::Break])
    };
    let log = world().deed(1_000, Deed::Abort).run(&[A]);
    assert_eq!(
        log[2..],
        [r#"1 * end {"kind":"pre","outcome":"aborted"}"#, "0 Dropped"]
    );
    let log = world().deed(3_500, Deed::Abort).run(&[A]);
    assert_eq!(
        log[4..],
        [
            "3 adFirstQuartile",
            r#"3.5 * end {"kind":"pre","outcome":"aborted"}"#
        ]
    );
}
