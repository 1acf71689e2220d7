//! Companions: parts of an ad on the page next to the player, or an end card after its media.
//!
//! Companions get their slots before the media of the ad is requested, because an ad whose required
//! companions have no slot is not played.
//!
//! Rules: ADX-12 to ADX-17; VAST 4.3 section 3.13.

use std::sync::Arc;

use crate::error::{AdErrorCode, Failure, Reached};
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::hop::{Hop, HopIndex};
use crate::request::resource::{self, NoPlace, Unshown, fits};
use playsim_api::page::{CompanionSlot, Sides};
use playsim_api::{AdLine, Because, BreakKind, Cause, Fields, Outbox, Text, UiLine, Value};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{Companion, CompanionAds, RenderingMode, Required, Resource, TrackingEvent};

/// The companions of an ad and their slots.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Companions {
    placed: Arc<[Placed]>,
    /// The end card, shown after the media. Rule ADX-17.
    card: Option<Arc<Placed>>,
    refused: Arc<[Value]>,
    /// The faults that are reported to `Error` URLs. Rule ADX-14.
    unshown: Arc<[(Unshown, Text)]>,
    is_visible: bool,
}

/// A companion that has a slot.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Placed {
    /// The index of the document that it comes from.
    pub(crate) hop: HopIndex,
    pub(crate) companion: Companion,
    /// The slot on the page; empty for an end card.
    pub(crate) slot: Arc<str>,
    shows: Resource,
}

/// The space that is still available while companions are placed.
struct Room<'a> {
    sides: &'a Sides,
    /// The slot of each companion to come, in document order.
    slots: std::vec::IntoIter<Option<&'a CompanionSlot>>,
    /// Width and height of the player, for an end card; `None` if no card is shown.
    player: Option<(u64, u64)>,
    placed: Vec<Placed>,
    card: Option<Placed>,
    refused: Vec<Value>,
}

impl Companions {
    /// Places the companions of the ad at the end of these hops. `player` is the width and height
    /// of the player. Rule ADX-12.
    ///
    /// # Errors
    ///
    /// 602 if companions that the document requires have no slot. Rule ADX-13.
    pub(crate) fn place(
        hops: &[Hop],
        kind: BreakKind,
        sides: &Sides,
        player: (u64, u64),
    ) -> Result<Companions, Failure> {
        // In a display break the companions are the ad itself. VMAP-20
        if kind == BreakKind::Display {
            return Ok(Companions::default());
        }
        let groups = |hop: &Hop| hop.companions().any(|group| !group.companions.is_empty());
        let Some(index) = hops.iter().rposition(groups) else {
            return Ok(Companions::default());
        };
        let hop = &hops[index];
        let all = hop.companions().flat_map(|group| &group.companions);
        let mut room = Room {
            sides,
            slots: slots_of(all, sides).into_iter(),
            player: (kind != BreakKind::Overlay).then_some(player),
            placed: Vec::new(),
            card: None,
            refused: Vec::new(),
        };
        let mut unshown = Vec::new();
        for group in hop
            .companions()
            .filter(|group| !group.companions.is_empty())
        {
            unshown.extend(room.place_group(group, HopIndex(index), hop)?);
        }
        Ok(Companions {
            placed: room.placed.into(),
            card: room.card.map(Arc::new),
            refused: room.refused.into(),
            unshown: unshown.into(),
            is_visible: false,
        })
    }

    /// Logs the placement. Nothing is logged if the page has no slots and there is no end card.
    /// Rules ADX-12, ADX-14.
    pub(crate) fn log_choice(&self, hops: &[Hop], cx: &mut Scope<'_>) {
        let chosen = self.placed.iter().chain(self.card.as_deref());
        let chosen: Vec<Value> = chosen.map(|placed| Value::Map(placed.data(hops))).collect();
        if chosen.is_empty() && self.unshown.is_empty() {
            return;
        }
        let refused = (!self.refused.is_empty()).then(|| Value::List(self.refused.to_vec()));
        let data = Fields::one("companions", Value::List(chosen)).with_some("refused", refused);
        cx.out.line(rules::ADX_12, AdLine::SelectCompanions, data);
        for (fault, at) in self.unshown.iter() {
            let code = code(*fault);
            let data = Fields::one("code", code.number())
                .with("why", fault.why())
                .with("at", at.clone());
            let cause = cx.out.line(rules::ADX_14, AdLine::CompanionUnshown, data);
            cx.errors_by(
                Because {
                    rule: rules::ADX_14,
                    cause,
                },
                code,
                Reached::Media,
                hops,
            );
        }
    }

    /// Shows the companions as the ad starts. Rule ADX-15.
    pub(crate) fn show(&mut self, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        self.is_visible = true;
        for placed in self.placed.iter() {
            placed.show(
                Because {
                    rule: rules::ADX_15,
                    cause,
                },
                UiLine::Companion,
                ad,
                cx,
            );
        }
    }

    /// Hides the companions as the ad ends. Rule ADX-15.
    pub(super) fn hide(&mut self, rule: RuleId, out: &mut Outbox) {
        if std::mem::take(&mut self.is_visible) {
            for placed in self.placed.iter() {
                let data = Fields::one("slot", &placed.slot).with("visible", false);
                out.line(rule, UiLine::Companion, data);
            }
        }
    }

    /// Whether the companions are visible: they stay from one part of an ad to the next.
    pub(crate) fn is_visible(&self) -> bool {
        self.is_visible
    }

    /// The visible companion in this slot of the page.
    pub(crate) fn on_page(&self, slot: &str) -> Option<&Placed> {
        self.placed
            .iter()
            .find(|placed| self.is_visible && *placed.slot == *slot)
    }

    /// The end card. Rule ADX-17.
    pub(crate) fn card(&self) -> Option<&Arc<Placed>> {
        self.card.as_ref()
    }
}

impl Placed {
    fn data(&self, hops: &[Hop]) -> Fields {
        let slot = (!self.slot.is_empty()).then(|| Text::from(&self.slot));
        Fields::NONE
            .with_some("id", self.companion.id.as_ref().map(Text::from))
            .with_some("slot", slot)
            .with("hop", self.hop)
            .with("at", hops[self.hop.0].place(self.companion.at))
    }

    /// Shows the companion and calls its `creativeView` trackers. Rules ADX-15, ADX-17.
    pub(crate) fn show(
        &self,
        Because { rule, cause }: Because,
        name: UiLine,
        ad: CurrentAd<'_>,
        cx: &mut Scope<'_>,
    ) {
        let companion = &self.companion;
        let slot = (!self.slot.is_empty()).then(|| Text::from(&self.slot));
        let data = Fields::NONE
            .with_some("slot", slot)
            .with_some("id", companion.id.as_ref().map(Text::from))
            .with("visible", true)
            .with_some("width", companion.width)
            .with_some("height", companion.height)
            .and(resource::data(&self.shows));
        let cause = cx.out.line(Because { rule, cause }, name, data);
        let occasion = cx.occasion().with_ad(ad);
        let place = ad.hop(self.hop);
        for tracking in companion
            .tracking
            .iter()
            .filter(|tracking| tracking.event == TrackingEvent::CreativeView)
        {
            cx.call(
                Because { rule, cause },
                TrackingEvent::CreativeView.name(),
                place,
                &tracking.url,
                &occasion,
            );
        }
    }
}

impl Room<'_> {
    /// Places the companions of one `CompanionAds`. Returns the fault to report, and its place, if
    /// none can be shown.
    fn place_group(
        &mut self,
        group: &CompanionAds,
        hop: HopIndex,
        of: &Hop,
    ) -> Result<Option<(Unshown, Text)>, Failure> {
        let (mut shown, mut first, mut has_card) = (0, None, false);
        for companion in &group.companions {
            has_card |= is_card(companion);
            match self.place(companion, hop) {
                Ok(()) => shown += 1,
                Err(fault) => {
                    first.get_or_insert((fault, companion));
                    let data = Fields::NONE
                        .with_some("id", companion.id.as_ref().map(Text::from))
                        .with("why", fault.why())
                        .with("at", of.place(companion.at));
                    self.refused.push(Value::Map(data));
                }
            }
        }
        let Some((fault, companion)) = first else {
            return Ok(None);
        };
        let required = group.required.unwrap_or(Required::None);
        let is_met = match required {
            Required::All => false,
            Required::Any => shown > 0,
            Required::None => true,
        };
        if !is_met {
            let what = companion
                .id
                .as_deref()
                .map_or_else(|| "a companion".to_owned(), |id| format!("\"{id}\""));
            let why = format!(
                "required is \"{}\" but {what} cannot be shown: {}",
                required.word(),
                fault.why()
            );
            let failure = Failure::at(AdErrorCode::CompanionRequired, why, of.place(companion.at));
            return Err(failure.by(rules::ADX_13));
        }
        let is_told = shown == 0 && (has_card || !self.sides.companions.is_empty());
        Ok(is_told.then(|| (fault, of.place(companion.at))))
    }

    fn place(&mut self, companion: &Companion, hop: HopIndex) -> Result<(), Unshown> {
        let slot = self.slots.next().flatten();
        let shows = resource::choose(&companion.resources, self.sides)?.clone();
        let placed = |slot: Arc<str>| Placed {
            hop,
            companion: companion.clone(),
            slot,
            shows,
        };
        if is_card(companion) {
            let player = self.player.ok_or(Unshown::Place(NoPlace::NoMedia))?;
            if self.card.is_some() {
                return Err(Unshown::Place(NoPlace::Taken));
            }
            if !fits((companion.width, companion.height), player) {
                return Err(Unshown::Size);
            }
            self.card = Some(placed("".into()));
            return Ok(());
        }
        let slots = || self.sides.companions.iter();
        match slot {
            Some(slot) => {
                self.placed.push(placed(Arc::clone(&slot.id)));
                Ok(())
            }
            None => Err(if slots().any(|slot| has_room(companion, slot)) {
                Unshown::Place(NoPlace::Taken)
            } else if slots().any(|slot| may_use(companion, slot)) {
                Unshown::Size
            } else if self.sides.companions.is_empty() {
                Unshown::Place(NoPlace::NoSlots)
            } else {
                Unshown::Place(NoPlace::OtherSlots)
            }),
        }
    }
}

/// Gives slots of the page to companions, each at most one: first to those of exactly the size of
/// one, then to those that name one, then to the rest. End cards have no slot. Rule ADX-12.
fn slots_of<'a, 'c>(
    companions: impl Iterator<Item = &'c Companion>,
    sides: &'a Sides,
) -> Vec<Option<&'a CompanionSlot>> {
    let companions: Vec<&Companion> = companions.collect();
    let mut slots = vec![None; companions.len()];
    let mut free: Vec<&CompanionSlot> = sides.companions.iter().collect();
    let turns: [fn(&Companion, &CompanionSlot) -> bool; 3] = [
        |companion, slot| {
            (companion.width, companion.height) == (Some(slot.width), Some(slot.height))
        },
        |companion, _| companion.ad_slot_id.is_some(),
        |_, _| true,
    ];
    for has_turn in turns {
        for (companion, place) in companions.iter().zip(&mut slots) {
            let can_show = || resource::choose(&companion.resources, sides).is_ok();
            if free.is_empty() || place.is_some() || is_card(companion) || !can_show() {
                continue;
            }
            let takes =
                |slot: &&CompanionSlot| has_turn(companion, slot) && has_room(companion, slot);
            *place = free.iter().position(takes).map(|index| free.remove(index));
        }
    }
    slots
}

/// Whether a companion may be shown in a slot, if there is room for it: some ask for one by name.
fn may_use(companion: &Companion, slot: &CompanionSlot) -> bool {
    companion
        .ad_slot_id
        .as_ref()
        .is_none_or(|id| *id == slot.id)
}

/// Whether a companion may be shown in a slot, and fits into it.
fn has_room(companion: &Companion, slot: &CompanionSlot) -> bool {
    let area = (u64::from(slot.width), u64::from(slot.height));
    may_use(companion, slot) && fits((companion.width, companion.height), area)
}

fn is_card(companion: &Companion) -> bool {
    companion.rendering_mode == Some(RenderingMode::EndCard)
}

/// The code of a companion that cannot be shown. Rule ADX-14.
const fn code(fault: Unshown) -> AdErrorCode {
    match fault {
        Unshown::Nothing | Unshown::Unit | Unshown::Place(_) => AdErrorCode::Companion,
        Unshown::Size => AdErrorCode::CompanionSize,
        Unshown::Unreachable => AdErrorCode::CompanionFetch,
        Unshown::Type => AdErrorCode::CompanionType,
    }
}

#[cfg(test)]
mod tests;
