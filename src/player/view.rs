//! What is around the picture: size, fullscreen, skin, visibility, sticky state, poster.
//!
//! What changes is seen by page code in an event of its own, and only when it really changes. How much of
//! the player is in view, and whether the page is hidden, changes nothing here: it is only asked, and told to
//! the ads that are on.
//!
//! Rules: FS-1 to FS-7, VIEW-1 to VIEW-3, SKIN-1, SIZE-1 to SIZE-3, STICK-1 to STICK-3, ENV-1, ENV-4, EDIT-52.

use super::calls::By;
use super::*;
use crate::ads::AdNews;
use crate::knobs::{FullscreenEvent, FullscreenToggle};

/// How a player stands on its page.
#[derive(Debug, Clone)]
pub(super) struct View {
    size: Size,
    is_fullscreen: bool,
    sticky: Sticky,
    /// The skin that was chosen last; `None`: the one it came with.
    skin: Option<i64>,
    /// The configuration's picture, in place of the records'. Rule INIT-10.
    poster: Option<Arc<str>>,
}

/// Whether the player stays in sight when the page is scrolled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sticky {
    Off,
    On,
    /// The person closed it: scrolling does not bring it back. Rule STICK-2.
    Closed,
}

/// The first percentage that counts as being in view: the constant `view.threshold`. Rule VIEW-1.
const IN_VIEW_PERCENT: Decimal = Decimal::from_integer(50);

impl View {
    pub(super) fn new(size: Size, poster: Option<Arc<str>>) -> View {
        View { size, is_fullscreen: false, sticky: Sticky::Off, skin: None, poster }
    }
}

impl Player {
    /// Rule FS-3.
    pub(super) fn is_fullscreen(&self) -> bool {
        self.view.is_fullscreen
    }

    /// Rule VIEW-1.
    pub(super) fn is_in_view(&self) -> bool {
        self.situation.in_view >= IN_VIEW_PERCENT
    }

    /// The surroundings change; before `ready` too. Rules ENV-1, EV-1.
    pub(super) fn page_changes(&mut self, now: Time, change: PageChange, out: &mut Outbox) {
        if self.is_destroyed() {
            return;
        }
        match change {
            PageChange::InView(percent) => {
                self.situation.in_view = percent;
                self.tell_sight(now);
            }
            PageChange::Window(width, height) => {
                let before = self.pixels();
                self.situation.window = (width, height);
                self.tell_size(before, rule!("SIZE-3"), out);
            }
            PageChange::Sticky(sticky) => self.scroll(sticky, out),
            PageChange::Fullscreen(fullscreen) => {
                let rule = if fullscreen { rule!("FS-4") } else { rule!("FS-6") };
                self.change_fullscreen(now, fullscreen, None, rule, out);
            }
            PageChange::Hidden(hidden) => {
                self.situation.is_hidden = hidden;
                self.tell_sight(now);
            }
            PageChange::Rate(rate) => self.set_rate(now, rate, out),
        }
    }

    /// `toggleFullScreen()`, or the person's button. Gives the state that results.
    ///
    /// Rules FS-1, FS-2, FS-5.
    pub(super) fn toggle_fullscreen(&mut self, now: Time, by: By, out: &mut Outbox) -> Value {
        let enters_only = self.settings.knobs.fullscreen_toggle == FullscreenToggle::EnterOnly;
        if self.is_fullscreen() {
            out.decide(rule!("FS-2"));
            // The button that the person sees in fullscreen is one to leave it, whatever the call does.
            if !enters_only || by == By::Person {
                self.change_fullscreen(now, false, Some(by), rule!("FS-4"), out);
            }
        } else if let Some(reason) = self.fullscreen_refusal() {
            out.decide(rule!("FS-5"));
            out.diag(rule!("FS-5"), "fullscreen_refused", reason);
        } else {
            out.decide(rule!("FS-1"));
            self.change_fullscreen(now, true, Some(by), rule!("FS-4"), out);
        }
        self.is_fullscreen().into()
    }

    /// Why the browser does not let the player fill the screen. Rule FS-5.
    fn fullscreen_refusal(&self) -> Option<&'static str> {
        let page = &self.settings.page;
        if !page.allows_fullscreen {
            Some("the page may not fill the screen")
        } else if page.requires_gesture() && self.situation.gesture.is_none() {
            Some("a page fills the screen only after a gesture of the person")
        } else {
            None
        }
    }

    /// Without `by` it is the browser, as with the escape key. Rules FS-4, FS-6, FS-7: no change of size by
    /// itself.
    fn change_fullscreen(
        &mut self,
        now: Time,
        fullscreen: bool,
        by: Option<By>,
        rule: RuleId,
        out: &mut Outbox,
    ) {
        if fullscreen == self.view.is_fullscreen {
            return;
        }
        self.view.is_fullscreen = fullscreen;
        let is_told = match self.settings.knobs.fullscreen_event {
            FullscreenEvent::AnyChange => true,
            FullscreenEvent::ButtonOnly => by == Some(By::Person),
        };
        let cause = if is_told { out.event(rule, EventName::FullscreenChange) } else { out.cause() };
        self.tell_ad(now, AdNews::Fullscreen(fullscreen), cause, out);
        if !fullscreen {
            self.offer_display(now, out);
        }
    }

    /// `changeSkin(id)`. No list says which skins there are; below 0 there is none for sure.
    ///
    /// # Errors
    ///
    /// `bad_argument` for what is no integer. Rule SKIN-1.
    pub(super) fn change_skin(&mut self, id: Option<&Value>, out: &mut Outbox) -> Result<Value, ApiError> {
        let rule = rule!("SKIN-1");
        let Some(id) = id.and_then(Value::as_integer) else {
            let text = "changeSkin(id) takes the id of a skin, an integer";
            return Err(ApiError { code: "bad_argument", text: text.into(), rule });
        };
        out.decide(rule);
        if id < 0 {
            out.diag(rule, "unknown_skin", format!("there is no skin {id}; it is kept all the same"));
        }
        let before = self.view.skin.replace(id);
        out.line(rule, Kind::Ui, "skin", Fields::one("id", id).with_some("before", before));
        Ok(Value::Undefined)
    }

    /// `resize(width, height)`. From then on the window's size makes no difference.
    ///
    /// # Errors
    ///
    /// `bad_argument` without two integers from 0 up. Rule SIZE-2.
    pub(super) fn resize(&mut self, args: &[Value], out: &mut Outbox) -> Result<Value, ApiError> {
        let side = |index: usize| u64::try_from(args.get(index)?.as_integer()?).ok();
        let (Some(width), Some(height)) = (side(0), side(1)) else {
            let text = "resize(width, height) takes two integers from 0 up, in pixels";
            return Err(ApiError { code: "bad_argument", text: text.into(), rule: rule!("SIZE-2") });
        };
        out.decide(rule!("SIZE-1"));
        let before = self.pixels();
        self.view.size = Size::of_pixels(width, height);
        self.tell_size(before, rule!("SIZE-1"), out);
        Ok(Value::Undefined)
    }

    /// Width and height at the moment.
    pub(super) fn pixels(&self) -> (u64, u64) {
        self.view.size.in_window(self.situation.window)
    }

    /// `playerresize`, if the size is another one than before. Rules SIZE-1, SIZE-3.
    fn tell_size(&self, before: (u64, u64), rule: RuleId, out: &mut Outbox) {
        if self.pixels() != before {
            out.event(rule, EventName::PlayerResize);
        }
    }

    /// Scrolling makes the player sticky, or not any more. Rules STICK-1 to STICK-3.
    fn scroll(&mut self, sticky: bool, out: &mut Outbox) {
        match (self.view.sticky, sticky) {
            (Sticky::Off, true) => self.stick(Sticky::On, false, out),
            (Sticky::On, false) => self.stick(Sticky::Off, false, out),
            (Sticky::Closed, true) => {
                let text = "the person has closed the sticky player; it does not come back";
                out.diag(rule!("STICK-2"), "sticky_closed", text);
            }
            (Sticky::Off | Sticky::Closed, false) | (Sticky::On, true) => {}
        }
    }

    /// The person closes the sticky player. `false` if it is none. Rules STICK-1, STICK-2.
    pub(super) fn close_sticky(&mut self, out: &mut Outbox) -> bool {
        let is_open = self.view.sticky == Sticky::On;
        if is_open {
            self.stick(Sticky::Closed, true, out);
        }
        is_open
    }

    fn stick(&mut self, sticky: Sticky, interaction: bool, out: &mut Outbox) {
        self.view.sticky = sticky;
        let data = Fields::one("sticky", sticky == Sticky::On).with("interaction", interaction);
        out.event_with(rule!("STICK-1"), EventName::StickyChange, data);
    }

    /// The picture of the item in use, if there is one. Rules EDIT-52, INIT-10.
    pub(super) fn show_poster(&self, out: &mut Outbox) {
        let own = self.view.poster.as_ref();
        let rule = if own.is_some() { rule!("INIT-10") } else { rule!("EDIT-52") };
        let of_item = || self.playlist.video().and_then(|video| video.image.as_ref());
        if let Some(url) = own.or_else(of_item) {
            out.line(rule, Kind::Ui, "poster", Fields::one("url", url));
        }
    }
}
