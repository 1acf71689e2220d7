//! Random surroundings of players: the page, media, and the responses of URLs.

use std::sync::Arc;

use super::feature::Feature;
use super::grid::{beats, moment};
use super::plan::{CONTAINERS, FILMS, LISTS, Plan, SPOTS, TAGS, UNIT};
use super::source::Source;
use super::{attachments, documents, records, terms, units};
use playsim_api::NetworkFault;
use playsim_api::media::{Delivery, Live, MediaFault, Vpaid, VpaidScript};
use playsim_api::page::{Container, Device, Page};
use playsim_base::time::{Position, Span, Time};
use playsim_scenario::{AnswerScript, MediaScript, ScriptedAnswer};

pub(super) fn page(containers: usize, plan: &Plan, source: &mut Source) -> Page {
    let unit = plan.has(Feature::Units).then_some(&UNIT);
    let container = |id: &&str| Container {
        id: (*id).into(),
        player_class: !plan.has(Feature::Nonsense),
    };
    let script = |source: &mut Source| match source.below(6) {
        0 => None,
        1..=3 => Some(beats(6, source)),
        _ => Some(Span::ZERO),
    };
    let standard = Page::default();
    Page {
        device: if source.chance(1, 4) {
            Device::Mobile
        } else {
            Device::Desktop
        },
        containers: CONTAINERS[..containers]
            .iter()
            .chain(unit)
            .map(container)
            .collect(),
        country: (plan.has(Feature::Records) && source.chance(3, 4))
            .then(|| Arc::from(*source.pick(records::COUNTRIES))),
        window: if plan.has(Feature::Surroundings) {
            window(source)
        } else {
            standard.window
        },
        allows_fullscreen: !(plan.has(Feature::Surroundings) && source.chance(1, 4)),
        gesture_required: if plan.has(Feature::People) {
            *source.pick(&[None, Some(false), Some(true)])
        } else {
            Some(false)
        },
        script_after: if plan.has(Feature::Queues) {
            script(source)
        } else {
            standard.script_after
        },
        outstream_script_after: if plan.has(Feature::Queues) {
            script(source)
        } else {
            standard.outstream_script_after
        },
        sides: if plan.has(Feature::Attachments) {
            attachments::sides(source)
        } else {
            standard.sides.clone()
        },
        ads: if plan.has(Feature::Terms) {
            terms::terms(plan, source)
        } else {
            standard.ads.clone()
        },
        ..standard
    }
}

/// The size of a window.
pub(super) fn window(source: &mut Source) -> (u32, u32) {
    *source.pick(&[(1280, 720), (800, 600), (320, 480), (0, 0)])
}

pub(super) fn media(plan: &Plan, source: &mut Source) -> Vec<(Arc<str>, MediaScript)> {
    // The last video and the last ad media are missing unless a default covers URLs that are not
    // listed.
    let listed = FILMS[..3].iter().chain(&SPOTS[..4]);
    let mut media: Vec<(Arc<str>, MediaScript)> = listed
        .map(|address| (Arc::from(*address), medium(plan, source)))
        .collect();
    if plan.has(Feature::Simid) {
        media.extend(
            units::PAGES[..2]
                .iter()
                .map(|page| (Arc::from(*page), page_of(plan, source))),
        );
    }
    media
}

/// The page of a SIMID unit.
fn page_of(plan: &Plan, source: &mut Source) -> MediaScript {
    let fails =
        (plan.has(Feature::Faults) && source.chance(1, 8)).then_some((None, MediaFault::NotFound));
    MediaScript {
        metadata_after: if plan.has(Feature::Late) {
            beats(6, source)
        } else {
            Span::ZERO
        },
        simid: Some(Arc::new(units::simid(source))),
        fails,
        ..MediaScript::default()
    }
}

pub(super) fn medium(plan: &Plan, source: &mut Source) -> MediaScript {
    let duration = Span::from_millis(
        *source.pick(&[0, 250, 500, 750, 1_000, 1_250, 2_000, 3_100, 4_000, 6_500]),
    );
    let place = |source: &mut Source| Position::from_millis(250 * source.below(14));
    let mut script = MediaScript {
        duration,
        ..MediaScript::default()
    };
    if plan.has(Feature::Late) {
        script.metadata_after = beats(5, source);
    }
    if plan.has(Feature::Faults) && source.chance(1, 3) {
        script.stalls = source.some(1, 2, |source| (place(source), beats(6, source)));
        script.stalls.sort_unstable();
    }
    if plan.has(Feature::Faults) && source.chance(1, 5) {
        let how = *source.pick(&[
            MediaFault::Network,
            MediaFault::Decode,
            MediaFault::Unsupported,
            MediaFault::NotFound,
            MediaFault::Cors,
            MediaFault::Blocked,
        ]);
        script.fails = Some((source.chance(2, 3).then(|| place(source)), how));
    }
    if plan.has(Feature::Renditions) {
        script.switch_after = beats(3, source);
    }
    if plan.has(Feature::Slow) && source.chance(1, 2) {
        script.delivery = Some(delivery(source));
    }
    script.is_as_said = source.chance(1, 8);
    script.has_sound = script.is_as_said;
    if plan.has(Feature::Live) && source.chance(1, 3) {
        script.is_as_said = false;
        (script.live, script.duration) = (Some(live(source)), Span::ZERO);
    }
    if plan.has(Feature::Vpaid) && source.chance(1, 2) {
        let does = Vpaid {
            own_sound: source.chance(1, 2),
            reports_click: source.chance(1, 2),
        };
        let unit = if source.chance(2, 3) {
            units::vpaid(source)
        } else {
            VpaidScript::default()
        };
        script.vpaid = Some(Arc::new(VpaidScript { does, ..unit }));
    }
    script
}

fn live(source: &mut Source) -> Live {
    let stops_at = source.chance(2, 3).then(|| moment(20, source));
    let back = stops_at.filter(|_| source.chance(1, 2));
    let back_at = back.map(|stops| stops + Span::from_millis(250 * (1 + source.below(8))));
    let window = beats(12, source);
    // It ends for good only while it is on air.
    let may_end = stops_at.is_none() || back_at.is_some();
    let ends_at = (may_end && source.chance(1, 3))
        .then(|| back_at.unwrap_or_default() + Span::from_millis(250) + beats(20, source));
    Live {
        window,
        stops_at,
        back_at,
        ends_at,
    }
}

/// A bit rate that is what playback needs, higher, lower, or none.
fn delivery(source: &mut Source) -> Delivery {
    let mut bandwidth: Vec<(Time, u64)> = Vec::new();
    for _ in 0..source.index(5) {
        let at = if bandwidth.is_empty() && source.chance(3, 4) {
            Time::ZERO
        } else {
            moment(16, source)
        };
        let bits = *source.pick(&[0, 0, 1, 600, 1_000, 3_000, 90_000]);
        if bandwidth.iter().all(|(known, _)| *known != at) {
            bandwidth.push((at, bits));
        }
    }
    bandwidth.sort_unstable();
    Delivery {
        bitrate: *source.pick(&[1, 999, 1_000, 2_000]),
        bandwidth,
    }
}

pub(super) fn network(plan: &Plan, source: &mut Source) -> Vec<(Arc<str>, Vec<AnswerScript>)> {
    let (listed, room) = (TAGS.iter().take(5), &mut String::new());
    let mut network: Vec<_> = listed
        .map(|tag| {
            (
                Arc::from(*tag),
                source.some(1, 2, |source| answer(plan, source, room)),
            )
        })
        .collect();
    let text: Arc<str> = documents::endless().into();
    let answer = ScriptedAnswer::Body {
        status: 200,
        name: Arc::default(),
        text,
    };
    network.push((
        "https://ads.test/loop".into(),
        vec![AnswerScript {
            content_type: None,
            after: beats(1, source),
            answer,
        }],
    ));
    if plan.has(Feature::Sources) {
        let listed = LISTS.iter().take(2);
        network.extend(listed.map(|list| {
            (
                Arc::from(*list),
                source.some(1, 2, |source| list_answer(plan, source)),
            )
        }));
    }
    network
}

/// A response for the URL of a tag. Its body is written into `room` first, which can be used again
/// for the next.
pub(super) fn answer(plan: &Plan, source: &mut Source, room: &mut String) -> AnswerScript {
    let answer = match source.below(if plan.has(Feature::Faults) { 10 } else { 20 }) {
        0 => ScriptedAnswer::Silence,
        1 => ScriptedAnswer::Fails(*source.pick(NetworkFault::ALL)),
        2 if source.chance(1, 2) => ScriptedAnswer::Redirect {
            status: *source.pick(&[301, 302, 307]),
            to: Arc::from(&**source.pick(&plan.tags)),
        },
        2 => ScriptedAnswer::Body {
            status: *source.pick(&[204, 302, 404, 500]),
            name: Arc::default(),
            text: Arc::default(),
        },
        _ => ScriptedAnswer::Body {
            status: 200,
            name: Arc::default(),
            text: documents::document(plan, source, room).into(),
        },
    };
    AnswerScript {
        content_type: None,
        after: if plan.has(Feature::Late) {
            beats(10, source)
        } else {
            beats(1, source)
        },
        answer,
    }
}

/// A response for the URL of a playlist.
pub(super) fn list_answer(plan: &Plan, source: &mut Source) -> AnswerScript {
    let text = documents::playlist(source);
    let status = if plan.has(Feature::Faults) && source.chance(1, 8) {
        404
    } else {
        200
    };
    let answer = match source.below(if plan.has(Feature::Faults) { 12 } else { 40 }) {
        0 => ScriptedAnswer::Silence,
        1 => ScriptedAnswer::Fails(NetworkFault::Reset),
        _ => ScriptedAnswer::Body {
            status,
            name: Arc::default(),
            text: text.into(),
        },
    };
    AnswerScript {
        content_type: None,
        after: if plan.has(Feature::Late) {
            beats(6, source)
        } else {
            Span::ZERO
        },
        answer,
    }
}
