//! Icons: small images over an ad that belong to programs such as AdChoices.
//!
//! One icon of each program is chosen when the ad is ready. It appears and disappears by the ad's
//! own clock.
//!
//! Rules: ADX-8, ADX-9; VAST 4.3 section 3.11.

use std::sync::Arc;

use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::hop::{self, Hop, HopIndex};
use crate::request::resource::{self, Unshown};
use playsim_api::page::Sides;
use playsim_api::{AdLine, Because, BreakKind, Cause, Fields, Outbox, Text, UiLine, Value};
use playsim_base::time::{Position, Span};
use playsim_rules as rules;
use playsim_vast::{Icon, Resource};

/// The icons of an ad.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Icons {
    chosen: Arc<[ChosenIcon]>,
    /// Icons that cannot be shown, or whose program already has one.
    refused: Arc<[Value]>,
    /// Ascending; those before `next` have been passed.
    marks: Vec<Mark>,
    next: usize,
    /// By index in `chosen`.
    visible: Vec<bool>,
}

/// An icon that is shown.
#[derive(Debug, Clone, Hash)]
pub(crate) struct ChosenIcon {
    /// The index of the document that it comes from.
    pub(crate) hop: HopIndex,
    pub(crate) icon: Icon,
    shows: Resource,
}

/// A position on the ad's clock at which an icon appears or disappears.
#[derive(Debug, Clone, Copy, Hash)]
struct Mark {
    at: Position,
    icon: usize,
    shows: bool,
}

impl Icons {
    /// Chooses among the icons of an ad and of the wrappers around it. Rule ADX-8.
    pub(crate) fn choose(hops: &[Hop], kind: BreakKind, sides: &Sides) -> Icons {
        let (mut chosen, mut refused): (Vec<ChosenIcon>, Vec<Value>) = (Vec::new(), Vec::new());
        for (index, hop) in hop::numbered(hops).rev() {
            for icon in hop.icons(kind) {
                let is_taken = |other: &&ChosenIcon| {
                    icon.program.is_some() && other.icon.program == icon.program
                };
                let why = if let Some(taken) = chosen.iter().find(is_taken) {
                    if taken.hop == index {
                        "another icon of this program in the same document is shown"
                    } else {
                        "an icon of this program nearer to the ad is shown"
                    }
                } else if icon.duration == Some(Span::ZERO) {
                    "its duration is zero"
                } else {
                    match resource::choose(&icon.resources, sides) {
                        Ok(resource) => {
                            let (icon, shows) = (icon.clone(), resource.clone());
                            chosen.push(ChosenIcon {
                                hop: index,
                                icon,
                                shows,
                            });
                            continue;
                        }
                        Err(fault) => Unshown::why(fault),
                    }
                };
                let data = Fields::NONE
                    .with_some("program", icon.program.as_ref().map(Text::from))
                    .with("hop", index)
                    .with("why", why)
                    .with("at", hop.place(icon.at));
                refused.push(Value::Map(data));
            }
        }
        let visible = vec![false; chosen.len()];
        Icons {
            marks: marks(&chosen),
            chosen: chosen.into(),
            refused: refused.into(),
            next: 0,
            visible,
        }
    }

    /// Logs the choice for an ad of this duration, and which icons are due too late to appear.
    /// Nothing is logged if the ad has no icons. Rules ADX-8, ADX-9.
    pub(crate) fn log_choice(&self, hops: &[Hop], length: Span, cx: &mut Scope<'_>) {
        if self.chosen.is_empty() && self.refused.is_empty() {
            return;
        }
        let chosen = self.chosen.iter().map(|chosen| {
            let icon = &chosen.icon;
            let is_late = icon.offset.is_some_and(|offset| offset >= length);
            Value::Map(
                Fields::NONE
                    .with_some("program", icon.program.as_ref().map(Text::from))
                    .with("hop", chosen.hop)
                    .with_some(
                        "never",
                        is_late.then_some("its offset is not before the end of the ad"),
                    )
                    .with("at", hops[chosen.hop.0].place(icon.at)),
            )
        });
        let data = Fields::one("icons", Value::List(chosen.collect()));
        let refused = (!self.refused.is_empty()).then(|| Value::List(self.refused.to_vec()));
        cx.out.line(
            rules::ADX_8,
            AdLine::SelectIcons,
            data.with_some("refused", refused),
        );
    }

    /// The position on the ad's clock at which the next icon appears or disappears.
    pub(super) fn next_at(&self) -> Option<Position> {
        self.marks.get(self.next).map(|mark| mark.at)
    }

    /// The ad's clock has reached this position. An icon whose whole time was passed over is not
    /// shown. Rule ADX-9.
    pub(crate) fn reach(
        &mut self,
        position: Position,
        cause: Cause,
        ad: CurrentAd<'_>,
        cx: &mut Scope<'_>,
    ) {
        while let Some(mark) = self
            .marks
            .get(self.next)
            .copied()
            .filter(|mark| mark.at <= position)
        {
            self.next += 1;
            let is_gone =
                |other: &Mark| other.icon == mark.icon && !other.shows && other.at <= position;
            match (mark.shows, self.visible[mark.icon]) {
                (true, false) if !self.marks.iter().any(is_gone) => {
                    self.show(mark.icon, cause, ad, cx)
                }
                (false, true) => self.hide(
                    mark.icon,
                    Because {
                        rule: rules::ADX_9,
                        cause,
                    },
                    &mut cx.out,
                ),
                (true, _) | (false, false) => {}
            }
        }
    }

    fn show(&mut self, index: usize, cause: Cause, ad: CurrentAd<'_>, cx: &mut Scope<'_>) {
        self.visible[index] = true;
        let chosen = &self.chosen[index];
        let (icon, hop) = (&chosen.icon, chosen.hop);
        let data = named(icon)
            .with("visible", true)
            .with_some("width", icon.width)
            .with_some("height", icon.height)
            .and(resource::data(&chosen.shows));
        let cause = cx.out.line(
            Because {
                rule: rules::ADX_9,
                cause,
            },
            UiLine::Icon,
            data,
        );
        let occasion = cx.occasion().with_ad(ad);
        let place = ad.hop(hop);
        for url in &icon.view_tracking {
            cx.call(
                Because {
                    rule: rules::ADX_9,
                    cause,
                },
                "iconView",
                place,
                url,
                &occasion,
            );
        }
    }

    fn hide(&mut self, index: usize, because: Because, out: &mut Outbox) {
        self.visible[index] = false;
        let data = named(&self.chosen[index].icon).with("visible", false);
        out.line(because, UiLine::Icon, data);
    }

    /// Hides all icons as the ad ends. Rule ADX-9.
    pub(super) fn hide_all(&mut self, because: Because, out: &mut Outbox) {
        self.next = self.marks.len();
        for index in 0..self.visible.len() {
            if self.visible[index] {
                self.hide(index, because, out);
            }
        }
    }

    /// The visible icon of this program; the empty string means an icon without a program.
    pub(crate) fn on_screen(&self, program: &str) -> Option<&ChosenIcon> {
        let shows = self
            .chosen
            .iter()
            .zip(&self.visible)
            .filter(|(_, visible)| **visible);
        let mut named = shows
            .filter(|(chosen, _)| chosen.icon.program.as_deref().unwrap_or_default() == program);
        named.next().map(|(chosen, _)| chosen)
    }
}

fn named(icon: &Icon) -> Fields {
    Fields::NONE.with_some("program", icon.program.as_ref().map(Text::from))
}

/// The positions at which icons appear and disappear, ascending; on a tie, disappearing comes
/// first.
fn marks(chosen: &[ChosenIcon]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (icon, chosen) in chosen.iter().enumerate() {
        let from = chosen
            .icon
            .offset
            .map_or(Position::ZERO, |offset| offset.end());
        marks.push(Mark {
            at: from,
            icon,
            shows: true,
        });
        if let Some(duration) = chosen.icon.duration {
            marks.push(Mark {
                at: from + duration,
                icon,
                shows: false,
            });
        }
    }
    marks.sort_by_key(|mark| (mark.at, mark.shows));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{ad, document};
    use playsim_vast::{CreativeKind, ResourceKind};

    fn icon(program: &str, content: &str, from_ms: u64, for_ms: u64) -> Icon {
        let mut icon = Icon {
            program: Some(program.into()),
            offset: Some(Span::from_millis(from_ms)),
            duration: (for_ms > 0).then(|| Span::from_millis(for_ms)),
            ..Icon::default()
        };
        if !content.is_empty() {
            icon.resources.push(Resource {
                kind: ResourceKind::Static,
                content: content.into(),
                mime: None,
                xml_encoded: None,
                at: icon.at,
            });
        }
        icon
    }

    fn hop(icons: Vec<Icon>) -> Hop {
        let mut ad = ad("a");
        let CreativeKind::Linear(linear) = &mut ad.creatives[0].kind else {
            panic!("the ad is not linear")
        };
        linear.icons = icons;
        Hop::new(&document(vec![ad]).into(), &"a.xml".into(), 0)
    }

    #[test]
    fn the_nearest_icon_of_each_program_is_chosen() {
        let outer = hop(vec![
            icon("A", "outer-a", 0, 0),
            icon("B", "outer-b", 0, 0),
            icon("C", "", 0, 0),
        ]);
        let inner = hop(vec![
            icon("A", "", 0, 0),
            icon("A", "inner-a", 0, 0),
            icon("A", "second", 0, 0),
        ]);
        let icons = Icons::choose(&[outer, inner], BreakKind::Pre, &Sides::default());
        let chosen: Vec<_> = icons
            .chosen
            .iter()
            .map(|it| (it.hop.0, &*it.shows.content))
            .collect();
        assert_eq!(chosen, [(1, "inner-a"), (0, "outer-b")]);
        assert_eq!(icons.refused.len(), 4);
        assert!(
            Icons::choose(&[hop(Vec::new())], BreakKind::Pre, &Sides::default())
                .next_at()
                .is_none()
        );
    }

    #[test]
    fn icons_follow_the_clock_and_disappear_first_on_a_tie() {
        let hop = hop(vec![icon("A", "a", 1_000, 2_000), icon("B", "b", 3_000, 0)]);
        let icons = Icons::choose(&[hop], BreakKind::Pre, &Sides::default());
        let marks: Vec<_> = icons
            .marks
            .iter()
            .map(|it| (it.at.micros() / 1_000, it.icon, it.shows))
            .collect();
        assert_eq!(
            marks,
            [(1_000, 0, true), (3_000, 0, false), (3_000, 1, true)]
        );
    }
}
