//! Reads and plays a mutant, twice, and measures what that takes.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use playsim::api::{Act, Call, EventName, Fields, Kind, Outcome, Value};
use playsim::knobs::Profile;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{
    AnswerScript, MediaScript, PlayerScript, Scenario, ScriptedAnswer, Step, StepAct, Target,
    Trigger, UnitKind, VideoScript,
};
use playsim::time::{Span, Time};
use playsim::vast::{self, AdKind};
use playsim::video::{Rendition, Video, VideoRecord};
use playsim::{Simulation, Trace};

use super::mutate::{Mutant, TAG};
use super::seeds::{Seed, strict};
use playsim::testing::Source;

/// The most memory that reading a document may hold at one moment, in bytes: a base, and an amount
/// for each byte of the document.
pub(crate) const READ_ONCE: u64 = 64 << 10;
pub(crate) const READ_EACH: u64 = 128;
/// The most memory that playing it may hold, with its world, its chain and its trace: a base, and
/// an amount for each byte that the player received.
pub(crate) const PLAY_ONCE: u64 = 4 << 20;
pub(crate) const PLAY_EACH: u64 = 512;

const FILM: &str = "https://corpus.test/film.mp4";

/// The outcome of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The size of the mutant and of the documents that its wrappers led to, in bytes; each counts
    /// as often as it was sent.
    pub(crate) length: u64,
    pub(crate) is_well_formed: bool,
    /// The most memory held while it was read, and while it was played.
    pub(crate) read_bytes: u64,
    pub(crate) played_bytes: u64,
    /// The number of records in the trace.
    pub(crate) records: usize,
    /// `played`, or the code of the tag's failure.
    pub(crate) outcome: String,
}

/// The longest trace allowed for documents of the given size: one line for each byte.
pub(crate) fn most_records(length: u64) -> usize {
    2_000 + usize::try_from(length).unwrap_or(usize::MAX)
}

/// Checks that it stays within the limits.
pub(crate) fn within_bounds(facts: &Facts) -> Result<(), String> {
    let Facts {
        length,
        read_bytes,
        played_bytes,
        records,
        ..
    } = facts;
    if *read_bytes > READ_ONCE + READ_EACH * length {
        return Err(format!("reading {length} bytes took {read_bytes}"));
    }
    if *played_bytes > PLAY_ONCE + PLAY_EACH * length {
        return Err(format!("playing {length} bytes took {played_bytes}"));
    }
    if *records > most_records(*length) {
        return Err(format!("{length} bytes made a trace of {records} records"));
    }
    Ok(())
}

/// Reads and plays a mutant.
pub(crate) fn judge(mutant: &Mutant, seeds: &[Seed]) -> Result<Facts, String> {
    caught(|| play(mutant, seeds))?
}

thread_local! {
    static CATCHES: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic on this thread is caught.
pub(crate) fn is_caught() -> bool {
    CATCHES.get()
}

/// Turns the message of a panic into an error.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    CATCHES.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHES.set(false);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!(
            "panic: {}",
            text.unwrap_or("with a payload that is not a string")
        )
    })
}

fn play(mutant: &Mutant, seeds: &[Seed]) -> Result<Facts, String> {
    let mut document = None;
    let read = allocation_counter::measure(|| document = Some(vast::read(&mutant.text)));
    let document = document.expect("it was read");
    let scenario = scenario(mutant, &document, seeds);
    let mut traces: Option<(Trace, Trace)> = None;
    let mut failure = None;
    let played = allocation_counter::measure(|| match Simulation::new(&scenario) {
        Ok(simulation) => traces = Some((simulation.fork().run(), simulation.run())),
        Err(error) => failure = Some(error.to_string()),
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    let (trace, again) = traces.expect("it was played");
    if trace.digest != again.digest {
        return Err(format!(
            "two runs differ: {} and {}",
            trace.digest, again.digest
        ));
    }
    if trace.outcome() != Some(Outcome::Idle) {
        return Err(format!(
            "the run does not end on its own but with {:?}",
            trace.outcome()
        ));
    }
    let count = |name| trace.events().filter(|event| event.name == name).count();
    // A click on what is shown pauses it, or plays it again.
    let clicks = trace
        .records
        .iter()
        .any(|it| it.kind == Kind::User && *it.name == *"click");
    let ends = count(EventName::Ended);
    if ends != 1 && !clicks {
        return Err(format!("the content ends {ends} times"));
    }
    let report = Waterfalls::of(&trace);
    let _ = (report.text(100, false), report.json());
    if report.breaks.iter().any(|it| it.end_us.is_none()) && !clicks {
        return Err("a break does not end".to_owned());
    }
    // A document counts as often as it was sent: wrappers may lead to it again and again.
    let answers = trace
        .records
        .iter()
        .filter(|it| it.kind == Kind::Net && *it.name == *"response");
    let bytes = answers.filter_map(|it| u64::try_from(it.data.get("bytes")?.as_integer()?).ok());
    let received: u64 = bytes.sum();
    let failed = report
        .breaks
        .iter()
        .flat_map(|it| &it.tags)
        .find_map(|tag| tag.code);
    let outcome = match failed {
        _ if count(EventName::AdStart) > 0 => "played".to_owned(),
        Some(code) => code.to_string(),
        None => "-".to_owned(),
    };
    let facts = Facts {
        length: received.max(mutant.text.len() as u64),
        is_well_formed: strict(&mutant.text).is_some(),
        read_bytes: read.bytes_max,
        played_bytes: played.bytes_max,
        records: trace.records.len(),
        outcome,
    };
    within_bounds(&facts)?;
    Ok(facts)
}

/// Plays the mutant as a tag of a waterfall; its wrappers lead to another document, to itself, or
/// to nothing.
fn scenario(mutant: &Mutant, document: &vast::Document, seeds: &[Seed]) -> Scenario {
    let mut source = Source::from_seed(mutant.number);
    // A browser's activation policy needs a gesture, which these pages do not have.
    let browsers = [Profile::Chromium, Profile::Firefox, Profile::WebKit];
    let profiles: Vec<Profile> = Profile::ALL
        .iter()
        .copied()
        .filter(|it| !browsers.contains(it))
        .collect();
    let profile = profiles[mutant.number as usize / 2 % profiles.len()];
    let answer = |text: &Arc<str>| AnswerScript {
        content_type: None,
        after: Span::from_millis(10),
        answer: ScriptedAnswer::Body {
            status: 200,
            name: "".into(),
            text: Arc::clone(text),
        },
    };
    let mut network = vec![(Arc::from(TAG), vec![answer(&mutant.text)])];
    for ad in document.ads.iter().take(20) {
        let AdKind::Wrapper(wrapper) = &ad.kind else {
            continue;
        };
        let Some(uri) = wrapper.tag_uri.as_ref().filter(|uri| !uri.text.is_empty()) else {
            continue;
        };
        if network.iter().any(|(address, _)| *address == uri.text) || source.chance(1, 4) {
            continue;
        }
        let other = source.pick(seeds);
        let text = if source.chance(1, 4) || other.text.len() > 40_000 {
            Arc::clone(&mutant.text)
        } else {
            other.text.as_str().into()
        };
        network.push((Arc::clone(&uri.text), vec![answer(&text)]));
    }
    let tags = Value::List(vec![Value::from(TAG)]);
    let ad = Fields::one("adTimeType", "s").with("mobile", tags);
    let ad = match source.index(6) {
        0 => ad.with("adType", 3).with("overlayStartAt", 1),
        1 => ad
            .with("adType", 1)
            .with("cuepoints", Value::List(vec![1.into()])),
        2 => ad.with("adType", 2),
        _ => ad.with("adType", 0),
    };
    let media = if source.chance(1, 8) {
        None
    } else {
        Some(Span::from_secs(15))
    };
    Scenario {
        name: mutant.seed.as_str().into(),
        profile: profile.into(),
        knobs: profile.knobs(),
        seed: mutant.number,
        videos: vec![VideoScript {
            video: film().into(),
            record_after: Span::ZERO,
        }],
        media: vec![(
            FILM.into(),
            MediaScript {
                duration: Span::from_secs(3),
                ..MediaScript::default()
            },
        )],
        media_default: media.map(|duration| MediaScript {
            duration,
            ..MediaScript::default()
        }),
        network,
        player: PlayerScript {
            ads: vec![Value::Map(ad)],
            ..PlayerScript::default()
        },
        steps: steps(&mut source),
        ..Scenario::default()
    }
}

fn film() -> Video {
    Video {
        record: VideoRecord {
            id: "film".into(),
            ..VideoRecord::default()
        },
        renditions: vec![(Rendition::Sd, FILM.into())],
        ..Video::default()
    }
}

/// A player that plays, and sometimes a user.
fn steps(source: &mut Source) -> Vec<Step> {
    let config = Fields::one("id", "p")
        .with("width", "640")
        .with("height", "360")
        .with("video", "film");
    let step = |trigger, act| Step {
        trigger,
        act,
        player: Target::First,
    };
    let init = StepAct::Init {
        unit: UnitKind::Player,
        div: "player".into(),
        config: Value::Map(config),
        on_ready: None,
    };
    let on = |event, after| Trigger::On {
        event,
        nth: Some(1),
        after,
    };
    let play = StepAct::Do {
        call: Call::Play,
        args: Vec::new(),
    };
    let mut steps = vec![
        step(Trigger::At(Time::ZERO), init),
        step(on(EventName::Ready, None), play),
    ];
    for act in [Act::Skip, Act::Click(None)] {
        if source.chance(1, 4) {
            let after = Some(Span::from_millis(source.below(16_000)));
            steps.push(step(on(EventName::AdStart, after), StepAct::User(act)));
        }
    }
    steps
}

/// Plays a document that is sent after a delay, as the tag of a pre-roll. Returns the trace, and
/// the most memory held.
pub(crate) fn crowd(text: &str, after: Span) -> (Trace, u64) {
    let mutant = Mutant {
        number: 2,
        seed: String::new(),
        text: text.into(),
        done: Vec::new(),
    };
    let mut scenario = scenario(&mutant, &vast::Document::default(), &[]);
    scenario.network[0].1[0].after = after;
    let tags = Value::List(vec![Value::from(TAG)]);
    let ad = Fields::one("adType", 0)
        .with("adTimeType", "s")
        .with("mobile", tags);
    scenario.player.ads = vec![Value::Map(ad)];
    (scenario.profile, scenario.knobs) = (Profile::Default.into(), Profile::Default.knobs());
    let mut trace = None;
    let taken = allocation_counter::measure(|| {
        let simulation = Simulation::new(&scenario).expect("it can be played");
        trace = Some(simulation.run());
    });
    (trace.expect("it was played"), taken.bytes_max)
}
