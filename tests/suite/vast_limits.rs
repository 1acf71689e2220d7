//! The maximum cost of reading a document: memory in proportion to its size, and above the limits
//! only a fault with a code.

use playsim::Simulation;
use playsim::scenario;
use playsim::vast::{
    self, Document, MAX_ADS, MAX_ATTRIBUTES, MAX_BYTES, MAX_DEPTH, MAX_NODES, MAX_PARTS,
};

/// Peak allocation per byte of a document, whatever it contains: `<Ad/>` is the worst case.
const MOST_PER_BYTE: u64 = 320;

/// Bytes that every reading needs, however short the document.
const LEAST: u64 = 16 * 1024;

/// Peak allocation for any document, including the longest that is parsed.
const MOST: u64 = 192 * 1024 * 1024;

/// The bound for a document of the given length.
fn bound(bytes: usize) -> u64 {
    (MOST_PER_BYTE * bytes as u64 + LEAST).min(MOST)
}

/// A document as ad servers send it.
const USUAL: &str = include_str!("../../benches/vast/inline.xml");

/// Reads a document; returns it with the peak allocation in bytes.
fn measured(text: &str) -> (Document, u64) {
    let mut document = None;
    let info = allocation_counter::measure(|| document = Some(vast::read(text)));
    (document.expect("it was read"), info.bytes_max)
}

fn repeated(head: &str, part: &str, count: usize, tail: &str) -> String {
    format!("{head}{}{tail}", part.repeat(count))
}

const CREATIVE: [&str; 2] = [
    "<VAST version='4.2'><Ad><InLine><Creatives><Creative>",
    "</Creative></Creatives></InLine></Ad></VAST>",
];

/// Documents that contain many small items of one kind, none above a limit.
fn dense() -> Vec<(&'static str, String)> {
    let ad = |part: &str, count| repeated("<VAST version='4.2'>", part, count, "</VAST>");
    let creative = |head: &str, part: &str, tail: &str| {
        repeated(
            &format!("{}{head}", CREATIVE[0]),
            part,
            20_000,
            &format!("{tail}{}", CREATIVE[1]),
        )
    };
    vec![
        ("ads", ad("<Ad/>", MAX_ADS)),
        ("ads in line", ad("<Ad><InLine/></Ad>", MAX_ADS)),
        (
            "wrappers",
            ad(
                "<Ad><Wrapper><VASTAdTagURI>u</VASTAdTagURI></Wrapper></Ad>",
                MAX_ADS,
            ),
        ),
        ("unknown elements", ad("<a/>", 100_000)),
        ("unknown attributes", ad("<Ad a='' b='' c=''/>", MAX_ADS)),
        (
            "creatives",
            repeated(
                "<VAST><Ad><InLine><Creatives>",
                "<Creative/>",
                50_000,
                "</Creatives></InLine></Ad></VAST>",
            ),
        ),
        (
            "media files",
            creative(
                "<Linear><MediaFiles>",
                "<MediaFile/>",
                "</MediaFiles></Linear>",
            ),
        ),
        (
            "icons",
            creative("<Linear><Icons>", "<Icon/>", "</Icons></Linear>"),
        ),
        (
            "trackers",
            creative(
                "<Linear><TrackingEvents>",
                "<Tracking event='a'>b</Tracking>",
                "</TrackingEvents></Linear>",
            ),
        ),
        (
            "overlays",
            creative("<NonLinearAds>", "<NonLinear/>", "</NonLinearAds>"),
        ),
        (
            "companions",
            creative("<CompanionAds>", "<Companion/>", "</CompanionAds>"),
        ),
        (
            "lone icons",
            creative("", "<Linear><Icons><Icon/></Icons></Linear>", ""),
        ),
        (
            "extensions",
            repeated(
                "<VAST><Ad><InLine><Extensions>",
                "<Extension/>",
                50_000,
                "</Extensions></InLine></Ad></VAST>",
            ),
        ),
        ("texts", ad("x<a/>", 100_000)),
        ("lines", ad("\n", 1_000_000)),
        (
            "entities",
            format!("<VAST version='{}'/>", "&amp;".repeat(200_000)),
        ),
        ("usual ads", usual(400)),
    ]
}

/// A document with the given number of ordinary ads.
fn usual(ads: usize) -> String {
    let from = USUAL.find("<Ad ").expect("the document holds an ad");
    let to = USUAL.find("</VAST>").expect("the document ends");
    repeated(&USUAL[..from], &USUAL[from..to], ads, "</VAST>")
}

#[test]
fn memory_grows_only_with_the_bytes() {
    for (what, text) in dense() {
        let (document, most) = measured(&text);
        assert_eq!(document.fault, None, "{what}");
        println!(
            "{what}: {} bytes, {most} allocated, {} per byte",
            text.len(),
            most / text.len() as u64
        );
        assert!(
            most <= bound(text.len()),
            "{what}: {most} bytes for a document of {}",
            text.len()
        );
    }
}

#[test]
fn ten_megabytes_of_ordinary_ads_are_read_completely() {
    let (document, most) = measured(&usual(3_600));
    assert_eq!(
        (document.ads.len(), document.fault, document.warnings),
        (3_600, None, Vec::new())
    );
    assert!(most <= 12 * 3_600 * USUAL.len() as u64, "{most}");
}

#[test]
fn allocations_grow_with_the_ads() {
    let allocations =
        |ads| allocation_counter::measure(|| drop(vast::read(&usual(ads)))).count_total;
    let (few, many) = (allocations(500), allocations(3_600));
    // Only the list of ads and the strings shared between ads grow with their number.
    assert!(
        many * 500 <= few * 3_600 * 101 / 100,
        "{few} for 500 ads, {many} for 3600"
    );
}

/// A document above a limit: its fault names the limit, and it takes less memory than the bound.
fn refused(what: &str, text: &str, code: u16, limit: usize) {
    let (document, most) = measured(text);
    let fault = document
        .fault
        .unwrap_or_else(|| panic!("{what}: it is accepted"));
    assert_eq!(fault.code, code, "{what}: {}", fault.text);
    assert!(
        fault.text.contains(&limit.to_string()),
        "{what}: {}",
        fault.text
    );
    assert!(
        document.ads.is_empty() && document.breaks.is_empty(),
        "{what}"
    );
    println!("{what}: {} bytes, {most} allocated", text.len());
    assert!(
        most <= bound(text.len()),
        "{what}: {most} bytes for a document of {}",
        text.len()
    );
}

#[test]
fn what_exceeds_a_limit_is_refused_with_a_code() {
    let vast = |part: &str, count| repeated("<VAST version='4.2'>", part, count, "</VAST>");
    refused("bytes", &" ".repeat(MAX_BYTES + 1), 100, MAX_BYTES);
    refused("nodes", &vast("<a/>", MAX_NODES), 100, MAX_NODES);
    refused(
        "attributes in all",
        &vast("<a b='' c='' d=''/>", MAX_NODES / 4),
        100,
        MAX_NODES,
    );
    let deep = repeated(
        "",
        "<VAST>",
        MAX_DEPTH + 1,
        &"</VAST>".repeat(MAX_DEPTH + 1),
    );
    refused("depth", &deep, 100, MAX_DEPTH);
    let never_closed = "<VAST>".repeat(1_000_000);
    refused("depth without ends", &never_closed, 100, MAX_DEPTH);
    let attributes = format!("<VAST {}/>", "a='' ".repeat(MAX_ATTRIBUTES + 1));
    refused("attributes", &attributes, 100, MAX_ATTRIBUTES);
    refused("ads", &vast("<Ad/>", MAX_ADS + 1), 101, MAX_ADS);
    let vmap = |part: &str, count| repeated("<VMAP version='1.0'>", part, count, "</VMAP>");
    refused(
        "breaks",
        &vmap("<AdBreak/>", vast::vmap::MAX_BREAKS + 1),
        1000,
        vast::vmap::MAX_BREAKS,
    );
    for (what, head, part, tail) in [
        (
            "media files",
            "<Linear><MediaFiles>",
            "<MediaFile/>",
            "</MediaFiles></Linear>",
        ),
        ("icons", "<Linear><Icons>", "<Icon/>", "</Icons></Linear>"),
        (
            "overlays",
            "<NonLinearAds>",
            "<NonLinear/>",
            "</NonLinearAds>",
        ),
        (
            "companions",
            "<CompanionAds>",
            "<Companion/>",
            "</CompanionAds>",
        ),
        (
            "extensions",
            "<CreativeExtensions>",
            "<CreativeExtension/>",
            "</CreativeExtensions>",
        ),
    ] {
        let (head, tail) = (
            format!("{}{head}", CREATIVE[0]),
            format!("{tail}{}", CREATIVE[1]),
        );
        refused(
            what,
            &repeated(&head, part, MAX_PARTS + 1, &tail),
            101,
            MAX_PARTS,
        );
    }
    let embedded = format!(
        "<VMAP version='1.0'><AdBreak timeOffset='start' breakType='linear'><AdSource><VASTAdData>{}</VASTAdData></AdSource></AdBreak></VMAP>",
        repeated(
            "<VAST version='4.2'><Ad><InLine><Creatives>",
            "<Creative/>",
            MAX_PARTS + 1,
            "</Creatives></InLine></Ad></VAST>"
        ),
    );
    refused("creatives inside a break", &embedded, 1000, MAX_PARTS);
}

#[test]
fn a_relative_url_that_leads_to_itself_takes_little_memory() {
    // Each resolution of `sub/tag` gives a longer URL, whose response points to a longer one again.
    let wrapper = "<VAST version='3.0'><Ad><Wrapper><AdSystem>s</AdSystem><VASTAdTagURI>sub/tag</VASTAdTagURI></Wrapper></Ad></VAST>";
    let text = format!(
        "{{ videos: [{{ id: v1, renditions: {{ sd: film.mp4 }} }}], media: {{ film.mp4: {{ duration: 1s }} }},
           network: {{ 'https://ads.test/tag': {{ text: \"{wrapper}\" }}, sub/tag: {{ text: \"{wrapper}\" }} }},
           player: {{ ads: [{{ adType: 0, adTimeType: s, mobile: ['https://ads.test/tag'] }}] }} }}"
    );
    let scenario = scenario::read("case.yaml", &text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })
    .expect("it is valid");
    let info = allocation_counter::measure(|| drop(Simulation::new(&scenario)));
    assert!(info.bytes_max < 4 << 20, "{} bytes", info.bytes_max);
}
