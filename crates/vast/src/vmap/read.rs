//! Reads the breaks of a VMAP document.
//!
//! As with VAST, an element is recognised by its name, whatever its namespace. A warning reports
//! what a strict reader would refuse. Children may be in any order.
//!
//! Sources: VMAP 1.0.1, sections 2.3 to 2.6.

use std::sync::Arc;

use super::super::element::Element;
use super::super::read::embedded;
use super::super::reader::Reader;
use super::super::tree::{Declared, NodeId};
use super::super::value::{self, Taken};
use super::super::{Document, Fault, Offset, Tracking, WarningCode, clip, event, extension};
use super::meant::WRONG;
use super::{AdSource, AdSourceKind, Break, BreakType, TimeOffset};
use playsim_base::time::Span;

/// A document with more breaks is refused.
pub const MAX_BREAKS: usize = 10_000;

/// The number of break types kept for one break; the standard has three.
const MAX_TYPES: usize = 8;

/// The namespace of VMAP 1.0.
const NAMESPACE: &str = "http://www.iab.net/videosuite/vmap";

/// An element that may hold the ads of a break.
#[derive(Debug, Clone, Copy)]
enum Source {
    Tag,
    Vast,
    /// `VASTData`, the name of `VASTAdData` before VMAP 1.0.
    LegacyVast,
    Custom,
}

impl Source {
    fn of(element: Option<Element>) -> Option<Source> {
        match element {
            Some(Element::AdTagUri) => Some(Source::Tag),
            Some(Element::VastAdData) => Some(Source::Vast),
            Some(Element::VastData) => Some(Source::LegacyVast),
            Some(Element::CustomAdData) => Some(Source::Custom),
            _ => None,
        }
    }
}

/// Reads the breaks of a `VMAP` element. Having none is not a fault; having more than
/// [`MAX_BREAKS`] is.
pub(crate) fn read(reader: &mut Reader, node: NodeId, document: &mut Document) {
    warn_of_namespace(reader, node);
    let tree = reader.tree;
    let has_default = tree
        .attributes(node)
        .iter()
        .any(|it| it.declares() == Some(Declared::Default));
    let prefix = tree.prefix(node).filter(|_| !has_default);
    let mut breaks = Breaks { reader, prefix };
    for child in tree.elements(node) {
        match breaks.element(child) {
            Some(Element::AdBreak) => {}
            Some(Element::Extensions) => {
                extension::read(breaks.reader, child, &mut document.extensions, |_| {});
                continue;
            }
            _ => continue,
        }
        if document.breaks.len() == MAX_BREAKS {
            let text = format!("more than {MAX_BREAKS} breaks, the limit").into();
            document.fault = Some(Fault {
                code: WRONG,
                text,
                at: breaks.reader.place(child),
            });
            document.breaks.clear();
            return;
        }
        document.breaks.push(breaks.ad_break(child));
    }
    if let Some(fault) = reader.too_many_parts() {
        document.fault = Some(Fault {
            code: WRONG,
            ..fault
        });
        document.breaks.clear();
    }
}

/// Warns of a namespace that is missing or unknown: strict readers recognise VMAP by it alone.
fn warn_of_namespace(reader: &mut Reader, node: NodeId) {
    let tree = reader.tree;
    let prefix = tree.prefix(node);
    let of_root = prefix.map_or(Declared::Default, Declared::Prefix);
    match tree
        .attributes(node)
        .iter()
        .find(|it| it.declares() == Some(of_root))
    {
        Some(found) if found.value.trim() == NAMESPACE => {}
        Some(found) => {
            let text = format!(
                "the namespace is \"{}\", expected \"{NAMESPACE}\"; read anyway",
                clip(found.value.trim())
            );
            reader.warn_at(found.at, WarningCode::NamespaceUnknown, text);
        }
        // An undeclared prefix has a warning of its own.
        None if prefix.is_some() => {}
        None => {
            let text = format!("\"VMAP\" has no namespace, expected \"{NAMESPACE}\"; read anyway");
            reader.warn(node, WarningCode::NamespaceMissing, text);
        }
    }
}

struct Breaks<'r, 't> {
    reader: &'r mut Reader<'t>,
    /// The root's prefix, if elements without one are not in its namespace.
    prefix: Option<&'t str>,
}

impl Breaks<'_, '_> {
    /// Returns which element of VMAP a node is; warns if it lacks the prefix of the root.
    fn element(&mut self, node: NodeId) -> Option<Element> {
        let element = self.reader.element(node)?;
        let tree = self.reader.tree;
        if let Some(prefix) = self.prefix
            && tree.prefix(node).is_none()
            && tree
                .attributes(node)
                .iter()
                .all(|it| it.declares() != Some(Declared::Default))
        {
            let text = format!(
                "\"{element}\" lacks the prefix \"{}\"; read as VMAP anyway",
                clip(prefix)
            );
            self.reader.warn(node, WarningCode::PrefixMissing, text);
        }
        Some(element)
    }

    fn ad_break(&mut self, node: NodeId) -> Break {
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
            match self.element(child) {
                Some(Element::AdSource) if read.source.is_none() => {
                    read.source = Some(self.source(child))
                }
                Some(Element::AdSource) => self.reader.second(child, "AdBreak"),
                Some(Element::TrackingEvents) => self.tracking(child, &mut read.tracking),
                Some(Element::Extensions) => {
                    extension::read(self.reader, child, &mut read.extensions, |_| {})
                }
                _ => {}
            }
        }
        read
    }

    fn time_offset(&mut self, node: NodeId) -> Option<TimeOffset> {
        let Some(found) = self.reader.attribute(node, "timeOffset") else {
            let text = "\"AdBreak\" has no \"timeOffset\"; it never starts";
            self.reader.warn(node, WarningCode::TimeOffsetMissing, text);
            return None;
        };
        let taken = self.reader.taken(
            time_offset(&found.text),
            "timeOffset",
            &found.text,
            found.at,
        );
        Some(taken.unwrap_or_else(|| TimeOffset::Unreadable(found.text.into())))
    }

    fn types(&mut self, node: NodeId) -> Vec<BreakType> {
        let Some(found) = self.reader.attribute(node, "breakType") else {
            let text = "\"AdBreak\" has no \"breakType\"; the kind of its ads is unknown";
            self.reader.warn(node, WarningCode::BreakTypeMissing, text);
            return Vec::new();
        };
        let mut types = Vec::new();
        for word in found.text.split(',') {
            if types.len() == MAX_TYPES {
                let text =
                    format!("breakType has more than {MAX_TYPES} types; the rest is ignored");
                self.reader
                    .warn_at(found.at, WarningCode::BreakTypeMany, text);
                break;
            }
            let trimmed = word.trim();
            if trimmed.len() != word.len() {
                let text = format!(
                    "white space around \"{}\" of breakType; removed",
                    clip(trimmed)
                );
                self.reader
                    .warn_at(found.at, WarningCode::BreakTypeBlanks, text);
            }
            types.extend(
                self.reader
                    .taken(break_type(trimmed), "breakType", trimmed, found.at),
            );
        }
        types
    }

    /// Reads `repeatAfter`. Zero is ignored: the break would repeat forever.
    fn repeat_after(&mut self, node: NodeId) -> Option<Span> {
        let span = self.reader.attribute_as(node, "repeatAfter", value::time)?;
        if span == Span::ZERO {
            let text = "repeatAfter is zero; ignored";
            self.reader.warn(node, WarningCode::RepeatAfterZero, text);
            return None;
        }
        Some(span)
    }

    fn source(&mut self, node: NodeId) -> AdSource {
        let mut source = AdSource {
            id: self.reader.attribute_text(node, "id"),
            allow_multiple_ads: self
                .reader
                .attribute_as(node, "allowMultipleAds", value::boolean),
            follow_redirects: self
                .reader
                .attribute_as(node, "followRedirects", value::boolean),
            kind: AdSourceKind::Empty,
            at: self.reader.place(node),
        };
        let mut first = None;
        for child in self.reader.elements(node) {
            let Some(found) = Source::of(self.element(child)) else {
                continue;
            };
            let name = self.reader.name(child);
            if let Some(first) = first {
                let text = format!("\"{name}\" after \"{first}\" in one \"AdSource\"; ignored");
                self.reader.warn(child, WarningCode::AdSourceMixed, text);
                self.reader.pass(child);
                continue;
            }
            first = Some(name);
            source.kind = self.source_kind(child, found);
        }
        if first.is_none() {
            let text = "\"AdSource\" contains none of \"AdTagURI\", \"VASTAdData\", \"CustomAdData\"; it has no ads";
            self.reader.warn(node, WarningCode::AdSourceEmpty, text);
        }
        source
    }

    fn source_kind(&mut self, node: NodeId, source: Source) -> AdSourceKind {
        match source {
            Source::Tag => AdSourceKind::Tag {
                uri: self.reader.url(node),
                template_type: self.reader.attribute_text(node, "templateType"),
            },
            Source::Custom => {
                let template_type = self.reader.attribute_text(node, "templateType");
                let is_vast = template_type.as_deref().is_some_and(names_vast);
                let document = is_vast.then(|| Arc::new(self.document(node)));
                AdSourceKind::Custom {
                    template_type,
                    data: self.reader.content(node),
                    document,
                }
            }
            Source::LegacyVast => {
                let text = "element \"VASTData\"; read as \"VASTAdData\"";
                self.reader.warn(node, WarningCode::LegacyTagName, text);
                AdSourceKind::Vast(Arc::new(self.document(node)))
            }
            Source::Vast => AdSourceKind::Vast(Arc::new(self.document(node))),
        }
    }

    /// Reads an embedded document. The first element inside `node` is its root; text inside it is a
    /// whole document.
    fn document(&mut self, node: NodeId) -> Document {
        let mut children = self.reader.elements(node);
        let Some(root) = children.next() else {
            return self.document_in_text(node);
        };
        if let Some(second) = children.next() {
            let text = format!(
                "a second document in one \"{}\"; ignored",
                self.reader.name(node)
            );
            self.reader.warn(second, WarningCode::ElementTwice, text);
            self.reader.pass(second);
        }
        embedded(self.reader, root)
    }

    /// Reads a document that is embedded as text, most often in a CDATA section. Its places are
    /// exact if it is verbatim; if it is escaped with entities, all of them are the place of the
    /// element.
    fn document_in_text(&mut self, node: NodeId) -> Document {
        let name = self.reader.name(node);
        let text = self.reader.text(node);
        if !text.starts_with('<') {
            let found = match &*text {
                "" => format!("\"{name}\" is empty"),
                text => format!("\"{name}\" contains the text \"{}\"", clip(text)),
            };
            let text = format!("{found}; expected the element \"VAST\"").into();
            let fault = Some(Fault {
                code: 101,
                text,
                at: self.reader.place(node),
            });
            return Document {
                fault,
                ..Document::default()
            };
        }
        let how = format!("\"{name}\" contains a document as text; read as if it were elements");
        self.reader.warn(node, WarningCode::DocumentAsText, how);
        self.reader.inside(node, &text)
    }

    fn tracking(&mut self, node: NodeId, into: &mut Vec<Tracking>) {
        for child in self.reader.elements(node) {
            if self.element(child) != Some(Element::Tracking) {
                continue;
            }
            let Some(event) = event::read(self.reader, child, event::OF_BREAKS, "a break") else {
                self.reader.pass(child);
                continue;
            };
            let mut urls = Vec::new();
            self.reader.urls(child, &mut urls);
            let tracker = |url| Tracking {
                event: event.clone(),
                url,
                offset: None,
            };
            into.extend(urls.into_iter().map(tracker));
        }
    }
}

/// Whether a template type names a supported version of VAST.
fn names_vast(template: &str) -> bool {
    ["vast", "vast2", "vast3", "vast4"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(template.trim()))
}

/// Parses a `timeOffset`. VMAP 1.0.1 section 2.3.1.
fn time_offset(text: &str) -> Taken<TimeOffset> {
    let ends = [("start", TimeOffset::Start), ("end", TimeOffset::End)];
    if let Some(end) = value::keyword(text, ends, |(word, _)| word) {
        return end.map(|(_, offset)| offset);
    }
    let how = "expected a time, a percentage, \"start\", \"end\" or \"#1\", kept as written; the break never starts";
    let unreadable = || Taken::nothing(WarningCode::TimeOffsetUnreadable, how);
    if let Some(number) = text.strip_prefix('#') {
        return match value::number(number) {
            Taken {
                value: Some(number @ 1..),
                oddity: None,
            } => Taken::plain(TimeOffset::Position(number)),
            _ => unreadable(),
        };
    }
    let taken = value::offset(text);
    match taken.value {
        None => unreadable(),
        // The standard only has whole percentages.
        Some(Offset::Share(share)) if share % 10_000 != 0 && taken.oddity.is_none() => Taken::odd(
            TimeOffset::Share(share),
            WarningCode::TimeOffsetFraction,
            "not a whole percentage, used anyway",
        ),
        Some(Offset::Share(_) | Offset::At(_)) => taken.map(|offset| match offset {
            Offset::At(span) => TimeOffset::At(span),
            Offset::Share(share) => TimeOffset::Share(share),
        }),
    }
}

fn break_type(word: &str) -> Taken<BreakType> {
    let known = [BreakType::Linear, BreakType::NonLinear, BreakType::Display];
    value::keyword(word, known, BreakType::word).unwrap_or_else(|| {
        if word.is_empty() {
            return Taken::nothing(WarningCode::BreakTypeEmpty, "an empty break type, ignored");
        }
        let how = "expected \"linear\", \"nonlinear\" or \"display\", kept as written";
        Taken::odd(
            BreakType::Other(word.into()),
            WarningCode::BreakTypeUnknown,
            how,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offset(text: &str) -> (Option<String>, Option<WarningCode>) {
        let taken = time_offset(text);
        (
            taken.value.map(|offset| offset.to_string()),
            taken.oddity.map(|oddity| oddity.code),
        )
    }

    #[test]
    fn offsets_are_written_as_they_are_read() {
        for text in [
            "start",
            "end",
            "00:00:15",
            "01:02:03.004",
            "0%",
            "70%",
            "100%",
            "#1",
            "#4294967295",
        ] {
            assert_eq!(offset(text), (Some(String::from(text)), None));
        }
        assert_eq!(
            offset("00:00:15.000"),
            (Some(String::from("00:00:15")), None)
        );
        assert_eq!(
            offset("End"),
            (Some(String::from("end")), Some(WarningCode::LetterCase))
        );
        assert_eq!(
            offset("12.5%"),
            (
                Some(String::from("12.5%")),
                Some(WarningCode::TimeOffsetFraction)
            )
        );
        assert_eq!(
            offset("101%"),
            (Some(String::from("101%")), Some(WarningCode::OffsetOver100))
        );
        assert_eq!(
            offset("15"),
            (
                Some(String::from("00:00:15")),
                Some(WarningCode::TimeBareNumber)
            )
        );
    }

    #[test]
    fn an_invalid_offset_gives_no_value() {
        for text in [
            "pre",
            "#",
            "#0",
            "#-1",
            "#1.5",
            "#4294967296",
            "%",
            "-5%",
            "-00:00:01",
            "1:2:3:4",
            "start end",
        ] {
            assert_eq!(
                offset(text),
                (None, Some(WarningCode::TimeOffsetUnreadable)),
                "{text}"
            );
        }
    }

    #[test]
    fn break_types_are_read_in_any_letter_case() {
        assert_eq!(break_type("nonlinear"), Taken::plain(BreakType::NonLinear));
        assert_eq!(break_type("Display").value, Some(BreakType::Display));
        assert_eq!(
            break_type("overlay").value,
            Some(BreakType::Other("overlay".into()))
        );
        assert_eq!(break_type("").value, None);
    }
}
