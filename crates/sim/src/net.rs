//! Answers the players' requests from the simulated network.
//!
//! Rules: REQ-10, REQ-17, REQ-20, CHN-4, MEL-6, MEL-23, MEL-28, INIT-11, EV-36, LPL-1, LPL-6.

use std::sync::Arc;

use super::moves::{Latency, LatencyOf};
use super::{AgendaItem, Simulation};
use playsim_api::media::{LoadFault, MediaFault, MediaInfo};
use playsim_api::video::Video;
use playsim_api::{
    Because, Cause, Class, Code, Fetched, Fields, Input, Kind, Line, NetLine, NetworkFault,
    PlayerIndex, Provenance, Purpose, Request, RequestId, Response,
};
use playsim_base::time::{Span, Time};
use playsim_base::words;
use playsim_player::{Player, ResponseStatus};
use playsim_rules::{self as rules, RuleId};
use playsim_scenario::world::{MAX_REDIRECTS, ReplyResult, is_data_url, running};
use playsim_trace::NewLine;

/// A redirect to another URL. Rule CHN-4.
#[derive(Debug, Clone, Hash)]
pub(super) struct Redirect {
    status: u16,
    to: Arc<str>,
    /// The number of the redirect within the request, from 1.
    nth: u32,
}

/// The result of a request.
#[derive(Debug, Clone, Hash)]
pub(super) enum Reply {
    /// For a document: the response, or the failure.
    Fetched(Fetched),
    /// For media.
    Loaded(Result<Arc<MediaInfo>, LoadFault>),
    /// For the record of a video: `None` if there is none.
    Record(Option<Arc<Video>>),
}

impl Reply {
    /// Returns what comes at an instant.
    fn at(self, now: Time) -> Reply {
        match self {
            Reply::Loaded(loaded) => Reply::Loaded(running(loaded, now)),
            Reply::Fetched(_) | Reply::Record(_) => self,
        }
    }

    pub(super) fn into_input(self, id: RequestId) -> Input {
        match self {
            Reply::Fetched(fetched) => Input::Fetched(id, fetched),
            Reply::Loaded(loaded) => Input::Loaded(id, loaded),
            Reply::Record(record) => Input::Record(id, record),
        }
    }
}

impl Simulation {
    /// Sends a request, and puts its answer on the agenda.
    pub(super) fn fetch(&mut self, from: Provenance, request: Request) {
        let Provenance {
            player: seat,
            because,
            ticket,
            ..
        } = from;
        if request.purpose == Purpose::Record
            && let Some((video, after)) = self.record_of(&request.url)
            && after == Span::ZERO
        {
            // A record without a delay is part of the ready work: there is no request and no wait.
            // INIT-11
            self.hand_in(seat, because.cause, Input::Record(request.id, Some(video)));
            return;
        }
        let line = self.write_net(
            seat,
            &request,
            because,
            Line::new(NetLine::Request, request_fields(&request)),
        );
        self.tape.resolve_ticket(ticket, line);
        self.last_change = self.now;
        let cause = Cause::Line(line);
        let (after, reply, latency) = match request.purpose {
            Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist => {
                self.ask(seat, request, cause, 0);
                return;
            }
            Purpose::Media => self.media(seat, &request, cause),
            Purpose::Record => self.record(seat, &request, cause),
        };
        let happening = AgendaItem::Answer {
            seat,
            request,
            cause,
            reply,
            latency,
        };
        self.agenda.insert(self.now + after, Class::Net, happening);
    }

    /// Requests a document, after `redirects` redirects, and puts the answer on the agenda.
    fn ask(&mut self, seat: PlayerIndex, request: Request, cause: Cause, redirects: u32) {
        let stage = Arc::clone(&self.stage);
        let Some(answer) = self.network.respond(&stage.world, &request, redirects) else {
            return;
        };
        if answer.result.is_none() {
            let text = format!(
                "\"{}\" is not listed under network; answered with 404",
                request.url
            );
            let meant = words::slip(&request.url, stage.world.addresses());
            let because = Because {
                rule: rules::REQ_17,
                cause,
            };
            self.write_net(
                seat,
                &request,
                because,
                unlisted(Code::AddressNotListed, text, meant),
            );
        }
        let due = self.now + answer.after;
        let latency = Latency {
            sent: self.now,
            of: answer.nth.map_or(LatencyOf::Settled, LatencyOf::Response),
        };
        let fetched = match answer.result {
            None => empty(404, &request.url),
            Some(ReplyResult::Body(body)) => Fetched::Response(body.response()),
            Some(ReplyResult::Fails(fault)) => Fetched::Failed(fault),
            Some(ReplyResult::Nothing) => return,
            Some(ReplyResult::Redirect(status, to)) => {
                let redirect = Redirect {
                    status,
                    to,
                    nth: redirects + 1,
                };
                let happening = AgendaItem::Redirect {
                    seat,
                    request,
                    cause,
                    redirect,
                    latency,
                };
                self.agenda.insert(due, Class::Net, happening);
                return;
            }
        };
        let happening = AgendaItem::Answer {
            seat,
            request,
            cause,
            reply: Reply::Fetched(fetched),
            latency,
        };
        self.agenda.insert(due, Class::Net, happening);
    }

    /// Follows a redirect, if the player still waits for the answer. Rule CHN-4.
    pub(super) fn redirect(
        &mut self,
        seat: PlayerIndex,
        request: Request,
        cause: Cause,
        redirect: Redirect,
    ) {
        let Redirect { status, to, nth } = redirect;
        let is_followed = match self.seats[seat].expects(request.id) {
            ResponseStatus::Awaited => true,
            ResponseStatus::Late => self.uses_late_answers(seat),
            ResponseStatus::Dropped => false,
        };
        if !is_followed {
            self.hand_over(
                seat,
                &request,
                cause,
                Reply::Fetched(empty(status, &request.url)),
            );
            return;
        }
        let data = request_fields(&request)
            .with("status", status)
            .with("to", &to);
        let because = Because {
            rule: rules::CHN_4,
            cause,
        };
        let line = self.write_net(seat, &request, because, Line::new(NetLine::Redirect, data));
        self.last_change = self.now;
        let (cause, request) = (Cause::Line(line), Request { url: to, ..request });
        if nth > MAX_REDIRECTS {
            let failed = Fetched::Failed(NetworkFault::Redirects);
            self.hand_over(seat, &request, cause, Reply::Fetched(failed));
        } else {
            self.ask(seat, request, cause, nth);
        }
    }

    /// Returns whether the player uses answers that arrive after their timeout. Knob `ad.late`.
    pub(super) fn uses_late_answers(&self, seat: PlayerIndex) -> bool {
        self.seats[seat]
            .player()
            .is_some_and(Player::uses_late_answers)
    }

    fn media(
        &mut self,
        seat: PlayerIndex,
        request: &Request,
        cause: Cause,
    ) -> (Span, Reply, Latency) {
        let stage = Arc::clone(&self.stage);
        match stage.world.media(&request.url) {
            Some(reply) => {
                let reply = self.network.load(reply);
                let after = self
                    .network
                    .intercepted(request)
                    .after
                    .unwrap_or(reply.after);
                let loaded = reply.loaded.clone();
                let (after, latency) = self.latency_of(request, after);
                (after, Reply::Loaded(loaded), latency)
            }
            None => {
                let text = format!(
                    "\"{}\" is not listed under media; answered with 404",
                    request.url
                );
                let meant = stage.world.media_meant(&request.url);
                let because = Because {
                    rule: rules::MEL_6,
                    cause,
                };
                self.write_net(
                    seat,
                    request,
                    because,
                    unlisted(Code::MediaNotListed, text, meant),
                );
                (
                    Span::ZERO,
                    Reply::Loaded(Err(MediaFault::NotFound.into())),
                    Latency::settled(self.now),
                )
            }
        }
    }

    fn record(
        &mut self,
        seat: PlayerIndex,
        request: &Request,
        cause: Cause,
    ) -> (Span, Reply, Latency) {
        let stage = Arc::clone(&self.stage);
        match self.record_of(&request.url) {
            Some((video, after)) => {
                let (after, latency) = self.latency_of(request, after);
                (after, Reply::Record(Some(video)), latency)
            }
            None => {
                let text = format!(
                    "\"{}\" is not listed under videos; the record does not exist",
                    request.url
                );
                // Short ids such as `v1` and `v2` are too similar for a suggestion.
                let is_word = request.url.chars().count() > 3;
                let meant = if is_word {
                    words::nearest(&request.url, stage.world.ids())
                } else {
                    None
                };
                let because = Because {
                    rule: rules::INIT_15,
                    cause,
                };
                self.write_net(
                    seat,
                    request,
                    because,
                    unlisted(Code::RecordNotListed, text, meant),
                );
                (Span::ZERO, Reply::Record(None), Latency::settled(self.now))
            }
        }
    }

    /// Marks a beacon that an ad blocker stops. It uses up no response. Rule REQ-19.
    pub(super) fn mark_if_blocked(&self, line: &mut Line) {
        if line.kind() == Kind::Beacon
            && line
                .data()
                .text("url")
                .is_some_and(|url| self.network.is_blocked(&self.stage.world, url))
        {
            line.push("how", NetworkFault::Blocked.name());
        }
    }

    /// Delivers an answer, if the player still waits for it. Rule REQ-10.
    pub(super) fn hand_over(
        &mut self,
        seat: PlayerIndex,
        request: &Request,
        cause: Cause,
        reply: Reply,
    ) {
        let reply = reply.at(self.now);
        let expected = self.seats[seat].expects(request.id);
        let is_destroyed = self.seats[seat].is_destroyed();
        let (name, rule, data) = answer_line(request, &reply, expected, is_destroyed);
        let line = self.write_net(
            seat,
            request,
            Because { rule, cause },
            Line::new(name, data),
        );
        self.last_change = self.now;
        let is_of_use = expected == ResponseStatus::Late && self.uses_late_answers(seat);
        if expected == ResponseStatus::Awaited || is_of_use {
            self.hand_in(seat, Cause::Line(line), reply.into_input(request.id));
        }
    }

    fn hand_in(&mut self, seat: PlayerIndex, cause: Cause, input: Input) {
        let cause = self.tape.resolved(cause).map_or(Cause::Script, Cause::Line);
        self.out.begin(seat, cause, self.now);
        // An answer is not a call and cannot fail.
        let _ = self.seats[seat].handle(input, &mut self.out);
        self.after_input(seat);
    }

    /// Writes a line about a request, and returns its number.
    fn write_net(
        &mut self,
        seat: PlayerIndex,
        request: &Request,
        because: Because,
        line: Line,
    ) -> u32 {
        let Because { rule, cause } = because;
        let (rule, player, in_break) = (Some(rule), Some(seat), request.in_break);
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player,
                in_break,
                line,
            },
        )
    }
}

/// Returns the diagnostic of a URL that the scenario does not list.
fn unlisted(code: Code, text: String, meant: Option<&str>) -> Line {
    Line::new(
        code,
        Fields::one("text", text).with_some("suggestion", meant.map(str::to_owned)),
    )
}

/// Returns the line of an answer: its name, the rule that decides, its data. Rules REQ-10, REQ-17.
pub(super) fn answer_line(
    request: &Request,
    reply: &Reply,
    expected: ResponseStatus,
    is_destroyed: bool,
) -> (NetLine, RuleId, Fields) {
    let mut data = request_fields(request);
    let (mut name, mut rule) = (NetLine::Response, rules::REQ_17);
    match reply {
        Reply::Fetched(Fetched::Response(answer)) => {
            if is_data_url(&request.url) {
                rule = rules::REQ_20;
            }
            data.push("status", answer.status);
            data.push("bytes", answer.text.len());
            if answer.name != request.url && !answer.name.is_empty() {
                data.push("file", &answer.name);
            }
        }
        Reply::Fetched(Fetched::Failed(fault)) => {
            (name, rule) = (NetLine::Failed, fault.rule());
            data.push("how", fault.name());
        }
        Reply::Loaded(Err(LoadFault {
            how: MediaFault::NotFound,
            ..
        }))
        | Reply::Record(None) => data.push("status", 404u16),
        // The page's word is about what came.
        Reply::Loaded(Err(LoadFault {
            how: MediaFault::Refused(_),
            ..
        }))
        | Reply::Loaded(Ok(_))
        | Reply::Record(Some(_)) => data.push("status", 200u16),
        Reply::Loaded(Err(fault)) => {
            (name, rule) = (NetLine::Failed, fault.how.rule());
            data.push("how", fault.how.name());
        }
    }
    let (name, rule) = match expected {
        ResponseStatus::Awaited => (name, rule),
        ResponseStatus::Late => (NetLine::Late, rules::REQ_10),
        ResponseStatus::Dropped if is_destroyed => (NetLine::Dropped, rules::DESTROY_3),
        ResponseStatus::Dropped => match request.purpose {
            Purpose::AdTag | Purpose::Wrapper => (NetLine::Dropped, rules::STOP_3),
            Purpose::Media | Purpose::Record => (NetLine::Dropped, rules::MEL_23),
            Purpose::Playlist => (NetLine::Dropped, rules::LPL_6),
        },
    };
    (name, rule, data)
}

pub(super) fn request_fields(request: &Request) -> Fields {
    // These six fields, and three more for an answer.
    Fields::with_room(9)
        .with("id", request.id.0)
        .with("url", &request.url)
        .with("purpose", request.purpose.name())
        .with_some("hop", request.hop)
        .with_some("wp", request.wp)
        .with_some("pod", request.pod)
}

/// Returns an answer without a body.
fn empty(status: u16, url: &Arc<str>) -> Fetched {
    Fetched::Response(Response {
        status,
        text: "".into(),
        name: url.clone(),
        document: Arc::new(playsim_vast::Document::default()),
    })
}
