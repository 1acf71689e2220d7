//! Finds and loads the page of a SIMID unit, together with the media of its ad.
//!
//! Rules: SIMID-1 to SIMID-3; VAST 4.3 section 3.9.3.

use std::sync::Arc;

use super::Moment;
use super::simid::SimidUnit;
use crate::ads::Abandoned;
use crate::ads::ad_break::state::Pending;
use crate::ads::course::Course;
use crate::ads::error::{AdErrorCode, Failure};
use crate::ads::hop::Hop;
use crate::ads::linear::Prepared;
use crate::api::{AdLine, Cause, Fields, Line, Outbox, Output, Purpose, RequestId, Text};
use crate::knobs::Knobs;
use crate::media::{MediaFault, MediaInfo, SimidScript};
use crate::page::INLINE;
use crate::rules;
use crate::time::Span;
use crate::vast::{InteractiveFile, NonLinear, ResourceKind};

/// The page of the unit of an ad.
#[derive(Debug, Clone)]
pub(in crate::ads) struct Page {
    /// Its request.
    pub(in crate::ads) pending: Pending,
    /// The result; `None`: still loading.
    pub(in crate::ads) outcome: Option<Result<Arc<MediaInfo>, MediaFault>>,
}

/// The MIME types that a page may have.
const PAGES: &[&str] = &["text/html", "application/xhtml+xml"];

impl Course {
    /// Requests the page of the ad's unit, if it has one that can run. Rule SIMID-2.
    pub(in crate::ads) fn ask_page(&mut self, hops: &[Hop], moment: &mut Moment<'_, '_>) -> Option<Page> {
        let linear = hops.last()?.linears().next()?;
        let file = linear.interactive_files.first()?;
        let Some(file) = page_of(&linear.interactive_files, moment.services.knobs) else {
            let why = refusal(file).unwrap_or_default();
            self.not_executed(hops, named(file), why.into(), moment);
            return None;
        };
        let data = named(file)
            .with_some("type", file.mime.as_ref().map(Text::from))
            .with_some("at", hops.last().map(|hop| hop.place(file.url.at)));
        let cause = moment.out.line(rules::SIMID_2, AdLine::SelectInteractive, data);
        if file.html.is_some() {
            return Some(Page::inline(cause, moment));
        }
        let pending = self.request(Purpose::Media, None, Arc::clone(&file.url.text), moment.out);
        Some(Page { pending, outcome: None })
    }

    /// Reports that the unit of an ad does not run and its media plays without it: 409. Rule SIMID-2.
    pub(in crate::ads) fn not_executed(
        &mut self,
        hops: &[Hop],
        file: Fields,
        why: Text,
        moment: &mut Moment<'_, '_>,
    ) {
        let code = AdErrorCode::InteractiveNotRun;
        let data = file.with("code", code.number()).with("why", why);
        let line = Line::new(AdLine::RejectInteractive, data);
        let because = moment.out.cause();
        let cause = moment.out.put_because(because, rules::SIMID_2, Output::Line(line));
        moment.out.set_cause(cause);
        moment.beacons(self.kind).errors(code, hops, None);
        moment.out.set_cause(because);
    }

    /// Returns the unit of the loaded page; `None` if the ad has none that runs. Rule SIMID-2.
    pub(in crate::ads) fn unit_of(
        &mut self,
        prepared: &mut Prepared,
        moment: &mut Moment<'_, '_>,
    ) -> Option<SimidUnit> {
        let page = prepared.page.take()?;
        let why = match page.outcome {
            Some(Ok(info)) => return Some(unit(&info, moment.services.knobs)),
            Some(Err(fault)) => fault.word(),
            None => "it took too long",
        };
        let hops = Arc::clone(&prepared.hops);
        self.not_executed(&hops, Fields::one("url", Text::from(&page.pending.url)), why.into(), moment);
        None
    }

    /// Abandons the request for the page of an ad that is not used.
    pub(in crate::ads) fn give_up_page(&mut self, prepared: &Prepared, why: Abandoned) {
        if let Some(page) = prepared.awaited_page() {
            self.abandon(page.pending.id, why);
        }
    }

    /// Requests the page of an overlay that is a unit. Rule SIMID-15.
    pub(in crate::ads) fn ask_overlay_page(&mut self, hops: &[Hop], out: &mut Outbox) -> Option<Pending> {
        let is_unit = |choice: &&NonLinear| choice.api_framework.as_ref().is_some_and(is_simid);
        let choice = hops.last().and_then(Hop::overlay).filter(is_unit)?;
        let page = choice.resources.iter().find(|resource| resource.kind == ResourceKind::IFrame)?;
        Some(self.request(Purpose::Media, None, Arc::clone(&page.content), out))
    }

    /// Rejects the page of an overlay that has media of its own. Rules ADX-24, SIMID-2.
    pub(in crate::ads) fn refuse_page_of_overlay(&mut self, hops: &[Hop], moment: &mut Moment<'_, '_>) {
        let file = hops.last().and_then(Hop::overlay).and_then(|choice| choice.interactive_files.first());
        if let Some(file) = file {
            let why = "no page runs next to the media of an overlay";
            self.not_executed(hops, named(file), why.into(), moment);
        }
    }
}

impl Page {
    /// Returns a page that is inlined in the document: nothing is requested, and all such pages share one script.
    fn inline(cause: Cause, moment: &mut Moment<'_, '_>) -> Page {
        let pending = Pending {
            id: moment.out.next_request(),
            url: INLINE.into(),
            purpose: Purpose::Media,
            hop: None,
            cause,
        };
        let simid = moment.services.sides.inline_unit.clone();
        let info = MediaInfo { simid, ..MediaInfo::default() };
        Page { pending, outcome: Some(Ok(Arc::new(info))) }
    }
}

impl Prepared {
    /// Returns the page that is still loading.
    pub(in crate::ads) fn awaited_page(&self) -> Option<&Page> {
        self.page.as_ref().filter(|page| page.outcome.is_none())
    }

    /// Whether this request is that of its page.
    pub(in crate::ads) fn awaits_page(&self, id: RequestId) -> bool {
        self.awaited_page().is_some_and(|page| page.pending.id == id)
    }

    /// Stores the result of loading the page.
    pub(in crate::ads) fn page_came(&mut self, outcome: Result<Arc<MediaInfo>, MediaFault>) {
        if let Some(page) = &mut self.page {
            page.outcome = Some(outcome);
        }
    }
}

/// Checks that no unit needs time that the player does not grant; such an ad does not play. Rule SIMID-2.
///
/// # Errors
///
/// 902, with the place of the unit.
pub(in crate::ads) fn check_time(hop: &Hop, knobs: &Knobs) -> Result<(), Failure> {
    let Some(linear) = hop.linears().next() else { return Ok(()) };
    let can_run = |file: &&InteractiveFile| refusal(file).is_none();
    match linear.interactive_files.iter().find(can_run) {
        Some(file) if page_of(&linear.interactive_files, knobs).is_none() => {
            let why = "its interactive file needs a variable duration, and the player grants no extra time";
            let failure = Failure::at(AdErrorCode::Interactive, why, hop.place(file.url.at));
            Err(failure.by(rules::SIMID_2))
        }
        Some(_) | None => Ok(()),
    }
}

/// Returns the file whose unit runs: the first that can run and needs no time, or is granted some. Rule SIMID-2.
fn page_of<'a>(files: &'a [InteractiveFile], knobs: &Knobs) -> Option<&'a InteractiveFile> {
    let grants_time = knobs.simid_extra_time > Span::ZERO;
    let has_time = |file: &&InteractiveFile| grants_time || file.variable_duration != Some(true);
    files.iter().filter(|file| refusal(file).is_none()).find(has_time)
}

/// Returns the unit of a page. Without a script it answers immediately and requests nothing.
pub(in crate::ads) fn unit(info: &MediaInfo, knobs: &Knobs) -> SimidUnit {
    let script = info.simid.clone().unwrap_or_else(|| Arc::new(SimidScript::default()));
    SimidUnit::new(&script, knobs)
}

fn is_simid(framework: &Arc<str>) -> bool {
    framework.trim().eq_ignore_ascii_case("simid")
}

/// Returns how a trace names a file: its URL, or that it is inline.
fn named(file: &InteractiveFile) -> Fields {
    match &file.html {
        Some(_) => Fields::one("inline", true),
        None => Fields::one("url", Text::from(&file.url.text)),
    }
}

/// Returns why a file cannot run; `None` if it can.
fn refusal(file: &InteractiveFile) -> Option<&'static str> {
    let bare = |mime: &Arc<str>| mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !file.api_framework.as_ref().is_some_and(is_simid) {
        Some("its framework is not SIMID")
    } else if file.mime.as_ref().is_some_and(|mime| !PAGES.contains(&&*bare(mime))) {
        Some("its type is not that of a page")
    } else if file.url.text.is_empty() && file.html.is_none() {
        Some("it has no URL")
    } else {
        None
    }
}
