//! The page of a SIMID unit: which file of an ad it is, and whether it can run.
//!
//! Rules: SIMID-1, SIMID-2; VAST 4.3 section 3.9.3.

use std::sync::Arc;

use super::simid::SimidUnit;
use crate::error::{AdErrorCode, Failure};
use crate::request::hop::Hop;
use crate::request::pending::Pending;
use playsim_api::media::{MediaFault, MediaInfo, SimidScript};
use playsim_api::page::{INLINE, Sides};
use playsim_api::{Cause, Fields, Purpose, RequestId, Text};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;
use playsim_vast::InteractiveFile;

/// The page of the unit of an ad.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Page {
    /// Its request.
    pub(crate) pending: Pending,
    /// The result; `None`: still loading.
    pub(crate) outcome: Option<Result<Arc<MediaInfo>, MediaFault>>,
}

/// The MIME types that a page may have.
const PAGES: &[&str] = &["text/html", "application/xhtml+xml"];

impl Page {
    /// Returns a page that is inlined in the document: nothing is requested, and all such pages
    /// share one script.
    pub(crate) fn inline(id: RequestId, cause: Cause, sides: &Sides) -> Page {
        let pending = Pending {
            id,
            url: INLINE.into(),
            purpose: Purpose::Media,
            hop: None,
            cause,
        };
        let simid = sides.inline_unit.clone();
        let info = MediaInfo {
            simid,
            ..MediaInfo::default()
        };
        Page {
            pending,
            outcome: Some(Ok(Arc::new(info))),
        }
    }
}

/// Checks that no unit needs time that the player does not grant; such an ad does not play. Rule
/// SIMID-2.
///
/// # Errors
///
/// 902, with the place of the unit.
pub(crate) fn check_time(hop: &Hop, knobs: &KnobReader) -> Result<(), Failure> {
    let Some(linear) = hop.linears().next() else {
        return Ok(());
    };
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

/// Returns the file whose unit runs: the first that can run and needs no time, or is granted some.
/// Rule SIMID-2.
pub(crate) fn page_of<'a>(
    files: &'a [InteractiveFile],
    knobs: &KnobReader,
) -> Option<&'a InteractiveFile> {
    let grants_time = knobs.simid_extra_time() > Span::ZERO;
    let has_time = |file: &&InteractiveFile| grants_time || file.variable_duration != Some(true);
    files
        .iter()
        .filter(|file| refusal(file).is_none())
        .find(has_time)
}

/// Returns the unit of a page. Without a script it answers immediately and requests nothing.
pub(crate) fn unit(info: &MediaInfo, knobs: &KnobReader) -> SimidUnit {
    let script = info
        .simid
        .clone()
        .unwrap_or_else(|| Arc::new(SimidScript::default()));
    SimidUnit::new(&script, knobs)
}

pub(crate) fn is_simid(framework: &Arc<str>) -> bool {
    framework.trim().eq_ignore_ascii_case("simid")
}

/// Returns how a trace names a file: its URL, or that it is inline.
pub(crate) fn named(file: &InteractiveFile) -> Fields {
    match &file.html {
        Some(_) => Fields::one("inline", true),
        None => Fields::one("url", Text::from(&file.url.text)),
    }
}

/// Returns why a file cannot run; `None` if it can.
pub(crate) fn refusal(file: &InteractiveFile) -> Option<&'static str> {
    let bare = |mime: &Arc<str>| {
        mime.split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    };
    if !file.api_framework.as_ref().is_some_and(is_simid) {
        Some("its framework is not SIMID")
    } else if file
        .mime
        .as_ref()
        .is_some_and(|mime| !PAGES.contains(&&*bare(mime)))
    {
        Some("its type is not that of a page")
    } else if file.url.text.is_empty() && file.html.is_none() {
        Some("it has no URL")
    } else {
        None
    }
}
