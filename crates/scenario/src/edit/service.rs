//! The service: the records, the journal and the pending faults.
//!
//! A call is routed, admitted or refused, and read completely before it changes anything.
//!
//! Rules: EDIT-1 to EDIT-5, EDIT-9 to EDIT-14, EDIT-23, EDIT-34, EDIT-40 to EDIT-49, INV-25,
//! CON-26.

use std::collections::VecDeque;
use std::sync::Arc;

use super::answer::{UNKNOWN_FIELDS, failure, success, unknown_fields};
use super::gate::{self, Calls, Refusal};
use super::journal::mistake;
use super::names::leaves;
use super::read::{Reading, Settings, read};
use super::route::{Found, find};
use super::sort::{Sorted, sort};
use super::verdict::{Verdict, changed, date_order, too_many, unprocessable};
use super::{
    BodyError, Diag, EditRequest, EditResponse, FaultPlan, FieldError, Form, Journal, JournalEntry,
    Route, ServiceFault,
};
use playsim_api::Fields;
use playsim_api::catalog::{Catalog, VideoRecord};
use playsim_api::video::{ID, InvalidValue, OWNER};
use playsim_base::time::Time;
use playsim_rules as rules;
use playsim_rules::knobs::{IdConflict, KnobReader};

/// The settings of a service, in addition to its records.
#[derive(Debug, Clone, Default, Hash)]
pub struct Setup {
    /// The settings in force.
    pub knobs: KnobReader,
    /// The channels that exist; `None`: any. Rule EDIT-19.
    pub channels: Option<Arc<[u32]>>,
    /// The token that calls must have where the knob requires one; `None`: any. Rule EDIT-37.
    pub token: Option<Arc<str>>,
}

/// The edit call: it holds the records, and takes the time as an argument.
#[derive(Debug, Clone, Hash)]
pub struct Service {
    setup: Setup,
    catalog: Catalog,
    journal: Journal,
    calls: Calls,
    plans: VecDeque<(FaultPlan, u32)>,
    /// The number of calls so far.
    count: u64,
}

/// The state of a call while it is handled.
#[derive(Default)]
struct Course {
    route: Option<Route>,
    id: Option<Arc<str>>,
    fields: Fields,
    unknown: Vec<Arc<str>>,
    diags: Vec<Diag>,
    before: Option<Arc<VideoRecord>>,
    after: Option<Arc<VideoRecord>>,
    fault: Option<ServiceFault>,
    /// The size of its form in bytes.
    bytes: u64,
}

impl Service {
    /// Returns a service with these records.
    #[must_use]
    pub fn new(catalog: Catalog, setup: Setup) -> Service {
        Service {
            setup,
            catalog,
            journal: Journal::default(),
            calls: Calls::default(),
            plans: VecDeque::new(),
            count: 0,
        }
    }

    /// Returns the records.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns the records for seeding. The journal does not record it. Rule EDIT-46.
    pub fn catalog_mut(&mut self) -> &mut Catalog {
        &mut self.catalog
    }

    /// Returns the calls so far. Rule EDIT-45.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Returns its settings.
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Plans a fault, after those that are pending. Rule EDIT-44.
    pub fn plan(&mut self, plan: FaultPlan) {
        self.plans.push_back((plan, 0));
    }

    /// Replaces the planned faults. Rule EDIT-44.
    pub fn replace_plans(&mut self, plans: impl IntoIterator<Item = FaultPlan>) {
        self.plans = plans.into_iter().map(|plan| (plan, 0)).collect();
    }

    /// Returns the pending faults.
    pub fn plans(&self) -> impl ExactSizeIterator<Item = &FaultPlan> {
        self.plans.iter().map(|(plan, _)| plan)
    }

    /// Starts again with these records: no journal, no faults, no calls. Rule EDIT-46.
    pub fn reset(&mut self, catalog: Catalog) {
        *self = Service::new(catalog, self.setup.clone());
    }

    /// Handles a call that arrives at `now`. Never fails: the response reports errors.
    ///
    /// Calls are handled in the order in which they are given, also those of one instant. Rule
    /// EDIT-47.
    pub fn handle(&mut self, now: Time, request: EditRequest<'_>) -> EditResponse {
        self.handle_with(now, request, None)
    }

    /// Handles a call with a fault. Rule EDIT-44.
    pub fn handle_with(
        &mut self,
        now: Time,
        request: EditRequest<'_>,
        fault: Option<ServiceFault>,
    ) -> EditResponse {
        self.count += 1;
        let (method, path) = (request.method.into(), request.path.into());
        let mut course = Course {
            fault,
            ..Course::default()
        };
        let verdict = self.decide(now, request, &mut course);
        let knobs: &KnobReader = &self.setup.knobs;
        let (verdict, (kind, body)) = match verdict {
            Ok(record) => (Verdict::success(), success(&record, knobs)),
            Err(verdict) => {
                let body = failure(verdict.status, &verdict.detail, &verdict.errors, knobs);
                (verdict, body)
            }
        };
        let Verdict {
            status,
            rule,
            detail,
            errors,
            header,
        } = verdict;
        let Course {
            route,
            id,
            fields,
            unknown,
            diags,
            before,
            after,
            fault,
            bytes,
        } = course;
        let (number, at) = (self.count, now);
        let hint = unknown_fields(&unknown).map(|names| (UNKNOWN_FIELDS, names));
        let entry = JournalEntry {
            number,
            at,
            method,
            path,
            route,
            id,
            fields,
            unknown,
            status,
            detail,
            errors,
            diags,
            fault,
            before,
            after,
            rule,
        };
        let entry = Arc::new(entry);
        self.journal.push(Arc::clone(&entry), bytes);
        let ServiceFault {
            after, cut, empty, ..
        } = fault.unwrap_or_default();
        let has_body = !cut && !empty;
        let kind = kind
            .filter(|_| has_body)
            .map(|kind| ("Content-Type", kind.to_owned()));
        let body = if has_body { body } else { String::new() };
        EditResponse {
            status,
            headers: kind.into_iter().chain(header).chain(hint).collect(),
            body,
            after,
            is_cut: cut,
            entry,
        }
    }

    /// Decides a call: the resulting record, or why there is none.
    fn decide(
        &mut self,
        now: Time,
        request: EditRequest<'_>,
        course: &mut Course,
    ) -> Result<Arc<VideoRecord>, Verdict> {
        let EditRequest {
            method,
            path,
            headers,
            body,
        } = request;
        let found = self.route(method, path, course);
        let (route, id) = match found {
            Ok(found) => found,
            // A pending fault is for a call that could edit; one that the call itself carries is
            // for this one.
            Err(refusal) => return Err(planned_status(course.fault).unwrap_or(refusal).into()),
        };
        course.id = id.as_deref().map(Arc::from);
        let form = match body {
            Ok(form) => self.read(&form, route, id.as_deref(), course),
            Err(error) => Err(error.into()),
        };
        course.before = course
            .id
            .as_deref()
            .and_then(|id| self.catalog.get(id))
            .cloned();
        course.after = course.before.clone();
        course.fault = course.fault.or_else(|| self.fault(course));
        if let Some(refusal) = planned_status(course.fault) {
            return Err(refusal.into());
        }
        self.let_in(now, headers, course)?;
        self.edit(id, form?, course)
    }

    /// Finds the route of a path. Rules EDIT-1 to EDIT-3, EDIT-48.
    fn route(
        &self,
        method: &str,
        path: &str,
        course: &mut Course,
    ) -> Result<(Route, Option<String>), Refusal> {
        let allowed = |route| {
            if method == "POST" {
                return Ok(route);
            }
            let detail = format!("this path does not accept {method}; edit a video with POST");
            Err(Refusal::new(405, rules::EDIT_3, detail).with("Allow", "POST"))
        };
        match find(path, &self.setup.knobs) {
            Found::Edit(route, id) => {
                course.route = Some(route);
                allowed(route).map(|route| (route, id))
            }
            Found::NotUtf8(route) => {
                course.route = Some(route);
                allowed(route)?;
                Err(Refusal::new(
                    400,
                    rules::EDIT_49,
                    "the id in the path is not UTF-8",
                ))
            }
            Found::Other => Err(Refusal::new(
                501,
                rules::EDIT_48,
                "this service only edits videos; other operations are not implemented",
            )),
            Found::Nothing(meant) => {
                let detail = match meant {
                    Some(meant) => {
                        let id_in_form = if meant.contains("/videos/") {
                            ", with the id in the form field data[Video][id]"
                        } else {
                            ""
                        };
                        format!("unknown path; did you mean {meant}{id_in_form}?")
                    }
                    None => {
                        "unknown path; edit a video at /apiv3/video/edit/<video_id>.json".to_owned()
                    }
                };
                Err(Refusal::new(404, rules::EDIT_3, detail))
            }
        }
    }

    /// Reads the fields of a form, and finds its video.
    fn read(
        &self,
        form: &Form,
        route: Route,
        id: Option<&str>,
        course: &mut Course,
    ) -> Result<Reading, Refusal> {
        course.bytes = form.bytes();
        if course.bytes > self.setup.knobs.edit_max_body().0 {
            return Err(BodyError::TooLarge.into());
        }
        let leaves =
            leaves(form).map_err(|error| Refusal::new(400, rules::EDIT_7, error.to_string()))?;
        let sorted: Sorted = sort(form, &leaves, route, self.setup.knobs.edit_prefix());
        let settings = Settings {
            knobs: &self.setup.knobs,
            channels: self.setup.channels.as_deref(),
        };
        let reading = read(&sorted, settings);
        course.fields = reading.fields.clone();
        course.unknown = sorted.unknown.into_iter().map(|(_, name)| name).collect();
        course.diags.extend(reading.diags.iter().cloned());
        if id.is_none() {
            course.id = reading.id.as_ref().map(|(id, _)| Arc::clone(id));
        }
        Ok(reading)
    }

    /// Takes the pending fault for this call. Rule EDIT-44.
    fn fault(&mut self, course: &Course) -> Option<ServiceFault> {
        let mut due = None;
        for (place, (plan, seen)) in self.plans.iter_mut().enumerate() {
            if !plan.matches(course.route, course.id.as_deref()) {
                continue;
            }
            *seen += 1;
            if due.is_none() && plan.nth.is_none_or(|nth| nth == *seen) {
                due = Some(place);
            }
        }
        let plan = &self.plans.get(due?)?.0;
        let (fault, stays) = (plan.fault, plan.always && plan.nth.is_none());
        if !stays {
            self.plans.remove(due?);
        }
        Some(fault)
    }

    /// Checks whether the call is admitted.
    fn let_in(
        &mut self,
        now: Time,
        headers: &super::Headers,
        course: &mut Course,
    ) -> Result<(), Refusal> {
        let knobs = &self.setup.knobs;
        self.calls.count(now, knobs.edit_rate())?;
        gate::authentication(headers, knobs, self.setup.token.as_ref())?;
        gate::user_agent(headers, knobs, &mut course.diags)?;
        gate::body_type(headers, knobs)
    }

    /// Makes the changes that a form asks for, or returns why not. Rules EDIT-9 to EDIT-14,
    /// EDIT-34.
    fn edit(
        &mut self,
        in_path: Option<String>,
        reading: Reading,
        course: &mut Course,
    ) -> Result<Arc<VideoRecord>, Verdict> {
        let knobs = self.setup.knobs.clone();
        let Reading {
            id: in_form,
            partner,
            changes,
            mut errors,
            ..
        } = reading;
        let is_wrong_id = errors.iter().any(|(_, error)| *error.field == *ID);
        let id_error = match (&in_path, &in_form) {
            (Some(path), Some((form, at)))
                if *path != **form && knobs.edit_id_conflict() == IdConflict::Error =>
            {
                let due = format!(
                    "the id in the path is \"{path}\"; send only one of them, or the same twice"
                );
                Some((
                    *at,
                    mistake(
                        ID,
                        form,
                        InvalidValue::new("id_conflict", due),
                        rules::EDIT_9,
                    ),
                ))
            }
            (None, None) if !is_wrong_id => {
                let message = "field \"id\" is missing; the path has no id, so send one, like data[Video][id]=v1";
                let (field, code, rule) = (ID.into(), "missing", rules::EDIT_10);
                Some((
                    0,
                    FieldError {
                        field,
                        code,
                        message: message.to_owned(),
                        rule,
                    },
                ))
            }
            (Some(_) | None, Some(_) | None) => None,
        };
        let has_no_id = is_wrong_id || id_error.is_some();
        // A missing id comes before the fields that were sent.
        errors.splice(0..0, id_error);
        let id: Option<Arc<str>> = in_path.map(Arc::from).or(in_form.map(|(id, _)| id));
        let record = id.as_deref().and_then(|id| self.catalog.get(id)).cloned();
        let Some(record) = record.filter(|_| !has_no_id) else {
            if has_no_id {
                return Err(unprocessable(errors));
            }
            let detail = format!("unknown video \"{}\"", id.unwrap_or_default());
            return Err(Refusal::new(404, rules::EDIT_10, detail).into());
        };
        let is_other = partner.is_some_and(|partner| !record.may_belong_to(&partner));
        if knobs.edit_partner_check().is_on() && is_other {
            let detail = format!("field \"{OWNER}\" is not the account that owns the video");
            return Err(Refusal::new(403, rules::EDIT_34, detail).into());
        }
        let edited = changed(&record, &changes);
        date_order(&edited, &changes, &knobs, &mut errors, &mut course.diags);
        if let Some(error) = too_many(&edited, &changes) {
            errors.push(error);
            return Err(unprocessable(errors));
        }
        let is_changed = errors.is_empty() || !knobs.edit_atomic().is_on();
        if is_changed && edited != *record {
            let edited = Arc::new(edited);
            self.catalog.insert(Arc::clone(&edited));
            course.after = Some(edited);
        }
        match course.after.clone() {
            Some(record) if errors.is_empty() => Ok(record),
            Some(_) | None => Err(unprocessable(errors)),
        }
    }
}

/// The planned status that is returned instead of editing. Rule EDIT-44.
fn planned_status(fault: Option<ServiceFault>) -> Option<Refusal> {
    let status = fault?.status?;
    Some(Refusal::new(
        status,
        rules::EDIT_44,
        "this response was planned as a fault",
    ))
}
