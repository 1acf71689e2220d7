//! The plan of a random scenario: its features, and the names that its parts use for each other.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::feature::{Feature, Features};
use super::options::Options;
use super::source::Source;
use super::vary::Vary;
use playsim_api::Text;
use playsim_rules::knobs::Profiles;
use playsim_scenario::Scenario;

pub(super) const CONTAINERS: &[&str] = &["main", "side", "third"];
/// The container of outstream units.
pub(super) const UNIT: &str = "unit";
/// The ids of videos; the last one has no record.
pub(super) const VIDEOS: &[&str] = &["v0", "v1", "v2", "v3"];
/// The URLs of content; the last one is missing, unless a default covers it.
pub(super) const FILMS: &[&str] = &["film-0.mp4", "film-1.mp4", "film-2.mp4", "film-3.mp4"];
/// The URLs of ad media; the last one is missing, unless a default covers it.
pub(super) const SPOTS: &[&str] = &[
    "spot-0.mp4",
    "spot-1.mp4",
    "spot-2.mp4",
    "spot-3.mp4",
    "spot-missing.mp4",
];
/// The URLs that tags and wrappers may name.
pub(super) const TAGS: &[&str] = &[
    "https://ads.test/a",
    "https://ads.test/b",
    "https://ads.test/c",
    "https://ads.test/d",
    "https://ads.test/e",
    "https://ads.test/loop",
    "https://ads.test/unlisted",
    "https://ads.test/unlisted?[custom_params]&t=[title]&d=[duration]&e=[ERRORCODE]",
];
/// The URLs of playlists; the last one has no response.
pub(super) const LISTS: &[&str] = &[
    "https://lists.test/a.json",
    "https://lists.test/b.json",
    "https://lists.test/unlisted.json",
];

/// The plan of a random scenario. No list of names is empty.
#[derive(Debug)]
pub(super) struct Plan {
    features: Features,
    /// The profiles to choose from; `None`: any, as the features say.
    pub(super) profiles: Option<Vec<Profiles>>,
    /// The number of steps besides those that create players; `None`: as it comes.
    pub(super) steps: Option<RangeInclusive<usize>>,
    /// The containers of players, without that of units.
    pub(super) containers: Vec<Text>,
    pub(super) videos: Vec<Text>,
    /// How many of the videos have a record: the first ones.
    pub(super) recorded: usize,
    pub(super) films: Vec<Text>,
    pub(super) spots: Vec<Text>,
    pub(super) tags: Vec<Text>,
    pub(super) lists: Vec<Text>,
}

impl Plan {
    /// The plan of a scenario that is drawn as a whole.
    pub(super) fn draw(options: &Options, source: &mut Source) -> Plan {
        let names = |names: &[&'static str]| names.iter().map(|name| Text::from(*name)).collect();
        Plan {
            features: Features::draw(options.features, source),
            profiles: options.profiles.clone(),
            steps: options.steps.clone(),
            containers: names(CONTAINERS),
            videos: names(VIDEOS),
            recorded: VIDEOS.len() - 1,
            films: names(FILMS),
            spots: names(SPOTS),
            tags: names(TAGS),
            lists: names(LISTS),
        }
    }

    /// The plan of a scenario that varies another one: it uses the names of that one, and has no
    /// features that only the other one can have.
    pub(super) fn around(
        base: &Scenario,
        vary: Vary,
        options: &Options,
        source: &mut Source,
    ) -> Plan {
        let mut plan = Plan::draw(options, source);
        for feature in Feature::ALL
            .iter()
            .filter(|feature| !feature.is_drawn_around(vary))
        {
            plan.features = plan.features.without(*feature);
        }
        let take = |own: &mut Vec<Text>, names: &mut dyn Iterator<Item = &Arc<str>>| {
            let names: Vec<Text> = names.map(Text::from).collect();
            if !names.is_empty() {
                *own = names;
            }
        };
        let created: Vec<Arc<str>> = base
            .steps
            .iter()
            .filter_map(|step| step.act.container())
            .collect();
        take(
            &mut plan.containers,
            &mut base
                .page
                .containers
                .iter()
                .map(|container| &container.id)
                .take(1),
        );
        take(&mut plan.containers, &mut created.iter());
        take(
            &mut plan.videos,
            &mut base.videos.iter().map(|script| &script.video.id),
        );
        plan.recorded = plan.videos.len();
        take(&mut plan.films, &mut base.media.iter().map(|(url, _)| url));
        plan.spots = plan.films.clone();
        take(&mut plan.tags, &mut base.network.iter().map(|(url, _)| url));
        plan.lists = plan.tags.clone();
        plan
    }

    /// Turns a feature on, if it is allowed.
    pub(super) fn turn_on(&mut self, feature: Feature, options: &Options) {
        if options.features.has(feature) {
            self.features = self.features.with(feature);
        }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }
}
