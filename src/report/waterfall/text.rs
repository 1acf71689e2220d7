//! The waterfalls of a run as tables.

use std::fmt::{self, Write};

use super::layout::{Axis, Clock, LEGEND, Paint, fitted, wrapped};
use super::{AdBreakReport, Played, Request, Tag, TagOutcome, Waterfalls};

/// Where the column of tags begins.
const INDENT: usize = 5;
/// The column of tags, and bars, at their narrowest and widest.
const TAG: (usize, usize) = (14, 44);
const BAR: (usize, usize) = (12, 48);
/// A table that is narrower cannot be read, one that is wider neither.
const WIDTH: (usize, usize) = (80, 160);
/// What an outcome takes: `no fill 303`, or of a wrapper a status and a file's name, shortened.
const OUTCOME: usize = 16;

pub(super) fn text(report: &Waterfalls, width: usize, color: bool) -> String {
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = write(&mut out, report, width, Paint(color));
    out
}

fn write(out: &mut String, report: &Waterfalls, width: usize, paint: Paint) -> fmt::Result {
    if report.breaks.is_empty() {
        writeln!(out, "no ad break began")?;
    }
    for (index, it) in report.breaks.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let table = Table::of(it, width, paint);
        heading(out, report, it, &table)?;
        table.tags(out, it)?;
        played(out, it, &table)?;
        beacons(out, it, &table)?;
    }
    if !matches!(report.outcome.as_str(), "idle" | "until") {
        writeln!(out, "\nthe run was stopped, its outcome is {}", report.outcome)?;
    }
    Ok(())
}

/// `pre-roll: filled by tag 2 of 3 after 0.310 s`, and the setting: behind it, or below if it is long.
fn heading(out: &mut String, report: &Waterfalls, it: &AdBreakReport, table: &Table) -> fmt::Result {
    let kind = match it.kind.as_str() {
        "pre" => "pre-roll",
        "mid" => "mid-roll",
        "post" => "post-roll",
        other => other,
    };
    let of = it.tags.len();
    let filled = it.tags.iter().find(|tag| tag.outcome == TagOutcome::Filled);
    let how = match filled {
        Some(tag) => {
            let after = tag.decided_us.unwrap_or(it.begin_us) - it.begin_us;
            let pod = if table.has_pods { format!(" in pod {}", tag.pod) } else { String::new() };
            format!("filled by tag {} of {of}{pod} after {} s", tag.wp + 1, table.clock.at(after))
        }
        None if it.outcome == "no-fill" => {
            let after = table.clock.at(it.end_us.unwrap_or(it.begin_us) - it.begin_us);
            match of {
                1 => format!("the tag does not fill, known after {after} s"),
                _ => format!("none of {of} tags fills, known after {after} s"),
            }
        }
        None => it.outcome.clone(),
    };
    let painted = if filled.is_some() { table.paint.good(&how) } else { table.paint.bad(&how) };
    write!(out, "{}: {painted}", table.paint.strong(kind))?;
    let knobs: String = report.knobs.iter().map(|(name, value)| format!(", {name}={value}")).collect();
    let setting = format!("(profile {}{knobs})", report.profile);
    if kind.len() + how.len() + setting.len() + 4 <= table.width {
        writeln!(out, "  {setting}")?;
    } else {
        writeln!(out)?;
        table.note(out, &setting)?;
    }
    writeln!(out)
}

/// How the tables of a break are laid out.
struct Table {
    paint: Paint,
    clock: Clock,
    axis: Axis,
    /// The width of the column of tags, and of all.
    tag: usize,
    width: usize,
    /// Of the columns of times.
    times: usize,
    has_pods: bool,
}

impl Table {
    fn of(it: &AdBreakReport, width: usize, paint: Paint) -> Table {
        let width = width.clamp(WIDTH.0, WIDTH.1);
        let requests = || it.tags.iter().flat_map(|tag| &tag.requests);
        let decided = it.tags.iter().filter_map(|tag| tag.decided_us);
        let over = it.tags.iter().flat_map(Tag::until_decided).filter_map(Request::over_us);
        let to_us = over.chain(decided).max().or(it.end_us);
        let to_us = to_us.unwrap_or(it.begin_us).max(it.begin_us);
        let shown =
            |ad: &Played| [ad.start_us, ad.end_us, ad.duration_us].into_iter().flatten().collect::<Vec<_>>();
        let told = requests().flat_map(|request| [Some(request.asked_us), request.over_us()]).flatten();
        let told = told.chain(it.played.iter().flat_map(shown)).chain(it.beacons.iter().map(|it| it.at_us));
        let clock = Clock::of(told);
        let times = clock.at(to_us).chars().count().max("answered".len());
        let wrappers = requests().filter(|request| request.purpose == "wrapper");
        let addresses = it.tags.iter().map(|tag| tag.address.chars().count());
        let longest = addresses.chain(wrappers.map(|request| request.url.chars().count() + 2)).max();
        // What remains for tags and bars beside hops, two times, an outcome, and two blanks between each.
        let rest = width.saturating_sub(INDENT + 2 + 4 + 2 * (times + 2) + 2 + OUTCOME + 2);
        let tag = longest.unwrap_or(0).clamp(TAG.0, TAG.1).min(rest.saturating_sub(20).max(TAG.0));
        let bar = rest.saturating_sub(tag).clamp(BAR.0, BAR.1);
        let axis = Axis { from_us: it.begin_us, to_us, width: bar };
        let has_pods = it.tags.iter().any(|tag| tag.pod > 0);
        Table { paint, clock, axis, tag, width, times, has_pods }
    }

    fn tags(&self, out: &mut String, it: &AdBreakReport) -> fmt::Result {
        let (tag, times) = (self.tag, self.times);
        let place = if self.has_pods { "pod.wp" } else { "wp" };
        let head = format!(
            "{place:>3}  {:tag$}  hops  {:>times$}  {:>times$}  {}  outcome",
            "tag",
            "asked",
            "answered",
            self.axis.ends(self.clock)
        );
        writeln!(out, "{}", self.paint.faint(&head))?;
        it.tags.iter().try_for_each(|tag| self.one(out, tag))?;
        if it.tags.iter().any(|tag| !tag.requests.is_empty()) {
            let indent = INDENT + self.tag + 2 + 4 + 2 * (self.times + 2) + 2;
            writeln!(out, "{:indent$}{}", "", self.paint.faint(LEGEND))?;
        }
        Ok(())
    }

    fn one(&self, out: &mut String, tag: &Tag) -> fmt::Result {
        let place = if self.has_pods { format!("{}.{}", tag.pod, tag.wp) } else { tag.wp.to_string() };
        let hops = if tag.hops == 0 { "-".to_owned() } else { tag.hops.to_string() };
        let code = tag.code.map(|code| format!(" {code}")).unwrap_or_default();
        let word = format!("{}{code}", tag.outcome.word());
        let word = match tag.outcome {
            TagOutcome::Filled => self.paint.good(&word),
            TagOutcome::NoFill => self.paint.bad(&word),
            TagOutcome::NotAsked | TagOutcome::Undecided => self.paint.faint(&word),
        };
        self.row(
            out,
            &format!("{place:>3}"),
            &tag.address,
            &hops,
            tag.asked_us,
            tag.answered_us,
            tag.until_decided(),
            &word,
        )?;
        for request in tag.documents().filter(|request| request.purpose == "wrapper") {
            let one = std::iter::once(request);
            let answered = request.answered_us;
            let url = format!("└ {}", request.url);
            self.row(out, "", &url, "", Some(request.asked_us), answered, one, &answer(request))?;
        }
        self.reasons(out, tag)
    }

    #[expect(clippy::too_many_arguments, reason = "one for each column")]
    fn row<'a>(
        &self,
        out: &mut String,
        place: &str,
        address: &str,
        hops: &str,
        asked: Option<u64>,
        answered: Option<u64>,
        requests: impl Iterator<Item = &'a Request>,
        outcome: &str,
    ) -> fmt::Result {
        let (tag, times, bar) = (self.tag, self.times, self.axis.width);
        let row = format!(
            "{place:3}  {:tag$}  {hops:>4}  {:>times$}  {:>times$}  {:bar$}  {outcome}",
            fitted(address, tag),
            self.clock.maybe(asked),
            self.clock.maybe(answered),
            self.axis.bar(requests),
        );
        writeln!(out, "{}", row.trim_end())
    }

    /// Why it failed, which ads of it cannot be used, what was tolerated.
    fn reasons(&self, out: &mut String, tag: &Tag) -> fmt::Result {
        let why = |reason: &Option<String>, at: &Option<String>| {
            let at = at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("{}{at}", reason.as_deref().unwrap_or("no reason is given"))
        };
        if tag.outcome == TagOutcome::NoFill {
            let message = tag.message.as_ref().map(|message| format!("{message}: ")).unwrap_or_default();
            self.note(out, &format!("{message}{}", why(&tag.reason, &tag.at)))?;
        }
        for ad in &tag.ignored {
            let id = ad.ad.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            self.note(out, &format!("ad{id} does not count: {}", why(&ad.reason, &ad.at)))?;
        }
        for ad in &tag.rejected {
            // What the tag fails with has been said.
            if (ad.code, &ad.reason, &ad.at) == (tag.code, &tag.reason, &tag.at) {
                continue;
            }
            let id = ad.ad.as_ref().map(|id| format!(" {id}")).unwrap_or_default();
            let code = ad.code.map(|code| format!(" {code}")).unwrap_or_default();
            self.note(out, &format!("ad{id} refused{code}: {}", why(&ad.reason, &ad.at)))?;
        }
        for request in tag.requests.iter().filter(|request| request.late_us.is_some()) {
            let at = self.clock.maybe(request.late_us);
            self.note(
                out,
                &format!("the answer of {} came at {at}, when nobody waited for it any more", request.url),
            )?;
        }
        for request in tag.requests.iter().filter(|request| !request.listed) {
            self.note(out, &format!("nothing is said of what {} answers, so it is a 404", request.url))?;
        }
        match &tag.warnings[..] {
            [] => Ok(()),
            [first, more @ ..] => {
                let at = first.at.as_ref().map(|at| format!(" ({at})")).unwrap_or_default();
                let more =
                    if more.is_empty() { String::new() } else { format!(" (and {} more)", more.len()) };
                self.note(out, &format!("tolerated: {}{at}{more}", first.text))
            }
        }
    }

    fn note(&self, out: &mut String, text: &str) -> fmt::Result {
        for line in wrapped(text, self.width.saturating_sub(INDENT + 2)) {
            writeln!(out, "{:indent$}{line}", "", indent = INDENT + 2)?;
        }
        Ok(())
    }
}

/// What a document's address answered: `200 inner.xml`, `timeout`, `reset`.
fn answer(request: &Request) -> String {
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

fn played(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    if it.played.is_empty() {
        return writeln!(out, "\nnothing played");
    }
    let clock = table.clock;
    let ids: Vec<String> = it.played.iter().map(|ad| ad.ad.as_deref().unwrap_or("-").to_owned()).collect();
    let id = ids.iter().map(|id| id.chars().count()).max().unwrap_or(0).clamp(2, 28);
    let head = format!(
        "{:>3}  {:id$}  hops  {:>9}  {:>9}  {:>9}  {:8}  media",
        "wp", "ad", "starts", "ends", "length", "end"
    );
    writeln!(out, "\n{}\n{}", table.paint.strong("played"), table.paint.faint(&head))?;
    for (ad, name) in it.played.iter().zip(&ids) {
        let hops = ad.hops.map_or_else(|| "-".to_owned(), |hops| hops.to_string());
        let place = if table.has_pods { format!("{}.{}", ad.pod, ad.wp) } else { ad.wp.to_string() };
        let end = ad.end.as_deref().unwrap_or(if ad.start_us.is_some() { "open" } else { "not shown" });
        writeln!(
            out,
            "{place:>3}  {:id$}  {hops:>4}  {:>9}  {:>9}  {:>9}  {end:8}  {}",
            fitted(name, id),
            clock.maybe(ad.start_us),
            clock.maybe(ad.end_us),
            clock.maybe(ad.duration_us),
            ad.media.as_deref().unwrap_or("-"),
        )?;
    }
    Ok(())
}

fn beacons(out: &mut String, it: &AdBreakReport, table: &Table) -> fmt::Result {
    if it.beacons.is_empty() {
        return writeln!(out, "\nno beacon fired");
    }
    let event = it.beacons.iter().map(|beacon| beacon.event.chars().count()).max().unwrap_or(0).max(5);
    let s = if it.beacons.len() == 1 { "" } else { "s" };
    let title = format!("{} beacon{s}", it.beacons.len());
    let head = format!("{:>3}  {:>9}  {:event$}  hop  address", "wp", "at", "event");
    writeln!(out, "\n{}\n{}", table.paint.strong(&title), table.paint.faint(&head))?;
    for beacon in &it.beacons {
        let place = match (beacon.pod, beacon.wp) {
            (Some(pod), Some(wp)) if table.has_pods => format!("{pod}.{wp}"),
            (_, Some(wp)) => wp.to_string(),
            (_, None) => "-".to_owned(),
        };
        let hop = beacon.hop.map_or_else(|| "-".to_owned(), |hop| hop.to_string());
        let at = table.clock.at(beacon.at_us);
        writeln!(out, "{place:>3}  {at:>9}  {:event$}  {hop:>3}  {}", beacon.event, beacon.url)?;
    }
    Ok(())
}
