//! The table of recordings as CSV: a row for each tag, and one for each file that was left out.

use std::borrow::Cow;

use super::figures::{RecordedTag, SetFigures};
use super::latencies::LatencyQuantile;
use super::row::OutcomeKind;
use super::table::RecordingTable;

impl RecordingTable {
    /// Returns the table as CSV (RFC 4180, with line feeds). Times are in microseconds; an empty
    /// cell is unknown. The column `set` says `now` or `before`.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = String::from("set,tag,asked");
        for outcome in OutcomeKind::ALL {
            out.push_str(&format!(",{}", outcome.words().replace(' ', "_")));
        }
        for quantile in ["median", "p95"] {
            out.push_str(&format!(
                ",{quantile}_us,{quantile}_is_at_least,{quantile}_low_us,{quantile}_high_us"
            ));
        }
        out.push_str(
            ",share_of_wait,impressions,lost_impressions,codes,failures,slowest,left_out\n",
        );
        for (set, figures, tags) in [
            ("now", Some(&self.set), &self.tags),
            ("before", self.before.as_ref(), &self.tags_before),
        ] {
            tags.iter().for_each(|tag| out.push_str(&row(set, tag)));
            figures
                .into_iter()
                .for_each(|figures| left_out(set, figures, &mut out));
        }
        out
    }
}

fn row(set: &str, tag: &RecordedTag) -> String {
    let mut cells: Vec<String> = vec![set.to_owned(), cell(&tag.url), tag.asked.count.to_string()];
    cells.extend(
        OutcomeKind::ALL
            .iter()
            .map(|outcome| tag.count(*outcome).to_string()),
    );
    cells.extend([tag.median, tag.p95].into_iter().flat_map(quantile));
    cells.push(
        tag.share_of_wait
            .map_or_else(String::new, |share| share.to_string()),
    );
    cells.extend([
        tag.impressions.to_string(),
        tag.lost_impressions.count.to_string(),
    ]);
    let codes: Vec<String> = tag
        .codes
        .iter()
        .map(|it| format!("{}x{}", it.code, it.count.count))
        .collect();
    let failures: Vec<String> = tag
        .failures
        .iter()
        .map(|it| format!("{} x{}", it.kind.words(), it.count.count))
        .collect();
    cells.extend([
        codes.join(" "),
        cell(&failures.join("; ")),
        cell(&tag.asked.recordings.join("; ")),
    ]);
    cells.push(String::new());
    cells.join(",") + "\n"
}

fn quantile(it: Option<LatencyQuantile>) -> [String; 4] {
    let Some(it) = it else {
        return [const { String::new() }; 4];
    };
    let end = |us: Option<u32>| us.map_or_else(String::new, |us| us.to_string());
    [
        it.us.to_string(),
        it.is_at_least.to_string(),
        end(it.low_us),
        end(it.high_us),
    ]
}

fn left_out(set: &str, figures: &SetFigures, out: &mut String) {
    // The columns between the tag and the reason are empty.
    let empty = ",".repeat(OutcomeKind::ALL.len() + 16);
    for it in &figures.left_out {
        out.push_str(&format!(
            "{set},{}{empty}{}\n",
            cell(&it.name),
            cell(&it.reason)
        ));
    }
}

/// Returns a text as a cell: quoted where it has to be, without control characters, and not taken
/// for a formula by programs that calculate.
fn cell(text: &str) -> String {
    let text = playsim_base::escape::line(text);
    let text = if text.starts_with(['=', '+', '-', '@']) {
        Cow::Owned(format!("'{text}"))
    } else {
        text
    };
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into_owned()
    }
}
