//! One line per tag and wrapper, with bars, and below each what went wrong.

use std::fmt::{self, Write};

use crate::waterfall::addresses::Cut;
use crate::waterfall::layout::{Axis, Clock, LEGEND, Paint, fitted};
use crate::waterfall::{
    AdBreakReport, AdFault, AdFaultKind, Detail, Played, RequestPurpose, Tag, TagOutcome, TagRequest,
    Waterfalls,
};
use playsim_base::escape;
use playsim_base::words;

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
pub(super) struct Table {
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
    cut_tags: Cut,
    cut_wrappers: Cut,
}

impl Table {
    pub(super) fn of(
        report: &Waterfalls,
        it: &AdBreakReport,
        width: usize,
        paint: Paint,
        detail: Detail,
    ) -> Table {
        let requests = || it.tags.iter().flat_map(|tag| &tag.requests);
        let decided = it.tags.iter().filter_map(|tag| tag.decided_us);
        let over = it.tags.iter().flat_map(Tag::until_decided).filter_map(TagRequest::over_us);
        let to_us = over.chain(decided).max().or(it.end_us);
        let to_us = to_us.unwrap_or(it.begin_us).max(it.begin_us);
        let shown =
            |ad: &Played| [ad.start_us, ad.end_us, ad.duration_us].into_iter().flatten().collect::<Vec<_>>();
        let times = requests().flat_map(|request| [Some(request.asked_us), request.over_us()]).flatten();
        let times = times.chain(it.played.iter().flat_map(shown)).chain(it.beacons.iter().map(|it| it.at_us));
        let clock = Clock::of(times);
        let times = clock.at(to_us).chars().count().max("answered".len());
        let wrappers = requests().filter(|request| request.purpose == RequestPurpose::Wrapper);
        let addresses = it.tags.iter().map(|tag| tag.address.chars().count());
        let longest = addresses.chain(wrappers.map(|request| request.url.chars().count() + 2)).max();
        // The width available for tags and bars, next to hops, two times, an outcome and two blanks between
        // each.
        let rest = width.saturating_sub(INDENT + 2 + 4 + 2 * (times + 2) + 2 + OUTCOME + 2);
        let tag = longest.unwrap_or(0).clamp(TAG.0, TAG.1).min(rest.saturating_sub(20).max(TAG.0));
        let bar = rest.saturating_sub(tag).clamp(BAR.0, BAR.1);
        let axis = Axis { from_us: it.begin_us, to_us, width: bar };
        let has_pods = it.tags.iter().any(|tag| tag.pod > 0);
        // Tags of different breaks must look different too.
        let all = || report.breaks.iter().flat_map(|it| &it.tags);
        let cut_tags = Cut::of(all().map(|tag| &*tag.address), tag);
        let wrappers =
            all().flat_map(|tag| &tag.requests).filter(|request| request.purpose == RequestPurpose::Wrapper);
        let cut_wrappers = Cut::of(wrappers.map(|request| &*request.url), tag - BRANCH.chars().count());
        Table { paint, clock, detail, has_pods, axis, tag, width, times, cut_tags, cut_wrappers }
    }

    pub(super) fn tags(&self, out: &mut String, it: &AdBreakReport) -> fmt::Result {
        let (tag, times) = (self.tag, self.times);
        let place = if self.has_pods { "pod.tag" } else { "tag" };
        let head = |axis: &Axis| {
            format!(
                "{place:>3}  {:tag$}  hops  {:>times$}  {:>times$}  {}  outcome",
                "URL",
                "asked",
                "answered",
                axis.ends(self.clock)
            )
        };
        writeln!(out, "{}", self.paint.faint(&head(&self.axis)))?;
        it.tags.iter().try_for_each(|tag| self.one(out, tag))?;
        self.later(out, it, head)?;
        if it.tags.iter().any(|tag| !tag.requests.is_empty()) {
            let indent = INDENT + self.tag + 2 + 4 + 2 * (self.times + 2) + 2;
            writeln!(out, "{:indent$}{}", "", self.paint.faint(LEGEND))?;
        }
        self.in_full(out, it)
    }

    /// Writes what was requested after its tag had filled, for the next ads of its pod, with a time axis of
    /// its own.
    fn later(&self, out: &mut String, it: &AdBreakReport, head: impl Fn(&Axis) -> String) -> fmt::Result {
        let later: Vec<(&Tag, &TagRequest)> =
            it.tags.iter().flat_map(|tag| tag.after_decided().map(move |request| (tag, request))).collect();
        let Some(from_us) = later.iter().map(|(_, request)| request.asked_us).min() else { return Ok(()) };
        let over = later.iter().filter_map(|(_, request)| request.over_us()).max();
        let axis = Axis { from_us, to_us: over.unwrap_or(from_us), width: self.axis.width };
        let title = "requested later, while the tag's ads played";
        writeln!(out, "\n{:INDENT$}{title}\n{}", "", self.paint.faint(&head(&axis)))?;
        for (tag, request) in later {
            self.wrapper(out, &self.place(tag.pod, Some(tag.wp)), request, &axis)?;
        }
        Ok(())
    }

    fn wrapper(&self, out: &mut String, place: &str, request: &TagRequest, axis: &Axis) -> fmt::Result {
        let url = format!("{BRANCH}{}", self.cut_wrappers.form(&request.url));
        let times = (Some(request.asked_us), request.answered_us);
        let bar = axis.bar(std::iter::once(request));
        self.row(out, (place, &url, ""), times, &bar, &answer(request))
    }

    /// Writes the URLs that are cut above in full.
    fn in_full(&self, out: &mut String, it: &AdBreakReport) -> fmt::Result {
        let mut lines: Vec<String> = Vec::new();
        for tag in &it.tags {
            let place = self.place(tag.pod, Some(tag.wp));
            if self.cut_tags.is_cut(&tag.address) {
                lines.push(format!("{place:>3}  {}", tag.address));
            }
            for request in tag.documents().filter(|request| request.purpose == RequestPurpose::Wrapper) {
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

    fn one(&self, out: &mut String, tag: &Tag) -> fmt::Result {
        let place = self.place(tag.pod, Some(tag.wp));
        let hops = if tag.hops == 0 { "-".to_owned() } else { tag.hops.to_string() };
        let code = tag.code.map(|code| format!(" {code}")).unwrap_or_default();
        let word = format!("{}{code}", tag.outcome.word());
        let word = match tag.outcome {
            TagOutcome::Filled | TagOutcome::Scheduled => self.paint.good(&word),
            TagOutcome::NoFill => self.paint.bad(&word),
            TagOutcome::NotAsked | TagOutcome::Undecided => self.paint.faint(&word),
        };
        let bar = self.axis.bar(tag.until_decided());
        let address = self.cut_tags.form(&tag.address);
        self.row(out, (&place, address, &hops), (tag.asked_us, tag.answered_us), &bar, &word)?;
        let wrappers = tag.until_decided().filter(|request| request.purpose == RequestPurpose::Wrapper);
        wrappers.into_iter().try_for_each(|request| self.wrapper(out, "", request, &self.axis))?;
        self.reasons(out, tag)
    }

    fn row(
        &self,
        out: &mut String,
        (place, address, hops): (&str, &str, &str),
        (asked, answered): (Option<u64>, Option<u64>),
        bar: &str,
        outcome: &str,
    ) -> fmt::Result {
        let (tag, times, width) = (self.tag, self.times, self.axis.width);
        let row = format!(
            "{place:>3}  {:tag$}  {hops:>4}  {:>times$}  {:>times$}  {bar:width$}  {outcome}",
            fitted(address, tag),
            self.clock.maybe(asked),
            self.clock.maybe(answered),
        );
        writeln!(out, "{}", row.trim_end())
    }

    /// Writes why the tag failed, which of its ads cannot be used, and what was tolerated.
    fn reasons(&self, out: &mut String, tag: &Tag) -> fmt::Result {
        let why = |reason: &Option<String>, at: &Option<String>| {
            let at = at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("{}{at}", reason.as_deref().unwrap_or("no reason given"))
        };
        if tag.outcome == TagOutcome::NoFill {
            let message = tag.message.as_ref().map(|message| format!("{message}: ")).unwrap_or_default();
            self.note(out, &format!("{message}{}", why(&tag.reason, &tag.at)))?;
        }
        for ad in &tag.ignored {
            let id = ad.ad.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            self.note(out, &format!("ad{id} ignored: {}", why(&ad.reason, &ad.at)))?;
        }
        for ad in &tag.rejected {
            // The reason for which the tag failed has already been written.
            if (ad.code, &ad.reason, &ad.at) == (tag.code, &tag.reason, &tag.at) {
                continue;
            }
            let id = ad.ad.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            let code = ad.code.map(|code| format!(" {code}")).unwrap_or_default();
            self.note(out, &format!("ad{id} refused{code}: {}", why(&ad.reason, &ad.at)))?;
        }
        tag.faults.iter().try_for_each(|fault| self.note(out, &in_words(fault)))?;
        for request in tag.requests.iter().filter(|request| request.late_us.is_some()) {
            let at = self.clock.maybe(request.late_us);
            self.note(
                out,
                &format!(
                    "the response from {} came at {at}, after the player had stopped waiting for it",
                    request.url
                ),
            )?;
        }
        for request in tag.requests.iter().filter(|request| !request.listed) {
            let address = match request.purpose {
                RequestPurpose::Wrapper => self.cut_wrappers.form(&request.url),
                RequestPurpose::AdTag | RequestPurpose::Media | RequestPurpose::Other(_) => "the tag",
            };
            self.note(out, &format!("no response is defined for {address}, so it responded with 404"))?;
        }
        let shown = if self.detail.warnings { tag.warnings.len() } else { 1 };
        for warning in tag.warnings.iter().take(shown) {
            let at = warning.at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
            self.note(out, &format!("tolerated: {}{at}", warning.text))?;
        }
        match tag.warnings.len().saturating_sub(shown) {
            0 => Ok(()),
            more => self.note(out, &format!("(and {more} more; --warnings all lists them)")),
        }
    }

    pub(super) fn note(&self, out: &mut String, text: &str) -> fmt::Result {
        for line in words::wrap(&escape::line(text), self.width.saturating_sub(INDENT + 2)) {
            writeln!(out, "{:indent$}{line}", "", indent = INDENT + 2)?;
        }
        Ok(())
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
    let code = fault.code.map(|code| format!(", {code}")).unwrap_or_default();
    let at = fault.at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
    format!("{what}{code}: {}{at}", fault.reason.as_deref().unwrap_or("no reason given"))
}

/// Describes the response to a document request: `200 inner.xml`, `timeout`, `reset`.
fn answer(request: &TagRequest) -> String {
    match (&request.fault, request.status, request.timed_out_us) {
        (_, _, Some(_)) => "timeout".to_owned(),
        (Some(fault), _, _) => fault.clone(),
        (None, Some(status), _) => match &request.file {
            Some(file) => fitted(&format!("{status} {file}"), OUTCOME),
            None => status.to_string(),
        },
        (None, None, None) => "-".to_owned(),
    }
}
