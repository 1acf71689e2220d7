//! Shapes on the axis of a break.

use maud::{Markup, html};

use playsim_base::time::Time;
use playsim_report::page::axis::{self, NARROW};
use playsim_report::page::scale::Scale;

/// The widths for which labels are placed, in pixels, each with the class of labels that only fit
/// from there on.
const WIDTHS: [(u64, &str); 3] = [(300, ""), (400, " wide"), (680, " wider")];
/// How wide a letter of a label is at most on average, and the space between two labels, in pixels.
const LETTER: u64 = 7;
const SPACE: u64 = 8;

/// The meaning of a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    /// A document that was answered.
    Tag,
    /// A document of a wrapper.
    Hop,
    /// An answer without an ad.
    Hollow,
    /// A wait for an answer that never came in time.
    Wait,
    /// An answer that came too late.
    Late,
    Media,
    /// An ad between two of its pixels.
    Ad,
    /// Unknown from the recording.
    Unknown,
    /// A step of the documented player.
    Simulated,
}

impl Bar {
    pub(super) const ALL: &[Bar] = &[
        Bar::Tag,
        Bar::Hop,
        Bar::Hollow,
        Bar::Wait,
        Bar::Late,
        Bar::Media,
        Bar::Ad,
        Bar::Unknown,
        Bar::Simulated,
    ];

    /// Returns the class of its style.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Bar::Tag => "b-req",
            Bar::Hop => "b-hop",
            Bar::Hollow => "b-hollow",
            Bar::Wait => "b-wait",
            Bar::Late => "b-late",
            Bar::Media => "b-media",
            Bar::Ad => "b-shown",
            Bar::Unknown => "b-unknown",
            Bar::Simulated => "b-sim",
        }
    }

    /// Returns its meaning, for the key of the picture.
    pub(super) const fn meaning(self) -> &'static str {
        match self {
            Bar::Tag => "tag, answered",
            Bar::Hop => "redirect or wrapper",
            Bar::Hollow => "answered without an ad",
            Bar::Wait => "waited for nothing",
            Bar::Late => "came too late",
            Bar::Media => "media",
            Bar::Ad => "ad, inferred from its pixels",
            Bar::Unknown => "unknown",
            Bar::Simulated => "by the rules, where it differs",
        }
    }

    /// Returns its top and its height in a row. Documented bars are below recorded ones.
    const fn lane(self) -> (u32, u32) {
        match self {
            Bar::Simulated => (28, 7),
            Bar::Tag
            | Bar::Hop
            | Bar::Hollow
            | Bar::Wait
            | Bar::Late
            | Bar::Media
            | Bar::Ad
            | Bar::Unknown => (10, 12),
        }
    }
}

/// Draws a bar from one time to another; a short one is a line.
pub(super) fn bar(scale: &Scale, bar: Bar, from: Time, to: Time) -> Markup {
    let (left, right) = (scale.start(from.micros()), scale.end(to.max(from).micros()));
    axis::bar(bar.class(), (left, right), bar.lane(), NARROW, html! {})
}

/// A label at a time, and where it has room.
pub(super) struct Label {
    pub(super) at: Time,
    pub(super) text: String,
}

/// Writes those labels that have room, in a line at `y`; some only on a wide screen.
pub(super) fn labels(scale: &Scale, all: &[Label], class: &str, y: u32) -> Markup {
    // Where the last label ended, for each width.
    let mut ends = [0_u64; WIDTHS.len()];
    let mut placed: Vec<(&Label, &str, &str)> = Vec::new();
    for label in all {
        let x = scale.start(label.at.micros());
        let long = label.text.chars().count() as u64 * LETTER;
        let anchor = match x.0 {
            0..6_000 => "start",
            94_000.. => "end",
            _ => "middle",
        };
        let has_room = WIDTHS.map(|(width, _)| {
            let at = x.0 * width / 100_000;
            let from = match anchor {
                "start" => at,
                "end" => at.saturating_sub(long),
                _ => at.saturating_sub(long / 2),
            };
            (from, from + long + SPACE)
        });
        let fits: Vec<bool> = has_room
            .iter()
            .zip(&ends)
            .map(|((from, _), end)| from >= end)
            .collect();
        for ((end, (_, to)), fits) in ends.iter_mut().zip(has_room).zip(&fits) {
            *end = if *fits { to } else { *end };
        }
        // A narrower drawing may have room where a wider one has another label.
        let from = fits
            .iter()
            .rposition(|fits| !fits)
            .map_or(0, |last| last + 1);
        placed.extend(WIDTHS.get(from).map(|(_, class)| (label, anchor, *class)));
    }
    html! {
        @for (label, anchor, from) in placed {
            text class={ (class) (from) } x=(scale.start(label.at.micros()).to_string()) y=(y)
                text-anchor=(anchor) { (playsim_base::html::Text(&label.text)) }
        }
    }
}
