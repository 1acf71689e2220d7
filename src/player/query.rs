//! The getters and properties. None of them changes anything.
//!
//! Rules: INIT-20, READY-1, READY-3, TIME-1, DUR-1 to DUR-3, CH-1, CH-11, PL-1, PL-2, GAP-1, GAP-2, META-1,
//! SRCQ-1, VX-1 to VX-4, INV-23.

use super::*;

impl Player {
    /// A documented getter. Never changes anything.
    ///
    /// # Errors
    ///
    /// `destroyed` after `destroy`. Rule READY-3.
    pub fn query(&self, now: Time, query: Query) -> Result<Value, ApiError> {
        if self.is_destroyed() {
            let rule = if query == Query::IsReady { rule!("READY-3") } else { rule!("DESTROY-8") };
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

    /// The chapter at the content's position; null before the first and without any. Rules CH-1, CH-5.
    pub(super) fn chapter_at(&self, now: Time) -> Value {
        let number = self.chapters.at(self.element.position(now));
        number.map_or(Value::Null, |number| self.describe_chapter(number))
    }

    /// The rule by which a getter answers in the state at hand.
    #[must_use]
    pub fn rule_of_query(&self, query: Query) -> RuleId {
        let is_ad = matches!(self.state, State::AdPlaying(_) | State::AdPaused(_));
        match query {
            Query::IsReady if self.is_destroyed() => rule!("READY-3"),
            Query::IsReady => rule!("READY-1"),
            _ if matches!(self.state, State::Created(_)) => rule!("INIT-20"),
            query
                if self.is_unit()
                    && let Some(rule) = Player::rule_of_unit_query(query) =>
            {
                rule
            }
            Query::CurrentTime => rule!("TIME-1"),
            Query::Duration if is_ad => rule!("DUR-3"),
            Query::Duration if self.element.duration().is_none() => rule!("DUR-2"),
            Query::Duration => rule!("DUR-1"),
            Query::Volume => rule!("VOL-2"),
            Query::Muted => rule!("MUTE-1"),
            Query::CurrentChapter if is_ad => rule!("CH-11"),
            Query::CurrentChapter => rule!("CH-1"),
            Query::IsHd => rule!("QUAL-10"),
            Query::CurrentSrc => rule!("SRCQ-1"),
            Query::PlaylistLength if self.playlist.len() == 0 => rule!("PL-20"),
            Query::PlaylistLength => rule!("PL-1"),
            Query::CurrentIndex => rule!("PL-2"),
            Query::GetAdInProgress => rule!("GAP-1"),
            Query::IsFullScreen => rule!("FS-3"),
            Query::IsPlayerInView => rule!("VIEW-1"),
            Query::GetTitle | Query::GetTags => rule!("META-1"),
            Query::LastVastXml => rule!("VX-1"),
            // A player has none of these properties; looking for one changes nothing.
            Query::Paused
            | Query::Ended
            | Query::Seeking
            | Query::ReadyState
            | Query::NetworkState
            | Query::Error
            | Query::Loop
            | Query::PlaybackRate
            | Query::Src => rule!("INV-23"),
        }
    }

    pub(super) fn describe_chapter(&self, number: usize) -> Value {
        self.chapters.describe(number, self.element.duration()).map_or(Value::Null, Value::Map)
    }
}

/// What a getter says before the player is ready; `None` if it knows better. Rule INIT-20.
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

/// Rules DESTROY-8, READY-3.
pub(super) fn destroyed() -> ApiError {
    ApiError { code: "destroyed", text: "the player is destroyed".into(), rule: rule!("DESTROY-8") }
}
