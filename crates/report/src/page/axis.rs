//! The head of a picture: the labels of its axis, and the grid that its rows share.

use std::fmt::{self, Write};

use super::scale::{Scale, X, seconds};

/// Writes the row with the labels. The drawing of each row, `height` pixels high, refers to the grid as `ID-grid`.
pub fn write(scale: &Scale, id: &str, from_us: u64, height: u32, html: &mut String) -> fmt::Result {
    let ticks = scale.ticks();
    let (from, to) = (seconds(from_us), seconds(scale.to_us()));
    html.push_str("<div class=\"row axis\"><span class=\"who\"></span><span class=\"pl\">");
    write!(
        html,
        "<svg class=\"plot\" height=\"36\" role=\"img\" aria-label=\"time axis, {from} to {to} seconds\">"
    )?;
    write!(html, "<defs><g id=\"{id}-grid\">")?;
    for (x, _) in &ticks {
        write!(html, "<line class=\"gr\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{height}\"/>")?;
    }
    if let Some((from, to, _)) = scale.change() {
        let width = from.to(to);
        write!(html, "<rect class=\"brk\" x=\"{from}\" width=\"{width}\" y=\"0\" height=\"{height}\"/>")?;
    }
    html.push_str("</g></defs>");
    for (x, label) in &ticks {
        let anchor = match x.0 {
            0..2_000 => "start",
            98_000.. => "end",
            _ => "middle",
        };
        write!(html, "<text x=\"{x}\" y=\"28\" class=\"m\" text-anchor=\"{anchor}\">{label}</text>")?;
        write!(html, "<line class=\"gr\" x1=\"{x}\" x2=\"{x}\" y1=\"31\" y2=\"36\"/>")?;
    }
    if let Some((gap, playing, tenths)) = scale.change() {
        let middle = X(gap.0 + gap.to(playing).0 / 2);
        html.push_str("<text x=\"0%\" y=\"12\" class=\"m\">loading</text>");
        write!(html, "<text x=\"{playing}\" y=\"12\" class=\"m\"><tspan class=\"wide\">playing, </tspan>")?;
        write!(html, "scale 1 : {}.{}</text>", tenths / 10, tenths % 10)?;
        write!(
            html,
            "<svg x=\"{middle}\" y=\"18\" overflow=\"visible\"><path class=\"cut\" d=\"m-5 14 4-12M1 14 5 2\"/></svg>"
        )?;
    }
    html.push_str("</svg></span><span class=\"took\"><span>took, s</span></span></div>");
    Ok(())
}
