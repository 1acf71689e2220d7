//! The getters and properties. They change nothing.
//!
//! Rules: INIT-20, READY-1, READY-3, TIME-1, DUR-1 to DUR-3, CH-1, CH-11, PL-1, PL-2, GAP-1 to
//! GAP-4, META-1, SRCQ-1, VX-1 to VX-4, INV-23.

use crate::Player;
use crate::state::State;
use playsim_api::{ApiError, Code, Decimal, Query, Value};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::ChapterBeforeFirst;
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// The value of a documented getter. Changes nothing.
    ///
    /// # Errors
    ///
    /// `destroyed` after `destroy`. Rule READY-3.
    pub fn query(&self, now: Time, query: Query) -> Result<Value, ApiError> {
        if self.is_destroyed() {
            let rule = if query == Query::IsReady {
                rules::READY_3
            } else {
                rules::DESTROY_8
            };
            return Err(ApiError {
                rule,
                ..destroyed()
            });
        }
        if let State::Created(_) = self.state
            && let Some(neutral) = getter(query).early
        {
            return Ok(neutral);
        }
        Ok(match query {
            Query::IsReady => Value::Bool(true),
            Query::CurrentTime => self.element.position(now).into(),
            Query::Duration => self.element.duration().map_or(Value::Null, Value::from),
            Query::CurrentChapter => self.chapter_at(now),
            Query::CurrentSrc => self.element.source().map_or(Value::from(""), Value::from),
            Query::PlaylistLength => self.items.playlist.len().into(),
            Query::CurrentIndex => self
                .items
                .playlist
                .index()
                .map_or(Value::from(-1), Value::from),
            Query::AdInProgress => self.state.is_ad().into(),
            Query::AdDuration => self
                .state
                .ad_playhead(now)
                .map_or(Value::Null, |(length, _)| length.into()),
            Query::AdRemainingTime => {
                let rest =
                    |(length, position): (Span, Position)| Value::from(length.end() - position);
                self.state.ad_playhead(now).map_or(Value::Null, rest)
            }
            Query::Volume => self.surface.sound.volume().into(),
            Query::Muted => self.surface.sound.is_muted().into(),
            Query::IsHd => self.items.quality.is_hd().into(),
            Query::IsFullScreen => self.surface.view.is_fullscreen().into(),
            Query::IsPlayerInView => (self.surface.is_in_view() && !self.role.is_hidden()).into(),
            Query::Title => self
                .items
                .playlist
                .video()
                .map_or(Value::from(""), |video| (&video.name).into()),
            Query::Tags => self
                .items
                .playlist
                .video()
                .map_or(Value::from(""), |video| (&video.tags).into()),
            Query::LastVastXml => self
                .breaks
                .last_document()
                .map_or(Value::Undefined, Value::from),
            Query::Paused
            | Query::Ended
            | Query::Seeking
            | Query::ReadyState
            | Query::NetworkState
            | Query::Error
            | Query::Loop
            | Query::PlaybackRate
            | Query::Src => Value::Undefined,
        })
    }

    /// The chapter at the content's position; null if there is none. Rules CH-1, CH-5.
    pub(super) fn chapter_at(&self, now: Time) -> Value {
        let ahead = match self.settings.knobs.chapter_before_first() {
            ChapterBeforeFirst::First => (!self.items.chapters.is_empty()).then_some(0),
            ChapterBeforeFirst::None => None,
        };
        let number = self.items.chapters.at(self.element.position(now)).or(ahead);
        number.map_or(Value::Null, |number| self.describe_chapter(number))
    }

    /// The rule by which a getter returns its value in the current state.
    #[must_use]
    pub fn rule_of_query(&self, query: Query) -> RuleId {
        let getter = getter(query);
        if query == Query::IsReady {
            return if self.is_destroyed() {
                rules::READY_3
            } else {
                rules::READY_1
            };
        }
        if matches!(self.state, State::Created(_)) {
            return rules::INIT_20;
        }
        if let Some(rule) = getter.of_unit.filter(|_| self.role.is_unit()) {
            return rule;
        }
        let is_ad = self.state.is_ad();
        if query == Query::Duration && is_ad {
            rules::DUR_3
        } else if query == Query::Duration && self.element.duration().is_none() {
            rules::DUR_2
        } else if query == Query::CurrentChapter && is_ad {
            rules::CH_11
        } else if query == Query::PlaylistLength && self.items.playlist.len() == 0 {
            rules::PL_20
        } else {
            getter.rule
        }
    }

    pub(crate) fn describe_chapter(&self, number: usize) -> Value {
        self.items
            .chapters
            .describe(number, self.element.duration())
            .map_or(Value::Null, Value::Map)
    }
}

/// The properties of a getter apart from its value.
struct Getter {
    /// The rule by which it usually returns its value.
    rule: RuleId,
    /// The rule of an outstream unit, if that is another one. Rules OUT-2, OUT-5.
    of_unit: Option<RuleId>,
    /// The value before the player is ready; `None` if it already has its real value. Rule INIT-20.
    early: Option<Value>,
}

fn getter(query: Query) -> Getter {
    const UNIT: Option<RuleId> = Some(rules::OUT_5);
    const FALSE: Option<Value> = Some(Value::Bool(false));
    const ZERO: Option<Value> = Some(Value::Number(Decimal::ZERO));
    const NULL: Option<Value> = Some(Value::Null);
    let (rule, of_unit, early) = match query {
        Query::IsReady => (rules::READY_1, None, FALSE),
        Query::CurrentTime => (rules::TIME_1, UNIT, ZERO),
        Query::Duration => (rules::DUR_1, UNIT, NULL),
        Query::CurrentChapter => (rules::CH_1, UNIT, NULL),
        Query::CurrentSrc => (rules::SRCQ_1, UNIT, Some("".into())),
        Query::PlaylistLength => (rules::PL_1, UNIT, ZERO),
        Query::CurrentIndex => (rules::PL_2, UNIT, Some(Value::from(-1))),
        Query::AdInProgress => (rules::GAP_1, None, FALSE),
        Query::AdDuration => (rules::GAP_3, None, NULL),
        Query::AdRemainingTime => (rules::GAP_4, None, NULL),
        Query::Volume => (rules::VOL_2, None, None),
        Query::Muted => (rules::MUTE_1, None, None),
        Query::IsHd => (rules::QUAL_10, UNIT, FALSE),
        Query::IsFullScreen => (rules::FS_3, None, FALSE),
        Query::IsPlayerInView => (rules::VIEW_1, Some(rules::OUT_2), FALSE),
        Query::Title | Query::Tags => (rules::META_1, UNIT, Some("".into())),
        Query::LastVastXml => (rules::VX_1, None, Some(Value::Undefined)),
        // A player has none of these properties; reading one gives undefined.
        Query::Paused
        | Query::Ended
        | Query::Seeking
        | Query::ReadyState
        | Query::NetworkState
        | Query::Error
        | Query::Loop
        | Query::PlaybackRate
        | Query::Src => (rules::INV_23, None, Some(Value::Undefined)),
    };
    Getter {
        rule,
        of_unit,
        early,
    }
}

/// The error of calls and getters after `destroy`. Rules DESTROY-8, READY-3.
pub(super) fn destroyed() -> ApiError {
    ApiError {
        code: Code::Destroyed,
        text: "the player is destroyed".into(),
        rule: rules::DESTROY_8,
    }
}
