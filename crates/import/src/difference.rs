//! Differences between two pages: tag by tag, ad by ad and pixel by pixel, from the verdicts of
//! their recordings.
//!
//! Tags are matched by scheme, host and path, and pixels by these and their event; if several are
//! equal, the n-th of one recording matches the n-th of the other. Times count from the first tag
//! of each recording.

use std::collections::{BTreeMap, BTreeSet};

use super::days::{FailureKind, OutcomeKind, split};
use super::verdict::{AdVerdict, PageVerdict, PixelVerdict, TagResult, TagVerdict};
use playsim_base::time::{Span, Time};
use playsim_base::words::seconds;

/// Something that two pages did differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictDifference {
    /// The subject: a tag, an ad, a pixel, or the page, and the property of it.
    pub what: String,
    /// The behaviour of the first page; `None` if it has nothing of the kind.
    pub first: Option<String>,
    /// The behaviour of the second page.
    pub second: Option<String>,
    /// Whether one of the recordings lacks the information, so that both pages may have done the
    /// same.
    pub is_unknown: bool,
}

/// Returns the differences between two pages. Times that differ by at most `within` count as equal.
#[must_use]
pub fn differences(
    first: &PageVerdict,
    second: &PageVerdict,
    within: Span,
) -> Vec<VerdictDifference> {
    let [one, other] = [first, second].map(Side::of);
    let mut found = Vec::new();
    let shown = |it: &PageVerdict| it.headline.shown.words().to_owned();
    compare(&mut found, "the page: ads", shown(first), shown(second));
    let breaks = |it: &PageVerdict| it.breaks.len().to_string();
    compare(
        &mut found,
        "the page: breaks",
        breaks(first),
        breaks(second),
    );
    pair(
        &one.tags(),
        &other.tags(),
        &mut found,
        |what, tag, same, found| {
            let each = [(&one, tag), (&other, same)];
            compare_tags(what, each, within, found);
        },
    );
    order(&one, &other, &mut found);
    pair(
        &one.ads(),
        &other.ads(),
        &mut found,
        |what, ad, same, found| {
            let id = |it: &AdVerdict| it.id.as_deref().unwrap_or("without an id").to_owned();
            compare(found, &format!("{what}: id"), id(ad), id(same));
            let end = |it: &AdVerdict| {
                it.end
                    .as_ref()
                    .map_or("no pixel shows it".to_owned(), |(_, how)| how.to_string())
            };
            compare(found, &format!("{what}: end"), end(ad), end(same));
        },
    );
    pair(
        &one.pixels(),
        &other.pixels(),
        &mut found,
        |what, pixel, same, found| {
            compare_pixels(what, [(&one, pixel), (&other, same)], within, found);
        },
    );
    found
}

/// Named parts of a recording, in order.
type Listed<'v, T> = Vec<(String, &'v T)>;

/// One of the two pages.
struct Side<'v> {
    verdict: &'v PageVerdict,
    /// The time of its first tag request.
    begin: Time,
}

impl<'v> Side<'v> {
    fn of(verdict: &'v PageVerdict) -> Side<'v> {
        Side {
            verdict,
            begin: verdict
                .tags()
                .map(|tag| tag.asked)
                .min()
                .unwrap_or_default(),
        }
    }

    fn tags(&self) -> Listed<'v, TagVerdict> {
        numbered(
            self.verdict
                .tags()
                .map(|tag| (format!("tag {}", address(&tag.url)), tag)),
        )
    }

    fn ads(&self) -> Listed<'v, AdVerdict> {
        numbered(self.verdict.ads().map(|ad| ("ad".to_owned(), ad)))
    }

    fn pixels(&self) -> Listed<'v, PixelVerdict> {
        let pixels = self.verdict.pixels.iter();
        numbered(pixels.map(|pixel| {
            (
                format!("pixel {} {}", pixel.event, address(&pixel.url)),
                pixel,
            )
        }))
    }

    fn since_begin(&self, at: Time) -> Span {
        at - self.begin
    }
}

fn address(url: &str) -> String {
    let address = split(url).0;
    address
        .split_once("://")
        .map_or(address.clone(), |(_, rest)| rest.to_owned())
}

/// Appends a number to the name of each part after the first one of that name.
fn numbered<'v, T>(all: impl Iterator<Item = (String, &'v T)>) -> Listed<'v, T> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let number = |(name, it): (String, &'v T)| {
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        (
            if *count > 1 {
                format!("{name} ({count})")
            } else {
                name
            },
            it,
        )
    };
    all.map(number).collect()
}

/// Calls `both` for the parts that both sides have, and adds a difference for each part that one of
/// them lacks.
fn pair<T>(
    one: &[(String, &T)],
    other: &[(String, &T)],
    found: &mut Vec<VerdictDifference>,
    mut both: impl FnMut(&str, &T, &T, &mut Vec<VerdictDifference>),
) {
    let there = || Some("there".to_owned());
    let of_other: BTreeMap<&str, &T> = other
        .iter()
        .map(|(name, it)| (name.as_str(), *it))
        .collect();
    let of_one: BTreeMap<&str, &T> = one.iter().map(|(name, it)| (name.as_str(), *it)).collect();
    for (name, it) in one {
        match of_other.get(name.as_str()) {
            Some(same) => both(name, it, same, found),
            None => found.push(VerdictDifference {
                what: name.clone(),
                first: there(),
                second: None,
                is_unknown: false,
            }),
        }
    }
    for (name, _) in other
        .iter()
        .filter(|(name, _)| !of_one.contains_key(name.as_str()))
    {
        found.push(VerdictDifference {
            what: name.clone(),
            first: None,
            second: there(),
            is_unknown: false,
        });
    }
}

fn compare(found: &mut Vec<VerdictDifference>, what: &str, first: String, second: String) {
    if first != second {
        let (first, second) = (Some(first), Some(second));
        found.push(VerdictDifference {
            what: what.to_owned(),
            first,
            second,
            is_unknown: false,
        });
    }
}

fn compare_times(
    found: &mut Vec<VerdictDifference>,
    what: &str,
    (first, second): (Option<Span>, Option<Span>),
    within: Span,
) {
    let (Some(first), Some(second)) = (first, second) else {
        return;
    };
    if first.max(second) - first.min(second) > within {
        let words = |span: Span| format!("{} s", seconds(span.micros()));
        compare(found, what, words(first), words(second));
    }
}

fn compare_tags(
    what: &str,
    [(one, tag), (other, same)]: [(&Side<'_>, &TagVerdict); 2],
    within: Span,
    found: &mut Vec<VerdictDifference>,
) {
    let before = found.len();
    compare(
        found,
        &format!("{what}: what became of it"),
        outcome(tag),
        outcome(same),
    );
    let is_unknown = |it: &TagVerdict| matches!(it.outcome, TagResult::Unknown { .. });
    if let Some(it) = found.get_mut(before) {
        it.is_unknown = is_unknown(tag) || is_unknown(same);
    }
    let codes = |it: &TagVerdict| {
        let codes: Vec<String> = it.codes.iter().map(u16::to_string).collect();
        if codes.is_empty() {
            "none".to_owned()
        } else {
            codes.join(", ")
        }
    };
    compare(
        found,
        &format!("{what}: reported codes"),
        codes(tag),
        codes(same),
    );
    let hops = |it: &TagVerdict| {
        let hops: Vec<String> = it.hops.iter().map(|hop| address(&hop.url)).collect();
        if hops.is_empty() {
            "none".to_owned()
        } else {
            hops.join(", ")
        }
    };
    compare(
        found,
        &format!("{what}: redirects and wrappers"),
        hops(tag),
        hops(same),
    );
    let asked = (
        Some(one.since_begin(tag.asked)),
        Some(other.since_begin(same.asked)),
    );
    compare_times(found, &format!("{what}: asked"), asked, within);
    compare_times(
        found,
        &format!("{what}: took"),
        (tag.took, same.took),
        within,
    );
}

/// Describes the outcome of a tag, without times.
fn outcome(tag: &TagVerdict) -> String {
    let words = OutcomeKind::of(&tag.outcome).words().to_owned();
    match &tag.outcome {
        TagResult::Failed { cause } => format!("{words}: {}", FailureKind::of(cause).words()),
        TagResult::ShownLate { .. } => format!("{words}, and shown"),
        TagResult::NoAd { how } => format!("{words}: {how}"),
        TagResult::Unknown { why } => format!("{words}: {why}"),
        TagResult::Filled { .. }
        | TagResult::AnsweredNotShown { .. }
        | TagResult::Scheduled { .. }
        | TagResult::GivenUp { .. } => words,
    }
}

/// Adds a difference if the common tags were requested in different orders.
fn order(one: &Side<'_>, other: &Side<'_>, found: &mut Vec<VerdictDifference>) {
    let names = |side: &Side<'_>| -> Vec<String> {
        side.tags().into_iter().map(|(name, _)| name).collect()
    };
    let (mut first, mut second) = (names(one), names(other));
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<String>>();
    let (of_first, of_second) = (set(&first), set(&second));
    first.retain(|name| of_second.contains(name));
    second.retain(|name| of_first.contains(name));
    compare(
        found,
        "order of the tags",
        first.join(", "),
        second.join(", "),
    );
}

fn compare_pixels(
    what: &str,
    [(one, pixel), (other, same)]: [(&Side<'_>, &PixelVerdict); 2],
    within: Span,
    found: &mut Vec<VerdictDifference>,
) {
    let words = |it: Option<u16>| it.map_or("none".to_owned(), |number| number.to_string());
    compare(
        found,
        &format!("{what}: status"),
        words(pixel.status),
        words(same.status),
    );
    compare(
        found,
        &format!("{what}: error code"),
        words(pixel.code),
        words(same.code),
    );
    let faults = |it: &PixelVerdict| {
        let faults: Vec<String> = it.faults.iter().map(ToString::to_string).collect();
        if faults.is_empty() {
            "none".to_owned()
        } else {
            faults.join("; ")
        }
    };
    compare(
        found,
        &format!("{what}: faults"),
        faults(pixel),
        faults(same),
    );
    let sent = (
        Some(one.since_begin(pixel.at)),
        Some(other.since_begin(same.at)),
    );
    compare_times(found, &format!("{what}: sent"), sent, within);
}
