//! The cost of reading a document, compared with a plain walk over its XML events.

#![expect(clippy::disallowed_types, reason = "real time is measured here")]

mod measure;

use std::fmt::Write as _;
use std::hint::black_box;

use measure::{Table, costs};
use quick_xml::events::Event;
use quick_xml::reader::Reader;

/// A linear ad as an ad server sends it: 2.8 kB.
const DOCUMENT: &str = include_str!("vast/inline.xml");

fn main() {
    let mut table = Table::default();
    one_document(&mut table);
    sizes(&mut table);
    table.print();
}

/// A plain walk over every event, attribute and text node; nothing is kept.
fn walk(text: &str) -> usize {
    let mut reader = Reader::from_str(text);
    let mut bytes = 0;
    loop {
        match reader.read_event().expect("the document is XML") {
            Event::Start(tag) | Event::Empty(tag) => {
                bytes += tag.name().0.len();
                for attribute in tag.attributes() {
                    let attribute = attribute.expect("its attributes are well-formed");
                    bytes += attribute.key.0.len() + attribute.value.len();
                }
            }
            Event::Text(text) => bytes += text.len(),
            Event::CData(text) => bytes += text.len(),
            Event::GeneralRef(name) => bytes += name.len(),
            Event::End(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
            Event::Eof => return bytes,
        }
    }
}

fn one_document(table: &mut Table) {
    let document = playsim::vast::read(DOCUMENT);
    assert!(
        document.fault.is_none() && document.warnings.is_empty(),
        "{document:#?}"
    );
    let [plain, read] = costs([
        &mut || _ = black_box(walk(black_box(DOCUMENT))),
        &mut || _ = black_box(playsim::vast::read(black_box(DOCUMENT))),
    ]);
    table.heading(&format!("A VAST document of {} bytes", DOCUMENT.len()));
    table.cost("plain walk of quick-xml, attributes and text", plain);
    table.cost_within("into the full model", read, 9.0);
    table.multiple("document", "the walk", [read, plain], 3.0);
}

/// Documents with many ads: the cost per byte stays constant.
fn sizes(table: &mut Table) {
    table.heading("Documents of many ads; cost of a kilobyte");
    let from = DOCUMENT.find("<Ad ").expect("the document holds an ad");
    let to = DOCUMENT.find("</VAST>").expect("the document ends");
    let mut before = None;
    for ads in [450, 900, 1_800, 3_600] {
        let mut text = DOCUMENT[..from].to_owned();
        for _ in 0..ads {
            let _ = write!(text, "{}", &DOCUMENT[from..to]);
        }
        text.push_str("</VAST>");
        assert_eq!(playsim::vast::read(&text).ads.len(), ads);
        let [read] = costs([&mut || _ = black_box(playsim::vast::read(black_box(&text)))]);
        let what = format!("{:.1} MB", text.len() as f64 / 1e6);
        table.grown(&what, read.min / (text.len() as f64 / 1e3), &mut before);
    }
}
