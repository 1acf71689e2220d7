//! The table of paths, and documents that contain just one of them.

use std::fmt;

/// A row of the table.
pub(crate) struct Path {
    pub(crate) name: &'static str,
    /// The first and the last version that has it.
    pub(crate) versions: [&'static str; 2],
    version: &'static str,
    pub(crate) attributes: Vec<&'static str>,
}

/// The variants of a document for a path.
#[derive(Clone, Copy)]
pub(crate) enum Variant<'a> {
    /// The document without the element.
    Without,
    /// The element.
    Plain,
    /// The element with different text.
    OtherText,
    /// The element with an attribute, which has one of two values.
    Attribute(&'a str, usize),
    /// The element with an unknown child.
    Stranger,
}

impl Path {
    pub(crate) fn parts(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.name.split('/')
    }

    pub(crate) fn last(&self) -> &'static str {
        self.parts().last().unwrap_or_default()
    }

    /// The same path in a document of another version.
    pub(crate) fn of_version(&self, version: &'static str) -> Path {
        Path {
            version,
            attributes: self.attributes.clone(),
            ..*self
        }
    }

    /// Whether the element contains text.
    pub(crate) fn has_text(&self) -> bool {
        !self.texts()[0].is_empty()
    }

    /// Two texts for the element, of the same length, so that no position changes.
    fn texts(&self) -> [&'static str; 2] {
        match self.last() {
            "VAST"
            | "Ad"
            | "InLine"
            | "Wrapper"
            | "AdVerifications"
            | "Verification"
            | "TrackingEvents"
            | "Creatives"
            | "Creative"
            | "CompanionAds"
            | "Companion"
            | "CreativeExtensions"
            | "Linear"
            | "Icons"
            | "Icon"
            | "IconClicks"
            | "IconClickFallbackImages"
            | "IconClickFallbackImage"
            | "MediaFiles"
            | "ClosedCaptionFiles"
            | "VideoClicks"
            | "NonLinearAds"
            | "NonLinear"
            | "Extensions" => ["", ""],
            "ViewableImpression" if !self.name.contains("/Verification/") => ["", ""],
            "Duration" => ["00:00:01", "00:00:02"],
            "Expires" => ["100", "200"],
            _ => ["https://a.test/1", "https://a.test/2"],
        }
    }

    /// Whether it is inside an extension.
    pub(crate) fn is_carried(&self) -> bool {
        let inside = self.name.rsplit_once('/').map_or("", |(inside, _)| inside);
        inside.contains("/Extension") && self.last() != "Extension"
            || inside.ends_with("/CreativeExtension")
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

pub(crate) fn paths() -> impl Iterator<Item = Path> {
    include_str!("paths.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split(' ');
            let mut word = || words.next().expect("a row has a path and two versions");
            let (name, versions) = (word(), [word(), word()]);
            Path {
                name,
                versions,
                version: versions[1],
                attributes: words.collect(),
            }
        })
}

/// Writes a document with the elements on the way to the path, and nothing else that a reader could
/// warn about.
pub(crate) fn write(path: &Path, variant: Variant<'_>) -> String {
    let parts: Vec<&str> = path.parts().collect();
    let mut text = String::new();
    let mut ends = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        if is_last && matches!(variant, Variant::Without) {
            break;
        }
        let mut attributes = needed(part, path.version);
        if is_last && let Variant::Attribute(name, which) = variant {
            if name == "offset" && *part == "Tracking" {
                attributes.retain(|(known, _)| *known != "event");
                attributes.push(("event", "progress"));
            }
            attributes.retain(|(known, _)| *known != name);
            attributes.push((name, values(name)[which]));
        }
        text.push_str(&format!("<{part}"));
        for (name, value) in attributes {
            text.push_str(&format!(" {name}=\"{value}\""));
        }
        text.push('>');
        if is_last {
            match variant {
                Variant::Stranger => text.push_str("<Stranger/>"),
                Variant::OtherText => text.push_str(path.texts()[1]),
                Variant::Plain | Variant::Attribute(..) | Variant::Without => {}
            }
            if !matches!(variant, Variant::OtherText) {
                text.push_str(path.texts()[0]);
            }
        }
        text.push_str(before(part, path));
        ends.push(format!("</{part}>"));
    }
    ends.iter().rev().for_each(|end| text.push_str(end));
    text
}

/// Attributes without which an element is invalid.
fn needed<'a>(part: &str, version: &'a str) -> Vec<(&'a str, &'a str)> {
    match part {
        "VAST" => vec![("version", version)],
        "Tracking" => vec![("event", "start")],
        _ => Vec::new(),
    }
}

/// The elements that must come first, so that the contents of an extension find their creative.
fn before(part: &str, path: &Path) -> &'static str {
    let carries_overlay = path.name.contains("Extension/MediaFiles");
    match part {
        "InLine" if path.name.contains("Extensions/Extension/") => {
            if carries_overlay {
                "<Creatives><Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative></Creatives>"
            } else {
                "<Creatives><Creative id=\"one\"><Linear><MediaFiles><MediaFile id=\"one\">u</MediaFile></MediaFiles></Linear></Creative>\
                 <Creative id=\"two\"><Linear><MediaFiles><MediaFile id=\"two\">u</MediaFile></MediaFiles></Linear></Creative></Creatives>"
            }
        }
        "Creative" if path.is_carried() => "<Linear/>",
        "InteractiveCreativeFile" if path.last() == "AdParameters" => "https://a.test/unit.html",
        _ => "",
    }
}

/// Two values for an attribute, of the same length.
fn values(name: &str) -> [&str; 2] {
    match name {
        "version" => ["4.1", "4.2"],
        "sequence" | "width" | "height" | "assetWidth" | "assetHeight" | "expandedWidth"
        | "expandedHeight" | "bitrate" | "minBitrate" | "maxBitrate" | "xPosition"
        | "yPosition" => ["101", "102"],
        "conditionalAd"
        | "followAdditionalWrappers"
        | "allowMultipleAds"
        | "fallbackOnNoAd"
        | "xmlEncoded"
        | "scalable"
        | "maintainAspectRatio"
        | "browserOptional"
        | "variableDuration" => ["1", "0"],
        "skipoffset" | "offset" | "duration" | "minSuggestedDuration" => ["00:00:01", "00:00:02"],
        "adType" => ["video", "audio"],
        "required" => ["all", "any"],
        _ => ["one", "two"],
    }
}
