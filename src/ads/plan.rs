//! Which breaks the ads in force make: at which moment, with which waterfalls.
//!
//! A plan is made when its break opens, so that ads that came meanwhile count and later ones do not.
//!
//! Rules: AD-8, AD-9, AD-13, AD-14, AD-18, CUE-1, CUE-2, CUE-8, OVL-1, OVL-3, PA-1, PA-6, PUSH-2, REQ-15.

use std::sync::Arc;

use super::ad_object::{AdObject, AdType, Cue, CueUnit, bad_ad};
use super::overlay;
use super::schedule::{AdSchedule, Level, Slot};
use super::waterfall::is_address;
use super::{BreakKind, BreakPlan};
use crate::api::{ApiError, Decimal, Outbox, Text, Value};
use crate::knobs::PushAdsSource;
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span};

/// When an overlay begins, and until when a seek may still bring it. Rules OVL-1, OVL-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OverlaySlot {
    /// Where it begins.
    pub at: Position,
    /// How long it shows, as far as its ad object says.
    pub window: Span,
}

impl AdSchedule {
    /// Whether any ads are in force for the item. Rule PLAY-18.
    #[must_use]
    pub fn has_ads(&self) -> bool {
        self.player.has_tags() || self.video.has_tags()
    }

    /// Whether any would be for an item with these ads at video level. Rule PLAY-18.
    #[must_use]
    pub fn has_ads_beside(&self, video_level: &[Value]) -> bool {
        self.player.has_tags() || !video_level.is_empty()
    }

    /// The pre-roll break of the item; `None` if there is nothing to ask for. Rules AD-13, AD-18, REQ-15.
    #[must_use]
    pub fn pre_roll(&self) -> Option<BreakPlan> {
        let plan =
            self.plan(self.in_force(AdType::Pre), AdType::Pre, BreakKind::Pre, "first start of the item")?;
        Some(self.as_loop(BreakPlan { may_schedule: true, ..plan }))
    }

    /// The post-roll break of the item; `None` if there is nothing to ask for. Rules POST-1, REQ-15.
    #[must_use]
    pub fn post_roll(&self) -> Option<BreakPlan> {
        self.plan(self.in_force(AdType::Post), AdType::Post, BreakKind::Post, "end of the item")
    }

    /// The pre-rolls once more, on command. Rules PUSH-1, PUSH-2.
    #[must_use]
    pub fn pushed(&self) -> Option<BreakPlan> {
        let level = match self.knobs.push_ads_source {
            PushAdsSource::Effective => self.in_force(AdType::Pre),
            PushAdsSource::PlayerLevel => &self.player,
        };
        let plan = self.plan(level, AdType::Pre, BreakKind::Command, "pushAds")?;
        Some(plan.because(rule!("PUSH-1"), "pushAds"))
    }

    /// Where the mid-rolls of ad objects are due in content of this length, ascending; `None`: a live stream.
    ///
    /// Rules CUE-1, CUE-2, CUE-8.
    pub(super) fn object_cues(&self, duration: Option<Span>) -> Vec<Position> {
        let cues = self.in_force(AdType::Mid).of(AdType::Mid).filter_map(|slot| slot.cue);
        let mut positions: Vec<Position> = cues
            .filter_map(|cue| self.mid_roll_at(cue, duration))
            .filter(|at| *at > Position::ZERO)
            .collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The cues that can never be reached in content of this length, each with what a person should know.
    ///
    /// Rule CUE-2.
    #[must_use]
    pub fn dropped_cues(&self, duration: Option<Span>) -> Vec<(Cue, RuleId, String)> {
        let mut dropped = Vec::new();
        for (kind, what) in [(AdType::Mid, "mid-roll"), (AdType::Overlay, "overlay")] {
            for cue in self.in_force(kind).of(kind).filter_map(|slot| slot.cue) {
                let at = match kind {
                    AdType::Mid => self.mid_roll_at(cue, duration),
                    AdType::Pre | AdType::Post | AdType::Overlay => self.position(cue, duration),
                };
                if at.is_none_or(|at| kind == AdType::Mid && at == Position::ZERO) {
                    let (rule, text) = self.never_comes(what, cue, duration);
                    dropped.push((cue, rule, text));
                }
            }
        }
        dropped
    }

    /// The break of the mid-rolls at a position. Cues that fall on one time are its pods. Rules CUE-8, REQ-15.
    pub(super) fn mid_roll(&self, at: Position, duration: Option<Span>) -> Option<BreakPlan> {
        let is_here = |slot: &Slot| slot.cue.and_then(|cue| self.position(cue, duration)) == Some(at);
        let pods = waterfalls(self.in_force(AdType::Mid).of(AdType::Mid).filter(|slot| is_here(slot)));
        let plan = BreakPlan::new(BreakKind::Mid, "cue point", pods);
        let pods_at_player_level = self.most_at_one_moment(AdType::Mid, duration);
        (!plan.pods.is_empty()).then_some(BreakPlan { cue: Some(at), pods_at_player_level, ..plan })
    }

    /// When overlays are due, ascending. Rules AD-9, OVL-1, OVL-3.
    #[must_use]
    pub fn overlays(&self, duration: Option<Span>) -> Vec<OverlaySlot> {
        let in_force = self.in_force(AdType::Overlay).of(AdType::Overlay);
        let mut slots: Vec<OverlaySlot> = in_force
            .filter_map(|slot| {
                let cue = slot.cue?;
                let window = shown_for(slot.shows_for, cue.unit, duration);
                let window = window.unwrap_or(overlay::DEFAULT_LENGTH);
                Some(OverlaySlot { at: self.position(cue, duration)?, window })
            })
            .collect();
        slots.sort_unstable();
        slots.dedup_by_key(|slot| slot.at);
        slots
    }

    /// The break of the overlays at a position. Rules OVL-1, OVL-3, REQ-15.
    #[must_use]
    pub fn overlay(&self, at: Position, duration: Option<Span>) -> Option<BreakPlan> {
        let is_here = |slot: &&Slot| slot.cue.and_then(|cue| self.position(cue, duration)) == Some(at);
        let here: Vec<&Slot> = self.in_force(AdType::Overlay).of(AdType::Overlay).filter(is_here).collect();
        let shows_for = here.iter().find_map(|slot| shown_for(slot.shows_for, slot.cue?.unit, duration));
        let plan = BreakPlan::new(BreakKind::Overlay, "overlay start", waterfalls(here.into_iter()));
        let pods_at_player_level = self.most_at_one_moment(AdType::Overlay, duration);
        (!plan.pods.is_empty()).then_some(BreakPlan {
            cue: Some(at),
            shows_for,
            pods_at_player_level,
            ..plan
        })
    }

    /// The break of `playAd(ad)` over content of this length: its tags are the only waterfall. Rules AD-18,
    /// PA-1, PA-6.
    ///
    /// # Errors
    ///
    /// `bad_ad` if it is neither an ad object nor the address of an ad tag.
    pub fn commanded(
        &self,
        ad: Option<&Value>,
        duration: Option<Span>,
        out: &mut Outbox,
    ) -> Result<BreakPlan, ApiError> {
        let (tags, kind, shows_for) = match ad {
            Some(Value::Text(tag)) if is_address(tag) => (vec![Arc::from(&**tag)], AdType::Pre, None),
            Some(Value::Text(tag)) => {
                let text =
                    format!("the ad is \"{tag}\"; an ad tag is an address, like \"https://ads.test/a\"");
                return Err(bad_ad(rule!("PA-6"), text));
            }
            other => {
                let mut tell = |rule, code, text, instead: Option<&'static str>| {
                    out.diag_with(rule, code, text, instead.map(Text::from))
                };
                let object = AdObject::read(other.unwrap_or(&Value::Undefined), &self.knobs, &mut tell)
                    .map_err(|error| ApiError { rule: rule!("PA-6"), ..error })?;
                let unit = object.cues.first().map_or(CueUnit::Seconds, |cue| cue.unit);
                let shows_for = shown_for(object.overlay_duration, unit, duration);
                (object.tags(self.device).to_vec(), object.kind, shows_for)
            }
        };
        let (kind, counted) = match kind {
            AdType::Overlay => (BreakKind::Overlay, AdType::Overlay),
            AdType::Pre | AdType::Mid | AdType::Post => (BreakKind::Command, AdType::Pre),
        };
        let plan = BreakPlan::new(kind, "playAd", vec![tags]).because(rule!("PA-1"), "playAd");
        Ok(BreakPlan { shows_for, pods_at_player_level: self.pods_of(counted), ..plan })
    }

    /// Video level replaces player level type by type. Rule AD-13.
    fn in_force(&self, kind: AdType) -> &Level {
        if self.video.of(kind).next().is_some() { &self.video } else { &self.player }
    }

    /// Where a cue lies in content of this length; `None` if it lies before it or at its end, has no place in
    /// a live stream, or is a share and those do not count. Rules CUE-1, CUE-2, PRD-4.
    fn position(&self, cue: Cue, duration: Option<Span>) -> Option<Position> {
        if cue.unit == CueUnit::Percent && !self.knobs.cue_percent.is_on() {
            return None;
        }
        let at = span(cue.value, cue.unit, duration)?.end();
        duration.is_none_or(|duration| at < duration.end()).then_some(at)
    }

    /// The same of a mid-roll, which may be left out near the end. Rule PRD-5.
    fn mid_roll_at(&self, cue: Cue, duration: Option<Span>) -> Option<Position> {
        let at = self.position(cue, duration)?;
        self.is_early_enough(at, duration).then_some(at)
    }

    fn is_early_enough(&self, at: Position, duration: Option<Span>) -> bool {
        let threshold = self.knobs.midroll_end_threshold;
        let is_late = |duration: Span| threshold > Span::ZERO && at + threshold > duration.end();
        !duration.is_some_and(is_late)
    }

    fn never_comes(&self, what: &str, cue: Cue, duration: Option<Span>) -> (RuleId, String) {
        let (rule, why) = match duration {
            _ if cue.unit == CueUnit::Percent && !self.knobs.cue_percent.is_on() => {
                (rule!("PRD-4"), "places at a share of the content are refused (900)".to_owned())
            }
            Some(_) if cue.value <= Decimal::ZERO => (rule!("CUE-2"), "it lies behind the start".to_owned()),
            Some(duration) if self.position(cue, Some(duration)).is_some() => {
                let threshold = self.knobs.midroll_end_threshold.in_seconds();
                (rule!("PRD-5"), format!("it lies in the last {threshold} of the content"))
            }
            Some(duration) => (rule!("CUE-2"), format!("the content lasts {}", duration.in_seconds())),
            None => (rule!("CUE-2"), "the content is live".to_owned()),
        };
        (rule, format!("the {what} at {cue} never comes: {why}"))
    }

    fn plan(&self, level: &Level, ads: AdType, kind: BreakKind, why: &'static str) -> Option<BreakPlan> {
        let plan = BreakPlan::new(kind, why, waterfalls(level.of(ads)));
        let pods_at_player_level = self.pods_of(ads);
        (!plan.pods.is_empty()).then_some(BreakPlan { pods_at_player_level, ..plan })
    }

    /// How many pods the player-level settings hold of a type that has no cues. Rule AD-18.
    fn pods_of(&self, kind: AdType) -> u32 {
        count(self.player.of(kind).count())
    }

    /// How many pods of a type the player-level settings hold at one moment, at the most. Rule AD-18.
    fn most_at_one_moment(&self, kind: AdType, duration: Option<Span>) -> u32 {
        let mut moments: Vec<Position> = self
            .player
            .of(kind)
            .filter_map(|slot| slot.cue.and_then(|cue| self.position(cue, duration)))
            .collect();
        moments.sort_unstable();
        count(moments.chunk_by(|a, b| a == b).map(<[Position]>::len).max().unwrap_or(0))
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// One waterfall for each slot that has tags.
fn waterfalls<'a>(slots: impl Iterator<Item = &'a Slot>) -> Vec<Vec<Arc<str>>> {
    slots.filter(|slot| !slot.tags.is_empty()).map(|slot| slot.tags.clone()).collect()
}

/// How long an overlay shows whose ad object says so: its length has the unit of its start. Rules AD-8, OVL-3.
fn shown_for(length: Option<Decimal>, unit: CueUnit, duration: Option<Span>) -> Option<Span> {
    span(length?, unit, duration)
}

/// A length in content of this length; `None` if it is below zero, or a share of what has no known length.
fn span(value: Decimal, unit: CueUnit, duration: Option<Span>) -> Option<Span> {
    let millionths = u64::try_from(value.millionths()).ok()?;
    match unit {
        CueUnit::Seconds => Some(Span::from_micros(millionths)),
        CueUnit::Percent => Some(duration?.share(millionths, 100_000_000)),
    }
}
