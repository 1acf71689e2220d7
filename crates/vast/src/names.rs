//! The URLs that ad documents name, and which of them a recorded URL is.
//!
//! A document names URLs with macros, and a player fills them: `https://t.test/e?c=[ERRORCODE]` is
//! recorded as `https://t.test/e?c=303`. Browsers also write URLs in their own way, with an escaped
//! blank or a slash after the host; both sides are compared in that form.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::pattern;
use super::pixels;
use super::vmap::AdSourceKind;
use super::{
    AdKind, Clicks, Creative, CreativeKind, Document, MediaFile, Resource, ResourceKind,
    TrackedEvent, TrackingEvent,
};
use playsim_base::place::Place;

/// A URL in a document.
#[derive(Debug, Clone)]
pub struct Name {
    /// The index of the document that has it.
    pub document: usize,
    /// The place of the ad in the document that has it.
    pub ad: Option<Place>,
    /// Whether that ad is the one that is shown, not a wrapper around it.
    pub is_inline: bool,
    /// The URL, absolute, with its macros.
    pub written: Arc<str>,
    /// The purpose of the URL.
    pub what: Named,
}

/// The purpose for which a document names a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// The next document of a wrapper chain.
    Hop,
    /// The ad tag of a VMAP break, by its index in the document.
    BreakTag(usize),
    /// A media file.
    Media,
    /// A creative that is a program: VPAID or SIMID.
    Interactive,
    /// A verification script.
    Verification,
    /// A pixel for this event.
    Pixel(TrackedEvent),
    /// A page: the target of a click, or the frame of an overlay, a companion or an icon.
    Page,
    /// An image or a script of an overlay, a companion or an icon.
    Resource,
}

impl Named {
    /// Returns the event of a pixel; `None` for anything else.
    pub fn tracked(&self) -> Option<&TrackedEvent> {
        if let Named::Pixel(event) = self {
            Some(event)
        } else {
            None
        }
    }

    /// Returns the name of the event of a pixel; `None` for anything else.
    pub fn event(&self) -> Option<&str> {
        self.tracked().map(TrackedEvent::name)
    }
}

/// All URLs that the documents found so far name.
#[derive(Debug, Default)]
pub struct Names {
    /// All names, in the order in which they were added.
    pub all: Vec<Name>,
    /// For each URL as written, its names in the order in which they were added.
    of_form: BTreeMap<String, Vec<usize>>,
    /// The URLs with macros, by their text before the first one.
    open: BTreeMap<String, Vec<String>>,
    /// The lengths of that text.
    lengths: BTreeSet<usize>,
    /// The URLs with macros and without a host: they are the end of another one.
    relative: Vec<String>,
}

/// The most names of one URL, and of URLs with macros that begin alike, that are considered: the
/// latest ones. With more, the time to look up each URL of a long session would grow with the
/// session.
const MOST: usize = 128;

impl Names {
    /// Adds the URLs of a document, which must be resolved.
    pub fn add(&mut self, index: usize, document: &Document) {
        let mut push = |ad: Option<(Place, bool)>, written: &Arc<str>, what| {
            if written.is_empty() {
                return;
            }
            let form = browser_form(written);
            let known = self.of_form.entry(form.clone()).or_default();
            if let (true, Some((macros, _))) = (known.is_empty(), pattern::macros(&form).first()) {
                if form.contains("://") {
                    self.lengths.insert(*macros);
                    self.open
                        .entry(form[..*macros].to_owned())
                        .or_default()
                        .push(form.clone());
                } else {
                    self.relative.push(form.clone());
                }
            }
            known.push(self.all.len());
            let is_inline = ad.is_some_and(|(_, is_inline)| is_inline);
            let ad = ad.map(|(place, _)| place);
            self.all.push(Name {
                document: index,
                ad,
                is_inline,
                written: written.clone(),
                what,
            });
        };
        of_document(document, &mut push);
    }

    /// Returns the names that a URL may be, in the order in which the documents were added.
    ///
    /// A browser asks for what a secure page names with `http` over `https`: a URL that no document
    /// names is looked for with that scheme, too.
    pub fn of(&self, url: &str) -> Vec<usize> {
        let form = browser_form(url);
        let found = self.of_browser_form(&form);
        match form.strip_prefix("https:") {
            Some(rest) if found.is_empty() => self.of_browser_form(&format!("http:{rest}")),
            Some(_) | None => found,
        }
    }

    fn of_browser_form(&self, form: &String) -> Vec<usize> {
        let begins = self
            .lengths
            .iter()
            .take_while(|length| **length <= form.len());
        let begins = begins.filter_map(|length| self.open.get(form.get(..*length)?));
        let open = begins.map(Vec::as_slice).chain([self.relative.as_slice()]);
        let open = open
            .flat_map(latest)
            .filter(|written| **written != *form && pattern::is_filled(written, form));
        let of = |form: &String| {
            self.of_form
                .get(form)
                .map(Vec::as_slice)
                .unwrap_or_default()
        };
        let mut found: Vec<usize> = std::iter::once(form)
            .chain(open)
            .flat_map(|form| latest(of(form)))
            .copied()
            .collect();
        found.sort_unstable();
        found
    }
}

/// The most query parameters that are looked for as added.
const MOST_ADDED: usize = 3;

/// Returns a URL without one or a few of its query parameters, in all ways, with the lost
/// parameters.
pub fn with_less(url: &str) -> impl Iterator<Item = (String, String)> {
    let (whole, fragment) = url
        .split_once('#')
        .map_or((url, None), |(whole, rest)| (whole, Some(rest)));
    let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
    let parts: Vec<&str> = if query.is_empty() {
        Vec::new()
    } else {
        query.split('&').collect()
    };
    let counts = 1..=parts.len().min(MOST_ADDED);
    let all = parts.len();
    let ways = counts.flat_map(move |count| (0..=all - count).rev().map(move |from| (from, count)));
    ways.map(move |(from, count)| {
        let others: Vec<&str> = parts[..from]
            .iter()
            .chain(&parts[from + count..])
            .copied()
            .collect();
        let query = if others.is_empty() {
            String::new()
        } else {
            format!("?{}", others.join("&"))
        };
        let fragment = fragment.map_or_else(String::new, |rest| format!("#{rest}"));
        (
            format!("{path}{query}{fragment}"),
            parts[from..from + count].join("&"),
        )
    })
}

impl Names {
    /// Returns the URL that a document names with fewer query parameters than this one, and the
    /// additional ones.
    pub fn with_additions(&self, url: &str) -> Option<(String, String)> {
        with_less(url).find(|(short, _)| !self.of(short).is_empty())
    }
}

fn latest<T>(all: &[T]) -> &[T] {
    &all[all.len().saturating_sub(MOST)..]
}

/// Takes a URL: the place of its ad and whether the ad is in-line, the URL as written, and its
/// purpose.
type Push<'a> = dyn FnMut(Option<(Place, bool)>, &Arc<str>, Named) + 'a;

/// Passes on each URL of a document, with the place of its ad and whether the ad is in-line.
fn of_document(document: &Document, push: &mut Push<'_>) {
    let error = || Named::Pixel(TrackingEvent::Error.into());
    document
        .error_urls
        .iter()
        .for_each(|url| push(None, &url.text, error()));
    for ad in &document.ads {
        let of = Some((ad.at, ad.kind == AdKind::Inline));
        if let AdKind::Wrapper(wrapper) = &ad.kind
            && let Some(uri) = &wrapper.tag_uri
        {
            push(of, &uri.text, Named::Hop);
        }
        for pixel in pixels::of_ad(ad) {
            push(
                of,
                &pixel.url.text,
                Named::Pixel(TrackedEvent::of(pixel.event)),
            );
        }
        for script in ad.verifications.iter().flat_map(|it| &it.resources) {
            push(of, &script.url.text, Named::Verification);
        }
        ad.creatives
            .iter()
            .for_each(|creative| of_creative(creative, &mut |url, what| push(of, url, what)));
    }
    for (index, it) in document.breaks.iter().enumerate() {
        for tracking in &it.tracking {
            push(
                None,
                &tracking.url.text,
                Named::Pixel(tracking.event.clone()),
            );
        }
        match it.source.as_ref().map(|source| &source.kind) {
            Some(AdSourceKind::Tag { uri: Some(uri), .. }) => {
                push(None, &uri.text, Named::BreakTag(index))
            }
            Some(
                AdSourceKind::Vast(inner)
                | AdSourceKind::Custom {
                    document: Some(inner),
                    ..
                },
            ) => {
                of_document(inner, push);
            }
            Some(
                AdSourceKind::Tag { uri: None, .. }
                | AdSourceKind::Custom { document: None, .. }
                | AdSourceKind::Empty,
            )
            | None => {}
        }
    }
}

fn of_creative(creative: &Creative, push: &mut dyn FnMut(&Arc<str>, Named)) {
    let mut files = |files: &[MediaFile]| {
        for file in files {
            let what = if file.api_framework.is_some() {
                Named::Interactive
            } else {
                Named::Media
            };
            push(&file.url, what);
        }
    };
    for kind in std::iter::once(&creative.kind).chain(&creative.also) {
        match kind {
            CreativeKind::Linear(linear) => {
                files(&linear.media_files);
                files(&linear.mezzanines);
            }
            CreativeKind::NonLinear(overlays) => {
                overlays
                    .choices
                    .iter()
                    .for_each(|choice| files(&choice.media_files));
            }
            CreativeKind::Companions(_) | CreativeKind::Empty => {}
        }
    }
    shown(creative, push);
    if let CreativeKind::Linear(linear) = &creative.kind {
        linear
            .interactive_files
            .iter()
            .for_each(|file| push(&file.url.text, Named::Interactive));
    }
}

/// Passes on the URLs of companions, overlays and icons, and of the pages that clicks open.
fn shown(creative: &Creative, push: &mut dyn FnMut(&Arc<str>, Named)) {
    let mut put = |resources: &[Resource], clicks: &Clicks| {
        for resource in resources {
            match resource.kind {
                ResourceKind::Static => push(&resource.content, Named::Resource),
                ResourceKind::IFrame => push(&resource.content, Named::Page),
                ResourceKind::Html => {}
            }
        }
        clicks
            .through
            .iter()
            .for_each(|page| push(&page.text, Named::Page));
    };
    for kind in std::iter::once(&creative.kind).chain(&creative.also) {
        let icons = match kind {
            CreativeKind::Linear(linear) => {
                put(&[], &linear.clicks);
                &linear.icons
            }
            CreativeKind::NonLinear(overlays) => {
                overlays
                    .choices
                    .iter()
                    .for_each(|choice| put(&choice.resources, &choice.clicks));
                &overlays.icons
            }
            CreativeKind::Companions(_) | CreativeKind::Empty => continue,
        };
        icons
            .iter()
            .for_each(|icon| put(&icon.resources, &icon.clicks));
    }
    for companions in creative.companions() {
        companions
            .companions
            .iter()
            .for_each(|it| put(&it.resources, &it.clicks));
    }
}

/// Returns scheme and host of a URL; nothing if it has none, or a macro in their place.
pub fn host(form: &str) -> &str {
    let Some((scheme, rest)) = form.split_once("://") else {
        return "";
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = &form[..scheme.len() + "://".len() + end];
    if host.contains(['[', '%', '$', '{']) {
        ""
    } else {
        host
    }
}

/// Numbers with at least this many digits are taken for random: a cache-buster has eight, a
/// timestamp more.
const DRAWN: usize = 6;

/// Returns a URL with `*` in place of random numbers.
pub fn steady(url: &str) -> String {
    let (mut text, mut digits) = (String::new(), String::new());
    for letter in url.chars().chain(['\0']) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        let number = std::mem::take(&mut digits);
        text.push_str(if number.len() < DRAWN { &number } else { "*" });
        if letter != '\0' {
            text.push(letter);
        }
    }
    text
}

/// Returns a URL as browsers write it: scheme and host in lower case, no default port, a path, no
/// fragment, and characters that are not allowed in a URL escaped. Macros stay. WHATWG URL
/// standard, section 4.4.
pub fn browser_form(url: &str) -> String {
    let url = url.trim().split('#').next().unwrap_or_default();
    let (head, rest) = match url.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['[', '%', '$', '{', '/']) => {
            let end = rest.find(['/', '?']).unwrap_or(rest.len());
            let scheme = scheme.to_ascii_lowercase();
            let usual = match &*scheme {
                "http" => ":80",
                "https" => ":443",
                _ => "",
            };
            let authority = rest[..end].strip_suffix(usual).unwrap_or(&rest[..end]);
            let is_open = authority.contains(['[', '%', '$', '{']);
            let authority = if is_open {
                authority.to_owned()
            } else {
                authority.to_ascii_lowercase()
            };
            let slash = if rest[end..].starts_with('/') {
                ""
            } else {
                "/"
            };
            (format!("{scheme}://{authority}{slash}"), &rest[end..])
        }
        _ => (String::new(), url),
    };
    let mut form = head;
    for letter in rest.chars() {
        match letter {
            '\t' | '\n' | '\r' => {}
            ' ' | '"' | '<' | '>' | '\u{0}'..='\u{1f}' | '\u{7f}'.. => {
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    form.push_str(&format!("%{byte:02X}"));
                }
            }
            _ => form.push(letter),
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_written_as_browsers_write_them() {
        for (url, due) in [
            ("HTTP://T.Test:80?a=[CB]", "http://t.test/?a=[CB]"),
            (
                "https://t.test/a b?c=\"d\"#e",
                "https://t.test/a%20b?c=%22d%22",
            ),
            ("https://[HOST]/a", "https://[HOST]/a"),
            ("https://t.test:8443/é", "https://t.test:8443/%C3%A9"),
        ] {
            assert_eq!(browser_form(url), due);
        }
    }

    #[test]
    fn what_is_not_a_url_has_no_host() {
        for (url, due) in [
            ("https://t.test/a?b", "https://t.test"),
            ("https://t.test", "https://t.test"),
            ("https://[HOST]/a", ""),
            ("\u{e9}\u{e9}\u{e9}", ""),
            ("", ""),
        ] {
            assert_eq!(host(url), due, "{url}");
        }
    }

    #[test]
    fn a_recorded_url_is_the_one_that_a_document_names() {
        let document = crate::read(
            "<VAST version='4.2'><Ad><InLine><Impression>https://T.test?x=1&amp;c=[CACHEBUSTING]</Impression>\
             <Error>https://t.test/e</Error></InLine></Ad></VAST>",
        );
        let mut names = Names::default();
        names.add(3, &document);
        let events = |url: &str| -> Vec<Named> {
            names
                .of(url)
                .into_iter()
                .map(|index| names.all[index].what.clone())
                .collect()
        };
        assert_eq!(
            events("https://t.test/?x=1&c=12"),
            [Named::Pixel(TrackingEvent::Impression.into())]
        );
        assert_eq!(
            events("https://t.test/e"),
            [Named::Pixel(TrackingEvent::Error.into())]
        );
        assert!(events("https://t.test/?x=2&c=12").is_empty());
    }
}
