//! The head of the page: its subject, the verdict, key figures.

use maud::{Markup, html};

use super::mark::{said, sure};
use super::{View, outcome, sentence};
use crate::evidence::Certainty;
use crate::verdict::{BreakVerdict, Shown, short};
use playsim_base::html::Text;
use playsim_base::words::{counted, seconds};
use playsim_report::comparison::StepVerdict;

/// A heading with more characters is smaller.
const LONG: usize = 110;

/// Returns the verdict in one sentence, which is also the title of the page.
pub(super) fn title(view: &View<'_>) -> String {
    let headline = &view.verdict.headline;
    if let [it] = &known(view)[..] {
        return sentence(&it.text);
    }
    let text = match headline.shown {
        Shown::All => "An ad was shown in every break.",
        Shown::Some => "Some of the breaks showed an ad, others did not.",
        Shown::None => "No break showed an ad.",
        Shown::Unknown => {
            "No ad was seen on the screen; whether one was shown, the recording cannot tell."
        }
    };
    text.to_owned()
}

/// Returns the sentences about breaks: unknown points come after them.
fn known<'a>(view: &View<'a>) -> Vec<&'a crate::verdict::Sentence> {
    let unknown: Vec<&str> = view.verdict.unknown.iter().map(|it| &*it.what).collect();
    view.verdict
        .headline
        .sentences
        .iter()
        .filter(|it| !unknown.contains(&&*it.text))
        .collect()
}

/// Returns the head, with the title as its heading.
pub(super) fn head(view: &View<'_>, title: &str) -> Markup {
    let sentences = known(view);
    html! {
        span class="eyebrow" { b class="about" { "recorded" } @for part in origin(view) { " · " (Text(&part)) } }
        @if let [it] = &sentences[..] {
            h1 class=[(title.chars().count() > LONG).then_some("long")] { (Text(title)) " " (sure(it.certainty)) }
        } @else {
            h1 { (Text(title)) }
            ul class="says" { @for it in &sentences { li { (said(it.certainty, &sentence(&it.text))) } } }
        }
        @if view.evidence.is_bodiless() {
            @let what = if view.evidence.is_cut() {
                "The body of the ad document was cut by the tool: what was answered cannot be read."
            } else {
                "Bodies are missing: what was answered cannot be read."
            };
            p class="sub" {
                (said(Certainty::Unknown, what))
                " Nothing can be simulated."
            }
        }
        (left(view))
        (figures(view))
    }
}

/// Returns the file, what recorded it, when, and how much is in it.
fn origin(view: &View<'_>) -> Vec<String> {
    let recording = &view.evidence.recording;
    let date = recording
        .epoch_micros
        .and_then(|micros| jiff::Timestamp::from_microsecond(micros).ok());
    let date = date.map(|it| it.strftime("%-d %b %Y, %H:%M:%S UTC").to_string());
    let tool = (!recording.tool.is_empty()).then(|| recording.tool.clone());
    let length = seconds(view.evidence.end().micros());
    let count = format!("{} in {length} s", counted(recording.sent(), "request"));
    [recording.name.clone()]
        .into_iter()
        .chain(tool)
        .chain(date)
        .chain([count])
        .collect()
}

/// Returns how often the page left the documented behaviour, and the number of unknown points.
fn left(view: &View<'_>) -> Markup {
    let differences = view.played.differences();
    let others = view.verdict.unknown.len() - usize::from(view.evidence.is_bodiless());
    html! {
        @if let Some(comparison) = view.comparison {
            p class="sub" {
                @match differences {
                    [] => { "Nothing differs from the rules, times within " (seconds(comparison.within_us)) " s." }
                    [worst, rest @ ..] => {
                        "It differed from the rules: " a href="#difference-1" { (Text(&worst.what)) }
                        @if !rest.is_empty() {
                            ", and " a href="#differences" { (counted(rest.len(), "other difference")) }
                        }
                        "."
                    }
                }
            }
        }
        @if let Some(player) = view.played.played_as() {
            p class="sub" { "The rules are those of " (Text(&player)) "." }
        }
        @if others > 0 { p class="sub" { a href="#unknown" { (others) " unknown" } ", see below." } }
    }
}

struct Figure {
    number: String,
    unit: String,
    label: String,
    is_bad: bool,
    certainty: Certainty,
}

fn figures(view: &View<'_>) -> Markup {
    let figures = [
        first_ad(view),
        waiting(view),
        Some(sent(view)),
        differing(view),
    ];
    html! {
        dl class="fig" {
            @for it in figures.iter().flatten() {
                div {
                    dt { (Text(&it.label)) " " (sure(it.certainty)) }
                    dd class=[it.is_bad.then_some("bad")] { (it.number) " " span { (it.unit) } }
                }
            }
        }
    }
}

/// Returns how long it took until the first ad; of several breaks, how many showed one.
fn first_ad(view: &View<'_>) -> Option<Figure> {
    let breaks: Vec<&BreakVerdict> = view
        .verdict
        .breaks
        .iter()
        .filter(|it| !it.is_schedule())
        .collect();
    let certainty = Certainty::Seen;
    if let [it] = &breaks[..] {
        let after = it.ads.first()?.start - it.begin;
        let first = it
            .tags
            .first()
            .map(|tag| view.evidence.finding(tag.document).certainty);
        let certainty = certainty.max(first.unwrap_or(Certainty::Seen));
        let label = "from the first tag to the first ad".to_owned();
        let (number, unit) = (seconds(after.micros()), "s".to_owned());
        return Some(Figure {
            number,
            unit,
            label,
            is_bad: false,
            certainty,
        });
    }
    let filled = breaks.iter().filter(|it| !it.ads.is_empty()).count();
    let label = "breaks showed an ad".to_owned();
    let (number, unit) = (filled.to_string(), format!("of {}", breaks.len()));
    (!breaks.is_empty()).then_some(Figure {
        number,
        unit,
        label,
        is_bad: false,
        certainty,
    })
}

/// Returns how long the page was occupied with the tag that cost most.
fn waiting(view: &View<'_>) -> Option<Figure> {
    let (at, nth) = outcome::worst(view)?;
    let it = &view.verdict.breaks[at];
    let tag = &it.tags[nth];
    let label = format!(
        "were spent on tag {}, {}: {}",
        tag.number,
        short(&tag.url),
        outcome::brief(tag)
    );
    let number = seconds(tag.waited?.micros());
    Some(Figure {
        number,
        unit: "s".to_owned(),
        label,
        is_bad: true,
        certainty: tag.certainty,
    })
}

fn sent(view: &View<'_>) -> Figure {
    let pixels = &view.verdict.pixels;
    let faulty = pixels
        .iter()
        .filter(|pixel| !pixel.faults.is_empty())
        .count();
    let compared = view.comparison.iter().flat_map(|it| &it.pixels);
    let missing = compared
        .filter(|pixel| pixel.verdict == StepVerdict::OnlySimulated)
        .count();
    let is_unknown = view.evidence.is_bodiless();
    let mut label = if is_unknown {
        "pixels are known".to_owned()
    } else {
        "pixels were sent".to_owned()
    };
    if faulty > 0 {
        label.push_str(&format!(", {faulty} of them faulty"));
    }
    if missing > 0 {
        label.push_str(&format!(", {missing} missing on the page"));
    }
    let certainty = pixels
        .iter()
        .map(|pixel| pixel.certainty)
        .max()
        .unwrap_or(if is_unknown {
            Certainty::Unknown
        } else {
            Certainty::Seen
        });
    // A pixel is missing because the recording continues after it was due.
    let certainty = if missing > 0 {
        certainty.max(Certainty::Inferred)
    } else {
        certainty
    };
    let number = pixels.len().to_string();
    Figure {
        number,
        unit: String::new(),
        label,
        is_bad: faulty + missing > 0,
        certainty,
    }
}

fn differing(view: &View<'_>) -> Option<Figure> {
    let within = seconds(view.comparison?.within_us);
    let all = view.played.differences();
    let certainty = all
        .iter()
        .map(|it| it.certainty)
        .max()
        .unwrap_or(Certainty::Seen);
    let noun = if all.len() == 1 {
        "difference"
    } else {
        "differences"
    };
    let label = format!("{noun} from the rules, times within {within} s");
    let (number, unit) = (all.len().to_string(), String::new());
    Some(Figure {
        number,
        unit,
        label,
        is_bad: !all.is_empty(),
        certainty,
    })
}
