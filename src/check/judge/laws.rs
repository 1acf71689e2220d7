//! The laws: one row for each rule, with the function that judges by it.

use super::TraceLaw;
use crate::rules;

mod breaks;
mod content;
mod errors;
mod events;
mod listeners;
mod order;
mod screen;
mod seeks;
mod times;
mod trackers;

pub(super) const LAWS: &[TraceLaw] = &[
    TraceLaw { rule: rules::TRK_1, judge: trackers::once },
    TraceLaw { rule: rules::TRK_2, judge: trackers::impression_with_the_picture },
    TraceLaw { rule: rules::TRK_3, judge: order::in_order },
    TraceLaw { rule: rules::TRK_4, judge: order::nothing_after_the_end },
    TraceLaw { rule: rules::TRK_5, judge: trackers::of_the_ad_on_screen },
    TraceLaw { rule: rules::TRK_6, judge: times::by_played_time },
    TraceLaw { rule: rules::TRK_7, judge: order::pause_and_resume_take_turns },
    TraceLaw { rule: rules::TRK_8, judge: trackers::of_the_whole_chain },
    TraceLaw { rule: rules::TRK_9, judge: errors::with_a_code },
    TraceLaw { rule: rules::TRK_10, judge: errors::failures_are_reported },
    TraceLaw { rule: rules::TRK_11, judge: order::creative_view_before_start },
    TraceLaw { rule: rules::SCR_1, judge: screen::no_content_under_an_ad },
    TraceLaw { rule: rules::SCR_2, judge: screen::no_content_within_a_pod },
    TraceLaw { rule: rules::SCR_3, judge: screen::the_session_goes_on },
    TraceLaw { rule: rules::SCR_4, judge: errors::no_uncaught_error },
    TraceLaw { rule: rules::PRE_1, judge: screen::pre_roll_before_content },
    TraceLaw { rule: rules::VMAP_4, judge: breaks::at_their_cue },
    TraceLaw { rule: rules::CUE_3, judge: breaks::not_asked_ahead },
    TraceLaw { rule: rules::BRK_17, judge: content::goes_on_where_it_stopped },
    TraceLaw { rule: rules::END_1, judge: content::ends_after_its_post_roll },
    TraceLaw { rule: rules::TIME_2, judge: seeks::reach_their_target },
    TraceLaw { rule: rules::MEL_13, judge: seeks::are_answered },
    TraceLaw { rule: rules::EV_1, judge: events::ready_comes_first },
    TraceLaw { rule: rules::EV_7, judge: events::ended_after_start },
    TraceLaw { rule: rules::BRK_10, judge: events::one_end_for_each_break },
    TraceLaw { rule: rules::BRK_6, judge: events::position_of_the_ad },
    TraceLaw { rule: rules::EVT_2, judge: listeners::hear_their_event },
    TraceLaw { rule: rules::EVT_5, judge: listeners::once_runs_once },
    TraceLaw { rule: rules::EVT_7, judge: listeners::off_is_off },
];
