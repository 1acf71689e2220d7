//! From text to document: the limits, the root element, the version.
//!
//! Ads are read in `ad`, what they hold in `creative`, breaks in `vmap`. A document that is no XML keeps nothing but its
//! fault and its warnings; one with a foreign root keeps the root's name.
//!
//! Sources: VAST 4.3 sections 2.3.6, 3.2; VMAP 1.0.1 sections 2.2, 2.6.

use super::not_xml::NotXml;
use super::notes::Notes;
use super::places::{Places, Start};
use super::reader::Reader;
use super::tree::{Stray, Tree};
use super::{Document, Fault, Root, ad, clip, sweep, vmap};
use crate::place::Place;

/// A document of more bytes is not looked into.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A document with more ads is refused.
pub const MAX_ADS: usize = 10_000;

/// The versions that are known, times ten.
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

/// The version that is not out yet.
const DRAFT: &str = "4.4";

/// A version that is known, times ten.
pub(super) fn times_ten(version: &str) -> Option<u8> {
    VERSIONS.iter().find(|(known, _)| *known == version).map(|(_, times_ten)| *times_ten)
}

/// The versions of VMAP that are known; they read alike.
const VMAP_VERSIONS: [&str; 2] = ["1.0", "1.0.1"];

/// Reads a document. Total: any text gives one, in time that grows with its length alone.
///
/// No XML at all is fault 100, and so is more than [`MAX_BYTES`], [`MAX_DEPTH`], [`MAX_NODES`] or
/// [`MAX_ATTRIBUTES`]; a foreign root, or more than [`MAX_ADS`] ads, [`vmap::MAX_BREAKS`] breaks or
/// [`MAX_PARTS`] parts, is 101; VAST 1 is 102. A document without an ad or a break is no fault.
///
/// [`MAX_DEPTH`]: super::MAX_DEPTH
/// [`MAX_NODES`]: super::MAX_NODES
/// [`MAX_ATTRIBUTES`]: super::MAX_ATTRIBUTES
/// [`MAX_PARTS`]: super::MAX_PARTS
#[must_use]
pub fn read(text: &str) -> Document {
    if text.len() > MAX_BYTES {
        let text = format!("the text has {} bytes; at most {MAX_BYTES} are read", text.len());
        let fault = Fault { code: 100, text: text.into(), at: Place { line: 1, column: 1 } };
        return Document { fault: Some(fault), ..Document::default() };
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    within(text, &Places::new(text), &mut |reader, document| root(reader, document))
}

/// Reads a VAST document that stands as text inside another one, from a place of that on.
pub(super) fn in_text(text: &str, start: Start) -> Document {
    within(text, &Places::from(text, start), &mut |reader, document| {
        let node = reader.tree.root();
        let name = reader.name(node);
        vast(reader, node, name, document);
    })
}

fn within(text: &str, places: &Places<'_>, root: &mut dyn FnMut(&mut Reader, &mut Document)) -> Document {
    let mut document = Document::default();
    let mut stray = None;
    let tree = Tree::read(text, &mut stray);
    let mut notes = Notes::new(places);
    if let Some(Stray { text, at }) = stray {
        let text = format!("\"{}\" outside of the root element; passed over", clip(text));
        notes.warn(at, "text-outside-root", text);
    }
    match tree {
        Ok(tree) => {
            warn_of_declaration(text, &mut notes);
            warn_of_prefixes(&tree, &mut notes);
            let mut reader = Reader::new(&tree, notes);
            root(&mut reader, &mut document);
            document.warnings = reader.notes.into_warnings();
        }
        Err(NotXml { text, at }) => {
            document.fault = Some(Fault { code: 100, text: text.into(), at: places.of(at) });
            document.warnings = notes.into_warnings();
        }
    }
    document
}

/// Blanks before `<?xml` are what an editor or a template leaves; strict readers stop there.
fn warn_of_declaration(text: &str, notes: &mut Notes) {
    let start = text.trim_start();
    if start.starts_with("<?xml ") && start.len() != text.len() {
        let at = text.len() - start.len();
        notes.warn(at, "declaration-late", "\"<?xml\" is not the first thing of the text; read all the same");
    }
    let at = text.len() - start.len();
    if let Some((label, behind)) = start.strip_prefix("<?xml ").and_then(declared_encoding) {
        let text = format!("the encoding is \"{}\"; due was \"UTF-8\", read all the same", clip(label));
        notes.warn(at + "<?xml ".len() + behind, "encoding-declared", text);
    }
}

/// The encoding that a declaration says, if it is another than UTF-8, and where behind its start.
fn declared_encoding(inside: &str) -> Option<(&str, usize)> {
    let (inside, _) = inside.split_once("?>")?;
    let (before, behind) = inside.split_once("encoding")?;
    let value = behind.trim_start().strip_prefix('=')?.trim_start();
    let label = value.strip_prefix(['"', '\''])?.split(['"', '\'']).next()?.trim();
    let is_due = ["utf-8", "utf8", "us-ascii"].iter().any(|due| due.eq_ignore_ascii_case(label));
    (!is_due && !label.is_empty()).then_some((label, before.len()))
}

/// A strict reader refuses a prefix that no namespace stands behind.
fn warn_of_prefixes(tree: &Tree, notes: &mut Notes) {
    for prefix in tree.prefixes().iter().filter(|prefix| !prefix.is_declared) {
        if let Some(at) = prefix.used_at {
            let text = format!("nothing declares the prefix \"{}\"; passed over", clip(prefix.name));
            notes.warn(at, "prefix-undeclared", text);
        }
    }
}

fn root(reader: &mut Reader, document: &mut Document) {
    let node = reader.tree.root();
    match reader.name(node) {
        "VMAP" => {
            document.root = Root::Vmap;
            vmap_version(reader, node, document);
            vmap::read::read(reader, node, document);
        }
        name => vast(reader, node, name, document),
    }
    finish(reader, node, document);
}

/// Tells what was not read. A document that is at fault is not looked into any further.
fn finish(reader: &mut Reader, node: usize, document: &Document) {
    if document.fault.is_none() {
        sweep::sweep(reader, node);
    } else {
        reader.pass(node);
    }
}

/// Reads the document whose root element stands inside another one. It is VAST, or at fault.
pub(super) fn embedded(reader: &mut Reader, node: usize) -> Document {
    reader.apart(|reader| {
        let mut document = Document::default();
        let name = reader.name(node);
        vast(reader, node, name, &mut document);
        finish(reader, node, &document);
        document
    })
}

fn vast(reader: &mut Reader, node: usize, name: &'static str, document: &mut Document) {
    let found = reader.attribute(node, "version");
    let version_at = found.as_ref().map_or(reader.at(node), |found| found.at);
    document.version = found.map(|found| found.text.into());
    let refuse = |code, text: String| Some(Fault { code, text: text.into(), at: reader.place(node) });
    match name {
        "VAST" => document.root = Root::Vast,
        "VideoAdServingTemplate" => {
            document.root = Root::Vast1;
            document.fault = refuse(
                102,
                String::from("the root is \"VideoAdServingTemplate\", VAST 1; due was VAST 2 or later"),
            );
            return;
        }
        _ => {
            let written = reader.tree.node(node).text;
            document.root = Root::Other(written.into());
            document.fault = refuse(101, format!("the root is \"{}\"; due was \"VAST\"", clip(written)));
            return;
        }
    }
    if let Some(version) = &document.version
        && (version.starts_with("1.") || **version == *"1")
    {
        document.fault = refuse(102, format!("the version is \"{}\"; due was 2.0 or later", clip(version)));
        return;
    }
    version(reader, version_at, document.version.as_deref());
    children(reader, node, document);
}

fn vmap_version(reader: &mut Reader, node: usize, document: &mut Document) {
    match reader.attribute(node, "version") {
        Some(found) => {
            if !VMAP_VERSIONS.contains(&&*found.text) {
                let text =
                    format!("version is \"{}\"; not one that is known, read as 1.0", clip(&found.text));
                reader.warn(found.at, "version-unknown", text);
            }
            document.version = Some(found.text.into());
        }
        None => {
            let text = "\"VMAP\" has no \"version\"; read as 1.0";
            reader.warn(reader.at(node), "version-missing", text);
        }
    }
}

/// Notes a version that is missing or unknown; either way the document is read on as the newest.
fn version(reader: &mut Reader, at: usize, version: Option<&str>) {
    let Some(version) = version else {
        reader.warn(at, "version-missing", "\"VAST\" has no \"version\"; read as the newest");
        return;
    };
    match times_ten(version) {
        Some(times_ten) => {
            reader.version = times_ten;
            if version == DRAFT {
                reader.warn(at, "version-draft", "version is \"4.4\", a draft; read as it stands now");
            }
        }
        None => {
            let text = format!("version is \"{}\"; not one that is known, read as the newest", clip(version));
            reader.warn(at, "version-unknown", text);
        }
    }
}

fn children(reader: &mut Reader, node: usize, document: &mut Document) {
    for child in reader.elements(node) {
        match reader.name(child) {
            "Ad" if document.ads.len() == MAX_ADS => {
                let text = format!("more than {MAX_ADS} ads, the limit").into();
                document.fault = Some(Fault { code: 101, text, at: reader.place(child) });
                document.ads.clear();
                return;
            }
            "Ad" => document.ads.push(ad::read(reader, child)),
            "Error" => reader.urls(child, "Error", &mut document.error_urls),
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
    fn limits_are_faults_with_words() {
        assert_eq!(fault_code(&" ".repeat(MAX_BYTES + 1)), Some(100));
        let ads = |count| format!("<VAST version='3.0'>{}</VAST>", "<Ad/>".repeat(count));
        assert_eq!(fault_code(&ads(MAX_ADS)), None);
        let refused = read(&ads(MAX_ADS + 1));
        assert_eq!(refused.fault.map(|fault| fault.code), Some(101));
        assert!(refused.ads.is_empty());
        let breaks = |count| format!("<VMAP version='1.0'>{}</VMAP>", "<AdBreak/>".repeat(count));
        assert_eq!(read(&breaks(vmap::MAX_BREAKS)).breaks.len(), vmap::MAX_BREAKS);
        let refused = read(&breaks(vmap::MAX_BREAKS + 1));
        assert_eq!(refused.fault.map(|fault| fault.code), Some(101));
        assert!(refused.breaks.is_empty());
    }

    #[test]
    fn warnings_behind_the_limit_are_counted() {
        let document = read(&format!("<VAST version='3.0'>{}</VAST>", "<Ad/>".repeat(1_234)));
        let last = document.warnings.last().expect("it has warnings");
        assert_eq!((last.code, &*last.text), ("warnings-left-out", "234 more warnings; 1000 are kept"));
    }

    #[test]
    fn warnings_of_documents_inside_count_towards_the_limit() {
        let one = "<AdBreak timeOffset='end' breakType='linear'><AdSource><VASTAdData><VAST/></VASTAdData></AdSource></AdBreak>";
        let document = read(&format!("<VMAP version='1.0'>{}</VMAP>", one.repeat(1_234)));
        let kept: usize = document.embedded().map(|inner| inner.warnings.len()).sum();
        // The first warning is the namespace's.
        assert_eq!((kept, document.warnings.len()), (999, 2));
        assert_eq!(&*document.warnings[1].text, "235 more warnings; 1000 are kept");
    }

    #[test]
    fn a_document_inside_has_a_version_of_its_own() {
        let inner = "<AdBreak timeOffset='end' breakType='linear'><AdSource><VASTAdData><VAST version='2.0'>\
            <Ad sequence='1'><Wrapper><VASTAdTagURI>u</VASTAdTagURI></Wrapper></Ad></VAST></VASTAdData></AdSource></AdBreak>";
        let document = read(&format!("<VMAP version='1.0'>{inner}{inner}</VMAP>"));
        let codes: Vec<Vec<_>> =
            document.embedded().map(|inner| inner.warnings.iter().map(|it| it.code).collect()).collect();
        assert_eq!(codes, [["version-mismatch"], ["version-mismatch"]]);
        assert_eq!(document.warnings.iter().map(|it| it.code).collect::<Vec<_>>(), ["namespace-missing"]);
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        let document = read("\u{feff}<VAST version=\"7\"/>");
        assert_eq!(document.warnings[0].at, Place { line: 1, column: 7 });
    }

    /// The fixtures' texts.
    fn fixtures() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/vast");
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the fixtures stand beside the sources")
            .map(|entry| entry.expect("the folder can be listed").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
            .collect();
        paths.sort();
        paths.iter().map(|path| std::fs::read_to_string(path).expect("a fixture is text")).collect()
    }

    /// Reads and prints; both have to end. What a strict reader takes is XML here too.
    fn survives(text: &str) {
        let document = read(text);
        for document in document.embedded().chain([&document]) {
            assert!(document.fault.is_none() || document.ads.is_empty());
            assert!(document.fault.is_none() || document.breaks.is_empty());
        }
        assert!(!crate::vast::print::text("any", &document).is_empty());
        assert!(!crate::vast::print::json("any", &document).is_empty());
        if roxmltree::Document::parse(text).is_ok() {
            assert_ne!(document.fault.map(|fault| fault.code), Some(100), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) })]

        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            survives(&String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn any_markup_is_survived(text in "(<|>|/|&|;|!|\\[|\\]|-|CDATA|VAST|Ad|Error|a|=|\"|'|:|\\?| |\n|\u{e9}){0,60}") {
            survives(&text);
            survives(&format!("<VAST version=\"2.0\">{text}</VAST>"));
        }

        #[test]
        fn any_vmap_is_survived(text in "(<AdBreak>|</AdBreak>|<AdBreak timeOffset='[:0-9.%#a-e]{0,9}' breakType='[a-c,]{0,4}'>|<v:AdSource>|</v:AdSource>|<VASTAdData>|</VASTAdData>|<AdTagURI/>|<VAST version='3.0'/>|<VMAP/>|x){0,20}") {
            survives(&format!("<VMAP>{text}</VMAP>"));
            survives(&format!("<v:VMAP version='1.0'><AdBreak><AdSource>{text}</AdSource></AdBreak></v:VMAP>"));
        }

        #[test]
        fn changed_fixtures_are_survived(
            which in any::<prop::sample::Index>(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), 0..20_usize, "[<>&\"'/=%:.0-9a\u{e9} ]{0,3}"), 1..6),
        ) {
            let texts = fixtures();
            let mut text = which.get(&texts).clone();
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
