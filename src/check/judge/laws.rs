//! The laws: one row for each rule, with the function that judges by it.

use super::Law;
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

pub(super) const LAWS: &[Law] = &[
    Law { rule: rules::TRK_1, judge: trackers::once },
    Law { rule: rules::TRK_2, judge: trackers::impression_with_the_picture },
    Law { rule: rules::TRK_3, judge: order::in_order },
    Law { rule: rules::TRK_4, judge: order::nothing_after_the_end },
    Law { rule: rules::TRK_5, judge: trackers::of_the_ad_on_screen },
    Law { rule: rules::TRK_6, judge: times::by_played_time },
    Law { rule: rules::TRK_7, judge: order::pause_and_resume_take_turns },
    Law { rule: rules::TRK_8, judge: trackers::of_the_whole_chain },
    Law { rule: rules::TRK_9, judge: errors::with_a_code },
    Law { rule: rules::TRK_10, judge: errors::failures_are_reported },
    Law { rule: rules::TRK_11, judge: order::creative_view_before_start },
    Law { rule: rules::SCR_1, judge: screen::no_content_under_an_ad },
    Law { rule: rules::SCR_2, judge: screen::no_content_within_a_pod },
    Law { rule: rules::SCR_3, judge: screen::the_session_goes_on },
    Law { rule: rules::SCR_4, judge: errors::no_uncaught_error },
    Law { rule: rules::PRE_1, judge: screen::pre_roll_before_content },
    Law { rule: rules::VMAP_4, judge: breaks::at_their_cue },
    Law { rule: rules::CUE_3, judge: breaks::not_asked_ahead },
    Law { rule: rules::BRK_17, judge: content::goes_on_where_it_stopped },
    Law { rule: rules::END_1, judge: content::ends_after_its_post_roll },
    Law { rule: rules::TIME_2, judge: seeks::reach_their_target },
    Law { rule: rules::MEL_13, judge: seeks::are_answered },
    Law { rule: rules::EV_1, judge: events::ready_comes_first },
    Law { rule: rules::EV_7, judge: events::ended_after_start },
    Law { rule: rules::BRK_10, judge: events::one_end_for_each_break },
    Law { rule: rules::BRK_6, judge: events::position_of_the_ad },
    Law { rule: rules::EVT_2, judge: listeners::hear_their_event },
    Law { rule: rules::EVT_5, judge: listeners::once_runs_once },
    Law { rule: rules::EVT_7, judge: listeners::off_is_off },
];
