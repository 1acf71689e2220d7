//! Ad tags that were answered without an ad document, or not at all.
//!
//! Nothing in such an answer says that a tag was asked, so its place must: a waterfall asks one tag
//! as soon as the one before it is over. Between two tags, a request that fills the wait is a tag,
//! whatever it answered. Before the first and after the last one more is needed, because pages send
//! other requests at the same moments: no data in the answer, the same way of asking, and no other
//! request for its address elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::{
    Anchor, Candidate, End, Holds, LONGEST_WAIT, SHORTEST, anchors, candidate, is_refused, link,
};
use super::find::Finder;
use super::{Ground, RequestFinding, Role, bare, pace};
use crate::certainty::Note;
use crate::recording::{Exchange, RecordedOutcome};
use playsim_base::time::{Span, Time};
use playsim_vast::names::host;

/// The longest pause within a wait that requests fill, unless the page is slower.
const PAUSE: Span = Span::from_millis(400);
/// The shortest wait that is reported if nothing fills it.
const UNEXPLAINED: Span = Span::from_millis(500);
/// Tools count some milliseconds too many: a wait that was so nearly over may have been over.
const NEARLY: Span = Span::from_millis(10);
/// A pause up to which a request that is like a tag may be one, although the page is usually
/// quicker.
const SUSPICIOUS: Span = Span::from_millis(1_500);
/// The most requests of which that is said.
const MOST_SUSPECTS: usize = 8;
/// The most tags that are added, and the most requests that are looked at for them: a page has far
/// fewer.
const MOST_TAGS: usize = 64;
const MOST_CANDIDATES: usize = 2_000;
/// The most requests that are tried in one wait.
const MOST_IN_WAIT: usize = 64;

/// The pauses that the order of the requests does not explain.
#[derive(Debug, Default)]
pub(super) struct Unexplained {
    /// Waits between two tags: from, to.
    pub(super) waits: Vec<(Time, Time)>,
    /// Requests that may be tags, by their indexes: only the pause before the next one, or after
    /// the one before, is too long.
    pub(super) suspects: Vec<usize>,
    /// How long the page usually takes from an answer, or the end of a tag, to its next request.
    pub(super) usual: Span,
}

/// Adds the requests that were tags, in the order of the recording. Returns what nothing explains.
pub(super) fn fill(finder: &mut Finder<'_>) -> Unexplained {
    let mut search = Search::of(finder);
    if search.anchors.is_empty() {
        return Unexplained::default();
    }
    search.same_url();
    search.waits();
    search.measure();
    search.ends();
    // After a request that was found at an end there may still be a wait.
    search.waits();
    let found = std::mem::take(&mut search.found);
    let unexplained = Unexplained {
        waits: search.unexplained(),
        suspects: search.suspects(),
        usual: search.usual,
    };
    add(finder, found);
    unexplained
}

/// Adds requests as tags.
fn add(finder: &mut Finder<'_>, found: Vec<(usize, Ground)>) {
    if found.len() >= MOST_TAGS {
        finder.notes.push(Note::unknown(format!(
            "more than {MOST_TAGS} requests may be ad tags; --tag and --ignore choose"
        )));
    }
    for (index, ground) in found {
        finder.document(index, None, RequestFinding::inferred(Role::Other, ground));
    }
    finder.sort();
}

/// For each number of anchors, from none to all, when the last of that many was over.
fn over(anchors: &[Anchor]) -> Vec<Time> {
    let mut last = Time::default();
    let each = anchors.iter().map(|it| {
        last = last.max(it.over).max(it.asked);
        last
    });
    std::iter::once(Time::default()).chain(each).collect()
}

struct Search<'a> {
    exchanges: &'a [Exchange],
    anchors: Vec<Anchor>,
    /// For each number of anchors, when the last of that many was over.
    over: Vec<Time>,
    /// Requests that may be tags, in chronological order.
    candidates: Vec<Candidate>,
    /// Addresses that are asked for where no tag can be.
    elsewhere: BTreeSet<&'a str>,
    /// The host of the page.
    page: Option<&'a str>,
    /// When the content was asked for.
    contents: Vec<Time>,
    /// How long the page took from answers to the requests that follow from them.
    reactions: Vec<Span>,
    /// How long the page usually takes, also from one tag to the next.
    usual: Span,
    /// The longest pause between two tags of a waterfall, if one is the next of the other.
    near: Span,
    found: Vec<(usize, Ground)>,
    /// How much later than it says something may have been.
    slack: Span,
}

impl<'a> Search<'a> {
    fn of(finder: &Finder<'a>) -> Search<'a> {
        let anchors = anchors(finder);
        let others =
            (0..finder.exchanges.len()).filter(|index| finder.findings[*index].role == Role::Other);
        let candidates: Vec<Candidate> = others
            .filter_map(|index| candidate(finder, index))
            .take(MOST_CANDIDATES)
            .collect();
        let reactions = pace::reactions(finder);
        let contents = finder.findings.iter().zip(finder.exchanges);
        let contents = contents.filter(|(finding, _)| finding.role == Role::Content);
        let mut search = Search {
            contents: contents.map(|(_, it)| it.at()).collect(),
            near: pace::longest_pause(pace::usual(reactions.clone())),
            usual: Span::ZERO,
            reactions,
            exchanges: finder.exchanges,
            over: over(&anchors),
            anchors,
            candidates,
            elsewhere: BTreeSet::new(),
            page: finder
                .exchanges
                .iter()
                .find(|it| it.purpose.as_deref() == Some("document"))
                .map(|it| host(&it.url)),
            found: Vec::new(),
            slack: finder.slack - super::find::SLACK,
        };
        let is_out = |it: &Candidate| {
            let near = |a: Time, b: Time| (a - b).max(b - a) <= search.near;
            let is_next = search.anchors.iter().any(|anchor| {
                let is_open = it.end == End::Open && it.asked <= anchor.asked;
                near(anchor.asked, it.over)
                    || !anchor.is_last && near(it.asked, anchor.over)
                    || is_open
            });
            let is_between = search.anchors.windows(2).any(|pair| {
                !pair[0].is_last
                    && pair[0].over <= it.asked + search.near
                    && it.over <= pair[1].asked + search.near
            });
            !is_next && !is_between
        };
        let mut times: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for it in &search.candidates {
            let (all, out) = times
                .entry(bare(&finder.exchanges[it.exchange].url))
                .or_default();
            *all += 1;
            *out += usize::from(is_out(it));
        }
        search.elsewhere = times
            .into_iter()
            .filter(|(_, (all, out))| *all > 1 && *out > 0)
            .map(|(url, _)| url)
            .collect();
        // A request that is sent as an image, a beacon or with POST is a report, unless an auction
        // answers it.
        let auctions: BTreeSet<usize> = search
            .candidates
            .iter()
            .filter(|it| it.is_auction)
            .map(|it| it.exchange)
            .collect();
        let reports = finder.exchanges.iter().enumerate().filter(|(index, it)| {
            finder.findings[*index].role == Role::Other
                && (it.method == "POST" && !auctions.contains(index)
                    || matches!(it.purpose.as_deref(), Some("ping" | "beacon" | "image")))
        });
        search
            .elsewhere
            .extend(reports.map(|(_, it)| bare(&it.url)));
        search
    }

    fn take(&mut self, candidate: usize, ground: Ground) {
        let it = &mut self.candidates[candidate];
        it.is_taken = true;
        let anchor = Anchor {
            exchange: it.exchange,
            asked: it.asked,
            over: it.over,
            is_last: false,
        };
        let at = self
            .anchors
            .partition_point(|known| known.asked <= anchor.asked);
        self.anchors.insert(at, anchor);
        self.over = over(&self.anchors);
        self.found.push((it.exchange, ground));
    }

    /// Takes requests that have the address of a tag and gave no data.
    fn same_url(&mut self) {
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for anchor in &self.anchors {
            known
                .entry(bare(&self.exchanges[anchor.exchange].url))
                .or_insert(anchor.exchange);
        }
        for index in 0..self.candidates.len() {
            let it = self.candidates[index];
            let tag = known.get(bare(&self.exchanges[it.exchange].url)).copied();
            if let (false, Some(tag), true) =
                (it.holds == Holds::Data, tag, self.found.len() < MOST_TAGS)
            {
                self.take(index, Ground::SameUrl { tag });
            }
        }
    }

    /// Returns each tag that gave nothing with the next one of the same player.
    fn pairs(&self) -> Vec<(Anchor, Anchor)> {
        let next = |(index, tag): (usize, &Anchor)| {
            let later = &self.anchors[index + 1..];
            Some((
                *tag,
                *later
                    .iter()
                    .find(|other| self.is_of_one_player(tag.exchange, other.exchange))?,
            ))
        };
        self.anchors
            .iter()
            .enumerate()
            .filter(|(_, tag)| !tag.is_last)
            .filter_map(next)
            .collect()
    }

    /// Returns whether two requests may be of one player: not if two scripts sent them.
    fn is_of_one_player(&self, one: usize, other: usize) -> bool {
        let sender = |index: usize| self.exchanges[index].initiator.as_deref();
        sender(one)
            .zip(sender(other))
            .is_none_or(|(one, other)| one == other)
    }

    /// Takes the pauses between known tags for the pace of the page.
    fn measure(&mut self) {
        let mut seen = self.reactions.clone();
        let pauses = self
            .pairs()
            .into_iter()
            .filter(|(before, after)| after.asked >= before.over);
        seen.extend(
            pauses
                .map(|(before, after)| after.asked - before.over)
                .filter(|it| *it < UNEXPLAINED),
        );
        self.usual = pace::usual(seen);
        self.near = pace::longest_pause(self.usual);
    }

    /// Takes the requests that fill the waits between two tags.
    fn waits(&mut self) {
        for (before, after) in self.pairs() {
            let wait = after.asked - before.over;
            if !(SHORTEST..=LONGEST_WAIT).contains(&wait) || self.found.len() >= MOST_TAGS {
                continue;
            }
            for index in self.best(before, after) {
                let ground = Ground::FillsGap {
                    after: before.exchange,
                    before: after.exchange,
                };
                self.take(index, ground);
            }
        }
    }

    /// Returns the requests that fill the wait between two tags with the least time between them,
    /// one after another.
    fn best(&self, before: Anchor, after: Anchor) -> Vec<usize> {
        let from = self
            .candidates
            .partition_point(|it| it.asked + self.near < before.over);
        let longest = self.near.max(PAUSE);
        let link = |it: &Candidate, next: Time| link(it, next, longest);
        let inside: Vec<usize> = (from..self.candidates.len())
            .take_while(|index| self.candidates[*index].asked <= after.asked)
            .filter(|index| {
                let it = &self.candidates[*index];
                !it.is_taken
                    && !self
                        .elsewhere
                        .contains(bare(&self.exchanges[it.exchange].url))
            })
            .take(MOST_IN_WAIT)
            .collect();
        let start = Candidate {
            exchange: before.exchange,
            asked: before.asked,
            over: before.over,
            end: End::Answered,
            holds: Holds::Nothing,
            is_auction: false,
            is_taken: true,
        };
        // For each request: the cost of the best way to it, and the one before it on that way.
        let mut ways: Vec<(Option<Span>, Option<usize>)> = Vec::new();
        for (at, index) in inside.iter().enumerate() {
            let it = &self.candidates[*index];
            let own = Span::from_millis(20);
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
            Some((
                cost.as_ref().copied()? + link(&self.candidates[inside[at]], after.asked)?,
                at,
            ))
        });
        let Some((cost, mut at)) = ends.min() else {
            return Vec::new();
        };
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

    /// Takes tags before and after those that are known, from each one outwards.
    fn ends(&mut self) {
        let mut next = 0;
        let mut order: Vec<Anchor> = self.anchors.clone();
        while let Some(anchor) = order.get(next).copied() {
            next += 1;
            if self.found.len() >= MOST_TAGS {
                break;
            }
            let before = (0..self.candidates.len())
                .rev()
                .find(|index| self.precedes(*index, anchor));
            if let Some(index) = before {
                self.take(
                    index,
                    Ground::Precedes {
                        tag: anchor.exchange,
                    },
                );
                order.extend(
                    self.anchors
                        .iter()
                        .find(|it| it.exchange == self.candidates[index].exchange),
                );
            }
            for index in self.after(anchor) {
                self.take(
                    index,
                    Ground::Follows {
                        tag: anchor.exchange,
                    },
                );
                order.extend(
                    self.anchors
                        .iter()
                        .find(|it| it.exchange == self.candidates[index].exchange),
                );
            }
        }
    }

    /// Returns the requests that were sent as soon as a tag was over that gave no ad, one after
    /// another. If the content began next, the page waited for them until then: a report that it
    /// did not wait for is none.
    fn after(&self, tag: Anchor) -> Vec<usize> {
        let follows: Vec<usize> = (0..self.candidates.len())
            .filter(|index| self.follows(*index, tag))
            .collect();
        let address = |index: usize| bare(&self.exchanges[self.candidates[index].exchange].url);
        let is_repeated = |index: &usize| {
            let is_again = |other: usize| other != *index && address(other) == address(*index);
            (0..self.candidates.len()).any(is_again)
        };
        let Some(first) = follows
            .iter()
            .copied()
            .min_by_key(|index| (is_repeated(index), *index))
        else {
            return Vec::new();
        };
        let content = self.contents.first().copied().filter(|at| *at >= tag.over);
        let is_between = |other: &Anchor| other.asked > tag.asked && Some(other.asked) < content;
        let Some(content) = content.filter(|_| !self.anchors.iter().any(is_between)) else {
            return vec![first];
        };
        let next = Anchor {
            exchange: tag.exchange,
            asked: content,
            over: content,
            is_last: true,
        };
        let chain = self.best(tag, next);
        if !chain.is_empty()
            && chain
                .iter()
                .all(|index| self.is_like(&self.candidates[*index], tag))
        {
            return chain;
        }
        // With a shorter pause before the content it would have explained the wait, if the page had
        // waited for it.
        let is_apart = content - self.candidates[first].over > self.near.max(PAUSE);
        Some(first).filter(|_| is_apart).into_iter().collect()
    }

    /// Returns whether a request went to the host of the page.
    fn is_own(&self, it: &Candidate) -> bool {
        self.page == Some(host(&self.exchanges[it.exchange].url))
    }

    /// Returns whether a request was over just when a tag was asked.
    fn precedes(&self, index: usize, tag: Anchor) -> bool {
        let it = &self.candidates[index];
        let is_before =
            it.asked < tag.asked || (it.asked == tag.asked && it.exchange < tag.exchange);
        let pause = tag.asked - it.over;
        // An auction is one by the form of its answer.
        let longest = if it.is_auction {
            PAUSE.max(self.near)
        } else {
            self.near
        };
        let is_near = if it.end == End::Open {
            tag.asked - it.asked <= LONGEST_WAIT
        } else {
            pause <= longest
        };
        if !is_before || !is_near {
            return false;
        }
        // A request that another tag already followed was not awaited by this one.
        let is_first = !self.anchors.iter().any(|other| {
            other.exchange != tag.exchange
                && self.is_of_one_player(other.exchange, tag.exchange)
                && ((it.asked..tag.asked).contains(&other.asked) && it.end != End::Open
                    || other.asked < it.asked && other.over > it.asked)
        });
        // An answer that came later was not waited for, at least if the tag followed on another one
        // that was over.
        let follows_other = self.anchors.iter().any(|other| {
            !other.is_last
                && self.is_of_one_player(other.exchange, tag.exchange)
                && other.over <= it.asked + NEARLY
                && tag.asked >= other.over
                && tag.asked - other.over <= self.near
        });
        let longest = if follows_other { NEARLY } else { SHORTEST } + self.slack;
        let ends_in_time = it.end != End::Answered || it.over <= tag.asked + longest;
        is_first && ends_in_time && self.is_like(it, tag)
    }

    /// Returns whether a request was sent as soon as a tag was over that gave no ad.
    fn follows(&self, index: usize, tag: Anchor) -> bool {
        let it = &self.candidates[index];
        let is_next =
            it.asked + Span::from_millis(10) >= tag.over && it.asked - tag.over <= self.near;
        if tag.is_last || !is_next {
            return false;
        }
        let is_followed = self.anchors.iter().any(|other| {
            other.exchange != tag.exchange
                && self.is_of_one_player(other.exchange, tag.exchange)
                && other.asked >= tag.asked
                && other.asked <= it.asked + self.near
        });
        it.asked > tag.asked && !is_followed && self.is_like(it, tag)
    }

    /// Returns whether a request without data was sent as a tag was. An answer whose body is not
    /// known may be anything: that the same line of code asked for both shows that it is one.
    fn is_like(&self, it: &Candidate, tag: Anchor) -> bool {
        let site = |index: usize| self.exchanges[index].site.as_deref();
        let is_one_site = site(it.exchange).is_some_and(|own| site(tag.exchange) == Some(own));
        let is_empty = it.holds == Holds::Nothing || it.holds == Holds::Unread && is_one_site;
        !it.is_taken && is_empty && self.is_asked_like(it, tag)
    }

    /// Returns whether a request was sent as a tag was.
    fn is_asked_like(&self, it: &Candidate, tag: Anchor) -> bool {
        let (request, tag) = (&self.exchanges[it.exchange], &self.exchanges[tag.exchange]);
        let is_same = |a: Option<&str>, b: Option<&str>| a.zip(b).is_none_or(|(a, b)| a == b);
        request.method == tag.method
            && is_same(request.purpose.as_deref(), tag.purpose.as_deref())
            && is_same(request.initiator.as_deref(), tag.initiator.as_deref())
            && (is_same(request.site.as_deref(), tag.site.as_deref())
                || host(&request.url) == host(&tag.url))
            && !self.elsewhere.contains(bare(&request.url))
    }

    /// Returns the waits between two tags of one waterfall that no request explains.
    fn unexplained(&self) -> Vec<(Time, Time)> {
        // That the page gave a tag up, which was not answered, explains the wait.
        let is_open = |tag: &Anchor| {
            let it = &self.exchanges[tag.exchange];
            matches!(
                it.outcome,
                RecordedOutcome::Failed(_) | RecordedOutcome::Unknown
            ) && !is_refused(it)
        };
        let pairs = self
            .pairs()
            .into_iter()
            .filter(|(before, _)| !is_open(before));
        let waits = pairs.map(|(before, after)| (before.over, after.asked));
        let shortest = self.near.max(UNEXPLAINED);
        waits
            .filter(|(from, to)| (shortest..=LONGEST_WAIT).contains(&(*to - *from)))
            .collect()
    }

    /// Returns the requests that were sent as tags are, without data, and that only the pause
    /// before or after them keeps from being one.
    fn suspects(&self) -> Vec<usize> {
        let is_suspect = |it: &&Candidate| {
            let asked = &self.exchanges[it.exchange];
            let is_page = asked
                .mime
                .as_deref()
                .is_some_and(|mime| mime.contains("html"));
            // What could not be read may be one, too, where the tool does not say which line of
            // code asked.
            let is_unread = it.holds == Holds::Unread && asked.site.is_none();
            // Nearer requests were examined already.
            let is_suspicious =
                |pause: Span| (pause > self.near && !is_page || is_unread) && pause <= SUSPICIOUS;
            let is_like = |tag: &Anchor| {
                self.is_like(it, *tag) || is_unread && !it.is_taken && self.is_asked_like(it, *tag)
            };
            let pauses = |tag: &Anchor| {
                let after =
                    Some(it.asked - tag.over).filter(|_| !tag.is_last && it.asked >= tag.over);
                let before = Some(tag.asked - it.over).filter(|_| it.over <= tag.asked);
                [after, before].map(|pause| pause.filter(|_| is_like(tag)))
            };
            let shortest = self.anchors.iter().flat_map(pauses).flatten().min();
            !self.is_own(it) && shortest.is_some_and(is_suspicious)
        };
        self.candidates
            .iter()
            .filter(is_suspect)
            .map(|it| it.exchange)
            .take(MOST_SUSPECTS)
            .collect()
    }
}
