//! Which tags belong to one ad break, and which ads were on the screen.
//!
//! A recording has no breaks, only requests. A tag that follows at once on one that gave nothing is the next of its
//! waterfall; one that follows on the end of an ad is the next pod of its break; anything later is a break of its own.

use super::{Role, Session};
use crate::import::recording::{Exchange, Outcome};
use crate::place::Place;
use crate::time::{Span, Time};
use crate::vast::names::Named;
use crate::vast::{Ad, CreativeKind, Root};
use crate::words::seconds;

/// The longest pause between a tag that gave nothing, or the end of an ad, and the next tag of the same break.
const PAUSE: Span = Span::from_millis(1_500);
/// The longest wait for a tag of which nothing came.
const LONGEST_WAIT: Span = Span::from_secs(30);

/// An ad break, with what a recording shows of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedBreak {
    /// How much of the content was played before it; `None` for a pre-roll.
    pub cue: Option<Span>,
    /// Its waterfalls: for each pod, its tags in the order in which they were requested.
    pub pods: Vec<Vec<RecordedTag>>,
    /// The ads that were on the screen, in order.
    pub ads: Vec<RecordedAd>,
}

/// An ad tag that was requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedTag {
    /// The index of its document in the session.
    pub document: usize,
}

/// An ad that was on the screen, as its pixels show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedAd {
    /// The index of the document that has it.
    pub document: usize,
    /// Its place in the document.
    pub at: Place,
    /// When it began.
    pub start: Time,
    /// When it ended, and how: `complete`, `skip`, `error`, `closeLinear`.
    pub end: Option<(Time, String)>,
}

impl RecordedBreak {
    /// Returns when its first tag was requested.
    #[must_use]
    pub fn begin(&self, session: &Session) -> Time {
        let first = self.pods.first().and_then(|tags| tags.first());
        first.map_or(Time::ZERO, |tag| session.exchange(tag.document).at())
    }
}

/// Finds the breaks of a session, and what was on the screen in each.
pub(super) fn find(session: &mut Session) {
    let mut ads = ads(session);
    let tags: Vec<usize> =
        (0..session.documents.len()).filter(|document| session.documents[*document].by.is_none()).collect();
    let mut breaks: Vec<RecordedBreak> = Vec::new();
    // How much of the content was played before the last break, and when that break was over.
    let mut played = Span::ZERO;
    for tag in tags {
        let at = session.exchange(tag).at();
        let place = match breaks.last() {
            None => Next::Break(None),
            Some(last) => next(session, last, &ads, at),
        };
        let tag = RecordedTag { document: tag };
        match (place, breaks.last_mut()) {
            (Next::Tag, Some(RecordedBreak { pods, .. })) if !pods.is_empty() => {
                pods.last_mut().into_iter().for_each(|tags| tags.push(tag));
            }
            (Next::Pod, Some(last)) => last.pods.push(vec![tag]),
            (Next::Break(over), _) => {
                let cue = over.map(|over| {
                    played += at - over;
                    played
                });
                breaks.push(RecordedBreak { cue, pods: vec![vec![tag]], ads: Vec::new() });
            }
            (Next::Tag, _) | (Next::Pod, None) => {}
        }
    }
    for it in &mut breaks {
        let documents: Vec<usize> = it.pods.iter().flatten().map(|tag| tag.document).collect();
        let is_of = |ad: &RecordedAd| documents.contains(&root(session, ad.document));
        let (mine, rest) = ads.into_iter().partition(is_of);
        ads = rest;
        it.ads = mine;
    }
    let later =
        breaks.iter().skip(1).filter_map(|it| it.cue).map(|cue| format!("{} s", seconds(cue.micros())));
    let later: Vec<String> = later.collect();
    if !later.is_empty() {
        session.notes.push(format!(
            "a recording does not tell mid-rolls from post-rolls: tags that follow later are played as mid-rolls at {}",
            later.join(", ")
        ));
    }
    session.breaks = breaks;
}

/// Returns the tag whose answer led to a document, through wrappers and schedules.
fn root(session: &Session, mut document: usize) -> usize {
    while let Some(by) = session.documents[document].by {
        document = session.names.all[by].document;
    }
    document
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

fn next(session: &Session, last: &RecordedBreak, ads: &[RecordedAd], at: Time) -> Next {
    let documents: Vec<usize> = last.pods.iter().flatten().map(|tag| tag.document).collect();
    let tag = last.pods.last().and_then(|tags| tags.last()).map_or(0, |tag| tag.document);
    let shown = ads.iter().rfind(|ad| ad.start <= at && documents.contains(&root(session, ad.document)));
    let is_of_the_tag = |ad: &&RecordedAd| root(session, ad.document) == tag;
    if let Some(ad) = shown.filter(is_of_the_tag) {
        let over = match &ad.end {
            Some((_, how)) if how == "error" => return Next::Tag,
            Some((end, _)) => *end,
            // Without a pixel at its end, an ad lasts as long as it says.
            None => ad.start + length(session, ad).unwrap_or_default(),
        };
        return if at - over <= PAUSE { Next::Pod } else { Next::Break(Some(over)) };
    }
    let over = over(session, tag);
    // Some tools leave out requests without an answer: between two tags there may have been another.
    let leaves_out = session.recording.tool.starts_with("chrome-har");
    let is_open = leaves_out || matches!(session.answer(tag).outcome, Outcome::Failed(_) | Outcome::Unknown);
    let pause = if is_open { LONGEST_WAIT } else { PAUSE };
    let is_schedule = session.documents[tag]
        .read
        .as_ref()
        .is_some_and(|read| read.root == Root::Vmap && read.fault.is_none() && !read.breaks.is_empty());
    if at - over <= pause && !is_schedule { Next::Tag } else { Next::Break(Some(over)) }
}

/// Returns when everything that was requested for a tag was over.
fn over(session: &Session, tag: usize) -> Time {
    let of_tag = |document: usize| root(session, document) == tag;
    let ends = session.roles.iter().zip(&session.recording.exchanges).filter_map(|(role, it)| match role {
        Role::Document(document) => {
            of_tag(*document).then(|| it.over().max(session.answer(*document).over()))
        }
        Role::Media(name) | Role::Interactive(name) => {
            of_tag(session.names.all[*name].document).then(|| it.over())
        }
        Role::Redirected(_)
        | Role::Verification(_)
        | Role::Pixel(_)
        | Role::Content
        | Role::Ignored
        | Role::Other => None,
    });
    ends.max().unwrap_or_default()
}

fn length(session: &Session, ad: &RecordedAd) -> Option<Span> {
    let read = session.documents[ad.document].read.as_ref()?;
    let inner = read.embedded().flat_map(|inner| &inner.ads);
    let found: &Ad = read.ads.iter().chain(inner).find(|it| it.at == ad.at)?;
    found.creatives.iter().find_map(|creative| match &creative.kind {
        CreativeKind::Linear(linear) => linear.duration,
        CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
    })
}

/// Returns the ads that were on the screen, by their pixels, in order. An ad without pixels of its own counts from the
/// request for its media.
fn ads(session: &Session) -> Vec<RecordedAd> {
    const STARTS: &[&str] = &["impression", "start", "creativeView"];
    const ENDS: &[&str] = &["complete", "skip", "closeLinear", "close", "error"];
    let mut ads: Vec<RecordedAd> = Vec::new();
    let mut begun: Vec<(usize, &str)> = Vec::new();
    for (it, name, event) in session.pixels() {
        let (Some(at), true) = (name.ad, name.is_inline) else { continue };
        let same = |ad: &RecordedAd| (ad.document, ad.at) == (name.document, at);
        let known = ads.iter().rposition(same);
        if STARTS.contains(&event) {
            // The same pixel again: the ad is shown again.
            let is_again =
                known.is_some_and(|index| ads[index].end.is_some() && begun.contains(&(index, event)));
            let index = known.filter(|_| !is_again).unwrap_or_else(|| {
                ads.push(RecordedAd { document: name.document, at, start: it.at(), end: None });
                ads.len() - 1
            });
            begun.push((index, event));
        } else if let (true, Some(index)) = (ENDS.contains(&event), known) {
            ads[index].end.get_or_insert((it.at(), event.to_owned()));
        }
    }
    ads.extend(silent(session, &ads));
    ads.sort_by_key(|ad| ad.start);
    ads
}

/// Returns the ads whose media were requested and answered, but of which no pixel is recorded.
fn silent(session: &Session, seen: &[RecordedAd]) -> Vec<RecordedAd> {
    let mut ads: Vec<RecordedAd> = Vec::new();
    let is_answered = |it: &Exchange| it.status().is_some_and(|status| (200..300).contains(&status));
    for (role, it) in session.roles.iter().zip(&session.recording.exchanges) {
        let Role::Media(index) = *role else { continue };
        let name = &session.names.all[index];
        let Some(at) = name.ad.filter(|_| is_answered(it)) else { continue };
        let has_trackers = session.names.all.iter().any(|other| {
            (other.document, other.ad) == (name.document, Some(at)) && matches!(other.what, Named::Pixel(_))
        });
        let is_known = seen.iter().chain(&ads).any(|ad| (ad.document, ad.at) == (name.document, at));
        if !has_trackers && !is_known {
            ads.push(RecordedAd { document: name.document, at, start: it.at(), end: None });
        }
    }
    ads
}
