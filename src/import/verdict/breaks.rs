//! Which tags belong to one ad break, and which ads were on the screen.
//!
//! A recording has no breaks, only requests. A tag that follows at once on one that gave nothing is the next of its
//! waterfall; one that follows on the end of an ad is the next pod of its break; anything later is a break of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::tags::Waits;
use super::{AdVerdict, BreakVerdict, Planned, RecordedBreakKind, RecordedEnd, ShownBy, length};
use crate::import::evidence::{Certainty, Evidence, Role, is_schedule};
use crate::import::recording::{Exchange, RecordedOutcome};
use crate::place::Place;
use crate::time::{Span, Time};
use crate::vast::names::Named;
use crate::vast::vmap::{AdSourceKind, TimeOffset};

/// The longest pause between a tag that gave nothing, or the end of an ad, and the next tag of the same break.
const PAUSE: Span = Span::from_millis(1_500);
/// The longest wait for a tag of which nothing came.
const LONGEST_WAIT: Span = Span::from_secs(30);
/// ContentLength that is asked for this long after a break was over shows that the break was not the last thing.
const AFTER: Span = Span::from_millis(300);

/// Content that played for so much less than its length may have been at its end: what is known are requests, not pictures.
const AT_END: Span = Span::from_millis(500);

/// Finds the breaks of a recording, and what was on the screen in each.
pub(super) fn find(evidence: &Evidence) -> Vec<Planned> {
    let mut by_root: BTreeMap<usize, Vec<AdVerdict>> = BTreeMap::new();
    for ad in ads(evidence) {
        by_root.entry(evidence.documents[ad.document].root).or_default().push(ad);
    }
    let over = over(evidence);
    let tags = (0..evidence.documents.len()).filter(|document| evidence.documents[*document].by.is_none());
    let mut breaks: Vec<Planned> = Vec::new();
    // How much of the content was played before the last break.
    let mut played = Span::ZERO;
    for tag in tags {
        let at = evidence.exchange(tag).at();
        let place = match breaks.last() {
            None => Next::Break(None),
            Some(last) => next(evidence, last, &over, at),
        };
        match (place, breaks.last_mut()) {
            (Next::Tag, Some(last)) if !last.pods.is_empty() => {
                last.pods.last_mut().into_iter().for_each(|tags| tags.push(tag));
            }
            (Next::Pod, Some(last)) => last.pods.push(vec![tag]),
            (Next::Break(over), _) => {
                let cue = over.map(|over| {
                    played += at - over;
                    played
                });
                breaks.push(Planned { cue, pods: vec![vec![tag]], ads: Vec::new() });
            }
            (Next::Tag, _) | (Next::Pod, None) => {}
        }
        if let (Some(last), Some(ads)) = (breaks.last_mut(), by_root.remove(&tag)) {
            let is_next = last.ads.last().is_none_or(|last| ads.iter().all(|ad| ad.start >= last.start));
            last.ads.extend(ads);
            if !is_next {
                last.ads.sort_by_key(|ad| ad.start);
            }
        }
    }
    breaks
}

/// What a tag is that follows on others.
enum Next {
    /// The next tag of the same waterfall.
    Tag,
    /// The first of the next pod.
    Pod,
    /// The first of the next break; with the time at which the one before was over.
    Break(Option<Time>),
}

fn next(evidence: &Evidence, last: &Planned, over: &[Time], at: Time) -> Next {
    let tag = last.pods.last().and_then(|tags| tags.last()).copied().unwrap_or_default();
    let shown = last.ads.iter().rfind(|ad| ad.start <= at);
    let is_of_the_tag = |ad: &&AdVerdict| evidence.documents[ad.document].root == tag;
    if let Some(ad) = shown.filter(is_of_the_tag) {
        let over = match &ad.end {
            Some((_, RecordedEnd::Error)) => return Next::Tag,
            Some((end, _)) => *end,
            // Without a pixel at its end, an ad lasts as long as it says.
            None => ad.start + ad.documented.unwrap_or_default(),
        };
        return if at - over <= PAUSE { Next::Pod } else { Next::Break(Some(over)) };
    }
    let over = over[tag];
    // Some tools leave out requests without an answer: between two tags there may have been another.
    let leaves_out = evidence.recording.tool.starts_with("chrome-har");
    let is_open = leaves_out
        || matches!(evidence.answer(tag).outcome, RecordedOutcome::Failed(_) | RecordedOutcome::Unknown);
    let pause = if is_open { LONGEST_WAIT } else { PAUSE };
    let is_plan = evidence.documents[tag].read.as_ref().is_some_and(is_schedule);
    if at - over <= pause && !is_plan { Next::Tag } else { Next::Break(Some(over)) }
}

/// Returns for each tag when everything that was requested for it was over.
fn over(evidence: &Evidence) -> Vec<Time> {
    let mut over = vec![Time::ZERO; evidence.documents.len()];
    for (finding, it) in evidence.each() {
        let (document, end) = match finding.role {
            Role::Document(document) => (document, it.over().max(evidence.answer(document).over())),
            Role::Media(name) | Role::Interactive(name) => (evidence.names.all[name].document, it.over()),
            Role::Redirected(_)
            | Role::Verification(_)
            | Role::Pixel(_)
            | Role::Film
            | Role::Called(_)
            | Role::Content
            | Role::Ignored
            | Role::Other => continue,
        };
        let root = evidence.documents[document].root;
        over[root] = over[root].max(end);
    }
    over
}

/// Returns the ads that were on the screen, by their pixels, in order. An ad without pixels of its own counts from the
/// request for its media.
fn ads(evidence: &Evidence) -> Vec<AdVerdict> {
    if evidence.is_bodiless() {
        return inferred(evidence);
    }
    let mut ads: Vec<AdVerdict> = Vec::new();
    let mut known: BTreeMap<(usize, Place), usize> = BTreeMap::new();
    let mut begun: BTreeSet<(usize, &str)> = BTreeSet::new();
    for (index, name, event) in evidence.pixels() {
        let it = &evidence.recording.exchanges[index];
        let (Some(at), true) = (name.ad, name.is_inline) else { continue };
        let found = known.get(&(name.document, at)).copied();
        if let Some(by) = ShownBy::of(event) {
            // The same pixel again: the ad is shown again.
            let is_again =
                found.is_some_and(|index| ads[index].end.is_some() && begun.contains(&(index, event)));
            let index = found.filter(|_| !is_again).unwrap_or_else(|| {
                ads.push(ad(evidence, name.document, at, it, by));
                known.insert((name.document, at), ads.len() - 1);
                ads.len() - 1
            });
            begun.insert((index, event));
        } else if let (Some(end), Some(index)) = (RecordedEnd::of(event), found) {
            ads[index].end.get_or_insert((it.at(), end));
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
    let tracked: BTreeSet<(usize, Place)> =
        pixels.filter_map(|name| Some((name.document, name.ad?))).collect();
    let mut known: BTreeSet<(usize, Place)> = seen.keys().copied().collect();
    let mut ads: Vec<AdVerdict> = Vec::new();
    let is_answered = |it: &Exchange| it.status().is_some_and(|status| (200..300).contains(&status));
    for (finding, it) in evidence.each() {
        let Role::Media(index) = finding.role else { continue };
        let name = &evidence.names.all[index];
        let Some(at) = name.ad.filter(|_| is_answered(it)) else { continue };
        let key = (name.document, at);
        if !tracked.contains(&key) && known.insert(key) {
            ads.push(ad(evidence, name.document, at, it, ShownBy::Media));
        }
    }
    ads
}

/// Returns the ads of a recording without bodies: from a film or a pixel of its start on.
fn inferred(evidence: &Evidence) -> Vec<AdVerdict> {
    let mut ads: Vec<AdVerdict> = Vec::new();
    // Whether the last one has begun, as a pixel shows.
    let mut has_begun = false;
    let mut starts: BTreeSet<&str> = BTreeSet::new();
    for (finding, it) in evidence.each() {
        let answered = |document: &crate::import::evidence::AdDocument| {
            evidence.recording.exchanges[document.answer].over() <= it.at()
        };
        let document = evidence.documents.partition_point(answered).saturating_sub(1);
        match finding.role {
            Role::Film => {
                ads.push(ad(evidence, document, Place::default(), it, ShownBy::Media));
                (has_begun, starts) = (false, BTreeSet::new());
            }
            Role::Called(event) => match (ShownBy::of(event), RecordedEnd::of(event)) {
                (Some(by), _) => {
                    if ads.is_empty()
                        || !starts.insert(event) && ads.last().is_some_and(|ad| ad.end.is_some())
                    {
                        ads.push(ad(evidence, document, Place::default(), it, by));
                        starts = BTreeSet::from([event]);
                    }
                    if let (false, Some(last)) = (has_begun, ads.last_mut()) {
                        (last.start, last.shown_by) = (it.at(), (it.number, by));
                        has_begun = true;
                    }
                }
                (None, Some(end @ (RecordedEnd::Complete | RecordedEnd::Skip))) => {
                    ads.last_mut().into_iter().for_each(|ad| {
                        ad.end.get_or_insert((it.at(), end));
                    });
                }
                (None, Some(RecordedEnd::CloseLinear | RecordedEnd::Close | RecordedEnd::Error) | None) => {}
            },
            Role::Document(_)
            | Role::Redirected(_)
            | Role::Media(_)
            | Role::Interactive(_)
            | Role::Verification(_)
            | Role::Pixel(_)
            | Role::Content
            | Role::Ignored
            | Role::Other => {}
        }
    }
    ads
}

/// When the content was asked for, in order.
struct Contents {
    all: Vec<Time>,
    /// When each address was first asked for.
    firsts: Vec<Time>,
}

impl Contents {
    fn of(evidence: &Evidence) -> Contents {
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut contents = Contents { all: Vec::new(), firsts: Vec::new() };
        for (_, it) in evidence.each().filter(|(finding, _)| finding.role == Role::Content) {
            contents.all.push(it.at());
            if known.insert(crate::import::evidence::bare(&it.url)) {
                contents.firsts.push(it.at());
            }
        }
        contents
    }
}

/// Judges the breaks that were found; those of a schedule are breaks of their own.
pub(super) fn judge(evidence: &Evidence, plan: &[Planned], waits: &Waits<'_>) -> Vec<BreakVerdict> {
    let contents = Contents::of(evidence);
    let mut breaks = Vec::new();
    for (index, it) in plan.iter().enumerate() {
        let root = it.pods.first().and_then(|tags| tags.first()).copied().unwrap_or_default();
        let is_plan = evidence.documents[root].read.as_ref().is_some_and(is_schedule);
        let tags = it.pods.iter().enumerate().flat_map(|(pod, tags)| tags.iter().map(move |tag| (pod, *tag)));
        let tags: Vec<_> =
            tags.enumerate().map(|(number, (pod, tag))| waits.judge(tag, number + 1, pod + 1)).collect();
        let (kinds, certainty) = if is_plan {
            (vec![RecordedBreakKind::Schedule], Certainty::Seen)
        } else {
            kinds(evidence, &contents, plan, index)
        };
        let ads = if is_plan { Vec::new() } else { it.ads.clone() };
        breaks.push(BreakVerdict { kinds, certainty, begin: it.begin(evidence), cue: it.cue, tags, ads });
        if is_plan {
            breaks.extend(scheduled(evidence, root, it, waits));
        }
    }
    breaks
}

/// Returns the breaks of a schedule of which a tag was asked or an ad was shown.
fn scheduled(evidence: &Evidence, root: usize, plan: &Planned, waits: &Waits<'_>) -> Vec<BreakVerdict> {
    let Some(read) = &evidence.documents[root].read else { return Vec::new() };
    let mut breaks: Vec<BreakVerdict> = Vec::new();
    for (index, it) in read.breaks.iter().enumerate() {
        let kind = match it.time_offset {
            Some(TimeOffset::Start) => RecordedBreakKind::PreRoll,
            Some(TimeOffset::End) => RecordedBreakKind::PostRoll,
            Some(TimeOffset::At(Span::ZERO)) => RecordedBreakKind::PreRoll,
            Some(_) | None => RecordedBreakKind::MidRoll,
        };
        let is_of = |document: usize| {
            let by = evidence.documents[document].by.map(|by| &evidence.names.all[by]);
            by.is_some_and(|name| name.document == root && name.what == Named::BreakTag(index))
        };
        let tags: Vec<usize> = (root..evidence.documents.len()).filter(|document| is_of(*document)).collect();
        let inside = it.source.as_ref().and_then(|source| match &source.kind {
            AdSourceKind::Vast(document) | AdSourceKind::Custom { document: Some(document), .. } => {
                Some(document)
            }
            AdSourceKind::Tag { .. } | AdSourceKind::Custom { document: None, .. } | AdSourceKind::Empty => {
                None
            }
        });
        let ads: Vec<AdVerdict> = plan
            .ads
            .iter()
            .filter(|ad| {
                tags.contains(&evidence.tag_of(ad.document))
                    || (evidence.tag_of(ad.document) == root
                        && inside.is_some_and(|inside| inside.ads.iter().any(|one| one.at == ad.at)))
            })
            .cloned()
            .collect();
        let begin = tags.first().map(|tag| evidence.exchange(*tag).at()).or(ads.first().map(|ad| ad.start));
        let Some(begin) = begin else { continue };
        let cue = if let Some(TimeOffset::At(cue)) = it.time_offset { Some(cue) } else { None };
        let tags = tags.iter().enumerate().map(|(number, tag)| waits.judge(*tag, number + 1, 1)).collect();
        breaks.push(BreakVerdict { kinds: vec![kind], certainty: Certainty::Seen, begin, cue, tags, ads });
    }
    breaks.sort_by_key(|it| it.begin);
    breaks
}

/// Returns what a break can be: what was played before and after it decides.
fn kinds(
    evidence: &Evidence,
    contents: &Contents,
    plan: &[Planned],
    index: usize,
) -> (Vec<RecordedBreakKind>, Certainty) {
    if index == 0 {
        return (vec![RecordedBreakKind::PreRoll], Certainty::Inferred);
    }
    let it = &plan[index];
    let begin = it.begin(evidence);
    let end =
        it.ads.iter().map(|ad| ad.end.as_ref().map_or(ad.start, |(end, _)| *end)).max().unwrap_or(begin);
    let last = plan.get(index + 1).map_or(Time::MAX, |next| next.begin(evidence));
    let first = |from: Time| contents.firsts.partition_point(|at| *at < from);
    // Segments of a stream have other addresses all the time.
    let is_stream = first(begin) > 3;
    let is_other = contents.firsts.get(first(begin)).is_some_and(|at| *at < last);
    let later = contents.all.partition_point(|at| *at <= end + AFTER);
    let goes_on = contents.all.get(later).is_some_and(|at| *at < last) || plan.len() > index + 1;
    match (is_other && !is_stream, goes_on) {
        (true, _) => (vec![RecordedBreakKind::NextPreRoll, RecordedBreakKind::MidRoll], Certainty::Inferred),
        (false, true) => {
            (vec![RecordedBreakKind::MidRoll, RecordedBreakKind::NextPreRoll], Certainty::Inferred)
        }
        (false, false) => match length::of_file(evidence).zip(it.cue) {
            Some((length, cue)) if cue + AT_END >= length => {
                (vec![RecordedBreakKind::PostRoll], Certainty::Inferred)
            }
            Some(_) => (vec![RecordedBreakKind::MidRoll, RecordedBreakKind::PostRoll], Certainty::Inferred),
            None => (vec![RecordedBreakKind::PostRoll, RecordedBreakKind::MidRoll], Certainty::Unknown),
        },
    }
}
