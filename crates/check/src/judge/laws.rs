//! The table of laws: each row is a rule, the lines that a trace must hear for it, and the function
//! that judges by it.

use super::TraceLaw;
use super::needs::Need;
use playsim_api::EventName as E;
use playsim_api::Kind;
use playsim_rules::{self as rules, RuleId};

mod acts;
mod breaks;
mod content;
mod errors;
mod events;
mod listeners;
mod order;
mod own;
mod requests;
mod screen;
mod seeks;
mod settings;
mod times;
mod trackers;

pub(super) use own::ads::{AdSpan, ad_spans};
pub(super) use own::breaks::Breaks;

/// A row without more than its rule and its function.
macro_rules! law {
    ($rule:ident, $judge:expr) => {
        law!($rule, [], $judge)
    };
    ($rule:ident, [$($need:expr),*], $judge:expr $(, implied by [$($by:ident),*])?) => {
        TraceLaw {
            rule: rules::$rule,
            needs: &[$($need),*],
            judge: $judge,
            implied_by: { const BY: &[RuleId] = &[$($(rules::$by),*)?]; BY },
        }
    };
}

const TRACKERS: Need = Need::Trackers;
const REQUESTS: Need = Need::Lines(Kind::Net, "request");

/// The laws, in the order in which findings at one line are reported.
pub const LAWS: &[TraceLaw] = &[
    law!(INV_3, own::order::time_and_numbers),
    law!(INV_4, [Need::Own], own::order::causes),
    law!(INV_5, own::order::once_in_a_life),
    law!(CLK_7, own::order::end),
    law!(
        INV_6,
        [Need::Events(&[E::Play, E::Ended])],
        own::content::ended_after_play
    ),
    law!(
        INV_7,
        [Need::Events(&[E::Play, E::Start])],
        own::content::start_after_play
    ),
    law!(
        INV_8,
        [Need::Events(&[
            E::AdImpression,
            E::AdComplete,
            E::AdError,
            E::AdSkip
        ])],
        own::ads::no_content_events
    ),
    law!(
        INV_9,
        [Need::Events(&[E::Stopped]), Need::Lines(Kind::Call, "stop")],
        own::content::stopped_by_calls
    ),
    law!(INV_10, [Need::Breaks], own::ads::errors_in_their_place),
    law!(INV_11, [Need::Breaks], own::breaks::one_end),
    law!(INV_12, [Need::Own], own::breaks::requests_add_up),
    law!(
        INV_13,
        [Need::Events(&[
            E::AdImpression,
            E::AdStart,
            E::AdFirstQuartile,
            E::AdMidpoint,
            E::AdThirdQuartile,
            E::AdComplete
        ])],
        own::ads::one_way_through
    ),
    law!(
        INV_14,
        [Need::Events(&[E::AdImpression, E::AdPause, E::AdResume])],
        own::ads::resumed_when_paused
    ),
    law!(INV_15, [Need::Own], own::position::moves_when_playing),
    law!(INV_16, own::content::index_in_list),
    law!(INV_17, [Need::Own], own::settings::changes_are_changes),
    law!(
        INV_18,
        [Need::Events(&[E::PlaylistComplete, E::Ended])],
        own::content::complete_after_ended
    ),
    law!(INV_20, [Need::Own], own::answers::none_from_the_engine),
    law!(
        INV_21,
        [Need::Own],
        own::answers::none_for_items_without_ads
    ),
    law!(INV_22, [Need::Own], own::position::even_time_updates),
    law!(TRK_1, [TRACKERS], trackers::once),
    law!(TRK_2, [TRACKERS], trackers::impression_with_the_picture),
    law!(TRK_3, [TRACKERS], order::in_order),
    law!(TRK_4, [TRACKERS], order::nothing_after_the_end),
    law!(TRK_5, [TRACKERS], trackers::of_the_ad_on_screen),
    law!(TRK_6, [TRACKERS], times::by_played_time, implied by [TRK_5]),
    law!(TRK_7, [TRACKERS], order::pause_and_resume_take_turns),
    law!(TRK_8, [REQUESTS], trackers::of_the_whole_chain),
    law!(TRK_9, errors::with_a_code),
    law!(
        TRK_10,
        [REQUESTS, Need::Documents],
        errors::failures_are_reported
    ),
    law!(TRK_11, [TRACKERS], order::creative_view_before_start),
    law!(
        TRK_12,
        [REQUESTS, Need::Documents],
        acts::call_their_trackers
    ),
    law!(
        TRK_13,
        [REQUESTS, Need::Documents],
        acts::companions_are_counted
    ),
    law!(TRK_14, [Need::Documents], acts::not_before_the_offset),
    law!(TRK_15, [Need::Documents], acts::in_sequence),
    law!(TRK_16, [Need::Documents], requests::as_they_are_written),
    law!(MAC_1, [Need::Documents], requests::macros_are_filled, implied by [TRK_9]),
    law!(TRK_17, [Need::Foreign, Need::Documents], requests::known),
    law!(SCR_1, screen::no_content_under_an_ad),
    law!(SCR_2, screen::no_content_within_a_pod),
    law!(SCR_3, screen::the_session_goes_on),
    law!(SCR_4, errors::no_uncaught_error),
    law!(PRE_1, screen::pre_roll_before_content),
    law!(VMAP_4, breaks::at_their_cue),
    law!(CUE_3, breaks::not_asked_ahead),
    law!(BRK_17, content::goes_on_where_it_stopped),
    law!(END_1, content::ends_after_its_post_roll),
    law!(TIME_2, seeks::reach_their_target),
    law!(
        MEL_13,
        [Need::Foreign, Need::Media(&[E::Seeking, E::Seeked])],
        seeks::are_answered
    ),
    law!(
        MEL_12,
        [Need::Foreign, Need::Media(&[E::Ended])],
        content::stays_at_its_end
    ),
    law!(PLAY_9, [Need::Own], settings::started),
    law!(TIME_11, [Need::Own], settings::seeked),
    law!(
        FS_4,
        [Need::Events(&[E::FullscreenChange])],
        settings::fullscreen
    ),
    law!(MUTE_2, [Need::Events(&[E::MuteChange])], settings::mute),
    law!(EV_1, events::ready_comes_first),
    law!(EV_7, [Need::Foreign, Need::Events(&[E::Start])], events::ended_after_start, implied by [INV_6]),
    law!(
        BRK_10,
        [Need::Foreign, Need::Events(&[E::AdEnd])],
        events::one_end_for_each_break
    ),
    law!(BRK_6, events::position_of_the_ad),
    law!(EVT_2, [Need::Listeners], listeners::hear_their_event),
    law!(EVT_5, [Need::Listeners], listeners::once_runs_once),
    law!(EVT_7, [Need::Listeners], listeners::off_is_off),
];
