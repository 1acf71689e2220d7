//! The attributes of a media element for page code, and the browser's own controls.
//!
//! Values are converted as in JavaScript; a value that cannot be converted or is out of range
//! throws.
//!
//! Rules: MEL-12, MEL-14, MEL-18, MEL-20, MEL-22, PLAY-16, CLK-9.

use std::sync::Arc;

use super::MediaElement;
use super::media::Network;
use playsim_api::media::{ElementConfig, Preload, Rate};
use playsim_api::{
    Act, ApiError, Call, Code, Command, Decimal, EventName, Fields, MediaWork, Outbox, PageChange,
    Query, Value,
};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::{PlayActivation, UnmuteRefused};
use playsim_rules::{self as rules, RuleId};

/// The attributes of an element.
#[derive(Debug, Clone, Hash)]
pub(super) struct Attributes {
    /// The content attributes, and `muted` and `loop` as they are set now.
    pub(super) content: ElementConfig,
    /// From 0 to 1.
    volume: Decimal,
    /// Whether this load may still start automatically; not after a pause or play.
    pub(super) may_autoplay: bool,
    /// Whether `play()` or `load()` has requested data, whatever `preload` says.
    pub(super) is_wanted: bool,
}

impl Attributes {
    pub(super) fn new(content: ElementConfig) -> Attributes {
        Attributes {
            content,
            volume: Decimal::ONE,
            may_autoplay: true,
            is_wanted: false,
        }
    }

    /// Whether loading waits until playback is requested.
    pub(super) fn defers(&self, requires_gesture: bool) -> bool {
        self.content.preload == Preload::None
            && !self.is_wanted
            && (!self.content.autoplay || requires_gesture)
    }

    /// Whether loading pauses once there are enough data to start.
    pub(super) fn rests(&self) -> bool {
        self.content.preload != Preload::Auto && !self.is_wanted && !self.content.autoplay
    }

    pub(super) fn autoplays(&self) -> bool {
        self.content.autoplay && self.may_autoplay
    }
}

impl MediaElement {
    pub(super) fn call(&mut self, command: &Command, out: &mut Outbox) -> Result<Value, ApiError> {
        let Command { call, args, .. } = command;
        match (call, args.first()) {
            (Call::Play, _) => {
                self.play(out);
                return Ok(self.requests.promise());
            }
            (Call::Pause, _) => self.pause(out),
            (Call::Load, _) => {
                out.decide(rules::MEL_1);
                self.attributes.is_wanted = true;
                self.begin_load(out);
            }
            (Call::CurrentTime, Some(value)) => {
                let seconds = finite(*call, value, rules::MEL_13)?;
                let micros = u64::try_from(seconds.millionths()).unwrap_or(0);
                self.set_current_time(Position::from_micros(micros), out);
            }
            (Call::Volume, Some(value)) => self.set_volume(value, out)?,
            (Call::Muted, Some(value)) => self.set_muted(is_true(value), out),
            (Call::Loop, Some(value)) => {
                out.decide(rules::MEL_12);
                self.attributes.content.looping = is_true(value);
            }
            (Call::PlaybackRate, Some(value)) => self.set_playback_rate(value, out)?,
            (Call::Src, Some(value)) => {
                out.decide(rules::MEL_1);
                self.attributes.content.source = Some(text_of(value));
                self.attributes.is_wanted = false;
                self.begin_load(out);
            }
            _ => return self.read_by_call(*call, out),
        }
        Ok(Value::Undefined)
    }

    /// A call without a value reads the attribute of its name.
    fn read_by_call(&self, call: Call, out: &mut Outbox) -> Result<Value, ApiError> {
        let rule = rules::MEL_8;
        out.decide(rule);
        match Query::from_name(call.name()).map(|query| self.query(out.now(), query)) {
            None | Some(Value::Undefined) => {
                let text = format!("a media element has no \"{}\"", call.name()).into();
                Err(ApiError {
                    code: Code::TypeError,
                    text,
                    rule,
                })
            }
            Some(value) => Ok(value),
        }
    }

    /// The value of an attribute for a listener, which runs when the scripts have ended: a source
    /// that has yet to be chosen counts as chosen. Changes nothing. Rule MEL-2.
    #[must_use]
    pub fn query_after_scripts(&self, now: Time, query: Query) -> Value {
        let source = self.attributes.content.source.as_ref();
        if self.has_choice() && query == Query::NetworkState {
            let chosen = source.map_or(Network::Empty, |_| Network::Loading);
            (chosen as u8).into()
        } else if self.has_choice()
            && query == Query::CurrentSrc
            && let Some(source) = source.filter(|source| !source.is_empty())
        {
            source.into()
        } else {
            self.query(now, query)
        }
    }

    /// The value of an attribute; undefined if an element has none of this name. Changes nothing.
    #[must_use]
    pub fn query(&self, now: Time, query: Query) -> Value {
        match query {
            Query::Paused => self.is_paused.into(),
            Query::Ended => self.has_ended(now).into(),
            Query::Seeking => self.is_seeking().into(),
            Query::CurrentTime => self.position(now).into(),
            Query::Duration => self.duration().map_or(Value::NaN, |duration| {
                if duration == Span::MAX {
                    Value::Infinity
                } else {
                    duration.into()
                }
            }),
            Query::ReadyState => (self.media.ready as u8).into(),
            Query::NetworkState => (self.media.network as u8).into(),
            Query::Error => self
                .error_code()
                .map_or(Value::Null, |code| Value::Map(Fields::one("code", code))),
            Query::Volume => self.attributes.volume.into(),
            Query::Muted => self.attributes.content.muted.into(),
            Query::Loop => self.attributes.content.looping.into(),
            Query::PlaybackRate => self.rate().decimal().into(),
            Query::Src => self
                .attributes
                .content
                .source
                .as_ref()
                .map_or(Value::from(""), Value::from),
            Query::CurrentSrc => self.source().map_or(Value::from(""), Value::from),
            Query::IsReady
            | Query::CurrentChapter
            | Query::IsHd
            | Query::PlaylistLength
            | Query::CurrentIndex
            | Query::AdInProgress
            | Query::AdDuration
            | Query::AdRemainingTime
            | Query::IsFullScreen
            | Query::IsPlayerInView
            | Query::Title
            | Query::Tags
            | Query::LastVastXml => Value::Undefined,
        }
    }

    fn set_volume(&mut self, value: &Value, out: &mut Outbox) -> Result<(), ApiError> {
        let volume = finite(Call::Volume, value, rules::MEL_18)?;
        if volume < Decimal::default() || volume > Decimal::ONE {
            let text = format!("volume is {volume}; it must be a number from 0 to 1").into();
            return Err(ApiError {
                code: Code::IndexSizeError,
                text,
                rule: rules::MEL_18,
            });
        }
        out.decide(rules::MEL_18);
        if volume != self.attributes.volume {
            self.attributes.volume = volume;
            self.queue(
                rules::MEL_18,
                MediaWork::Event(EventName::VolumeChange),
                out,
            );
        }
        Ok(())
    }

    fn set_muted(&mut self, muted: bool, out: &mut Outbox) {
        let unmutes = !muted && self.attributes.content.muted;
        let is_barred = unmutes && !self.is_paused && self.requires_gesture && !self.was_allowed;
        if is_barred && self.unmute_refused == UnmuteRefused::StayMuted {
            out.decide(rules::PLAY_25);
            return;
        }
        out.decide(rules::MEL_18);
        if muted == self.attributes.content.muted {
            return;
        }
        self.attributes.content.muted = muted;
        self.queue(
            rules::MEL_18,
            MediaWork::Event(EventName::VolumeChange),
            out,
        );
        if is_barred {
            self.stop(rules::PLAY_25, Some(rules::PLAY_25), out);
        }
    }

    fn set_playback_rate(&mut self, value: &Value, out: &mut Outbox) -> Result<(), ApiError> {
        let rate = finite(Call::PlaybackRate, value, rules::MEL_22)?.millionths();
        if rate != 0 && !Rate::plays(Decimal::from_millionths(rate)) {
            let text =
                format!("playbackRate is {value}; it must be 0, or a number from 0.0625 to 16")
                    .into();
            return Err(ApiError {
                code: Code::NotSupportedError,
                text,
                rule: rules::MEL_22,
            });
        }
        out.decide(rules::MEL_22);
        let rate = Rate::from_millionths(rate.unsigned_abs());
        if self.set_rate(rate, out) {
            self.schedule.moved = out.cause();
        }
        Ok(())
    }

    /// The browser's own controls do the same as script, and count as a gesture. Rules PLAY-16,
    /// ENV-2.
    pub(super) fn person(&mut self, act: &Act, out: &mut Outbox) -> Result<Value, ApiError> {
        self.note_gesture();
        match act {
            Act::Play => self.play(out),
            Act::Pause => self.pause(out),
            Act::Click(_) if self.is_paused => self.play(out),
            Act::Click(_) => self.pause(out),
            Act::Mute => self.set_muted(true, out),
            Act::Unmute => self.set_muted(false, out),
            Act::Seek(place) => {
                return self.call(&Command::new(Call::CurrentTime, [place.clone()]), out);
            }
            Act::Volume(volume) => self.set_volume(volume, out)?,
            Act::Gesture
            | Act::Skip
            | Act::Close
            | Act::Next
            | Act::Previous
            | Act::Fullscreen
            | Act::Icon(_)
            | Act::Companion(_)
            | Act::Interact(_) => {}
        }
        Ok(Value::Undefined)
    }

    /// A gesture anywhere on the page lets script start playback. Rule PLAY-16.
    pub fn note_gesture(&mut self) {
        self.requires_gesture = false;
    }

    /// The transient activation of the page has ended. Media that it has started keep playing; with
    /// activation by element they may also start again. Rules PLAY-22, PLAY-23.
    pub fn end_activation(&mut self, activation: PlayActivation) {
        self.requires_gesture = match activation {
            PlayActivation::Gesture | PlayActivation::Sticky => self.requires_gesture,
            PlayActivation::Transient => true,
            PlayActivation::Element => !self.was_allowed,
        };
    }

    pub(super) fn page_changes(&mut self, change: PageChange, out: &mut Outbox) {
        if let PageChange::Rate(rate) = change {
            // An unsupported rate changes nothing.
            let _ = self.set_playback_rate(&Value::Number(rate), out);
        }
    }
}

/// Converts a value to a number as JavaScript does; throws if that gives none, or not a finite one.
fn finite(call: Call, value: &Value, rule: RuleId) -> Result<Decimal, ApiError> {
    let number = match value {
        Value::Number(number) => Some(*number),
        Value::Bool(truth) => Some(Decimal::from_integer(i64::from(*truth))),
        Value::Null => Some(Decimal::default()),
        Value::Text(text) if text.trim().is_empty() => Some(Decimal::default()),
        Value::Text(text) => {
            if let Some(Value::Number(number)) = Value::literal(text.trim()) {
                Some(number)
            } else {
                None
            }
        }
        Value::Undefined
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::List(_)
        | Value::Map(_)
        | Value::Function(_) => None,
    };
    number.ok_or_else(|| ApiError {
        code: Code::TypeError,
        text: if matches!(value, Value::NaN | Value::Undefined) {
            format!("{} is not a number", call.name())
        } else {
            format!(
                "{} is {}; it must be a finite number",
                call.name(),
                value.shown()
            )
        }
        .into(),
        rule,
    })
}

/// Converts a value to a boolean as JavaScript does.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => *number != Decimal::default(),
        Value::Text(text) => !text.is_empty(),
        Value::Undefined | Value::Null | Value::NaN => false,
        Value::Infinity
        | Value::NegativeInfinity
        | Value::List(_)
        | Value::Map(_)
        | Value::Function(_) => true,
    }
}

/// Converts a value to a string as JavaScript does: `el.src = undefined` loads "undefined".
fn text_of(value: &Value) -> Arc<str> {
    match value {
        Value::Text(text) => Arc::from(&**text),
        Value::Undefined => "undefined".into(),
        Value::NaN => "NaN".into(),
        Value::Infinity => "Infinity".into(),
        Value::NegativeInfinity => "-Infinity".into(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Function(_) => {
            value.to_string().into()
        }
        Value::Map(_) => "[object Object]".into(),
        Value::List(items) => {
            let is_empty = |item: &Value| matches!(item, Value::Undefined | Value::Null);
            let item = |item: &Value| {
                if is_empty(item) {
                    "".into()
                } else {
                    text_of(item)
                }
            };
            items
                .iter()
                .map(item)
                .collect::<Vec<Arc<str>>>()
                .join(",")
                .into()
        }
    }
}
