//! The edit calls of a scenario: the service answers them, and players are informed of the edits.
//!
//! The scenario's client sends a multipart form and a `User-Agent`, unless a step says otherwise.
//! The service handles a call at once; only the answer may be delayed.
//!
//! Rules: EDIT-44, EDIT-47, EDIT-50 to EDIT-63, META-2.

use std::sync::Arc;

use super::stage::Stage;
use super::{AgendaItem, Simulation};
use playsim_api::catalog::Catalog;
use playsim_api::video::{Day, Video};
use playsim_api::{Cause, Class, Fields, Input, Line, Value};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_scenario::EditScript;
use playsim_scenario::edit::{
    EditRequest as Call, EditResponse, Form, Headers, JournalEntry, Service, ServiceFault, Setup,
};
use playsim_trace::NewLine;

/// The service, with the videos whose records it has edited.
#[derive(Debug, Clone, Hash)]
pub(super) struct Edits {
    service: Service,
    /// Sorted by id.
    edited: Vec<Arc<Video>>,
}

impl Edits {
    fn new(stage: &Stage) -> Edits {
        let scenario = &stage.scenario;
        let records = scenario
            .videos
            .iter()
            .map(|script| script.video.record.clone());
        let setup = Setup {
            knobs: stage.knobs.clone(),
            channels: scenario.channels.as_deref().map(Arc::from),
            token: None,
        };
        Edits {
            service: Service::new(Catalog::from_iter(records), setup),
            edited: Vec::new(),
        }
    }

    /// Returns the video with this id, if its record was edited.
    fn video(&self, id: &str) -> Option<&Arc<Video>> {
        let place = self.edited.binary_search_by(|video| (*video.id).cmp(id));
        place.ok().map(|place| &self.edited[place])
    }

    fn keep(&mut self, video: Arc<Video>) {
        match self
            .edited
            .binary_search_by(|known| known.id.cmp(&video.id))
        {
            Ok(place) => self.edited[place] = video,
            Err(place) => self.edited.insert(place, video),
        }
    }
}

impl Simulation {
    /// Returns a video with its current record, and how long the answer takes.
    pub(super) fn record_of(&self, id: &str) -> Option<(Arc<Video>, Span)> {
        let (video, after) = self.stage.world.record(id)?;
        let edited = self.edits.as_ref().and_then(|edits| edits.video(id));
        Some((Arc::clone(edited.unwrap_or(video)), *after))
    }

    /// Replaces a channel playlist in a configuration by the ids of the channel's videos: those
    /// whose current records name the channel, in the order of the scenario. Returns `None` if the
    /// configuration has no channel playlist.
    ///
    /// Rule EDIT-61.
    pub(super) fn of_channel(&self, config: &Value) -> Option<Value> {
        let fields = config.as_map()?;
        let playlist = fields.get("playlist")?.as_map()?;
        if playlist.get("mode")?.as_text().map(|mode| &**mode) != Some("channel") {
            return None;
        }
        let id = playlist.get("id")?;
        let channel = match id.as_text() {
            Some(text) => text.parse().ok()?,
            None => u32::try_from(id.as_integer()?).ok()?,
        };
        let count = playlist.integer("count");
        let most = count
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or(usize::MAX);
        let videos = self
            .stage
            .scenario
            .videos
            .iter()
            .filter_map(|script| self.record_of(&script.video.id));
        let ids = videos
            .filter(|(video, _)| video.channel_id == Some(channel))
            .take(most);
        let ids: Vec<Value> = ids.map(|(video, _)| Value::from(&video.id)).collect();
        let others = fields.iter().filter(|(key, _)| &***key != "playlist");
        let others: Fields = others
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        Some(Value::Map(others.with("playlist", Value::List(ids))))
    }

    /// Makes the edit call of a step.
    pub(super) fn make_edit(&mut self, script: &EditScript, cause: Cause) {
        let stage = Arc::clone(&self.stage);
        let now = self.now;
        let edits = self
            .edits
            .get_or_insert_with(|| Box::new(Edits::new(&stage)));
        let (path, headers, form) = (script.path(), headers(script), form(script));
        let call = Call {
            method: "POST",
            path: &path,
            headers: &headers,
            body: Ok(form),
        };
        let answer = edits.service.handle_with(now, call, script.fault);
        let changed = answer
            .entry
            .after
            .clone()
            .filter(|_| answer.entry.has_changed());
        let cause = Cause::Line(self.write_call_of(script, &answer, cause));
        for diag in &answer.entry.diags {
            let (rule, player) = (Some(diag.rule), None);
            let line = Line::new(diag.code, Fields::one("text", diag.text.clone()));
            self.tape.write(
                now,
                NewLine {
                    cause,
                    rule,
                    player,
                    in_break: None,
                    line,
                },
            );
        }
        self.last_change = now;
        if answer.after > Span::ZERO {
            let happening = AgendaItem::Edited {
                route: script.route.name(),
                answer: Box::new(answer.clone()),
                cause,
            };
            self.agenda
                .insert(now + answer.after, Class::Net, happening);
        }
        let Some(record) = changed else { return };
        let Some((video, _)) = self.record_of(&record.id) else {
            return;
        };
        let video = Arc::new(video.with_record((*record).clone()));
        if let Some(edits) = &mut self.edits {
            edits.keep(Arc::clone(&video));
        }
        for seat in self.seats.indices() {
            self.out.begin(seat, cause, now);
            // An edit is not a player call and cannot fail.
            let _ = self.seats[seat].handle(Input::Edited(Arc::clone(&video)), &mut self.out);
            self.after_input(seat);
        }
    }

    /// Writes the line of a call, with the answer if that comes at once.
    fn write_call_of(&mut self, script: &EditScript, answer: &EditResponse, cause: Cause) -> u32 {
        let entry = &answer.entry;
        let mut data = Fields::NONE.with_some("id", entry.id.as_ref());
        data.push("fields", Value::Map(entry.fields.clone()));
        if !entry.unknown.is_empty() {
            data.push(
                "unknown",
                Value::List(entry.unknown.iter().map(Value::from).collect()),
            );
        }
        let comes_later = answer.after > Span::ZERO;
        let data = if comes_later {
            data
        } else {
            data.and(self.outcome_of(answer))
        };
        let rule = Some(if comes_later || is_lost(answer) {
            rules::EDIT_44
        } else {
            entry.rule
        });
        let line = Line::edit(script.route.name(), data);
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player: None,
                in_break: None,
                line,
            },
        )
    }

    /// Writes the line of a delayed answer. Rule EDIT-44.
    pub(super) fn edit_answered(
        &mut self,
        route: &'static str,
        answer: &EditResponse,
        cause: Cause,
    ) {
        let data = Fields::NONE
            .with_some("id", answer.entry.id.as_ref())
            .and(self.outcome_of(answer));
        let rule = Some(if is_lost(answer) {
            rules::EDIT_44
        } else {
            answer.entry.rule
        });
        let line = Line::edit(route, data);
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player: None,
                in_break: None,
                line,
            },
        );
        self.last_change = self.now;
    }

    /// Returns the result of a call: its answer, and the state of the record. Rules EDIT-44,
    /// EDIT-63.
    fn outcome_of(&self, answer: &EditResponse) -> Fields {
        let entry: &JournalEntry = &answer.entry;
        let mut data = if answer.is_cut {
            Fields::NONE
        } else {
            Fields::one("status", answer.status)
        };
        let error = |error: &playsim_scenario::edit::FieldError| {
            let fields = Fields::one("field", &error.field).with("code", error.code);
            Value::Map(fields.with("message", error.message.clone()))
        };
        if !entry.errors.is_empty() {
            data.push(
                "errors",
                Value::List(entry.errors.iter().map(error).collect()),
            );
        } else if !entry.detail.is_empty() {
            data.push("text", entry.detail.clone());
        }
        let fault = entry.fault.unwrap_or_default();
        match fault {
            ServiceFault { cut: true, .. } => data.push("fault", "cut"),
            ServiceFault { empty: true, .. } => data.push("fault", "empty"),
            ServiceFault {
                status: Some(_), ..
            } => data.push("fault", "status"),
            ServiceFault { .. } => {}
        }
        if let Some(record) = entry.after.as_ref().filter(|_| answer.status == 200) {
            let micros = i64::try_from(entry.at.micros()).unwrap_or(i64::MAX);
            let today =
                Day::of_micros(self.stage.scenario.page.epoch_micros.saturating_add(micros));
            data.push("state", record.state(today).name());
            if record.rejected {
                data.push("rejected", true);
            }
        }
        data
    }
}

/// Returns whether a fault keeps the answer from the client. Rule EDIT-44.
fn is_lost(answer: &EditResponse) -> bool {
    answer
        .entry
        .fault
        .is_some_and(|fault| fault.cut || fault.empty)
}

/// Returns the headers of a step, with defaults for those it does not set.
fn headers(script: &EditScript) -> Headers {
    const USUAL: [(&str, &str); 2] = [
        ("Content-Type", "multipart/form-data; boundary=playsim"),
        ("User-Agent", "playsim"),
    ];
    let is_own = |name: &str| {
        script
            .headers
            .iter()
            .any(|(own, _)| own.eq_ignore_ascii_case(name))
    };
    let usual = USUAL.into_iter().filter(|(name, _)| !is_own(name));
    let own = script
        .headers
        .iter()
        .filter_map(|(name, value)| Some((&**name, value.as_deref()?)));
    usual.chain(own).collect()
}

/// Returns the fields of a step, preceded by the id if the route has it in the form.
fn form(script: &EditScript) -> Form {
    const ID: &str = "data[Video][id]";
    let has_id = script.route.has_id_in_path()
        || script
            .fields
            .iter()
            .any(|(name, _)| matches!(&**name, ID | "id"));
    let id = script
        .id
        .iter()
        .filter(|_| !has_id)
        .map(|id| (Arc::from(ID), Arc::clone(id)));
    id.chain(script.fields.iter().cloned()).collect()
}
