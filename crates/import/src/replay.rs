//! The scenario that a recording in lines contains: its documents and answers, and what page code
//! and the person did; and the recording held against it.

use std::collections::BTreeSet;

use super::evidence::{Evidence, Hints};
use super::recording::RequestRecording;
use super::simulation::Player;
use super::verdict::PageVerdict;
use playsim_api::{Act, Call, Fields, Kind, NetLine, PageChange, PageLine, UserLine, Value};
use playsim_base::time::{Span, Time};
use playsim_check::Finding;
use playsim_check::compare::{Part, judge_without_scenario};
use playsim_check::recording::{Recording, Tolerance, is_play, knobs_of};
use playsim_scenario::{Overrides, Scenario, Step, StepAct, Target, Trigger};
use playsim_sim::play_observed;
use playsim_trace::{Record, Trace};

/// A recording held against what its own documents predict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replayed {
    /// The trackers that differ, in the order of the parts.
    pub findings: Vec<Finding>,
    /// How many lines are the same.
    pub same: usize,
    /// What was not held against anything, in order.
    pub gaps: Vec<Gap>,
}

/// A time in which a recording is another session than the predicted one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// From when on.
    pub from: Time,
    /// Until when: the next break, with which the prediction begins anew; `None` until the end.
    pub to: Option<Time>,
    /// How they differ, as a clause.
    pub why: String,
}

/// The most parts of a recording that are predicted anew.
const MOST_PARTS: usize = 50;

/// Holds a recording against what its own documents predict. Where it is another session than the
/// predicted one, it is predicted anew from its next break on. Nothing is said about trackers of an
/// event that a finding in `told` names in the same part or later. `None` if it has no document of
/// an ad.
///
/// # Errors
///
/// If the recording cannot show which session was played, with the reason, as a clause.
pub fn replay(
    recording: &Recording,
    tolerance: Option<Tolerance>,
    told: &[Finding],
) -> Option<Result<Replayed, String>> {
    let scenario = scenario_of_lines(recording)?;
    let judge = |recording: &Recording, scenario: &Scenario, told: &[Finding], part| {
        let predicted =
            play_observed(scenario, &recording.trace).map_err(|error| error.to_string())?;
        judge_without_scenario(recording, scenario, &predicted, tolerance, told, part)
    };
    let mut judged = match judge(recording, &scenario, told, Part::Whole) {
        Ok(judged) => judged,
        Err(reason) => return Some(Err(reason)),
    };
    let within = tolerance.unwrap_or_default().within;
    let heard = recording.heard();
    let since = judged.until.as_ref().map(|until| until.at);
    let begins = since.map(|since| begins(&heard, since, within));
    let mut begins = begins.into_iter().flatten();
    let mut all = Replayed::default();
    loop {
        all.findings.append(&mut judged.findings);
        all.same += judged.same;
        let Some(until) = judged.until else { break };
        let next = begins.find_map(|begin| {
            let at = heard.trace.records[begin].at;
            let rest = (at >= until.at).then(|| rest(&heard, begin))?;
            let scenario = scenario_of_lines(&rest)?;
            let mut told = told.to_vec();
            told.retain(|finding| finding.at >= at);
            Some((at, judge(&rest, &scenario, &told, Part::Rest).ok()?))
        });
        all.gaps.push(Gap {
            from: until.at,
            to: next.as_ref().map(|(at, _)| *at),
            why: until.why,
        });
        let Some((_, rest)) = next else { break };
        judged = rest;
    }
    for finding in &mut all.findings {
        finding.record = recording.trace.place(finding.seq).unwrap_or_default();
    }
    Some(Ok(all))
}

/// Returns the lines with which the next breaks of a recording begin: requests for their first
/// tags. A break that begins while trackers of the one before are called is left out.
fn begins(recording: &Recording, since: Time, within: Span) -> Vec<usize> {
    let Some(evidence) = evidence(recording) else {
        return Vec::new();
    };
    let verdict = PageVerdict::of(&evidence);
    let exchanges = &evidence.recording.exchanges;
    let pixels: Vec<Time> = evidence
        .pixels()
        .map(|(index, ..)| exchanges[index].at())
        .collect();
    let tags = verdict
        .simulated()
        .filter_map(|it| it.pods.first()?.first());
    let asked = tags.map(|tag| evidence.exchange(*tag)).filter(|tag| {
        let is_close = |at: &Time| *at <= tag.at() && tag.at() - *at <= within;
        tag.at() >= since && !pixels.iter().any(is_close)
    });
    let records = (0..).zip(&recording.trace.records);
    let begins = asked.filter_map(|tag| {
        let is_it = |record: &Record| {
            record.is(NetLine::Request)
                && record.at == tag.at()
                && record.data.text("url").is_some_and(|url| **url == *tag.url)
        };
        records
            .clone()
            .find(|(_, record)| is_it(record))
            .map(|(index, _)| index)
    });
    begins.take(MOST_PARTS).collect()
}

/// Returns a recording from a break on, as if its player played from there.
fn rest(recording: &Recording, begin: usize) -> Recording {
    let records = &recording.trace.records;
    let play = Record {
        seq: records[begin].seq.saturating_sub(1),
        kind: Kind::Call,
        name: Call::Play.name().into(),
        data: Fields::one("args", Value::List(Vec::new())),
        cause: None,
        rule: None,
        run: None,
        ..records[begin].clone()
    };
    let header = records.first().filter(|first| first.kind == Kind::Header);
    let rest = records[begin..].iter();
    // The screen was derived from the states already.
    let rest = rest.filter(|record| record.kind != Kind::State);
    Recording {
        head: recording.head.clone(),
        trace: Trace {
            records: header
                .into_iter()
                .chain([&play])
                .chain(rest)
                .cloned()
                .collect(),
            players: recording.trace.players.clone(),
            digest: recording.trace.digest,
        },
    }
}

fn evidence(recording: &Recording) -> Option<Evidence> {
    let hints = Hints {
        keeps_secrets: true,
        ..Hints::default()
    };
    let evidence = Evidence::of(RequestRecording::of_lines("", recording), hints).ok()?;
    (!evidence.is_bodiless()).then_some(evidence)
}

/// Returns the scenario that a recording in lines contains; `None` if it has no document of an ad,
/// or an act that no scenario can do.
///
/// What it does not say is as in every scenario that is made of a recording, such as the length of
/// content that does not end.
#[must_use]
pub fn scenario_of_lines(recording: &Recording) -> Option<Scenario> {
    let is_own = recording.is_own();
    let recording = &*recording.heard();
    let evidence = evidence(recording)?;
    let verdict = PageVerdict::of(&evidence);
    let player = Player {
        evidence: &evidence,
        verdict: &verdict,
    };
    let (mut scenario, _) = player.scenario(&Overrides::default());
    let records = &recording.trace.records;
    if is_own {
        scenario.knobs = knobs_of(&recording.trace);
    }
    let acts: Vec<&Record> = records
        .iter()
        .filter(|record| record.kind.is_act())
        .collect();
    if let Some(play) = acts.iter().position(|record| is_play(record)) {
        // Its own acts say more than what trackers tell of them.
        scenario.steps.truncate(1);
        for (index, record) in acts.iter().enumerate() {
            let act = match act(record) {
                Some(act) => act,
                // How a page makes its player is the scenario's own.
                None if index < play => continue,
                None => return None,
            };
            scenario.steps.push(Step {
                trigger: Trigger::At(record.at),
                act,
                player: Target::First,
            });
        }
        // Tags that page code gives the player are not those that it is made with.
        let calls = acts.iter().filter_map(|record| record.data.get("args"));
        let mut given = BTreeSet::new();
        calls.for_each(|args| texts(args, &mut given));
        scenario.player.ads.retain(|ad| {
            let mut tags = BTreeSet::new();
            let listed = ad.as_map().and_then(|ad| ad.get("mobile"));
            listed.into_iter().for_each(|it| texts(it, &mut tags));
            tags.is_disjoint(&given)
        });
    }
    let heard = evidence.heard.as_ref();
    for (url, script) in &mut scenario.media {
        if let Some(length) = heard.and_then(|it| it.lengths.get(url)) {
            script.duration = *length;
            script.is_as_said = false;
        }
    }
    Some(scenario)
}

/// Returns an act as a step does it; `None` for one that no step can do.
fn act(record: &Record) -> Option<StepAct> {
    if let Some(name) = UserLine::from_name(&record.name).filter(|_| record.kind == Kind::User) {
        return user_act(name, &record.data).map(StepAct::User);
    }
    if let Some(name) = PageLine::from_name(&record.name).filter(|_| record.kind == Kind::Page) {
        return page_change(name, &record.data).map(StepAct::Page);
    }
    let call = Call::from_name(&record.name).filter(|_| record.kind == Kind::Call)?;
    let args = record.data.get("args").and_then(Value::as_list);
    Some(StepAct::Do {
        call,
        args: args.unwrap_or_default().to_vec(),
    })
}

fn user_act(name: UserLine, data: &Fields) -> Option<Act> {
    let to = || data.get("to").cloned();
    match name {
        UserLine::Seek => to().map(Act::Seek),
        UserLine::Volume => to().map(Act::Volume),
        UserLine::Icon => data.text("program").cloned().map(Act::Icon),
        UserLine::Companion => data.text("slot").cloned().map(Act::Companion),
        UserLine::Interact
        | UserLine::Gesture
        | UserLine::Play
        | UserLine::Pause
        | UserLine::Click
        | UserLine::Skip
        | UserLine::Close
        | UserLine::Next
        | UserLine::Previous
        | UserLine::Mute
        | UserLine::Unmute
        | UserLine::Fullscreen => Act::PLAIN.iter().find(|act| act.name() == name).cloned(),
    }
}

fn page_change(name: PageLine, data: &Fields) -> Option<PageChange> {
    let number = |key: &str| data.get(key).and_then(Value::as_number);
    let pixels = |key: &str| u32::try_from(data.integer(key)?).ok();
    let flag = |key: &str| data.get(key).and_then(Value::as_bool);
    match name {
        PageLine::InView => number("percent").map(PageChange::InView),
        PageLine::Window => Some(PageChange::Window(pixels("width")?, pixels("height")?)),
        PageLine::Sticky => flag("sticky").map(PageChange::Sticky),
        PageLine::Fullscreen => flag("fullscreen").map(PageChange::Fullscreen),
        PageLine::Hidden => flag("hidden").map(PageChange::Hidden),
        PageLine::Rate => number("rate").map(PageChange::Rate),
        PageLine::Script | PageLine::Container => None,
    }
}

/// Collects the strings in a value.
fn texts<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    if let Some(text) = value.as_text() {
        found.insert(text);
    }
    for it in value.as_list().into_iter().flatten() {
        texts(it, found);
    }
    for (_, it) in value.as_map().into_iter().flat_map(Fields::iter) {
        texts(it, found);
    }
}
