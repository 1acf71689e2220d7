//! Every field of the written form is read into the types.

use playsim::api::BreakKind;
use playsim::api::{Act, Call, Decimal, EventName, Fields, NetworkFault, PageChange, Query, Value};
use playsim::knobs::Profile;
use playsim::knobs::values::{Jitter, Limit, SeekPolicy, Switch};
use playsim::media::{
    Delivery, Live, MediaFault, SimidAnswer, SimidError, SimidReply, SimidSaid, SimidScript,
    SimidStep, Vpaid, VpaidCall, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen,
};
use playsim::page::{AdMedium, Blocked, Conditional, Device, MediaType, Skippable};
use playsim::scenario::{
    Bid, Expectation, MediaScript, Overrides, Scenario, ScriptedAnswer, StepAct, Target, Trigger,
    UnitKind, Until, read_over,
};
use playsim::time::{Position, Span, Time};
use playsim::video::Rendition;

use super::{EVERYTHING, everything};

#[test]
fn head_page_and_videos_are_read() {
    let scenario = everything();
    assert_eq!(&*scenario.name, "every field that is read");
    assert_eq!(
        scenario
            .rules
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>(),
        ["REQ-4", "BRK-10"]
    );
    assert_eq!(
        (
            scenario.knobs.timeupdate_period,
            scenario.knobs.ad_max_wrappers
        ),
        (Span::from_millis(200), 3)
    );
    assert_eq!(scenario.seed, u64::MAX);
    assert_eq!(scenario.until, Until::At(Time::from_millis(3_723_500)));
    assert_eq!(scenario.page.device, Device::Mobile);
    assert_eq!(scenario.page.epoch_micros, 1_767_225_600_000_000);
    let containers: Vec<(&str, bool)> = scenario
        .page
        .containers
        .iter()
        .map(|container| (&*container.id, container.player_class))
        .collect();
    assert_eq!(containers, [("main", true), ("side", false), ("7", true)]);
    let video = &scenario.videos[0].video;
    assert_eq!(
        (&*video.id, &*video.name, &*video.tags, video.monetize),
        ("v1", "NO", "news, sport", false)
    );
    let chapters: Vec<(&str, &str)> = video
        .chapters
        .iter()
        .map(|chapter| (&*chapter.timestamp, &*chapter.title))
        .collect();
    assert_eq!(chapters, [("0:00", "Start"), ("40", "2"), ("1:00", "")]);
    assert_eq!(
        video
            .renditions
            .iter()
            .map(|(rendition, _)| *rendition)
            .collect::<Vec<_>>(),
        [Rendition::Sd, Rendition::Hd]
    );
    assert_eq!(video.ads.len(), 1);
    assert_eq!(scenario.videos[0].record_after, Span::from_millis(30));
    assert!(scenario.videos[1].video.monetize);
}

#[test]
fn profile_and_knobs_are_read() {
    let scenario = everything();
    let knobs = &scenario.knobs;
    assert_eq!(scenario.profile, Profile::Browser.into());
    assert_eq!(
        (knobs.bus_dedupe, knobs.bus_expose_html),
        (Switch::On, Switch::On)
    );
    assert_eq!(
        (knobs.progress_jitter, knobs.timeupdate_jitter),
        (Span::ZERO, Jitter::None)
    );
    assert_eq!(
        knobs.midroll_seek_policy,
        SeekPolicy::Window(Span::from_secs(10))
    );
    assert_eq!(
        knobs.quality_reload_events,
        Switch::On,
        "the profile says so"
    );
}

#[test]
fn outside_settings_win_and_the_scenarios_own_knobs_remain() {
    let mut overrides = Overrides::default();
    overrides.set_profile(Profile::Literal);
    let unknown = overrides
        .set_knob("skip.default_offset", "5s")
        .unwrap_err()
        .to_string();
    assert!(
        unknown.starts_with("unknown knob \"skip.default_offset\""),
        "{unknown}"
    );
    overrides
        .set_knob("bus.dedupe", "off")
        .expect("it is a knob");
    overrides
        .set_knob("bus.expose_html", "on")
        .expect("it is a knob");
    overrides
        .set_knob("bus.expose_html", "off")
        .expect("it is a knob");
    let mut load = |_: &str| Ok(String::new());
    // Its own knobs let it wait for `canplay`; that the event is never fired is not an error of the
    // scenario.
    let scenario =
        read_over("a.yaml", EVERYTHING, &overrides, &mut load).expect("it reads without error");
    let knobs = &scenario.knobs;
    assert_eq!(scenario.profile, Profile::Literal.into());
    assert_eq!(
        (knobs.bus_dedupe, knobs.bus_expose_html, knobs.src_strict),
        (Switch::Off, Switch::Off, Switch::On)
    );
    assert_eq!(
        (knobs.timeupdate_period, knobs.ad_max_wrappers),
        (Span::from_millis(200), 3)
    );
    assert_eq!(
        knobs.quality_reload_events,
        Switch::Off,
        "the other profile said so"
    );
}

#[test]
fn the_surroundings_of_a_player_are_read() {
    let page = everything().page;
    assert_eq!(
        (page.country.as_deref(), page.window),
        (Some("US"), (800, 0))
    );
    assert_eq!(
        (page.allows_fullscreen, page.gesture_required),
        (false, Some(true))
    );
    assert_eq!(
        (page.script_after, page.outstream_script_after),
        (Some(Span::from_millis(1500)), None)
    );
    let player = everything().player;
    assert_eq!(player.plan, Some(vec![Rendition::Ld, Rendition::Fhd]));
    assert_eq!(
        (player.volume, player.muted),
        (Decimal::from_millionths(250_000), true)
    );
    let bid = |kind, nth, url: &str| Bid {
        kind,
        nth,
        url: url.into(),
    };
    assert_eq!(
        player.bids,
        [
            bid(BreakKind::Pre, 1, "https://bids.test/a"),
            bid(BreakKind::Overlay, 2, "https://bids.test/b")
        ]
    );
    let side = &everything().players[0].1;
    assert_eq!((side.muted, side.bids.len()), (false, 2));
}

#[test]
fn what_a_page_plays_and_requests_is_read() {
    let terms = everything().page.ads;
    let plays: Vec<String> = terms
        .plays
        .iter()
        .flatten()
        .map(MediaType::to_string)
        .collect();
    assert_eq!(plays, ["video/mp4", "video/webm; codecs=vp9,av01"]);
    assert_eq!(
        (terms.bitrate, terms.types),
        (800, vec![AdMedium::Video, AdMedium::Audio])
    );
    assert_eq!(
        (terms.skippable, terms.conditional),
        (Skippable::Required, Conditional::Refused)
    );
    assert_eq!(
        (terms.shortest, terms.longest),
        (Some(Span::from_secs(5)), Some(Span::from_secs(60)))
    );
    assert_eq!(
        (terms.smallest, terms.largest),
        (Some((320, 180)), Some((1920, 1080)))
    );
    assert_eq!((terms.requires_category, terms.vpaid), (true, false));
    let blocked = |authority: Option<&str>, category: &str| Blocked {
        authority: authority.map(Into::into),
        category: category.into(),
    };
    assert_eq!(
        terms.blocked,
        [blocked(None, "IAB25"), blocked(Some("iabtechlab.com"), "7")]
    );
    let stitching = terms.stitching.expect("it is written there");
    assert_eq!(stitching.transcoded, ["https://m.test/a.mov".into()]);
    assert_eq!(
        (stitching.bitrate, stitching.size),
        (Some(15_000), Some((1920, 1080)))
    );
    let knobs = everything().knobs;
    assert_eq!(knobs.ad_hop_timeout, Limit::After(Span::from_secs(2)));
    assert_eq!(knobs.ad_break_timeout, Limit::Off);
}

#[test]
fn redirects_are_read() {
    let network = everything().network;
    let answers = &network
        .iter()
        .find(|(url, _)| **url == *"https://ads.test/b")
        .expect("it is there")
        .1;
    let redirect = |status, to: &str| ScriptedAnswer::Redirect {
        status,
        to: to.into(),
    };
    assert_eq!(answers[4].answer, redirect(302, "https://ads.test/a"));
    assert_eq!(answers[5].answer, redirect(307, "https://ads.test/o"));
}

#[test]
fn fields_of_the_record_are_read() {
    let scenario = everything();
    let texts = |pairs: &[(std::sync::Arc<str>, std::sync::Arc<str>)]| -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    };
    let video = &scenario.videos[0].video;
    assert_eq!(video.clickthrough.as_deref(), Some("https://shop.test/"));
    assert_eq!(video.image.as_deref(), Some("https://pictures.test/v1.png"));
    assert_eq!((video.rejected, video.geo_on), (true, true));
    assert_eq!(
        video.publish.map(|day| day.to_string()).as_deref(),
        Some("01-02-2003")
    );
    assert_eq!(video.kill_date, None);
    assert_eq!(
        video.geo.iter().map(|code| &**code).collect::<Vec<_>>(),
        ["US", "NO"]
    );
    assert_eq!(
        texts(&video.comscore),
        pairs(&[("ns_st_sn", "2"), ("ns_user_gen", "0")])
    );
    assert_eq!(
        texts(&video.custom_params),
        pairs(&[("genre", "news"), ("year", "2026")])
    );
    let video = &scenario.videos[2].video;
    assert_eq!(
        (
            &video.clickthrough,
            &video.image,
            video.publish,
            video.rejected
        ),
        (&None, &None, None, false)
    );
    assert_eq!(
        video.kill_date.map(|day| day.to_string()).as_deref(),
        Some("29-02-2024")
    );
    assert_eq!(
        texts(&video.custom_params),
        pairs(&[("genre", "news"), ("genre", "sport")])
    );
}

#[test]
fn live_streams_bandwidth_and_vpaid_are_read() {
    let scenario = everything();
    let medium = |address: &str| {
        let found = scenario.media.iter().find(|(known, _)| **known == *address);
        &found
            .unwrap_or_else(|| panic!("{address} is written there"))
            .1
    };
    let live = |window, stops_at, back_at| {
        Some(Live {
            window: Span::from_secs(window),
            stops_at,
            back_at,
            ends_at: None,
        })
    };
    let secs = |seconds| Some(Time::from_secs(seconds));
    assert_eq!(medium("live.m3u8").live, live(30, secs(0), secs(120)));
    assert_eq!(medium("live.m3u8").metadata_after, Span::from_secs(1));
    assert_eq!(medium("endless.m3u8").live, live(0, None, None));
    let slow = medium("slow.mp4");
    let bandwidth = vec![(Time::ZERO, 1_500_000), (Time::from_secs(2), 0)];
    assert_eq!(
        slow.delivery,
        Some(Delivery {
            bitrate: 2_000_000,
            bandwidth
        })
    );
    assert_eq!(
        (slow.live, slow.switch_after),
        (None, Span::from_millis(200))
    );
    assert_eq!(
        (slow.is_as_said, medium("spot.mp4").is_as_said),
        (false, true)
    );
    assert_eq!(
        (slow.has_sound, medium("spot.mp4").has_sound),
        (false, true)
    );
    let usual = VpaidScript::default();
    let loud = VpaidScript {
        does: Vpaid {
            own_sound: true,
            reports_click: false,
        },
        ..usual.clone()
    };
    assert_eq!(medium("unit.js").vpaid.as_deref(), Some(&loud));
    assert_eq!(medium("quiet.js").vpaid.as_deref(), Some(&usual));
}

#[test]
fn a_unit_without_fields_has_an_empty_script() {
    let read = |unit: &str| {
        let text = format!(
            "videos: [{{ id: v1 }}]\nmedia: {{ unit.js: {{ duration: 4s, vpaid: {unit} }} }}\n"
        );
        let scenario = playsim::scenario::read("a.yaml", &text, &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        });
        scenario.expect("it reads without error").media[0].1.clone()
    };
    for unit in [
        "{ script: [] }",
        "{ silent: [] }",
        "{ own_sound: false }",
        "{ linear: true }",
    ] {
        assert_eq!(read(unit), read("{}"), "{unit}");
    }
}

/// The media of a URL.
fn medium<'s>(scenario: &'s Scenario, address: &str) -> &'s MediaScript {
    let found = scenario.media.iter().find(|(known, _)| **known == *address);
    &found
        .unwrap_or_else(|| panic!("{address} is written there"))
        .1
}

#[test]
fn scripts_of_vpaid_units_are_read() {
    let scenario = everything();
    let medium = |address: &str| medium(&scenario, address);
    let secs = Span::from_secs;
    let step = |when, said| VpaidStep { when, said };
    let script = VpaidScript {
        does: Vpaid {
            own_sound: false,
            reports_click: true,
        },
        version: "1.1".into(),
        handshake_after: None,
        loaded_after: Some(Span::from_millis(50)),
        starts_after: Some(Span::ZERO),
        stop_after: Some(secs(1)),
        answers_after: Span::from_millis(10),
        linear: false,
        skippable: true,
        silent: vec![VpaidEvent::AdStarted, VpaidEvent::AdVideoMidpoint],
        steps: vec![
            step(
                VpaidWhen::At(secs(2)),
                VpaidSaid::AdClickThru {
                    url: Some("https://shop.test/".into()),
                    id: Some("7".into()),
                    player_handles: false,
                },
            ),
            step(
                VpaidWhen::On(VpaidCall::InitAd, Span::from_millis(5)),
                VpaidSaid::AdError {
                    text: Some("no data".into()),
                },
            ),
            step(
                VpaidWhen::On(VpaidCall::StartAd, Span::ZERO),
                VpaidSaid::AdPaused {
                    length: Some(secs(3)),
                },
            ),
            step(
                VpaidWhen::At(secs(4)),
                VpaidSaid::AdDurationChange { duration: secs(20) },
            ),
            step(
                VpaidWhen::At(secs(5)),
                VpaidSaid::AdVolumeChange {
                    volume: Decimal::from_millionths(500_000),
                },
            ),
            step(
                VpaidWhen::At(secs(6)),
                VpaidSaid::AdSkippableStateChange { skippable: false },
            ),
        ],
    };
    assert_eq!(medium("scripted.js").vpaid.as_deref(), Some(&script));
}

#[test]
fn scripts_of_simid_units_are_read() {
    let scenario = everything();
    let medium = |address: &str| medium(&scenario, address);
    let secs = Span::from_secs;
    let step = |at, times, said| SimidStep {
        at: secs(at),
        times,
        said,
    };
    let url = Some("https://shop.test/".into());
    let script = SimidScript {
        version: "1.0".into(),
        session_after: None,
        init: SimidAnswer {
            reply: SimidReply::Reject(Some(SimidError::UnitUnplayable)),
            after: secs(1),
        },
        start: SimidAnswer {
            reply: SimidReply::Broken,
            after: Span::ZERO,
        },
        steps: vec![
            step(
                1,
                2,
                SimidSaid::RequestPause {
                    length: Some(secs(2)),
                },
            ),
            step(
                2,
                1,
                SimidSaid::ClickThru {
                    url,
                    player_handles: false,
                },
            ),
            step(3, 1, SimidSaid::RequestChangeAdDuration { by: secs(5) }),
            step(
                4,
                1,
                SimidSaid::ReportTracking {
                    urls: vec!["https://t.test/a".into(), "https://t.test/b".into()],
                },
            ),
            step(
                5,
                1,
                SimidSaid::FatalError {
                    code: SimidError::UnitInternal,
                    text: Some("gone".into()),
                },
            ),
        ],
    };
    assert_eq!(medium("unit.html").simid.as_deref(), Some(&script));
    assert_eq!(
        (medium("unit.html").duration, &medium("unit.html").vpaid),
        (Span::ZERO, &None)
    );
    assert_eq!(
        medium("quiet.html").simid.as_deref(),
        Some(&SimidScript::default())
    );
}

#[test]
fn queues_page_changes_and_units_are_read() {
    let scenario = everything();
    let acts: Vec<&StepAct> = scenario
        .steps
        .iter()
        .skip(12)
        .map(|step| &step.act)
        .collect();
    let StepAct::Init {
        unit: UnitKind::Outstream,
        div,
        ..
    } = acts[0]
    else {
        panic!("{:?}", acts[0])
    };
    assert_eq!(*div, Value::from(7u32));
    let config = Fields::one("id", "p").with("video", "v1");
    let entry = Fields::one("div", "main")
        .with("obj", Value::Map(config))
        .with("more", 1);
    let queue = |unit, entry, on_ready: Option<&str>| StepAct::Queue {
        unit,
        entry,
        on_ready: on_ready.map(Into::into),
    };
    assert_eq!(
        *acts[1],
        queue(UnitKind::Player, Value::Map(entry), Some("L2"))
    );
    assert_eq!(
        *acts[2],
        queue(UnitKind::Outstream, Value::List(vec![Value::from(1)]), None)
    );
    let entry = Fields::one("div", 7).with("onReady", Value::Function("".into()));
    assert_eq!(
        *acts[3],
        queue(UnitKind::Outstream, Value::Map(entry), None)
    );
    let changes = [
        PageChange::InView(Decimal::from_integer(30)),
        PageChange::InView(Decimal::from_millionths(12_500_000)),
        PageChange::Window(800, 600),
        PageChange::Sticky(true),
        PageChange::Fullscreen(false),
        PageChange::Hidden(true),
        PageChange::Rate(Decimal::from_millionths(1_500_000)),
    ];
    assert_eq!(
        acts[4..11],
        changes.map(StepAct::Page).iter().collect::<Vec<_>>()
    );
    assert_eq!(*acts[11], StepAct::Script(UnitKind::Outstream));
    assert_eq!(
        *acts[12],
        StepAct::User(Act::Volume(Value::Number(Decimal::from_millionths(
            500_000
        ))))
    );
    assert_eq!(*acts[13], StepAct::User(Act::Unmute));
    let args = vec![Value::from("category"), Value::from("action")];
    assert_eq!(
        *acts[14],
        StepAct::Do {
            call: Call::FireCustom,
            args
        }
    );
    assert_eq!(*acts[15], StepAct::Read(vec![Query::IsFullScreen]));
    let trigger = Trigger::On {
        event: EventName::CanPlay,
        nth: None,
        after: None,
    };
    assert_eq!(scenario.steps[27].trigger, trigger);
    let made = &scenario.listeners[4].1.then.acts;
    assert!(matches!(
        made[..],
        [
            StepAct::Queue { .. },
            StepAct::Init {
                config: Value::Undefined,
                ..
            }
        ]
    ));
}

#[test]
fn media_network_and_players_are_read() {
    let scenario = everything();
    let stalls = &scenario.media[0].1.stalls;
    let at = |seconds| Position::from_secs(seconds);
    assert_eq!(
        *stalls,
        [(at(5), Span::from_secs(2)), (at(9), Span::from_secs(1))]
    );
    let broken = &scenario.media[1].1;
    assert_eq!(broken.fails, Some((Some(at(3)), MediaFault::Decode)));
    assert_eq!(broken.duration, Span::from_secs(4));
    assert_eq!(
        scenario.media[2].1.fails,
        Some((None, MediaFault::NotFound))
    );
    assert_eq!(
        scenario.media_default.as_ref().map(|media| media.duration),
        Some(Span::from_secs(15))
    );
    let answers = &scenario.network[1].1;
    let body = |status, name: &str, text: &str| ScriptedAnswer::Body {
        status,
        name: name.into(),
        text: text.into(),
    };
    assert_eq!(
        answers[0].answer,
        body(200, "empty.xml", "content of empty.xml")
    );
    assert_eq!(answers[1].answer, body(404, "", ""));
    assert_eq!(answers[2].answer, ScriptedAnswer::Silence);
    assert_eq!(
        answers[3].answer,
        ScriptedAnswer::Fails(NetworkFault::Reset)
    );
    assert_eq!(answers[3].after, Span::from_micros(1));
    assert_eq!(
        scenario.network[2].1[0].answer,
        body(200, "", "<VAST version='4.2'/>")
    );
    assert_eq!(scenario.ignore_query.len(), 2);
    assert_eq!(scenario.player.ready_after, Span::from_millis(10));
    let (container, side) = &scenario.players[0];
    assert_eq!(
        (&**container, side.ready_after),
        ("side", Span::from_millis(20))
    );
    assert_eq!(side.ads, scenario.player.ads);
}

#[test]
fn steps_are_read() {
    let scenario = everything();
    let acts: Vec<&StepAct> = scenario.steps.iter().map(|step| &step.act).collect();
    let StepAct::Init {
        unit: UnitKind::Player,
        div,
        config: Value::Map(config),
        on_ready,
    } = acts[0]
    else {
        panic!("{:?}", acts[0])
    };
    assert_eq!(
        (div, on_ready.as_deref()),
        (&Value::from("main"), Some("L2"))
    );
    assert_eq!(
        (config.get("muted"), config.get("on")),
        (Some(&Value::from("off")), Some(&Value::from("yes")))
    );
    let trigger = Trigger::On {
        event: EventName::AdStart,
        nth: Some(1),
        after: Some(Span::from_secs(2)),
    };
    assert_eq!(scenario.steps[2].trigger, trigger);
    let number = |millionths| Value::Number(Decimal::from_millionths(millionths));
    let args = vec![
        number(-500_000),
        Value::Null,
        Value::List(vec![number(1_000_000)]),
        Value::NaN,
        Value::NegativeInfinity,
    ];
    assert_eq!(
        *acts[2],
        StepAct::Do {
            call: Call::CurrentTime,
            args
        }
    );
    let function = |name: &'static str| Value::Function(name.into());
    let once = StepAct::Do {
        call: Call::Once,
        args: vec![Value::from("adStart"), function("L1")],
    };
    assert_eq!(*acts[3], once);
    let events = Value::List(vec![Value::from("play"), Value::from("pause")]);
    let on = StepAct::Do {
        call: Call::On,
        args: vec![events, function("L2"), Value::from("L1")],
    };
    assert_eq!(*acts[4], on);
    let StepAct::Do {
        call: Call::SetAd,
        args,
    } = acts[5]
    else {
        panic!("{:?}", acts[5])
    };
    assert_eq!(
        args[0].to_string(),
        r#"{"adType":0,"when":"00:00:01","f":"function "}"#
    );
    assert_eq!(
        *acts[6],
        StepAct::Do {
            call: Call::IsReady,
            args: Vec::new()
        }
    );
    assert_eq!(scenario.steps[6].player, Target::Container("side".into()));
    assert_eq!(*acts[7], StepAct::Read(vec![Query::LastVastXml]));
    assert_eq!(scenario.steps[7].player, Target::NoArgument);
    assert_eq!(*acts[8], StepAct::User(Act::Skip));
    assert_eq!(*acts[9], StepAct::User(Act::Seek(number(30_250_000))));
    assert_eq!(*acts[11], StepAct::Read(vec![Query::Duration]));
}

#[test]
fn listeners_and_expectations_are_read() {
    let scenario = everything();
    let listeners: Vec<(&str, usize, Option<&str>)> = scenario
        .listeners
        .iter()
        .map(|(name, script)| {
            (
                &**name,
                script.then.acts.len(),
                script.then.throws.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        listeners,
        [
            ("L1", 3, None),
            ("L2", 0, None),
            ("L3", 0, Some("thrown by L3")),
            ("L4", 1, Some("no")),
            ("L5", 2, None),
        ]
    );
    assert_eq!(scenario.expect.len(), 8);
    let (at, is) = (Some(Time::from_secs(43)), Value::from(44_u32));
    assert_eq!(
        scenario.expect[6],
        Expectation::Read {
            query: Query::CurrentTime,
            at,
            is
        }
    );
    let call = Expectation::Call {
        call: Call::Play,
        times: Some(1),
        error: Some("not_ready".into()),
    };
    assert_eq!(scenario.expect[7], call);
}
