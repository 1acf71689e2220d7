//! Makes the plans of breaks from the ad objects in force.
//!
//! A plan is made when its break opens: ads added before that count, later ones do not.
//!
//! Rules: AD-8, AD-9, AD-13, AD-14, AD-18, CUE-1, CUE-2, CUE-8, OVL-1, OVL-3, PA-1, PA-6, PUSH-2,
//! REQ-15.

use std::sync::Arc;

use super::places::{PlacedSlots, Places};
use super::schedule::{AdSchedule, Level, Slot};
use super::{BreakPlan, DEFAULT_OVERLAY, Takes};
use crate::url::is_url;
use playsim_api::{
    AdObject, AdOrigin, AdPlacement, ApiError, BreakKind, Cue, CueUnit, Decimal, Outbox, Text,
    Value, bad_ad,
};
use playsim_base::time::{Position, Span};
use playsim_rules::knobs::{CuePercent, PushAdsSource};
use playsim_rules::{self as rules, RuleId};

/// Why no mid-roll comes in a live stream. Rule PRD-37.
pub(super) const NONE_IN_LIVE: &str = "this profile has no positions in a live stream";

/// The start of an overlay, and how far after it a seek still shows it. Rules OVL-1, OVL-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OverlaySlot {
    /// Where it starts.
    pub at: Position,
    /// How long it is shown, if its ad object says so; otherwise the default.
    pub window: Span,
}

impl AdSchedule {
    /// Whether any ads are in force for the item. Rule PLAY-18.
    #[must_use]
    pub fn has_ads(&self) -> bool {
        self.player.has_tags() || self.video.has_tags()
    }

    /// Whether any ads would be in force for an item with these video-level ads. Rule PLAY-18.
    #[must_use]
    pub fn has_other_ads(&self, video_level: &[Value]) -> bool {
        self.player.has_tags() || !video_level.is_empty()
    }

    /// The pre-roll break of the item; `None` if there are no tags. Rules AD-13, AD-18, REQ-15.
    #[must_use]
    pub fn pre_roll(&self) -> Option<BreakPlan> {
        let plan = self.plan(
            self.in_force(AdPlacement::Pre),
            AdPlacement::Pre,
            BreakKind::Pre,
            "first start of the item",
        )?;
        Some(self.as_loop(BreakPlan {
            takes: Takes::AdsOrSchedule,
            ..plan
        }))
    }

    /// The post-roll break of the item; `None` if there are no tags. Rules POST-1, REQ-15.
    #[must_use]
    pub fn post_roll(&self) -> Option<BreakPlan> {
        self.plan(
            self.in_force(AdPlacement::Post),
            AdPlacement::Post,
            BreakKind::Post,
            "end of the item",
        )
    }

    /// The pre-rolls again, on command. Rules PUSH-1, PUSH-2.
    #[must_use]
    pub fn pushed(&self) -> Option<BreakPlan> {
        let level = match self.knobs.push_ads_source() {
            PushAdsSource::Effective => self.in_force(AdPlacement::Pre),
            PushAdsSource::PlayerLevel => &self.player,
        };
        let plan = self.plan(level, AdPlacement::Pre, BreakKind::Command, "pushAds")?;
        Some(plan.because(rules::PUSH_1, "pushAds"))
    }

    /// The cue points of mid-roll ad objects in content of this duration, ascending; `None` for a
    /// live stream.
    ///
    /// Rules CUE-1, CUE-2, CUE-8.
    pub(super) fn object_cues(&self, duration: Option<Span>) -> Vec<Position> {
        let cues = self
            .in_force(AdPlacement::Mid)
            .of(AdPlacement::Mid)
            .filter_map(|slot| slot.cue);
        let mut positions: Vec<Position> = cues
            .filter_map(|cue| self.mid_roll_at(cue, duration))
            .filter(|at| *at > Position::ZERO)
            .collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The cues that cannot be reached in content of this duration, each with the rule and an
    /// explanation. Rule CUE-2.
    #[must_use]
    pub fn dropped_cues(&self, duration: Option<Span>) -> Vec<(Cue, RuleId, String)> {
        let mut dropped = Vec::new();
        for (kind, what) in [
            (AdPlacement::Mid, "mid-roll"),
            (AdPlacement::Overlay, "overlay"),
        ] {
            for cue in self.in_force(kind).of(kind).filter_map(|slot| slot.cue) {
                let at = match kind {
                    AdPlacement::Mid => self.mid_roll_at(cue, duration),
                    AdPlacement::Pre | AdPlacement::Post | AdPlacement::Overlay => {
                        self.position(cue, duration)
                    }
                };
                let is_never = at.is_none_or(|at| kind == AdPlacement::Mid && at == Position::ZERO);
                if is_never || !self.has_places(duration) {
                    let (rule, text) = self.why_unreachable(what, cue, duration);
                    dropped.push((cue, rule, text));
                }
            }
        }
        dropped
    }

    /// The mid-roll break at a position; cues at the same time are its pods. Rules CUE-8, REQ-15.
    pub(super) fn mid_roll(&self, at: Position, duration: Option<Span>) -> Option<BreakPlan> {
        let places = self.places(duration);
        let pods = waterfalls(self.slots_at(AdPlacement::Mid, &places.mid_rolls, at));
        let plan = BreakPlan::new(BreakKind::Mid, "cue point", pods);
        (!plan.pods.is_empty()).then_some(BreakPlan {
            cue: Some(at),
            pods_at_player_level: places.mid_rolls.most_at_player_level,
            ..plan
        })
    }

    /// The overlays with their starts, ascending. Rules AD-9, OVL-1, OVL-3.
    #[must_use]
    pub fn overlays(&self, duration: Option<Span>) -> Vec<OverlaySlot> {
        let in_force = self.in_force(AdPlacement::Overlay).of(AdPlacement::Overlay);
        let mut slots: Vec<OverlaySlot> = in_force
            .filter_map(|slot| {
                let cue = slot.cue?;
                let window = shown_for(slot.shows_for, cue.unit, duration);
                let window = window.unwrap_or(DEFAULT_OVERLAY);
                Some(OverlaySlot {
                    at: self.position(cue, duration)?,
                    window,
                })
            })
            .collect();
        slots.sort_unstable();
        slots.dedup_by_key(|slot| slot.at);
        slots
    }

    /// The overlay break at a position. Rules OVL-1, OVL-3, REQ-15.
    #[must_use]
    pub fn overlay(&self, at: Position, duration: Option<Span>) -> Option<BreakPlan> {
        let places = self.places(duration);
        let mut here = self.slots_at(AdPlacement::Overlay, &places.overlays, at);
        let slots = here.clone();
        let shows_for = here.find_map(|slot| shown_for(slot.shows_for, slot.cue?.unit, duration));
        let plan = BreakPlan::new(BreakKind::Overlay, "overlay start", waterfalls(slots));
        (!plan.pods.is_empty()).then_some(BreakPlan {
            cue: Some(at),
            shows_for,
            pods_at_player_level: places.overlays.most_at_player_level,
            ..plan
        })
    }

    /// The break of `playAd(ad)` over content of this duration; its tags form the only waterfall.
    /// Rules AD-18, PA-1, PA-6.
    ///
    /// # Errors
    ///
    /// `bad_ad` if it is neither an ad object nor the URL of an ad tag.
    pub fn commanded(
        &self,
        ad: Option<&Value>,
        duration: Option<Span>,
        out: &mut Outbox,
    ) -> Result<BreakPlan, ApiError> {
        let (tags, kind, shows_for) = match ad {
            Some(Value::Text(tag)) if is_url(tag) => {
                (vec![Arc::from(&**tag)], AdPlacement::Pre, None)
            }
            Some(Value::Text(tag)) => {
                let text =
                    format!("an ad tag must be a URL, like \"https://ads.test/a\", not \"{tag}\"");
                return Err(bad_ad(rules::PA_6, text));
            }
            other => {
                let mut tell = |rule, code, text, instead: Option<&'static str>| {
                    out.diag_with(rule, code, text, instead.map(Text::from))
                };
                let ad = other.unwrap_or(&Value::Undefined);
                let object = AdObject::read(ad, AdOrigin::Command, &self.knobs, &mut tell)
                    .map_err(|error| ApiError {
                        rule: rules::PA_6,
                        ..error
                    })?;
                let unit = object.cues.first().map_or(CueUnit::Seconds, |cue| cue.unit);
                let shows_for = shown_for(object.overlay_duration, unit, duration);
                (object.tags(self.device).to_vec(), object.kind, shows_for)
            }
        };
        let (kind, counted) = match kind {
            AdPlacement::Overlay => (BreakKind::Overlay, AdPlacement::Overlay),
            AdPlacement::Pre | AdPlacement::Mid | AdPlacement::Post => {
                (BreakKind::Command, AdPlacement::Pre)
            }
        };
        let plan = BreakPlan::new(kind, "playAd", vec![tags]).because(rules::PA_1, "playAd");
        Ok(BreakPlan {
            shows_for,
            pods_at_player_level: self.pods_of(counted),
            ..plan
        })
    }

    /// Returns the places of the ads in force.
    pub(super) fn places(&self, duration: Option<Span>) -> Arc<Places> {
        self.known.get(duration, || {
            let cues = self.object_cues(duration);
            let placed = |kind| {
                let of = |level: &Level| {
                    let slots = level.numbered(kind).filter_map(|(index, slot)| {
                        Some((index, self.position(slot.cue?, duration)?))
                    });
                    slots.collect::<Vec<_>>().into_iter()
                };
                PlacedSlots::of(of(self.in_force(kind)), of(&self.player))
            };
            Places {
                duration,
                mid_rolls: placed(AdPlacement::Mid),
                overlays: placed(AdPlacement::Overlay),
                vmap: self.vmap.placed(duration, &cues),
                cues,
            }
        })
    }

    /// Returns the slots of a type at a position.
    fn slots_at<'s>(
        &'s self,
        kind: AdPlacement,
        placed: &'s PlacedSlots,
        at: Position,
    ) -> impl Iterator<Item = &'s Slot> + Clone {
        let level = self.in_force(kind);
        placed.at(at).iter().map(|index| level.slot(*index))
    }

    /// The level whose ads of this type are in force: video level replaces player level type by
    /// type. Rule AD-13.
    fn in_force(&self, kind: AdPlacement) -> &Level {
        if self.video.of(kind).next().is_some() {
            &self.video
        } else {
            &self.player
        }
    }

    /// The position of a cue in content of this duration. `None` if it is before the start or not
    /// before the end, or a percentage that cannot be used: in a live stream, or by the knob. Rules
    /// CUE-1, CUE-2, PRD-4.
    fn position(&self, cue: Cue, duration: Option<Span>) -> Option<Position> {
        if cue.unit == CueUnit::Percent && self.knobs.cue_percent() != CuePercent::On {
            return None;
        }
        let at = span(cue.value, cue.unit, duration)?.end();
        duration
            .is_none_or(|duration| at < duration.end())
            .then_some(at)
    }

    /// Whether mid-rolls and overlays have places in content of this duration; `None` for a live
    /// stream, which has none in some profiles. Rule PRD-37.
    #[must_use]
    pub fn has_places(&self, duration: Option<Span>) -> bool {
        duration.is_some() || self.knobs.cue_live().is_on()
    }

    /// The position of a mid-roll's cue; `None` also if it is too close to the end. Rule PRD-5.
    fn mid_roll_at(&self, cue: Cue, duration: Option<Span>) -> Option<Position> {
        let at = self.position(cue, duration)?;
        self.is_early_enough(at, duration).then_some(at)
    }

    fn is_early_enough(&self, at: Position, duration: Option<Span>) -> bool {
        let threshold = self.knobs.midroll_end_threshold();
        let is_late = |duration: Span| threshold > Span::ZERO && at + threshold > duration.end();
        !duration.is_some_and(is_late)
    }

    fn why_unreachable(&self, what: &str, cue: Cue, duration: Option<Span>) -> (RuleId, String) {
        let (rule, why) = match duration {
            _ if cue.unit == CueUnit::Percent && self.knobs.cue_percent() != CuePercent::On => (
                rules::PRD_4,
                "cue points in percent are rejected (900)".to_owned(),
            ),
            _ if cue.value < Decimal::ZERO => (
                rules::CUE_2,
                "it is before the start of the content".to_owned(),
            ),
            _ if cue.value == Decimal::ZERO => {
                (rules::CUE_2, "only pre-rolls play at the start".to_owned())
            }
            Some(duration) if self.position(cue, Some(duration)).is_some() => {
                let threshold = self.knobs.midroll_end_threshold().in_seconds();
                (
                    rules::PRD_5,
                    format!("it is within the last {threshold} of the content"),
                )
            }
            Some(duration) => (
                rules::CUE_2,
                format!("the content lasts {}", duration.in_seconds()),
            ),
            None if !self.has_places(None) => (rules::PRD_37, NONE_IN_LIVE.to_owned()),
            None => (
                rules::CUE_2,
                "live content has no duration for a percentage".to_owned(),
            ),
        };
        (rule, format!("the {what} at {cue} is never reached: {why}"))
    }

    fn plan(
        &self,
        level: &Level,
        ads: AdPlacement,
        kind: BreakKind,
        why: &'static str,
    ) -> Option<BreakPlan> {
        let plan = BreakPlan::new(kind, why, waterfalls(level.of(ads)));
        let pods_at_player_level = self.pods_of(ads);
        (!plan.pods.is_empty()).then_some(BreakPlan {
            pods_at_player_level,
            ..plan
        })
    }

    /// How many pods of a type without cues the player-level settings have. Rule AD-18.
    fn pods_of(&self, kind: AdPlacement) -> u32 {
        count(self.player.of(kind).count())
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// One waterfall for each slot that has tags.
fn waterfalls<'a>(slots: impl Iterator<Item = &'a Slot>) -> Vec<Vec<Arc<str>>> {
    slots
        .filter(|slot| !slot.tags.is_empty())
        .map(|slot| slot.tags.clone())
        .collect()
}

/// How long an overlay is shown, if its ad object says so, in the unit of its start. Rules AD-8,
/// OVL-3.
fn shown_for(length: Option<Decimal>, unit: CueUnit, duration: Option<Span>) -> Option<Span> {
    span(length?, unit, duration)
}

/// A value in content of this duration; `None` if it is negative, or a percentage of an unknown
/// duration.
fn span(value: Decimal, unit: CueUnit, duration: Option<Span>) -> Option<Span> {
    let millionths = u64::try_from(value.millionths()).ok()?;
    match unit {
        CueUnit::Seconds => Some(Span::from_micros(millionths)),
        CueUnit::Percent => Some(duration?.share(millionths, 100_000_000)),
    }
}
