//! The checks that a call must pass before its form is read.
//!
//! Rules: EDIT-3 to EDIT-5, EDIT-36, EDIT-37, EDIT-42, EDIT-43, EDIT-49.

use playsim_api::Code;
use std::collections::VecDeque;
use std::sync::Arc;

use super::{BodyError, BodyKind, Diag, Headers};
use playsim_base::escape::shown;
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::{EditAuth, KnobReader, RateLimit, Urlencoded, UserAgent};
use playsim_rules::{self as rules, RuleId};

/// Why a call is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) detail: String,
    pub(super) rule: RuleId,
    /// A header field of its answer.
    pub(super) header: Option<(&'static str, String)>,
}

impl Refusal {
    pub(super) fn new(status: u16, rule: RuleId, detail: impl Into<String>) -> Refusal {
        Refusal {
            status,
            detail: detail.into(),
            rule,
            header: None,
        }
    }

    pub(super) fn with(self, name: &'static str, value: impl Into<String>) -> Refusal {
        Refusal {
            header: Some((name, value.into())),
            ..self
        }
    }
}

impl From<BodyError> for Refusal {
    fn from(error: BodyError) -> Refusal {
        Refusal::new(error.status(), error.rule(), error.to_string())
    }
}

/// When the calls of the last second arrived. Rule EDIT-43.
#[derive(Debug, Clone, Default, Hash)]
pub(super) struct Calls(VecDeque<Time>);

impl Calls {
    /// Counts a call, or refuses it if there were too many within a second.
    pub(super) fn count(&mut self, now: Time, rate: RateLimit) -> Result<(), Refusal> {
        const SECOND: Span = Span::from_secs(1);
        let RateLimit::PerSecond(most) = rate else {
            self.0.clear();
            return Ok(());
        };
        // After the clock was set back, counting starts again.
        self.0.retain(|at| *at <= now && now - *at < SECOND);
        if self.0.len() < most as usize {
            self.0.push_back(now);
            return Ok(());
        }
        let first = self.0.front().copied().unwrap_or(now);
        let wait = ((first + SECOND) - now).micros().div_ceil(1_000_000).max(1);
        let detail = format!("at most {most} calls per second are accepted; try again in {wait} s");
        Err(Refusal::new(429, rules::EDIT_43, detail).with("Retry-After", wait.to_string()))
    }
}

/// Checks the header fields that identify the client. Rule EDIT-37.
pub(super) fn authentication(
    headers: &Headers,
    knobs: &KnobReader,
    token: Option<&Arc<str>>,
) -> Result<(), Refusal> {
    let (found, challenge, form) = match knobs.edit_auth() {
        EditAuth::None => return Ok(()),
        EditAuth::Bearer => {
            let token = headers.get("Authorization").and_then(|value| {
                let (scheme, token) = value.split_once(' ')?;
                scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
            });
            (
                token,
                "Bearer realm=\"video\"",
                "Authorization: Bearer TOKEN",
            )
        }
        EditAuth::Header => (
            headers.get("X-Api-Key"),
            "ApiKey realm=\"video\", header=\"X-Api-Key\"",
            "X-Api-Key: TOKEN",
        ),
    };
    match found.filter(|found| !found.is_empty()) {
        Some(found) if token.is_none_or(|token| **token == *found) => Ok(()),
        found => {
            let what = if found.is_some() {
                "the token is wrong"
            } else {
                "the call has no token"
            };
            let detail = format!("{what}; send one, like {form}");
            Err(Refusal::new(401, rules::EDIT_37, detail).with("WWW-Authenticate", challenge))
        }
    }
}

/// Checks the client's `User-Agent`. Rule EDIT-36.
pub(super) fn user_agent(
    headers: &Headers,
    knobs: &KnobReader,
    diags: &mut Vec<Diag>,
) -> Result<(), Refusal> {
    if headers
        .get("User-Agent")
        .is_some_and(|agent| !agent.trim().is_empty())
    {
        return Ok(());
    }
    let rule = rules::EDIT_36;
    let text = "the call has no User-Agent; send one, like User-Agent: my-client/1.0".to_owned();
    match knobs.edit_user_agent() {
        UserAgent::Warn => {
            diags.push(Diag {
                code: Code::NoUserAgent,
                text,
                rule,
            });
            Ok(())
        }
        UserAgent::Require => Err(Refusal::new(400, rule, text)),
    }
}

/// Checks the type of the body. Rules EDIT-4, EDIT-5.
pub(super) fn body_type(headers: &Headers, knobs: &KnobReader) -> Result<(), Refusal> {
    let form = "Content-Type: multipart/form-data";
    let refused = |what: &str| {
        let detail = format!("{what}; send the fields as a multipart form, {form}");
        Err(Refusal::new(415, rules::EDIT_4, detail).with("Accept-Post", "multipart/form-data"))
    };
    match headers.body_kind() {
        BodyKind::Multipart(Some(_)) => Ok(()),
        BodyKind::Multipart(None) => {
            let detail =
                format!("the multipart body has no boundary; write one like {form}; boundary=x");
            Err(Refusal::new(400, rules::EDIT_5, detail))
        }
        BodyKind::Urlencoded => match knobs.edit_urlencoded() {
            Urlencoded::Accept => Ok(()),
            Urlencoded::Refuse => refused("the body is a URL-encoded form"),
        },
        BodyKind::Other(Some(found)) => {
            refused(&format!("the body has the type \"{}\"", shown(&found)))
        }
        BodyKind::Other(None) => refused("the body has no type"),
    }
}
