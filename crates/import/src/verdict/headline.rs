//! The result in sentences, and its unknown parts.

use super::{
    AdVerdict, BidVerdict, BreakVerdict, Headline, MissingAd, NotShown, PageVerdict,
    RecordedBreakKind, Sentence, Shown, ShownBy, TagFailure, TagResult, TagVerdict, Unknown,
};
use crate::evidence::{Certainty, Evidence, RecordedAnswer, Role};
use crate::recording::{Exchange, RecordedClock};
use playsim_base::time::{Span, Time};
use playsim_base::words::{counted, seconds};
use playsim_vast::names::Named;
use playsim_vast::vmap::{AdSourceKind, Break, TimeOffset};

/// Waiting shorter than this is not worth a word.
const WORTH: Span = Span::from_millis(300);
/// A page that waited this long for an ad may not have waited, nor may an ad that waited this long
/// have loaded.
pub(crate) const LONG: Span = Span::from_secs(2);
/// A request up to this far from a tag may be one.
const SUSPICIOUS: Span = Span::from_millis(1_500);
/// The most breaks with a sentence of their own.
const MOST: usize = 4;

/// Returns the unknown parts of the recording.
pub(super) fn unknown(evidence: &Evidence, verdict: &PageVerdict) -> Vec<Unknown> {
    let mut unknown = Vec::new();
    if evidence.is_bodiless() {
        let lack = if evidence.is_cut() {
            "the tool cut the body of the ad document"
        } else {
            "the recording has no bodies"
        };
        unknown.push(Unknown {
            what: format!("{lack}: what was answered cannot be read"),
            next_time: Some("save it with content (\"Save all as HAR with content\")".to_owned()),
            is_essential: true,
        });
    }
    if evidence.recording.is_cut {
        let last = verdict.breaks.last();
        unknown.push(Unknown {
            what: "the file breaks off: what followed is not in it".to_owned(),
            next_time: Some("save it again".to_owned()),
            is_essential: last.is_none_or(|it| it.ads.is_empty()),
        });
    }
    // A wait before the first tag of a break is that for the break.
    let within = verdict.breaks.iter().flat_map(|it| gaps(evidence, it));
    for (from, to) in within {
        unknown.push(Unknown {
            what: format!(
                "between {} and {} s no tag is known to have been asked, though one had given nothing: a request may be \
                 missing",
                seconds(from.micros()),
                seconds(to.micros())
            ),
            next_time: Some("save it with a tool that keeps requests that fail".to_owned()),
            is_essential: true,
        });
    }
    for it in evidence
        .suspects
        .iter()
        .map(|index| &evidence.recording.exchanges[*index])
    {
        let is_in =
            |at: &BreakVerdict| perhaps(evidence, at).any(|other| other.number == it.number);
        unknown.push(Unknown {
            what: format!(
                "whether {}, asked at {} s (entry {}), is a tag: it was sent as tags were, but {}",
                short(&it.url),
                seconds(it.at().micros()),
                it.number,
                if it.is_unread() {
                    "its body is not in the recording"
                } else {
                    "after or before a longer pause"
                }
            ),
            next_time: Some(format!(
                "say so with --tag '{0}' or --ignore '{0}'",
                crate::evidence::bare(&it.url)
            )),
            is_essential: verdict.breaks.iter().any(is_in),
        });
    }
    verdict
        .breaks
        .iter()
        .for_each(|it| in_break(evidence, it, &mut unknown));
    unknown.extend(
        verdict
            .breaks
            .first()
            .and_then(|it| waited(evidence, verdict, it)),
    );
    let reads = evidence.documents.iter().filter_map(|it| it.read.as_ref());
    let depends = reads
        .flat_map(|read| &read.breaks)
        .any(|it| matches!(it.time_offset, Some(TimeOffset::End | TimeOffset::Share(_))));
    if depends && verdict.content.length.is_none() {
        unknown.push(Unknown {
            what: "the length of the content, on which breaks of the schedule depend".to_owned(),
            next_time: Some("give it with --content TIME".to_owned()),
            is_essential: false,
        });
    }
    unknown
}

/// Returns the waits between tags of a break that no request explains: from, to.
fn gaps<'e>(
    evidence: &'e Evidence,
    it: &'e BreakVerdict,
) -> impl Iterator<Item = (Time, Time)> + 'e {
    let is_next = |to: Time| it.tags.iter().any(|tag| tag.number > 1 && tag.asked == to);
    let gaps = evidence.gaps.iter().copied();
    gaps.filter(move |(_, to)| is_next(*to))
}

/// Returns the requests of which it is not known whether they were tags of a break, before the one
/// that filled it.
fn perhaps<'e>(
    evidence: &'e Evidence,
    it: &'e BreakVerdict,
) -> impl Iterator<Item = &'e Exchange> + 'e {
    let by = it.tags.iter().find(|tag| tag.is_shown());
    let until = by.map_or(Time::ZERO, |by| by.asked);
    let suspects = evidence.suspects.iter();
    let suspects = suspects.map(|index| &evidence.recording.exchanges[*index]);
    suspects.filter(move |one| one.over() + SUSPICIOUS >= it.begin && one.at() < until)
}

/// Returns that a page whose last tag filled late may have continued with content that was loaded
/// ahead, unless it waited as long for another tag.
fn waited(evidence: &Evidence, verdict: &PageVerdict, it: &BreakVerdict) -> Option<Unknown> {
    let tag = it
        .tags
        .last()
        .filter(|tag| matches!(tag.outcome, TagResult::Filled { .. }))?;
    let took = tag.took.filter(|took| *took >= LONG)?;
    let is_told = verdict
        .limit
        .as_ref()
        .is_some_and(|limit| limit.document != tag.document);
    let is_ahead = |(it, _): (&Exchange, usize)| it.at() < tag.asked + took;
    (!is_told && evidence.contents().any(is_ahead)).then(|| Unknown {
        what: format!(
            "whether the page was still waiting when tag {} ({}) answered after {} s, or showed its ad over the content",
            tag.number,
            short(&tag.url),
            seconds(took.micros())
        ),
        next_time: None,
        is_essential: false,
    })
}

/// Adds the unknown parts of a break.
fn in_break(evidence: &Evidence, it: &BreakVerdict, unknown: &mut Vec<Unknown>) {
    let is_filled = !it.ads.is_empty();
    for tag in &it.tags {
        let name = format!("tag {} ({})", tag.number, short(&tag.url));
        if let TagResult::Unknown { why } = &tag.outcome
            && !evidence.is_bodiless()
        {
            unknown.push(Unknown {
                what: format!("{name}: {why}"),
                next_time: None,
                is_essential: !is_filled || tag.answer == RecordedAnswer::Missing,
            });
        }
        if let Some((_, waited)) = tag.given_up() {
            unknown.push(Unknown {
                what: format!(
                    "what {name} would have answered after {} s",
                    seconds(waited.micros())
                ),
                next_time: None,
                is_essential: false,
            });
        }
    }
    if it.certainty == Certainty::Unknown {
        unknown.push(Unknown {
            what: format!(
                "whether the break at {} s is a {}",
                seconds(it.begin.micros()),
                kinds(it)
            ),
            // Of the first break, the lines before it would show that.
            next_time: (it.kinds.first() != Some(&RecordedBreakKind::PreRoll))
                .then(|| "go on recording after its end".to_owned()),
            is_essential: false,
        });
    }
}

/// Returns the result in sentences.
pub(super) fn of(evidence: &Evidence, verdict: &PageVerdict) -> Headline {
    let asked: Vec<&BreakVerdict> = verdict
        .breaks
        .iter()
        .filter(|it| it.kinds != [RecordedBreakKind::Schedule] || is_failed(it))
        .collect();
    let filled = asked.iter().filter(|it| !it.ads.is_empty()).count();
    let is_unknown = verdict.unknown.iter().any(|it| it.is_essential);
    let shown = match filled {
        0 if is_unknown => Shown::Unknown,
        0 => Shown::None,
        _ if filled == asked.len() => Shown::All,
        _ => Shown::Some,
    };
    let mut sentences: Vec<Sentence> = Vec::new();
    let several = asked.len() > 1;
    for it in asked.iter().take(MOST) {
        let (text, certainty) = sentence(evidence, it);
        let text = if several {
            format!("{} at {} s: {text}", kinds(it), seconds(it.begin.micros()))
        } else {
            text
        };
        sentences.push(Sentence { text, certainty });
    }
    if asked.len() > MOST {
        let text = format!("{filled} of {} showed ads", counted(asked.len(), "break"));
        sentences.push(Sentence {
            text,
            certainty: Certainty::Seen,
        });
    }
    let told = evidence.pages.iter().chain(&evidence.stitched);
    sentences.extend(told.map(|text| Sentence {
        text: text.clone(),
        certainty: Certainty::Seen,
    }));
    for it in &evidence.jumps {
        let entry = evidence.recording.exchanges[it.exchange].number;
        let (at, to) = (seconds(it.at.micros()), seconds(it.to.micros()));
        sentences.push(Sentence {
            text: format!("at {at} s the content jumped to {to} s (entry {entry})"),
            certainty: Certainty::Inferred,
        });
    }
    sentences.extend(unasked(evidence, verdict));
    if !verdict.bids.is_empty() {
        let bid = |it: &BidVerdict| {
            let price = it.price.as_ref();
            let price = price.map_or_else(String::new, |price| format!(" at {price}"));
            let how = if it.is_shown { "shown" } else { "not shown" };
            format!("{} of {}{price}, {how}", it.ads.join(", "), short(&it.url))
        };
        let bids: Vec<String> = verdict.bids.iter().take(MOST).map(bid).collect();
        let are = if bids.len() == 1 {
            "is not an ad tag"
        } else {
            "are not ad tags"
        };
        sentences.push(Sentence {
            text: format!(
                "the page also ran an auction with {}, which {are}: {}",
                counted(verdict.bids.len(), "bid"),
                bids.join("; ")
            ),
            certainty: Certainty::Inferred,
        });
    }
    if asked.is_empty() {
        let text = "a schedule came, and none of its breaks began".to_owned();
        sentences.push(Sentence {
            text,
            certainty: Certainty::Seen,
        });
    }
    for it in verdict.unknown.iter().filter(|it| it.is_essential).take(2) {
        sentences.push(Sentence {
            text: it.what.clone(),
            certainty: Certainty::Unknown,
        });
    }
    Headline {
        shown,
        is_unknown,
        sentences,
    }
}

/// Returns which breaks of a schedule began neither with a request nor with an ad.
fn unasked(evidence: &Evidence, verdict: &PageVerdict) -> Option<Sentence> {
    let is_plan = |it: &&BreakVerdict| it.is_schedule() && !is_failed(it);
    let plan = verdict.breaks.iter().find(is_plan)?;
    let read = evidence.documents[plan.tags.first()?.document]
        .read
        .as_ref()?;
    let begun = verdict.breaks.iter().filter_map(|it| it.scheduled);
    let begun: Vec<usize> = begun.collect();
    // A break without a tag and without an ad has nothing that could be asked or shown.
    let is_empty = |it: &Break| match it.source.as_ref().map(|source| &source.kind) {
        Some(AdSourceKind::Tag { .. } | AdSourceKind::Custom { document: None, .. }) => false,
        Some(
            AdSourceKind::Vast(inside)
            | AdSourceKind::Custom {
                document: Some(inside),
                ..
            },
        ) => inside.ads.is_empty(),
        Some(AdSourceKind::Empty) | None => true,
    };
    let left = read.breaks.iter().enumerate();
    let left = left.filter(|(index, it)| !begun.contains(index) && !is_empty(it));
    let left: Vec<String> = left
        .map(|(_, it)| match it.time_offset {
            Some(TimeOffset::Start) => "the start".to_owned(),
            Some(TimeOffset::End) => "the end".to_owned(),
            Some(TimeOffset::At(at)) => format!("{} s", seconds(at.micros())),
            Some(_) | None => "another time".to_owned(),
        })
        .collect();
    (!left.is_empty()).then(|| Sentence {
        text: format!(
            "breaks of the schedule that were not asked: at {}",
            left.join(", ")
        ),
        certainty: Certainty::Seen,
    })
}

fn is_failed(it: &BreakVerdict) -> bool {
    !it.tags
        .iter()
        .any(|tag| matches!(tag.outcome, TagResult::Scheduled { .. }))
}

/// Returns for how long nothing of an ad happened before it began, though its document was there:
/// neither its document nor its film was loading. `None` if that is short, or if the recording does
/// not show it.
pub(crate) fn idle_before(evidence: &Evidence, ad: &AdVerdict) -> Option<Span> {
    let mut films = Vec::new();
    let mut has_film = false;
    for (finding, it) in evidence.each().filter(|(_, it)| it.at() <= ad.start) {
        let (Role::Media(name) | Role::Interactive(name) | Role::Verification(name)) = finding.role
        else {
            continue;
        };
        let name = &evidence.names.all[name];
        if (name.document, name.ad) == (ad.document, Some(ad.at)) {
            has_film |= name.what == Named::Media;
            films.push(it);
        }
    }
    // Without its film, or before that has come, it may have been loading.
    let is_known = has_film && films.iter().all(|it| it.time.is_some());
    let mut quiet = Span::ZERO;
    let mut since = evidence.answer(ad.document).over();
    for (from, to) in films.iter().map(|it| (it.at(), it.over())) {
        // A time minus a later one is zero.
        quiet = quiet.max(from - since);
        since = since.max(to);
    }
    quiet = quiet.max(ad.start - since);
    let is_exact = evidence.recording.clock == RecordedClock::Exact;
    (is_known && is_exact && quiet >= LONG).then_some(quiet)
}

/// Says which tag filled a break, and when its first ad began.
fn filled(
    evidence: &Evidence,
    it: &BreakVerdict,
    (ad, by): (&AdVerdict, &TagVerdict),
    after: &str,
) -> String {
    let count = it.tags.len();
    let late = if matches!(by.outcome, TagResult::ShownLate { .. }) {
        ", late: the player had already gone on"
    } else {
        ""
    };
    let more: Vec<&Exchange> = perhaps(evidence, it).collect();
    let is_open = gaps(evidence, it).next().is_some() || !more.is_empty();
    if by.together {
        format!(
            "filled by one of {} that were asked at once ({}) after {after} s{late}",
            counted(count, "tag"),
            short(&by.url)
        )
    } else if count > 1 || is_open {
        let least = if is_open { "at least " } else { "" };
        let first = more.iter().map(|one| one.at()).min();
        let since = first.map(|first| (ad.start - first.min(it.begin)).micros());
        let perhaps = since.map_or_else(String::new, |since| {
            let (number, all) = (by.number + more.len(), count + more.len());
            format!(", perhaps tag {number} of {all} after {} s", seconds(since))
        });
        let known = if is_open { "" } else { " known tags" };
        format!(
            "filled by tag {} of {least}{count}{known} ({}) after {after} s{late}{perhaps}",
            by.number,
            short(&by.url)
        )
    } else {
        let what = if evidence.finding(by.document).ground.is_bid() {
            "a bid"
        } else {
            "its only known tag"
        };
        format!(
            "filled by {what} ({}) after {after} s{late}",
            short(&by.url)
        )
    }
}

/// Returns the sentence about one break.
fn sentence(evidence: &Evidence, it: &BreakVerdict) -> (String, Certainty) {
    let Some(ad) = it.ads.first() else {
        return without_ad(it);
    };
    let after = (ad.start - it.begin).micros();
    let after = match evidence.recording.clock {
        RecordedClock::Seconds => format!("about {}", after / 1_000_000),
        RecordedClock::Exact | RecordedClock::Unreadable => seconds(after),
    };
    let Some(by) = it.tags.iter().find(|tag| tag.is_shown()) else {
        let ended = ad
            .end
            .as_ref()
            .map_or(String::new(), |(_, how)| format!(" and ended with {how}"));
        let text = if it
            .tags
            .iter()
            .any(|tag| evidence.tied.contains(&tag.document))
        {
            format!(
                "an ad began {after} s after the first tag{ended}; which tag filled cannot be told"
            )
        } else {
            format!("an ad inside the schedule began after {after} s{ended}")
        };
        return (text, Certainty::Seen);
    };
    // Its number counts the tags before it, of which some may be inferred.
    let numbered = it.tags.iter().map(|tag| {
        evidence
            .finding(tag.document)
            .certainty
            .min(Certainty::Inferred)
    });
    let mut certainty = numbered.max().unwrap_or(Certainty::Seen).max(by.certainty);
    let mut text = filled(evidence, it, (ad, by), &after);
    if let Some(idle) = idle_before(evidence, ad) {
        text.push_str(&format!(
            "; for {} s of that, nothing of the ad was loading, so it may have been requested ahead of time",
            seconds(idle.micros())
        ));
    }
    let costly = it
        .tags
        .iter()
        .filter(|tag| tag.number < by.number && !tag.together);
    let costly =
        costly.filter_map(|tag| Some((tag.waited.filter(|waited| *waited >= WORTH)?, tag)));
    let worst = costly.max_by_key(|(waited, _)| *waited);
    if let Some((waited, tag)) = worst.filter(|(_, tag)| is_unexplained(evidence, tag)) {
        text.push_str(&format!(
            "; of these, {} s passed until the next known tag after tag {}, and what the page waited for is not known",
            seconds(waited.micros()),
            tag.number
        ));
    } else if let Some((waited, tag)) = worst {
        certainty = certainty.max(tag.certainty.min(Certainty::Inferred));
        text.push_str(&format!(
            "; {} s of it were spent on tag {}, {}",
            seconds(waited.micros()),
            tag.number,
            which(tag)
        ));
    } else if let Some(tag) = it.tags.iter().find(|tag| {
        tag.number < by.number
            && matches!(
                tag.outcome,
                TagResult::Failed {
                    cause: TagFailure::Network { .. } | TagFailure::Reported { .. }
                }
            )
    }) {
        text.push_str(&format!("; tag {}: {}", tag.number, words(tag)));
    }
    for ad in &it.missing {
        let name = ad.id.as_deref().unwrap_or("another ad");
        text.push_str(&format!("; {name} of its ads was not shown: {}", ad.words));
    }
    (text, certainty)
}

/// Returns whether nothing explains why the page waited after a tag.
fn is_unexplained(evidence: &Evidence, tag: &TagVerdict) -> bool {
    let waited = tag.asked + tag.waited.unwrap_or_default();
    evidence.gaps.iter().any(|(_, to)| *to == waited)
}

fn without_ad(it: &BreakVerdict) -> (String, Certainty) {
    let certainty = it
        .tags
        .iter()
        .map(|tag| tag.certainty)
        .max()
        .unwrap_or(Certainty::Seen);
    if it
        .tags
        .iter()
        .any(|tag| matches!(tag.outcome, TagResult::Unknown { .. }))
    {
        return (
            "no ad was seen on the screen; whether one was shown is unknown".to_owned(),
            Certainty::Unknown,
        );
    }
    if it.tags.is_empty() {
        let name = |ad: &MissingAd| ad.id.as_deref().unwrap_or("without an id").to_owned();
        let ads = it
            .missing
            .iter()
            .map(|ad| format!("ad {}: {}", name(ad), ad.words));
        let ads: Vec<String> = ads.collect();
        return (
            format!("no ad was shown ({})", ads.join("; ")),
            Certainty::Seen,
        );
    }
    let is_ahead = |tag: &TagVerdict| {
        tag.outcome
            == TagResult::AnsweredNotShown {
                why: NotShown::NotDue,
            }
    };
    if it.tags.iter().all(is_ahead) {
        let words = "its ad is not due before the recording ends; the tag was asked ahead";
        return (words.to_owned(), Certainty::Inferred);
    }
    let parts: Vec<String> = it
        .tags
        .iter()
        .take(6)
        .map(|tag| format!("tag {}: {}", tag.number, words(tag)))
        .collect();
    let more = if it.tags.len() > 6 {
        format!(", and {} more", it.tags.len() - 6)
    } else {
        String::new()
    };
    (
        format!("no ad was shown ({}{more})", parts.join("; ")),
        certainty,
    )
}

fn which(tag: &TagVerdict) -> String {
    match &tag.outcome {
        TagResult::GivenUp { .. } => "which the player gave up".to_owned(),
        TagResult::NoAd { .. } => "which had no ad".to_owned(),
        TagResult::AnsweredNotShown {
            why: NotShown::TooLate { .. },
        } => "which answered too late".to_owned(),
        TagResult::Failed { .. }
        | TagResult::AnsweredNotShown { .. }
        | TagResult::Filled { .. }
        | TagResult::ShownLate { .. }
        | TagResult::Scheduled { .. }
        | TagResult::Unknown { .. } => words(tag),
    }
}

/// Returns what became of a tag: `given up between 1.490 and 1.510 s`.
pub(crate) fn words(tag: &TagVerdict) -> String {
    match &tag.outcome {
        TagResult::Filled {
            by: ShownBy::Media, ..
        } => "filled, as the request for its film shows".to_owned(),
        TagResult::Filled { .. } => "filled".to_owned(),
        TagResult::ShownLate { .. } => "shown late, after the player had gone on".to_owned(),
        TagResult::AnsweredNotShown { why } => match why {
            NotShown::TooLate { by } => {
                format!("answered too late by {} s, not shown", seconds(by.micros()))
            }
            NotShown::OtherWasShown => "answered with an ad, not shown: another was".to_owned(),
            NotShown::NotDue => {
                "asked ahead, and its break is not due before the recording ends".to_owned()
            }
            NotShown::Unknown => {
                "answered with an ad that was not shown; why, the recording does not say".to_owned()
            }
        },
        TagResult::Scheduled { breaks } => format!("a schedule of {}", counted(*breaks, "break")),
        TagResult::NoAd { how } => format!("no ad: {how}"),
        TagResult::Failed { cause } => cause_in_words(cause),
        TagResult::GivenUp {
            between: (from, to),
        } => {
            let (from, to) = (seconds(from.micros()), seconds(to.micros()));
            if from == to {
                format!("given up after {to} s")
            } else {
                format!("given up between {from} and {to} s")
            }
        }
        TagResult::Unknown { why } => format!("unknown: {why}"),
    }
}

fn cause_in_words(cause: &TagFailure) -> String {
    match cause {
        TagFailure::Status { status, hop: 0 } => format!("failed: HTTP {status}"),
        TagFailure::Status { status, .. } => {
            format!("failed: HTTP {status} for the document of its wrapper")
        }
        TagFailure::Network {
            words,
            meaning: Some(meaning),
        } => format!("failed: {words} ({meaning})"),
        TagFailure::Network {
            words,
            meaning: None,
        } => format!("failed: {words}"),
        TagFailure::Document { damage } => format!("failed: {damage}"),
        TagFailure::NotVast { answer } => format!("failed: answered with {answer}"),
        TagFailure::Media { words, .. } => {
            format!("failed: the film of its ad did not come ({words})")
        }
        TagFailure::Reported { code } => format!("failed: the page's error pixel says {code}"),
    }
}

/// Returns the possible kinds of a break: `mid-roll or post-roll`.
pub(crate) fn kinds(it: &BreakVerdict) -> String {
    let kinds: Vec<&str> = it.kinds.iter().map(|kind| kind.word()).collect();
    kinds.join(" or ")
}

impl RecordedBreakKind {
    /// Returns the word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            RecordedBreakKind::PreRoll => "pre-roll",
            RecordedBreakKind::MidRoll => "mid-roll",
            RecordedBreakKind::PostRoll => "post-roll",
            RecordedBreakKind::NextPreRoll => "pre-roll of another video",
            RecordedBreakKind::Overlay => "overlay",
            RecordedBreakKind::Outstream => "outstream",
            RecordedBreakKind::OtherPlayer => "break of another player",
            RecordedBreakKind::Schedule => "schedule",
        }
    }
}

/// Returns host and path of a URL.
pub(crate) fn short(url: &str) -> &str {
    let bare = crate::evidence::bare(url);
    bare.split_once("://").map_or(bare, |(_, rest)| rest)
}
