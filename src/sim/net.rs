//! Requests and answers: the world's side of the players' questions.
//!
//! Rules: REQ-10, REQ-17, MEL-6, MEL-23, INIT-11, EV-36, LPL-1, LPL-6.

use super::*;
use crate::api::{Fetched, Purpose};
use crate::media::MediaFault;
use crate::player::Expected;
use crate::rules::RuleId;
use crate::words;

impl Simulation {
    /// Sends a request out into the world, and puts its answer on the agenda.
    pub(super) fn fetch(&mut self, seat: usize, cause: Cause, rule: RuleId, ticket: u32, request: Request) {
        if request.purpose == Purpose::Record
            && let Some((video, Span::ZERO)) = self.stage.world.record(&request.url)
        {
            // Part of the ready work that takes no time: nothing is asked, nothing waits. INIT-11
            let input = Input::Record(request.id, Some(video.clone()));
            self.hand_in(seat, cause, input);
            return;
        }
        let line = self.write_net(seat, cause, rule, "request", request_fields(&request));
        self.tape.redeem(ticket, line);
        self.last_change = self.now;
        let cause = Cause::Line(line);
        let (after, input) = match request.purpose {
            Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist => {
                match self.document(seat, &request, cause) {
                    Some(answer) => answer,
                    None => return,
                }
            }
            Purpose::Media => self.media(seat, &request, cause),
            Purpose::Record => self.record(seat, &request, cause),
        };
        let happening = Happening::Answer { seat, request, cause, input };
        self.agenda.insert(self.now + after, Class::Net, happening);
    }

    fn document(&mut self, seat: usize, request: &Request, cause: Cause) -> Option<(Span, Input)> {
        let stage = Arc::clone(&self.stage);
        let Some(route) = stage.world.route(&request.url) else {
            let text = format!("\"{}\" is not listed under network; it answers 404", request.url);
            let meant = words::slip(&request.url, stage.world.addresses());
            self.write_unlisted(seat, cause, rule!("REQ-17"), "address_not_listed", text, meant);
            return Some((Span::ZERO, Input::Fetched(request.id, not_found(&request.url))));
        };
        let used = &mut self.used[World::number(route)];
        let reply = stage.world.reply(route, *used)?;
        *used += 1;
        let fetched = reply.fetched.clone()?;
        Some((reply.after, Input::Fetched(request.id, fetched)))
    }

    fn media(&mut self, seat: usize, request: &Request, cause: Cause) -> (Span, Input) {
        let stage = Arc::clone(&self.stage);
        match stage.world.media(&request.url) {
            Some(reply) => (reply.after, Input::Loaded(request.id, reply.at(self.now + reply.after))),
            None => {
                let text = format!("\"{}\" is not listed under media; it answers 404", request.url);
                let meant = words::slip(&request.url, stage.world.media_addresses());
                self.write_unlisted(seat, cause, rule!("MEL-6"), "media_not_listed", text, meant);
                (Span::ZERO, Input::Loaded(request.id, Err(MediaFault::NotFound)))
            }
        }
    }

    fn record(&mut self, seat: usize, request: &Request, cause: Cause) -> (Span, Input) {
        let stage = Arc::clone(&self.stage);
        match stage.world.record(&request.url) {
            Some((video, after)) => (*after, Input::Record(request.id, Some(video.clone()))),
            None => {
                let text = format!("\"{}\" is not listed under videos; there is no such record", request.url);
                // Ids as short as `v1` and `v2` are all alike.
                let is_word = request.url.chars().count() > 3;
                let meant = words::nearest(&request.url, stage.world.ids()).filter(|_| is_word);
                self.write_unlisted(seat, cause, rule!("INIT-15"), "record_not_listed", text, meant);
                (Span::ZERO, Input::Record(request.id, None))
            }
        }
    }

    fn write_unlisted(
        &mut self,
        seat: usize,
        cause: Cause,
        rule: RuleId,
        code: &'static str,
        text: String,
        meant: Option<&str>,
    ) {
        let data = Fields::one("text", text).with_some("suggestion", meant.map(str::to_owned));
        let rule = Some(rule);
        let player = Some(index(seat));
        self.tape.write(self.now, NewLine { cause, rule, player, kind: Kind::Diag, name: code.into(), data });
    }

    /// An answer arrives. Whether anybody still waits for it, the player says. Rule REQ-10.
    pub(super) fn answer(&mut self, seat: usize, request: &Request, cause: Cause, input: Input) {
        let expected = self.seats[seat].expects(request.id);
        let mut data = request_fields(request);
        let mut name = "response";
        match &input {
            Input::Fetched(_, Fetched::Answer(answer)) => {
                data.push("status", answer.status);
                data.push("bytes", answer.text.len());
                if answer.name != request.url && !answer.name.is_empty() {
                    data.push("file", &answer.name);
                }
            }
            Input::Fetched(_, Fetched::Failed(fault)) => {
                name = "failed";
                data.push("how", fault.word());
            }
            Input::Loaded(_, Err(MediaFault::NotFound)) | Input::Record(_, None) => {
                data.push("status", 404u16)
            }
            Input::Loaded(_, Err(fault)) => {
                name = "failed";
                data.push("how", fault.word());
            }
            Input::Loaded(_, Ok(_)) | Input::Record(_, Some(_)) => data.push("status", 200u16),
            Input::Call(_) | Input::Person(_) | Input::Page(_) | Input::Task(_) | Input::Wake => {}
        }
        let (name, rule) = match expected {
            Expected::Awaited => (name, rule!("REQ-17")),
            Expected::Late => ("late", rule!("REQ-10")),
            Expected::Dropped if self.seats[seat].is_destroyed() => ("dropped", rule!("DESTROY-3")),
            Expected::Dropped => match request.purpose {
                Purpose::AdTag | Purpose::Wrapper => ("dropped", rule!("STOP-3")),
                Purpose::Media | Purpose::Record => ("dropped", rule!("MEL-23")),
                Purpose::Playlist => ("dropped", rule!("LPL-6")),
            },
        };
        let line = self.write_net(seat, cause, rule, name, data);
        self.last_change = self.now;
        let is_of_use =
            expected == Expected::Late && self.seats[seat].player().is_some_and(Player::uses_late_answers);
        if expected == Expected::Awaited || is_of_use {
            self.hand_in(seat, Cause::Line(line), input);
        }
    }

    fn hand_in(&mut self, seat: usize, cause: Cause, input: Input) {
        let cause = self.tape.resolved(cause).map_or(Cause::Script, Cause::Line);
        self.out.begin(index(seat).0, cause, self.now);
        // An answer is no call and cannot fail.
        let _ = self.seats[seat].handle(self.now, input, &mut self.out);
        self.after_input(seat);
    }

    fn write_net(
        &mut self,
        seat: usize,
        cause: Cause,
        rule: RuleId,
        name: &'static str,
        data: Fields,
    ) -> u32 {
        let (rule, player) = (Some(rule), Some(index(seat)));
        self.tape.write(self.now, NewLine { cause, rule, player, kind: Kind::Net, name: name.into(), data })
    }
}

fn request_fields(request: &Request) -> Fields {
    // These six, and three more of an answer.
    Fields::with_room(9)
        .with("id", request.id.0)
        .with("url", &request.url)
        .with("purpose", request.purpose.word())
        .with_some("hop", request.hop)
        .with_some("wp", request.wp)
        .with_some("pod", request.pod)
}

fn not_found(url: &Arc<str>) -> Fetched {
    Fetched::Answer(crate::api::Answer {
        status: 404,
        text: "".into(),
        name: url.clone(),
        document: Arc::new(crate::vast::Document::default()),
    })
}
