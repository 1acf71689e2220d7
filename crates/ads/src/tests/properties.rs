//! Properties of every break, whatever its documents, media and users do. Rules INV-12 to INV-14.

use proptest::prelude::*;
use proptest::sample::select;

use super::*;

const TAGS: [&str; 4] = [A, B, C, "not a URL"];
const ANSWERS: [&str; 3] = [A, B, C];
const IDS: [&str; 3] = ["x", "y", "z"];
const MEDIA: [&str; 3] = [
    "https://m.test/x.mp4",
    "https://m.test/y.mp4",
    "https://m.test/z.mp4",
];

fn any_kind() -> impl Strategy<Value = Ad> {
    let wrapped = (
        select(IDS.to_vec()),
        select(ANSWERS.to_vec()),
        any::<(bool, bool, Option<bool>)>(),
    )
        .prop_map(|(id, to, (follow, many, fallback))| {
            wrapper_with(id, to, |wrapper| {
                wrapper.follow_additional_wrappers = follow;
                wrapper.allow_multiple_ads = many;
                wrapper.fallback_on_no_ad = fallback;
            })
        });
    let own = (select(IDS.to_vec()), any::<bool>()).prop_map(|(id, skips)| match skips {
        true => skippable(ad(id), Offset::Share(300_000)),
        false => ad(id),
    });
    let broken = select(IDS.to_vec()).prop_map(|id| Ad {
        kind: AdKind::Broken(Children::Neither),
        ..ad(id)
    });
    prop_oneof![2 => wrapped, 4 => own, 1 => broken, 1 => Just(ad_with_files(Vec::new()))]
}

fn any_document(pods: bool) -> impl Strategy<Value = Option<Fetched>> {
    let sequence = prop_oneof![Just(None), (1..3_u32).prop_map(Some)];
    let one = (any_kind(), sequence).prop_map(move |(ad, sequence)| Ad {
        sequence: sequence.filter(|_| pods),
        ..ad
    });
    prop_oneof![
        8 => prop::collection::vec(one, 0..4).prop_map(|ads| answer(document(ads))),
        1 => Just(None),
        1 => Just(Some(Fetched::Failed(NetworkFault::Reset))),
    ]
}

fn any_media(fails_late: bool) -> impl Strategy<Value = Result<MediaInfo, MediaFault>> {
    let stall = (0..5_u64, 0..9_u64).prop_map(|(at, length)| Stall {
        at: Position::from_secs(at),
        length: Span::from_secs(length),
    });
    let failure = prop::option::of((0..6_u64).prop_map(|at| Failure {
        at: Position::from_secs(at),
        how: MediaFault::Decode,
    }));
    let info =
        (0..5_u64, prop::option::of(stall), failure).prop_map(move |(length, stall, fails)| {
            MediaInfo {
                duration: Span::from_secs(length),
                stalls: stall
                    .into_iter()
                    .filter(|stall| fails_late || stall.length < Span::from_secs(8))
                    .collect(),
                fails: fails.filter(|_| fails_late),
                ..MediaInfo::default()
            }
        });
    prop_oneof![4 => info.prop_map(Ok), 1 => Just(Err(MediaFault::NotFound))]
}

/// Delays that often coincide.
fn any_wait() -> impl Strategy<Value = Span> {
    select(vec![0, 0, 1, 3, 5, 6, 8, 9]).prop_map(Span::from_secs)
}

/// A world, its tags, and the actions on the break. `tame` excludes VAST pods and failures after
/// the start.
fn any_world(tame: bool) -> impl Strategy<Value = (World, Vec<&'static str>)> {
    let answers = prop::collection::vec((any_wait(), any_document(!tame)), 3);
    let media = prop::collection::vec((any_wait(), any_media(!tame)), 3);
    let tags = prop::collection::vec(select(TAGS.to_vec()), 1..5);
    let deed = select(vec![Deed::Pause, Deed::Skip, Deed::Resume, Deed::Resume]);
    let deeds = prop::collection::vec((0..30_u64, deed), 0..6);
    (answers, media, tags, deeds).prop_map(|(answers, media, tags, deeds)| {
        let mut world = World::new().keeping(&[Kind::Beacon]);
        world.knobs.ad_max_wrappers = 2;
        for (url, (after, fetched)) in ANSWERS.into_iter().zip(answers) {
            world.answers.push((url, after, fetched));
        }
        for (url, (after, info)) in MEDIA.into_iter().zip(media) {
            world.media.push((url, after, info));
        }
        world.deeds = deeds
            .into_iter()
            .map(|(at, deed)| (Time::from_secs(at), deed))
            .collect();
        // A break that stays paused would not end.
        world
            .deeds
            .extend((31..200).map(|at| (Time::from_secs(at), Deed::Resume)));
        (world, tags)
    })
}

/// Checks that the events between the impression and the end of an ad come in a valid order.
fn check_ads(names: &[&str]) {
    let mut stage: Option<usize> = None;
    let mut paused = false;
    for name in names {
        let order = [
            "adStart",
            "adFirstQuartile",
            "adMidpoint",
            "adThirdQuartile",
            "adComplete",
        ];
        match (*name, &mut stage) {
            ("adImpression", None) => stage = Some(0),
            ("adPause", Some(_)) => assert!(!std::mem::replace(&mut paused, true)),
            ("adResume", Some(_)) => assert!(std::mem::replace(&mut paused, false)),
            ("adSkip" | "adError", Some(_)) => (stage, paused) = (None, false),
            (event, Some(next)) if order.get(*next) == Some(&event) => {
                *next += 1;
                assert!(!paused);
                if *next == order.len() {
                    stage = None;
                }
            }
            ("requestAd" | "adError" | "adEnd" | "!" | "Late", _) => {}
            (event, stage) => panic!("{event} at {stage:?} in {names:?}"),
        }
    }
    assert_eq!(stage, None, "{names:?}");
}

proptest! {
    #[test]
    fn a_break_and_each_of_its_ads_end_once((world, tags) in any_world(false)) {
        let log = world.run(&tags);
        let names = names(&log);
        prop_assert_eq!(count(&names, EventName::AdEnd), 1);
        check_ads(&names);
    }

    #[test]
    fn each_tag_gives_an_ad_or_one_error((world, tags) in any_world(true)) {
        let log = world.run(&tags);
        let names = names(&log);
        let asked = count(&names, EventName::RequestAd) + log.iter().filter(|line| line.contains("\"code\":900")).count();
        prop_assert_eq!(asked, count(&names, EventName::AdError) + count(&names, EventName::AdImpression), "{:#?}", log);
        check_ads(&names);
    }
}
