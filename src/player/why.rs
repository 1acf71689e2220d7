//! Which rule decides what a call does: by the call, its arguments and the state it meets.
//!
//! It is asked before the call takes effect and stands on the call's line; that is all it is for.
//!
//! Rules: the matrix of section 14, row by row for what is built.

use super::*;

impl Player {
    /// The rule that decides about a call in the state at hand.
    #[must_use]
    pub fn rule_of(&self, command: &Command) -> RuleId {
        let Command { call, args } = command;
        let is_setting = args.first().is_some_and(|first| *first != Value::Undefined);
        let names_many = matches!(args.first(), Some(Value::List(_)));
        match call {
            Call::On if names_many => rule!("EVT-4"),
            Call::On => rule!("EVT-3"),
            Call::Once if names_many => rule!("EVT-6"),
            Call::Once => rule!("EVT-5"),
            Call::Off if names_many => rule!("EVT-6"),
            Call::Off => rule!("EVT-7"),
            Call::Add | Call::AddOnce | Call::Remove => rule!("EVT-9"),
            Call::Destroy if self.is_destroyed() => rule!("DESTROY-8"),
            Call::Destroy if self.is_leaving => rule!("DESTROY-7"),
            Call::Destroy if matches!(self.state, State::Created(_)) => rule!("DESTROY-5"),
            Call::Destroy => rule!("DESTROY-1"),
            Call::CurrentTime if !is_setting => self.rule_of_query(Query::CurrentTime),
            Call::CurrentChapter if !is_setting => self.rule_of_query(Query::CurrentChapter),
            Call::Duration => self.rule_of_query(Query::Duration),
            Call::CurrentSrc => self.rule_of_query(Query::CurrentSrc),
            Call::GetAdInProgress => self.rule_of_query(Query::GetAdInProgress),
            Call::GetTitle => self.rule_of_query(Query::GetTitle),
            Call::GetTags => self.rule_of_query(Query::GetTags),
            Call::IsReady => rule!("READY-2"),
            Call::PlaylistLength | Call::CurrentIndex => rule!("PL-3"),
            Call::Stop if matches!(self.state, State::Created(_)) => rule!("STOP-8"),
            _ if matches!(self.state, State::Created(_)) => rule!("INIT-20"),
            Call::Play => self.rule_of_play(),
            Call::Pause => self.rule_of_pause(),
            Call::Stop => self.rule_of_stop(),
            Call::CurrentTime => self.rule_of_seek(rule!("TIME-2")),
            Call::CurrentChapter if matches!(self.state, State::AdPlaying(_) | State::AdPaused(_)) => {
                rule!("CH-11")
            }
            Call::CurrentChapter => rule!("CH-6"),
            Call::Next | Call::Previous => self.rule_of_navigation(rule!("PL-4")),
            Call::PlayByIndex => self.rule_of_navigation(rule!("PL-6")),
            Call::SetAd => rule!("AD-10"),
        }
    }

    /// The rule by which a getter answers in the state at hand.
    #[must_use]
    pub fn rule_of_query(&self, query: Query) -> RuleId {
        let is_ad = matches!(self.state, State::AdPlaying(_) | State::AdPaused(_));
        match query {
            Query::IsReady if self.is_destroyed() => rule!("READY-3"),
            Query::IsReady => rule!("READY-1"),
            _ if matches!(self.state, State::Created(_)) => rule!("INIT-20"),
            Query::CurrentTime => rule!("TIME-1"),
            Query::Duration if is_ad => rule!("DUR-3"),
            Query::Duration if self.element.duration().is_none() => rule!("DUR-2"),
            Query::Duration => rule!("DUR-1"),
            Query::CurrentChapter if is_ad => rule!("CH-11"),
            Query::CurrentChapter => rule!("CH-1"),
            Query::CurrentSrc => rule!("SRCQ-1"),
            Query::PlaylistLength if self.playlist.len() == 0 => rule!("PL-20"),
            Query::PlaylistLength => rule!("PL-1"),
            Query::CurrentIndex => rule!("PL-2"),
            Query::GetAdInProgress => rule!("GAP-1"),
            Query::GetTitle | Query::GetTags => rule!("META-1"),
            Query::LastVastXml => rule!("VX-1"),
        }
    }

    fn rule_of_play(&self) -> RuleId {
        match self.state {
            State::Playing(_) | State::Buffering => rule!("PLAY-2"),
            State::AdLoading(_) => rule!("PLAY-13"),
            State::AdPlaying(_) | State::AdPaused(_) => rule!("PLAY-14"),
            State::Paused => rule!("PLAY-8"),
            State::Ended(Advance::Due(..) | Advance::Paused) => rule!("PL-15"),
            State::Ended(Advance::Nowhere) if self.starts_another_pass() => rule!("PLAY-11"),
            State::Ended(Advance::Nowhere) => rule!("PLAY-10"),
            State::Failed => rule!("PLAY-15"),
            State::Initial | State::Created(_) | State::Destroyed => rule!("PLAY-1"),
        }
    }

    fn rule_of_pause(&self) -> RuleId {
        match self.state {
            State::Playing(_) | State::Buffering => rule!("PAUSE-1"),
            State::AdPlaying(_) | State::AdPaused(_) => rule!("PAUSE-3"),
            State::AdLoading(_) => rule!("PAUSE-4"),
            State::Ended(Advance::Due(..)) => rule!("PL-15"),
            State::Initial
            | State::Paused
            | State::Ended(Advance::Nowhere | Advance::Paused)
            | State::Failed
            | State::Created(_)
            | State::Destroyed => rule!("PAUSE-2"),
        }
    }

    fn rule_of_stop(&self) -> RuleId {
        if self.state.ad_break().is_some() { rule!("STOP-3") } else { rule!("STOP-1") }
    }

    fn rule_of_seek(&self, usual: RuleId) -> RuleId {
        match self.state {
            State::Initial | State::AdLoading(_) => rule!("TIME-7"),
            State::AdPlaying(_) | State::AdPaused(_) => rule!("TIME-6"),
            State::Ended(Advance::Due(..) | Advance::Paused) => rule!("PL-15"),
            State::Ended(Advance::Nowhere) => rule!("TIME-8"),
            State::Failed => rule!("ERR-5"),
            State::Playing(_) | State::Buffering | State::Paused | State::Created(_) | State::Destroyed => {
                usual
            }
        }
    }

    fn rule_of_navigation(&self, usual: RuleId) -> RuleId {
        match self.state {
            State::AdLoading(Held { by: Holder::Break(_), .. })
            | State::AdPlaying(_)
            | State::AdPaused(_) => rule!("PL-17"),
            State::Ended(Advance::Due(..) | Advance::Paused) => rule!("PL-15"),
            State::Initial | State::Paused | State::Ended(Advance::Nowhere) | State::Failed => rule!("PL-18"),
            State::AdLoading(Held { by: Holder::Record, .. })
            | State::Playing(_)
            | State::Buffering
            | State::Created(_)
            | State::Destroyed => usual,
        }
    }
}
