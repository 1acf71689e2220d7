//! The page of a SIMID unit: which file of the ad it is, and loading it beside the film.
//!
//! Rules: SIMID-1 to SIMID-3; VAST 4.3 section 3.9.3.

use std::sync::Arc;

use super::Moment;
use super::simid::SimidUnit;
use crate::ads::Abandoned;
use crate::ads::ad_break::Pending;
use crate::ads::course::Course;
use crate::ads::error::AdErrorCode;
use crate::ads::linear::Prepared;
use crate::ads::tracking::Hop;
use crate::api::{Fields, Kind, Line, Outbox, Output, Purpose, RequestId, Text};
use crate::knobs::Knobs;
use crate::media::{MediaFault, MediaInfo, SimidScript};
use crate::rule;
use crate::vast::{InteractiveFile, NonLinear, ResourceKind};

/// The page of a unit that belongs to an ad.
#[derive(Debug, Clone)]
pub(in crate::ads) struct Page {
    /// Its request.
    pub(in crate::ads) pending: Pending,
    /// What came of it; `None`: nothing yet.
    pub(in crate::ads) outcome: Option<Result<Arc<MediaInfo>, MediaFault>>,
}

/// The types that a page may have.
const PAGES: &[&str] = &["text/html", "application/xhtml+xml"];

impl Course {
    /// Asks for the page of the unit that the ad names, if it names one that can run. Rule SIMID-2.
    pub(in crate::ads) fn ask_page(&mut self, hops: &[Hop], moment: &mut Moment<'_, '_>) -> Option<Page> {
        let linear = hops.last()?.linears().next()?;
        let file = linear.interactive_files.first()?;
        let runs = linear.interactive_files.iter().find(|file| refusal(file).is_none());
        let Some(file) = runs else {
            let why = refusal(file).unwrap_or_default();
            self.not_executed(hops, Text::from(&file.url.text), why.into(), moment);
            return None;
        };
        let url = Arc::clone(&file.url.text);
        let data = Fields::one("url", Text::from(&url))
            .with_some("type", file.mime.as_ref().map(Text::from))
            .with_some("at", hops.last().map(|hop| hop.place(file.url.at)));
        moment.out.line(rule!("SIMID-2"), Kind::Ad, "select-interactive", data);
        let pending = self.request(Purpose::Media, None, url, moment.out);
        Some(Page { pending, outcome: None })
    }

    /// The unit of an ad does not run, and its film plays without it: 409. Rule SIMID-2.
    pub(in crate::ads) fn not_executed(
        &mut self,
        hops: &[Hop],
        url: Text,
        why: Text,
        moment: &mut Moment<'_, '_>,
    ) {
        let code = AdErrorCode::InteractiveNotRun;
        let data = Fields::one("url", url).with("code", code.number()).with("why", why);
        let line = Line { kind: Kind::Ad, name: "reject-interactive".into(), data };
        let because = moment.out.cause();
        let cause = moment.out.put_because(because, rule!("SIMID-2"), Output::Line(line));
        moment.out.blame(cause);
        moment.teller(self.kind).errors(code, hops, None);
        moment.out.blame(because);
    }

    /// The unit that the page of an ad has become; `None` if it has none that runs. Rule SIMID-2.
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
        self.not_executed(&hops, Text::from(&page.pending.url), why.into(), moment);
        None
    }

    /// The ad in turn is not used: nobody waits for the page of its unit.
    pub(in crate::ads) fn give_up_page(&mut self, prepared: &Prepared, why: Abandoned) {
        if let Some(page) = prepared.awaited_page() {
            self.abandon(page.pending.id, why);
        }
    }

    /// Asks for the page of an overlay that is a unit. Rule SIMID-15.
    pub(in crate::ads) fn ask_overlay_page(&mut self, hops: &[Hop], out: &mut Outbox) -> Option<Pending> {
        let is_unit = |choice: &&NonLinear| choice.api_framework.as_ref().is_some_and(is_simid);
        let choice = hops.last().and_then(Hop::overlay).filter(is_unit)?;
        let page = choice.resources.iter().find(|resource| resource.kind == ResourceKind::IFrame)?;
        Some(self.request(Purpose::Media, None, Arc::clone(&page.content), out))
    }

    /// An overlay with a film of its own runs no page beside it. Rules ADX-24, SIMID-2.
    pub(in crate::ads) fn refuse_page_of_overlay(&mut self, hops: &[Hop], moment: &mut Moment<'_, '_>) {
        let file = hops.last().and_then(Hop::overlay).and_then(|choice| choice.interactive_files.first());
        if let Some(file) = file {
            let why = "beside the film of an overlay no page runs";
            self.not_executed(hops, Text::from(&file.url.text), why.into(), moment);
        }
    }
}

impl Prepared {
    /// The page that is waited for.
    pub(in crate::ads) fn awaited_page(&self) -> Option<&Page> {
        self.page.as_ref().filter(|page| page.outcome.is_none())
    }

    /// Whether it waits for this request.
    pub(in crate::ads) fn awaits_page(&self, id: RequestId) -> bool {
        self.awaited_page().is_some_and(|page| page.pending.id == id)
    }

    /// What came of the page.
    pub(in crate::ads) fn page_came(&mut self, outcome: Result<Arc<MediaInfo>, MediaFault>) {
        if let Some(page) = &mut self.page {
            page.outcome = Some(outcome);
        }
    }
}

/// The unit of a page. Without a script it answers at once and asks for nothing.
pub(in crate::ads) fn unit(info: &MediaInfo, knobs: &Knobs) -> SimidUnit {
    let script = info.simid.clone().unwrap_or_else(|| Arc::new(SimidScript::default()));
    SimidUnit::new(&script, knobs)
}

fn is_simid(framework: &Arc<str>) -> bool {
    framework.trim().eq_ignore_ascii_case("simid")
}

/// Why a file does not run; `None` if it does.
fn refusal(file: &InteractiveFile) -> Option<&'static str> {
    let bare = |mime: &Arc<str>| mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !file.api_framework.as_ref().is_some_and(is_simid) {
        Some("its framework is not SIMID")
    } else if file.mime.as_ref().is_some_and(|mime| !PAGES.contains(&&*bare(mime))) {
        Some("its type is not that of a page")
    } else if file.url.text.is_empty() {
        Some("it has no address")
    } else if file.variable_duration == Some(true) {
        Some("it asks for a variable duration")
    } else {
        None
    }
}
