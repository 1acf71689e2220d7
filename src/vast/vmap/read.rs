//! From the elements of a VMAP document to its breaks.
//!
//! As with VAST an element is known by its name, whatever its namespace; what a strict reader would refuse
//! is said. Children may stand in any order.
//!
//! Sources: VMAP 1.0.1, sections 2.3 to 2.6.

use std::sync::Arc;

use super::super::read::embedded;
use super::super::reader::Reader;
use super::super::value::{self, Taken};
use super::super::{Document, Fault, Offset, Tracking, clip, event, extension};
use super::{AdSource, AdSourceKind, Break, BreakType, TimeOffset};
use crate::time::Span;

/// A document with more breaks is refused.
pub const MAX_BREAKS: usize = 10_000;

/// So many break types of one break are kept; there are three.
const MAX_TYPES: usize = 8;

/// The namespace of VMAP 1.0.
const NAMESPACE: &str = "http://www.iab.net/videosuite/vmap";

/// The names under which an ad source holds something.
const SOURCES: [&str; 4] = ["AdTagURI", "VASTAdData", "VASTData", "CustomAdData"];

/// Reads the breaks of a `VMAP` element. None is no fault; more than [`MAX_BREAKS`] are fault 101.
pub(in crate::vast) fn read(reader: &mut Reader, node: usize, document: &mut Document) {
    warn_of_namespace(reader, node);
    let tree = reader.tree;
    let has_default = tree.attributes(node).iter().any(|it| it.name == "xmlns");
    let prefix = tree.prefix(node).filter(|_| !has_default);
    let mut breaks = Breaks { reader, prefix };
    for child in tree.elements(node) {
        match breaks.name(child) {
            "AdBreak" => {}
            "Extensions" => {
                extension::read(breaks.reader, child, &mut document.extensions, |_| {});
                continue;
            }
            _ => continue,
        }
        if document.breaks.len() == MAX_BREAKS {
            let text = format!("more than {MAX_BREAKS} breaks, the limit").into();
            document.fault = Some(Fault { code: 101, text, at: breaks.reader.place(child) });
            document.breaks.clear();
            return;
        }
        document.breaks.push(breaks.ad_break(child));
    }
    if let Some(fault) = reader.too_many_parts() {
        document.fault = Some(fault);
        document.breaks.clear();
    }
}

/// A strict reader knows VMAP by its namespace alone.
fn warn_of_namespace(reader: &mut Reader, node: usize) {
    let tree = reader.tree;
    let prefix = tree.prefix(node);
    let of_root = |name: &str| match prefix {
        Some(prefix) => name.strip_prefix("xmlns:") == Some(prefix),
        None => name == "xmlns",
    };
    match tree.attributes(node).iter().find(|it| of_root(it.name)) {
        Some(found) if found.value.trim() == NAMESPACE => {}
        Some(found) => {
            let text = format!(
                "the namespace is \"{}\"; due was \"{NAMESPACE}\", read all the same",
                clip(found.value.trim())
            );
            reader.warn(found.at(), "namespace-unknown", text);
        }
        // With a prefix it is said that nothing declares it.
        None if prefix.is_some() => {}
        None => {
            let text = format!("\"VMAP\" stands in no namespace; due was \"{NAMESPACE}\", read all the same");
            reader.warn(reader.at(node), "namespace-missing", text);
        }
    }
}

struct Breaks<'r, 't> {
    reader: &'r mut Reader<'t>,
    /// The root's prefix, if elements without one are not in its namespace.
    prefix: Option<&'t str>,
}

impl Breaks<'_, '_> {
    /// The name of an element of VMAP.
    fn name(&mut self, node: usize) -> &'static str {
        let name = self.reader.name(node);
        let tree = self.reader.tree;
        if let Some(prefix) = self.prefix
            && !name.is_empty()
            && tree.prefix(node).is_none()
            && tree.attributes(node).iter().all(|it| it.name != "xmlns")
        {
            let text = format!("\"{name}\" without the prefix \"{}\"; taken as VMAP's", clip(prefix));
            self.reader.warn(self.reader.at(node), "prefix-missing", text);
        }
        name
    }

    fn ad_break(&mut self, node: usize) -> Break {
        let mut read = Break {
            time_offset: self.time_offset(node),
            types: self.types(node),
            id: self.reader.attribute_text(node, "breakId"),
            repeat_after: self.repeat_after(node),
            source: None,
            tracking: Vec::new(),
            extensions: Vec::new(),
            at: self.reader.place(node),
        };
        for child in self.reader.elements(node) {
            match self.name(child) {
                "AdSource" if read.source.is_none() => read.source = Some(self.source(child)),
                "AdSource" => {
                    let text = "a second \"AdSource\" in one \"AdBreak\"; passed over";
                    self.reader.warn(self.reader.at(child), "element-twice", text);
                    self.reader.pass(child);
                }
                "TrackingEvents" => self.tracking(child, &mut read.tracking),
                "Extensions" => extension::read(self.reader, child, &mut read.extensions, |_| {}),
                _ => {}
            }
        }
        read
    }

    fn time_offset(&mut self, node: usize) -> Option<TimeOffset> {
        let Some(found) = self.reader.attribute(node, "timeOffset") else {
            let text = "\"AdBreak\" has no \"timeOffset\"; never due";
            self.reader.warn(self.reader.at(node), "time-offset-missing", text);
            return None;
        };
        let taken = self.reader.taken(time_offset(&found.text), "timeOffset", &found.text, found.at);
        Some(taken.unwrap_or_else(|| TimeOffset::Unreadable(found.text.into())))
    }

    fn types(&mut self, node: usize) -> Vec<BreakType> {
        let Some(found) = self.reader.attribute(node, "breakType") else {
            let text = "\"AdBreak\" has no \"breakType\"; nothing says which kind of ads it wants";
            self.reader.warn(self.reader.at(node), "break-type-missing", text);
            return Vec::new();
        };
        let mut types = Vec::new();
        for word in found.text.split(',') {
            if types.len() == MAX_TYPES {
                let text = format!("breakType has more than {MAX_TYPES} kinds; the rest is passed over");
                self.reader.warn(found.at, "break-type-many", text);
                break;
            }
            let trimmed = word.trim();
            if trimmed.len() != word.len() {
                let text = format!("blanks around \"{}\" of breakType; taken off", clip(trimmed));
                self.reader.warn(found.at, "break-type-blanks", text);
            }
            types.extend(self.reader.taken(break_type(trimmed), "breakType", trimmed, found.at));
        }
        types
    }

    /// A break that repeats after nothing would never end.
    fn repeat_after(&mut self, node: usize) -> Option<Span> {
        let span = self.reader.attribute_as(node, "repeatAfter", value::time)?;
        if span == Span::ZERO {
            let text = "repeatAfter is zero; taken as not said";
            self.reader.warn(self.reader.at(node), "repeat-after-zero", text);
            return None;
        }
        Some(span)
    }

    fn source(&mut self, node: usize) -> AdSource {
        let mut source = AdSource {
            id: self.reader.attribute_text(node, "id"),
            allow_multiple_ads: self.reader.attribute_as(node, "allowMultipleAds", value::boolean),
            follow_redirects: self.reader.attribute_as(node, "followRedirects", value::boolean),
            kind: AdSourceKind::Empty,
            at: self.reader.place(node),
        };
        let mut first = None;
        for child in self.reader.elements(node) {
            let name = self.name(child);
            if !SOURCES.contains(&name) {
                continue;
            }
            if let Some(first) = first {
                let text = format!("\"{name}\" beside \"{first}\" in one \"AdSource\"; passed over");
                self.reader.warn(self.reader.at(child), "ad-source-mixed", text);
                self.reader.pass(child);
                continue;
            }
            first = Some(name);
            source.kind = self.source_kind(child, name);
        }
        if first.is_none() {
            let text =
                "\"AdSource\" holds neither \"AdTagURI\", \"VASTAdData\" nor \"CustomAdData\"; it has no ads";
            self.reader.warn(self.reader.at(node), "ad-source-empty", text);
        }
        source
    }

    fn source_kind(&mut self, node: usize, name: &'static str) -> AdSourceKind {
        match name {
            "AdTagURI" => AdSourceKind::Tag {
                uri: self.reader.url(node, name),
                template_type: self.reader.attribute_text(node, "templateType"),
            },
            "CustomAdData" => {
                let template_type = self.reader.attribute_text(node, "templateType");
                let is_vast = template_type.as_deref().is_some_and(names_vast);
                let document = is_vast.then(|| Arc::new(self.document(node, name)));
                AdSourceKind::Custom { template_type, data: self.reader.content(node), document }
            }
            _ => {
                if name == "VASTData" {
                    let text = "element \"VASTData\"; taken as \"VASTAdData\"";
                    self.reader.warn(self.reader.at(node), "legacy-tag-name", text);
                }
                AdSourceKind::Vast(Arc::new(self.document(node, name)))
            }
        }
    }

    /// The first element inside `VASTAdData` is the root of a document; text inside it is a document itself.
    fn document(&mut self, node: usize, name: &'static str) -> Document {
        let mut children = self.reader.elements(node);
        let Some(root) = children.next() else {
            return self.document_in_text(node, name);
        };
        if let Some(second) = children.next() {
            let text = format!("a second document in one \"{name}\"; passed over");
            self.reader.warn(self.reader.at(second), "element-twice", text);
            self.reader.pass(second);
        }
        embedded(self.reader, root)
    }

    /// A document that stands in its element as text, most often in a CDATA section. Its places are those of
    /// the whole text where it stands as written; where entities hide it all are that of its element.
    fn document_in_text(&mut self, node: usize, name: &'static str) -> Document {
        let text = self.reader.text(node);
        if !text.starts_with('<') {
            let found = match &*text {
                "" => format!("\"{name}\" is empty"),
                text => format!("\"{name}\" holds the text \"{}\"", clip(text)),
            };
            let text = format!("{found}; due was the element \"VAST\"").into();
            let fault = Some(Fault { code: 101, text, at: self.reader.place(node) });
            return Document { fault, ..Document::default() };
        }
        let how = format!("\"{name}\" holds a document as text; read as if it stood there as elements");
        self.reader.warn(self.reader.at(node), "document-as-text", how);
        self.reader.inside(node, &text)
    }

    fn tracking(&mut self, node: usize, into: &mut Vec<Tracking>) {
        for child in self.reader.elements(node) {
            if self.name(child) != "Tracking" {
                continue;
            }
            let Some(event) = event::read(self.reader, child, event::OF_BREAKS, "a break") else {
                self.reader.pass(child);
                continue;
            };
            let mut urls = Vec::new();
            self.reader.urls(child, "Tracking", &mut urls);
            let tracker = |url| Tracking { event: Arc::clone(&event), url, offset: None };
            into.extend(urls.into_iter().map(tracker));
        }
    }
}

/// Whether a template type names a version of VAST that is read.
fn names_vast(template: &str) -> bool {
    ["vast", "vast2", "vast3", "vast4"].iter().any(|known| known.eq_ignore_ascii_case(template.trim()))
}

/// Whether a text that is no XML was meant to be VMAP: its first element is.
#[must_use]
pub fn is_broken(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    // What may stand before the root element.
    while let Some(behind) = ["<?", "<!"].iter().find_map(|mark| rest.strip_prefix(mark)) {
        let end = if behind.starts_with("--") { "-->" } else { ">" };
        let Some((_, next)) = behind.split_once(end) else { return false };
        rest = next.trim_start();
    }
    let Some(tag) = rest.strip_prefix('<') else { return false };
    let name =
        tag.split(|c: char| c.is_ascii_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
    name.rsplit(':').next().is_some_and(|local| local.eq_ignore_ascii_case("VMAP"))
}

/// The forms of `timeOffset`. VMAP 1.0.1 section 2.3.1.
fn time_offset(text: &str) -> Taken<TimeOffset> {
    match text {
        "start" => return Taken::plain(TimeOffset::Start),
        "end" => return Taken::plain(TimeOffset::End),
        _ if text.eq_ignore_ascii_case("start") => {
            return Taken::odd(TimeOffset::Start, "letter-case", "taken as \"start\"");
        }
        _ if text.eq_ignore_ascii_case("end") => {
            return Taken::odd(TimeOffset::End, "letter-case", "taken as \"end\"");
        }
        _ => {}
    }
    let due = "no time, share, \"start\", \"end\" or \"#1\", kept as written and never due";
    let unreadable = || Taken::nothing("time-offset-unreadable", due);
    if let Some(number) = text.strip_prefix('#') {
        return match value::number(number) {
            Taken { value: Some(number @ 1..), oddity: None } => Taken::plain(TimeOffset::Position(number)),
            _ => unreadable(),
        };
    }
    let taken = value::offset(text);
    match taken.value {
        None => unreadable(),
        // The standard has whole numbers of percent only.
        Some(Offset::Share(share)) if share % 10_000 != 0 && taken.oddity.is_none() => Taken::odd(
            TimeOffset::Share(share),
            "time-offset-fraction",
            "not a whole number of percent, taken",
        ),
        Some(Offset::Share(_) | Offset::At(_)) => taken.map(|offset| match offset {
            Offset::At(span) => TimeOffset::At(span),
            Offset::Share(share) => TimeOffset::Share(share),
        }),
    }
}

fn break_type(word: &str) -> Taken<BreakType> {
    let known = [BreakType::Linear, BreakType::NonLinear, BreakType::Display];
    match known.into_iter().find(|it| it.word().eq_ignore_ascii_case(word)) {
        Some(found) if found.word() == word => Taken::plain(found),
        Some(found) => {
            let how = format!("taken as \"{}\"", found.word());
            Taken::odd(found, "letter-case", how)
        }
        None if word.is_empty() => Taken::nothing("break-type-empty", "an empty kind, passed over"),
        None => {
            let how = "none of \"linear\", \"nonlinear\", \"display\", kept as written";
            Taken::odd(BreakType::Other(word.into()), "break-type-unknown", how)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(text: &str) -> (Option<String>, Option<&'static str>) {
        let taken = time_offset(text);
        (taken.value.map(|offset| offset.to_string()), taken.oddity.map(|oddity| oddity.code))
    }

    #[test]
    fn offsets_are_written_as_they_are_read() {
        for text in ["start", "end", "00:00:15", "01:02:03.004", "0%", "70%", "100%", "#1", "#4294967295"] {
            assert_eq!(offset(text), (Some(String::from(text)), None));
        }
        assert_eq!(offset("00:00:15.000"), (Some(String::from("00:00:15")), None));
        assert_eq!(offset("End"), (Some(String::from("end")), Some("letter-case")));
        assert_eq!(offset("12.5%"), (Some(String::from("12.5%")), Some("time-offset-fraction")));
        assert_eq!(offset("101%"), (Some(String::from("101%")), Some("offset-over-100")));
        assert_eq!(offset("15"), (Some(String::from("00:00:15")), Some("time-bare-number")));
    }

    #[test]
    fn what_is_no_offset_is_never_due() {
        for text in
            ["pre", "#", "#0", "#-1", "#1.5", "#4294967296", "%", "-5%", "-00:00:01", "1:2:3:4", "start end"]
        {
            assert_eq!(offset(text), (None, Some("time-offset-unreadable")), "{text}");
        }
    }

    #[test]
    fn break_types_are_known_in_any_letter_case() {
        assert_eq!(break_type("nonlinear"), Taken::plain(BreakType::NonLinear));
        assert_eq!(break_type("Display").value, Some(BreakType::Display));
        assert_eq!(break_type("overlay").value, Some(BreakType::Other("overlay".into())));
        assert_eq!(break_type("").value, None);
    }
}
