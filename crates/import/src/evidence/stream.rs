//! Where in the content a page was: the segments of a stream that it asked for.

use std::collections::BTreeMap;

use super::{RequestFinding, Role};
use crate::recording::Exchange;
use playsim_base::time::{Span, Time};
use playsim_vast as vast;
use playsim_vast::names::browser_form;

/// A jump in the content, as the next segment that was asked for shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Jump {
    /// The index of the request for that segment.
    pub exchange: usize,
    /// When it was asked.
    pub at: Time,
    /// The begin of the segment in the content.
    pub to: Span,
}

/// Returns the jumps in the content. Players skip a segment at times, or ask for one again in
/// another quality: that is no jump.
pub(super) fn jumps(findings: &[RequestFinding], exchanges: &[Exchange]) -> Vec<Jump> {
    let contents = || {
        let all = exchanges.iter().enumerate();
        all.filter(|(index, _)| findings[*index].role == Role::Content)
    };
    let mut segments: BTreeMap<String, (Span, Span)> = BTreeMap::new();
    for (_, it) in contents() {
        let mut from = Span::ZERO;
        for (length, name) in it.text().into_iter().flat_map(|text| segments_of(text)) {
            let url = vast::resolve(&it.url, name).unwrap_or_else(|| name.to_owned());
            segments.insert(browser_form(&url), (from, length));
            from += length;
        }
    }
    let mut jumps = Vec::new();
    let mut last: Option<Span> = None;
    for (exchange, it) in contents() {
        let Some((from, length)) = segments.get(&browser_form(&it.url)).copied() else {
            continue;
        };
        let near = length.times(3);
        let is_near = |last: Span| from <= last + near && last <= from + near;
        if !last.is_none_or(is_near) {
            jumps.push(Jump {
                exchange,
                at: it.at(),
                to: from,
            });
        }
        last = Some(from);
    }
    jumps
}

/// Returns the lengths and names of the segments of an HLS playlist. RFC 8216, section 4.3.2.1.
fn segments_of(text: &str) -> impl Iterator<Item = (Span, &str)> {
    let mut length = None;
    text.lines().filter_map(move |line| {
        if let Some(written) = line.strip_prefix("#EXTINF:") {
            length = crate::film::seconds(written.split(',').next().unwrap_or_default());
        }
        let is_name = !line.is_empty() && !line.starts_with('#');
        length.take_if(|_| is_name).map(|length| (length, line))
    })
}
