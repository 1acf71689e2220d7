//! The features of a random scenario: drawn first, so that those that are off do not interfere with
//! those that are on.

use super::source::Source;
use super::vary::Vary;
use playsim_base::named::named;

named! {
    /// A feature of random scenarios. Each is on in some of them.
    #[non_exhaustive]
    Feature {
        Ads "ads" "Ad objects at both levels, and responses for their tags.",
        Commanded "commanded" "Ads on command.",
        Bids "bids" "Header bids that win.",
        Terms "terms" "What the page plays, and which ads it requests.",
        Attachments "attachments" "Icons, companions, end cards, verifications, viewability.",
        Vpaid "vpaid" "VPAID units among the ads.",
        Simid "simid" "SIMID units alongside ads, and overlays that are such units.",
        Playlists "playlists" "Several items instead of one.",
        Sources "sources" "Media and sources that page code sets, and lists that it loads.",
        Renditions "renditions" "Several renditions, plans, and changes between them.",
        Live "live" "Live streams.",
        Slow "slow" "Data delivered by a script of the network.",
        Faults "faults" "Media, responses and records that fail.",
        Records "records" "Records with dates, countries, rejection and fields that are only reported; edits.",
        Listeners "listeners" "Steps that wait for events, and named listeners.",
        Late "late" "Responses, media and scripts with delays.",
        Nonsense "nonsense" "Arguments and configurations of any type.",
        Several "several" "More than one container.",
        Queues "queues" "Queue arrays, and scripts that arrive.",
        Units "units" "Outstream units.",
        Elements "elements" "A bare media element.",
        Sound "sound" "Volume and mute.",
        People "people" "Gestures, clicks, and every button.",
        Surroundings "surroundings" "Size, fullscreen, skin, visibility, sticky state.",
        Settings "settings" "Profiles, and knobs of every value.",
    }
}

impl Feature {
    /// In how many of eight scenarios it is on. Those that others depend on are more likely.
    fn eighths(self) -> u64 {
        match self {
            Feature::Ads => 6,
            Feature::Playlists | Feature::Faults | Feature::Listeners | Feature::Late => 4,
            Feature::Nonsense | Feature::Several | Feature::People | Feature::Settings => 3,
            Feature::Commanded
            | Feature::Terms
            | Feature::Attachments
            | Feature::Vpaid
            | Feature::Simid
            | Feature::Sources
            | Feature::Renditions
            | Feature::Records
            | Feature::Queues
            | Feature::Units
            | Feature::Sound
            | Feature::Surroundings => 2,
            Feature::Bids | Feature::Live | Feature::Slow | Feature::Elements => 1,
        }
    }
}

/// The subject of a feature when sessions are drawn around a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Steps,
    World,
    Both,
    /// Features that only the scenario itself can have.
    Neither,
}

impl Feature {
    /// Whether sessions that are drawn around a scenario can have it. The others are about what is
    /// kept of the scenario: its players, its settings, the kinds of its media.
    #[must_use]
    pub fn is_drawn_around(self, vary: Vary) -> bool {
        match self.part() {
            Part::Steps => vary != Vary::World,
            Part::World => vary != Vary::Steps,
            Part::Both => true,
            Part::Neither => false,
        }
    }

    fn part(self) -> Part {
        match self {
            Feature::Ads
            | Feature::Commanded
            | Feature::Playlists
            | Feature::Sources
            | Feature::Records
            | Feature::Listeners
            | Feature::Nonsense
            | Feature::Queues
            | Feature::Sound
            | Feature::People
            | Feature::Surroundings => Part::Steps,
            Feature::Terms
            | Feature::Vpaid
            | Feature::Simid
            | Feature::Slow
            | Feature::Late
            | Feature::Faults => Part::World,
            Feature::Attachments | Feature::Renditions => Part::Both,
            Feature::Bids
            | Feature::Live
            | Feature::Several
            | Feature::Units
            | Feature::Elements
            | Feature::Settings => Part::Neither,
        }
    }
}

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Features(u32);

impl Features {
    pub(super) const ALL: Features = Features(u32::MAX);

    pub(super) fn of(features: impl IntoIterator<Item = Feature>) -> Features {
        features.into_iter().fold(Features(0), Features::with)
    }

    pub(super) fn with(self, feature: Feature) -> Features {
        Features(self.0 | 1 << feature as u32)
    }

    pub(super) fn without(self, feature: Feature) -> Features {
        Features(self.0 & !(1 << feature as u32))
    }

    pub(super) fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }

    /// Draws some of those that are allowed.
    pub(super) fn draw(allowed: Features, source: &mut Source) -> Features {
        let drawn = Feature::ALL
            .iter()
            .filter(|feature| source.chance(feature.eighths(), 8));
        Features(Features::of(drawn.copied()).0 & allowed.0)
    }
}
