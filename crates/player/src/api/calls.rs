//! Dispatches calls of page code and actions of the user.
//!
//! The actions themselves are in `transport` (play, pause, stop, seeking, navigation, destroy),
//! `sound`, `rendition`, `source`, `view`, `commanded` and `listeners`. The rule that decides a
//! call is named where it is decided, and appears on the call's line.
//!
//! Rules: INIT-20, READY-2, PL-3, FS-3, SRC-3, GA-2, STOP-8, DESTROY-8, ENV-1 to ENV-3, EVT-3 to
//! EVT-9.

use std::sync::Arc;

use super::query::destroyed;
use crate::Player;
use crate::content::playlist::Direction;
use crate::state::State;
use crate::surface::analytics;
use playsim_api::page::Activation;
use playsim_api::{Act, ApiError, Call, Code, Command, Outbox, Query, Value};
use playsim_base::time::Time;
use playsim_rules::knobs::PropertyCalls;
use playsim_rules::{self as rules, RuleId};

/// The origin of a request to the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum By {
    /// Page code, by a call.
    Script,
    /// The user.
    Person,
    /// The player itself, when it is ready. Rule INIT-17.
    Autoplay,
}

/// The kind of a call, independent of the player's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// It binds or removes a listener.
    Binding,
    Destroy,
    /// It reads a value.
    Getter(Query),
    /// It reads a value without an argument and acts with one.
    GetterOrSetter(Query, Action),
    /// It is a property, not a call; the rule permits calling it anyway.
    Property(Query, RuleId),
    Action(Action),
    /// Only a bare media element has it.
    OfElement,
}

/// The effect of a call in a player that is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Play,
    Pause,
    Stop,
    SetVolume,
    SetMuted,
    SetAd,
    PlayAd,
    ToggleFullScreen,
    ChangeSkin,
    Resize,
    FireCustom,
    /// It is about content, which an outstream unit does not have. Rule OUT-8.
    Content(ContentAction),
}

/// An action about content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentAction {
    SetCurrentTime,
    JumpToChapter,
    SetHd,
    SetVideoSource,
    SetSource,
    LoadPlaylist,
    Step(Direction),
    PlayByIndex,
    PushAds,
}

impl Player {
    /// Applies a call.
    pub(crate) fn call(&mut self, command: &Command, out: &mut Outbox) -> Result<Value, ApiError> {
        let now = out.now();
        let Command { call, args, .. } = command;
        if self.is_destroyed() {
            return call_after_destroy(*call, out);
        }
        let action = match nature(*call) {
            Nature::Binding => {
                out.decide(rule_of_binding(*call, args));
                let settings = Arc::clone(&self.settings);
                self.listeners.call(command, &settings.knobs, out)?;
                return Ok(Value::Undefined);
            }
            Nature::Destroy => {
                self.leave(out);
                return Ok(Value::Undefined);
            }
            Nature::Getter(query) => {
                out.decide(self.rule_of_query(query));
                return self.query(now, query);
            }
            Nature::GetterOrSetter(query, _) if !is_given(args.first()) => {
                out.decide(self.rule_of_query(query));
                return self.query(now, query);
            }
            Nature::Property(query, rule) => {
                return self.property_called(query, rule, args.first(), out);
            }
            Nature::OfElement => {
                let text = format!(
                    "a player has no {}(); a bare media element does",
                    call.name()
                );
                return Err(ApiError {
                    code: Code::NoSuchCall,
                    text: text.into(),
                    rule: rules::MEL_22,
                });
            }
            Nature::GetterOrSetter(_, action) | Nature::Action(action) => action,
        };
        if let Action::Content(action) = action
            && self.role.refuses_content(call.name(), out)
        {
            // Setters that return what they set return what the unit has.
            return Ok(if action == ContentAction::SetCurrentTime {
                Value::from(0)
            } else if action == ContentAction::JumpToChapter {
                Value::Null
            } else {
                Value::Undefined
            });
        }
        if let State::Created(_) = self.state {
            return call_before_ready(*call, out);
        }
        self.action(action, command, out)
    }

    /// Applies a call that acts, in a player that is ready.
    fn action(
        &mut self,
        action: Action,
        command: &Command,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let Command {
            args, within_ready, ..
        } = command;
        match action {
            Action::Play => return Ok(self.play_by_call(out)),
            Action::Pause => self.pause(out),
            Action::Stop => self.stop(out),
            Action::SetVolume => return self.set_volume(&args[0], By::Script, out),
            Action::SetMuted => return Ok(self.set_muted(&args[0], out)),
            Action::SetAd => {
                out.decide(rules::AD_10);
                let ad = self.role.ad_of_unit(args);
                let given = self
                    .breaks
                    .schedule
                    .set_ad(ad.as_deref().unwrap_or(args), out)?;
                self.find_cues(out);
                return Ok(given);
            }
            Action::PlayAd => {
                let ad = self.role.ad_of_unit(args);
                return self.play_ad(ad.as_deref().unwrap_or(args).first(), out);
            }
            Action::ToggleFullScreen => return Ok(self.toggle_fullscreen(By::Script, out)),
            Action::ChangeSkin => return self.surface.view.change_skin(args.first(), out),
            Action::Resize => return self.surface.resize(args, out),
            Action::FireCustom => {
                return analytics::fire_custom(&self.settings.knobs, args, *within_ready, out);
            }
            Action::Content(action) => return self.content_action(action, command, out),
        }
        Ok(Value::Undefined)
    }

    /// Applies a call about content, in a player that is ready.
    fn content_action(
        &mut self,
        action: ContentAction,
        command: &Command,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let Command {
            args, within_ready, ..
        } = command;
        match action {
            ContentAction::SetCurrentTime => Ok(self.set_current_time(&args[0], By::Script, out)),
            ContentAction::JumpToChapter => Ok(self.jump_to_chapter(&args[0], out)),
            ContentAction::SetHd => self.set_hd(args.first(), out),
            ContentAction::SetVideoSource => self.set_video_source(args.first(), out),
            ContentAction::SetSource => self.set_source(args.first(), *within_ready, out),
            ContentAction::LoadPlaylist => self.items.playlist.load_playlist(args.first(), out),
            ContentAction::PlayByIndex => self.play_by_index(args.first(), out),
            ContentAction::Step(direction) => {
                self.step(direction, By::Script, out);
                Ok(Value::Undefined)
            }
            ContentAction::PushAds => {
                self.push_ads(out);
                Ok(Value::Undefined)
            }
        }
    }

    /// Applies an action of the user, by the rules of the corresponding call. Rule ENV-2.
    pub(crate) fn act(&mut self, act: &Act, out: &mut Outbox) {
        if matches!(self.state, State::Created(_) | State::Destroyed) {
            if *act != Act::Gesture {
                let text = format!("{} is not available in this state", act.name().name());
                out.diag(rules::ENV_3, Code::NotOffered, text);
            }
            return;
        }
        if self.role.refuses_act(act, out) {
            return;
        }
        match act {
            // The driver of the players reports a gesture to all of them with `note_activation`.
            Act::Gesture => {}
            Act::Play => self.play(By::Person, out),
            Act::Pause => self.pause(out),
            Act::Click(at) => self.click(*at, out),
            Act::Skip => self.skip_ad(out),
            Act::Close => self.close(out),
            Act::Next => self.step(Direction::Next, By::Person, out),
            Act::Previous => self.step(Direction::Previous, By::Person, out),
            Act::Mute => {
                self.set_muted(&Value::Bool(true), out);
            }
            Act::Unmute => {
                self.set_muted(&Value::Bool(false), out);
            }
            Act::Fullscreen => {
                self.toggle_fullscreen(By::Person, out);
            }
            Act::Seek(target) => {
                self.set_current_time(target, By::Person, out);
            }
            Act::Volume(volume) => {
                // A drag cannot leave the bar; an invalid volume is reported as a diagnostic, as
                // for a call.
                let _ = self.set_volume(volume, By::Person, out);
            }
            Act::Icon(program) => self.click_icon(program, out),
            Act::Companion(slot) => self.click_companion(slot, out),
            Act::Interact(what) => self.interact(*what, out),
        }
    }

    /// The user made a gesture, on this player or elsewhere on the page. Rules PLAY-16, PLAY-19.
    pub fn note_gesture(&mut self, now: Time) {
        self.note_activation(Activation::At(now));
    }

    /// The activation of the page by the user has changed. Rules PLAY-22, PLAY-23.
    pub fn note_activation(&mut self, activation: Activation) {
        self.surface.note_activation(activation);
    }

    /// A property that is written as a call; a call with a value is taken as an attempt to set it.
    /// Rules READY-1, READY-2.
    fn property_called(
        &self,
        query: Query,
        rule: RuleId,
        value: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let name = query.name();
        if let Some(value) = value.filter(|value| **value != Value::Undefined) {
            out.decide(self.rule_of_query(query));
            let text = format!("{name} is read-only and cannot be set to {value}");
            out.diag(self.rule_of_query(query), Code::PropertyReadOnly, text);
            return Ok(Value::Undefined);
        }
        let text = format!("{name} is a property, but was called as a function");
        out.decide(rule);
        match self.settings.knobs.compat_property_calls() {
            PropertyCalls::Warn => {
                out.diag_with(rule, Code::PropertyCalled, text, Some(name.into()));
                self.query(out.now(), query)
            }
            PropertyCalls::Error => Err(ApiError {
                code: Code::PropertyCalled,
                text: text.into(),
                rule,
            }),
        }
    }
}

/// Whether an argument is given; undefined counts as not given.
pub(super) fn is_given(argument: Option<&Value>) -> bool {
    argument.is_some_and(|argument| *argument != Value::Undefined)
}

/// The error of a call with an argument that it does not accept.
pub(crate) fn bad_argument(
    rule: RuleId,
    call: &str,
    found: Option<&Value>,
    due: &str,
    meant: Option<&str>,
) -> ApiError {
    let found = found
        .filter(|found| is_given(Some(found)))
        .map(ToString::to_string)
        .unwrap_or_default();
    let meant = meant
        .map(|meant| format!("; did you mean \"{meant}\"?"))
        .unwrap_or_default();
    let text = format!("{call}({found}) takes {due}{meant}");
    ApiError {
        code: Code::BadArgument,
        text: text.into(),
        rule,
    }
}

fn nature(call: Call) -> Nature {
    match call {
        Call::On | Call::Once | Call::Off | Call::Add | Call::AddOnce | Call::Remove => {
            Nature::Binding
        }
        Call::Destroy => Nature::Destroy,
        Call::Duration => Nature::Getter(Query::Duration),
        Call::IsHd => Nature::Getter(Query::IsHd),
        Call::CurrentSrc => Nature::Getter(Query::CurrentSrc),
        Call::GetAdInProgress => Nature::Getter(Query::AdInProgress),
        Call::AdDuration => Nature::Getter(Query::AdDuration),
        Call::AdRemainingTime => Nature::Getter(Query::AdRemainingTime),
        Call::IsPlayerInView => Nature::Getter(Query::IsPlayerInView),
        Call::GetTitle => Nature::Getter(Query::Title),
        Call::GetTags => Nature::Getter(Query::Tags),
        Call::Volume => Nature::GetterOrSetter(Query::Volume, Action::SetVolume),
        Call::Muted => Nature::GetterOrSetter(Query::Muted, Action::SetMuted),
        Call::CurrentTime => Nature::GetterOrSetter(
            Query::CurrentTime,
            Action::Content(ContentAction::SetCurrentTime),
        ),
        Call::CurrentChapter => Nature::GetterOrSetter(
            Query::CurrentChapter,
            Action::Content(ContentAction::JumpToChapter),
        ),
        Call::IsReady => Nature::Property(Query::IsReady, rules::READY_2),
        Call::PlaylistLength => Nature::Property(Query::PlaylistLength, rules::PL_3),
        Call::CurrentIndex => Nature::Property(Query::CurrentIndex, rules::PL_3),
        Call::IsFullScreen => Nature::Property(Query::IsFullScreen, rules::FS_3),
        Call::Play => Nature::Action(Action::Play),
        Call::Pause => Nature::Action(Action::Pause),
        Call::Stop => Nature::Action(Action::Stop),
        Call::SetAd => Nature::Action(Action::SetAd),
        Call::PlayAd => Nature::Action(Action::PlayAd),
        Call::ToggleFullScreen => Nature::Action(Action::ToggleFullScreen),
        Call::ChangeSkin => Nature::Action(Action::ChangeSkin),
        Call::Resize => Nature::Action(Action::Resize),
        Call::FireCustom => Nature::Action(Action::FireCustom),
        Call::SetHd => Nature::Action(Action::Content(ContentAction::SetHd)),
        Call::SetVideoSource => Nature::Action(Action::Content(ContentAction::SetVideoSource)),
        Call::Src => Nature::Action(Action::Content(ContentAction::SetSource)),
        Call::LoadPlaylist => Nature::Action(Action::Content(ContentAction::LoadPlaylist)),
        Call::Next => Nature::Action(Action::Content(ContentAction::Step(Direction::Next))),
        Call::Previous => Nature::Action(Action::Content(ContentAction::Step(Direction::Previous))),
        Call::PlayByIndex => Nature::Action(Action::Content(ContentAction::PlayByIndex)),
        Call::PushAds => Nature::Action(Action::Content(ContentAction::PushAds)),
        Call::Load | Call::Loop | Call::PlaybackRate => Nature::OfElement,
    }
}

/// Rules EVT-3 to EVT-7, EVT-9.
fn rule_of_binding(call: Call, args: &[Value]) -> RuleId {
    let names_many = matches!(args.first(), Some(Value::List(_)));
    let (one, many) = if call == Call::On {
        (rules::EVT_3, rules::EVT_4)
    } else if call == Call::Once {
        (rules::EVT_5, rules::EVT_6)
    } else if call == Call::Off {
        (rules::EVT_7, rules::EVT_6)
    } else {
        (rules::EVT_9, rules::EVT_9)
    };
    if names_many { many } else { one }
}

/// The result of a call made too early. Rules INIT-20, SRC-3, GA-2, STOP-8.
fn call_before_ready(call: Call, out: &mut Outbox) -> Result<Value, ApiError> {
    let text = format!("{}() was called before the player was ready", call.name());
    let error = |rule| {
        Err(ApiError {
            code: Code::NotReady,
            text: text.clone().into(),
            rule,
        })
    };
    // These two must be called in a ready callback, so they fail with an error.
    if call == Call::Src {
        return error(rules::SRC_3);
    }
    if call == Call::FireCustom {
        return error(rules::GA_2);
    }
    out.decide(if call == Call::Stop {
        rules::STOP_8
    } else {
        rules::INIT_20
    });
    out.diag(
        rules::INIT_20,
        Code::NotReady,
        format!("{text}, and is ignored"),
    );
    Ok(Value::Undefined)
}

fn call_after_destroy(call: Call, out: &mut Outbox) -> Result<Value, ApiError> {
    if call == Call::Destroy {
        out.decide(rules::DESTROY_8);
        out.diag(
            rules::DESTROY_8,
            Code::Destroyed,
            "the player is already destroyed",
        );
        return Ok(Value::Undefined);
    }
    Err(destroyed())
}
