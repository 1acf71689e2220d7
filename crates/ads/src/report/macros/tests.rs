//! Tests of single macros.

use super::*;
use crate::tests::{ad, document, sequenced};
use playsim_api::ClickAt;
use playsim_rules::knobs::{KnobReader, Knobs, MacroUrls};

const EPOCH_MICROS: i64 = 946_684_800_000_000;

fn macros() -> Macros {
    Macros::new("main", 0, EPOCH_MICROS)
}

fn pre() -> Occasion<'static> {
    Occasion::new(Time::from_millis(1_234), BreakKind::Pre)
}

fn fill(url: &str, occasion: &Occasion<'_>) -> String {
    macros().fill(&url.into(), occasion).to_string()
}

fn page_with(macros: &[(&str, MacroValue)]) -> Page {
    let macros = macros
        .iter()
        .map(|(name, value)| (Arc::from(*name), value.clone()))
        .collect();
    Page {
        macros,
        ..Page::default()
    }
}

fn items(items: &[&str]) -> MacroValue {
    MacroValue::Items(items.iter().map(|item| Arc::from(*item)).collect())
}

#[test]
fn clock_code_and_ad_are_filled_and_encoded() {
    let hops = [Hop::new(
        &document(vec![sequenced(ad("a"), 3)]).into(),
        &"a.xml".into(),
        0,
    )];
    let ad = CurrentAd {
        playhead: Position::from_millis(61_500),
        asset: Some("https://m.test/a b"),
        hops: &hops,
    };
    let occasion = pre().with_ad(ad);
    assert_eq!(
        fill("https://t.test/?t=[TIMESTAMP]&x", &occasion),
        "https://t.test/?t=2000-01-01T00%3A00%3A01.234Z&x"
    );
    assert_eq!(
        fill("[ADPLAYHEAD]|[CONTENTPLAYHEAD]", &occasion),
        "00%3A01%3A01.500|00%3A00%3A00.000"
    );
    assert_eq!(
        fill("[ASSETURI]", &occasion),
        "https%3A%2F%2Fm.test%2Fa%20b"
    );
    assert_eq!(fill("a[PODSEQUENCE][IFA]b", &occasion), "a3-1b");
    assert_eq!(
        fill(
            "[errorcode]|%%ERRORCODE%%|${ERRORCODE}",
            &occasion.with_code(303)
        ),
        "303|303|303"
    );
    assert_eq!(fill("[REASON]|[ERRORCODE]", &pre().with_reason(2)), "2|-1");
}

#[test]
fn unknown_names_stay_as_written() {
    let occasion = pre().with_code(303);
    for url in [
        "[foo]",
        "[ERRORCODE",
        "a%20b%%c",
        "$100",
        "[[",
        "%%",
        "${x}",
        "[domain]",
        "\u{e9}[\u{e9}",
    ] {
        assert_eq!(fill(url, &occasion), url);
    }
    assert_eq!(fill("[[ERRORCODE]]", &occasion), "[303]");
    assert_eq!(fill("%20%%ERRORCODE%%%20", &occasion), "%20303%20");
}

#[test]
fn a_url_without_macros_is_not_copied() {
    let url: Arc<str> = "https://t.test/%20[no]".into();
    let filled = macros().fill(&url, &pre());
    assert!(Arc::ptr_eq(&url, &filled));
}

#[test]
fn a_cachebuster_has_eight_digits_and_is_drawn_for_each_url() {
    let url: Arc<str> = "[CACHEBUSTING][random]".into();
    let mut macros = Macros::new("main", 7, 0);
    let (first, second) = (macros.fill(&url, &pre()), macros.fill(&url, &pre()));
    assert_eq!(first.len(), 16);
    assert!(first.bytes().all(|digit| digit.is_ascii_digit()));
    assert_eq!(first[..8], first[8..]);
    assert_ne!(first, second);
    let again = Macros::new("main", 7, 0).fill(&"[CACHEBUSTING]".into(), &pre());
    assert_eq!(*again, first[..8]);
}

#[test]
fn an_instant_outside_the_calendar_is_unknown() {
    let mut macros = Macros::new("main", 0, i64::MAX);
    let filled = macros.fill(
        &"[TIMESTAMP]".into(),
        &Occasion::new(Time::MAX, BreakKind::Pre),
    );
    assert_eq!(&*filled, "-1");
}

#[test]
fn a_page_may_give_and_withhold_values() {
    let page = page_with(&[
        ("IFA", MacroValue::Withheld),
        ("LATLONG", items(&["51.5", "-0.1"])),
        ("REGULATIONS", items(&["gdpr", "a,b"])),
        ("PAGEURL", items(&["https://me@www.page.test:8080/a?b"])),
        ("VASTVERSIONS", items(&["7"])),
    ]);
    let mut macros = macros().on(&page, &KnobReader::default());
    let filled = macros.fill(
        &"[IFA]|[LATLONG]|[REGULATIONS]|[DOMAIN]|[VASTVERSIONS]|[IFATYPE]".into(),
        &pre(),
    );
    assert_eq!(&*filled, "-2|51.5,-0.1|gdpr,a%2Cb|www.page.test|7|-1");
}

#[test]
fn values_come_from_the_player_and_its_break() {
    let mut macros = macros();
    let mut facts = macros.open_break();
    macros.count_ad(&mut facts, Time::ZERO);
    macros.note(
        PlayerFacts {
            position: Some(Position::from_millis(5_000)),
            size: (640, 360),
            is_muted: true,
            began_muted: true,
            is_fullscreen: true,
            autoplay: true,
            needs_gesture: true,
            ..PlayerFacts::default()
        },
        facts,
    );
    let mid = Occasion::new(Time::ZERO, BreakKind::Mid);
    let mut fill = |url: &str| macros.fill(&url.into(), &mid).to_string();
    assert_eq!(
        fill("[PLAYERSIZE]|[PLAYERSTATE]|[INVENTORYSTATE]"),
        "640,360|muted,fullscreen|mautoplayed"
    );
    assert_eq!(
        fill("[MEDIAPLAYHEAD]|[CONTENTPLAYHEAD]|[ADPLAYHEAD]"),
        "00%3A00%3A05.000|00%3A00%3A05.000|-1"
    );
    assert_eq!(
        fill("[ADCOUNT]|[BREAKPOSITION]|[PLAYBACKMETHODS]|[PLACEMENTTYPE]"),
        "1|2|2|1"
    );
    assert_eq!(fill("[PLAYERCAPABILITIES]"), "skip,mute,mautoplay,icon");
}

#[test]
fn a_break_has_one_transaction_id_in_uuid_form() {
    let mut macros = macros();
    let url: Arc<str> = "[TRANSACTIONID]".into();
    macros.open_break();
    let (first, again) = (macros.fill(&url, &pre()), macros.fill(&url, &pre()));
    macros.open_break();
    let other = macros.fill(&url, &pre());
    assert_eq!(first, again);
    assert_ne!(first, other);
    let parts: Vec<usize> = first.split('-').map(str::len).collect();
    assert_eq!(parts, [8, 4, 4, 4, 12]);
    assert_eq!(
        (
            &first[14..15],
            first[19..20].chars().all(|it| "89ab".contains(it))
        ),
        ("4", true)
    );
}

#[test]
fn strict_spelling_fills_only_the_standard_form_in_the_right_urls() {
    let knobs = KnobReader::from(Knobs {
        macro_spelling: MacroSpelling::Strict,
        ..Knobs::default()
    });
    let page = page_with(&[("CONTENTCAT", items(&["IAB1"]))]);
    let mut strict = macros().on(&page, &knobs);
    let mut lenient = macros().on(&page, &KnobReader::default());
    let url: Arc<str> =
        "%%ERRORCODE%%|${ERRORCODE}|[errorcode]|[random]|[ERRORCODE]|[CONTENTCAT]".into();
    let error = pre().with_code(303);
    assert_eq!(
        &*strict.fill(&url, &error),
        "%%ERRORCODE%%|${ERRORCODE}|[errorcode]|[random]|303|-1"
    );
    let filled = lenient.fill(&url, &error);
    assert!(
        filled.starts_with("303|303|303|") && filled.ends_with("|303|IAB1"),
        "{filled}"
    );
    let tag = strict.fill_tag(&"[CONTENTCAT]|[ADPLAYHEAD]".into(), pre());
    assert_eq!(&*tag, "IAB1|-1");
}

/// Tag, wrapper, tracker, click, error URL. Rule PRD-38.
#[test]
fn products_fill_macros_in_some_urls_only() {
    let filled = |urls: MacroUrls| {
        let knobs = KnobReader::from(Knobs {
            macro_urls: urls,
            ..Knobs::default()
        });
        let mut macros = macros().on(&Page::default(), &knobs);
        let url: Arc<str> = "[ERRORCODE]|[ERRORCODE]".into();
        let tag = macros.fill_tag(&url, pre());
        let others = [
            pre().after_wrappers(&[]),
            pre(),
            pre().with_click(None),
            pre().with_code(303),
        ];
        let mut all = vec![tag];
        all.extend(others.iter().map(|occasion| macros.fill(&url, occasion)));
        all.iter().map(|it| it.to_string()).collect::<Vec<_>>()
    };
    let (as_is, none, code) = ("[ERRORCODE]|[ERRORCODE]", "-1|-1", "303|303");
    assert_eq!(filled(MacroUrls::All), [none, none, none, none, code]);
    assert_eq!(
        filled(MacroUrls::NoWrapper),
        [none, as_is, none, none, code]
    );
    assert_eq!(
        filled(MacroUrls::Trackers),
        [as_is, as_is, none, none, code]
    );
    let one = "303|[ERRORCODE]";
    assert_eq!(
        filled(MacroUrls::ErrorCode),
        [as_is, as_is, as_is, as_is, one]
    );
    assert_eq!(filled(MacroUrls::None), [as_is; 5]);
}

#[test]
fn a_click_has_a_position_if_the_scenario_gives_one() {
    let at = ClickAt { x: 12, y: 34 };
    assert_eq!(fill("[CLICKPOS]", &pre().with_click(Some(at))), "12,34");
    assert_eq!(fill("[CLICKPOS]", &pre().with_click(None)), "-1");
}

#[test]
fn every_macro_of_the_standard_has_one_row() {
    let mut names: Vec<&str> = STANDARD.iter().map(|row| row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!((names.len(), STANDARD.len()), (59, 59));
}
