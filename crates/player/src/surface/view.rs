//! The player on its page: size, fullscreen, skin, visibility, sticky state, poster.
//!
//! Page code gets an event for each change, but only for actual changes. How much of the player is
//! in view and whether the page is hidden fire no event: they can only be queried, and the ads on
//! screen are informed.
//!
//! Rules: FS-1 to FS-7, VIEW-1 to VIEW-3, SKIN-1, SIZE-1 to SIZE-3, STICK-1 to STICK-3, ENV-1,
//! ENV-4, EDIT-52.

use std::sync::Arc;

use super::Surface;
use crate::Player;
use crate::api::calls::By;
use crate::api::config::Size;
use playsim_ads::AdNews;
use playsim_api::{ApiError, Code, Event, EventName, Fields, Outbox, PageChange, UiLine, Value};
use playsim_rules::knobs::{FullscreenEvent, FullscreenToggle};
use playsim_rules::{self as rules, RuleId};

/// The appearance of a player on its page.
#[derive(Debug, Clone, Hash)]
pub(crate) struct View {
    size: Size,
    is_fullscreen: bool,
    sticky: Sticky,
    /// The skin chosen last; `None`: the initial one.
    skin: Option<i64>,
    /// The poster from the configuration, in place of the records' images. Rule INIT-10.
    poster: Option<Arc<str>>,
}

/// Whether the player stays visible when the page is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Sticky {
    Off,
    On,
    /// The user closed it: scrolling does not make it sticky again. Rule STICK-2.
    Closed,
}

impl View {
    pub(crate) fn new(size: Size, poster: Option<Arc<str>>) -> View {
        View {
            size,
            is_fullscreen: false,
            sticky: Sticky::Off,
            skin: None,
            poster,
        }
    }

    /// Whether the player is in fullscreen. Rule FS-3.
    pub(crate) fn is_fullscreen(&self) -> bool {
        self.is_fullscreen
    }

    /// Width and height in a window of the given width and height.
    pub(super) fn pixels(&self, window: (u32, u32)) -> (u64, u64) {
        self.size.in_window(window)
    }

    /// `changeSkin(id)`. The available skins are not documented, except that a negative id cannot
    /// be one.
    ///
    /// # Errors
    ///
    /// `bad_argument` for anything but an integer. Rule SKIN-1.
    pub(crate) fn change_skin(
        &mut self,
        id: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let rule = rules::SKIN_1;
        let Some(id) = id.and_then(Value::as_integer) else {
            let text = "changeSkin(id) takes the id of a skin, an integer";
            return Err(ApiError {
                code: Code::BadArgument,
                text: text.into(),
                rule,
            });
        };
        out.decide(rule);
        if id < 0 {
            out.diag(
                rule,
                Code::UnknownSkin,
                format!("unknown skin {id}; it is set anyway"),
            );
        }
        let before = self.skin.replace(id);
        out.line(
            rule,
            UiLine::Skin,
            Fields::one("id", id).with_some("before", before),
        );
        Ok(Value::Undefined)
    }

    /// Scrolling makes the player sticky, or ends that. Rules STICK-1 to STICK-3.
    fn scroll(&mut self, sticky: bool, out: &mut Outbox) {
        match (self.sticky, sticky) {
            (Sticky::Off, true) => self.stick(Sticky::On, false, out),
            (Sticky::On, false) => self.stick(Sticky::Off, false, out),
            (Sticky::Closed, true) => {
                let text = "the user has closed the sticky player, so it stays closed";
                out.diag(rules::STICK_2, Code::StickyClosed, text);
            }
            (Sticky::Off | Sticky::Closed, false) | (Sticky::On, true) => {}
        }
    }

    /// The user closes the sticky player. `false` if it is not sticky. Rules STICK-1, STICK-2.
    pub(super) fn close_sticky(&mut self, out: &mut Outbox) -> bool {
        let is_open = self.sticky == Sticky::On;
        if is_open {
            self.stick(Sticky::Closed, true, out);
        }
        is_open
    }

    fn stick(&mut self, sticky: Sticky, interaction: bool, out: &mut Outbox) {
        self.sticky = sticky;
        let data = Fields::one("sticky", sticky == Sticky::On).with("interaction", interaction);
        out.event(
            rules::STICK_1,
            Event {
                name: EventName::StickyChange,
                data,
            },
        );
    }
}

impl Player {
    /// Applies a change of the page, even before `ready`. Rules ENV-1, EV-1.
    pub(crate) fn page_changes(&mut self, change: PageChange, out: &mut Outbox) {
        if self.is_destroyed() {
            return;
        }
        match change {
            PageChange::InView(percent) => {
                self.surface.situation.in_view = percent;
                self.report_visibility(out);
            }
            PageChange::Window(width, height) => {
                let change = |surface: &mut Surface| surface.situation.window = (width, height);
                self.surface.change_size(change, rules::SIZE_3, out);
            }
            PageChange::Sticky(sticky) => self.surface.view.scroll(sticky, out),
            PageChange::Fullscreen(fullscreen) => {
                let rule = if fullscreen { rules::FS_4 } else { rules::FS_6 };
                self.change_fullscreen(fullscreen, None, rule, out);
            }
            PageChange::Hidden(hidden) => {
                self.surface.situation.is_hidden = hidden;
                self.report_visibility(out);
            }
            PageChange::Rate(rate) => self.set_rate(rate, out),
        }
    }

    /// `toggleFullScreen()`, or the user's button. Returns the resulting state.
    ///
    /// Rules FS-1, FS-2, FS-5.
    pub(crate) fn toggle_fullscreen(&mut self, by: By, out: &mut Outbox) -> Value {
        let enters_only = self.settings.knobs.fullscreen_toggle() == FullscreenToggle::EnterOnly;
        if self.surface.view.is_fullscreen {
            out.decide(rules::FS_2);
            // The user's button in fullscreen always leaves it, whatever the call does.
            if !enters_only || by == By::Person {
                self.change_fullscreen(false, Some(by), rules::FS_4, out);
            }
        } else if let Some(reason) = self.surface.fullscreen_refusal(out.now(), &self.settings) {
            out.decide(rules::FS_5);
            out.diag(rules::FS_5, Code::FullscreenRefused, reason);
        } else {
            out.decide(rules::FS_1);
            let settings = Arc::clone(&self.settings);
            self.surface.consume("fullscreen", &settings.knobs, out);
            self.change_fullscreen(true, Some(by), rules::FS_4, out);
        }
        self.surface.view.is_fullscreen.into()
    }

    /// Another player of the page has taken the screen, or given it back. Rule FS-8.
    pub fn note_fullscreen(&mut self, fills: bool, out: &mut Outbox) {
        if !self.is_destroyed() {
            self.change_fullscreen(fills, None, rules::FS_8, out);
            self.come_to_rest(out.now());
        }
    }

    /// Whether the player is the page's fullscreen element. Rules FS-3, FS-8.
    #[must_use]
    pub fn is_fullscreen(&self) -> bool {
        self.surface.view.is_fullscreen() && !self.is_destroyed()
    }

    /// Enters or leaves fullscreen; `by` is `None` for the browser itself, as with the escape key.
    /// This does not count as a change of size. Rules FS-4, FS-6, FS-7.
    fn change_fullscreen(
        &mut self,
        fullscreen: bool,
        by: Option<By>,
        rule: RuleId,
        out: &mut Outbox,
    ) {
        if fullscreen == self.surface.view.is_fullscreen {
            return;
        }
        self.surface.view.is_fullscreen = fullscreen;
        let is_reported = match self.settings.knobs.fullscreen_event() {
            FullscreenEvent::AnyChange => true,
            FullscreenEvent::ButtonOnly => by == Some(By::Person),
        };
        let cause = if is_reported {
            out.event(rule, EventName::FullscreenChange)
        } else {
            out.cause()
        };
        self.notify_ad(AdNews::Fullscreen(fullscreen), cause, out);
        if !fullscreen {
            self.offer_display(out);
        }
    }

    /// Shows the poster of the item in use, if there is one. Rules EDIT-52, INIT-10.
    pub(crate) fn show_poster(&self, out: &mut Outbox) {
        let own = self.surface.view.poster.as_ref();
        let rule = if own.is_some() {
            rules::INIT_10
        } else {
            rules::EDIT_52
        };
        let of_item = || {
            self.items
                .playlist
                .video()
                .and_then(|video| video.image.as_ref())
        };
        if let Some(url) = own.or_else(of_item) {
            out.line(rule, UiLine::Poster, Fields::one("url", url));
        }
    }
}

impl Surface {
    /// `resize(width, height)`. From then on, changes of the window's size have no effect on the
    /// player's.
    ///
    /// # Errors
    ///
    /// `bad_argument` without two non-negative integers. Rule SIZE-2.
    pub(crate) fn resize(&mut self, args: &[Value], out: &mut Outbox) -> Result<Value, ApiError> {
        let side = |index: usize| u64::try_from(args.get(index)?.as_integer()?).ok();
        let (Some(width), Some(height)) = (side(0), side(1)) else {
            let text = "resize(width, height) takes two non-negative integers, in pixels";
            return Err(ApiError {
                code: Code::BadArgument,
                text: text.into(),
                rule: rules::SIZE_2,
            });
        };
        out.decide(rules::SIZE_1);
        let size = Size::of_pixels(width, height);
        self.change_size(|surface| surface.view.size = size, rules::SIZE_1, out);
        Ok(Value::Undefined)
    }
}
