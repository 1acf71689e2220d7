//! Situations that would tell what several settings explain alike.

use serde::Serialize;

use super::Fit;
use super::cases::{Settings, knobs, with};
use super::evidence::written;
use crate::case::Case;
use crate::settings::FittedSetting;
use playsim_base::time::Span;
use playsim_check::compare::{Detail, Known, compare};
use playsim_check::recording::{Hears, Tolerance};
use playsim_scenario::Scenario;

/// A situation in which two explanations of a player differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    /// The name of the case, which its file has.
    pub name: String,
    /// What it was made of, and how.
    pub about: String,
    /// The settings that are told from those of the fit.
    pub tells: Vec<FittedSetting>,
    /// How the fit and the other settings differ in it first.
    pub difference: String,
    /// The scenario.
    #[serde(skip)]
    pub scenario: Scenario,
}

/// A way to change a scenario; `None` if there is nothing in it to change.
type Variation = fn(&Scenario, Span) -> Option<Scenario>;

/// The ways that are tried, each with its name, what it does, and the lengths that it takes.
const VARIATIONS: &[(&str, &str, Variation, &[u64])] = &[
    ("ads_of", "ads last", films, &[7_000, 15_000, 30_000]),
    (
        "answers_after",
        "answers take",
        answers,
        &[3_000, 7_000, 12_000, 40_000],
    ),
    ("answers_within", "answers take", answers, &[300, 1_300]),
];

/// Finds situations in which a fit and what else would explain the recordings differ: each a
/// scenario to record the player with, made of one of these cases.
#[must_use]
pub fn suggest(cases: &[&Case], fit: &Fit) -> Vec<Suggestion> {
    let now: Settings = fit.knobs.differing().collect();
    let of_ties = fit.decided.iter().flat_map(|knob| {
        let (shortest, longest) = knob.interval_us.unwrap_or_default();
        let ends = [shortest, longest].into_iter().flatten().map(written);
        let ends = ends.filter(|value| *value != knob.setting.value);
        let tie = |value| {
            let knob = knob.setting.knob;
            vec![FittedSetting { knob, value }]
        };
        knob.ties.iter().cloned().chain(ends).map(tie)
    });
    let all = of_ties.chain(fit.alternatives.iter().cloned());
    all.filter_map(|tells| {
        let other = tells.iter().map(|it| (it.knob, it.value.clone())).collect();
        let other = with(&now, &other);
        let mut varied = cases.iter().flat_map(|case| variations(case));
        varied.find_map(|it| it.tells(&now, &other, &tells))
    })
    .collect()
}

/// A scenario made of that of a case.
struct Varied {
    name: String,
    about: String,
    scenario: Scenario,
}

fn variations(case: &Case) -> impl Iterator<Item = Varied> + '_ {
    let all = VARIATIONS.iter().flat_map(|row| {
        row.3
            .iter()
            .map(move |millis| (row, Span::from_millis(*millis)))
    });
    all.filter_map(|((short, about, vary, _), length)| {
        let seconds = length.in_seconds();
        Some(Varied {
            name: format!("{}_{short}_{}_ms", case.name, length.micros() / 1_000),
            about: format!("{}, but {about} {seconds}", case.name),
            scenario: vary(&case.scenario, length)?,
        })
    })
}

impl Varied {
    /// Returns the suggestion if two ways to behave differ in it.
    fn tells(
        self,
        now: &Settings,
        other: &Settings,
        tells: &[FittedSetting],
    ) -> Option<Suggestion> {
        let case = Case::of(&self.name, self.scenario.clone()).ok()?;
        let known = Known::of(&self.scenario);
        let marks = |settings: &Settings| {
            let trace = case.play(&knobs(settings)?).ok()?;
            Some(known.marks(&trace, &Hears::default(), Detail::Outline))
        };
        let compared = compare(&marks(now)?, &marks(other)?, Tolerance::default());
        let first = compared.differences.first()?;
        Some(Suggestion {
            name: self.name,
            about: self.about,
            tells: tells.to_vec(),
            difference: format!("{}: {}", first.class, first.what),
            scenario: self.scenario,
        })
    }
}

/// Gives the films of ads another length: those that are not a rendition of a video.
fn films(scenario: &Scenario, length: Span) -> Option<Scenario> {
    let mut varied = scenario.clone();
    let is_content = |url: &str| {
        let mut renditions = scenario.videos.iter().flat_map(|it| &it.video.renditions);
        renditions.any(|(_, known)| **known == *url)
    };
    let ads = varied
        .media
        .iter_mut()
        .filter(|(url, media)| !is_content(url) && media.fails.is_none());
    let count = ads.map(|(_, media)| media.duration = length).count();
    (count > 0).then_some(varied)
}

/// Lets every document take this long.
fn answers(scenario: &Scenario, length: Span) -> Option<Scenario> {
    let mut varied = scenario.clone();
    let all = varied.network.iter_mut().flat_map(|(_, answers)| answers);
    let count = all.map(|answer| answer.after = length).count();
    (count > 0).then_some(varied)
}
