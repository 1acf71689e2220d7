//! Compares a recording with the trace of its scenario: each tag, hop, media file, ad and pixel
//! with its counterpart.
//!
//! Both sides are compared with the URLs that the documents name, so that macros and cache-busters
//! do not matter. Times count from anchors, so that one difference is reported once: requests from
//! the one before, pixels from the start of their ad.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::evidence::{Evidence, RequestFinding, Role};
use crate::recording::{Exchange, RecordedOutcome};
use crate::verdict::{AdVerdict, PageVerdict as Judged, RecordedEnd, error_code, idle_before};
use playsim_api::Kind;
use playsim_api::media::MediaFault;
use playsim_base::time::{Span, Time};
use playsim_check::compare::is_code_of_documents;
use playsim_report::comparison::{
    ComparedStep, Pixel, ProductComparison, Seen, SeenOutcome, StepKind, StepVerdict,
};
use playsim_report::dictionary::is_same_failure;
use playsim_report::waterfall::{
    AdEnd, Beacon, Played, RequestPurpose, TagRequest, Uncalled, Waterfalls,
};
use playsim_trace::Trace;
use playsim_vast::names::{Name, Named};
use playsim_vast::{self as vast, TrackedEvent, TrackingEvent};

/// Why nothing is said about a pixel that the page decides about.
const OF_THE_PAGE: &str = "the page decides about it, and the recording does not show that";

/// Compares a recording with the trace of its scenario. Times that differ by at most `within`
/// agree.
#[must_use]
pub fn compare(
    session: &Evidence,
    verdict: &Judged,
    trace: &Trace,
    report: &Waterfalls,
    within: Span,
) -> ProductComparison {
    let within_us = within.micros();
    let comparer = Comparer {
        session,
        verdict,
        report,
        within_us,
        end_us: session.end().micros(),
    };
    let ads = comparer.ads();
    let mut steps = comparer.steps(&ads);
    let mut pixels = comparer.pixels(&ads, &rules(trace));
    if let Some((url, from, to)) = comparer.unanswered() {
        let is_after = |recorded: Option<u64>, simulated: Option<u64>| {
            let is_in = |at: u64| (from..to).contains(&at);
            recorded.or(simulated).is_some_and(is_in)
        };
        let why = format!("the recording does not have what {url} answers");
        for it in &mut steps {
            let at = |seen: &Option<Seen>| seen.as_ref().map(|seen| seen.from_us);
            if it.verdict.is_difference() && is_after(at(&it.recorded), at(&it.simulated)) {
                (it.verdict, it.note) = (StepVerdict::Unknown, Some(why.clone()));
            }
        }
        for it in &mut pixels {
            if it.verdict.is_difference() && is_after(it.recorded_us, it.simulated_us) {
                (it.verdict, it.note) = (StepVerdict::Unknown, Some(why.clone()));
            }
        }
    }
    ProductComparison {
        recording: session.recording.name.clone(),
        within_us,
        steps,
        pixels,
    }
}

/// Returns the rules of the pixels of a trace, by time and URL.
fn rules(trace: &Trace) -> BTreeMap<(u64, String), String> {
    let beacons = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Beacon);
    let entry = |record: &playsim_trace::Record| {
        let url = record.data.get("url")?.as_text()?.to_string();
        Some(((record.at.micros(), url), record.rule?.to_string()))
    };
    beacons.filter_map(entry).collect()
}

/// The recorded pixels of one event, by their URL as written.
type OfEvent<'a> = BTreeMap<&'a str, VecDeque<(&'a Name, &'a Exchange)>>;

struct Comparer<'a> {
    session: &'a Evidence,
    verdict: &'a Judged,
    report: &'a Waterfalls,
    within_us: u64,
    /// The end of the recording.
    end_us: u64,
}

/// An ad on both sides, or on one. The number is that of its break.
struct Pair<'a> {
    recorded: Option<(usize, &'a AdVerdict)>,
    simulated: Option<(usize, &'a Played)>,
}

/// A request of the simulation, with its break and tag.
struct Asked<'a> {
    ad_break: usize,
    wp: u32,
    request: &'a TagRequest,
}

impl<'a> Comparer<'a> {
    /// Returns the ads of both sides, those that are the same in one pair.
    fn ads(&self) -> Vec<Pair<'a>> {
        let (session, report) = (self.session, self.report);
        let breaks = report.breaks.iter().enumerate();
        let mut left: Vec<(usize, &Played)> = breaks
            .flat_map(|(index, it)| it.played.iter().map(move |ad| (index, ad)))
            .collect();
        left.retain(|(_, ad)| ad.start_us.is_some());
        let mut pairs = Vec::new();
        for (index, it) in self.verdict.simulated().enumerate() {
            for ad in &it.ads {
                let place = format!("{}:{}", session.file_name(ad.document), ad.at);
                let found = left
                    .iter()
                    .position(|(_, played)| played.at.as_deref() == Some(&*place));
                let simulated = found.map(|found| left.remove(found));
                pairs.push(Pair {
                    recorded: Some((index, ad)),
                    simulated,
                });
            }
        }
        pairs.extend(left.into_iter().map(|ad| Pair {
            recorded: None,
            simulated: Some(ad),
        }));
        pairs
    }

    fn steps(&self, ads: &[Pair<'a>]) -> Vec<ComparedStep> {
        // The next one is mostly the first that is left.
        let mut requests = VecDeque::from(self.requests());
        let mut steps = Vec::new();
        let session = self.session;
        for (finding, it) in session.each() {
            let role = &finding.role;
            let (kind, keys, hop) = match role {
                Role::Document(document)
                    if !self.verdict.is_simulated(session, *document)
                        || session.again(*document).is_some() =>
                {
                    continue;
                }
                Role::Media(name) | Role::Interactive(name)
                    if !self
                        .verdict
                        .is_simulated(session, session.names.all[*name].document) =>
                {
                    continue;
                }
                Role::Document(document) => {
                    let hop = session.hop(*document);
                    let kind = if hop == 0 {
                        StepKind::Tag
                    } else {
                        StepKind::Hop
                    };
                    (kind, session.key(*document), Some(hop))
                }
                Role::Media(name) | Role::Interactive(name) => (
                    StepKind::Media,
                    session.names.all[*name].written.clone(),
                    None,
                ),
                Role::Redirected(_)
                | Role::Verification(_)
                | Role::Pixel(_)
                | Role::Content
                | Role::Aside
                | Role::Ignored
                | Role::Other => continue,
            };
            // Media are requested in pieces, and tags by several players.
            let is_repeated = kind == StepKind::Media
                && steps
                    .iter()
                    .any(|step: &ComparedStep| step.kind == kind && step.name == *it.url);
            if is_repeated {
                continue;
            }
            let is_it = |asked: &Asked| {
                (asked.request.purpose == RequestPurpose::Media) == (kind == StepKind::Media)
                    && (asked.request.url == *keys || vast::is_filled(&keys, &asked.request.url))
            };
            // Which of the files of an ad it loads is up to the player.
            let is_of_ad = |asked: &Asked| {
                let file = role.file().map(|name| &session.names.all[name]);
                file.is_some_and(|file| {
                    session.names.all.iter().any(|it| {
                        it.what == Named::Media
                            && file.what == Named::Media
                            && (it.document, it.ad) == (file.document, file.ad)
                            && *it.written == *asked.request.url
                    })
                })
            };
            let found = requests.iter().position(is_it);
            let found = found.or_else(|| requests.iter().position(is_of_ad));
            let simulated = found.and_then(|found| requests.remove(found));
            let recorded = match (kind, role) {
                (StepKind::Tag | StepKind::Hop, Role::Document(document)) => {
                    self.seen_document(*document)
                }
                (StepKind::Tag | StepKind::Hop | StepKind::Media | StepKind::Ad, _) => seen(it),
            };
            steps.push(ComparedStep {
                kind,
                ad_break: simulated
                    .as_ref()
                    .map_or_else(|| self.break_at(it.at()), |asked| asked.ad_break),
                wp: simulated.as_ref().map(|asked| asked.wp),
                hop: hop.filter(|hop| *hop > 0),
                name: it.url.to_string(),
                recorded: Some(recorded),
                simulated: simulated.map(|asked| simulated_request(asked.request)),
                verdict: StepVerdict::Same,
                note: None,
            });
        }
        steps.extend(requests.iter().map(only_simulated));
        steps.extend(ads.iter().map(ad_step));
        steps.sort_by_key(|step| {
            let seen = step.recorded.as_ref().or(step.simulated.as_ref());
            (
                seen.map_or(0, |seen| seen.from_us),
                step.kind == StepKind::Ad,
            )
        });
        self.judge(&mut steps);
        steps
    }

    /// Returns the first URL that the simulation asked for and that the recording does not have,
    /// with the time from which nothing can be compared, and the begin of the next break.
    fn unanswered(&self) -> Option<(&'a str, u64, u64)> {
        let mut all = self.requests();
        let is_unanswered = |asked: &Asked<'_>| {
            self.report
                .unanswered
                .iter()
                .any(|it| it.url == asked.request.url)
        };
        let found = all.iter().position(is_unanswered)?;
        let Asked {
            ad_break, request, ..
        } = all.swap_remove(found);
        let begins = |at: usize| {
            self.verdict
                .simulated()
                .nth(at)
                .map(|it| it.begin(self.session))
        };
        let simulated = self.report.breaks.get(ad_break).map_or(0, |it| it.begin_us);
        let begin = begins(ad_break).map_or(simulated, Time::micros);
        let from = begin + request.asked_us.saturating_sub(simulated);
        let to = begins(ad_break + 1).map_or(u64::MAX, Time::micros);
        Some((&request.url, from.saturating_sub(self.within_us), to))
    }

    /// Returns whether nothing of a recorded ad happened for long before it began.
    fn was_idle(&self, recorded: &Seen) -> bool {
        let mut ads = self.verdict.simulated().flat_map(|it| &it.ads);
        let ad = ads.find(|ad| ad.start.micros() == recorded.from_us);
        ad.is_some_and(|ad| idle_before(self.session, ad).is_some())
    }

    /// Returns all requests of the simulation.
    fn requests(&self) -> Vec<Asked<'a>> {
        let mut all = Vec::new();
        for (ad_break, it) in self.report.breaks.iter().enumerate() {
            for tag in &it.tags {
                all.extend(tag.requests.iter().map(|request| Asked {
                    ad_break,
                    wp: tag.wp,
                    request,
                }));
            }
        }
        all.sort_by_key(|asked| asked.request.asked_us);
        all
    }

    /// Returns the number of the recorded break at a time.
    fn break_at(&self, at: Time) -> usize {
        let begun = self
            .verdict
            .simulated()
            .take_while(|it| it.begin(self.session) <= at)
            .count();
        begun.saturating_sub(1)
    }

    /// Returns a request for a document as it was recorded: until its answer, across redirects.
    fn seen_document(&self, document: usize) -> Seen {
        let (request, answer) = (
            self.session.exchange(document),
            self.session.answer(document),
        );
        Seen {
            from_us: request.at().micros(),
            ..seen_until(answer)
        }
    }

    /// Sets the verdict of each step.
    ///
    /// A difference in time counts from a step before, on both sides: from the last one that
    /// agreed, or else from the last one that did not. So one that is late is reported once, and
    /// not again with everything that follows.
    fn judge(&self, steps: &mut [ComparedStep]) {
        // How far the two sides were apart where they agreed last, and before that was something
        // else: what is asked ahead may be shown in time.
        let (mut agreed, mut before, mut last): (i128, i128, i128) = (0, 0, 0);
        let within = i128::from(self.within_us);
        let names = self.session.names.all.iter();
        let refused = names.filter(|name| self.verdict.is_refused(name));
        let refused: BTreeSet<&str> = refused.map(|name| &*name.written).collect();
        let recorded_media: BTreeSet<String> = steps
            .iter()
            .filter(|step| step.kind == StepKind::Media && step.recorded.is_some())
            .map(|step| step.name.clone())
            .collect();
        for step in steps {
            let (verdict, note) = match (&step.recorded, &step.simulated) {
                (Some(recorded), Some(simulated)) => {
                    let apart = i128::from(recorded.from_us) - i128::from(simulated.from_us);
                    let moved = [agreed, before, last]
                        .map(|base| apart - base)
                        .into_iter()
                        .min_by_key(|moved| moved.abs());
                    let moved = moved.unwrap_or_default();
                    last = apart;
                    if moved.abs() <= within {
                        if (apart - agreed).abs() > within {
                            before = agreed;
                        }
                        agreed = apart;
                    }
                    let lasted = |seen: &Seen| {
                        seen.to_us
                            .map(|to| i128::from(to) - i128::from(seen.from_us))
                    };
                    let longer = lasted(recorded)
                        .zip(lasted(simulated))
                        .map_or(0, |(a, b)| a - b);
                    // Whether a film comes is given.
                    let is_given = step.kind == StepKind::Media;
                    if recorded.outcome != simulated.outcome
                        && recorded.outcome != SeenOutcome::Unknown
                        && !is_given
                    {
                        (StepVerdict::OtherOutcome, None)
                    } else if moved.abs() > within
                        && step.kind == StepKind::Ad
                        && self.was_idle(recorded)
                    {
                        let note = "it may have been asked ahead, and shown in time";
                        (StepVerdict::Unknown, Some(note.to_owned()))
                    } else if moved.abs() > within {
                        (
                            StepVerdict::OtherTime,
                            Some(format!("began {}", later(moved))),
                        )
                    } else if longer.abs() > within && recorded.outcome != SeenOutcome::Failed {
                        (
                            StepVerdict::OtherTime,
                            Some(format!("ended {}", later(longer))),
                        )
                    } else {
                        (StepVerdict::Same, None)
                    }
                }
                (Some(_), None) => (StepVerdict::OnlyRecorded, None),
                (None, Some(simulated)) => {
                    let at = i128::from(simulated.from_us) + agreed;
                    let has_failed = match simulated.outcome {
                        SeenOutcome::Status(status) => status >= 400,
                        SeenOutcome::Failed => true,
                        SeenOutcome::Unknown | SeenOutcome::Ended(_) => false,
                    };
                    if at + within > i128::from(self.end_us) {
                        (
                            StepVerdict::Unknown,
                            Some("after the end of the recording".to_owned()),
                        )
                    } else if step.kind == StepKind::Media && recorded_media.contains(&step.name) {
                        (
                            StepVerdict::Unknown,
                            Some("requested before; a browser may have kept the file".to_owned()),
                        )
                    } else if step.kind == StepKind::Media && refused.contains(&*step.name) {
                        let note = "the page refused the ad before it had asked for its film";
                        (StepVerdict::Unknown, Some(note.to_owned()))
                    } else if has_failed {
                        (
                            StepVerdict::Unknown,
                            Some("some tools leave out requests that fail".to_owned()),
                        )
                    } else {
                        (StepVerdict::OnlySimulated, None)
                    }
                }
                (None, None) => (StepVerdict::Unknown, None),
            };
            step.verdict = verdict;
            step.note = note;
        }
    }

    fn pixels(&self, ads: &[Pair<'a>], rules: &BTreeMap<(u64, String), String>) -> Vec<Pixel> {
        // The recorded pixels, by the event and the URL as written.
        let mut recorded: BTreeMap<&str, OfEvent<'_>> = BTreeMap::new();
        let pixels = self.session.pixels();
        for (index, name, event) in
            pixels.filter(|(_, name, _)| self.verdict.is_simulated(self.session, name.document))
        {
            let it = &self.session.recording.exchanges[index];
            recorded
                .entry(event.name())
                .or_default()
                .entry(&name.written)
                .or_default()
                .push_back((name, it));
        }
        let mut pixels = Vec::new();
        for (ad_break, it) in self.report.breaks.iter().enumerate() {
            for beacon in &it.beacons {
                let twin = recorded.get_mut(beacon.event.name()).and_then(|urls| {
                    let written = if urls.contains_key(&*beacon.url) {
                        &*beacon.url
                    } else {
                        urls.keys()
                            .copied()
                            .find(|written| vast::is_filled(written, &beacon.url))?
                    };
                    urls.get_mut(written)?.pop_front()
                });
                let rule = rules.get(&(beacon.at_us, beacon.url.clone())).cloned();
                pixels.push(self.pixel(ads, ad_break, beacon, twin, rule));
            }
        }
        self.merge(&mut pixels);
        for (event, urls) in recorded {
            for (name, it) in urls.into_values().flatten() {
                let uncalled = self.uncalled(&name.written, event);
                let rests_on_page = uncalled.is_some_and(|it| it.rests_on_page);
                let (verdict, note) = if rests_on_page {
                    (StepVerdict::Unknown, Some(OF_THE_PAGE.to_owned()))
                } else {
                    let why = uncalled.map(|it| it.reason.clone());
                    (StepVerdict::OnlyRecorded, why)
                };
                pixels.push(Pixel {
                    event: Some(TrackedEvent::of(event)),
                    ad_break: None,
                    wp: None,
                    hop: Some(self.session.hop(name.document)),
                    ad: None,
                    url: it.url.to_string(),
                    recorded_us: Some(it.at().micros()),
                    simulated_us: None,
                    difference_us: None,
                    verdict,
                    rule: None,
                    note,
                });
            }
        }
        pixels.sort_by_key(|pixel| pixel.recorded_us.or(pixel.simulated_us));
        pixels
    }

    fn pixel(
        &self,
        ads: &[Pair<'a>],
        ad_break: usize,
        beacon: &Beacon,
        twin: Option<(&Name, &Exchange)>,
        rule: Option<String>,
    ) -> Pixel {
        let anchor = self.anchor(ads, ad_break, beacon.at_us);
        let recorded_us = twin.map(|(_, it)| it.at().micros());
        let code = twin.and_then(|(name, it)| error_code(&name.written, &it.url));
        let difference = recorded_us.zip(anchor).map(|(recorded, (there, here))| {
            (i128::from(recorded) - i128::from(there))
                - (i128::from(beacon.at_us) - i128::from(here))
        });
        let (verdict, note) = match (recorded_us, difference) {
            (Some(_), _)
                if code.zip(beacon.code).is_some_and(|(sent, due)| {
                    !is_same_failure(sent, due)
                        && !self.is_decided(due, twin.map(|(name, _)| name.document))
                }) =>
            {
                let note = "which code is due depends on what the player can show";
                (StepVerdict::Unknown, Some(note.to_owned()))
            }
            // The code of an ad that the page refused is the page's own.
            (Some(_), _)
                if beacon.reason.as_deref() != Some(MediaFault::REFUSAL)
                    && code
                        .zip(beacon.code)
                        .is_some_and(|(sent, due)| !is_same_failure(sent, due)) =>
            {
                let (sent, due) = (code.unwrap_or_default(), beacon.code.unwrap_or_default());
                let why = beacon
                    .reason
                    .as_ref()
                    .map_or_else(String::new, |why| format!(": {why}"));
                (
                    StepVerdict::OtherOutcome,
                    Some(format!(
                        "code {sent} was sent; by the rules it is {due}{why}"
                    )),
                )
            }
            (Some(_), Some(difference))
                if difference.unsigned_abs() > u128::from(self.within_us) =>
            {
                (StepVerdict::OtherTime, Some(later(difference)))
            }
            (Some(_), _) => (StepVerdict::Same, None),
            (None, _) => {
                let offset = anchor.map_or(0, |(there, here)| i128::from(there) - i128::from(here));
                // Silence shows something only if the recording continues.
                let at = i128::from(beacon.at_us) + offset + i128::from(self.within_us);
                if at > i128::from(self.end_us) {
                    (
                        StepVerdict::Unknown,
                        Some("after the end of the recording".to_owned()),
                    )
                } else if (beacon.event.known()).is_some_and(TrackingEvent::rests_on_page) {
                    (StepVerdict::Unknown, Some(OF_THE_PAGE.to_owned()))
                } else {
                    (StepVerdict::OnlySimulated, None)
                }
            }
        };
        Pixel {
            event: Some(beacon.event.clone()),
            ad_break: Some(ad_break),
            wp: beacon.wp,
            hop: beacon.hop,
            ad: beacon.ad.clone(),
            url: twin.map_or_else(|| beacon.url.clone(), |(_, it)| it.url.to_string()),
            recorded_us,
            simulated_us: Some(beacon.at_us),
            difference_us: difference.and_then(|difference| i64::try_from(difference).ok()),
            verdict,
            rule,
            note,
        }
    }

    /// Returns whether the recording decides which error code is due: it follows from documents, or
    /// a film of the ad did not come.
    fn is_decided(&self, due: u16, document: Option<usize>) -> bool {
        let is_gone = |(finding, it): (&RequestFinding, &Exchange)| {
            let Role::Media(name) = finding.role else {
                return false;
            };
            Some(self.session.names.all[name].document) == document
                && it.status().is_some_and(|status| status >= 400)
        };
        is_code_of_documents(due.into()) || self.session.each().any(is_gone)
    }

    /// Returns the recorded and the simulated time from which a pixel counts: the start of its ad,
    /// or of its break.
    fn anchor(&self, ads: &[Pair<'a>], ad_break: usize, at_us: u64) -> Option<(u64, u64)> {
        let starts = ads.iter().filter_map(|pair| {
            let ((_, recorded), (index, simulated)) = pair.recorded.zip(pair.simulated)?;
            Some((index, recorded.start.micros(), simulated.start_us?))
        });
        let mine = starts.filter(|(index, _, here)| *index == ad_break && *here <= at_us);
        let ad = mine
            .max_by_key(|(_, _, here)| *here)
            .map(|(_, there, here)| (there, here));
        ad.or_else(|| {
            let there = self
                .verdict
                .simulated()
                .nth(ad_break)?
                .begin(self.session)
                .micros();
            Some((there, self.report.breaks.get(ad_break)?.begin_us))
        })
    }

    /// Equal calls may be one entry: a browser loads an image of the same URL once.
    fn merge(&self, pixels: &mut [Pixel]) {
        for index in 0..pixels.len() {
            let it = &pixels[index];
            let is_earlier = |other: &Pixel| {
                other.recorded_us.is_some()
                    && other.simulated_us <= it.simulated_us
                    && other.url == it.url
            };
            if it.verdict == StepVerdict::OnlySimulated && pixels.iter().any(is_earlier) {
                pixels[index].verdict = StepVerdict::Unknown;
                pixels[index].note = Some(
                    "the same URL was called before; a browser may load an image only once"
                        .to_owned(),
                );
            }
        }
    }

    /// Returns a pixel that the simulation did not call, with the reason.
    fn uncalled(&self, written: &str, event: &str) -> Option<&Uncalled> {
        let mut uncalled = self.report.breaks.iter().flat_map(|it| &it.uncalled);
        uncalled.find(|it| {
            it.event.name() == event && (it.url == written || written.ends_with(&*it.url))
        })
    }
}

/// Returns a request that only the simulation sent.
fn only_simulated(asked: &Asked<'_>) -> ComparedStep {
    let request = asked.request;
    let kind = match (&request.purpose, request.hop) {
        (RequestPurpose::Media, _) => StepKind::Media,
        (_, Some(0)) => StepKind::Tag,
        (_, Some(_) | None) => StepKind::Hop,
    };
    ComparedStep {
        kind,
        ad_break: asked.ad_break,
        wp: Some(asked.wp),
        hop: request.hop.filter(|hop| *hop > 0),
        name: request.url.clone(),
        recorded: None,
        simulated: Some(simulated_request(request)),
        verdict: StepVerdict::OnlySimulated,
        note: None,
    }
}

fn ended(end: Option<AdEnd>) -> SeenOutcome {
    end.map_or(SeenOutcome::Unknown, SeenOutcome::Ended)
}

/// Returns an ad on both sides as a step.
fn ad_step(pair: &Pair<'_>) -> ComparedStep {
    let recorded = pair.recorded.map(|(_, ad)| Seen {
        from_us: ad.start.micros(),
        to_us: ad.end.as_ref().map(|(at, _)| at.micros()),
        // The trace of an overlay that was closed says that it was cut.
        outcome: ended(ad.end.as_ref().map(|(_, how)| match how {
            RecordedEnd::Close => AdEnd::Cut,
            RecordedEnd::Complete
            | RecordedEnd::Skip
            | RecordedEnd::CloseLinear
            | RecordedEnd::Error => how.word().to_owned().into(),
        })),
    });
    let simulated = pair.simulated.map(|(_, ad)| Seen {
        from_us: ad.start_us.unwrap_or_default(),
        to_us: ad.end_us,
        outcome: ended(ad.end.clone()),
    });
    let ad_break = pair
        .simulated
        .map(|(index, _)| index)
        .or(pair.recorded.map(|(index, _)| index));
    ComparedStep {
        kind: StepKind::Ad,
        ad_break: ad_break.unwrap_or_default(),
        wp: pair.simulated.map(|(_, ad)| ad.wp),
        hop: None,
        name: pair
            .simulated
            .and_then(|(_, ad)| ad.ad.clone())
            .unwrap_or_default(),
        recorded,
        simulated,
        verdict: StepVerdict::Same,
        note: None,
    }
}

fn seen(it: &Exchange) -> Seen {
    // How long media took to load says nothing: parts of them arrive during playback. Success is
    // the usual case.
    let seen = seen_until(it);
    // A browser cancels a request for media on its own, to continue with ranges.
    let has_failed =
        it.status().is_none_or(|status| status >= 400) && !it.outcome.is_ended_by_page();
    Seen {
        to_us: None,
        outcome: if has_failed {
            seen.outcome
        } else {
            SeenOutcome::Unknown
        },
        ..seen
    }
}

fn seen_until(it: &Exchange) -> Seen {
    let outcome = match &it.outcome {
        RecordedOutcome::Response(status) | RecordedOutcome::Redirect(status, _) => {
            SeenOutcome::Status(*status)
        }
        RecordedOutcome::Failed(_) | RecordedOutcome::BrokeOff(_) => SeenOutcome::Failed,
        RecordedOutcome::Unknown => SeenOutcome::Unknown,
    };
    let is_known = it.time.is_some_and(|time| time > Span::ZERO);
    Seen {
        from_us: it.at().micros(),
        to_us: is_known.then(|| it.over().micros()),
        outcome,
    }
}

fn simulated_request(request: &TagRequest) -> Seen {
    let is_media = request.purpose == RequestPurpose::Media;
    let outcome = match (request.status, &request.fault) {
        // Media that play are answered with 206 or 200 in a recording: only failures are compared.
        _ if is_media
            && request.fault.is_none()
            && request.status.is_none_or(|status| status < 400) =>
        {
            SeenOutcome::Unknown
        }
        (Some(status), _) => SeenOutcome::Status(status),
        (None, _) => SeenOutcome::Failed,
    };
    // An answer that came too late is one in a recording too.
    let to_us = if is_media {
        None
    } else {
        request.late_us.or(request.over_us())
    };
    Seen {
        from_us: request.asked_us,
        to_us,
        outcome,
    }
}

/// `0.300 s later` or `0.300 s earlier`.
fn later(difference: i128) -> String {
    let millis = (difference.unsigned_abs() + 500) / 1_000;
    let word = if difference < 0 { "earlier" } else { "later" };
    format!(
        "{}.{:03} s {word} than simulated",
        millis / 1_000,
        millis % 1_000
    )
}
