//! Ad tags that were answered without an ad document, or not at all.
//!
//! Nothing in such an answer says that a tag was asked, so its place must: a waterfall asks one tag as soon as the one
//! before it is over. Between two tags, a request that fills the wait is a tag, whatever it answered. Before the first
//! and after the last one more is needed, because pages send other requests at the same moments: no data in the answer,
//! the same way of asking, and no other request for its address elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{self, RecordedAnswer};
use super::find::Finder;
use super::{Certainty, Ground, RequestFinding, Role, bare, is_schedule};
use crate::import::recording::{Body, Exchange, RecordedOutcome};
use crate::time::{Span, Time};
use crate::vast::names::{Named, host};

/// The longest pause between two tags of a waterfall, if one is the next of the other.
const NEAR: Span = Span::from_millis(150);
/// The longest pause within a wait that requests fill.
const PAUSE: Span = Span::from_millis(400);
/// The shortest wait that has to be filled, and the shortest that is reported if nothing fills it.
const SHORTEST: Span = Span::from_millis(40);
const UNEXPLAINED: Span = Span::from_millis(500);
/// The longest time that a tag without an answer was open.
const LONGEST_WAIT: Span = Span::from_secs(35);
/// A request that failed sooner is one whose time the tool does not say.
const SHORTEST_LIMIT: Span = Span::from_millis(200);
/// The most tags that are added, and the most requests that are looked at for them: a page has far fewer.
const MOST_TAGS: usize = 64;
const MOST_CANDIDATES: usize = 2_000;
/// The most requests that are tried in one wait.
const MOST_IN_WAIT: usize = 64;

/// Words in the URL of a request that ask for an ad. They decide nothing where order can.
pub(super) const WORDS: &[&str] = &[
    "vast", "vmap", "adtag", "ad_tag", "gampad", "adserver", "preroll", "midroll", "postroll", "/ads",
    "/ad/", "/tag",
];

/// A tag that is known, from its request until everything that it led to was over.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    exchange: usize,
    asked: Time,
    over: Time,
    /// Whether an ad of it was shown, or it was a schedule: nothing is asked in its place.
    is_last: bool,
}

/// Adds the requests that were tags, in the order of the recording. Returns the waits that nothing explains.
pub(super) fn fill(finder: &mut Finder<'_>) -> Vec<(Time, Time)> {
    let mut search = Search::of(finder);
    if search.anchors.is_empty() {
        let found = search.without_documents();
        add(finder, found);
        return Vec::new();
    }
    search.same_url();
    search.waits();
    search.ends();
    // What was found at an end may leave a wait.
    search.waits();
    let found = std::mem::take(&mut search.found);
    let waits = search.unexplained();
    add(finder, found);
    waits
}

/// Adds requests as tags, and says so.
fn add(finder: &mut Finder<'_>, found: Vec<(usize, Ground)>) {
    if found.len() >= MOST_TAGS {
        finder
            .notes
            .push(format!("more than {MOST_TAGS} requests may be ad tags; --tag and --ignore choose"));
    }
    let mut bares: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, ground) in found {
        let certainty =
            if matches!(ground, Ground::Word { .. }) { Certainty::Unknown } else { Certainty::Inferred };
        let finding = RequestFinding { role: Role::Other, certainty, ground };
        finder.document(index, None, finding);
        bares.entry(bare(&finder.exchanges[index].url)).or_default().push(index);
    }
    for (url, indexes) in bares {
        let times = if indexes.len() > 1 { format!(" ({} times)", indexes.len()) } else { String::new() };
        finder.notes.push(format!(
            "{url}{times} {} and is taken for an ad tag because of its place; if it is not one, add --ignore '{url}'",
            in_words(&finder.exchanges[finder.last(indexes[0])])
        ));
    }
    finder.sort();
}

struct Search<'a> {
    exchanges: &'a [Exchange],
    anchors: Vec<Anchor>,
    /// What may be a tag, in the order of time.
    candidates: Vec<Candidate>,
    /// Addresses that are asked for where no tag can be.
    elsewhere: BTreeSet<&'a str>,
    /// The host of the page.
    page: Option<&'a str>,
    found: Vec<(usize, Ground)>,
}

/// A request that may be a tag.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    exchange: usize,
    asked: Time,
    over: Time,
    end: End,
    /// Whether its answer may be data for the page.
    is_data: bool,
    /// Whether its answer is that of an auction.
    is_auction: bool,
    is_taken: bool,
}

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Answered,
    Failed,
    /// It failed, and the tool does not say when.
    Open,
}

impl<'a> Search<'a> {
    fn of(finder: &Finder<'a>) -> Search<'a> {
        let anchors = anchors(finder);
        let others = (0..finder.exchanges.len()).filter(|index| finder.findings[*index].role == Role::Other);
        let candidates: Vec<Candidate> =
            others.filter_map(|index| candidate(finder, index)).take(MOST_CANDIDATES).collect();
        let mut search = Search {
            exchanges: finder.exchanges,
            anchors,
            candidates,
            elsewhere: BTreeSet::new(),
            page: finder
                .exchanges
                .iter()
                .find(|it| it.purpose.as_deref() == Some("document"))
                .map(|it| host(&it.url)),
            found: Vec::new(),
        };
        let is_out = |it: &Candidate| {
            let near = |a: Time, b: Time| (a - b).max(b - a) <= NEAR;
            let is_next = search.anchors.iter().any(|anchor| {
                let is_open = it.end == End::Open && it.asked <= anchor.asked;
                near(anchor.asked, it.over) || !anchor.is_last && near(it.asked, anchor.over) || is_open
            });
            let is_between = search.anchors.windows(2).any(|pair| {
                !pair[0].is_last && pair[0].over <= it.asked + NEAR && it.over <= pair[1].asked + NEAR
            });
            !is_next && !is_between
        };
        let mut times: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for it in &search.candidates {
            let (all, out) = times.entry(bare(&finder.exchanges[it.exchange].url)).or_default();
            *all += 1;
            *out += usize::from(is_out(it));
        }
        search.elsewhere =
            times.into_iter().filter(|(_, (all, out))| *all > 1 && *out > 0).map(|(url, _)| url).collect();
        // What is sent as an image, a beacon or with POST reports something.
        let reports = finder.exchanges.iter().enumerate().filter(|(index, it)| {
            finder.findings[*index].role == Role::Other
                && (it.method == "POST" || matches!(it.purpose.as_deref(), Some("ping" | "beacon" | "image")))
        });
        search.elsewhere.extend(reports.map(|(_, it)| bare(&it.url)));
        search
    }

    fn take(&mut self, candidate: usize, ground: Ground) {
        let it = &mut self.candidates[candidate];
        it.is_taken = true;
        let anchor = Anchor { exchange: it.exchange, asked: it.asked, over: it.over, is_last: false };
        let at = self.anchors.partition_point(|known| known.asked <= anchor.asked);
        self.anchors.insert(at, anchor);
        self.found.push((it.exchange, ground));
    }

    /// Takes requests that have the address of a tag and gave no data.
    fn same_url(&mut self) {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for anchor in &self.anchors {
            known.entry(bare(&self.exchanges[anchor.exchange].url)).or_insert(anchor.exchange);
        }
        for index in 0..self.candidates.len() {
            let it = self.candidates[index];
            let tag = known.get(bare(&self.exchanges[it.exchange].url)).copied();
            if let (false, Some(tag), true) = (it.is_data, tag, self.found.len() < MOST_TAGS) {
                self.take(index, Ground::SameUrl { tag });
            }
        }
    }

    /// Takes the requests that fill the waits between two tags.
    fn waits(&mut self) {
        let pairs: Vec<(Anchor, Anchor)> =
            self.anchors.windows(2).map(|pair| (pair[0], pair[1])).filter(|(a, _)| !a.is_last).collect();
        for (before, after) in pairs {
            let wait = after.asked - before.over;
            if !(SHORTEST..=LONGEST_WAIT).contains(&wait) || self.found.len() >= MOST_TAGS {
                continue;
            }
            for index in self.best(before, after) {
                let ground = Ground::FillsGap { after: before.exchange, before: after.exchange };
                self.take(index, ground);
            }
        }
    }

    /// Returns the requests that fill the wait between two tags with the least time between them, one after another.
    fn best(&self, before: Anchor, after: Anchor) -> Vec<usize> {
        let from = self.candidates.partition_point(|it| it.asked + NEAR < before.over);
        let inside: Vec<usize> = (from..self.candidates.len())
            .take_while(|index| self.candidates[*index].asked <= after.asked)
            .filter(|index| !self.candidates[*index].is_taken)
            .take(MOST_IN_WAIT)
            .collect();
        let start = Candidate {
            exchange: before.exchange,
            asked: before.asked,
            over: before.over,
            end: End::Answered,
            is_data: false,
            is_auction: false,
            is_taken: true,
        };
        // For each request: the cost of the best way to it, and the one before it on that way.
        let mut ways: Vec<(Option<Span>, Option<usize>)> = Vec::new();
        for (at, index) in inside.iter().enumerate() {
            let it = &self.candidates[*index];
            let own = self.unlikeliness(it, after);
            let mut best = (link(&start, it.asked), None);
            for (earlier, way) in ways.iter().enumerate().take(at) {
                let step = link(&self.candidates[inside[earlier]], it.asked);
                if let (Some(cost), Some(step)) = (way.0, step)
                    && best.0.is_none_or(|known| cost + step < known)
                {
                    best = (Some(cost + step), Some(earlier));
                }
            }
            ways.push((best.0.map(|cost| cost + own), best.1));
        }
        let ends = ways.iter().enumerate().filter_map(|(at, (cost, _))| {
            Some((cost.as_ref().copied()? + link(&self.candidates[inside[at]], after.asked)?, at))
        });
        let Some((cost, mut at)) = ends.min() else { return Vec::new() };
        if cost >= after.asked - before.over {
            return Vec::new();
        }
        let mut chain = vec![inside[at]];
        while let Some(earlier) = ways[at].1 {
            chain.push(inside[earlier]);
            at = earlier;
        }
        chain.reverse();
        chain
    }

    /// Returns how unlikely it is that a request is a tag, as a time that it would have to explain.
    fn unlikeliness(&self, it: &Candidate, tag: Anchor) -> Span {
        let (request, tag) = (&self.exchanges[it.exchange], &self.exchanges[tag.exchange]);
        let is_other = |a: Option<&str>, b: Option<&str>| a.zip(b).is_some_and(|(a, b)| a != b);
        let signs = [
            (is_other(request.purpose.as_deref(), tag.purpose.as_deref()), 40),
            (is_other(request.site.as_deref(), tag.site.as_deref()), 40),
            (request.method != "GET", 40),
            (self.elsewhere.contains(bare(&request.url)), 400),
        ];
        let unlikely = signs.into_iter().filter(|(is_so, _)| *is_so).map(|(_, millis)| millis).sum::<u64>();
        Span::from_millis(20 + unlikely)
    }

    /// Takes tags before and after those that are known, from each one outwards.
    fn ends(&mut self) {
        let mut next = 0;
        let mut order: Vec<Anchor> = self.anchors.clone();
        while let Some(anchor) = order.get(next).copied() {
            next += 1;
            if self.found.len() >= MOST_TAGS {
                break;
            }
            let before = (0..self.candidates.len()).rev().find(|index| self.precedes(*index, anchor));
            if let Some(index) = before {
                self.take(index, Ground::Precedes { tag: anchor.exchange });
                order.extend(self.anchors.iter().find(|it| it.exchange == self.candidates[index].exchange));
            } else if let Some((index, between)) = self.bridge(anchor) {
                let exchange = self.candidates[index].exchange;
                for index in &between {
                    self.take(*index, Ground::FillsGap { after: exchange, before: anchor.exchange });
                }
                let tag = self.candidates[between[0]].exchange;
                self.take(index, Ground::Precedes { tag });
                order.extend(self.anchors.iter().find(|it| it.exchange == exchange));
            }
            let after = (0..self.candidates.len()).find(|index| self.follows(*index, anchor));
            if let Some(index) = after {
                self.take(index, Ground::Follows { tag: anchor.exchange });
                order.extend(self.anchors.iter().find(|it| it.exchange == self.candidates[index].exchange));
            }
        }
    }

    /// Returns a request without data before a tag, and the requests that fill the wait between the two, one as soon as
    /// the other was over. Data alone before a tag are more often the settings of a player: those were asked for of the
    /// page's own host, or by another script.
    fn bridge(&self, tag: Anchor) -> Option<(usize, Vec<usize>)> {
        let after = self.candidates.partition_point(|it| it.asked < tag.asked);
        let known = self.anchors.iter().filter(|other| other.asked < tag.asked);
        let from = known.map(|other| other.over.max(other.asked)).max().unwrap_or_default();
        for index in (0..after).rev().take(MOST_IN_WAIT) {
            let it = &self.candidates[index];
            if it.asked < from {
                break;
            }
            let wait = tag.asked - it.over;
            if !self.is_like(it, tag) || self.is_own(it) || !(SHORTEST..=LONGEST_WAIT).contains(&wait) {
                continue;
            }
            let start = Anchor { exchange: it.exchange, asked: it.asked, over: it.over, is_last: false };
            let between = self.best(start, tag);
            let mut over = it.over;
            let is_chain = !between.is_empty()
                && between.iter().all(|index| {
                    let it = &self.candidates[*index];
                    let pause = it.asked - over;
                    over = it.over;
                    pause <= NEAR && self.is_asked_like(it, tag) && !self.is_own(it)
                });
            if is_chain && tag.asked - over <= NEAR {
                return Some((index, between));
            }
        }
        None
    }

    /// Returns whether a request went to the host of the page.
    fn is_own(&self, it: &Candidate) -> bool {
        self.page == Some(host(&self.exchanges[it.exchange].url))
    }

    /// Returns whether a request was over just when a tag was asked.
    fn precedes(&self, index: usize, tag: Anchor) -> bool {
        let it = &self.candidates[index];
        let is_before = it.asked < tag.asked || (it.asked == tag.asked && it.exchange < tag.exchange);
        let pause = tag.asked - it.over;
        // An auction is one by the form of its answer.
        let longest = if it.is_auction { PAUSE } else { NEAR };
        let is_near =
            if it.end == End::Open { tag.asked - it.asked <= LONGEST_WAIT } else { pause <= longest };
        if !is_before || !is_near {
            return false;
        }
        // What another tag follows on already was not waited for by this one.
        let is_first = !self.anchors.iter().any(|other| {
            other.exchange != tag.exchange
                && (it.asked..tag.asked).contains(&other.asked)
                && it.end != End::Open
                || (other.asked < it.asked && other.over > it.asked && other.exchange != tag.exchange)
        });
        // An answer that came later was not waited for.
        let ends_in_time = it.end != End::Answered || it.over <= tag.asked + SHORTEST;
        is_first && ends_in_time && self.is_like(it, tag)
    }

    /// Returns whether a request was sent as soon as a tag was over that gave no ad.
    fn follows(&self, index: usize, tag: Anchor) -> bool {
        let it = &self.candidates[index];
        let is_next = it.asked + Span::from_millis(10) >= tag.over && it.asked - tag.over <= NEAR;
        if tag.is_last || !is_next {
            return false;
        }
        let is_followed = self.anchors.iter().any(|other| {
            other.exchange != tag.exchange && other.asked >= tag.asked && other.asked <= it.asked + NEAR
        });
        it.asked > tag.asked && !is_followed && self.is_like(it, tag)
    }

    /// Returns whether a request without data was sent as a tag was.
    fn is_like(&self, it: &Candidate, tag: Anchor) -> bool {
        !it.is_taken && !it.is_data && self.is_asked_like(it, tag)
    }

    /// Returns whether a request was sent as a tag was.
    fn is_asked_like(&self, it: &Candidate, tag: Anchor) -> bool {
        let (request, tag) = (&self.exchanges[it.exchange], &self.exchanges[tag.exchange]);
        let is_same = |a: Option<&str>, b: Option<&str>| a.zip(b).is_none_or(|(a, b)| a == b);
        request.method == "GET"
            && is_same(request.purpose.as_deref(), tag.purpose.as_deref())
            && is_same(request.initiator.as_deref(), tag.initiator.as_deref())
            && (is_same(request.site.as_deref(), tag.site.as_deref()) || host(&request.url) == host(&tag.url))
            && !self.elsewhere.contains(bare(&request.url))
    }

    /// Returns the waits between two tags of one waterfall that no request explains.
    fn unexplained(&self) -> Vec<(Time, Time)> {
        let pairs = self.anchors.windows(2).filter(|pair| !pair[0].is_last);
        let waits = pairs.map(|pair| (pair[0].over, pair[1].asked));
        waits.filter(|(from, to)| (UNEXPLAINED..=LONGEST_WAIT).contains(&(*to - *from))).collect()
    }

    /// Finds tags in a recording without any ad document: requests without a usable answer, one as soon as the other
    /// was over; or else a single one whose URL sounds like a tag.
    fn without_documents(&self) -> Vec<(usize, Ground)> {
        let plain = |it: &&Candidate| {
            let request = &self.exchanges[it.exchange];
            !it.is_data
                && request.method == "GET"
                && matches!(request.purpose.as_deref(), Some("xhr" | "fetch") | None)
        };
        let plain: Vec<&Candidate> = self.candidates.iter().filter(plain).collect();
        let mut best: Vec<&Candidate> = Vec::new();
        let mut chain: Vec<&Candidate> = Vec::new();
        for it in plain.iter().copied().chain([&NEVER]) {
            let is_next = chain.last().is_some_and(|last| {
                link(last, it.asked).is_some_and(|pause| pause <= NEAR) && it.exchange != usize::MAX
            });
            if !is_next {
                if chain.len() > best.len() {
                    best = std::mem::take(&mut chain);
                }
                chain.clear();
            }
            chain.push(it);
        }
        if best.len() > 1 {
            let tags = best.into_iter().take(MOST_TAGS);
            return tags.map(|it| (it.exchange, Ground::OneAfterAnother)).collect();
        }
        let sounding = plain.iter().filter_map(|it| {
            let url = self.exchanges[it.exchange].url.to_ascii_lowercase();
            let word = WORDS.iter().find(|word| url.contains(*word))?;
            Some((it.exchange, Ground::Word { word: (*word).to_owned() }))
        });
        sounding.take(MOST_TAGS).collect()
    }
}

/// Ends the last chain.
const NEVER: Candidate = Candidate {
    exchange: usize::MAX,
    asked: Time::MAX,
    over: Time::MAX,
    end: End::Answered,
    is_data: false,
    is_auction: false,
    is_taken: true,
};

/// Returns the time between a request and the next one that it does not explain; `None` if one is not the next of
/// the other.
fn link(it: &Candidate, next: Time) -> Option<Span> {
    if it.asked > next {
        return None;
    }
    if it.end == End::Open {
        return (next - it.asked <= LONGEST_WAIT).then_some(Span::ZERO);
    }
    if it.over > next {
        // The player went on before it was over.
        return Some(if it.end == End::Answered { SHORTEST.min(it.over - next) } else { Span::ZERO });
    }
    Some(next - it.over).filter(|pause| *pause <= PAUSE)
}

/// Returns the tags that are known.
fn anchors(finder: &Finder<'_>) -> Vec<Anchor> {
    let documents = &finder.documents;
    let mut roots: Vec<usize> = Vec::with_capacity(documents.len());
    for (index, document) in documents.iter().enumerate() {
        let above = document.by.map(|by| finder.names.all[by].document).filter(|above| *above < index);
        roots.push(above.map_or(index, |above| roots[above]));
    }
    let mut all: Vec<Anchor> = documents
        .iter()
        .map(|it| Anchor {
            exchange: it.exchange,
            asked: finder.exchanges[it.exchange].at(),
            over: finder.exchanges[it.answer].over().max(finder.exchanges[it.exchange].over()),
            is_last: it.read.as_ref().is_some_and(is_schedule),
        })
        .collect();
    for (index, root) in roots.iter().enumerate() {
        all[*root].over = all[*root].over.max(all[index].over);
    }
    for (finding, it) in finder.findings.iter().zip(finder.exchanges) {
        let (name, is_shown) = match finding.role {
            Role::Media(name) | Role::Interactive(name) => {
                (name, it.status().is_some_and(|status| status < 400))
            }
            Role::Pixel(name) => (name, finder.names.all[name].what == Named::Pixel("impression".to_owned())),
            Role::Film
            | Role::Called(_)
            | Role::Document(_)
            | Role::Redirected(_)
            | Role::Verification(_)
            | Role::Content
            | Role::Ignored
            | Role::Other => continue,
        };
        let root = &mut all[roots[finder.names.all[name].document]];
        root.is_last |= is_shown;
        if matches!(finding.role, Role::Media(_)) {
            root.over = root.over.max(it.over());
        }
    }
    // Without bodies, the film belongs to the document before it.
    for (finding, it) in finder.findings.iter().zip(finder.exchanges) {
        if finding.role == Role::Film
            && let Some(last) = all.iter_mut().rfind(|anchor| anchor.over <= it.at())
        {
            last.is_last = true;
        }
    }
    let is_root = |index: &usize| roots[*index] == *index;
    let mut tags: Vec<Anchor> = (0..documents.len()).filter(is_root).map(|index| all[index]).collect();
    tags.sort_by_key(|anchor| (anchor.asked, anchor.exchange));
    tags
}

/// Returns a request as one that may be a tag, unless its kind rules that out.
fn candidate(finder: &Finder<'_>, index: usize) -> Option<Candidate> {
    const OTHERS: &[&str] =
        &["image", "media", "stylesheet", "font", "document", "ping", "beacon", "websocket", "manifest"];
    let it = &finder.exchanges[index];
    let last = &finder.exchanges[finder.last(index)];
    let answer = answer::of(last, None, None);
    let purpose = it.purpose.as_deref().unwrap_or_default();
    let mime = last.mime.as_deref().unwrap_or_default();
    let is_script = purpose == "script" || mime.contains("javascript");
    let is_image = mime.starts_with("image/") || mime.starts_with("font/") || mime.contains("css");
    // A script that calls a function with its answer is one; any other script is code.
    let is_code = is_script
        && !matches!(
            answer,
            RecordedAnswer::Jsonp | RecordedAnswer::Empty | RecordedAnswer::None | RecordedAnswer::Missing
        );
    // Without a purpose, a page is told by its type.
    let is_page = it.purpose.is_none() && index == 0 && mime.contains("html");
    let is_asked = matches!(it.method.as_str(), "GET" | "POST") && it.url.starts_with("http");
    if OTHERS.contains(&purpose) || is_image || is_code || is_page || !is_asked {
        return None;
    }
    let has_failed = matches!(last.outcome, RecordedOutcome::Failed(_) | RecordedOutcome::Unknown);
    let is_open = has_failed && !is_refused(last) && last.time.unwrap_or_default() < SHORTEST_LIMIT;
    let is_error = last.status().is_some_and(|status| status >= 400);
    // The answer of an auction says by its form that nobody has bid.
    let is_auction = last.text().is_some_and(|text| {
        answer == RecordedAnswer::Json && ["\"seatbid\"", "\"nbr\""].iter().any(|key| text.contains(key))
    });
    let is_data = is_script || (!is_error && !is_auction && answer.is_data());
    Some(Candidate {
        exchange: index,
        asked: it.at(),
        over: last.over().max(it.over()),
        end: if is_open {
            End::Open
        } else if has_failed {
            End::Failed
        } else {
            End::Answered
        },
        is_data,
        is_auction,
        is_taken: false,
    })
}

/// Returns whether a request failed by itself: it was not ended by the page.
fn is_refused(it: &Exchange) -> bool {
    match &it.outcome {
        RecordedOutcome::Failed(Some(how)) => !it.outcome.is_ended_by_page() && !how.is_empty(),
        RecordedOutcome::Failed(None)
        | RecordedOutcome::Unknown
        | RecordedOutcome::Response(_)
        | RecordedOutcome::Redirect(..)
        | RecordedOutcome::BrokeOff(_) => false,
    }
}

fn in_words(it: &Exchange) -> String {
    match &it.outcome {
        RecordedOutcome::Response(status) if it.body == Body::Missing => {
            format!("was answered with {status}, without its body in the recording,")
        }
        RecordedOutcome::Response(status) => format!("was answered with {status} and no ad document"),
        RecordedOutcome::Redirect(..) => "was redirected to where no ad document was".to_owned(),
        RecordedOutcome::BrokeOff(_) => "was answered with a body that broke off".to_owned(),
        RecordedOutcome::Failed(Some(how)) => format!("failed ({how})"),
        RecordedOutcome::Failed(None) | RecordedOutcome::Unknown => "was not answered".to_owned(),
    }
}
