//! The small pictures in the rows of the page: shares of outcomes as a bar, latencies from the
//! median to the 95th percentile.

use maud::{Markup, html};

use crate::days::figures::RecordedTag;
use crate::days::latencies::LatencyQuantile;
use crate::days::row::OutcomeKind;
use playsim_base::words::seconds;

/// Returns a part of a whole as a coordinate in percent.
pub(super) fn at(part: u64, whole: u64) -> String {
    let hundredths = part * 10_000 / whole.max(1);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

fn class(outcome: OutcomeKind) -> &'static str {
    match outcome {
        OutcomeKind::Filled => "b-fill",
        OutcomeKind::NoAd => "b-none",
        OutcomeKind::Failed => "b-fail",
        OutcomeKind::GivenUp => "b-wait",
        OutcomeKind::Late => "b-late",
        OutcomeKind::NotShown | OutcomeKind::Schedule => "b-rest",
        OutcomeKind::Unknown => "b-unk",
    }
}

/// Draws the outcomes of a tag as shares of its requests, in the order of the columns.
pub(super) fn shares(tag: &RecordedTag) -> Markup {
    let asked = tag.asked.count;
    let words: Vec<String> = tag
        .outcomes
        .iter()
        .filter(|it| it.count.count > 0)
        .map(|it| format!("{} {}", it.count.count, it.outcome.words()))
        .collect();
    let mut from = 0;
    let bars = tag.outcomes.iter().map(|it| {
        let begin = from;
        from += it.count.count;
        (it.outcome, begin, it.count.count)
    });
    html! {
        @if asked > 0 {
            svg.plot height="15" role="img" aria-label=(words.join(", ")) {
                @for (outcome, begin, count) in bars {
                    @if count > 0 {
                        rect class=(class(outcome)) x=(at(begin, asked)) width=(at(count, asked)) y="3" height="9" {}
                    }
                }
            }
        }
    }
}

/// An axis of times from 0.
pub(super) struct TimeAxis {
    end: u64,
    step: u64,
}

impl TimeAxis {
    /// One for the latencies of all tags.
    pub(super) fn of<'t>(tags: impl Iterator<Item = &'t RecordedTag>) -> TimeAxis {
        let most = tags
            .flat_map(|tag| [tag.median, tag.p95])
            .flatten()
            .map(|it| u64::from(it.us))
            .max();
        TimeAxis::to(most.unwrap_or_default())
    }

    /// One that shows a time.
    pub(super) fn to(most: u64) -> TimeAxis {
        let most = most.max(1_000);
        let decade = (0..9)
            .map(|power| 10_u64.pow(power))
            .filter(|it| *it * 4 <= most)
            .max()
            .unwrap_or(1);
        let step = [1, 2, 5, 10]
            .map(|factor| factor * decade)
            .into_iter()
            .find(|it| most / *it < 4);
        TimeAxis {
            end: most + most / 10,
            step: step.unwrap_or(most),
        }
    }

    pub(super) fn end(&self) -> u64 {
        self.end
    }

    pub(super) fn grid(&self, height: usize) -> Markup {
        html! {
            @for step in self.steps() {
                line.gr x1=(at(step, self.end)) x2=(at(step, self.end)) y1="0" y2=(height) {}
            }
        }
    }

    fn steps(&self) -> impl Iterator<Item = u64> {
        (0..=self.end / self.step).map(|index| index * self.step)
    }

    pub(super) fn head(&self) -> Markup {
        html! {
            svg.plot height="14" aria-hidden="true" {
                @for step in self.steps() {
                    text x=(at(step, self.end)) y="11" text-anchor=(if step == 0 { "start" } else { "middle" }) {
                        @if step == 0 { "0 s" } @else { (label(step)) }
                    }
                }
            }
        }
    }

    /// Draws the latencies of a tag, now above and before below.
    pub(super) fn row(&self, tag: &RecordedTag, before: Option<&RecordedTag>) -> Markup {
        let height = if before.is_some() { 30 } else { 16 };
        html! {
            svg.plot height=(height) aria-hidden="true" {
                (self.grid(height))
                @if let Some(before) = before { (self.line(before.median, before.p95, 23, "was")) }
                (self.line(tag.median, tag.p95, 8, "now"))
            }
        }
    }

    fn line(
        &self,
        median: Option<LatencyQuantile>,
        p95: Option<LatencyQuantile>,
        y: u32,
        of: &str,
    ) -> Markup {
        let Some((median, p95)) = median.zip(p95) else {
            return html! {};
        };
        let (from, to) = (at(median.us.into(), self.end), at(p95.us.into(), self.end));
        html! {
            line class={ "l-" (of) } x1=(from) x2=(to) y1=(y) y2=(y) {}
            @if p95.is_at_least {
                // An arrow: it is that much or more.
                svg x=(to) y=(y - 4) width="6" height="8" { path class={ "l-" (of) } d="M0 0l5 4-5 4" {} }
            } @else {
                line class={ "l-" (of) } x1=(to) x2=(to) y1=(y - 4) y2=(y + 4) {}
            }
            circle class={ "p-" (of) } cx=(from) cy=(y) r="3.5" {}
        }
    }
}

/// Returns a time in seconds, as short as it can be.
fn label(us: u64) -> String {
    let text = seconds(us);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the meaning of the marks.
pub(super) fn key(has_before: bool) -> Markup {
    let bars = [
        ("b-fill", "filled"),
        ("b-none", "no ad"),
        ("b-fail", "failed"),
        ("b-wait", "given up"),
        ("b-late", "late"),
        ("b-unk", "unknown"),
    ];
    html! {
        ul.key aria-label="What the marks mean" {
            @for (class, name) in bars {
                li { svg aria-hidden="true" { rect class=(class) x="1" y="2" width="20" height="9" {} } (name) }
            }
        }
        ul.key.lat-key aria-label="What the marks of latencies mean" {
            li {
                svg aria-hidden="true" {
                    line.l-now x1="4" x2="20" y1="7" y2="7" {}
                    line.l-now x1="20" x2="20" y1="3" y2="11" {}
                    circle.p-now cx="4" cy="7" r="3.5" {}
                }
                "median to 95 %"
            }
            @if has_before {
                li {
                    svg aria-hidden="true" {
                        line.l-was x1="4" x2="20" y1="7" y2="7" {}
                        line.l-was x1="20" x2="20" y1="3" y2="11" {}
                        circle.p-was cx="4" cy="7" r="3.5" {}
                    }
                    "before"
                }
            }
            li {
                svg aria-hidden="true" {
                    line.l-now x1="0" x2="16" y1="7" y2="7" {}
                    path.l-now d="M16 3l5 4-5 4" {}
                }
                "over: so much was given up that it is not known"
            }
        }
    }
}
