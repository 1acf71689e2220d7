//! The fate of a tag, in the few kinds that matter to a reader: each has a glyph, a word, and who
//! acts.

use super::glyphs::GlyphTone;
use super::scale::short;
use crate::waterfall::{RequestFault, RequestPurpose, Tag, TagOutcome, TagRequest, Waterfalls};
use playsim_api::NetworkFault;

/// The fate of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Filled,
    Scheduled,
    /// An answer without an ad.
    Empty,
    /// An HTTP status that is not a success.
    Status,
    /// No answer, for the connection failed.
    Connection,
    /// An answer that the page may not read. Rule REQ-18.
    Unreadable,
    /// A request that an ad blocker stopped. Rule REQ-19.
    Blocked,
    TimedOut,
    /// An ad that may not or cannot be shown here.
    Refused,
    Loop,
    TooDeep,
    Broken,
    NoMedia,
    Failed,
    NotAsked,
    Undecided,
}

impl Fate {
    pub(super) fn of(tag: &Tag) -> Fate {
        match tag.outcome {
            TagOutcome::Filled => Fate::Filled,
            TagOutcome::Scheduled => Fate::Scheduled,
            TagOutcome::NotAsked => Fate::NotAsked,
            TagOutcome::Undecided | TagOutcome::Unknown => Fate::Undecided,
            TagOutcome::NoFill => Fate::of_failure(tag),
        }
    }

    fn of_failure(tag: &Tag) -> Fate {
        if let Some(request) = last_request(tag) {
            if request.timed_out_us.is_some() {
                return Fate::TimedOut;
            }
            let has_failed = request.fault.is_some() && request.status.is_none();
            match fault(request) {
                Some(NetworkFault::Cors) => return Fate::Unreadable,
                Some(NetworkFault::Blocked) => return Fate::Blocked,
                Some(_) => return Fate::Connection,
                None if has_failed => return Fate::Connection,
                None => {}
            }
            if request.status.is_some_and(|status| status >= 400) {
                return Fate::Status;
            }
        }
        let says = |word: &str| {
            tag.reason
                .as_deref()
                .is_some_and(|reason| reason.contains(word))
        };
        match tag.code {
            Some(303) => Fate::Empty,
            Some(302) if says("loop") || says("already") || says("itself") => Fate::Loop,
            Some(302) => Fate::TooDeep,
            Some(100..=199) => Fate::Broken,
            Some(400..=405) => Fate::NoMedia,
            Some(200..=299 | 406..=699) => Fate::Refused,
            Some(_) => Fate::Failed,
            // Without a code it is an answer that is not counted as an error.
            None => Fate::Empty,
        }
    }

    /// Returns the symbol that stands for it.
    pub(super) const fn glyph(self) -> &'static str {
        match self {
            Fate::Filled => "fill",
            Fate::Scheduled => "plan",
            Fate::Empty => "empty",
            Fate::Status | Fate::Connection | Fate::Unreadable | Fate::Failed => "cross",
            Fate::TimedOut => "time",
            Fate::Refused | Fate::Blocked => "block",
            Fate::Loop => "loop",
            Fate::TooDeep => "deep",
            Fate::Broken => "broken",
            Fate::NoMedia => "media",
            Fate::NotAsked | Fate::Undecided => "unread",
        }
    }

    /// Returns the colour of its words and its glyph. An ordinary no-fill is not a failure.
    pub(super) const fn tone(self) -> GlyphTone {
        match self {
            Fate::Filled | Fate::Scheduled => GlyphTone::Good,
            Fate::Empty | Fate::NotAsked | Fate::Undecided => GlyphTone::Muted,
            Fate::Status
            | Fate::Connection
            | Fate::Unreadable
            | Fate::Blocked
            | Fate::TimedOut
            | Fate::Refused
            | Fate::Loop
            | Fate::TooDeep
            | Fate::Broken
            | Fate::NoMedia
            | Fate::Failed => GlyphTone::Bad,
        }
    }

    /// Returns whether something went wrong.
    pub(super) fn is_failure(self) -> bool {
        self.tone() == GlyphTone::Bad
    }

    /// Returns who can change it, and how. `host` is the ad server.
    pub(super) fn who_acts(self, host: &str) -> (&'static str, String) {
        match self {
            Fate::Filled | Fate::Scheduled => ("Nobody", "it did what it should.".to_owned()),
            Fate::Empty => (
                "Nobody",
                format!("unless it is always so; then whoever books {host}."),
            ),
            Fate::Status => (
                "Ad operations",
                format!("ask {host} for the address in force, or take the tag out."),
            ),
            Fate::Connection => (
                "The ad server",
                format!("{host} could not be reached or broke off."),
            ),
            Fate::Unreadable => (
                "The ad server",
                format!("{host} must send Access-Control-Allow-Origin for this page."),
            ),
            Fate::Blocked => (
                "The viewer",
                format!("an ad blocker stops requests to {host}; no server can change that."),
            ),
            Fate::TimedOut => (
                "The ad server",
                format!(
                    "{host} must answer in time. Ad operations: another limit, or a later place in the waterfall."
                ),
            ),
            Fate::Refused => (
                "Ad operations",
                "with the seller of the creative: it does not fit this place.".to_owned(),
            ),
            Fate::Loop | Fate::TooDeep => (
                "The ad servers",
                "in the chain: a wrapper must lead to an ad within the limit.".to_owned(),
            ),
            Fate::Broken => (
                "The ad server",
                format!("{host} must send a document that can be read."),
            ),
            Fate::NoMedia => (
                "The creative",
                "its media files must exist, load in time and be playable here.".to_owned(),
            ),
            Fate::Failed => ("Ad operations", format!("with {host}.")),
            Fate::NotAsked => (
                "Nobody",
                "another tag came first, or the break was over.".to_owned(),
            ),
            Fate::Undecided => (
                "Nobody",
                "the break or the run ended before it was decided.".to_owned(),
            ),
        }
    }
}

/// Returns the last request before the decision.
fn last_request(tag: &Tag) -> Option<&TagRequest> {
    tag.until_decided().last()
}

/// Returns how a request failed that has no status. Media fail in the same ways, by the same names.
fn fault(request: &TagRequest) -> Option<NetworkFault> {
    request
        .fault
        .as_ref()
        .filter(|_| request.status.is_none())?
        .network()
}

/// Returns the outcome of a tag in a few words: `status 404`, `no answer in 2 s`.
pub(super) fn words(tag: &Tag, report: &Waterfalls) -> String {
    let last = last_request(tag);
    let is_media = last.is_some_and(|request| request.purpose == RequestPurpose::Media);
    let what = if is_media { "media: " } else { "" };
    match Fate::of(tag) {
        Fate::Filled => "filled".to_owned(),
        Fate::Scheduled => "a schedule of breaks (VMAP)".to_owned(),
        Fate::Empty if tag.hops > 1 => format!("no ad after {} documents", tag.hops),
        Fate::Empty => "answer without an ad".to_owned(),
        Fate::Status => {
            let status = last.and_then(|request| request.status).unwrap_or_default();
            let known = if last.is_some_and(|request| !request.listed) {
                ", not in the scenario"
            } else {
                ""
            };
            format!("{what}status {status}{known}")
        }
        Fate::Connection => {
            format!(
                "{what}connection {}",
                last.and_then(|request| request.fault.as_ref())
                    .map_or("failed", RequestFault::word)
            )
        }
        Fate::Unreadable => format!("{what}no CORS header for the page"),
        Fate::Blocked => format!("{what}blocked by an ad blocker"),
        Fate::TimedOut => {
            let limit = if is_media {
                report.media_timeout_us
            } else {
                report.timeout_us
            };
            format!("{what}no answer in {} s", short(limit))
        }
        Fate::Refused => "ad refused".to_owned(),
        Fate::Loop => "wrappers in a circle".to_owned(),
        Fate::TooDeep => "too many wrappers".to_owned(),
        Fate::Broken => "document cannot be read".to_owned(),
        Fate::NoMedia => "no playable media".to_owned(),
        Fate::Failed => "failed".to_owned(),
        Fate::NotAsked => "not requested".to_owned(),
        Fate::Undecided => "undecided at the end".to_owned(),
    }
}

/// Returns a tag's address without scheme and query: `ads.test/pre`.
pub(super) fn name(tag: &Tag) -> String {
    without_scheme(&tag.address).to_owned()
}

/// Returns the host of a tag's ad server, or the address up to its first slash.
pub(super) fn host(tag: &Tag) -> String {
    let rest = without_scheme(&tag.address);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    rest[..end].to_owned()
}

fn without_scheme(address: &str) -> &str {
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    let address = address.strip_prefix("//").unwrap_or(address);
    let end = address
        .find('?')
        .filter(|at| *at > 0)
        .unwrap_or(address.len());
    address[..end].trim_end_matches('/')
}

/// Returns how long a tag kept the break waiting.
pub(super) fn took(tag: &Tag) -> Option<u64> {
    let asked = tag.until_decided().map(|request| request.asked_us).min()?;
    let over = tag.until_decided().filter_map(TagRequest::over_us).max();
    Some(tag.decided_us.or(over)?.saturating_sub(asked))
}

/// Returns the ordinal of a number: `1st`, `12th`.
pub(super) fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(code: u16, request: TagRequest) -> Tag {
        let outcome = TagOutcome::NoFill;
        Tag {
            outcome,
            code: Some(code),
            requests: vec![request],
            decided_us: Some(9),
            ..Tag::default()
        }
    }

    #[test]
    fn the_last_request_tells_more_than_the_code() {
        let asked = TagRequest {
            listed: true,
            ..TagRequest::default()
        };
        let status = TagRequest {
            status: Some(404),
            answered_us: Some(3),
            ..asked.clone()
        };
        let slow = TagRequest {
            timed_out_us: Some(5),
            ..asked.clone()
        };
        let refused = TagRequest {
            fault: Some("refused".to_owned().into()),
            ..asked.clone()
        };
        let unreadable = TagRequest {
            fault: Some("cors".to_owned().into()),
            ..asked.clone()
        };
        let blocked = TagRequest {
            fault: Some("blocked".to_owned().into()),
            ..asked.clone()
        };
        let report = Waterfalls {
            timeout_us: 2_000_000,
            ..Waterfalls::default()
        };
        for (code, request, fate, word) in [
            (301, status, Fate::Status, "status 404"),
            (301, slow, Fate::TimedOut, "no answer in 2 s"),
            (301, refused, Fate::Connection, "connection refused"),
            (
                301,
                unreadable,
                Fate::Unreadable,
                "no CORS header for the page",
            ),
            (301, blocked, Fate::Blocked, "blocked by an ad blocker"),
            (303, asked.clone(), Fate::Empty, "answer without an ad"),
            (205, asked.clone(), Fate::Refused, "ad refused"),
            (101, asked, Fate::Broken, "document cannot be read"),
        ] {
            let tag = failed(code, request);
            assert_eq!(
                (Fate::of(&tag), words(&tag, &report).as_str()),
                (fate, word)
            );
        }
    }

    #[test]
    fn names_leave_out_scheme_and_query() {
        let of = |address: &str| {
            let tag = Tag {
                address: address.to_owned(),
                ..Tag::default()
            };
            (name(&tag), host(&tag))
        };
        let pair = |name: &str, host: &str| (name.to_owned(), host.to_owned());
        assert_eq!(of("https://a.test/x?y=1"), pair("a.test/x", "a.test"));
        assert_eq!(of("//a.test"), pair("a.test", "a.test"));
        assert_eq!(of(""), pair("", ""));
        assert_eq!(
            [ordinal(1), ordinal(2), ordinal(11), ordinal(23)],
            ["1st", "2nd", "11th", "23rd"]
        );
    }
}
