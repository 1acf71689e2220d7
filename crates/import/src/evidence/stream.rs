//! Which film a page played, and where in it it was: the segments of a stream that it asked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{RequestFinding, Role, bare};
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

/// Returns for each request for the content which film it is for. What a playlist names is of its
/// film, and a playlist that no other one names is another film. Without playlists each address is
/// a film, unless there are so many that they are parts.
pub(super) fn films(findings: &[RequestFinding], exchanges: &[Exchange]) -> Vec<Option<usize>> {
    /// The most files of which each is a film.
    const MOST: usize = 3;
    let is_content = |index: &usize| findings[*index].role == Role::Content;
    let contents = || (0..exchanges.len()).filter(is_content);
    let playlist = |it: &Exchange| it.text().is_some_and(|text| text.starts_with(['#', '<']));
    let is_stream = contents().any(|index| playlist(&exchanges[index]));
    let files: BTreeSet<&str> = contents()
        .map(|index| bare(&exchanges[index].url))
        .collect();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut films = vec![None; exchanges.len()];
    let mut last: Option<usize> = None;
    let mut count = 0;
    for index in contents() {
        let it = &exchanges[index];
        let own = browser_form(bare(&it.url));
        // A list of parts may be another quality of the same film.
        let is_whole =
            |text: &Arc<str>| text.starts_with('<') || text.contains("#EXT-X-STREAM-INF");
        let is_film = match it.text().filter(|_| playlist(it)) {
            Some(text) => is_whole(text),
            None => !is_stream && files.len() <= MOST,
        };
        let film = known.get(&own).copied().or(last.filter(|_| !is_film));
        let film = film.unwrap_or_else(|| {
            count += 1;
            count - 1
        });
        known.insert(own, film);
        for name in it.text().into_iter().flat_map(|text| named(text)) {
            let url = vast::resolve(&it.url, name).unwrap_or_else(|| name.to_owned());
            known.entry(browser_form(bare(&url))).or_insert(film);
        }
        (films[index], last) = (Some(film), Some(film));
    }
    films
}

/// Returns what an HLS playlist names.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_playlist = text.starts_with("#EXTM3U");
    let lines = text.lines().filter(move |_| is_playlist).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Returns the jumps within films. Players skip a segment at times, or ask for one again in another
/// quality: that is no jump.
pub(super) fn jumps(films: &[Option<usize>], exchanges: &[Exchange]) -> Vec<Jump> {
    let contents = || {
        let all = exchanges.iter().enumerate().zip(films);
        all.filter_map(|((index, it), film)| Some((index, it, (*film)?)))
    };
    let mut segments: BTreeMap<String, (Span, Span)> = BTreeMap::new();
    for (_, it, _) in contents() {
        let mut from = Span::ZERO;
        let whole = it.text().filter(|text| is_whole(text));
        for (length, name) in whole.into_iter().flat_map(|text| segments_of(text)) {
            let url = vast::resolve(&it.url, name).unwrap_or_else(|| name.to_owned());
            segments.insert(browser_form(&url), (from, length));
            from += length;
        }
    }
    let mut jumps = Vec::new();
    let mut last: Option<(usize, Span)> = None;
    for (exchange, it, film) in contents() {
        let Some((from, length)) = segments.get(&browser_form(&it.url)).copied() else {
            continue;
        };
        let near = length.times(3);
        let is_near = |last: Span| from <= last + near && last <= from + near;
        if !last.is_none_or(|(of, last)| of != film || is_near(last)) {
            jumps.push(Jump {
                exchange,
                at: it.at(),
                to: from,
            });
        }
        last = Some((film, from));
    }
    jumps
}

/// Returns whether a playlist lists its film from the begin to the end. That of a live stream moves
/// on, so that its first segment may be anywhere. RFC 8216, sections 4.3.3.4 and 4.3.3.5.
fn is_whole(text: &str) -> bool {
    text.contains("#EXT-X-ENDLIST") || text.contains("#EXT-X-PLAYLIST-TYPE:VOD")
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
