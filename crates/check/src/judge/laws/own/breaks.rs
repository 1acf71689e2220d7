//! A break as a whole: it has one end, and its requests add up.
//!
//! Where a knob allows a player to report differently, less is checked; the header names the knobs
//! that are set.
//!
//! Rules: INV-11, INV-12, BRK-6.

use std::collections::BTreeSet;

use super::ads::was_aborted;
use crate::judge::line::Line;
use crate::judge::placed::Placed;
use crate::judge::{Findings, Session};
use playsim_api::{AdLine, EventName, LineName, NetLine, Purpose, StateLine, Value};
use playsim_rules as rules;
use playsim_rules::knobs::{AdEndScope, AdErrorScope, Knobs, SameOffset};
use playsim_trace::session::{AdBreakOutcome, TagPosition};

/// The breaks of one player.
#[derive(Debug)]
pub(crate) struct Breaks<'a> {
    all: Vec<Break<'a>>,
    /// Each `adEnd` outside a break.
    stray: Vec<Line<'a>>,
}

/// The lines of one break.
#[derive(Debug)]
struct Break<'a> {
    begin: Line<'a>,
    lines: Vec<Line<'a>>,
    /// Its last line; `None` if the run or the player ended first.
    end: Option<Line<'a>>,
}

impl Break<'_> {
    fn was_aborted(&self) -> bool {
        self.end.is_some_and(|end| was_aborted(&end))
    }

    /// Returns whether it was ended from outside without being aborted. Rules OVL-5, OVL-6.
    fn was_cut(&self) -> bool {
        self.end.is_some_and(|end| end.data.get("why").is_some())
    }

    /// Returns whether it began with a late response. Rule REQ-10.
    fn began_with_late_response(&self) -> bool {
        self.begin
            .data
            .text("why")
            .is_some_and(|why| **why == *"late response")
    }

    /// Returns whether it may be one of several breaks that are one pod, and have one `adError`.
    /// Rule VMAP-23.
    fn may_be_part_of_a_pod(&self, knobs: &Knobs) -> bool {
        match knobs.vmap_same_offset {
            SameOffset::Breaks => false,
            SameOffset::Pod => self.begin.data.get("vmap").is_some(),
        }
    }

    fn count(&self, name: impl Into<LineName> + Copy) -> usize {
        self.lines.iter().filter(|record| record.is(name)).count()
    }

    /// Returns the places in the waterfalls that lines of this name contain.
    fn places(&self, name: AdLine) -> Vec<TagPosition> {
        let named = self.lines.iter().filter(|record| record.is(name));
        let mut places: Vec<_> = named.filter_map(|record| record.tag()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the first pod that did not fill, of whose waterfall tags are left, and how many.
    fn untried(&self) -> Option<(u32, usize)> {
        let outcome = self.end.and_then(|end| end.break_outcome());
        if outcome != Some(AdBreakOutcome::NoFill) || self.was_cut() {
            return None;
        }
        let tried: BTreeSet<TagPosition> =
            self.lines.iter().filter_map(|line| line.tag()).collect();
        let waterfalls = self.begin.data.get("waterfalls").and_then(Value::as_list)?;
        (0..).zip(waterfalls).find_map(|(pod, tags)| {
            let due = tags.as_list()?.len();
            let tried = tried.iter().filter(|it| it.pod == pod).count();
            (tried < due).then(|| (pod, due - tried))
        })
    }

    /// Returns the requests of its tags.
    fn tags(&self) -> impl Iterator<Item = &Line<'_>> {
        let is_tag = |record: &&Line<'_>| record.purpose() == Some(Purpose::AdTag);
        self.lines
            .iter()
            .filter(|record| record.is(NetLine::Request))
            .filter(is_tag)
    }

    /// Returns how often this event occurred, or was dropped with its player. Rule EVT-21.
    fn fired(&self, event: EventName) -> usize {
        let is_dropped = |record: &&Line<'_>| record.dropped_event() == Some(event);
        self.count(event) + self.lines.iter().filter(is_dropped).count()
    }
}

impl<'a> Breaks<'a> {
    /// Finds the breaks among the lines of a player.
    pub(crate) fn of(lines: &[Placed<'a>]) -> Breaks<'a> {
        let (mut all, mut stray): (Vec<Break<'a>>, _) = (Vec::new(), Vec::new());
        let (mut is_owed, mut is_gone) = (false, false);
        for placed in lines {
            let record = placed.record;
            if record.begins_break() {
                all.push(Break {
                    begin: record,
                    lines: Vec::new(),
                    end: None,
                });
            }
            // A break may leave its `adEnd` to the pre-roll of its schedule. If that is dropped,
            // the `adEnd` is outside. VMAP-22
            if record.is(EventName::AdEnd) && !placed.is_open && !std::mem::take(&mut is_owed) {
                stray.push(record);
            }
            let its = placed.in_break.filter(|_| placed.is_open && !is_gone);
            if let Some(its) = its.and_then(|index| all.get_mut(index)) {
                its.lines.push(record);
                if record.ends_break() {
                    is_owed = record.data.get("ad_end").is_some();
                    its.end = Some(record);
                }
            }
            // The line that ends all breaks belongs to each of them.
            if record.is(StateLine::Destroyed) {
                is_gone = true;
                let open = all.iter_mut().filter(|each| each.end.is_none());
                open.for_each(|each| each.lines.push(record));
            }
        }
        Breaks { all, stray }
    }
}

/// A break that requested something ends with one `adEnd`, or was aborted, or leaves the `adEnd` to
/// the pre-roll that it has scheduled. Rules INV-11, VMAP-22.
pub(crate) fn one_end(session: &Session<'_>, findings: &mut Findings<'_>) {
    let is_one_for_a_break = session.knobs.ad_end_scope == AdEndScope::Break;
    for lines in session.players() {
        for record in &lines.breaks.stray {
            findings.broken(record, "adEnd fires outside an ad break");
        }
        for ad_break in &lines.breaks.all {
            let (ends, asked) = (
                ad_break.fired(EventName::AdEnd),
                ad_break.fired(EventName::RequestAd),
            );
            let Some(last) = ad_break.lines.last() else {
                continue;
            };
            if ad_break.end.is_none() {
                if last.is(StateLine::Destroyed) {
                    findings.broken(
                        last,
                        "the player was destroyed, but its break was not aborted",
                    );
                }
                continue;
            }
            let is_left_to_another = ad_break
                .end
                .is_some_and(|end| end.data.get("ad_end").is_some());
            let has_none = ad_break.was_aborted() || is_left_to_another;
            let (is_right, due) = match (has_none, is_one_for_a_break) {
                (true, true) => (ends == 0, "none"),
                (true, false) => (true, ""),
                (false, true) => (ends == 1, "one"),
                (false, false) => (ends > 0, "at least one"),
            };
            if asked > 0 && !is_right {
                findings.broken(
                    last,
                    format!("the break has {ends} adEnd events; expected {due}"),
                );
            }
        }
    }
}

/// `adComplete` and `adSkip` name the tag that gave the ad. Rule BRK-6.
pub(crate) fn ads_name_their_tag(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.has_knobs() {
        return;
    }
    for ad_break in session.players().iter().flat_map(|lines| &lines.breaks.all) {
        // The tag that gave the last ad, and the one that gave the ad that is shown.
        let (mut filled, mut shown) = (None, None);
        for line in &ad_break.lines {
            if line.is(AdLine::Fill) {
                filled = line.tag();
            } else if line.event() == Some(EventName::AdImpression) {
                shown = filled;
            } else if matches!(
                line.event(),
                Some(EventName::AdComplete | EventName::AdSkip)
            ) && let (Some(told), Some(shown)) = (line.tag(), shown)
                && told != shown
            {
                let seen = format!(
                    "{} names tag {} of pod {}, and the ad is of tag {} of pod {}",
                    line.name, told.wp, told.pod, shown.wp, shown.pod
                );
                findings.broken(line, seen);
            }
        }
    }
}

/// Each tag that is tried has a `requestAd`, and either fails with an `adError` or wins. Rule
/// INV-12.
pub(crate) fn requests_add_up(session: &Session<'_>, findings: &mut Findings<'_>) {
    let reports_each_error = session.knobs.ad_error_scope == AdErrorScope::Each
        && session.knobs.ad_empty_is_error.is_on();
    for lines in session.players() {
        for ad_break in &lines.breaks.all {
            let Some(end) = &ad_break.end else { continue };
            // A tag that is requested again is the same tag. PRD-25
            let requests = match session.knobs.ad_attempts {
                1 => ad_break.tags().count(),
                _ => ad_break
                    .tags()
                    .map(|tag| tag.tag())
                    .collect::<BTreeSet<_>>()
                    .len(),
            };
            // A break may have a time limit.
            if let Some((pod, tags)) = ad_break.untried().filter(|_| !session.has_knobs()) {
                let seen = format!(
                    "pod {pod} of the break has no ad, and {tags} of its tags are not tried"
                );
                findings.broken(end, seen);
            }
            let fired = ad_break.fired(EventName::RequestAd);
            if fired != requests {
                findings.broken(
                    end,
                    format!("the break tried {requests} tags, but fired {fired} requestAd events"),
                );
            }
            let winners = ad_break.places(AdLine::Fill);
            let is_partly_playable = ad_break
                .places(AdLine::Reject)
                .iter()
                .any(|place| winners.contains(place));
            let is_whole = reports_each_error
                && !ad_break.may_be_part_of_a_pod(&session.knobs)
                && !ad_break.was_aborted()
                && !ad_break.was_cut()
                && !ad_break.began_with_late_response()
                && !is_partly_playable
                && ad_break.count(AdLine::Failed) == 0
                // Each ad that did not fit into the time of a break is reported. SEL-4
                && ad_break.count(AdLine::Cut) == 0;
            if !is_whole {
                continue;
            }
            let errors = ad_break.fired(EventName::AdError);
            let is_unrequested =
                |named: &&TagPosition| !ad_break.tags().any(|tag| tag.tag() == Some(**named));
            let not_urls = ad_break
                .places(AdLine::NoFill)
                .iter()
                .filter(is_unrequested)
                .count();
            // A document inside a VMAP break is not requested; a tag with a VMAP response has won.
            // VMAP-1, VMAP-10
            let inside = winners.iter().filter(is_unrequested).count();
            // So has one whose ads are passed over. PRD-9
            let schedules = ad_break.places(AdLine::Schedule).len();
            let passed = ad_break.count(AdLine::PassPreRoll);
            // A break that a schedule has in percent is reported where those are refused. PRD-4
            let refused = ad_break
                .lines
                .iter()
                .filter(|line| line.is(EventName::AdError) && line.rule == Some(rules::PRD_4))
                .count();
            let reported = fired + not_urls + inside + refused;
            if errors + winners.len() + schedules + passed != reported {
                let winners = winners.len();
                let tags =
                    format!("{fired} requestAd events and {not_urls} tags that are not URLs");
                findings.broken(
                    end,
                    format!("{errors} adError events and {winners} winning tags for {tags}"),
                );
            }
        }
    }
}
