//! User actions on the attachments of an ad: icons, companions, invitations, closing.
//!
//! Rules: ADX-4, ADX-10, ADX-11, ADX-16, ADX-17, ADX-19, ADX-22; VAST 4.3 sections 3.11, 3.13,
//! 3.14.

use super::AdBreak;
use super::interaction::leads_to;
use super::state::{Stage, State};
use crate::report::context::{Context, Scope};
use crate::report::macros::CurrentAd;
use crate::request::hop::Hop;
use crate::request::resource::{self, fits};
use crate::show::attachments::Attachments;
use crate::show::companions::Placed;
use crate::show::icons::ChosenIcon;
use crate::show::overlay::{Form, OverlayAd};
use playsim_api::{Because, Fields, Interaction, UiLine};
use playsim_base::time::Time;
use playsim_rules as rules;
use playsim_vast::TrackingEvent;

/// The effect of a user action on an ad for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// There is nothing to act on.
    NotOffered,
    /// The action was carried out; playback is not affected.
    Told,
    /// The ad on screen has to pause.
    Pauses,
    /// The ad that was paused for the action has to resume.
    Resumes,
}

impl AdBreak {
    /// The player came into the user's view or left it. Rule ADX-4.
    pub fn see(&mut self, now: Time, is_seen: bool) {
        match &mut self.state {
            State::Ad { ad, .. } => ad.see(now, is_seen),
            State::Overlay { ad, .. } => ad.see(now, is_seen),
            State::EndCard { .. } | State::Loading { .. } | State::Over { .. } => {}
        }
    }

    /// The user closes the fallback image over an ad or the end card after it. Rules ADX-11,
    /// ADX-17.
    pub fn close_attachment(&mut self, cx: &mut Context<'_>) -> Reaction {
        let cx = &mut self.enter(cx);
        match &self.state {
            // Resuming the ad closes the image.
            State::Ad {
                ad,
                stage: Stage::Paused,
            } if ad.attachments().has_fallback() => Reaction::Resumes,
            State::EndCard { .. } => {
                self.end_card_over(Some(cx.out.cause()), cx);
                Reaction::Told
            }
            State::Ad { .. }
            | State::Loading { .. }
            | State::Overlay { .. }
            | State::Over { .. } => Reaction::NotOffered,
        }
    }

    /// The user clicks on the icon of a program. Rules ADX-10, ADX-11.
    pub fn click_icon(&mut self, program: &str, cx: &mut Context<'_>) -> Reaction {
        let cx = &mut self.enter(cx);
        let Some((attachments, ad)) = self.on_screen(cx.now()) else {
            return Reaction::NotOffered;
        };
        let Some(ChosenIcon { hop, icon, .. }) = attachments.icons.on_screen(program) else {
            return Reaction::NotOffered;
        };
        let cause = cx.out.cause();
        let place = ad.hop(*hop);
        let occasion = cx.occasion().with_ad(ad).with_click(None);
        for url in &icon.clicks.tracking {
            cx.call(
                Because {
                    rule: rules::ADX_10,
                    cause,
                },
                "iconClickTracking",
                place,
                url,
                &occasion,
            );
        }
        let through = icon.clicks.through.as_ref().filter(|url| leads_to(url));
        if let Some(through) = through.filter(|_| cx.around.sides.opens_pages) {
            cx.navigate(
                Because {
                    rule: rules::ADX_10,
                    cause,
                },
                &through.text,
                &occasion,
            );
            return Reaction::Pauses;
        }
        let area = cx.around.size;
        let image = icon.fallback_images.iter().find_map(|image| {
            let shows = resource::choose(&image.resources, cx.around.sides).ok()?;
            let size = Fields::NONE
                .with_some("width", image.width)
                .with_some("height", image.height);
            fits((image.width, image.height), area).then(|| size.and(resource::data(shows)))
        });
        match (image, &mut self.state) {
            (Some(image), State::Ad { ad, .. }) => {
                ad.attachments_mut().open_fallback(image, cause, cx);
                Reaction::Pauses
            }
            (Some(_) | None, _) => Reaction::Told,
        }
    }

    /// The user clicks on the companion in a slot of the page. Rule ADX-16.
    pub fn click_companion(&mut self, slot: &str, cx: &mut Context<'_>) -> Reaction {
        let cx = &mut self.enter(cx);
        let Some((attachments, ad)) = self.on_screen(cx.now()) else {
            return Reaction::NotOffered;
        };
        let Some(placed) = attachments.companions.on_page(slot) else {
            return Reaction::NotOffered;
        };
        click(placed, ad, cx);
        Reaction::Told
    }

    /// The user clicks on the end card. `false` if none is visible. Rule ADX-16.
    pub(super) fn click_card(&self, cx: &mut Scope<'_>) -> bool {
        let (Some(card), State::EndCard { ad, .. }) = (self.card(), &self.state) else {
            return false;
        };
        click(&card, ad.at_hand(cx.now()), cx);
        true
    }

    /// Any user action on the ad other than a click on it or a control of the player. Rules ADX-19,
    /// ADX-22.
    pub fn interact(&mut self, what: Interaction, cx: &mut Context<'_>) -> Reaction {
        let cx = &mut self.enter(cx);
        // The media is over; only actions on the end card are possible. ADX-17
        if self.card().is_some() {
            return Reaction::NotOffered;
        }
        let names: &[TrackingEvent] = match (what, self.is_overlay()) {
            (Interaction::Accept, false) => &[
                TrackingEvent::AcceptInvitation,
                TrackingEvent::AcceptInvitationLinear,
            ],
            (Interaction::Accept, true) => &[TrackingEvent::AcceptInvitation],
            (Interaction::Other, _) => &[TrackingEvent::OtherAdInteraction],
            (Interaction::CustomClick, _) => return self.click_custom(cx),
            (Interaction::Expand, _) => {
                return self.reshape(
                    Form::Expanded,
                    &[TrackingEvent::AdExpand, TrackingEvent::Expand],
                    cx,
                );
            }
            (Interaction::Collapse, _) => {
                return self.reshape(
                    Form::Plain,
                    &[TrackingEvent::AdCollapse, TrackingEvent::Collapse],
                    cx,
                );
            }
            (Interaction::Minimize, _) => {
                return self.reshape(Form::Minimized, &[TrackingEvent::Minimize], cx);
            }
        };
        let cause = cx.out.cause();
        let Some((_, ad)) = self.on_screen(cx.now()) else {
            return Reaction::NotOffered;
        };
        for name in names {
            cx.track(
                Because {
                    rule: rules::ADX_19,
                    cause,
                },
                *name,
                ad,
            );
        }
        if what == Interaction::Accept {
            Reaction::Pauses
        } else {
            Reaction::Told
        }
    }

    /// A click that the ad handles on its own. Rule ADX-19.
    fn click_custom(&self, cx: &mut Scope<'_>) -> Reaction {
        let cause = cx.out.cause();
        let Some((_, ad)) = self.on_screen(cx.now()) else {
            return Reaction::NotOffered;
        };
        let occasion = cx.occasion().with_ad(ad).with_click(None);
        let kind = cx.kind;
        let custom = |hop| Hop::clicks(hop, kind).flat_map(|clicks| &clicks.custom);
        cx.call_each(
            Because {
                rule: rules::ADX_19,
                cause,
            },
            TrackingEvent::CustomClick,
            ad.hops,
            custom,
            &occasion,
        );
        Reaction::Told
    }

    /// Expands, collapses or minimizes the visible overlay. Rule ADX-22.
    fn reshape(&mut self, form: Form, names: &[TrackingEvent], cx: &mut Scope<'_>) -> Reaction {
        let cause = cx.out.cause();
        let State::Overlay {
            ad,
            is_visible: true,
        } = &mut self.state
        else {
            return Reaction::NotOffered;
        };
        let may = match form {
            Form::Plain => ad.form() == Form::Expanded,
            Form::Expanded | Form::Minimized => ad.form() != form,
        };
        if !may {
            return Reaction::NotOffered;
        }
        for name in names {
            ad.track(
                Because {
                    rule: rules::ADX_22,
                    cause,
                },
                *name,
                cx,
            );
        }
        ad.become_form(form, cause, cx);
        log_form(form, ad, cx);
        Reaction::Told
    }

    fn is_overlay(&self) -> bool {
        self.state.overlay().is_some()
    }

    /// Icons or the viewability measurement of the visible overlay have reached their next instant.
    /// Rules ADX-4, ADX-9.
    pub(super) fn wake_attachments(&mut self, cx: &mut Scope<'_>) {
        if let State::Overlay {
            ad,
            is_visible: true,
        } = &mut self.state
        {
            ad.with_attachments(ad.cause(), Attachments::wake, cx);
        }
    }

    /// Returns the attachments of the ad on screen, and the facts about that ad for macros.
    fn on_screen(&self, now: Time) -> Option<(&Attachments, CurrentAd<'_>)> {
        match &self.state {
            State::Ad {
                ad,
                stage: Stage::Playing | Stage::Paused,
            }
            | State::EndCard { ad, .. } => Some((ad.attachments(), ad.at_hand(now))),
            State::Overlay {
                ad,
                is_visible: true,
            } => Some((ad.attachments(), ad.at_hand(now))),
            State::Ad {
                stage: Stage::Preparing | Stage::Ready | Stage::Starting | Stage::Leaving,
                ..
            }
            | State::Overlay {
                is_visible: false, ..
            }
            | State::Loading { .. }
            | State::Over { .. } => None,
        }
    }
}

/// Handles a click on a companion: calls its trackers and navigates to its click-through URL. Rule
/// ADX-16.
fn click(placed: &Placed, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
    let cause = cx.out.cause();
    let clicks = &placed.companion.clicks;
    let occasion = cx.occasion().with_ad(ad).with_click(None);
    let place = ad.hop(placed.hop);
    for url in &clicks.tracking {
        cx.call(
            Because {
                rule: rules::ADX_16,
                cause,
            },
            "companionClickTracking",
            place,
            url,
            &occasion,
        );
    }
    if let Some(through) = clicks.through.as_ref().filter(|url| leads_to(url)) {
        cx.navigate(
            Because {
                rule: rules::ADX_16,
                cause,
            },
            &through.text,
            &occasion,
        );
    }
}

/// Logs the new shape of an overlay that was expanded, collapsed or minimized. Rule ADX-22.
fn log_form(form: Form, ad: &OverlayAd, cx: &mut Scope<'_>) {
    let overlay = ad.hops().last().and_then(|hop| hop.overlay());
    let size = overlay.map(|overlay| match form {
        Form::Expanded => (overlay.expanded_width, overlay.expanded_height),
        Form::Plain => (overlay.width, overlay.height),
        Form::Minimized => (None, None),
    });
    let (width, height) = size.unwrap_or_default();
    let data = Fields::one("form", form.word())
        .with_some("width", width)
        .with_some("height", height);
    cx.out.line(rules::ADX_22, UiLine::Overlay, data);
}
