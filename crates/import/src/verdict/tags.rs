//! The outcome of each tag.

use std::collections::{BTreeMap, BTreeSet};

use super::refused::Missing;
use super::{AdVerdict, Hop, NotShown, Planned, TagFailure, TagResult, TagVerdict, pixels};
use crate::evidence::{Certainty, Evidence, Ground, RecordedAnswer, is_schedule};
use crate::recording::{Body, Exchange, RecordedOutcome};
use playsim_base::time::{Span, Time};
use playsim_vast::names::Named;
use playsim_vast::{AdKind, TrackingEvent};

/// Tags that are asked within this time of each other, before the first of them is answered, are
/// asked at once. A player that gives up waits longer.
const AT_ONCE: Span = Span::from_millis(200);
/// A page that ends a request sooner has another reason than a limit.
const SHORTEST_LIMIT: Span = Span::from_millis(200);
/// A page waited at least this long for an answer if the recording does not say that it gave up.
const UNSAID_LIMIT: Span = Span::from_millis(900);
/// How much later than it is due a page notices the end of a request, and asks the next tag.
const NOTICED: Span = Span::from_millis(25);

/// The context of each tag.
pub(super) struct Waits<'e> {
    evidence: &'e Evidence,
    /// When the next tag of the same waterfall was asked.
    next: BTreeMap<usize, Time>,
    /// The tags that were asked at once with others.
    together: BTreeMap<usize, bool>,
    /// The ads that were shown of each tag.
    ads: BTreeMap<usize, Vec<AdVerdict>>,
    documents: BTreeMap<usize, Vec<usize>>,
    codes: BTreeMap<usize, Vec<u16>>,
    /// The ads that were not shown, and why.
    gone: &'e Missing,
    /// The last tags of waterfalls without which the page continued with the content: that is what
    /// `next` has.
    left: BTreeSet<usize>,
    /// The positions of requests for what several documents name.
    shared: BTreeSet<usize>,
    /// How much later than it says something may have been.
    slack: Span,
    end: Time,
}

impl<'e> Waits<'e> {
    pub(super) fn of(evidence: &'e Evidence, plan: &[Planned], gone: &'e Missing) -> Waits<'e> {
        let mut waits = Waits {
            evidence,
            next: BTreeMap::new(),
            together: BTreeMap::new(),
            ads: BTreeMap::new(),
            documents: BTreeMap::new(),
            codes: BTreeMap::new(),
            gone,
            left: BTreeSet::new(),
            shared: evidence
                .each()
                .filter(|(finding, _)| matches!(finding.ground, Ground::NamedBySeveral { .. }))
                .map(|(_, it)| it.number)
                .collect(),
            slack: evidence.recording.clock.slack(),
            end: evidence.end(),
        };
        for tags in plan.iter().flat_map(|it| &it.pods) {
            waits.follow(tags);
        }
        for ad in plan.iter().flat_map(|it| &it.ads) {
            waits
                .ads
                .entry(evidence.tag_of(ad.document))
                .or_default()
                .push(ad.clone());
        }
        for document in 0..evidence.documents.len() {
            waits
                .documents
                .entry(evidence.tag_of(document))
                .or_default()
                .push(document);
        }
        waits.leave(plan);
        for (index, name, _) in evidence
            .pixels()
            .filter(|(_, _, event)| **event == TrackingEvent::Error)
        {
            let it = &evidence.recording.exchanges[index];
            let code = pixels::error_code(&name.written, &it.url);
            waits
                .codes
                .entry(evidence.tag_of(name.document))
                .or_default()
                .extend(code);
        }
        waits
    }

    /// Notes which tag of a waterfall follows which, and which were asked at once.
    fn follow(&mut self, tags: &[usize]) {
        let evidence = self.evidence;
        let asked = |tag: usize| evidence.exchange(tag).at();
        // Groups of tags that were asked at once.
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for tag in tags {
            let is_same = groups
                .last()
                .and_then(|group| group.last())
                .is_some_and(|last| {
                    let wait = asked(*tag) - asked(*last);
                    let over = evidence.answer(*last).over();
                    let left = over - asked(*tag);
                    // Tools count some milliseconds too many: a wait that was nearly over may have
                    // been over.
                    wait < AT_ONCE && left > Span::from_millis(5).max(self.slack) && left > wait
                });
            match groups.last_mut() {
                Some(group) if is_same => group.push(*tag),
                Some(_) | None => groups.push(vec![*tag]),
            }
        }
        for (index, group) in groups.iter().enumerate() {
            for tag in group {
                if let Some(next) = groups.get(index + 1).and_then(|group| group.first()) {
                    self.next.insert(*tag, asked(*next));
                }
                self.together.insert(*tag, group.len() > 1);
            }
        }
    }

    /// Notes when the page continued with the content without waiting for the last tag of a
    /// pre-roll: the content was first asked for while the tag was open, later than a page would
    /// load it ahead.
    fn leave(&mut self, plan: &[Planned]) {
        let evidence = self.evidence;
        let Some(content) = evidence.contents().map(|(it, _)| it.at()).min() else {
            return;
        };
        for tag in plan
            .iter()
            .flat_map(|it| &it.pods)
            .filter_map(|tags| tags.last())
        {
            let is_open = matches!(evidence.answer(*tag).outcome, RecordedOutcome::Unknown);
            let came = if is_open { Time::MAX } else { self.came(*tag) };
            let is_alone = self.together.get(tag) == Some(&false) && !self.next.contains_key(tag);
            if is_alone
                && content >= evidence.exchange(*tag).at() + UNSAID_LIMIT
                && content + NOTICED + self.slack < came
            {
                self.next.insert(*tag, content);
                self.left.insert(*tag);
            }
        }
    }

    /// Returns when every document in the chain of a tag had arrived.
    fn came(&self, tag: usize) -> Time {
        let documents = self
            .documents
            .get(&tag)
            .map(Vec::as_slice)
            .unwrap_or_default();
        documents
            .iter()
            .map(|it| self.evidence.answer(*it).over())
            .max()
            .unwrap_or_default()
    }

    /// Judges a tag, by the index of its document.
    pub(super) fn judge(&self, tag: usize, number: usize, pod: usize) -> TagVerdict {
        let evidence = self.evidence;
        let (request, answer) = (evidence.exchange(tag), evidence.answer(tag));
        let ads = self.ads.get(&tag).map(Vec::as_slice).unwrap_or_default();
        let shown = ads
            .iter()
            .map(|ad| ad.start)
            .find(|start| *start >= request.at());
        let next = self.next.get(&tag).copied();
        let until = match (shown, next) {
            (Some(shown), Some(next)) => Some(shown.min(next)),
            (shown, next) => shown.or(next),
        };
        let is_answered = matches!(
            answer.outcome,
            RecordedOutcome::Response(_) | RecordedOutcome::BrokeOff(_)
        );
        let took = (is_answered && answer.time.is_some()).then(|| answer.over() - request.at());
        let (outcome, certainty) = self.outcome(tag, ads, next);
        let found = evidence.finding(tag).certainty;
        TagVerdict {
            number,
            pod,
            document: tag,
            entry: request.number,
            url: request.url.clone(),
            asked: request.at(),
            took,
            waited: until.map(|until| until - request.at()),
            together: self.together.get(&tag).copied().unwrap_or_default(),
            status: answer.status(),
            answer: evidence.answered(tag),
            outcome,
            certainty: certainty.max(found),
            codes: self.codes.get(&tag).cloned().unwrap_or_default(),
            hops: self.hops(tag),
        }
    }

    fn outcome(&self, tag: usize, ads: &[AdVerdict], next: Option<Time>) -> (TagResult, Certainty) {
        let evidence = self.evidence;
        let together = self.together.get(&tag).copied().unwrap_or_default();
        let documents = self
            .documents
            .get(&tag)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let came = self.came(tag);
        let late = next
            .filter(|next| !together && *next + NOTICED + self.slack < came)
            .map(|next| came - next);
        if let Some(read) = evidence.documents[tag]
            .read
            .as_ref()
            .filter(|read| is_schedule(read))
        {
            return (
                TagResult::Scheduled {
                    breaks: read.breaks.len(),
                },
                Certainty::Seen,
            );
        }
        if evidence.tied.contains(&tag) {
            let why =
                "tags that were asked at once answered with the same pixels and film; which of them filled \
                       cannot be told"
                    .to_owned();
            return (TagResult::Unknown { why }, Certainty::Unknown);
        }
        if let Some(ad) = ads.first() {
            let (entry, by) = ad.shown_by;
            let certainty = if self.shared.contains(&entry) {
                Certainty::Inferred
            } else {
                Certainty::Seen
            };
            return match late {
                Some(_) if ad.start > came && self.left.contains(&tag) => {
                    (TagResult::ShownLate { entry }, Certainty::Inferred)
                }
                Some(_) if ad.start > came => (TagResult::ShownLate { entry }, certainty),
                Some(_) | None => (TagResult::Filled { entry, by }, certainty),
            };
        }
        // The page's own word says more than what it did next, unless it had gone on before.
        let is_after =
            |cause: &&TagFailure| late.is_some() && matches!(cause, TagFailure::Reported { .. });
        if let Some(cause) = self.gone.first(tag).filter(|cause| !is_after(cause)) {
            let cause = cause.clone();
            return (TagResult::Failed { cause }, Certainty::Seen);
        }
        let has_ad = |document: &&usize| {
            let read = evidence.documents[**document].read.as_ref();
            let is_sound = evidence
                .answer(**document)
                .status()
                .is_some_and(|status| status < 400);
            is_sound && read.is_some_and(|read| read.ads.iter().any(|ad| ad.kind == AdKind::Inline))
        };
        if documents.iter().any(|document| has_ad(&document)) {
            return self.not_shown(late, together, came);
        }
        let (last, hop) = documents
            .last()
            .map_or((tag, 0), |last| (*last, evidence.hop(*last)));
        self.without_ad(tag, last, hop, next)
    }

    /// Judges a tag that had an ad of which nothing was seen on the screen.
    fn not_shown(&self, late: Option<Span>, together: bool, came: Time) -> (TagResult, Certainty) {
        // Bodies that the recording no longer has cannot show it.
        let is_cut = self.end - came < Span::from_millis(500);
        let (why, certainty) = match late {
            Some(by) => (NotShown::TooLate { by }, Certainty::Inferred),
            None if together => (NotShown::OtherWasShown, Certainty::Inferred),
            None => (NotShown::Unknown, Certainty::Inferred),
        };
        if is_cut && late.is_none() {
            let why = "the recording ends when its ad came".to_owned();
            return (TagResult::Unknown { why }, Certainty::Unknown);
        }
        (TagResult::AnsweredNotShown { why }, certainty)
    }

    /// Judges a tag by the last document on its chain, which has no ad.
    fn without_ad(
        &self,
        tag: usize,
        last: usize,
        hop: u32,
        next: Option<Time>,
    ) -> (TagResult, Certainty) {
        let evidence = self.evidence;
        let answer = evidence.answer(last);
        let behind = if hop == 0 {
            String::new()
        } else {
            format!(" behind {hop} wrapper{}", if hop == 1 { "" } else { "s" })
        };
        let answered = evidence.answered(last);
        match (&answer.outcome, answered) {
            // Some tools keep an answer that the browser kept from the page.
            // Its header fields say so, not the browser.
            (RecordedOutcome::Failed(_), RecordedAnswer::Document { .. }) => {
                (self.unanswered(tag, answer, next).0, Certainty::Inferred)
            }
            (RecordedOutcome::Failed(_) | RecordedOutcome::Unknown, _) => {
                self.unanswered(tag, answer, next)
            }
            (RecordedOutcome::Response(status), _) if *status >= 400 => (
                TagResult::Failed {
                    cause: TagFailure::Status {
                        status: *status,
                        hop,
                    },
                },
                Certainty::Seen,
            ),
            (
                _,
                RecordedAnswer::Document {
                    damage: Some(damage),
                },
            ) => (
                TagResult::Failed {
                    cause: TagFailure::Document { damage },
                },
                Certainty::Seen,
            ),
            (_, RecordedAnswer::Document { damage: None }) if self.names_more(last) => {
                let said = self.codes.get(&tag).and_then(|codes| codes.first());
                if let Some(code) = said {
                    let cause = TagFailure::Reported { code: *code };
                    return (TagResult::Failed { cause }, Certainty::Seen);
                }
                let why = "the recording does not have what its wrapper names".to_owned();
                (TagResult::Unknown { why }, Certainty::Unknown)
            }
            (_, RecordedAnswer::Document { damage: None }) => {
                let how = format!("VAST without an ad{behind}");
                (TagResult::NoAd { how }, Certainty::Seen)
            }
            (RecordedOutcome::Response(status), RecordedAnswer::Empty) => (
                TagResult::NoAd {
                    how: format!("status {status} without a body{behind}"),
                },
                Certainty::Seen,
            ),
            (_, RecordedAnswer::Missing) => {
                let why = if matches!(answer.body, Body::Cut(_)) {
                    "the tool cut the body of its answer"
                } else {
                    "the recording does not have the body of its answer"
                };
                let why = why.to_owned();
                (TagResult::Unknown { why }, Certainty::Unknown)
            }
            (RecordedOutcome::BrokeOff(words), RecordedAnswer::Empty | RecordedAnswer::None) => {
                let words = words
                    .clone()
                    .unwrap_or_else(|| "the answer broke off".to_owned());
                (
                    TagResult::Failed {
                        cause: network(evidence, answer, words),
                    },
                    Certainty::Seen,
                )
            }
            (RecordedOutcome::Redirect(..), _) => {
                let why = "the recording does not have what it was redirected to".to_owned();
                (TagResult::Unknown { why }, Certainty::Unknown)
            }
            (_, answer) => (
                TagResult::Failed {
                    cause: TagFailure::NotVast { answer },
                },
                Certainty::Seen,
            ),
        }
    }

    /// Returns whether a document is a wrapper.
    fn names_more(&self, document: usize) -> bool {
        let names = &self.evidence.names.all;
        names
            .iter()
            .any(|name| name.document == document && name.what == Named::Hop)
    }

    /// Judges a tag without an answer: the page gave up, or the connection failed.
    fn unanswered(
        &self,
        tag: usize,
        answer: &Exchange,
        next: Option<Time>,
    ) -> (TagResult, Certainty) {
        let asked = self.evidence.exchange(tag).at();
        let waited = next.map(|next| next - asked);
        let took = answer
            .time
            .map(|_| answer.over() - asked)
            .filter(|took| *took >= SHORTEST_LIMIT);
        let words = answer.outcome.words().unwrap_or_default();
        let is_ended = answer.outcome.is_ended_by_page();
        if !words.is_empty() && !is_ended {
            let cause = network(self.evidence, answer, words.to_owned());
            return (TagResult::Failed { cause }, Certainty::Seen);
        }
        let shortest = if is_ended {
            SHORTEST_LIMIT
        } else {
            UNSAID_LIMIT
        };
        let waited = waited.filter(|waited| *waited >= shortest);
        let near = |a: Span, b: Span| (a - b).max(b - a) <= Span::from_millis(100);
        match (took.filter(|_| is_ended), waited) {
            (Some(took), Some(waited)) if near(took, waited) => (
                TagResult::GivenUp {
                    between: (took.min(waited), took.max(waited)),
                },
                Certainty::Seen,
            ),
            (Some(took), None) => (
                TagResult::GivenUp {
                    between: (took - NOTICED, took),
                },
                Certainty::Seen,
            ),
            (_, Some(waited)) => (
                TagResult::GivenUp {
                    between: (waited - NOTICED, waited),
                },
                Certainty::Inferred,
            ),
            (None, None) if is_ended || next.is_some() => {
                let unsaid = "the tool does not say why".to_owned();
                let (words, meaning, certainty) = if words.is_empty() {
                    ("no answer", Some(unsaid), Certainty::Inferred)
                } else {
                    (words, None, Certainty::Seen)
                };
                let cause = TagFailure::Network {
                    words: words.to_owned(),
                    meaning,
                };
                (TagResult::Failed { cause }, certainty)
            }
            (None, None) => {
                let why = "it was still open when the recording ended, or the tool says nothing"
                    .to_owned();
                (TagResult::Unknown { why }, Certainty::Unknown)
            }
        }
    }

    /// Returns the redirects and the wrappers' documents of a tag.
    fn hops(&self, tag: usize) -> Vec<Hop> {
        let evidence = self.evidence;
        let mut hops = Vec::new();
        for document in self.documents.get(&tag).into_iter().flatten() {
            for (leg, index) in evidence.legs(*document).into_iter().enumerate() {
                let it = &evidence.recording.exchanges[index];
                let is_redirect = leg > 0;
                if !is_redirect
                    && *document == tag
                    && !matches!(it.outcome, RecordedOutcome::Redirect(..))
                {
                    continue;
                }
                let how = match &it.outcome {
                    RecordedOutcome::Redirect(status, _) => format!("{status}, redirected"),
                    RecordedOutcome::Response(status) => {
                        format!("{status}, {}", evidence.answered(*document))
                    }
                    RecordedOutcome::Failed(words) | RecordedOutcome::BrokeOff(words) => {
                        words.clone().unwrap_or_else(|| "no answer".to_owned())
                    }
                    RecordedOutcome::Unknown => "no answer".to_owned(),
                };
                hops.push(Hop {
                    hop: evidence.hop(*document),
                    entry: it.number,
                    is_redirect,
                    url: it.url.clone(),
                    asked: it.at(),
                    took: it.time,
                    how,
                });
            }
        }
        hops
    }
}

/// Returns a failure in the browser's words, and their meaning.
fn network(evidence: &Evidence, it: &Exchange, words: String) -> TagFailure {
    /// Parts of the messages of tools, in lower case, with their meaning.
    const MEANINGS: &[(&str, &str)] = &[
        (
            "blocked_by_client",
            "an extension, such as an ad blocker, or the browser itself blocked the request",
        ),
        (
            "blocked_by_orb",
            "the browser kept the answer from the page: it is not of the type that was asked for (ORB)",
        ),
        (
            "blocked_by_csp",
            "the page's Content-Security-Policy does not allow the host",
        ),
        (
            "blocked_by_response",
            "a header of the answer does not let other sites use it (CORP, COEP)",
        ),
        (
            "mixed",
            "mixed content: a page on https may not ask for http",
        ),
        ("cors", "the answer does not allow the page's origin (CORS)"),
        (
            "cert",
            "the browser does not accept the certificate of the server",
        ),
        ("ssl", "the secure connection could not be set up"),
        ("internet_disconnected", "the device was offline"),
        ("offline", "the device was offline"),
        ("network_changed", "the device changed its network"),
        (
            "name_not_resolved",
            "the host does not exist, or a filter hides it",
        ),
        (
            "unknown_host",
            "the host does not exist, or a filter hides it",
        ),
        (
            "connection_refused",
            "nothing listens on the server, or a firewall refuses",
        ),
        (
            "connection_reset",
            "the server, or something on the way to it, ended the connection",
        ),
        ("empty_response", "the connection ended without an answer"),
        ("too_many_redirects", "the redirects do not end"),
        (
            "timed_out",
            "the browser's own limit, which is longer than a player's",
        ),
        (
            "err_failed",
            "the browser kept the answer from the page, most often because of CORS: the answer must allow the \
                        page's origin",
        ),
    ];
    let lower = words.to_ascii_lowercase();
    let page = evidence
        .recording
        .exchanges
        .first()
        .map_or("", |it| &*it.url);
    let is_mixed = page.starts_with("https:")
        && it.url.starts_with("http:")
        && it.time.unwrap_or_default() < NOTICED;
    let meaning = if is_mixed && (lower.contains("err_failed") || lower.contains("blocked")) {
        Some("mixed content: a page on https may not ask for http")
    } else {
        MEANINGS
            .iter()
            .find(|(word, _)| lower.contains(word))
            .map(|(_, meaning)| *meaning)
    };
    let mut before = evidence.recording.exchanges.iter();
    let preflight = before.find(|other| other.method == "OPTIONS" && other.url == it.url);
    let refused = preflight.and_then(|other| {
        let status = other.status().filter(|status| *status >= 300)?;
        Some(format!(
            "the server answered {status} when the browser asked whether the page may ask (entry {})",
            other.number
        ))
    });
    TagFailure::Network {
        words,
        meaning: refused.or(meaning.map(str::to_owned)),
    }
}
