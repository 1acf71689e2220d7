//! One line per tag and wrapper, with bars, and below each what went wrong.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::rc::Rc;

use crate::waterfall::addresses::Cut;
use crate::waterfall::layout::{Axis, Clock, LEGEND};
use crate::waterfall::{
    AdBreakReport, AdFault, AdFaultKind, Detail, Played, Rejected, RequestPurpose, Tag, TagOutcome,
    TagRequest, Waterfalls,
};
use playsim_base::escape;
use playsim_base::words::{Cell, Column, Columns, Paint, Tone, fitted, width, wrap};

/// The column in which the tags begin.
const INDENT: usize = 5;
/// The smallest and largest widths of the tag column and of the bars.
const TAG: (usize, usize) = (14, 44);
const BAR: (usize, usize) = (12, 48);
/// The width of an outcome: `no fill 303`, or for a wrapper a status and a file name, shortened.
const OUTCOME: usize = 16;
/// The prefix of a wrapper's URL.
const BRANCH: &str = "└ ";

/// The layout of a break's tables.
pub(super) struct Layout {
    pub(super) paint: Paint,
    pub(super) clock: Clock,
    pub(super) detail: Detail,
    pub(super) has_pods: bool,
    axis: Axis,
    /// The width of the tag column, and of the whole table.
    tag: usize,
    width: usize,
    /// The width of the columns with times.
    times: usize,
    /// The displayed forms of tags and wrappers.
    cut_tags: Rc<Cut>,
    cut_wrappers: Rc<Cut>,
}

/// The displayed forms of the tags and wrappers of all breaks, by the width of their column: breaks
/// share them.
#[derive(Default)]
pub(super) struct Cuts(BTreeMap<usize, (Rc<Cut>, Rc<Cut>)>);

impl Cuts {
    fn get(&mut self, report: &Waterfalls, tag: usize) -> (Rc<Cut>, Rc<Cut>) {
        let make = || {
            // Tags of different breaks must look different too.
            let all = || report.breaks.iter().flat_map(|it| &it.tags);
            let wrappers = all()
                .flat_map(|tag| &tag.requests)
                .filter(|request| request.purpose == RequestPurpose::Wrapper);
            let cut_tags = Cut::of(all().map(|tag| &*tag.address), tag);
            let cut_wrappers = Cut::of(wrappers.map(|request| &*request.url), tag - width(BRANCH));
            (Rc::new(cut_tags), Rc::new(cut_wrappers))
        };
        self.0.entry(tag).or_insert_with(make).clone()
    }
}

impl Layout {
    pub(super) fn of(
        report: &Waterfalls,
        it: &AdBreakReport,
        columns: usize,
        paint: Paint,
        detail: Detail,
        cuts: &mut Cuts,
    ) -> Layout {
        let requests = || it.tags.iter().flat_map(|tag| &tag.requests);
        let decided = it.tags.iter().filter_map(|tag| tag.decided_us);
        let over = it
            .tags
            .iter()
            .flat_map(Tag::until_decided)
            .filter_map(TagRequest::over_us);
        let to_us = over.chain(decided).max().or(it.end_us);
        let to_us = to_us.unwrap_or(it.begin_us).max(it.begin_us);
        let shown = |ad: &Played| {
            [ad.start_us, ad.end_us, ad.duration_us]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
        };
        let times = requests()
            .flat_map(|request| [Some(request.asked_us), request.over_us()])
            .flatten();
        let times = times
            .chain(it.played.iter().flat_map(shown))
            .chain(it.beacons.iter().map(|it| it.at_us));
        let clock = Clock::of(times);
        let times = clock.at(to_us).len().max("answered".len());
        let wrappers = requests().filter(|request| request.purpose == RequestPurpose::Wrapper);
        let addresses = it.tags.iter().map(|tag| width(&tag.address));
        let longest = addresses
            .chain(wrappers.map(|request| width(&request.url) + 2))
            .max();
        // The width available for tags and bars, next to hops, two times, an outcome and two blanks
        // between each.
        let rest = columns.saturating_sub(INDENT + 2 + 4 + 2 * (times + 2) + 2 + OUTCOME + 2);
        let tag = longest
            .unwrap_or(0)
            .clamp(TAG.0, TAG.1)
            .min(rest.saturating_sub(20).max(TAG.0));
        let bar = rest.saturating_sub(tag).clamp(BAR.0, BAR.1);
        let axis = Axis {
            from_us: it.begin_us,
            to_us,
            width: bar,
        };
        let has_pods = it.tags.iter().any(|tag| tag.pod > 0);
        let (cut_tags, cut_wrappers) = cuts.get(report, tag);
        Layout {
            paint,
            clock,
            detail,
            has_pods,
            axis,
            tag,
            width: columns,
            times,
            cut_tags,
            cut_wrappers,
        }
    }

    pub(super) fn tags(&self, out: &mut String, it: &AdBreakReport) -> fmt::Result {
        let mut table = self.table(&self.axis);
        it.tags.iter().for_each(|tag| self.tag(&mut table, tag));
        table.paint(self.paint, out)?;
        self.later(out, it)?;
        if it.tags.iter().any(|tag| !tag.requests.is_empty()) {
            let indent = INDENT + self.tag + 2 + 4 + 2 * (self.times + 2) + 2;
            writeln!(out, "{:indent$}{}", "", self.paint.faint(LEGEND))?;
        }
        self.in_full(out, it)
    }

    /// Returns a table of requests on an axis.
    fn table(&self, axis: &Axis) -> Columns {
        let fixed = |column: Column, width: usize| column.at_least(width).at_most(width);
        Columns::of([
            Column::right(if self.has_pods { "pod.tag" } else { "tag" }),
            fixed(Column::left("URL"), self.tag),
            Column::right("hops"),
            Column::right("asked").at_least(self.times),
            Column::right("answered").at_least(self.times),
            fixed(Column::left(axis.ends(self.clock)), axis.width),
            Column::left("outcome"),
        ])
    }

    /// Writes the requests after a tag had filled, for the next ads of its pod, with a time axis of
    /// their own.
    fn later(&self, out: &mut String, it: &AdBreakReport) -> fmt::Result {
        let later: Vec<(&Tag, &TagRequest)> = it
            .tags
            .iter()
            .flat_map(|tag| tag.after_decided().map(move |request| (tag, request)))
            .collect();
        let Some(from_us) = later.iter().map(|(_, request)| request.asked_us).min() else {
            return Ok(());
        };
        let over = later
            .iter()
            .filter_map(|(_, request)| request.over_us())
            .max();
        let axis = Axis {
            from_us,
            to_us: over.unwrap_or(from_us),
            width: self.axis.width,
        };
        let mut table = self.table(&axis);
        for (tag, request) in later {
            self.wrapper(
                &mut table,
                self.place(tag.pod, Some(tag.wp)),
                request,
                &axis,
            );
        }
        writeln!(
            out,
            "\n{:INDENT$}requested later, while the tag's ads played",
            ""
        )?;
        table.paint(self.paint, out)
    }

    fn wrapper(&self, table: &mut Columns, place: String, request: &TagRequest, axis: &Axis) {
        table.row([
            place,
            format!("{BRANCH}{}", self.cut_wrappers.form(&request.url)),
            String::new(),
            self.clock.at(request.asked_us),
            self.clock.maybe(request.answered_us),
            axis.bar(std::iter::once(request)),
            answer(request),
        ]);
    }

    /// Writes the URLs that are cut above in full.
    fn in_full(&self, out: &mut String, it: &AdBreakReport) -> fmt::Result {
        let mut lines: Vec<String> = Vec::new();
        for tag in &it.tags {
            let place = self.place(tag.pod, Some(tag.wp));
            if self.cut_tags.is_cut(&tag.address) {
                lines.push(format!("{place:>3}  {}", tag.address));
            }
            for request in tag
                .documents()
                .filter(|request| request.purpose == RequestPurpose::Wrapper)
            {
                let line = format!("{place:>3}  {BRANCH}{}", request.url);
                if self.cut_wrappers.is_cut(&request.url) && !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n{}", self.paint.strong("full URLs"))?;
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Returns the number of a tag, from 1, with that of its pod if there are several.
    pub(super) fn place(&self, pod: u32, wp: Option<u32>) -> String {
        let number = |index: u32| u64::from(index) + 1;
        match wp {
            Some(wp) if self.has_pods => format!("{}.{}", number(pod), number(wp)),
            Some(wp) => number(wp).to_string(),
            None => "-".to_owned(),
        }
    }

    fn tag(&self, table: &mut Columns, tag: &Tag) {
        let hops = if tag.hops == 0 {
            "-".to_owned()
        } else {
            tag.hops.to_string()
        };
        let code = tag.code.map(|code| format!(" {code}")).unwrap_or_default();
        let tone = match tag.outcome {
            TagOutcome::Filled | TagOutcome::Scheduled => Tone::Good,
            TagOutcome::NoFill => Tone::Bad,
            TagOutcome::NotAsked | TagOutcome::Undecided | TagOutcome::Unknown => Tone::Faint,
        };
        table.row([
            Cell::from(self.place(tag.pod, Some(tag.wp))),
            self.cut_tags.form(&tag.address).into(),
            hops.into(),
            self.clock.maybe(tag.asked_us).into(),
            self.clock.maybe(tag.answered_us).into(),
            self.axis.bar(tag.until_decided()).into(),
            Cell::with(tone, &format!("{}{code}", tag.outcome.word())),
        ]);
        let wrappers = tag
            .until_decided()
            .filter(|request| request.purpose == RequestPurpose::Wrapper);
        wrappers.for_each(|request| self.wrapper(table, String::new(), request, &self.axis));
        table.lines(
            self.reasons(tag)
                .iter()
                .flat_map(|reason| self.note(reason)),
        );
    }

    /// Returns why the tag failed, which of its ads cannot be used, and the deviations that were
    /// tolerated.
    fn reasons(&self, tag: &Tag) -> Vec<String> {
        let at = |at: &Option<String>| at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
        let why = |reason: &Option<String>, place: &Option<String>| {
            format!(
                "{}{}",
                reason.as_deref().unwrap_or("no reason given"),
                at(place)
            )
        };
        let id = |ad: &Option<String>| ad.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
        let mut reasons = Vec::new();
        if matches!(tag.outcome, TagOutcome::NoFill | TagOutcome::Unknown) {
            let message = tag
                .message
                .as_ref()
                .map(|message| format!("{message}: "))
                .unwrap_or_default();
            reasons.push(format!("{message}{}", why(&tag.reason, &tag.at)));
        }
        for ad in &tag.ignored {
            reasons.push(format!(
                "ad{} ignored: {}",
                id(&ad.ad),
                why(&ad.reason, &ad.at)
            ));
        }
        // The reason why the tag failed is already printed.
        let is_known =
            |ad: &Rejected| (ad.code, &ad.reason, &ad.at) == (tag.code, &tag.reason, &tag.at);
        for ad in tag.rejected.iter().filter(|ad| !is_known(ad)) {
            let code = ad.code.map(|code| format!(" {code}")).unwrap_or_default();
            reasons.push(format!(
                "ad{} refused{code}: {}",
                id(&ad.ad),
                why(&ad.reason, &ad.at)
            ));
        }
        reasons.extend(tag.faults.iter().map(in_words));
        for request in tag
            .requests
            .iter()
            .filter(|request| request.late_us.is_some())
        {
            reasons.push(format!(
                "the response from {} came at {}, after the player had stopped waiting for it",
                request.url,
                self.clock.maybe(request.late_us)
            ));
        }
        let is_made_up = |it: &&TagRequest| !it.listed && it.status.is_some();
        for request in tag.requests.iter().filter(is_made_up) {
            let address = match request.purpose {
                RequestPurpose::Wrapper => self.cut_wrappers.form(&request.url),
                RequestPurpose::AdTag | RequestPurpose::Media | RequestPurpose::Other(_) => {
                    "the tag"
                }
            };
            reasons.push(format!(
                "no response is defined for {address}, so it responded with 404"
            ));
        }
        let shown = if self.detail.warnings {
            tag.warnings.len()
        } else {
            1
        };
        let warnings = tag.warnings.iter().take(shown);
        reasons.extend(
            warnings.map(|warning| format!("tolerated: {}{}", warning.text, at(&warning.at))),
        );
        match tag.warnings.len().saturating_sub(shown) {
            0 => {}
            more => reasons.push(format!("(and {more} more; --warnings all lists them)")),
        }
        reasons
    }

    /// Returns a text as lines below a row.
    pub(super) fn note(&self, text: &str) -> Vec<String> {
        let lines = wrap(&escape::line(text), self.width.saturating_sub(INDENT + 2));
        lines
            .iter()
            .map(|line| format!("{:indent$}{line}", "", indent = INDENT + 2))
            .collect()
    }
}

/// Describes a fault, such as `interactive file 409: its framework is not SIMID`.
fn in_words(fault: &AdFault) -> String {
    let what = match fault.what {
        AdFaultKind::Interactive => "interactive file not run",
        AdFaultKind::Verification => "verification not run",
        AdFaultKind::Companion => "companion not shown",
        AdFaultKind::Category => "category rejected",
        AdFaultKind::Cut => "ad left out",
        AdFaultKind::Failed => "ad failed while it played",
    };
    let code = fault
        .code
        .map(|code| format!(", {code}"))
        .unwrap_or_default();
    let at = fault
        .at
        .as_ref()
        .map(|at| format!(" ({at})"))
        .unwrap_or_default();
    format!(
        "{what}{code}: {}{at}",
        fault.reason.as_deref().unwrap_or("no reason given")
    )
}

/// Describes the response to a document request: `200 inner.xml`, `timeout`, `reset`.
fn answer(request: &TagRequest) -> String {
    match (&request.fault, request.status, request.timed_out_us) {
        (_, _, Some(_)) => "timeout".to_owned(),
        (Some(fault), _, _) => fault.to_string(),
        (None, Some(status), _) => match &request.file {
            Some(file) => fitted(&format!("{status} {file}"), OUTCOME),
            None => status.to_string(),
        },
        (None, None, None) => "-".to_owned(),
    }
}
