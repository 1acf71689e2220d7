//! From input to document: the limits, the root element, the version.
//!
//! Ads are read in `ad`, their content in `creative`, breaks in `vmap`. A document that is not XML
//! has only a fault and warnings; one with a foreign root also keeps the root's name.
//!
//! Sources: VAST 4.3 sections 2.3.6, 3.2; VMAP 1.0.1 sections 2.2, 2.6.

use super::defects::{BYTE_ORDER_MARK, Defects};
use super::element::Element;
use super::not_xml::NotXml;
use super::notes::Notes;
use super::places::{ByteOffset, Places, Start};
use super::reader::Reader;
use super::tree::{NodeId, Tree};
use super::{Document, Fault, Root, WarningCode, ad, clip, declaration, foreign, sweep, vmap};
use playsim_base::place::Place;

/// A document with more bytes is not read.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A document with more ads is refused.
pub const MAX_ADS: usize = 10_000;

/// The known versions, and each times ten.
const VERSIONS: [(&str, u8); 8] = [
    ("2.0", 20),
    ("2.0.1", 20),
    ("3.0", 30),
    ("4.0", 40),
    ("4.1", 41),
    ("4.2", 42),
    ("4.3", 43),
    (DRAFT, 44),
];

/// The version that is not published yet.
const DRAFT: &str = "4.4";

/// Returns a known version times ten.
pub(super) fn times_ten(version: &str) -> Option<u8> {
    VERSIONS
        .iter()
        .find(|(known, _)| *known == version)
        .map(|(_, times_ten)| *times_ten)
}

/// The known versions of VMAP; they are read alike.
const VMAP_VERSIONS: [&str; 2] = ["1.0", "1.0.1"];

/// Reads a document. Total: any input returns one, in time linear in its length.
///
/// Only white space is fault 303: no ad. Input that is not XML is fault 100, and so is more than
/// [`MAX_BYTES`], [`MAX_DEPTH`], [`MAX_NODES`] or [`MAX_ATTRIBUTES`]; a foreign root, or more than
/// [`MAX_ADS`] ads or [`MAX_PARTS`] parts, is 101; VAST 1 is 102. If the root element is one of
/// VMAP's, 1002 replaces 100 and 1000 replaces 101; more than [`vmap::MAX_BREAKS`] breaks are 1000.
/// A document without ads or breaks is valid. If the input is recognisably something else than
/// VAST, the fault names it.
///
/// [`MAX_DEPTH`]: super::MAX_DEPTH
/// [`MAX_NODES`]: super::MAX_NODES
/// [`MAX_ATTRIBUTES`]: super::MAX_ATTRIBUTES
/// [`MAX_PARTS`]: super::MAX_PARTS
#[must_use]
pub fn read(text: &str) -> Document {
    if text.len() > MAX_BYTES {
        let code = not_xml(text);
        let text = format!(
            "the document is too large: it has {} bytes, the limit is {MAX_BYTES}",
            text.len()
        );
        return refused(code, text);
    }
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return refused(303, "the response is empty, which means no ad".to_owned());
    }
    if let Some(foreign) = foreign::by_mark(text) {
        return refused(100, foreign.words());
    }
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    within(text, &Places::new(text), &mut |reader, document| {
        root(reader, document)
    })
}

/// The code of input that cannot be parsed. VAST 4.3 section 2.3.6, VMAP 1.0.1 section 2.5.
fn not_xml(text: &str) -> u16 {
    if vmap::is_broken(text) {
        vmap::UNPARSED
    } else {
        100
    }
}

/// Returns a document with a fault, for input that is not read.
fn refused(code: u16, text: String) -> Document {
    let fault = Fault {
        code,
        text: text.into(),
        at: Place { line: 1, column: 1 },
    };
    Document {
        fault: Some(fault),
        ..Document::default()
    }
}

/// Reads a VAST document that is embedded as text in another one, at the place `start`.
pub(super) fn in_text(text: &str, start: Start) -> Document {
    within(text, &Places::from(text, start), &mut |reader, document| {
        let node = reader.tree.root();
        let element = reader.element(node);
        vast(reader, node, element, document);
    })
}

fn within(
    text: &str,
    places: &Places<'_>,
    root: &mut dyn FnMut(&mut Reader, &mut Document),
) -> Document {
    let mut document = Document::default();
    let mut defects = Defects::default();
    let tree = Tree::read(text, &mut defects);
    let mut notes = Notes::new(places);
    defects.warn(text, &mut notes);
    match tree {
        Ok(tree) => {
            declaration::warn(text, &mut notes);
            warn_of_prefixes(&tree, &mut notes);
            let mut reader = Reader::new(&tree, notes);
            root(&mut reader, &mut document);
            document.warnings = reader.notes.into_warnings();
        }
        Err(NotXml { text: why, at }) => {
            let code = not_xml(text);
            let why = foreign::of(text).map_or(why, |foreign| foreign.words());
            document.fault = Some(Fault {
                code,
                text: why.into(),
                at: places.of(at),
            });
            document.warnings = notes.into_warnings();
        }
    }
    document
}

/// Warns of undeclared prefixes, which a strict reader refuses.
fn warn_of_prefixes(tree: &Tree, notes: &mut Notes) {
    for prefix in tree.prefixes().iter().filter(|prefix| !prefix.is_declared) {
        if let Some(at) = prefix.used_at {
            let text = format!(
                "the prefix \"{}\" is not declared; ignored",
                clip(prefix.name)
            );
            notes.warn_at(at, WarningCode::PrefixUndeclared, text);
        }
    }
}

fn root(reader: &mut Reader, document: &mut Document) {
    let node = reader.tree.root();
    match reader.element(node) {
        Some(Element::Vmap) => {
            document.root = Root::Vmap;
            vmap_version(reader, node, document);
            vmap::read::read(reader, node, document);
        }
        element => vast(reader, node, element, document),
    }
    finish(reader, node, document);
}

/// Warns of everything that was not read. A document with a fault is not searched.
fn finish(reader: &mut Reader, node: NodeId, document: &Document) {
    if document.fault.is_none() {
        sweep::sweep(reader, node);
    } else {
        reader.pass(node);
    }
}

/// Reads a document that is embedded as an element in another one. It is VAST, or has a fault.
pub(super) fn embedded(reader: &mut Reader, node: NodeId) -> Document {
    reader.apart(|reader| {
        let mut document = Document::default();
        let element = reader.element(node);
        vast(reader, node, element, &mut document);
        finish(reader, node, &document);
        document
    })
}

fn vast(reader: &mut Reader, node: NodeId, element: Option<Element>, document: &mut Document) {
    let found = reader.attribute(node, "version");
    let version_at = found.as_ref().map_or(reader.at(node), |found| found.at);
    document.version = found.map(|found| found.text.into());
    let refuse = |code, text: String| {
        Some(Fault {
            code,
            text: text.into(),
            at: reader.place(node),
        })
    };
    match element {
        Some(Element::Vast) => document.root = Root::Vast,
        Some(Element::VideoAdServingTemplate) => {
            document.root = Root::Vast1;
            document.fault = refuse(
                102,
                String::from(
                    "the root is \"VideoAdServingTemplate\", VAST 1; expected VAST 2 or later",
                ),
            );
            return;
        }
        _ => {
            let written = reader.tree.node(node).text;
            document.root = Root::Other(written.into());
            let root = clip(written);
            document.fault = if vmap::is_of_vmap(reader, node, element) {
                // An embedded document must be VAST, even if it is valid VMAP.
                let expected = if element == Some(Element::Vmap) {
                    "VAST"
                } else {
                    "VMAP"
                };
                refuse(
                    vmap::WRONG,
                    format!("the root is \"{root}\"; expected \"{expected}\""),
                )
            } else {
                let foreign = foreign::of_root(written).map(|foreign| foreign.words());
                let reason = foreign.unwrap_or_else(|| String::from("expected \"VAST\""));
                refuse(101, format!("the root is \"{root}\"; {reason}"))
            };
            return;
        }
    }
    if let Some(version) = &document.version
        && (version.starts_with("1.") || **version == *"1")
    {
        document.fault = refuse(
            102,
            format!(
                "the version is \"{}\"; expected 2.0 or later",
                clip(version)
            ),
        );
        return;
    }
    version(reader, version_at, document.version.as_deref());
    children(reader, node, document);
}

fn vmap_version(reader: &mut Reader, node: NodeId, document: &mut Document) {
    match reader.attribute(node, "version") {
        Some(found) => {
            if !VMAP_VERSIONS.contains(&&*found.text) {
                let text = format!(
                    "version is \"{}\", which is unknown; read as 1.0",
                    clip(&found.text)
                );
                reader.warn_at(found.at, WarningCode::VersionUnknown, text);
            }
            document.version = Some(found.text.into());
        }
        None => {
            let text = "\"VMAP\" has no \"version\"; read as 1.0";
            reader.warn(node, WarningCode::VersionMissing, text);
        }
    }
}

/// Warns of a missing or unknown version. Either way the document is read as the newest one.
fn version(reader: &mut Reader, at: ByteOffset, version: Option<&str>) {
    let Some(version) = version else {
        reader.warn_at(
            at,
            WarningCode::VersionMissing,
            "\"VAST\" has no \"version\"; read as the newest",
        );
        return;
    };
    match times_ten(version) {
        Some(times_ten) => {
            reader.version = times_ten;
            if version == DRAFT {
                reader.warn_at(
                    at,
                    WarningCode::VersionDraft,
                    "version is \"4.4\", a draft; read as the current draft",
                );
            }
        }
        None => {
            let text = format!(
                "version is \"{}\", which is unknown; read as the newest",
                clip(version)
            );
            reader.warn_at(at, WarningCode::VersionUnknown, text);
        }
    }
}

fn children(reader: &mut Reader, node: NodeId, document: &mut Document) {
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::Ad) if document.ads.len() == MAX_ADS => {
                let text = format!("more than {MAX_ADS} ads, the limit").into();
                document.fault = Some(Fault {
                    code: 101,
                    text,
                    at: reader.place(child),
                });
                document.ads.clear();
                return;
            }
            Some(Element::Ad) => document.ads.push(ad::read(reader, child)),
            Some(Element::Error) => reader.urls(child, &mut document.error_urls),
            _ => {}
        }
    }
    if let Some(fault) = reader.too_many_parts() {
        document.fault = Some(fault);
        document.ads.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    fn fault_code(text: &str) -> Option<u16> {
        read(text).fault.map(|fault| fault.code)
    }

    #[test]
    fn limits_are_faults_with_a_reason() {
        assert_eq!(fault_code(&" ".repeat(MAX_BYTES + 1)), Some(100));
        let ads = |count| format!("<VAST version='3.0'>{}</VAST>", "<Ad/>".repeat(count));
        assert_eq!(fault_code(&ads(MAX_ADS)), None);
        let refused = read(&ads(MAX_ADS + 1));
        assert_eq!(refused.fault.map(|fault| fault.code), Some(101));
        assert!(refused.ads.is_empty());
        let breaks = |count| format!("<VMAP version='1.0'>{}</VMAP>", "<AdBreak/>".repeat(count));
        assert_eq!(
            read(&breaks(vmap::MAX_BREAKS)).breaks.len(),
            vmap::MAX_BREAKS
        );
        let refused = read(&breaks(vmap::MAX_BREAKS + 1));
        assert_eq!(refused.fault.map(|fault| fault.code), Some(1000));
        assert!(refused.breaks.is_empty());
    }

    #[test]
    fn warnings_beyond_the_limit_are_counted() {
        let document = read(&format!(
            "<VAST version='3.0'>{}</VAST>",
            "<Ad/>".repeat(1_234)
        ));
        let last = document.warnings.last().expect("it has warnings");
        assert_eq!(
            (last.code, &*last.text),
            (
                WarningCode::WarningsLeftOut,
                "234 more warnings; only 1000 are kept"
            )
        );
    }

    #[test]
    fn warnings_of_embedded_documents_count_towards_the_limit() {
        let one = "<AdBreak timeOffset='end' breakType='linear'><AdSource><VASTAdData><VAST/></VASTAdData></AdSource></AdBreak>";
        let document = read(&format!("<VMAP version='1.0'>{}</VMAP>", one.repeat(1_234)));
        let kept: usize = document.embedded().map(|inner| inner.warnings.len()).sum();
        // The first warning is the namespace's.
        assert_eq!((kept, document.warnings.len()), (999, 2));
        assert_eq!(
            &*document.warnings[1].text,
            "235 more warnings; only 1000 are kept"
        );
    }

    #[test]
    fn an_embedded_document_has_its_own_version() {
        let inner = "<AdBreak timeOffset='end' breakType='linear'><AdSource><VASTAdData><VAST version='2.0'>\
            <Ad id='a' sequence='1'><Wrapper><VASTAdTagURI>u</VASTAdTagURI></Wrapper></Ad></VAST></VASTAdData></AdSource></AdBreak>";
        let document = read(&format!("<VMAP version='1.0'>{inner}{inner}</VMAP>"));
        let codes: Vec<Vec<_>> = document
            .embedded()
            .map(|inner| inner.warnings.iter().map(|it| it.code).collect())
            .collect();
        assert_eq!(
            codes,
            [
                [WarningCode::VersionMismatch],
                [WarningCode::VersionMismatch]
            ]
        );
        assert_eq!(
            document
                .warnings
                .iter()
                .map(|it| it.code)
                .collect::<Vec<_>>(),
            [WarningCode::NamespaceMissing]
        );
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let document = read("\u{feff}<VAST version=\"7\"/>");
        assert_eq!(document.warnings[0].at, Place { line: 1, column: 7 });
    }

    #[test]
    fn an_extra_byte_order_mark_is_ignored_with_a_warning() {
        for (text, column) in [
            ("\u{feff}\u{feff}<VAST version='4.2'/>", 1),
            ("\u{feff}\u{feff}\u{feff}<VAST version='4.2'/>", 1),
            ("\u{feff} \u{feff}<VAST version='4.2'/>", 2),
            ("<VAST version='4.2'/>\u{feff}", 22),
        ] {
            let document = read(text);
            assert_eq!(
                (document.root, &document.fault),
                (Root::Vast, &None),
                "{text:?}"
            );
            let reported: Vec<_> = document
                .warnings
                .iter()
                .map(|it| (it.code, &*it.text, it.at))
                .collect();
            let expected = "a byte-order mark outside the root element; ignored";
            assert_eq!(
                reported,
                [(
                    WarningCode::TextOutsideRoot,
                    expected,
                    Place { line: 1, column }
                )],
                "{text:?}"
            );
        }
        assert_eq!(
            read("\u{feff}\u{feff}VAST").fault.map(|fault| fault.code),
            Some(100)
        );
    }

    /// The fixtures' texts.
    fn fixtures() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vast");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the fixtures are in the package")
            .map(|entry| entry.expect("the folder can be listed").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
            .collect();
        paths.sort();
        paths
            .iter()
            .map(|path| std::fs::read_to_string(path).expect("a fixture is text"))
            .collect()
    }

    /// Reads and prints; both must end. What a strict XML reader accepts is XML here too.
    fn survives(text: &str) {
        let document = read(text);
        for document in document.embedded().chain([&document]) {
            assert!(document.fault.is_none() || document.ads.is_empty());
            assert!(document.fault.is_none() || document.breaks.is_empty());
        }
        assert!(!crate::print::text("any", &document).is_empty());
        assert!(!crate::print::json("any", &document).is_empty());
        if roxmltree::Document::parse(text).is_ok() {
            assert_ne!(
                document.fault.map(|fault| fault.code),
                Some(100),
                "{text:?}"
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        #[test]
        fn reading_survives_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            survives(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn reading_survives_any_markup(text in "(<|>|/|&|;|!|\\[|\\]|-|CDATA|VAST|Ad|Error|a|=|\"|'|:|\\?| |\n|\u{e9}|\u{feff}|\u{1b}|\u{0}){0,60}") {
            survives(&text);
            survives(&format!("<VAST version=\"2.0\">{text}</VAST>"));
        }

        #[test]
        fn reading_survives_any_vmap(text in "(<AdBreak>|</AdBreak>|<AdBreak timeOffset='[:0-9.%#a-e]{0,9}' breakType='[a-c,]{0,4}'>|<v:AdSource>|</v:AdSource>|<VASTAdData>|</VASTAdData>|<AdTagURI/>|<VAST version='3.0'/>|<VMAP/>|x){0,20}") {
            survives(&format!("<VMAP>{text}</VMAP>"));
            survives(&format!("<v:VMAP version='1.0'><AdBreak><AdSource>{text}</AdSource></AdBreak></v:VMAP>"));
        }

        #[test]
        fn reading_survives_changed_fixtures(
            which in any::<prop::sample::Index>(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..20_usize, "[<>&\"'/=%:.0-9a\u{e9}\u{feff}\u{1b}\u{0}\u{85} ]{0,3}"), 0..6),
            before in "(\u{feff}|\u{fffe}|\u{0}|\u{1b}\\[1m|\u{200b}|\u{85}|\u{a0}| |\r\n|x|\u{1f600}|&|]]>|<!---->|<\\?x\\?>|<!DOCTYPE a>){0,4}",
        ) {
            let texts = fixtures();
            let mut text = before + which.get(&texts).as_str();
            survives(&text);
            for (from, length, put) in changes {
                let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
                let from = from.index(ends.len());
                let to = (from + length).min(ends.len() - 1);
                text.replace_range(ends[from]..ends[to], &put);
                survives(&text);
            }
        }
    }
}
