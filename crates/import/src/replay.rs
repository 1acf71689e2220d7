//! The scenario that a recording in lines contains: its documents and answers, and what page code
//! and the person did.

use std::collections::BTreeSet;

use super::evidence::{Evidence, Hints};
use super::recording::RequestRecording;
use super::simulation::Player;
use super::verdict::PageVerdict;
use playsim_api::{Act, Call, Fields, Kind, PageChange, PageLine, UserLine, Value};
use playsim_check::recording::{Recording, is_play, knobs_of};
use playsim_scenario::{Overrides, Scenario, Step, StepAct, Target, Trigger};
use playsim_trace::Record;

/// Returns the scenario that a recording in lines contains; `None` if it has no document of an ad,
/// or an act that no scenario can do.
///
/// What it does not say is as in every scenario that is made of a recording, such as the length of
/// content that does not end.
#[must_use]
pub fn scenario_of_lines(recording: &Recording) -> Option<Scenario> {
    let hints = Hints {
        keeps_secrets: true,
        ..Hints::default()
    };
    let is_own = recording.is_own();
    let recording = &*recording.heard();
    let evidence = Evidence::of(RequestRecording::of_lines("", recording), hints).ok()?;
    if evidence.is_bodiless() {
        return None;
    }
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
