//! The ad objects in force, at player level and at video level.
//!
//! Ads of one type with the same cue point and pod form a slot, which has one waterfall. The device
//! never changes (AD-7), so an object's list for this device is chosen when the object is added.
//! Breaks are planned from the slots in `plan`.
//!
//! Rules: AD-10 to AD-17.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::looping::Looping;
use super::places::KnownPlaces;
use super::vmap::schedule::BreakSchedule;
use playsim_api::page::Device;
use playsim_api::{
    AdLine, AdObject, AdOrigin, AdPlacement, ApiError, Code, Cue, Decimal, Fields, Outbox, Text,
    Value, bad_ad,
};
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;

mod looping;

/// The ads of a player.
#[derive(Debug, Clone, Hash)]
pub struct AdSchedule {
    pub(crate) device: Device,
    pub(crate) knobs: KnobReader,
    pub(crate) player: Level,
    pub(crate) video: Level,
    /// The breaks of VMAP documents for the item. Rule VMAP-1.
    pub(crate) vmap: BreakSchedule,
    /// The loop of the first pre-roll slot, if the player has one. Rule SCHED-1.
    pub(crate) looping: Option<Looping>,
    /// Where the ads of these fields have their places.
    pub(crate) known: KnownPlaces,
}

/// The ads of one level.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Level {
    /// Ordered by pod; slots of the same pod in the order of their creation.
    slots: Vec<Slot>,
}

/// One slot: a pod of a break, with its waterfall.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Slot {
    pub(crate) kind: AdPlacement,
    pub(crate) cue: Option<Cue>,
    pub(crate) pod: u32,
    /// How long an overlay is shown, in the unit of its cue, if its ad object says so. Rules AD-8,
    /// OVL-3.
    pub(crate) shows_for: Option<Decimal>,
    pub(crate) tags: Vec<Arc<str>>,
}

/// The level that a call names. Rules AD-10, AD-17.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LevelName {
    Player,
    Video,
}

/// The end of the waterfall to which tags are added. Rules AD-10, AD-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

impl AdSchedule {
    /// Creates a schedule without ads, for this device. Rule AD-7.
    #[must_use]
    pub fn new(device: Device, knobs: &KnobReader) -> AdSchedule {
        AdSchedule {
            device,
            knobs: knobs.clone(),
            player: Level::default(),
            video: Level::default(),
            vmap: BreakSchedule::default(),
            looping: None,
            known: KnownPlaces::default(),
        }
    }

    /// Adds ad objects of the player's settings. An invalid one is reported and left out.
    pub fn add_player_level(&mut self, ads: &[Value], out: &mut Outbox) {
        self.known.forget();
        self.player.add_all(ads, self.device, &self.knobs, out);
    }

    /// Begins a new item: its video-level ads replace those of the previous item, whose VMAP breaks
    /// are removed. Rules AD-13, VMAP-21.
    pub fn begin_item(&mut self, video_level: &[Value], out: &mut Outbox) {
        self.known.forget();
        self.video = Level::default();
        self.forget_breaks(out);
        self.rewind_loop();
        self.video
            .add_all(video_level, self.device, &self.knobs, out);
    }

    /// `setAd(ad, prepend, level)`. Does not affect breaks that have begun. Rules AD-10 to AD-17.
    ///
    /// # Errors
    ///
    /// `bad_ad`, with nothing added. Rules AD-2, AD-4, AD-17.
    pub fn set_ad(&mut self, args: &[Value], out: &mut Outbox) -> Result<Value, ApiError> {
        let mut arg = args.iter();
        let (ad, prepend, level) = (arg.next(), arg.next(), arg.next());
        let name = LevelName::read(level)?;
        let end = if prepend == Some(&Value::Bool(true)) {
            End::Front
        } else {
            End::Back
        };
        let ad = ad.unwrap_or(&Value::Undefined);
        let mut tell = |rule, code, text, instead: Option<&'static str>| {
            out.diag_with(rule, code, text, instead.map(Text::from))
        };
        let mut object = AdObject::read(ad, AdOrigin::Settings, &self.knobs, &mut tell)?;
        if object.pod.take().is_some_and(|pod| pod != 0) {
            out.diag(
                rules::AD_12,
                Code::PodIgnored,
                "pod is allowed in settings only; the tags go to pod 0",
            );
        }
        self.known.forget();
        let level = match name {
            LevelName::Player => &mut self.player,
            LevelName::Video => &mut self.video,
        };
        for slot in level.add(&object, self.device, end) {
            let data = Fields::one("level", name.word())
                .with("type", slot.kind.word())
                .with_some("cue", slot.cue.map(|cue| cue.to_string()))
                .with("pod", slot.pod)
                .with("tags", list(&slot.tags));
            out.line(rules::AD_16, AdLine::Waterfall, data);
        }
        Ok(Value::Undefined)
    }
}

impl Level {
    /// Whether the level has any tags.
    pub(super) fn has_tags(&self) -> bool {
        self.slots.iter().any(|slot| !slot.tags.is_empty())
    }

    /// The slots of a type.
    pub(crate) fn of(&self, kind: AdPlacement) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(move |slot| slot.kind == kind)
    }

    /// Returns the slots of a type, each with its index.
    pub(super) fn numbered(&self, kind: AdPlacement) -> impl Iterator<Item = (usize, &Slot)> {
        let all = self.slots.iter().enumerate();
        all.filter(move |(_, slot)| slot.kind == kind)
    }

    pub(super) fn slot(&self, index: usize) -> &Slot {
        &self.slots[index]
    }

    fn add_all(&mut self, ads: &[Value], device: Device, knobs: &KnobReader, out: &mut Outbox) {
        for value in ads {
            let mut tell = |rule, code, text, instead: Option<&'static str>| {
                out.diag_with(rule, code, text, instead.map(Text::from))
            };
            match AdObject::read(value, AdOrigin::Settings, knobs, &mut tell) {
                Ok(object) => {
                    self.add(&object, device, End::Back);
                }
                Err(error) => out.diag(error.rule, error.code, error.text),
            }
        }
    }

    /// Adds an object's tags to its slots, creating missing ones. Returns all slots of the object.
    fn add(&mut self, object: &AdObject, device: Device, at: End) -> Vec<&Slot> {
        let (pod, tags) = (object.pod.unwrap_or(0), object.tags(device));
        let mut cues: Vec<Option<Cue>> = object.cues.iter().copied().map(Some).collect();
        cues.dedup();
        if cues.is_empty() {
            cues.push(None);
        }
        // New slots come behind those of their pod.
        let end = self.slots.partition_point(|slot| slot.pod <= pod);
        let mut of_pod: BTreeMap<Option<Cue>, usize> = BTreeMap::new();
        for (index, slot) in self.numbered(object.kind) {
            if slot.pod == pod {
                of_pod.entry(slot.cue).or_insert(index);
            }
        }
        let mut new = Vec::new();
        for cue in &cues {
            of_pod.entry(*cue).or_insert_with(|| {
                new.push(Slot {
                    kind: object.kind,
                    cue: *cue,
                    pod,
                    shows_for: None,
                    tags: Vec::new(),
                });
                end + new.len() - 1
            });
        }
        self.slots.splice(end..end, new);
        for cue in &cues {
            let index = of_pod[cue];
            self.slots[index].shows_for = object.overlay_duration.or(self.slots[index].shows_for);
            // The tags of one call stay together in their order. AD-11
            let waterfall = &mut self.slots[index].tags;
            let at = match at {
                End::Front => 0,
                End::Back => waterfall.len(),
            };
            waterfall.splice(at..at, tags.iter().cloned());
        }
        cues.sort_unstable();
        let is_added = |slot: &&Slot| {
            slot.kind == object.kind && slot.pod == pod && cues.binary_search(&slot.cue).is_ok()
        };
        self.slots.iter().filter(is_added).collect()
    }
}

impl LevelName {
    fn read(value: Option<&Value>) -> Result<LevelName, ApiError> {
        match value {
            None | Some(Value::Undefined) => Ok(LevelName::Player),
            Some(value) => match value.as_text().map(|text| &**text) {
                Some("player") => Ok(LevelName::Player),
                Some("video") => Ok(LevelName::Video),
                Some(_) | None => Err(bad_ad(
                    rules::AD_17,
                    format!("level must be \"player\" or \"video\", not {value}"),
                )),
            },
        }
    }

    const fn word(self) -> &'static str {
        match self {
            LevelName::Player => "player",
            LevelName::Video => "video",
        }
    }
}

/// A list of URLs as a value for the trace.
pub(crate) fn list(tags: &[Arc<str>]) -> Value {
    Value::List(tags.iter().map(Value::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_api::{Decimal, Output};

    fn ad(kind: i64, tags: &[&'static str]) -> Fields {
        let tags = tags.iter().map(|tag| Value::from(*tag)).collect();
        Fields::one("adType", kind)
            .with("adTimeType", "s")
            .with("mobile", Value::List(tags))
    }

    fn object(fields: Fields) -> Value {
        Value::Map(fields)
    }

    fn diags(out: &mut Outbox) -> Vec<String> {
        let code = |output| {
            let Output::Line(line) = output else {
                panic!("a diagnostic is a line")
            };
            line.name().to_string()
        };
        out.take_diagnostics()
            .map(|item| code(item.output))
            .collect()
    }

    fn tags(schedule: &AdSchedule) -> Vec<Vec<String>> {
        let pods = schedule
            .pre_roll()
            .map(|plan| plan.pods)
            .unwrap_or_default();
        pods.iter()
            .map(|pod| pod.iter().map(ToString::to_string).collect())
            .collect()
    }

    #[test]
    fn prepended_tags_stay_together_in_front() {
        let (mut schedule, mut out) = (
            AdSchedule::new(Device::Desktop, &KnobReader::default()),
            Outbox::new(),
        );
        assert_eq!(schedule.pre_roll(), None);
        schedule.add_player_level(&[object(ad(0, &["x", "y"]))], &mut out);
        schedule
            .set_ad(&[object(ad(0, &["a", "b"])), true.into()], &mut out)
            .unwrap();
        schedule.set_ad(&[object(ad(0, &["z"]))], &mut out).unwrap();
        assert_eq!(tags(&schedule), [["a", "b", "x", "y", "z"]]);
        let line = out.pop().map(|item| item.output);
        let Some(Output::Line(line)) = line else {
            panic!("setAd writes a line")
        };
        assert_eq!(
            line.data().to_string(),
            r#"{"level":"player","type":"pre","pod":0,"tags":["a","b","x","y"]}"#
        );
    }

    #[test]
    fn a_video_level_ad_replaces_the_player_level_ads_of_its_type() {
        let (mut schedule, mut out) = (
            AdSchedule::new(Device::Desktop, &KnobReader::default()),
            Outbox::new(),
        );
        schedule.add_player_level(
            &[object(ad(0, &["p"])), object(ad(0, &["q"]).with("pod", 1))],
            &mut out,
        );
        schedule.begin_item(&[object(ad(2, &["post"]))], &mut out);
        assert_eq!(tags(&schedule), [["p"], ["q"]]);
        schedule
            .set_ad(
                &[object(ad(0, &["v"])), Value::Undefined, "video".into()],
                &mut out,
            )
            .unwrap();
        let plan = schedule.pre_roll().unwrap();
        assert_eq!((plan.pods.len(), plan.pods_at_player_level), (1, 2));
        assert_eq!(tags(&schedule), [["v"]]);
        schedule.begin_item(&[], &mut out);
        assert_eq!(tags(&schedule), [["p"], ["q"]]);
    }

    #[test]
    fn desktops_use_their_own_list_unless_it_is_empty() {
        let with_desktop = |tags| object(ad(0, &["m"]).with("desktop", Value::List(tags)));
        for (device, tag, expected) in [
            (Device::Desktop, Some("d"), "d"),
            (Device::Mobile, Some("d"), "m"),
            (Device::Desktop, None, "m"),
        ] {
            let mut schedule = AdSchedule::new(device, &KnobReader::default());
            let ad = with_desktop(tag.map(Value::from).into_iter().collect());
            schedule.add_player_level(&[ad], &mut Outbox::new());
            assert_eq!(tags(&schedule), [[expected]]);
        }
    }

    #[test]
    fn a_bad_ad_changes_nothing() {
        let (mut schedule, mut out) = (
            AdSchedule::new(Device::Desktop, &KnobReader::default()),
            Outbox::new(),
        );
        let bad = [
            Value::Undefined,
            object(Fields::NONE),
            object(ad(4, &["a"])),
            object(ad(0, &[])),
            object(Fields::one("adType", "0").with("adTagUrl", "a")),
            object(ad(0, &["a"]).with("desktop", "a")),
            object(ad(1, &["a"]).with("cuepoints", "5, x")),
        ];
        for ad in &bad {
            assert_eq!(
                schedule
                    .set_ad(std::slice::from_ref(ad), &mut out)
                    .unwrap_err()
                    .code,
                Code::BadAd,
                "{ad}"
            );
        }
        let level = [object(ad(0, &["a"])), Value::Undefined, "page".into()];
        assert_eq!(
            schedule.set_ad(&level, &mut out).unwrap_err().rule,
            rules::AD_17
        );
        schedule.add_player_level(&bad, &mut out);
        assert_eq!(diags(&mut out), ["bad_ad"; 7]);
        assert_eq!(schedule.pre_roll(), None);
        assert!(out.pop().is_none());
    }

    #[test]
    fn tolerated_mistakes_are_reported() {
        let (mut schedule, mut out) = (
            AdSchedule::new(Device::Desktop, &KnobReader::default()),
            Outbox::new(),
        );
        let alias = object(Fields::one("adType", 0).with("adTagUrl", "a"));
        schedule.set_ad(&[alias], &mut out).unwrap();
        assert_eq!(diags(&mut out), ["ad_tag_url"]);
        let mid = object(Fields::one("adType", 1).with("adTagUrl", Value::List(vec!["a".into()])));
        schedule.set_ad(&[mid], &mut out).unwrap();
        assert_eq!(diags(&mut out), ["ad_time_type", "ad_tag_url", "no_cue"]);
    }

    #[test]
    fn mid_rolls_share_a_waterfall_by_unit_and_value() {
        let (mut schedule, mut out) = (
            AdSchedule::new(Device::Desktop, &KnobReader::default()),
            Outbox::new(),
        );
        let five = Value::Number(Decimal::from_integer(5));
        schedule
            .set_ad(
                &[object(ad(1, &["a"]).with("cuepoints", "5, 10"))],
                &mut out,
            )
            .unwrap();
        schedule
            .set_ad(&[object(ad(1, &["b"]).with("cuepoints", five))], &mut out)
            .unwrap();
        let lines: Vec<String> = std::iter::from_fn(|| out.pop())
            .map(|item| {
                let Output::Line(line) = item.output else {
                    panic!("setAd writes lines")
                };
                line.data().to_string()
            })
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(
            lines[2],
            r#"{"level":"player","type":"mid","cue":"5s","pod":0,"tags":["a","b"]}"#
        );
    }
}
