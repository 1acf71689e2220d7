//! Which tags belong to one ad break, and which ads were on the screen.
//!
//! A recording has no breaks, only requests. A tag that follows at once on one that gave nothing is
//! the next of its waterfall; one that follows on the end of an ad is the next pod of its break;
//! anything later is a break of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::refused::Missing;
use super::tags::Waits;
use super::{
    AdVerdict, BreakVerdict, NotShown, Planned, RecordedBreakKind, RecordedEnd, ShownBy, TagResult,
    Whose, length,
};
use crate::evidence::{Certainty, Evidence, Ground, Role, is_schedule};
use crate::recording::{Exchange, RecordedOutcome};
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_vast::names::Named;
use playsim_vast::vmap::{AdSourceKind, TimeOffset};
use playsim_vast::{AdKind, CreativeKind, TrackedEvent, TrackingEvent};

/// The longest pause between a tag that gave nothing, or the end of an ad, and the next tag of the
/// same break.
const PAUSE: Span = Span::from_millis(1_500);
/// The longest wait for a tag of which nothing came.
const LONGEST_WAIT: Span = Span::from_secs(30);
/// Content that is asked for this long after a break was over shows that the break was not the last
/// thing.
const AFTER: Span = Span::from_millis(300);

/// Content that was asked for so long before the first break may have been played.
const PLAYED: Span = Span::from_secs(5);

/// Content that played for so much less than its length may have been at its end: only requests are
/// known, not pictures.
const AT_END: Span = Span::from_millis(500);

/// Finds the breaks of a recording, and the ads on screen in each.
pub(super) fn find(evidence: &Evidence) -> Vec<Planned> {
    let mut by_root: BTreeMap<usize, Vec<AdVerdict>> = BTreeMap::new();
    for ad in ads(evidence) {
        by_root
            .entry(evidence.documents[ad.document].root)
            .or_default()
            .push(ad);
    }
    let over = over(evidence);
    let tags =
        (0..evidence.documents.len()).filter(|document| evidence.documents[*document].by.is_none());
    let mut breaks: Vec<Planned> = Vec::new();
    // How much of the content was played before the last break.
    let mut played = Span::ZERO;
    for tag in tags {
        let at = evidence.exchange(tag).at();
        let (of, whose) = player(evidence, &breaks, &over, tag);
        let place = match of.and_then(|of| breaks.get(of)) {
            None => Next::Break(None),
            Some(last) => next(evidence, last, &over, at),
        };
        let is_new = matches!(place, Next::Break(_));
        match (place, of.and_then(|of| breaks.get_mut(of))) {
            (Next::Tag, Some(last)) if !last.pods.is_empty() => {
                last.pods
                    .last_mut()
                    .into_iter()
                    .for_each(|tags| tags.push(tag));
            }
            (Next::Pod, Some(last)) => last.pods.push(vec![tag]),
            (Next::Break(over), _) => {
                let cue = over.map(|over| {
                    played += at - over;
                    let jump = evidence
                        .jumps
                        .iter()
                        .rfind(|it| (over..=at).contains(&it.at));
                    played = jump.map_or(played, |it| it.to + (at - it.at));
                    played
                });
                let cue = match &evidence.heard {
                    Some(heard) => heard.positions[evidence.documents[tag].exchange]
                        .filter(|position| *position > Span::ZERO),
                    None => cue,
                };
                breaks.push(Planned {
                    cue,
                    whose,
                    pods: vec![vec![tag]],
                    ads: Vec::new(),
                });
            }
            (Next::Tag, _) | (Next::Pod, None) => {}
        }
        let last = if is_new {
            breaks.len().checked_sub(1)
        } else {
            of
        };
        if let (Some(last), Some(ads)) = (
            last.and_then(|last| breaks.get_mut(last)),
            by_root.remove(&tag),
        ) {
            let is_next = last
                .ads
                .last()
                .is_none_or(|last| ads.iter().all(|ad| ad.start >= last.start));
            last.ads.extend(ads);
            if !is_next {
                last.ads.sort_by_key(|ad| ad.start);
            }
        }
    }
    other_films(evidence, &mut breaks);
    breaks
}

/// Returns the last break of the player that asked a tag, and whether that is another player than
/// the first. Two scripts are two players if one asks while the other is busy; an auction that runs
/// beside a tag is not.
fn player(
    evidence: &Evidence,
    breaks: &[Planned],
    over: &[Time],
    tag: usize,
) -> (Option<usize>, Whose) {
    let Some(last) = breaks.len().checked_sub(1) else {
        return (None, Whose::First);
    };
    let first = |it: &Planned| it.pods[0][0];
    let sender = |tag: usize| evidence.exchange(tag).initiator.as_deref();
    let is_one = |other: usize| {
        sender(other)
            .zip(sender(tag))
            .is_none_or(|(one, other)| one == other)
    };
    if let Some(own) = breaks.iter().rposition(|it| is_one(first(it))) {
        return (Some(own), breaks[own].whose);
    }
    let is_auction = |tag: usize| matches!(evidence.finding(tag).ground, Ground::InsideJson { .. });
    let it = &breaks[last];
    let tags = it.pods.iter().flatten().map(|tag| over[*tag]);
    let ads = it
        .ads
        .iter()
        .map(|ad| ad.end.as_ref().map_or(ad.start, |(end, _)| *end));
    let is_busy = tags.chain(ads).any(|end| evidence.exchange(tag).at() < end);
    if is_busy && !is_auction(tag) && !is_auction(first(it)) {
        (None, Whose::OtherPlayer)
    } else {
        (Some(last), it.whose)
    }
}

/// Finds the breaks of the first player that belong to another film than the one that it played
/// first: what it asks for next, or else what it asked for last, is of that film, and nothing of
/// the film of the break before is asked for any more.
fn other_films(evidence: &Evidence, breaks: &mut [Planned]) {
    let contents = evidence.contents().map(|(it, film)| (it.at(), film));
    let contents: Vec<(Time, usize)> = contents.collect();
    let begins: Vec<Time> = breaks.iter().map(|it| it.begin(evidence)).collect();
    let (mut first, mut last) = (None, None);
    for (index, it) in breaks.iter_mut().enumerate() {
        let begin = begins[index];
        let until = begins.get(index + 1).copied().unwrap_or(Time::MAX);
        let next = contents.partition_point(|(at, _)| *at < begin);
        let after = contents.get(next).filter(|(at, _)| *at < until);
        let film = after.or(contents[..next].last()).map(|(_, film)| *film);
        let Some(film) = film.filter(|_| it.whose != Whose::OtherPlayer) else {
            continue;
        };
        let is_back = |last: usize| contents[next..].iter().any(|(_, of)| *of == last);
        let before = last.filter(|last| !is_back(*last)).unwrap_or(film);
        first = first.or(Some(film));
        if film != before {
            it.whose = Whose::OtherFilm { begins: true };
        } else if first != Some(film) && last == Some(film) {
            it.whose = Whose::OtherFilm { begins: false };
        }
        last = if last.is_some_and(is_back) {
            last
        } else {
            Some(film)
        };
    }
}

/// The role of a tag that follows others.
enum Next {
    /// The next tag of the same waterfall.
    Tag,
    /// The first of the next pod.
    Pod,
    /// The first of the next break; with the time at which the one before was over.
    Break(Option<Time>),
}

fn next(evidence: &Evidence, last: &Planned, over: &[Time], at: Time) -> Next {
    let tag = last
        .pods
        .last()
        .and_then(|tags| tags.last())
        .copied()
        .unwrap_or_default();
    let shown = last.ads.iter().rfind(|ad| ad.start <= at);
    let is_of_the_tag = |ad: &&AdVerdict| evidence.documents[ad.document].root == tag;
    if let Some(ad) = shown.filter(is_of_the_tag) {
        let over = match &ad.end {
            Some((_, RecordedEnd::Error)) => return Next::Tag,
            Some((end, _)) => *end,
            // Without a pixel at its end, an ad lasts as long as it says.
            None => ad.start + ad.documented.unwrap_or_default(),
        };
        return if at - over <= PAUSE {
            Next::Pod
        } else {
            Next::Break(Some(over))
        };
    }
    let over = over[tag];
    // Some tools leave out requests without an answer: between two tags there may have been
    // another.
    let leaves_out = evidence.recording.tool.starts_with("chrome-har");
    let is_open = leaves_out
        || matches!(
            evidence.answer(tag).outcome,
            RecordedOutcome::Failed(_) | RecordedOutcome::Unknown
        );
    let pause = if is_open { LONGEST_WAIT } else { PAUSE };
    let is_plan = evidence.documents[tag]
        .read
        .as_ref()
        .is_some_and(is_schedule);
    if at - over <= pause && !is_plan {
        Next::Tag
    } else {
        Next::Break(Some(over))
    }
}

/// Returns for each tag when everything that was requested for it was over.
fn over(evidence: &Evidence) -> Vec<Time> {
    let mut over = vec![Time::ZERO; evidence.documents.len()];
    for (finding, it) in evidence.each() {
        let (document, end) = if let Role::Document(document) = finding.role {
            (document, it.over().max(evidence.answer(document).over()))
        } else if let Role::Media(name) | Role::Interactive(name) = finding.role {
            (evidence.names.all[name].document, it.over())
        } else {
            continue;
        };
        let root = evidence.documents[document].root;
        over[root] = over[root].max(end);
    }
    over
}

/// Returns the ads that were on the screen, by their pixels, in order. An ad without pixels of its
/// own counts from the request for its media.
fn ads(evidence: &Evidence) -> Vec<AdVerdict> {
    let mut ads: Vec<AdVerdict> = Vec::new();
    let mut known: BTreeMap<(usize, Place), usize> = BTreeMap::new();
    let mut begun: BTreeSet<(usize, &TrackedEvent)> = BTreeSet::new();
    for (index, name, event) in evidence.pixels() {
        let it = &evidence.recording.exchanges[index];
        let (Some(at), true) = (name.ad, name.is_inline) else {
            continue;
        };
        let found = known.get(&(name.document, at)).copied();
        if let Some(by) = ShownBy::of(event) {
            // The same pixel again: the ad is shown again.
            let is_again = found
                .is_some_and(|index| ads[index].end.is_some() && begun.contains(&(index, event)));
            let index = found.filter(|_| !is_again).unwrap_or_else(|| {
                ads.push(ad(evidence, name.document, at, it, by));
                known.insert((name.document, at), ads.len() - 1);
                ads.len() - 1
            });
            begun.insert((index, event));
        } else if let Some(index) = found {
            // An error after which an ad went on did not end it.
            let ended = &mut ads[index].end;
            *ended = ended
                .take()
                .filter(|(_, end)| *end != RecordedEnd::Error || *event == TrackingEvent::Error);
            let end = RecordedEnd::of(event).map(|end| (it.at(), end));
            *ended = ended.take().or(end);
        }
    }
    ads.extend(silent(evidence, &known));
    ads.sort_by_key(|ad| ad.start);
    length::measure(evidence, &mut ads);
    ads
}

fn ad(evidence: &Evidence, document: usize, at: Place, shown: &Exchange, by: ShownBy) -> AdVerdict {
    AdVerdict {
        document,
        id: length::source(evidence, document, at).and_then(|ad| ad.id.clone()),
        at,
        start: shown.at(),
        end: None,
        shown_by: (shown.number, by),
        documented: length::documented(evidence, document, at),
        played: super::PlayedLength::Unknown,
    }
}

/// Returns the ads whose media were requested and answered, but that have no pixels.
fn silent(evidence: &Evidence, seen: &BTreeMap<(usize, Place), usize>) -> Vec<AdVerdict> {
    let all = evidence.names.all.iter();
    let pixels = all.filter(|name| matches!(name.what, Named::Pixel(_)));
    let tracked: BTreeSet<(usize, Place)> = pixels
        .filter_map(|name| Some((name.document, name.ad?)))
        .collect();
    let mut known: BTreeSet<(usize, Place)> = seen.keys().copied().collect();
    let mut ads: Vec<AdVerdict> = Vec::new();
    let is_answered = |it: &Exchange| {
        it.status()
            .is_some_and(|status| (200..300).contains(&status))
    };
    for (finding, it) in evidence.each() {
        let Role::Media(index) = finding.role else {
            continue;
        };
        let name = &evidence.names.all[index];
        let Some(at) = name.ad.filter(|_| is_answered(it)) else {
            continue;
        };
        let key = (name.document, at);
        if !tracked.contains(&key) && known.insert(key) {
            ads.push(ad(evidence, name.document, at, it, ShownBy::Media));
        }
    }
    ads
}

/// Judges the breaks that were found; those of a schedule are breaks of their own.
pub(super) fn judge(
    evidence: &Evidence,
    plan: &[Planned],
    waits: &Waits<'_>,
    gone: &Missing,
) -> Vec<BreakVerdict> {
    let contents: Vec<Time> = evidence.contents().map(|(it, _)| it.at()).collect();
    let mut breaks = Vec::new();
    for (index, it) in plan.iter().enumerate() {
        let root = it
            .pods
            .first()
            .and_then(|tags| tags.first())
            .copied()
            .unwrap_or_default();
        let is_plan = evidence.documents[root]
            .read
            .as_ref()
            .is_some_and(is_schedule);
        let tags = it
            .pods
            .iter()
            .enumerate()
            .flat_map(|(pod, tags)| tags.iter().map(move |tag| (pod, *tag)));
        let tags: Vec<_> = tags
            .enumerate()
            .map(|(number, (pod, tag))| waits.judge(tag, number + 1, pod + 1))
            .collect();
        let (kinds, certainty) = if is_plan {
            (vec![RecordedBreakKind::Schedule], Certainty::Seen)
        } else {
            let codes: Vec<u16> = tags.iter().flat_map(|tag| &tag.codes).copied().collect();
            match slot(evidence, it, &codes) {
                Slot::Overlay(certainty) => (vec![RecordedBreakKind::Overlay], certainty),
                Slot::Linear => kinds(evidence, &contents, plan, index),
                Slot::Unknown => {
                    let (mut kinds, _) = kinds(evidence, &contents, plan, index);
                    kinds.push(RecordedBreakKind::Overlay);
                    (kinds, Certainty::Unknown)
                }
            }
        };
        let ads = if is_plan { Vec::new() } else { it.ads.clone() };
        let missing = gone.beside(evidence, &ads);
        breaks.push(BreakVerdict {
            kinds,
            certainty,
            begin: it.begin(evidence),
            scheduled: None,
            cue: it.cue,
            tags,
            ads,
            missing,
        });
        if is_plan {
            breaks.extend(scheduled(evidence, root, it, waits, gone));
        }
    }
    breaks
}

/// What the player had room for.
enum Slot {
    Linear,
    Overlay(Certainty),
    /// Only overlays came, and nothing tells what was wanted.
    Unknown,
}

/// The codes for overlays that could not be shown.
const OF_OVERLAYS: RangeInclusive<u16> = 500..=503;
/// The codes for an ad of another kind than was wanted.
const OF_OTHERS: RangeInclusive<u16> = 200..=201;

/// Returns what a break wanted: the ads that were shown tell it, and where only overlays came and
/// none was shown, the code that was sent.
fn slot(evidence: &Evidence, it: &Planned, codes: &[u16]) -> Slot {
    let shown = it.ads.iter();
    let shown = shown.filter_map(|ad| length::source(evidence, ad.document, ad.at));
    let tags: Vec<usize> = it.pods.iter().flatten().copied().collect();
    let documents = evidence.documents.iter();
    let documents = documents.filter(|document| tags.contains(&document.tag));
    let reads = documents.filter_map(|document| document.read.as_ref());
    let came = reads.flat_map(|read| &read.ads);
    let came = came.filter(|ad| ad.kind == AdKind::Inline && it.ads.is_empty());
    let creatives = shown.chain(came).flat_map(|ad| &ad.creatives);
    let creatives: Vec<&CreativeKind> = creatives.map(|creative| &creative.kind).collect();
    let has = |is_it: fn(&CreativeKind) -> bool| creatives.iter().any(|kind| is_it(kind));
    let told = |of: &RangeInclusive<u16>| codes.iter().any(|code| of.contains(code));
    if !has(|kind| matches!(kind, CreativeKind::NonLinear(_)))
        || has(|kind| matches!(kind, CreativeKind::Linear(_)))
    {
        Slot::Linear
    } else if !it.ads.is_empty() {
        Slot::Overlay(Certainty::Seen)
    } else if told(&OF_OTHERS) {
        Slot::Linear
    } else if evidence.heard.is_some() || told(&OF_OVERLAYS) {
        Slot::Overlay(Certainty::Inferred)
    } else {
        Slot::Unknown
    }
}

/// Returns the breaks of a schedule of which a tag was asked or an ad was shown.
fn scheduled(
    evidence: &Evidence,
    root: usize,
    plan: &Planned,
    waits: &Waits<'_>,
    gone: &Missing,
) -> Vec<BreakVerdict> {
    let Some(read) = &evidence.documents[root].read else {
        return Vec::new();
    };
    let places = places_in(evidence, root);
    let place_in = |document: usize, at: Option<Place>| {
        if document == root {
            at
        } else {
            places[document]
        }
    };
    // When something of each ad in the schedule was first asked for.
    let mut first: BTreeMap<Place, Time> = BTreeMap::new();
    for (finding, it) in evidence.each() {
        let place = match finding.role {
            Role::Document(document) => place_in(document, None),
            Role::Media(name) | Role::Pixel(name) => {
                let name = &evidence.names.all[name];
                place_in(name.document, name.ad)
            }
            Role::Interactive(_)
            | Role::Redirected(_)
            | Role::Verification(_)
            | Role::Content
            | Role::Aside
            | Role::Ignored
            | Role::Other => None,
        };
        if let Some(place) = place {
            first.entry(place).or_insert(it.at());
        }
    }
    let mut breaks: Vec<BreakVerdict> = Vec::new();
    for (index, it) in read.breaks.iter().enumerate() {
        let kind = scheduled_kind(it.time_offset.as_ref());
        let is_of = |document: usize| {
            let by = evidence.documents[document]
                .by
                .map(|by| &evidence.names.all[by]);
            by.is_some_and(|name| name.document == root && name.what == Named::BreakTag(index))
        };
        let tags: Vec<usize> = (root..evidence.documents.len())
            .filter(|document| is_of(*document))
            .collect();
        let inside = it.source.as_ref().and_then(|source| match &source.kind {
            AdSourceKind::Vast(document)
            | AdSourceKind::Custom {
                document: Some(document),
                ..
            } => Some(document),
            AdSourceKind::Tag { .. }
            | AdSourceKind::Custom { document: None, .. }
            | AdSourceKind::Empty => None,
        });
        let is_inside = |document: usize, at: Option<Place>| {
            let place = place_in(document, at);
            inside.is_some_and(|inside| inside.ads.iter().any(|one| Some(one.at) == place))
        };
        let belongs = |document: usize, at: Place| {
            tags.contains(&evidence.tag_of(document)) || is_inside(document, Some(at))
        };
        let ads: Vec<AdVerdict> = plan
            .ads
            .iter()
            .filter(|ad| belongs(ad.document, ad.at))
            .cloned()
            .collect();
        let ads_inside = inside.into_iter().flat_map(|inside| &inside.ads);
        let first_inside = ads_inside.filter_map(|one| first.get(&one.at)).min();
        let begin = tags
            .first()
            .map(|tag| evidence.exchange(*tag).at())
            .or(first_inside.copied());
        let Some(begin) = begin else { continue };
        let cue = if let Some(TimeOffset::At(cue)) = it.time_offset {
            Some(cue)
        } else {
            None
        };
        let is_later = it
            .time_offset
            .as_ref()
            .is_some_and(|due| is_later(evidence, due));
        let judge = |(number, tag): (usize, &usize)| {
            let mut judged = waits.judge(*tag, number + 1, 1);
            if let TagResult::AnsweredNotShown { why } = &mut judged.outcome
                && *why == NotShown::Unknown
                && is_later
            {
                *why = NotShown::NotDue;
            }
            judged
        };
        let tags = tags.iter().enumerate().map(judge).collect();
        let missing = gone.but(&ads, |it| belongs(it.document, it.at));
        let kinds = vec![kind];
        breaks.push(BreakVerdict {
            kinds,
            certainty: Certainty::Seen,
            begin,
            scheduled: Some(index),
            cue,
            tags,
            ads,
            missing,
        });
    }
    breaks.sort_by_key(|it| it.begin);
    breaks
}

/// Returns the kind of a break by its time.
fn scheduled_kind(due: Option<&TimeOffset>) -> RecordedBreakKind {
    match due {
        Some(TimeOffset::Start) => RecordedBreakKind::PreRoll,
        Some(TimeOffset::End) => RecordedBreakKind::PostRoll,
        Some(TimeOffset::At(at)) if *at == Span::ZERO => RecordedBreakKind::PreRoll,
        Some(_) | None => RecordedBreakKind::MidRoll,
    }
}

/// Returns whether a break comes later than the content can have got at the end of the recording:
/// it cannot have played for longer than since it was first asked for, if the viewer did not jump.
fn is_later(evidence: &Evidence, due: &TimeOffset) -> bool {
    let Some((first, _)) = evidence
        .contents()
        .next()
        .filter(|_| evidence.jumps.is_empty())
    else {
        return false;
    };
    let most = evidence.end() - first.at();
    let length = length::of_file(evidence);
    let due = match due {
        TimeOffset::At(at) => Some(*at),
        TimeOffset::End => length,
        TimeOffset::Share(share) => length.map(|it| it.share(u64::from(*share), 1_000_000)),
        TimeOffset::Start | TimeOffset::Position(_) | TimeOffset::Unreadable(_) => None,
    };
    due.is_some_and(|due| due > most)
}

/// Returns for each document the ad of the schedule's own document that led to it.
fn places_in(evidence: &Evidence, root: usize) -> Vec<Option<Place>> {
    let mut places: Vec<Option<Place>> = Vec::with_capacity(evidence.documents.len());
    for document in &evidence.documents {
        let by = document.by.map(|by| &evidence.names.all[by]);
        let by = by.filter(|by| by.what == Named::Hop);
        // A document is named by an earlier one.
        places.push(by.and_then(|by| {
            if by.document == root {
                by.ad
            } else {
                places.get(by.document).copied().flatten()
            }
        }));
    }
    places
}

/// Returns the possible kinds of the first break. Content that was asked for piece after piece
/// before it was on the screen; if it was asked for once, it may have been loaded ahead, and the
/// viewer may have begun later. Without any content there may be none: an outstream unit has none.
fn first(contents: &[Time], begin: Time) -> (Vec<RecordedBreakKind>, Certainty) {
    if contents.is_empty() {
        return (
            vec![RecordedBreakKind::PreRoll, RecordedBreakKind::Outstream],
            Certainty::Unknown,
        );
    }
    let before = &contents[..contents.partition_point(|at| *at < begin)];
    let (Some(from), Some(to)) = (before.first(), before.last()) else {
        return (vec![RecordedBreakKind::PreRoll], Certainty::Inferred);
    };
    if before.len() >= 3 && *to - *from >= PLAYED {
        (
            vec![
                RecordedBreakKind::MidRoll,
                RecordedBreakKind::PostRoll,
                RecordedBreakKind::PreRoll,
            ],
            Certainty::Inferred,
        )
    } else if begin - *from > PLAYED {
        (
            vec![RecordedBreakKind::PreRoll, RecordedBreakKind::MidRoll],
            Certainty::Unknown,
        )
    } else {
        (vec![RecordedBreakKind::PreRoll], Certainty::Inferred)
    }
}

/// Returns the possible kinds of a break: the films before and after it decide.
fn kinds(
    evidence: &Evidence,
    contents: &[Time],
    plan: &[Planned],
    index: usize,
) -> (Vec<RecordedBreakKind>, Certainty) {
    let it = &plan[index];
    let begin = it.begin(evidence);
    if it.whose == Whose::OtherPlayer {
        return (vec![RecordedBreakKind::OtherPlayer], Certainty::Inferred);
    }
    if let Some(heard) = &evidence.heard {
        use RecordedBreakKind::{MidRoll, NextPreRoll, PostRoll, PreRoll};
        let (kinds, certainty): (&[_], _) = match (it.cue, heard.length()) {
            (None, _) if index == 0 => (&[PreRoll], Certainty::Seen),
            (None, _) => (&[NextPreRoll, PreRoll], Certainty::Inferred),
            (Some(cue), Some(length)) if cue + AT_END >= length => (&[PostRoll], Certainty::Seen),
            (Some(_), Some(_)) => (&[MidRoll], Certainty::Seen),
            // Where it stands still may be its end.
            (Some(_), None) => (&[MidRoll, PostRoll], Certainty::Inferred),
        };
        return (kinds.to_vec(), certainty);
    }
    if index == 0 {
        return first(contents, begin);
    }
    if !contents.is_empty() && contents.iter().all(|at| *at > begin) {
        return first(contents, begin);
    }
    // Only the length of the content rules kinds out.
    use RecordedBreakKind::{MidRoll, NextPreRoll, PostRoll, PreRoll};
    let played = length::of_file(evidence).zip(it.cue);
    let is_at_end = played.map(|(length, cue)| cue + AT_END >= length);
    let end = it
        .ads
        .iter()
        .map(|ad| ad.end.as_ref().map_or(ad.start, |(end, _)| *end))
        .max()
        .unwrap_or(begin);
    if let Whose::OtherFilm { begins: true } = it.whose {
        let tags = it.pods.iter().flatten();
        let over = tags.map(|tag| evidence.answer(*tag).over()).max();
        let end = over.map_or(end, |over| over.max(end));
        let next = contents.partition_point(|at| *at < end);
        // A page that goes on with the other film at once did not go back to the one before.
        let is_next = contents.get(next).is_some_and(|at| *at <= end + AFTER);
        let mut kinds = vec![NextPreRoll];
        kinds.extend((!is_next).then_some(MidRoll));
        kinds.extend((is_at_end != Some(false)).then_some(PostRoll));
        return (kinds, Certainty::Inferred);
    }
    let next = plan.get(index + 1);
    let last = next.map_or(Time::MAX, |next| next.begin(evidence));
    let later = contents.partition_point(|at| *at <= end + AFTER);
    let goes_on = next.is_some() || contents.get(later).is_some_and(|at| *at < last);
    let (kinds, certainty): (&[_], _) = match (goes_on, is_at_end) {
        (true, _) => (&[MidRoll, NextPreRoll, PostRoll], Certainty::Inferred),
        (false, Some(true)) => (&[PostRoll], Certainty::Inferred),
        (false, Some(false)) => (&[MidRoll, PostRoll], Certainty::Inferred),
        (false, None) if contents.is_empty() => (
            &[PostRoll, MidRoll, NextPreRoll, PreRoll],
            Certainty::Unknown,
        ),
        (false, None) => (&[PostRoll, MidRoll, NextPreRoll], Certainty::Unknown),
    };
    (kinds.to_vec(), certainty)
}
