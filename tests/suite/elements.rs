//! Every element path and every attribute of VAST, from 2.0 to the 4.4 draft: read, kept, and
//! printed.
//!
//! `paths.txt` has the facts. For each path two documents are written that differ only in the
//! element's text, and for each attribute two that differ only in its value. If it is kept, the two
//! readings and their JSON differ; if it is dropped, they are equal, and the test fails. The table
//! is compared with the one in the folder that `PLAYSIM_CORPUS` names, if it names one.

mod written;

use playsim::vast::{self, Document, WarningCode};
use written::{Path, Variant, paths, write};

/// Elements that only group others: they are kept as their contents.
const GROUPS: [&str; 11] = [
    "AdVerifications",
    "ClosedCaptionFiles",
    "CreativeExtensions",
    "Creatives",
    "Extensions",
    "IconClickFallbackImages",
    "IconClicks",
    "Icons",
    "MediaFiles",
    "TrackingEvents",
    "VideoClicks",
];

/// What is kept and printed, but does not affect what is played or called, with the reason.
const WITHOUT_EFFECT: [(&str, &str); 9] = [
    ("Description", "text for people"),
    ("Advertiser", "text for people"),
    ("Survey", "removed in VAST 4.1; no known player uses it"),
    ("conditionalAd", "removed in VAST 4.1"),
    (
        "Mezzanine",
        "for stitching; never played, VAST 4.3 section 3.9.2",
    ),
    (
        "ClosedCaptionFile",
        "a choice of the viewer without events, VAST 4.3 section 3.9.4",
    ),
    ("FlashResource", "Flash no longer runs anywhere"),
    ("AltText", "for users who cannot see the image"),
    (
        "CreativeExtension",
        "unknown extensions are skipped, VAST 4.3 section 3.18",
    ),
];

/// A reading without its raw source, so that only parsed values are left.
fn understood(text: &str, path: &Path) -> Document {
    let mut document = vast::read(text);
    if path.is_carried() {
        for ad in &mut document.ads {
            ad.extensions.clear();
            ad.creatives
                .iter_mut()
                .for_each(|creative| creative.extensions.clear());
        }
    }
    document
}

/// The warnings about skipped elements and attributes.
fn passed_over(document: &Document) -> Vec<String> {
    let lost = [
        WarningCode::UnknownElement,
        WarningCode::UnknownAttribute,
        WarningCode::ElementMisplaced,
        WarningCode::ElementTwice,
        WarningCode::TextMisplaced,
    ];
    let found = document
        .warnings
        .iter()
        .filter(|it| lost.contains(&it.code));
    found.map(|it| format!("{} {}", it.at, it.text)).collect()
}

/// Explains why two readings do not show that what differs between their sources is kept.
fn defect(path: &Path, texts: [String; 2]) -> Option<String> {
    assert_ne!(texts[0], texts[1], "{path}");
    let mut readings = texts.each_ref().map(|text| understood(text, path));
    for (reading, text) in readings.iter().zip(&texts) {
        if let Some(fault) = &reading.fault {
            return Some(format!("{} in {text}", fault.text));
        }
        let lost = passed_over(reading);
        if !lost.is_empty() {
            return Some(format!("{} in {text}", lost.join("; ")));
        }
    }
    // Warnings quote the source; they would also differ for what is dropped.
    readings
        .iter_mut()
        .for_each(|reading| reading.warnings.clear());
    if readings[0] == readings[1] {
        return Some(format!("not kept: {}", texts[1]));
    }
    let [one, other] = readings.map(|reading| vast::print::json("any", &reading));
    (one == other).then(|| format!("kept, but not printed: {}", texts[1]))
}

/// Writes a document without the element, and one with it; a group gets a child.
fn without_and_with(path: &Path) -> [String; 2] {
    let without = write(path, Variant::Without);
    if !GROUPS.contains(&path.last()) {
        return [without, write(path, Variant::Plain)];
    }
    let inside = format!("{}/", path.name);
    let rest = |it: &Path| {
        it.name
            .strip_prefix(&inside)
            .map(|rest| rest.matches('/').count())
    };
    let child = paths()
        .find(|it| rest(it) == Some(0))
        .expect("a group holds something");
    if GROUPS.contains(&child.last()) {
        return [without, without_and_with(&child)[1].clone()];
    }
    [without, write(&child, Variant::Plain)]
}

#[test]
fn every_element_is_kept() {
    let mut defects = Vec::new();
    let mut count = 0;
    for path in paths().filter(|path| path.name != "VAST") {
        count += 1;
        let mut all = vec![without_and_with(&path)];
        if path.has_text() {
            all.push([Variant::Plain, Variant::OtherText].map(|variant| write(&path, variant)));
        }
        defects.extend(
            all.into_iter()
                .filter_map(|texts| defect(&path, texts))
                .map(|why| format!("{path}: {why}")),
        );
    }
    assert!(defects.is_empty(), "{}", defects.join("\n"));
    assert!(count >= 159, "{count}");
}

#[test]
fn every_element_belongs_to_the_versions_that_have_it() {
    for path in paths() {
        for version in path.versions {
            let document = vast::read(&write(&path.of_version(version), Variant::Plain));
            let reported: Vec<_> = document
                .warnings
                .iter()
                .filter(|it| it.code == WarningCode::VersionMismatch)
                .collect();
            assert!(reported.is_empty(), "{path} {version}: {reported:?}");
        }
    }
}

#[test]
fn every_attribute_is_kept() {
    let mut defects = Vec::new();
    let mut count = 0;
    for path in paths() {
        for name in &path.attributes {
            count += 1;
            let texts = [0, 1].map(|which| write(&path, Variant::Attribute(name, which)));
            defects.extend(defect(&path, texts).map(|why| format!("{path} {name}: {why}")));
        }
    }
    assert!(defects.is_empty(), "{}", defects.join("\n"));
    assert!(count >= 258, "{count}");
}

#[test]
fn what_is_not_in_the_table_is_reported() {
    for path in paths().filter(|path| !path.is_carried()) {
        let reported = |variant| passed_over(&vast::read(&write(&path, variant)));
        // The contents of an extension are kept as they are.
        if !matches!(path.last(), "Extension" | "CreativeExtension") {
            assert_eq!(reported(Variant::Attribute("nobody", 0)).len(), 1, "{path}");
        }
        let is_raw = [
            "Extension",
            "CreativeExtension",
            "AdParameters",
            "HTMLResource",
            "VerificationParameters",
        ];
        if !is_raw.contains(&path.last()) {
            assert_eq!(reported(Variant::Stranger).len(), 1, "{path}");
        }
    }
}

#[test]
fn what_has_no_effect_is_in_the_table() {
    for (name, why) in WITHOUT_EFFECT {
        let is_there = paths().any(|path| path.last() == name || path.attributes.contains(&name));
        assert!(is_there, "{name}: {why}");
    }
}

#[test]
fn the_table_is_complete() {
    let Some(folder) = std::env::var_os("PLAYSIM_CORPUS") else {
        println!("PLAYSIM_CORPUS names no folder: the table was compared with nothing");
        return;
    };
    let file = std::path::Path::new(&folder).join("tables/elements.json");
    let text = std::fs::read_to_string(file).expect("the table can be read");
    let table: serde_json::Value = serde_json::from_str(&text).expect("the table is JSON");
    let elements = table["elements"].as_object().expect("it holds elements");
    assert_eq!(elements.len(), 160);
    for (name, rows) in elements {
        let ours: Vec<Path> = paths().filter(|path| path.name == name).collect();
        assert!(!ours.is_empty(), "{name} is missing");
        for row in rows.as_array().into_iter().flatten() {
            for kind in ["required", "optional"] {
                for attribute in row[kind].as_array().into_iter().flatten() {
                    let attribute = attribute.as_str().expect("an attribute is a string");
                    let is_there = ours.iter().any(|path| path.attributes.contains(&attribute));
                    assert!(is_there, "{name} {attribute} is missing");
                }
            }
        }
    }
}
