//! Pixels as they were sent.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::{short, us};
use crate::evidence::{Certainty, Evidence, Role};
use crate::recording::RecordedOutcome;
use playsim_base::place::Place;
use playsim_base::time::Time;
use playsim_vast::{self as vast, TrackedEvent, TrackingEvent};

/// A pixel that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PixelVerdict {
    /// The position of the request in the file, from 0.
    pub entry: usize,
    /// When it was sent.
    #[serde(rename = "at_us", serialize_with = "us::time")]
    pub at: Time,
    /// Its event.
    pub event: TrackedEvent,
    /// The index of the document that names it.
    pub document: Option<usize>,
    /// The number of wrappers above that document.
    pub hop: Option<u32>,
    /// The URL as it was sent.
    pub url: Arc<str>,
    /// The status of the answer; after redirects, of the last one.
    pub status: Option<u16>,
    /// The error code in it.
    pub code: Option<u16>,
    /// The error in it.
    pub faults: Vec<PixelFault>,
    /// How sure it is that this is a pixel for this event.
    pub certainty: Certainty,
}

/// The error in a pixel that was sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum PixelFault {
    /// The server refused it.
    Status {
        /// The status.
        status: u16,
    },
    /// It did not arrive, in the browser's words.
    Failed {
        /// The words.
        words: String,
    },
    /// The server redirected it, and the request that followed was refused or did not arrive.
    Onward {
        /// The URL to which it was redirected.
        url: Arc<str>,
        /// The status, or the browser's message.
        words: String,
    },
    /// Macros were sent as they are written.
    Unfilled {
        /// The macros.
        macros: Vec<String>,
    },
    /// It was sent before, for the same event of the same showing of the ad.
    Twice,
    /// It was called before in the same showing, and the browser took the answer from its own
    /// store: the server got it once.
    Repeated,
    /// The browser took the answer from its own store: the server did not get it.
    NotSent,
}

impl fmt::Display for PixelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PixelFault::Status { status } => write!(f, "the server answered {status}"),
            PixelFault::Failed { words } => write!(f, "not sent or not answered: {words}"),
            PixelFault::Onward { url, words } => write!(f, "redirected to {}: {words}", short(url)),
            PixelFault::Unfilled { macros } => f.write_str(&sent_with(macros)),
            PixelFault::Twice => f.write_str("sent before"),
            PixelFault::Repeated => f.write_str("called before; answered from the browser's cache"),
            PixelFault::NotSent => f.write_str("not sent: answered from the browser's cache"),
        }
    }
}

/// Returns the pixels as they were sent, in order.
pub(super) fn of(evidence: &Evidence) -> Vec<PixelVerdict> {
    let mut pixels = Vec::new();
    // How often each ad was shown, and whether it is over: what comes after its end belongs to the
    // next time. Of each name the last showing in which it was used.
    let mut showings: BTreeMap<(usize, Option<Place>), (u32, bool)> = BTreeMap::new();
    let mut sent: BTreeMap<usize, u32> = BTreeMap::new();
    let onward: BTreeMap<usize, usize> = evidence
        .findings
        .iter()
        .enumerate()
        .filter_map(|(next, finding)| {
            if let Role::Redirected(from) = finding.role {
                Some((from, next))
            } else {
                None
            }
        })
        .collect();
    for (index, finding) in evidence.findings.iter().enumerate() {
        let it = &evidence.recording.exchanges[index];
        let Role::Pixel(name) = finding.role else {
            continue;
        };
        let Some(event) = evidence.names.all[name].what.tracked().cloned() else {
            continue;
        };
        let last = std::iter::successors(Some(index), |leg| onward.get(leg).copied()).last();
        let last = last.unwrap_or(index);
        let mut faults = delivery(evidence, index, last);
        let macros = unfilled(&it.url);
        if !macros.is_empty() {
            faults.push(PixelFault::Unfilled { macros });
        }
        let document = evidence.names.all[name].document;
        let ends = event == TrackingEvent::Complete || event == TrackingEvent::Skip;
        let ad = (document, evidence.names.all[name].ad);
        let (showing, is_over) = showings.entry(ad).or_default();
        if *is_over && !ends {
            *showing += 1;
        }
        *is_over = ends;
        let is_again = sent.insert(name, *showing) == Some(*showing);
        if is_again && event.known().is_some_and(TrackingEvent::is_once) {
            if it.is_stored {
                faults.retain(|fault| *fault != PixelFault::NotSent);
                faults.push(PixelFault::Repeated);
            } else {
                faults.push(PixelFault::Twice);
            }
        }
        pixels.push(PixelVerdict {
            entry: it.number,
            at: it.at(),
            event,
            document: Some(document),
            hop: Some(evidence.hop(document)),
            url: it.url.clone(),
            status: evidence.recording.exchanges[last].status(),
            code: error_code(&evidence.names.all[name].written, &it.url),
            faults,
            certainty: finding.certainty,
        });
    }
    pixels
}

/// Returns what kept a pixel from being counted, at its own server or at the one that a redirect
/// leads to in the end.
fn delivery(evidence: &Evidence, index: usize, last: usize) -> Vec<PixelFault> {
    let it = &evidence.recording.exchanges[index];
    let mut faults = Vec::new();
    if it.is_stored {
        faults.push(PixelFault::NotSent);
    }
    match &it.outcome {
        RecordedOutcome::Response(status) if *status >= 400 => {
            faults.push(PixelFault::Status { status: *status })
        }
        RecordedOutcome::Failed(Some(words)) if !it.outcome.is_ended_by_page() => {
            faults.push(PixelFault::Failed {
                words: words.clone(),
            });
        }
        RecordedOutcome::Response(_)
        | RecordedOutcome::Redirect(..)
        | RecordedOutcome::Failed(_)
        | RecordedOutcome::BrokeOff(_)
        | RecordedOutcome::Unknown => {}
    }
    let end = &evidence.recording.exchanges[last];
    if let Some(words) = end
        .outcome
        .film_failure()
        .filter(|_| last != index && !end.outcome.is_ended_by_page())
    {
        faults.push(PixelFault::Onward {
            url: end.url.clone(),
            words,
        });
    }
    faults
}

/// Says with which macros a URL was sent.
pub(crate) fn sent_with(macros: &[String]) -> String {
    format!("sent with {} unfilled", macros.join(", "))
}

/// Returns the macros that a URL was sent with.
pub(crate) fn unfilled(url: &str) -> Vec<String> {
    // Browsers send brackets as they are, braces and percent signs escaped.
    let plain = url
        .replace("%5B", "[")
        .replace("%5D", "]")
        .replace("%7B", "{")
        .replace("%7D", "}")
        .replace("%25%25", "%%");
    let mut found: Vec<String> = vast::macros(&plain)
        .into_iter()
        .map(|(from, to)| plain[from..to].to_owned())
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Returns the error code in the URL of a pixel, if the document has the macro for it in a
/// parameter.
pub(crate) fn error_code(written: &str, url: &str) -> Option<u16> {
    let (before, _) = written
        .split_once("[ERRORCODE]")
        .or_else(|| written.split_once("[ERROR_CODE]"))?;
    let name = before
        .rsplit(['?', '&', '/'])
        .next()
        .filter(|name| !name.is_empty())?;
    let value = &url[url.rfind(name)? + name.len()..];
    let digits = value
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(value.len());
    value[..digits].parse().ok()
}
