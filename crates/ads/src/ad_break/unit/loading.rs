//! Finds and loads the page of a SIMID unit, together with the media of its ad.
//!
//! Rules: SIMID-1 to SIMID-3; VAST 4.3 section 3.9.3.

use std::sync::Arc;

use crate::ad_break::course::Course;
use crate::ad_break::outcome::Abandoned;
use crate::error::{AdErrorCode, Reached};
use crate::report::context::Scope;
use crate::request::hop::Hop;
use crate::request::pending::Pending;
use crate::show::linear::Prepared;
use crate::show::unit::page::{Page, is_simid, named, page_of, refusal, unit};
use crate::show::unit::simid::SimidUnit;
use playsim_api::{AdLine, Because, Fields, Purpose, Text};
use playsim_rules as rules;
use playsim_vast::{NonLinear, ResourceKind};

impl Course {
    /// Requests the page of the ad's unit, if it has one that can run. Rule SIMID-2.
    pub(crate) fn ask_page(&mut self, hops: &[Hop], cx: &mut Scope<'_>) -> Option<Page> {
        let linear = hops.last()?.linears().next()?;
        let file = linear.interactive_files.first()?;
        let Some(file) = page_of(&linear.interactive_files, cx.knobs()) else {
            let why = refusal(file).unwrap_or_default();
            self.not_executed(hops, named(file), why.into(), cx);
            return None;
        };
        let data = named(file)
            .with_some("type", file.mime.as_ref().map(Text::from))
            .with_some("at", hops.last().map(|hop| hop.place(file.url.at)));
        let cause = cx.out.line(rules::SIMID_2, AdLine::SelectInteractive, data);
        if file.html.is_some() {
            return Some(Page::inline(cx.out.next_request(), cause, cx.around.sides));
        }
        let pending = self.request(Purpose::Media, None, Arc::clone(&file.url.text), cx);
        Some(Page {
            pending,
            outcome: None,
        })
    }

    /// Reports that the unit of an ad does not run and its media plays without it: 409. Rule
    /// SIMID-2.
    pub(super) fn not_executed(
        &mut self,
        hops: &[Hop],
        file: Fields,
        why: Text,
        cx: &mut Scope<'_>,
    ) {
        let code = AdErrorCode::InteractiveNotRun;
        let data = file.with("code", code.number()).with("why", why);
        let because = cx.out.cause();
        let cause = cx.out.line(
            Because {
                rule: rules::SIMID_2,
                cause: because,
            },
            AdLine::RejectInteractive,
            data,
        );
        cx.out.set_cause(cause);
        cx.errors(code, Reached::Media, hops, None);
        cx.out.set_cause(because);
    }

    /// Returns the unit of the loaded page; `None` if the ad has none that runs. Rule SIMID-2.
    pub(crate) fn unit_of(
        &mut self,
        prepared: &mut Prepared,
        cx: &mut Scope<'_>,
    ) -> Option<SimidUnit> {
        let page = prepared.page.take()?;
        let why = match page.outcome {
            Some(Ok(info)) => return Some(unit(&info, cx.knobs())),
            Some(Err(fault)) => fault.name(),
            None => "it took too long",
        };
        let hops = Arc::clone(&prepared.hops);
        self.not_executed(
            &hops,
            Fields::one("url", Text::from(&page.pending.url)),
            why.into(),
            cx,
        );
        None
    }

    /// Abandons the request for the page of an ad that is not used.
    pub(crate) fn give_up_page(&mut self, prepared: &Prepared, why: Abandoned) {
        if let Some(page) = prepared.awaited_page() {
            self.abandon(page.pending.id, why);
        }
    }

    /// Requests the page of an overlay that is a unit. Rule SIMID-15.
    pub(crate) fn ask_overlay_page(&mut self, hops: &[Hop], cx: &mut Scope<'_>) -> Option<Pending> {
        let is_unit = |choice: &&NonLinear| choice.api_framework.as_ref().is_some_and(is_simid);
        let choice = hops.last().and_then(Hop::overlay).filter(is_unit)?;
        let page = choice
            .resources
            .iter()
            .find(|resource| resource.kind == ResourceKind::IFrame)?;
        Some(self.request(Purpose::Media, None, Arc::clone(&page.content), cx))
    }

    /// Rejects the page of an overlay that has media of its own. Rules ADX-24, SIMID-2.
    pub(crate) fn refuse_page_of_overlay(&mut self, hops: &[Hop], cx: &mut Scope<'_>) {
        let file = hops
            .last()
            .and_then(Hop::overlay)
            .and_then(|choice| choice.interactive_files.first());
        if let Some(file) = file {
            let why = "no page runs next to the media of an overlay";
            self.not_executed(hops, named(file), why.into(), cx);
        }
    }
}
