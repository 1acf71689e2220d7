//! What page code sets and reads on a media element, and the browser's own controls.
//!
//! Values are turned as the host language turns them; what cannot be turned or does not fit throws.
//!
//! Rules: MEL-12, MEL-14, MEL-18, MEL-20, MEL-22, PLAY-16, CLK-9.

use super::*;
use crate::api::{Call, Decimal, Fields, Query};
use crate::media::Rate;

/// The element's `preload`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preload {
    /// Nothing is loaded.
    None,
    /// As much as tells what it is.
    #[default]
    Metadata,
    /// All of it.
    Auto,
}

/// Rates that a browser plays, in millionths; 0 stands still. Rule MEL-22.
const RATES: std::ops::RangeInclusive<i64> = 62_500..=16_000_000;

/// What is set on an element.
#[derive(Debug, Clone)]
pub(super) struct Attributes {
    /// The content attributes, and `muted` and `loop` as they are now.
    pub(super) content: ElementConfig,
    /// `currentSrc`: the address that was chosen.
    pub(super) current_source: Arc<str>,
    /// A number from 0 to 1.
    volume: Decimal,
    /// Whether this load may still start by itself. Pausing and playing end that.
    pub(super) may_autoplay: bool,
    /// Whether `play()` or `load()` asked for data, whatever `preload` says.
    pub(super) is_wanted: bool,
}

impl Preload {
    /// The word in scenarios.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Preload::None => "none",
            Preload::Metadata => "metadata",
            Preload::Auto => "auto",
        }
    }
}

impl Attributes {
    pub(super) fn new(content: ElementConfig) -> Attributes {
        Attributes {
            content,
            current_source: "".into(),
            volume: Decimal::ONE,
            may_autoplay: true,
            is_wanted: false,
        }
    }

    /// Whether loading waits until somebody plays.
    pub(super) fn defers(&self, requires_gesture: bool) -> bool {
        self.content.preload == Preload::None
            && !self.is_wanted
            && (!self.content.autoplay || requires_gesture)
    }

    /// Whether loading stops at what a start takes.
    pub(super) fn rests(&self) -> bool {
        self.content.preload != Preload::Auto && !self.is_wanted && !self.content.autoplay
    }

    pub(super) fn autoplays(&self) -> bool {
        self.content.autoplay && self.may_autoplay
    }

    /// Whether it shows pictures: an address with the ending of a sound file has none.
    pub(super) fn has_pictures(&self) -> bool {
        const SOUND: &[&str] = &["aac", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav", "weba"];
        let path = self.current_source.split(['?', '#']).next().unwrap_or_default();
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        !SOUND.iter().any(|sound| ending.eq_ignore_ascii_case(sound))
    }
}

impl MediaElement {
    pub(super) fn call(&mut self, now: Time, command: &Command, out: &mut Outbox) -> Result<Value, ApiError> {
        let Command { call, args, .. } = command;
        match (call, args.first()) {
            (Call::Play, _) => {
                self.play(now, out);
                return Ok(self.requests.promise());
            }
            (Call::Pause, _) => self.pause(now, out),
            (Call::Load, _) => {
                out.decide(rule!("MEL-1"));
                self.attributes.is_wanted = true;
                self.begin_load(now, out);
            }
            (Call::CurrentTime, Some(value)) => {
                let seconds = finite(*call, value, rule!("MEL-13"))?;
                let micros = u64::try_from(seconds.millionths()).unwrap_or(0);
                self.seek(now, Position::from_micros(micros), out);
            }
            (Call::Volume, Some(value)) => self.set_volume(value, out)?,
            (Call::Muted, Some(value)) => self.set_muted(now, is_true(value), out),
            (Call::Loop, Some(value)) => {
                out.decide(rule!("MEL-12"));
                self.attributes.content.looping = is_true(value);
            }
            (Call::PlaybackRate, Some(value)) => self.set_rate(now, value, out)?,
            (Call::Src, Some(value)) => {
                out.decide(rule!("MEL-1"));
                self.attributes.content.source = Some(text_of(value));
                self.attributes.is_wanted = false;
                self.begin_load(now, out);
            }
            _ => return self.read_by_call(now, *call, out),
        }
        Ok(Value::Undefined)
    }

    /// A call without a value reads the attribute of its name.
    fn read_by_call(&self, now: Time, call: Call, out: &mut Outbox) -> Result<Value, ApiError> {
        let rule = rule!("MEL-8");
        out.decide(rule);
        match Query::read(call.name()).map(|query| self.query(now, query)) {
            None | Some(Value::Undefined) => {
                let text = format!("a media element has no \"{}\"", call.name()).into();
                Err(ApiError { code: "TypeError", text, rule })
            }
            Some(value) => Ok(value),
        }
    }

    /// What an attribute is; undefined if an element has none of this name. Never changes anything.
    #[must_use]
    pub fn query(&self, now: Time, query: Query) -> Value {
        match query {
            Query::Paused => self.is_paused.into(),
            Query::Ended => self.has_ended(now).into(),
            Query::Seeking => self.seek.is_some().into(),
            Query::CurrentTime if self.ready == Ready::Nothing => self.start.into(),
            Query::CurrentTime => self.head.position(now).into(),
            Query::Duration => self.duration(),
            Query::ReadyState => (self.ready as u8).into(),
            Query::NetworkState => (self.network as u8).into(),
            Query::Error => self.error.map_or(Value::Null, |code| Value::Map(Fields::one("code", code))),
            Query::Volume => self.attributes.volume.into(),
            Query::Muted => self.attributes.content.muted.into(),
            Query::Loop => self.attributes.content.looping.into(),
            Query::PlaybackRate => written(self.head.rate()).into(),
            Query::Src => self.attributes.content.source.as_ref().map_or(Value::from(""), Value::from),
            Query::CurrentSrc => (&self.attributes.current_source).into(),
            Query::IsReady
            | Query::CurrentChapter
            | Query::IsHd
            | Query::PlaylistLength
            | Query::CurrentIndex
            | Query::GetAdInProgress
            | Query::IsFullScreen
            | Query::IsPlayerInView
            | Query::GetTitle
            | Query::GetTags
            | Query::LastVastXml => Value::Undefined,
        }
    }

    /// Not a number before metadata, infinite for a live stream. Rules MEL-20, CLK-9.
    fn duration(&self) -> Value {
        match &self.resource {
            Resource::Here(media) if media.info.live.is_some() => Value::Infinity,
            Resource::Here(media) => media.info.duration.into(),
            Resource::Nothing | Resource::Deferred(_) | Resource::Asked { .. } => Value::NaN,
        }
    }

    fn set_volume(&mut self, value: &Value, out: &mut Outbox) -> Result<(), ApiError> {
        let volume = finite(Call::Volume, value, rule!("MEL-18"))?;
        if volume < Decimal::default() || volume > Decimal::ONE {
            let text = format!("volume is {volume}; it is a number from 0 to 1").into();
            return Err(ApiError { code: "IndexSizeError", text, rule: rule!("MEL-18") });
        }
        out.decide(rule!("MEL-18"));
        if volume != self.attributes.volume {
            self.attributes.volume = volume;
            self.fire(rule!("MEL-18"), EventName::VolumeChange, out);
        }
        Ok(())
    }

    fn set_muted(&mut self, now: Time, muted: bool, out: &mut Outbox) {
        out.decide(rule!("MEL-18"));
        if muted == self.attributes.content.muted {
            return;
        }
        self.attributes.content.muted = muted;
        self.fire(rule!("MEL-18"), EventName::VolumeChange, out);
        if !self.is_paused && !self.may_start() {
            // It could only start because it was mute.
            self.stop(now, rule!("PLAY-17"), out);
        }
    }

    fn set_rate(&mut self, now: Time, value: &Value, out: &mut Outbox) -> Result<(), ApiError> {
        let rate = finite(Call::PlaybackRate, value, rule!("MEL-22"))?.millionths();
        if rate != 0 && !RATES.contains(&rate) {
            let text = format!("playbackRate is {value}; it is 0, or from 0.0625 to 16").into();
            return Err(ApiError { code: "NotSupportedError", text, rule: rule!("MEL-22") });
        }
        out.decide(rule!("MEL-22"));
        let rate = Rate::from_millionths(rate.unsigned_abs());
        if rate != self.head.rate() {
            self.head.set_rate(now, rate);
            self.moved = out.cause();
            self.fire(rule!("MEL-22"), EventName::RateChange, out);
        }
        Ok(())
    }

    /// The browser's own controls do what script does, and are a gesture too. Rules PLAY-16, ENV-2.
    pub(super) fn person(&mut self, now: Time, act: &Act, out: &mut Outbox) -> Result<Value, ApiError> {
        self.note_gesture();
        match act {
            Act::Play => self.play(now, out),
            Act::Pause => self.pause(now, out),
            Act::Click(_) if self.is_paused => self.play(now, out),
            Act::Click(_) => self.pause(now, out),
            Act::Mute => self.set_muted(now, true, out),
            Act::Unmute => self.set_muted(now, false, out),
            Act::Seek(place) => {
                let call =
                    Command { call: Call::CurrentTime, args: vec![place.clone()], within_ready: false };
                return self.call(now, &call, out);
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
        self.settings.requires_gesture = false;
    }

    pub(super) fn page_changes(&mut self, now: Time, change: PageChange, out: &mut Outbox) {
        match change {
            PageChange::Rate(rate) => {
                // A rate that cannot be played changes nothing.
                let _ = self.set_rate(now, &Value::Number(rate), out);
            }
            PageChange::InView(_)
            | PageChange::Window(..)
            | PageChange::Sticky(_)
            | PageChange::Fullscreen(_)
            | PageChange::Hidden(_) => {}
        }
    }
}

/// A number as the host language makes one of a value; what is none, or not finite, throws.
fn finite(call: Call, value: &Value, rule: RuleId) -> Result<Decimal, ApiError> {
    let number = match value {
        Value::Number(number) => Some(*number),
        Value::Bool(truth) => Some(Decimal::from_integer(i64::from(*truth))),
        Value::Null => Some(Decimal::default()),
        Value::Text(text) if text.trim().is_empty() => Some(Decimal::default()),
        Value::Text(text) => Decimal::read(text.trim()),
        Value::Undefined
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::List(_)
        | Value::Map(_)
        | Value::Function(_) => None,
    };
    number.ok_or_else(|| ApiError {
        code: "TypeError",
        text: match value {
            Value::NaN | Value::Undefined => format!("{} is not a number", call.name()),
            Value::Bool(_)
            | Value::Null
            | Value::Number(_)
            | Value::Infinity
            | Value::NegativeInfinity
            | Value::Text(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Function(_) => format!("{} is {value}; it is a finite number", call.name()),
        }
        .into(),
        rule,
    })
}

/// A truth value as the host language makes one of a value.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::Number(number) => *number != Decimal::default(),
        Value::Text(text) => !text.is_empty(),
        Value::Undefined | Value::Null | Value::NaN => false,
        Value::Infinity | Value::NegativeInfinity | Value::List(_) | Value::Map(_) | Value::Function(_) => {
            true
        }
    }
}

fn text_of(value: &Value) -> Arc<str> {
    match value.as_text() {
        Some(text) => Arc::from(&**text),
        None => value.to_string().into(),
    }
}

/// A rate as page code reads it.
fn written(rate: Rate) -> Decimal {
    Decimal::from_millionths(i64::try_from(rate.millionths()).unwrap_or(i64::MAX))
}
