//! The deviations of the page from the documented behaviour: each cause once, with its reason, the
//! worst first.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::evidence::{Certainty, Evidence, Role};
use crate::recording::Exchange;
use crate::verdict::{
    LONG, PageVerdict as Judged, PixelFault, PlayedLength, TagResult, played, short, unfilled,
};
use playsim_base::time::Span;
use playsim_base::words::{counted, seconds};
use playsim_report::comparison::{
    ComparedStep, Pixel, ProductComparison, Seen, SeenOutcome, StepKind, StepVerdict,
};
use playsim_report::waterfall::{AdEnd, Waterfalls};
use playsim_vast::{TrackedEvent, TrackingEvent};

/// A page that takes this long from an answer to its consequence is slow.
const SLOW: Span = Span::from_millis(250);

/// How bad a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rank {
    /// An ad was not shown, or not counted.
    NotCounted,
    /// Something was counted twice, or without being due.
    CountedWrongly,
    /// An error was reported with another code.
    WrongCode,
    /// Something came at another time.
    WrongTime,
    /// It makes no difference to any report.
    Cosmetic,
}

/// A difference between the page and the documented player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageDifference {
    /// How bad it is.
    pub rank: Rank,
    /// The behaviour of the page.
    pub what: String,
    /// Why, as far as the evidence shows it; `None`: the reason is unknown.
    pub why: Option<String>,
    /// How sure it is.
    pub certainty: Certainty,
    /// The number of requests that it concerns.
    pub count: usize,
    /// The rule of the documented behaviour.
    pub rule: Option<String>,
    /// When it is first seen.
    pub at_us: u64,
}

/// Returns the differences of a recording.
pub(super) fn of(
    evidence: &Evidence,
    verdict: &Judged,
    comparison: &ProductComparison,
    report: &Waterfalls,
) -> Vec<PageDifference> {
    let mut found = lengths(verdict);
    found.extend(faults(verdict, report));
    if let Some(difference) = of_one_cause(verdict, comparison) {
        found.push(difference);
        return merge(found);
    }
    // Parts of a missing ad are missing with it.
    let missing: Vec<&ComparedStep> = comparison
        .steps
        .iter()
        .filter(|step| is_missing_ad(step))
        .collect();
    let is_with = |ad_break: Option<usize>, wp: Option<u32>| {
        missing
            .iter()
            .any(|ad| Some(ad.ad_break) == ad_break && ad.wp == wp)
    };
    let skipped: Vec<&ComparedStep> = comparison
        .steps
        .iter()
        .filter(|step| is_skipped(step))
        .collect();
    let is_of_skipped = |pixel: &Pixel| match pixel.verdict {
        StepVerdict::OnlySimulated => skipped
            .iter()
            .any(|ad| Some(ad.ad_break) == pixel.ad_break && ad.wp == pixel.wp),
        StepVerdict::OnlyRecorded => {
            !skipped.is_empty() && pixel.event == Some(TrackingEvent::Skip.into())
        }
        StepVerdict::Same
        | StepVerdict::OtherOutcome
        | StepVerdict::OtherTime
        | StepVerdict::Unknown => false,
    };
    let (of_ads, explained) = of_ads(evidence, verdict, comparison);
    found.extend(of_ads);
    found.extend(missing.iter().map(|ad| of_missing(ad, comparison)));
    found.extend(skipped.iter().map(|ad| {
        let count = comparison.pixels.iter().filter(|pixel| is_of_skipped(pixel)).count();
        let why = "by the rules there is no skip at that time: the document has no skipoffset, or a later one";
        let what = format!("the ad {} was skipped", ad.name);
        PageDifference { count: count + 1, ..difference(ad, Rank::CountedWrongly, what, Some(why)) }
    }));
    for step in &comparison.steps {
        let is_told = step.verdict == StepVerdict::OnlySimulated
            && matches!(step.kind, StepKind::Ad | StepKind::Media)
            && is_with(Some(step.ad_break), step.wp)
            || step.kind == StepKind::Ad
                && step.verdict == StepVerdict::OtherTime
                && explained
                    .iter()
                    .any(|at| comparison.pixels[*at].ad.as_ref() == Some(&step.name));
        found.extend(of_step(evidence, verdict, step).filter(|_| !is_told && !is_skipped(step)));
    }
    for (at, pixel) in comparison.pixels.iter().enumerate() {
        let is_told = explained.contains(&at)
            || pixel.verdict == StepVerdict::OnlySimulated && is_with(pixel.ad_break, pixel.wp)
            || is_of_skipped(pixel);
        found.extend(of_pixel(evidence, verdict, pixel).filter(|_| !is_told));
    }
    merge(found)
}

/// Returns what happened to ads within them, once for each ad: that one stood still, after which
/// its pixels are late, or that it ended without a pixel, after which they are missing. Also
/// returns the pixels that this explains.
fn of_ads(
    evidence: &Evidence,
    verdict: &Judged,
    comparison: &ProductComparison,
) -> (Vec<PageDifference>, BTreeSet<usize>) {
    let mut ads: BTreeMap<_, Vec<(usize, &Pixel)>> = BTreeMap::new();
    for (at, pixel) in comparison.pixels.iter().enumerate() {
        // An error says nothing of how far an ad got.
        let is_error = pixel
            .event
            .as_ref()
            .is_some_and(|it| *it == TrackingEvent::Error);
        if let Some((ad_break, ad)) = pixel.ad_break.zip(pixel.ad.as_deref())
            && pixel.simulated_us.is_some()
            && !is_error
        {
            ads.entry((ad_break, pixel.wp, ad))
                .or_default()
                .push((at, pixel));
        }
    }
    let mut found = Vec::new();
    let mut explained = BTreeSet::new();
    let is_known = evidence.pace < SLOW && !verdict.ads().any(|ad| is_measured(&ad.played));
    for ((_, _, name), mut pixels) in ads.into_iter().filter(|_| is_known) {
        pixels.sort_by_key(|(_, pixel)| pixel.simulated_us);
        let is_in = |(_, pixel): &&(usize, &Pixel)| pixel.recorded_us.is_some();
        let Some(last) = pixels.iter().rfind(is_in) else {
            continue;
        };
        let last_due = last.1.simulated_us;
        let is_late = |pixel: &Pixel| {
            pixel.verdict == StepVerdict::OtherTime && pixel.difference_us.is_some_and(|by| by > 0)
        };
        let is_gone = |pixel: &Pixel| {
            pixel.verdict == StepVerdict::OnlySimulated && pixel.simulated_us > last_due
        };
        let late = pixels.iter().skip_while(|(_, pixel)| !is_late(pixel));
        let late: Vec<&(usize, &Pixel)> = late.filter(|(_, pixel)| is_in(&&(0, *pixel))).collect();
        let gone: Vec<&(usize, &Pixel)> =
            pixels.iter().filter(|(_, pixel)| is_gone(pixel)).collect();
        let word = |pixel: &Pixel| {
            pixel
                .event
                .as_ref()
                .map_or("", TrackedEvent::name)
                .to_owned()
        };
        let one = |rank, what, why: String, all: &[&(usize, &Pixel)]| {
            let seen = all[0].1.recorded_us.or(last.1.recorded_us);
            PageDifference {
                rank,
                what,
                why: Some(why),
                certainty: Certainty::Inferred,
                count: all.len(),
                rule: all[0].1.rule.clone(),
                at_us: seen.unwrap_or_default(),
            }
        };
        if !late.is_empty() && late.iter().all(|(_, pixel)| is_late(pixel)) {
            let by = late[0].1.difference_us.unwrap_or_default();
            let by = seconds(u64::try_from(by).unwrap_or_default());
            let what = format!(
                "the ad {name} stood still for {by} s before {}",
                word(late[0].1)
            );
            let why =
                "its later pixels are as late; why it stood still, the recording does not say";
            found.push(one(Rank::WrongTime, what, why.to_owned(), &late));
            explained.extend(late.iter().map(|(at, _)| *at));
        }
        let is_ended = verdict
            .ads()
            .any(|ad| ad.id.as_deref() == Some(name) && ad.end.is_some());
        if gone.len() > 1 && !is_ended {
            let what = format!("the ad {name} ended without a pixel after {}", word(last.1));
            let why = "the viewer may have skipped it, if its skip has no pixel, or the page took it away; what was due later \
                       was not called";
            found.push(one(Rank::NotCounted, what, why.to_owned(), &gone));
            explained.extend(gone.iter().map(|(at, _)| *at));
        }
    }
    (found, explained)
}

/// Returns whether the viewer skipped an ad that the documented player played to its end: it offers
/// no skip.
fn is_skipped(step: &ComparedStep) -> bool {
    let ends = |seen: &Option<Seen>, end| {
        seen.as_ref()
            .is_some_and(|it| it.outcome == SeenOutcome::Ended(end))
    };
    step.kind == StepKind::Ad
        && step.verdict == StepVerdict::OtherOutcome
        && ends(&step.recorded, AdEnd::Skip)
        && ends(&step.simulated, AdEnd::Complete)
}

/// Returns the behaviour of a slow page, and its reason.
fn slow(evidence: &Evidence) -> (String, String) {
    let pace = seconds(evidence.pace.micros());
    let why = format!(
        "in this recording, {pace} s usually pass from an answer until the page goes on: it was busy"
    );
    ("the page asked later than by the rules".to_owned(), why)
}

fn is_missing_ad(step: &ComparedStep) -> bool {
    step.kind == StepKind::Ad && step.verdict == StepVerdict::OnlySimulated
}

/// Returns the difference for an ad that the page did not show, with all that belongs to it.
fn of_missing(ad: &ComparedStep, comparison: &ProductComparison) -> PageDifference {
    let pixels = comparison.pixels.iter().filter(|pixel| {
        pixel.verdict == StepVerdict::OnlySimulated
            && (pixel.ad_break, pixel.wp) == (Some(ad.ad_break), ad.wp)
    });
    let count = pixels.count();
    let is_film = |step: &&ComparedStep| {
        step.kind == StepKind::Media
            && step.recorded.is_some()
            && (step.ad_break, step.wp) == (ad.ad_break, ad.wp)
    };
    let film = if comparison.steps.iter().any(|step| is_film(&step)) {
        "its film was asked for"
    } else {
        "its film was not asked for"
    };
    let why = format!(
        "{film}, and {} due before the recording ends {} not called; why, the recording does not say",
        counted(count, "pixel"),
        if count == 1 { "was" } else { "were" }
    );
    let what = format!("the ad {} is missing on the page", ad.name);
    PageDifference {
        count: count + 1,
        ..difference(ad, Rank::NotCounted, what, Some(&why))
    }
}

/// Returns the difference that explains all requests that only one side has: the page asked for
/// tags in another way, or showed an ad that the documented player leaves out.
fn of_one_cause(verdict: &Judged, comparison: &ProductComparison) -> Option<PageDifference> {
    let steps = comparison
        .steps
        .iter()
        .map(|step| (step.verdict, step.recorded.as_ref()));
    let pixels = comparison.pixels.iter().map(|pixel| (pixel.verdict, None));
    let all: Vec<_> = steps
        .chain(pixels)
        .filter(|(verdict, _)| verdict.is_difference())
        .collect();
    let at_us = all
        .iter()
        .filter_map(|(_, seen)| seen.as_ref().map(|seen| seen.from_us))
        .min();
    let together = verdict.tags().filter(|tag| tag.together).count();
    let late = verdict
        .tags()
        .find(|tag| matches!(tag.outcome, TagResult::ShownLate { .. }));
    let certainty = match late {
        Some(tag) if together == 0 => tag.certainty,
        Some(_) | None => Certainty::Seen,
    };
    let (what, why) = if all.is_empty() {
        return None;
    } else if together > 0 {
        let why = "by the rules one player asks one after another, so other tags are asked and other ads shown; they may be of several players";
        (
            format!("{} were asked at once", counted(together, "tag")),
            why,
        )
    } else {
        let why =
            "the page shows ads that come after it has gone on; by the rules they are left out";
        (
            format!("the ad of tag {} was shown late", late?.number),
            why,
        )
    };
    Some(PageDifference {
        rank: Rank::CountedWrongly,
        what,
        why: Some(why.to_owned()),
        certainty,
        count: all.len(),
        rule: None,
        at_us: at_us.unwrap_or_default(),
    })
}

/// Merges deviations with one cause into one entry, and sorts by rank and time.
fn merge(found: Vec<PageDifference>) -> Vec<PageDifference> {
    let mut merged: BTreeMap<(Rank, String, Option<String>), PageDifference> = BTreeMap::new();
    for it in found {
        let key = (it.rank, it.what.clone(), it.why.clone());
        match merged.get_mut(&key) {
            Some(known) => {
                known.count += it.count;
                known.at_us = known.at_us.min(it.at_us);
            }
            None => drop(merged.insert(key, it)),
        }
    }
    let mut merged: Vec<PageDifference> = merged.into_values().collect();
    merged.sort_by_key(|it| (it.rank, it.at_us));
    merged
}

/// Returns the ads that were not played as long as their documents say.
fn lengths(verdict: &Judged) -> Vec<PageDifference> {
    let ads = verdict.ads().filter_map(|ad| {
        let name = ad.id.as_deref().unwrap_or("the ad");
        let (what, rank) = match &ad.played {
            PlayedLength::OtherPace { length } => {
                let is_sooner = ad.documented.is_some_and(|documented| *length < documented);
                let word = if is_sooner { "sooner" } else { "later" };
                (
                    format!("the pixels of {name} came {word} than by the rules"),
                    Rank::WrongTime,
                )
            }
            PlayedLength::OtherLength { file } => {
                let is_shorter = ad.documented.is_some_and(|documented| *file < documented);
                let word = if is_shorter { "shorter" } else { "longer" };
                (
                    format!("{name} was {word} than by the rules"),
                    Rank::WrongTime,
                )
            }
            PlayedLength::FiredEarly { events, .. } => {
                let names: Vec<&str> = events.iter().map(|(event, _)| event.name()).collect();
                let is_counted = events
                    .iter()
                    .any(|(event, _)| *event == TrackingEvent::Complete);
                let rank = if is_counted {
                    Rank::CountedWrongly
                } else {
                    Rank::WrongTime
                };
                (
                    format!("{} of {name} came too early", names.join(", ")),
                    rank,
                )
            }
            PlayedLength::AsDocumented | PlayedLength::Unknown => return None,
        };
        Some(PageDifference {
            rank,
            what,
            why: played(ad),
            certainty: ad.played.certainty(),
            count: 1,
            rule: None,
            at_us: ad.start.micros(),
        })
    });
    ads.collect()
}

/// Returns the pixels that were sent in a way that does not count.
fn faults(verdict: &Judged, report: &Waterfalls) -> Vec<PageDifference> {
    // Macros that the documented player leaves unfilled, too.
    let left: Vec<&str> = report
        .breaks
        .iter()
        .flat_map(|it| &it.unfilled)
        .map(|it| &*it.name)
        .collect();
    let each = verdict
        .pixels
        .iter()
        .flat_map(|pixel| pixel.faults.iter().map(move |fault| (pixel, fault)));
    let differences = each.filter_map(|(pixel, fault)| {
        let event = &pixel.event;
        let (rank, what, why) = match fault {
            PixelFault::Status { status } => (
                Rank::NotCounted,
                format!("{event} was refused by {}: HTTP {status}", host(&pixel.url)),
                Some("the server of the pixel answered with an error".to_owned()),
            ),
            PixelFault::Failed { words } => (
                Rank::NotCounted,
                format!("{event} did not reach {}", host(&pixel.url)),
                Some(format!("the browser says {words}")),
            ),
            PixelFault::Onward { url, words } => (
                Rank::NotCounted,
                format!("{event} did not reach {}", host(url)),
                Some(format!("{} redirected it there: {words}", host(&pixel.url))),
            ),
            PixelFault::Unfilled { macros } => {
                let due: Vec<&str> = macros
                    .iter()
                    .map(|it| &**it)
                    .filter(|it| !left.contains(it))
                    .collect();
                if due.is_empty() {
                    return None;
                }
                let rank = if *event == TrackingEvent::Error {
                    Rank::WrongCode
                } else {
                    Rank::Cosmetic
                };
                (
                    rank,
                    format!("pixels were sent with {}", due.join(", ")),
                    Some("the macro was not filled".to_owned()),
                )
            }
            PixelFault::NotSent => (
                Rank::NotCounted,
                format!("{event} was not sent to {}", host(&pixel.url)),
                Some("answered from the browser's cache; the server did not see it".to_owned()),
            ),
            PixelFault::Repeated => (
                Rank::Cosmetic,
                format!(
                    "{event} was called twice, and sent to {} once",
                    host(&pixel.url)
                ),
                Some("the second response came from the browser's cache".to_owned()),
            ),
            PixelFault::Twice => (
                Rank::CountedWrongly,
                format!("{event} was sent twice to {}", host(&pixel.url)),
                None,
            ),
        };
        let at_us = pixel.at.micros();
        Some(PageDifference {
            rank,
            what,
            why,
            certainty: pixel.certainty,
            count: 1,
            rule: None,
            at_us,
        })
    });
    differences.collect()
}

fn of_step(evidence: &Evidence, verdict: &Judged, step: &ComparedStep) -> Option<PageDifference> {
    if !step.verdict.is_difference() {
        return None;
    }
    let name = match step.kind {
        StepKind::Tag => format!("the tag {}", short(&step.name)),
        StepKind::Hop => format!("the wrapper's document {}", short(&step.name)),
        StepKind::Media => format!("the film {}", short(&step.name)),
        StepKind::Ad => format!("the ad {}", step.name),
    };
    let is_ad = step.kind == StepKind::Ad;
    let times = step.recorded.as_ref().zip(step.simulated.as_ref());
    let is_early = times.is_some_and(|(recorded, simulated)| recorded.from_us < simulated.from_us);
    if step.verdict == StepVerdict::OtherTime {
        // The end of an ad is explained by its length, a wait by a request that is not recorded.
        let is_gap = step.recorded.as_ref().is_some_and(|seen| {
            evidence
                .gaps
                .iter()
                .any(|(_, to)| to.micros() == seen.from_us)
        });
        if is_gap || is_ad && verdict.ads().any(|ad| is_measured(&ad.played)) {
            return None;
        }
        let is_tag = step.kind == StepKind::Tag;
        if is_early && is_tag && is_asked_ahead(verdict, &step.name) {
            let why = "by the rules a tag of a schedule is asked for when its break is due";
            return Some(difference(
                step,
                Rank::Cosmetic,
                "tags were asked before their breaks".to_owned(),
                Some(why),
            ));
        }
    }
    // A page on a busy machine is late with everything that it asks for.
    if step.verdict == StepVerdict::OtherTime && !is_early && !is_ad && evidence.pace >= SLOW {
        let (what, why) = slow(evidence);
        let certainty = Certainty::Inferred;
        return Some(PageDifference {
            certainty,
            ..difference(step, Rank::WrongTime, what, Some(&why))
        });
    }
    let note = step
        .note
        .as_ref()
        .map_or_else(String::new, |note| format!(": {note}"));
    let (rank, what) = match step.verdict {
        StepVerdict::OnlySimulated if is_ad => {
            (Rank::NotCounted, format!("{name} is missing on the page"))
        }
        StepVerdict::OnlySimulated => (
            Rank::WrongTime,
            format!("the request for {name} is missing on the page"),
        ),
        StepVerdict::OnlyRecorded if is_ad => {
            (Rank::CountedWrongly, format!("the rules ask for no {name}"))
        }
        StepVerdict::OnlyRecorded => (
            Rank::Cosmetic,
            format!("a player that follows the rules would not have asked for {name}"),
        ),
        StepVerdict::OtherOutcome => (
            Rank::WrongTime,
            format!("{name} had another outcome than by the rules"),
        ),
        StepVerdict::OtherTime => (
            Rank::WrongTime,
            format!("{name} came at another time{note}"),
        ),
        StepVerdict::Same | StepVerdict::Unknown => return None,
    };
    let at_once = "the page asks for the documents of all ads of a pod at once; by the rules it is one ad after another";
    let script = "a verification script of the ad was loading until shortly before";
    let why = match step.kind {
        StepKind::Hop if is_early => Some(at_once),
        StepKind::Ad if !is_early && waits_for_script(evidence, verdict, step) => Some(script),
        StepKind::Media if is_second_try(evidence, step) => {
            Some("another file of the same ad had not come")
        }
        StepKind::Ad | StepKind::Hop | StepKind::Tag | StepKind::Media => None,
    };
    Some(difference(step, rank, what, why))
}

/// Returns whether a page asked for a film after another file of the same ad had failed.
fn is_second_try(evidence: &Evidence, step: &ComparedStep) -> bool {
    let asked = step.recorded.as_ref().map(|seen| seen.from_us);
    let films = evidence.each().filter_map(|(finding, it)| {
        let Role::Media(name) = finding.role else {
            return None;
        };
        let name = &evidence.names.all[name];
        Some(((name.document, name.ad), it))
    });
    let films: Vec<_> = films.collect();
    let is_it = |it: &Exchange| Some(it.at().micros()) == asked && *it.url == *step.name;
    let Some((ad, _)) = films.iter().find(|(_, it)| is_it(it)) else {
        return false;
    };
    let has_failed = |it: &Exchange| it.status().is_none_or(|status| status >= 400);
    films
        .iter()
        .filter(|(of, _)| of == ad)
        .any(|(_, it)| has_failed(it) && Some(it.at().micros()) < asked)
}

/// Returns whether a verification script of an ad had come, or failed, shortly before it began.
fn waits_for_script(evidence: &Evidence, verdict: &Judged, step: &ComparedStep) -> bool {
    let begun = step.recorded.as_ref().map(|seen| seen.from_us);
    let mut ads = verdict.ads();
    let Some(ad) = ads.find(|ad| Some(ad.start.micros()) == begun) else {
        return false;
    };
    evidence.each().any(|(finding, it)| {
        let Role::Verification(name) = finding.role else {
            return false;
        };
        let name = &evidence.names.all[name];
        (name.document, name.ad) == (ad.document, Some(ad.at))
            && it.over() <= ad.start
            && ad.start - it.over() < LONG
    })
}

fn difference(step: &ComparedStep, rank: Rank, what: String, why: Option<&str>) -> PageDifference {
    let seen = step.recorded.as_ref().or(step.simulated.as_ref());
    PageDifference {
        rank,
        what,
        why: why.map(str::to_owned),
        certainty: certainty(step.verdict),
        count: 1,
        rule: None,
        at_us: seen.map_or(0, |seen| seen.from_us),
    }
}

/// Returns whether a tag of a schedule was asked before its break: its ad was not shown, or it was
/// shown long after that.
fn is_asked_ahead(verdict: &Judged, url: &str) -> bool {
    let mut scheduled = verdict.breaks.iter().filter(|it| it.scheduled.is_some());
    scheduled.any(|it| {
        let mut tags = it.tags.iter().filter(|tag| *tag.url == *url);
        tags.any(|tag| it.ads.iter().all(|ad| ad.start - tag.asked >= LONG))
    })
}

/// Returns whether a pixel measures how far an ad was played.
fn is_measure(pixel: &Pixel) -> bool {
    matches!(
        pixel.event.as_ref().and_then(TrackedEvent::known),
        Some(
            TrackingEvent::FirstQuartile
                | TrackingEvent::Midpoint
                | TrackingEvent::ThirdQuartile
                | TrackingEvent::Complete
                | TrackingEvent::Progress
        )
    )
}

fn of_pixel(evidence: &Evidence, verdict: &Judged, pixel: &Pixel) -> Option<PageDifference> {
    if !pixel.verdict.is_difference() {
        return None;
    }
    let event = pixel.event.as_ref().map_or("", TrackedEvent::name);
    if is_measure(pixel)
        && pixel.verdict == StepVerdict::OtherTime
        && verdict.ads().any(|ad| is_measured(&ad.played))
    {
        return None;
    }
    let is_late = pixel
        .recorded_us
        .zip(pixel.simulated_us)
        .is_some_and(|(recorded, simulated)| recorded > simulated);
    if pixel.verdict == StepVerdict::OtherTime && is_late && evidence.pace >= SLOW {
        let (what, why) = slow(evidence);
        let at_us = pixel.recorded_us.unwrap_or_default();
        let certainty = Certainty::Inferred;
        return Some(PageDifference {
            rank: Rank::WrongTime,
            what,
            why: Some(why),
            certainty,
            count: 1,
            rule: None,
            at_us,
        });
    }
    let is_again = |sent: &crate::verdict::PixelVerdict| {
        Some(sent.at.micros()) == pixel.recorded_us
            && *sent.url == *pixel.url
            && [PixelFault::Twice, PixelFault::Repeated]
                .iter()
                .any(|it| sent.faults.contains(it))
    };
    // One that was sent twice is one already.
    if pixel.verdict == StepVerdict::OnlyRecorded && verdict.pixels.iter().any(is_again) {
        return None;
    }
    let host = host(&pixel.url);
    let (rank, what) = match pixel.verdict {
        StepVerdict::OnlySimulated => (
            Rank::NotCounted,
            format!("{event} to {host} is missing on the page"),
        ),
        StepVerdict::OnlyRecorded => (
            Rank::CountedWrongly,
            format!("the rules ask for no {event} to {host}"),
        ),
        StepVerdict::OtherOutcome => (
            Rank::WrongCode,
            format!("{event} to {host} says another code"),
        ),
        StepVerdict::OtherTime => (
            Rank::WrongTime,
            format!("{event} to {host} came at another time"),
        ),
        StepVerdict::Same | StepVerdict::Unknown => return None,
    };
    let macros = unfilled(&pixel.url);
    let why = pixel.note.clone().or_else(|| {
        (pixel.verdict == StepVerdict::OnlySimulated).then(|| {
            // Other words with "blocked" are those of the browser's own rules.
            let mut words = evidence.recording.exchanges.iter().filter_map(|it| it.outcome.words());
            let blocked = words.any(|words| words.to_ascii_lowercase().contains("blocked_by_client"));
            let after = "the recording goes on after it was due";
            if blocked {
                format!("{after}; the browser blocked other requests of the page, perhaps by an extension")
            } else {
                format!("{after}, and nothing in the recording shows an ad blocker")
            }
        })
    });
    let why = if macros.is_empty() {
        why
    } else {
        why.or(Some(counted(macros.len(), "unfilled macro")))
    };
    Some(PageDifference {
        rank,
        what,
        why,
        certainty: certainty(pixel.verdict),
        count: 1,
        rule: pixel.rule.clone(),
        at_us: pixel.recorded_us.or(pixel.simulated_us).unwrap_or_default(),
    })
}

/// Returns how sure a difference is: that something is missing follows from the recording going on
/// after it was due.
const fn certainty(verdict: StepVerdict) -> Certainty {
    match verdict {
        StepVerdict::OnlySimulated => Certainty::Inferred,
        StepVerdict::Unknown => Certainty::Unknown,
        StepVerdict::Same
        | StepVerdict::OtherTime
        | StepVerdict::OtherOutcome
        | StepVerdict::OnlyRecorded => Certainty::Seen,
    }
}

fn is_measured(it: &PlayedLength) -> bool {
    match it {
        PlayedLength::OtherLength { .. }
        | PlayedLength::OtherPace { .. }
        | PlayedLength::FiredEarly { .. } => true,
        PlayedLength::AsDocumented | PlayedLength::Unknown => false,
    }
}

fn host(url: &str) -> &str {
    short(url).split('/').next().unwrap_or_default()
}
