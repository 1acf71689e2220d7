//! From the request to the ad: waterfalls, wrappers, pods, failures.

use super::*;

#[test]
fn a_waterfall_goes_on_until_a_tag_fills() {
    let log = World::new()
        .with(A, 200, document(Vec::new()))
        .with_fetched(B, 0, None)
        .with(C, 300, document(vec![ad("c")]))
        .run(&[A, B, C]);
    let expected = [
        "0 requestAd",
        r#"0.2 adError {"code":303,"message":"no ad in the response"}"#,
        "0.2 requestAd",
        r#"5.2 adError {"code":301,"message":"the ad server timed out or failed"}"#,
        "5.2 requestAd",
        "5.5 adImpression",
        "5.5 adStart",
        "6.5 adFirstQuartile",
        "7.5 adMidpoint",
        "8.5 adThirdQuartile",
        r#"9.5 adComplete {"wp":2,"pod":0,"pods":1}"#,
        "9.5 adEnd",
    ];
    assert_eq!(log, expected);
}

#[test]
fn an_empty_response_calls_the_root_error_url() {
    let log = World::new()
        .with(A, 0, document(Vec::new()))
        .keeping(&[Kind::Beacon, Kind::Break])
        .run(&[A]);
    let expected = [
        r#"0 * begin {"kind":"pre","why":"test","engine":"in_house","waterfalls":[["https://t.test/a"]],"pods":1}"#,
        "0 requestAd",
        "0 ! error https://root.test/err?303",
        r#"0 adError {"code":303,"message":"no ad in the response"}"#,
        "0 adEnd",
        r#"0 * end {"kind":"pre","outcome":"no-fill"}"#,
    ];
    assert_eq!(log, expected);
}

#[test]
fn a_tag_that_is_not_a_url_fails_without_a_request() {
    let log = World::new().run(&["nonsense", "a.test/x"]);
    assert_eq!(names(&log), ["adError", "adError", "adEnd"]);
    assert_eq!(codes(&log), ["900", "900"]);
}

#[test]
fn trackers_of_all_hops_are_called_outermost_first() {
    let log = World::new()
        .with(A, 0, document(vec![wrapper("w1", B)]))
        .with(B, 0, document(vec![wrapper("w2", C)]))
        .with(C, 0, document(vec![ad("c")]))
        .keeping(&[Kind::Beacon, Kind::Net])
        .run(&[A]);
    let expected = [
        "0 requestAd",
        "0 ? https://t.test/a",
        "0 ? https://t.test/b",
        "0 ? https://t.test/c",
        "0 ? https://m.test/c.mp4",
        "0 adImpression",
        "0 ! impression https://w1.test/imp",
        "0 ! impression https://w2.test/imp",
        "0 ! impression https://c.test/imp",
        "0 adStart",
        "0 ! creativeView https://c.test/creativeView",
        "0 ! start https://w1.test/start",
        "0 ! start https://w2.test/start",
        "0 ! start https://c.test/start",
        "1 adFirstQuartile",
        "2 adMidpoint",
        "2 ! midpoint https://c.test/midpoint",
        "3 adThirdQuartile",
        r#"4 adComplete {"wp":0,"pod":0,"pods":1}"#,
        "4 ! complete https://c.test/complete",
        "4 adEnd",
    ];
    assert_eq!(log, expected);
}

#[test]
fn an_empty_response_after_wrappers_calls_every_hop_even_if_the_urls_are_equal() {
    let mut second = wrapper("w1", C);
    second.id = Some("w2".into());
    let log = World::new()
        .with(A, 0, document(vec![wrapper("w1", B)]))
        .with(B, 0, document(vec![second]))
        .with(C, 0, document(Vec::new()))
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    let expected = [
        "0 requestAd",
        "0 ! error https://w1.test/err?303",
        "0 ! error https://w1.test/err?303",
        "0 ! error https://root.test/err?303",
        r#"0 adError {"code":303,"message":"no ad in the response"}"#,
        "0 adEnd",
    ];
    assert_eq!(log, expected);
}

#[test]
fn a_loop_of_wrappers_ends_at_the_limit() {
    let log = World::new()
        .with(A, 100, document(vec![wrapper("w", A)]))
        .keeping(&[Kind::Net, Kind::Beacon])
        .run(&[A]);
    assert_eq!(log.iter().filter(|line| line.contains("? ")).count(), 6);
    assert_eq!(
        log.iter().filter(|line| line.ends_with("err?302")).count(),
        6
    );
    assert_eq!(codes(&log), ["302"]);
}

#[test]
fn a_response_exactly_at_the_limit_is_in_time_and_a_later_one_is_late() {
    let log = World::new().with(A, 5_000, document(Vec::new())).run(&[A]);
    assert_eq!(codes(&log), ["303"]);
    let log = World::new()
        .with_fetched(A, 5_001, answer(document(vec![ad("a")])))
        .with(B, 2_000, document(vec![ad("b")]))
        .keeping(&[Kind::Net])
        .run(&[A, B]);
    let expected = [
        "0 requestAd",
        "0 ? https://t.test/a",
        r#"5 * timeout {"id":0,"url":"https://t.test/a","purpose":"ad-tag","hop":0,"wp":0,"pod":0}"#,
        r#"5 adError {"code":301,"message":"the ad server timed out or failed"}"#,
        "5 requestAd",
        "5 ? https://t.test/b",
        "5.001 Late",
        "7 ? https://m.test/b.mp4",
        "7 adImpression",
    ];
    assert_eq!(log[..expected.len()], expected);
}

#[test]
fn the_time_limit_of_a_tag_includes_its_wrappers() {
    let log = World::new()
        .with(A, 3_000, document(vec![wrapper("w", B)]))
        .with(B, 2_001, document(vec![ad("b")]))
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    let expected = [
        "0 requestAd",
        "5 ! error https://w.test/err?301",
        r#"5 adError {"code":301,"message":"the ad server timed out or failed"}"#,
        "5 adEnd",
        "5.001 Late",
    ];
    assert_eq!(log, expected);
}

#[test]
fn media_that_is_slow_or_missing_fails_the_tag() {
    for (after, info, code, at) in [
        (8_000, lasting(1), None, "8"),
        (8_001, lasting(1), Some("402"), "8"),
        (0, Err(MediaFault::NotFound), Some("401"), "0"),
        (0, Err(MediaFault::Decode), Some("405"), "0"),
    ] {
        let world = World::new().with(A, 0, document(vec![ad("a")]));
        let log = world.media("https://m.test/a.mp4", after, info).run(&[A]);
        assert_eq!(codes(&log), code.into_iter().collect::<Vec<_>>());
        assert!(log[1].starts_with(&format!("{at} ")), "{log:?}");
    }
}

#[test]
fn a_pod_plays_in_order_and_the_reserve_replaces_failed_ads() {
    let ads = vec![
        ad("r"),
        sequenced(ad("p3"), 3),
        sequenced(ad("p1"), 1),
        sequenced(ad("p2"), 2),
        ad("s"),
    ];
    let log = World::new()
        .with(A, 0, document(ads))
        .media("https://m.test/p1.mp4", 1_000, lasting(4_000))
        .media("https://m.test/p2.mp4", 0, Err(MediaFault::NotFound))
        .run(&[A, B]);
    assert_eq!(codes(&log), ["401"]);
    let log: Vec<&str> = names(&log)
        .into_iter()
        .filter(|name| !name.contains("Quartile"))
        .collect();
    let ad = ["adImpression", "adStart", "adMidpoint", "adComplete"];
    let expected = [&["requestAd"][..], &ad, &["adError"], &ad, &ad, &["adEnd"]].concat();
    assert_eq!(log, expected);
}

#[test]
fn a_pod_without_a_playable_ad_fails_its_tag_once() {
    let broken = |id| Ad {
        kind: AdKind::Broken(Children::Neither),
        ..ad(id)
    };
    let ads = vec![
        sequenced(broken("a"), 1),
        sequenced(wrapper_with("b", C, |w| w.tag_uri = None), 2),
    ];
    let log = World::new()
        .with(A, 0, document(ads))
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    let expected = [
        "0 requestAd",
        "0 ! error https://a.test/err?101",
        "0 ! error https://b.test/err?300",
        r#"0 adError {"code":101,"message":"the response violates the VAST schema"}"#,
        "0 adEnd",
    ];
    assert_eq!(log, expected);
}

#[test]
fn a_broken_ad_at_the_start_of_a_pod_is_reported_when_the_tag_fills() {
    let ads = vec![
        sequenced(
            Ad {
                kind: AdKind::Broken(Children::Neither),
                ..ad("a")
            },
            1,
        ),
        sequenced(ad("b"), 2),
    ];
    let log = World::new()
        .with(A, 0, document(ads))
        .media("https://m.test/b.mp4", 500, lasting(4))
        .run(&[A]);
    assert_eq!(
        log[1],
        r#"0.5 adError {"code":101,"message":"the response violates the VAST schema"}"#
    );
    assert_eq!(names(&log)[1..4], ["adError", "adImpression", "adStart"]);
}

#[test]
fn a_usable_stand_alone_ad_plays_without_an_error() {
    let ads = vec![ad_with_files(Vec::new()), ad("b"), ad("c")];
    let log = World::new()
        .with(A, 0, document(ads))
        .keeping(&[Kind::Ad])
        .run(&[A]);
    assert_eq!(codes(&log), ["403"]);
    assert_eq!(names(&log)[..2], ["requestAd", "*"]);
    let replaced = r#"0 * replace {"wp":0,"pod":0,"ad":"b","instead_of":"files","at":"a.xml:1:1"}"#;
    assert!(log.iter().any(|line| line == replaced), "{log:#?}");
    assert!(!log.iter().any(|line| line.contains("adError")), "{log:#?}");
}

#[test]
fn a_wrapper_may_allow_or_forbid_a_pod() {
    let pod = || document(vec![sequenced(ad("p1"), 1), sequenced(ad("p2"), 2)]);
    let allowed = wrapper_with("w", B, |wrapper| wrapper.allow_multiple_ads = true);
    let log = World::new()
        .with(A, 0, document(vec![allowed]))
        .with(B, 0, pod())
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    let impressions: Vec<&str> = log
        .iter()
        .filter_map(|line| line.split_once("impression "))
        .map(|(_, url)| url)
        .collect();
    let expected = [
        "https://w.test/imp",
        "https://p1.test/imp",
        "https://w.test/imp",
        "https://p2.test/imp",
    ];
    assert_eq!(impressions, expected);
    let log = World::new()
        .with(A, 0, document(vec![wrapper("w", B)]))
        .with(B, 0, pod())
        .run(&[A]);
    assert_eq!(codes(&log), ["303"]);
}

#[test]
fn a_wrapper_may_forbid_wrappers_and_a_fallback() {
    let strict = |fallback| {
        wrapper_with("w", B, |wrapper| {
            wrapper.follow_additional_wrappers = false;
            wrapper.fallback_on_no_ad = fallback;
        })
    };
    for (fallback, codes_due) in [
        (Some(false), vec!["303"]),
        (Some(true), vec![]),
        (None, vec![]),
    ] {
        let log = World::new()
            .with(A, 0, document(vec![strict(fallback), ad("reserve")]))
            .with(B, 0, document(vec![wrapper("v", C)]))
            .run(&[A]);
        assert_eq!(codes(&log), codes_due);
        assert_eq!(
            log.iter().any(|line| line.contains("adComplete")),
            codes_due.is_empty()
        );
    }
}

#[test]
fn a_wrapper_without_a_usable_ad_reports_each_failure_once() {
    let log = World::new()
        .with(A, 0, document(vec![wrapper("w", B), ad("reserve")]))
        .with(B, 0, document(vec![ad_with_files(Vec::new())]))
        .keeping(&[Kind::Beacon])
        .run(&[A]);
    assert_eq!(
        log[1..3],
        [
            "0 ! error https://w.test/err?403",
            "0 ! error https://files.test/err?403"
        ]
    );
    assert_eq!(log[3], "0 adImpression");
    assert_eq!(log[4], "0 ! impression https://reserve.test/imp");
}

#[test]
fn unusable_documents_fail_with_their_code() {
    let fault = |code| Document {
        root: Root::Vast,
        fault: Some(vast::Fault {
            code,
            text: "x".into(),
            at: AT,
        }),
        ..document(Vec::new())
    };
    let root = |root| Document {
        root,
        ..document(vec![ad("a")])
    };
    let overlay = || {
        let mut ad = ad("a");
        ad.creatives[0].kind = CreativeKind::NonLinear(vast::NonLinearAds::default());
        document(vec![ad])
    };
    let status = |status| {
        let Some(Fetched::Response(answer)) = answer(document(vec![ad("a")])) else {
            panic!("expected a response")
        };
        Some(Fetched::Response(Response { status, ..answer }))
    };
    for (fetched, code) in [
        (answer(fault(100)), "100"),
        (answer(fault(101)), "101"),
        (answer(fault(102)), "102"),
        (answer(root(Root::None)), "100"),
        (answer(root(Root::Vast1)), "102"),
        (answer(root(Root::Vmap)), "200"),
        (answer(root(Root::Other("html".into()))), "101"),
        (answer(overlay()), "201"),
        (status(404), "301"),
        (Some(Fetched::Failed(NetworkFault::Refused)), "301"),
    ] {
        assert_eq!(
            codes(&World::new().with_fetched(A, 0, fetched).run(&[A])),
            [code]
        );
    }
}

#[test]
fn the_pods_of_a_break_play_one_after_another() {
    let log = World::new()
        .with(A, 0, document(vec![ad("a")]))
        .with(B, 0, document(Vec::new()))
        .with(C, 0, document(vec![ad("c")]))
        .run_pods(vec![
            vec![A.into(), B.into()],
            vec![B.into()],
            vec![B.into(), C.into()],
        ]);
    let completes: Vec<&str> = log
        .iter()
        .filter_map(|line| line.split_once("adComplete "))
        .map(|(_, data)| data)
        .collect();
    assert_eq!(
        completes,
        [
            r#"{"wp":0,"pod":0,"pods":3}"#,
            r#"{"wp":1,"pod":2,"pods":3}"#
        ]
    );
    assert_eq!(count(&names(&log), EventName::AdEnd), 1);
}

#[test]
fn the_last_document_is_that_of_the_last_response_or_of_the_previous_hop() {
    let (mut out, mut macros, knobs) = (
        Outbox::new(),
        Macros::new("main", 0, 0),
        KnobReader::default(),
    );
    let terms = AdTerms::default();
    let sides = Sides::default();
    let around = Surroundings {
        knobs: &knobs,
        terms: &terms,
        size: (640, 360),
        sides: &sides,
    };
    let tags = vec![A.into(), B.into()];
    let plan = BreakPlan::new(BreakKind::Pre, "test", vec![tags]);
    let mut ad_break = AdBreak::open(plan, cx!(Time::ZERO, around, macros, out));
    assert_eq!(ad_break.last_document(), None);
    let refused = Fetched::Failed(NetworkFault::Refused);
    let wrapped = answer(document(vec![wrapper("w", C)])).unwrap();
    ad_break.fetched(RequestId(0), &wrapped, cx!(Time::ZERO, around, macros, out));
    assert!(ad_break.last_document().is_some());
    ad_break.fetched(RequestId(1), &refused, cx!(Time::ZERO, around, macros, out));
    assert!(
        ad_break.last_document().is_some(),
        "the wrapper's own document stays"
    );
    ad_break.fetched(RequestId(2), &refused, cx!(Time::ZERO, around, macros, out));
    assert_eq!(ad_break.last_document(), None);
    assert_eq!(ad_break.phase(), Phase::Over(BreakOutcome::NoFill));
}

#[test]
fn a_timeout_is_caused_by_the_line_of_its_request() {
    let (mut out, mut macros, knobs) = (
        Outbox::new(),
        Macros::new("main", 0, 0),
        KnobReader::default(),
    );
    let terms = AdTerms::default();
    let sides = Sides::default();
    let around = Surroundings {
        knobs: &knobs,
        terms: &terms,
        size: (640, 360),
        sides: &sides,
    };
    let plan = BreakPlan::new(BreakKind::Pre, "test", vec![vec![A.into()]]);
    let mut ad_break = AdBreak::open(plan, cx!(Time::ZERO, around, macros, out));
    let fetch = std::iter::from_fn(|| out.pop()).last().unwrap();
    out.set_cause(Cause::Line(7));
    ad_break.wake(Class::Timer, cx!(Time::from_secs(5), around, macros, out));
    let items: Vec<Item> = std::iter::from_fn(|| out.pop()).collect();
    assert_eq!(
        items[0].from.because.cause,
        Cause::Ticket(fetch.from.ticket)
    );
    assert!(
        items[1..]
            .iter()
            .all(|item| item.from.because.cause == Cause::Ticket(items[0].from.ticket)),
        "{items:#?}"
    );
    assert_eq!(
        out.cause(),
        Cause::Ticket(items[0].from.ticket),
        "the player's reaction has the same cause"
    );
    assert_eq!(
        ad_break.end_cause(),
        items
            .iter()
            .rev()
            .nth(1)
            .map(|item| Cause::Ticket(item.from.ticket))
    );
}
