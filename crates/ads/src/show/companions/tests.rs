//! Companions on pages with few slots.

use super::*;
use crate::tests::{ad, document};
use playsim_vast::{Creative, CreativeKind, ResourceKind};

fn companion(id: &str, width: u32, height: u32) -> Companion {
    let at = Companion::default().at;
    let content = format!("https://m.test/{id}.png").into();
    let resource = Resource {
        kind: ResourceKind::Static,
        content,
        mime: None,
        xml_encoded: None,
        at,
    };
    Companion {
        id: Some(id.into()),
        width: Some(width),
        height: Some(height),
        resources: vec![resource],
        ..Companion::default()
    }
}

fn hop(required: Option<Required>, companions: Vec<Companion>) -> Hop {
    let mut ad = ad("a");
    let group = CompanionAds {
        required,
        companions,
        ..CompanionAds::default()
    };
    ad.creatives.push(Creative {
        kind: CreativeKind::Companions(group),
        ..Creative::default()
    });
    Hop::new(&document(vec![ad]).into(), &"a.xml".into(), 0).showing(0)
}

fn page(slots: &[(&str, u32, u32)]) -> Sides {
    let slot = |(id, width, height): &(&str, u32, u32)| CompanionSlot {
        id: (*id).into(),
        width: *width,
        height: *height,
    };
    Sides {
        companions: slots.iter().map(slot).collect(),
        ..Sides::default()
    }
}

fn placed(hops: &[Hop], sides: &Sides) -> Result<Vec<String>, u16> {
    let companions = Companions::place(hops, BreakKind::Pre, sides, (640, 360));
    let companions = companions.map_err(|failure| failure.code.number())?;
    let all = companions.placed.iter().chain(companions.card.as_deref());
    Ok(all
        .map(|it| format!("{}@{}", it.companion.id.as_deref().unwrap_or("?"), it.slot))
        .collect())
}

#[test]
fn an_exact_slot_is_preferred_and_each_slot_is_used_once() {
    let sides = page(&[("wide", 728, 90), ("big", 400, 400), ("side", 300, 250)]);
    let hop = hop(
        None,
        vec![
            companion("a", 300, 250),
            companion("b", 300, 250),
            companion("c", 300, 250),
        ],
    );
    assert_eq!(
        placed(&[hop], &sides),
        Ok(vec!["a@side".into(), "b@big".into()])
    );
}

#[test]
fn a_companion_keeps_out_none_that_fits_better() {
    let sides = page(&[("side", 300, 250)]);
    let sized = |width, height| Companion {
        width,
        height,
        ..companion("a", 1, 1)
    };
    for first in [
        sized(None, None),
        sized(Some(300), None),
        sized(None, Some(250)),
        sized(Some(200), Some(200)),
    ] {
        let both = hop(None, vec![first, companion("b", 300, 250)]);
        assert_eq!(placed(&[both], &sides), Ok(vec!["b@side".into()]));
    }
    let named = Companion {
        ad_slot_id: Some("side".into()),
        ..companion("b", 200, 200)
    };
    let both = hop(None, vec![companion("a", 200, 200), named]);
    assert_eq!(placed(&[both], &sides), Ok(vec!["b@side".into()]));
    let alone = hop(None, vec![sized(None, None)]);
    assert_eq!(placed(&[alone], &sides), Ok(vec!["a@side".into()]));
}

#[test]
fn a_companion_that_names_its_slot_takes_no_other() {
    let sides = page(&[("left", 300, 250), ("right", 300, 250)]);
    let named = |id: &str, slot: &str| Companion {
        ad_slot_id: Some(slot.into()),
        ..companion(id, 300, 250)
    };
    let hop = hop(None, vec![named("a", "right"), named("b", "nowhere")]);
    assert_eq!(placed(&[hop], &sides), Ok(vec!["a@right".into()]));
}

#[test]
fn required_companions_must_have_a_slot() {
    let sides = page(&[("side", 300, 250)]);
    let both = || vec![companion("a", 300, 250), companion("b", 728, 90)];
    assert_eq!(
        placed(&[hop(Some(Required::All), both())], &sides),
        Err(602)
    );
    assert_eq!(
        placed(&[hop(Some(Required::Any), both())], &sides),
        Ok(vec!["a@side".into()])
    );
    assert_eq!(
        placed(&[hop(Some(Required::Any), both())], &page(&[])),
        Err(602)
    );
    assert_eq!(
        placed(&[hop(Some(Required::None), both())], &page(&[])),
        Ok(Vec::new())
    );
    assert_eq!(
        placed(&[hop(Some(Required::All), Vec::new())], &page(&[])),
        Ok(Vec::new())
    );
}

#[test]
fn only_the_nearest_document_with_companions_counts() {
    let sides = page(&[("side", 300, 250), ("wide", 728, 90)]);
    let outer = hop(
        Some(Required::All),
        vec![companion("outer", 728, 90), companion("huge", 9_000, 90)],
    );
    let inner = hop(None, vec![companion("inner", 300, 250)]);
    let bare = hop(None, Vec::new());
    assert_eq!(
        placed(&[outer.clone(), inner.clone(), bare.clone()], &sides),
        Ok(vec!["inner@side".into()])
    );
    assert_eq!(placed(&[outer, bare], &sides), Err(602));
}

#[test]
fn an_end_card_needs_to_fit_the_player_but_needs_no_slot() {
    let card = |id: &str, width| Companion {
        rendering_mode: Some(RenderingMode::EndCard),
        ..companion(id, width, 360)
    };
    let hop = hop(
        Some(Required::Any),
        vec![card("large", 641), card("card", 640), card("second", 640)],
    );
    assert_eq!(
        placed(std::slice::from_ref(&hop), &page(&[])),
        Ok(vec!["card@".into()])
    );
    let overlay = Companions::place(&[hop], BreakKind::Overlay, &page(&[]), (640, 360));
    assert_eq!(
        overlay.map(|_| ()).map_err(|failure| failure.code.number()),
        Err(602)
    );
}

#[test]
fn each_reason_for_not_showing_a_companion_has_its_code() {
    let codes = |hop: Hop, sides: &Sides| -> Vec<u16> {
        let companions =
            Companions::place(&[hop], BreakKind::Pre, sides, (640, 360)).expect("none is required");
        companions
            .unshown
            .iter()
            .map(|(fault, _)| code(*fault).number())
            .collect()
    };
    let sides = page(&[("side", 300, 250)]);
    assert_eq!(
        codes(hop(None, vec![companion("a", 728, 90)]), &sides),
        [601]
    );
    let gone = Sides {
        unreachable: vec!["https://m.test/a.png".into()],
        ..sides.clone()
    };
    assert_eq!(
        codes(hop(None, vec![companion("a", 300, 250)]), &gone),
        [603]
    );
    let mut flash = companion("a", 300, 250);
    flash.resources[0].mime = Some("application/x-shockwave-flash".into());
    assert_eq!(codes(hop(None, vec![flash]), &sides), [604]);
    let empty = Companion {
        resources: Vec::new(),
        ..companion("a", 300, 250)
    };
    assert_eq!(codes(hop(None, vec![empty]), &sides), [600]);
    let elsewhere = Companion {
        ad_slot_id: Some("x".into()),
        ..companion("a", 300, 250)
    };
    assert_eq!(codes(hop(None, vec![elsewhere]), &sides), [600]);
    assert_eq!(
        codes(
            hop(
                None,
                vec![companion("a", 728, 90), companion("b", 300, 250)]
            ),
            &sides
        ),
        [0u16; 0]
    );
    assert_eq!(
        codes(hop(None, vec![companion("a", 728, 90)]), &page(&[])),
        [0u16; 0]
    );
}
