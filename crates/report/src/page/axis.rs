//! The axis of a picture: its labels, the grid that all rows share, and the bars on it.

use maud::{Markup, html};

use super::scale::{Scale, X, seconds};

/// Returns the row with the labels. The drawing of each row, `height` pixels high, refers to the
/// grid as `ID-grid`.
pub fn row(scale: &Scale, id: &str, from_us: u64, height: u32) -> Markup {
    let ticks = scale.ticks();
    let label = format!(
        "time axis, {} to {} seconds",
        seconds(from_us),
        seconds(scale.to_us())
    );
    let anchor = |x: &X| match x.0 {
        0..2_000 => "start",
        98_000.. => "end",
        _ => "middle",
    };
    html! {
        div.row.axis {
            span.who {}
            span.pl {
                svg.plot height="36" role="img" aria-label=(label) {
                    defs {
                        g id={ (id) "-grid" } {
                            @for (x, _) in &ticks { line.gr x1=(x) x2=(x) y1="0" y2=(height) {} }
                            @if let Some((from, to, _)) = scale.change() {
                                rect.brk x=(from) width=(from.to(to)) y="0" height=(height) {}
                            }
                        }
                    }
                    @for (x, label) in &ticks {
                        text.m x=(x) y="28" text-anchor=(anchor(x)) { (label) }
                        line.gr x1=(x) x2=(x) y1="31" y2="36" {}
                    }
                    @if let Some((gap, playing, tenths)) = scale.change() {
                        text.m x="0%" y="12" { "loading" }
                        text.m x=(playing) y="12" {
                            tspan.wide { "playing, " } "scale 1 : " (tenths / 10) "." (tenths % 10)
                        }
                        svg x=(X(gap.0 + gap.to(playing).0 / 2)) y=(18) overflow="visible" {
                            path.cut d="m-5 14 4-12M1 14 5 2" {}
                        }
                    }
                }
            }
            span.took { span { "took, s" } }
        }
    }
}

/// The least width of a bar in a picture across the page.
pub const NARROW: X = X(450);

/// Draws a bar at `top`, `height` pixels high, with a title or nothing inside. One that is narrower
/// than `least` is a line 2 pixels wide.
pub fn bar(
    class: &str,
    (from, to): (X, X),
    (top, height): (u32, u32),
    least: X,
    inside: Markup,
) -> Markup {
    html! {
        @if from.to(to) < least {
            line class={ (class) " thin" } x1=(from) x2=(from) y1=(top) y2=(top + height) { (inside) }
        } @else {
            rect class=(class) x=(from) y=(top) width=(from.to(to)) height=(height) { (inside) }
        }
    }
}
