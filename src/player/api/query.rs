//! The getters and properties. They change nothing.
//!
//! Rules: INIT-20, READY-1, READY-3, TIME-1, DUR-1 to DUR-3, CH-1, CH-11, PL-1, PL-2, GAP-1, GAP-2, META-1,
//! SRCQ-1, VX-1 to VX-4, INV-23.

use crate::api::{ApiError, Code, Query, Value};
use crate::knobs::ChapterBeforeFirst;
use crate::player::Player;
use crate::player::state::State;
use crate::rules::{self, RuleId};
use crate::time::Time;

impl Player {
    /// The value of a documented getter. Changes nothing.
    ///
    /// # Errors
    ///
    /// `destroyed` after `destroy`. Rule READY-3.
    pub fn query(&self, now: Time, query: Query) -> Result<Value, ApiError> {
        if self.is_destroyed() {
            let rule = if query == Query::IsReady { rules::READY_3 } else { rules::DESTROY_8 };
            return Err(ApiError { rule, ..destroyed() });
        }
        if let State::Created(_) = self.state
            && let Some(neutral) = before_ready(query)
        {
            return Ok(neutral);
        }
        Ok(match query {
            Query::IsReady => Value::Bool(true),
            Query::CurrentTime => self.element.position(now).into(),
            Query::Duration => self.element.duration().map_or(Value::Null, Value::from),
            Query::CurrentChapter => self.chapter_at(now),
            Query::CurrentSrc => self.element.source().map_or(Value::from(""), Value::from),
            Query::PlaylistLength => self.playlist.len().into(),
            Query::CurrentIndex => self.playlist.index().map_or(Value::from(-1), Value::from),
            Query::GetAdInProgress => matches!(self.state, State::AdPlaying(_) | State::AdPaused(_)).into(),
            Query::Volume => self.volume().into(),
            Query::Muted => self.is_muted().into(),
            Query::IsHd => self.is_hd().into(),
            Query::IsFullScreen => self.is_fullscreen().into(),
            Query::IsPlayerInView => (self.is_in_view() && !self.is_hidden_unit()).into(),
            Query::GetTitle => self.playlist.video().map_or(Value::from(""), |video| (&video.name).into()),
            Query::GetTags => self.playlist.video().map_or(Value::from(""), |video| (&video.tags).into()),
            Query::LastVastXml => self.last_vast_xml.as_ref().map_or(Value::Undefined, Value::from),
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
        let ahead = match self.settings.knobs.chapter_before_first {
            ChapterBeforeFirst::First => (!self.chapters.is_empty()).then_some(0),
            ChapterBeforeFirst::None => None,
        };
        let number = self.chapters.at(self.element.position(now)).or(ahead);
        number.map_or(Value::Null, |number| self.describe_chapter(number))
    }

    /// The rule by which a getter returns its value in the current state.
    #[must_use]
    pub fn rule_of_query(&self, query: Query) -> RuleId {
        let is_ad = matches!(self.state, State::AdPlaying(_) | State::AdPaused(_));
        match query {
            Query::IsReady if self.is_destroyed() => rules::READY_3,
            Query::IsReady => rules::READY_1,
            _ if matches!(self.state, State::Created(_)) => rules::INIT_20,
            query
                if self.is_unit()
                    && let Some(rule) = Player::rule_of_unit_query(query) =>
            {
                rule
            }
            Query::CurrentTime => rules::TIME_1,
            Query::Duration if is_ad => rules::DUR_3,
            Query::Duration if self.element.duration().is_none() => rules::DUR_2,
            Query::Duration => rules::DUR_1,
            Query::Volume => rules::VOL_2,
            Query::Muted => rules::MUTE_1,
            Query::CurrentChapter if is_ad => rules::CH_11,
            Query::CurrentChapter => rules::CH_1,
            Query::IsHd => rules::QUAL_10,
            Query::CurrentSrc => rules::SRCQ_1,
            Query::PlaylistLength if self.playlist.len() == 0 => rules::PL_20,
            Query::PlaylistLength => rules::PL_1,
            Query::CurrentIndex => rules::PL_2,
            Query::GetAdInProgress => rules::GAP_1,
            Query::IsFullScreen => rules::FS_3,
            Query::IsPlayerInView => rules::VIEW_1,
            Query::GetTitle | Query::GetTags => rules::META_1,
            Query::LastVastXml => rules::VX_1,
            // A player has none of these properties; reading one gives undefined.
            Query::Paused
            | Query::Ended
            | Query::Seeking
            | Query::ReadyState
            | Query::NetworkState
            | Query::Error
            | Query::Loop
            | Query::PlaybackRate
            | Query::Src => rules::INV_23,
        }
    }

    pub(in crate::player) fn describe_chapter(&self, number: usize) -> Value {
        self.chapters.describe(number, self.element.duration()).map_or(Value::Null, Value::Map)
    }
}

/// The value of a getter before the player is ready; `None` if it already has its real value. Rule INIT-20.
fn before_ready(query: Query) -> Option<Value> {
    Some(match query {
        Query::IsReady
        | Query::GetAdInProgress
        | Query::IsHd
        | Query::IsFullScreen
        | Query::IsPlayerInView => Value::Bool(false),
        Query::CurrentTime | Query::PlaylistLength => Value::from(0),
        Query::CurrentIndex => Value::from(-1),
        Query::Duration | Query::CurrentChapter => Value::Null,
        Query::CurrentSrc | Query::GetTitle | Query::GetTags => Value::from(""),
        Query::LastVastXml
        | Query::Paused
        | Query::Ended
        | Query::Seeking
        | Query::ReadyState
        | Query::NetworkState
        | Query::Error
        | Query::Loop
        | Query::PlaybackRate
        | Query::Src => Value::Undefined,
        Query::Volume | Query::Muted => return None,
    })
}

/// The error of calls and getters after `destroy`. Rules DESTROY-8, READY-3.
pub(super) fn destroyed() -> ApiError {
    ApiError { code: Code::Destroyed, text: "the player is destroyed".into(), rule: rules::DESTROY_8 }
}
