//! The response of a media URL: a film of the right length, one that stalls or breaks, or none.

use std::ops::Range;
use std::sync::Arc;

use super::PLAIN;
use super::answer::{Asked, End, OriginBody, OriginResponse, OriginSource, Piece, Reply};
use super::film::{Film, FilmPlan};
use super::range::{Part, part};
use playsim_api::media::{Arrival, Failure, LoadFault, MediaFault, MediaInfo, Supply};
use playsim_base::time::{Position, Span};
use playsim_scenario::world::MediaReply;

/// The facts that documents state about a media file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    /// The `Duration` of its ad.
    pub(super) said: Option<Span>,
    /// Width and height.
    pub(super) size: Option<(u32, u32)>,
    /// The MIME type.
    pub(super) mime: Option<Arc<str>>,
}

/// The length of a film that cannot be used at all: a scenario gives it none.
const FAULTY: Span = Span::from_secs(10);
/// The minimum of data before those of a gate: without a few pictures, Chromium knows no metadata.
const LEAST_GATE: Position = Position::from_millis(200);
/// A body that is not a film.
const NO_FILM: &str = "this is no film\n";

/// Whether a load of media begins with a request: it is not for a later part of the file. Rule
/// MEL-28.
pub(super) fn begins(asked: &Asked<'_>) -> bool {
    !matches!(part(asked.range, u64::MAX), Part::Bytes(range) if range.start > 0)
}

/// Answers a request for media, with how long it waits before.
pub(super) fn answer(asked: &Asked<'_>, media: &MediaReply, facts: &Facts) -> (Span, Reply) {
    let mime = mime_of(asked.url, facts);
    let after = if begins(asked) {
        media.after
    } else {
        Span::ZERO
    };
    let reply = match &media.loaded {
        Err(
            LoadFault { is_live: true, .. }
            | LoadFault {
                how: MediaFault::NotRunning,
                ..
            },
        ) => no_live().into(),
        Err(LoadFault {
            how: MediaFault::NotFound,
            ..
        }) => OriginResponse::text(404, PLAIN, "the scenario says that this is not found\n").into(),
        Err(LoadFault {
            how: MediaFault::Network,
            ..
        }) => Reply::Reset,
        Err(LoadFault {
            how: MediaFault::Blocked,
            ..
        }) => Reply::Closed,
        Err(LoadFault {
            how: MediaFault::Cors | MediaFault::Refused(_),
            ..
        }) => {
            let plan = plan(facts, FilmPlan::of_length(facts.said.unwrap_or(FAULTY)));
            let response = ranged(
                asked,
                &mime,
                OriginSource::Film(Arc::new(Film::new(&plan))),
                whole,
            );
            OriginResponse {
                is_shared: false,
                ..response
            }
            .into()
        }
        Err(LoadFault {
            how: MediaFault::Unsupported,
            ..
        }) => ranged(
            asked,
            &mime,
            OriginSource::Text(NO_FILM.repeat(64).into()),
            whole,
        )
        .into(),
        Err(LoadFault {
            how: MediaFault::Decode,
            ..
        }) => {
            let garbled_from = Some(Position::ZERO);
            let plan = FilmPlan {
                garbled_from,
                ..plan(facts, FilmPlan::of_length(FAULTY))
            };
            ranged(
                asked,
                &mime,
                OriginSource::Film(Arc::new(Film::new(&plan))),
                whole,
            )
            .into()
        }
        Ok(info) if info.live.is_some() => no_live().into(),
        Ok(info) => film(asked, &Arc::clone(info).for_ad(facts.said), facts, &mime).into(),
    };
    (after, reply)
}

fn no_live() -> OriginResponse {
    let text = "playsim world does not serve live streams; give the URL a duration instead\n";
    OriginResponse::text(501, PLAIN, text)
}

fn plan(facts: &Facts, plan: FilmPlan) -> FilmPlan {
    FilmPlan {
        size: facts.size.unwrap_or(plan.size),
        ..plan
    }
}

/// Answers with a film, or the part of it that is asked for.
fn film(asked: &Asked<'_>, info: &MediaInfo, facts: &Facts, mime: &str) -> OriginResponse {
    let breaks = info
        .fails
        .filter(|it| it.how.is_of_network())
        .map(|Failure { at, .. }| at.max(LEAST_GATE));
    let garbled_from = info
        .fails
        .filter(|it| !it.how.is_of_network())
        .map(|it| it.at);
    let mut gates: Vec<Position> = info
        .stalls
        .iter()
        .map(|stall| stall.at.max(LEAST_GATE))
        .chain(breaks)
        .collect();
    gates.sort_unstable();
    let is_paced = info.delivery.is_some();
    let has_sound = info.has_sound;
    let base = plan(
        facts,
        FilmPlan {
            has_sound,
            ..FilmPlan::of_length(info.duration)
        },
    );
    let film = Arc::new(Film::new(&FilmPlan {
        garbled_from,
        gates,
        is_paced,
        ..base
    }));
    let cut = breaks.map(|at| film.offset_of(at));
    // Chromium requests the missing bytes again, up to thirty times in thirty seconds, but not
    // after a status that is an error.
    let is_lost =
        |range: &Range<u64>| cut.is_some_and(|cut| range.start >= cut && cut < film.len());
    if let Part::Bytes(range) = part(asked.range, film.len())
        && is_lost(&range)
    {
        return OriginResponse::text(
            503,
            PLAIN,
            "the scenario says that the network fails here\n",
        );
    }
    let pieces = |range: Range<u64>| {
        let (mut pieces, mut end) = match &info.delivery {
            Some(delivery) => paced(
                asked,
                &film,
                &Supply::new(delivery, film.duration()),
                range.clone(),
            ),
            None => whole(range.clone()),
        };
        // Pauses begin, and errors come, at the time at which a film that plays at once gets there:
        // a server cannot know when playback starts.
        let mut shown = film.played_by(range.start);
        let mut until = |at: Position| {
            let wait = if is_paced { Span::ZERO } else { at - shown };
            shown = shown.max(at);
            wait
        };
        for stall in &info.stalls {
            let at = stall.at.max(LEAST_GATE);
            if (range.start + 1..range.end).contains(&film.offset_of(at)) {
                pause(&mut pieces, film.offset_of(at), until(at) + stall.length);
            }
        }
        if let (Some(cut), Some(at)) = (cut.filter(|cut| range.contains(cut)), breaks) {
            pieces.retain_mut(|piece| {
                piece.bytes.end = piece.bytes.end.min(cut);
                piece.bytes.start < piece.bytes.end
            });
            end = End::Cut(until(at) - RETRY);
        }
        (pieces, end)
    };
    ranged(asked, mime, OriginSource::Film(Arc::clone(&film)), pieces)
}

/// How long Chromium waits before it asks for the rest of a film that broke off.
const RETRY: Span = Span::from_millis(300);

fn whole(range: Range<u64>) -> (Vec<Piece>, End) {
    (
        vec![Piece {
            wait: Span::ZERO,
            bytes: range,
        }],
        End::Complete,
    )
}

/// Makes a pause before a byte.
fn pause(pieces: &mut Vec<Piece>, at: u64, length: Span) {
    let Some(index) = pieces.iter().position(|piece| piece.bytes.contains(&at)) else {
        return;
    };
    let piece = &mut pieces[index];
    if piece.bytes.start == at {
        piece.wait += length;
        return;
    }
    let rest = Piece {
        wait: length,
        bytes: at..piece.bytes.end,
    };
    piece.bytes.end = at;
    pieces.insert(index + 1, rest);
}

/// The pieces of a film with limited bandwidth: each cluster at the time at which its last frame
/// arrives according to the engine. Rule MEL-25.
fn paced(asked: &Asked<'_>, film: &Film, supply: &Supply, range: Range<u64>) -> (Vec<Piece>, End) {
    let arrival = Arrival {
        began: asked.at,
        from: film.played_by(range.start),
    };
    let (mut pieces, mut from, mut now) = (Vec::new(), range.start, asked.at);
    while from < range.end {
        let to = film.next_cluster(from).min(range.end);
        let Some(due) = supply.ready_at(arrival, film.played_by(to)) else {
            return (pieces, End::Never);
        };
        pieces.push(Piece {
            wait: due - now,
            bytes: from..to,
        });
        (from, now) = (to, now.max(due));
    }
    (pieces, End::Complete)
}

/// Answers with a file, or a range of it; `pieces` says how a range is sent.
fn ranged(
    asked: &Asked<'_>,
    mime: &str,
    source: OriginSource,
    pieces: impl Fn(Range<u64>) -> (Vec<Piece>, End),
) -> OriginResponse {
    let length = source.len();
    let (status, range) = match part(asked.range, length) {
        Part::Whole => (200, 0..length),
        Part::Bytes(range) => (206, range),
        Part::Beyond => {
            return OriginResponse::text(416, PLAIN, "the film is shorter\n")
                .with("accept-ranges", "bytes")
                .with("content-range", format!("bytes */{length}"));
        }
    };
    let mut headers = vec![
        ("content-type", mime.to_owned()),
        ("content-length", (range.end - range.start).to_string()),
        ("accept-ranges", "bytes".to_owned()),
    ];
    if status == 206 {
        headers.push((
            "content-range",
            format!("bytes {}-{}/{length}", range.start, range.end - 1),
        ));
    }
    let (pieces, end) = pieces(range);
    OriginResponse {
        status,
        headers,
        body: OriginBody {
            source,
            pieces,
            end,
        },
        is_shared: true,
    }
}

/// Endings of media files with their MIME types.
const TYPES: &[(&str, &str)] = &[
    ("webm", "video/webm"),
    ("mp4", "video/mp4"),
    ("m4v", "video/mp4"),
    ("mov", "video/quicktime"),
    ("ogv", "video/ogg"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
];

/// Returns the MIME type of a film: by the ending of its URL, or by its document.
fn mime_of(url: &str, facts: &Facts) -> String {
    let known = ending(url).and_then(|ending| {
        TYPES
            .iter()
            .find(|(known, _)| ending.eq_ignore_ascii_case(known))
    });
    // A document may contain any string, which must not end a header.
    let is_plain =
        |text: &&Arc<str>| text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control());
    let said = facts
        .mime
        .as_ref()
        .filter(|text| text.contains('/'))
        .filter(is_plain);
    known
        .map(|(_, mime)| (*mime).to_owned())
        .or_else(|| said.map(|text| text.to_string()))
        .unwrap_or_else(|| TYPES[0].1.to_owned())
}

/// Returns the MIME type of a text, by the ending of its file or URL.
pub(super) fn type_of_text(name: &str) -> Option<&'static str> {
    let ending = ending(name)?;
    let known = super::TEXTS
        .iter()
        .find(|(known, _)| ending.eq_ignore_ascii_case(known));
    known.map(|(_, mime)| *mime)
}

/// Returns the ending of a URL's path.
pub(super) fn ending(url: &str) -> Option<&str> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    file.rsplit_once('.').map(|(_, ending)| ending)
}

/// Whether a URL looks like that of a film.
pub(super) fn is_of_film(url: &str) -> bool {
    ending(url).is_some_and(|ending| {
        TYPES
            .iter()
            .any(|(known, _)| ending.eq_ignore_ascii_case(known))
    })
}
