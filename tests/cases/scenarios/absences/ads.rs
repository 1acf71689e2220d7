//! Rules of ads.
//!
//! `events` checks the ad events of every scenario; the others play small scenarios of their own.

mod breaks;
mod events;
mod positions;
mod schedule;
mod world;

use super::Absence;

macro_rules! tests {
    ($($module:ident: $name:ident [$($rule:literal),*],)*) => {
        &[$(Absence { name: stringify!($name), rules: &[$($rule),*], check: $module::$name },)*]
    };
}

pub(super) use positions::TRACES;

pub(super) const ALL: &[Absence] = tests![
    events: an_ad_break_of_any_scenario_keeps_the_order_of_its_events
        ["BRK-5", "EV-20", "EV-23", "EV-25", "EV-26", "EV-27", "EV-28", "EV-29", "EV-32", "INV-13"],
    events: the_event_that_closes_an_ad_has_its_position ["BRK-6", "EV-30", "EV-31"],
    events: before_start_comes_directly_before_an_impression_or_start ["EV-4", "PLAY-7"],
    events: ad_pause_and_ad_resume_alternate ["EV-33", "EV-34", "INV-14"],
    events: content_has_no_events_while_an_ad_plays ["BRK-16", "INV-8"],
    events: ad_errors_fall_within_breaks_only ["INV-10"],
    events: a_break_that_requested_anything_ends_once ["INV-11", "BRK-10"],
    schedule: a_desktop_without_a_list_of_its_own_uses_the_mobile_one ["AD-6", "AD-7", "CON-17"],
    schedule: set_ad_appends_or_prepends_and_returns_nothing ["AD-10", "AD-11", "AD-16"],
    schedule: a_single_tag_url_is_a_list_of_one ["AD-5", "CON-2"],
    schedule: no_time_type_is_needed_where_there_is_no_time ["AD-3", "CON-16"],
    schedule: video_level_ads_replace_only_their_type_and_item ["AD-13"],
    schedule: pods_are_counted_at_player_level ["AD-18", "CON-14"],
    schedule: a_break_keeps_the_tags_it_began_with ["AD-14", "AD-15"],
    schedule: ads_are_only_for_monetized_items ["REQ-14", "REQ-15"],
    schedule: a_list_requests_a_pre_roll_before_each_item ["PRE-3"],
    breaks: quartiles_of_one_long_step_all_come_in_order ["BRK-4"],
    breaks: content_does_not_move_during_an_ad ["BRK-17"],
    breaks: an_ad_is_in_progress_from_its_impression_to_its_end ["GAP-1", "GAP-2", "BRK-11"],
    breaks: content_may_load_during_a_break ["PRE-2"],
    breaks: before_start_is_once_per_item_and_not_per_ad ["PLAY-7", "CON-20"],
    breaks: each_ad_ends_and_the_break_once ["BRK-5", "BRK-10", "CON-18"],
    breaks: each_failing_tag_has_an_error ["REQ-4", "CON-39"],
    breaks: a_replay_requests_no_ad_and_a_start_after_stop_does ["PLAY-10", "PLAY-12", "STOP-5"],
    breaks: play_while_a_break_loads_only_sets_the_intent ["PLAY-13", "PAUSE-4"],
    breaks: the_last_document_is_available_in_the_events_of_its_response ["REQ-11", "VX-1", "VX-4", "CON-22"],
    breaks: the_last_document_is_that_of_the_current_break ["VX-2"],
    breaks: a_cue_point_is_met_at_the_next_look_at_the_position ["PRD-24"],
    breaks: the_hops_of_a_chain_are_called_in_the_order_of_the_profile ["PRD-17"],
    breaks: a_failed_request_leaves_the_document_of_the_previous_hop ["VX-3"],
    positions: an_ad_tag_requests_custom_parameters_only_with_the_knob ["EDIT-58"],
];
