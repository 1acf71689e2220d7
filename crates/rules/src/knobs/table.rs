//! The table of knobs, in groups: one row per knob, with its name in scenarios, its field, its
//! type, and the rules that depend on it. For a knob that chooses between behaviours the type says
//! what it decides, and its first value is the default; other rows say both.

use super::choices::*;
use super::edit::*;
use super::products::*;
use super::readings::*;
use super::written::{Choice, Written};
use super::{AskAhead, CompleteAt, Knob, KnobReader, Limit};
use crate as rules;
use playsim_base::time::Span;

macro_rules! knobs {
    ($([$group:literal] $(
        $name:literal $field:ident: $type:ident, [$($rule:ident),*]
        $(= $default:expr, $about:literal $(, $valid:expr, $range:literal)?)?;
    )*)*) => {
        /// The settings in force for a run.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Knobs {
            $($(#[doc = knobs!(@doc $name $type $($about)?)] pub $field: $type,)*)*
        }

        /// The knobs of a run never change, so they are not part of any state.
        impl std::hash::Hash for Knobs {
            fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
        }

        impl Default for Knobs {
            fn default() -> Knobs {
                Knobs { $($($field: knobs!(@default $type $($default)?),)*)* }
            }
        }

        /// The places of the knobs in the table, by their fields.
        #[allow(non_camel_case_types, reason = "named as the fields are")]
        enum Place {
            $($($field,)*)*
        }

        impl KnobReader {
            $($(
                #[doc = concat!("Reads and notes ", knobs!(@doc $name $type $($about)?))]
                #[inline]
                #[must_use]
                pub fn $field(&self) -> $type {
                    self.note(Place::$field as usize).$field
                }
            )*)*
        }

        /// All knobs.
        pub const KNOBS: &[Knob] = &[$($(Knob {
            group: $group,
            name: $name,
            about: knobs!(@about $type $($about)?),
            takes: <$type as Written>::takes,
            range: concat!($($($range)?)?),
            rules: &[$(rules::$rule),*],
            value: |knobs| Written::write(knobs.$field),
            same: |one, other| one.$field == other.$field,
            set: |knobs, text| {
                let value = <$type as Written>::read(text);
                $($(let value = value.filter($valid);)?)?
                value.map(|value| knobs.$field = value).is_some()
            },
            is_sound: |knobs| {
                let value = Some(knobs.$field).filter(|value| value.can_be_written());
                $($(let value = value.filter($valid);)?)?
                value.is_some()
            },
        },)*)*];
    };
    (@doc $name:literal $type:ident) => { concat!("`", $name, "`: see [`", stringify!($type), "`].") };
    (@doc $name:literal $type:ident $about:literal) => { concat!("`", $name, "`: ", $about) };
    (@default $type:ident) => { $type::DEFAULT };
    (@default $type:ident $default:expr) => { $default };
    (@about $type:ident) => { $type::ABOUT };
    (@about $type:ident $about:literal) => { $about };
}

knobs! {
    ["Events and configuration"]
    "dispatch.mode" dispatch_mode: DispatchMode, [EVT_1];
    "bus.dedupe" bus_dedupe: Switch, [EVT_10] = Switch::Off,
        "Whether binding the same listener twice to the same event binds it only once.";
    "bus.array_everywhere" bus_array_everywhere: Switch, [EVT_6] = Switch::On,
        "Whether `once` and `off`, and so `addOnce` and `remove`, accept a list of event names, as `on` does.";
    "bus.expose_html" bus_expose_html: Switch, [EVT_18] = Switch::Off,
        "Whether page code can also listen to media element events that the player does not document.";
    "compat.property_calls" compat_property_calls: PropertyCalls, [READY_2, PL_3, FS_3];
    "init.strict_types" init_strict_types: Switch, [INIT_3] = Switch::Off,
        "Whether the configuration rejects numbers where it expects strings.";
    "init.no_class" init_no_class: NoClass, [INIT_6];
    "init.missing_size" init_missing_size: MissingSize, [INIT_2];

    ["Playback"]
    "start.scope" start_scope: StartScope, [PLAY_9, STOP_5];
    "play.returns" play_returns: PlayReturns, [PLAY_3];
    "play.with_preroll" play_with_preroll: PlayWithPreroll, [PLAY_5];
    "before_start.scope" before_start_scope: BeforeStartScope, [PLAY_7];
    "gesture.violation" gesture_violation: GestureViolation, [PLAY_17];
    "unmute.refused" unmute_refused: UnmuteRefused, [PLAY_25];
    "autoplay.play" autoplay_play: AutoplayOrder, [MEL_29];
    "activation.play" activation_play: PlayActivation, [PLAY_22, PLAY_24, PLAY_26, FS_5];
    "activation.lasts" activation_lasts: Span, [PLAY_23] = Span::from_secs(5),
        "How long transient activation lasts.", |span| *span > Span::ZERO, "more than 0 s";
    "pause.during_load" pause_during_load: PauseDuringLoad, [PAUSE_4];
    "ended.pause_event" ended_pause_event: Switch, [END_1] = Switch::Off,
        "Whether `pause` fires before `ended`.";
    "ended.vs_postroll" ended_vs_postroll: EndedVsPostroll, [END_2];
    "timeupdate.period" timeupdate_period: Span, [MEL_15] = Span::from_millis(250),
        "The time between periodic `timeupdate` events.",
        |period| *period >= Span::from_millis(15) && *period <= Span::from_secs(1), "15ms to 1s";
    "timeupdate.jitter" timeupdate_jitter: Jitter, [MEL_15];
    "progress.jitter" progress_jitter: Span, [MEL_4] = Span::ZERO,
        "How far a `progress` event may deviate from its regular interval.",
        |jitter| *jitter <= Span::from_millis(200), "0 to 200ms";
    "progress.meaning" progress_meaning: ProgressMeaning, [MEL_26, EV_18, CON_32];
    "detect" detect: Detection, [LAST_4];
    "chapter.before_first" chapter_before_first: ChapterBeforeFirst, [CH_5];
    "seek.during_ad" seek_during_ad: SeekDuringAd, [TIME_6];
    "seek.fraction" seek_fraction: SeekFraction, [TIME_3];
    "seeked.cause" seeked_cause: SeekedCause, [TIME_11];
    "volume.out_of_range" volume_out_of_range: VolumeOutOfRange, [VOL_4];
    "volume.zero_mutes" volume_zero_mutes: Switch, [VOL_6] = Switch::Off,
        "Whether setting the volume to 0 also mutes.";
    "mute.volumechange" mute_volumechange: Switch, [MUTE_3] = Switch::Off,
        "Whether muting and unmuting also fire `volumechange`.";
    "quality.reload_events" quality_reload_events: Switch, [QUAL_7] = Switch::Off,
        "Whether a change of rendition fires the events of a newly loaded source.";

    ["Sources and playlists"]
    "src.strict" src_strict: Switch, [SRC_3] = Switch::Off,
        "Whether setting `src` outside a ready callback is an error.";
    "src.pre_roll" src_pre_roll: SourcePreRoll, [PRD_34];
    "playlist.wrap" playlist_wrap: Switch, [PL_5] = Switch::Off,
        "Whether `next()` at the last item goes to the first, and `previous()` at the first to the last.";
    "playlist.on_error" playlist_on_error: OnItemError, [PL_16];
    "playlist.after_stop" playlist_after_stop: AfterStop, [STOP_9, STOP_4];
    "playlist.prerolls" playlist_prerolls: PlaylistPrerolls, [PRE_3];
    "playlist.advance_delay" playlist_advance_delay: Span, [PL_12] = Span::ZERO,
        "How long the player waits before it plays the next item.";
    "playlist.play_in_delay" playlist_play_in_delay: PlayInDelay, [PL_15];

    ["Ad requests and time limits"]
    "ad.adTagUrl" ad_tag_url: AdTagUrl, [AD_5];
    "ad.time_type_required" ad_time_type_required: TimeTypeRequired, [AD_3];
    "ad.engine" ad_engine: AdEngine, [REQ_12, VX_1];
    "ad.timeout" ad_timeout: Span, [REQ_7] = Span::from_secs(5),
        "How long an ad tag may take to answer, including its redirects and wrappers.";
    "ad.hop_timeout" ad_hop_timeout: Limit, [CHN_1] = Limit::Off,
        "How long each single document of an ad tag may take: its own and that of each wrapper.";
    "ad.attempts" ad_attempts: u32, [PRD_25] = 1,
        "How often a document is requested if it cannot be fetched, or not within `ad.hop_timeout`.",
        |count| (1..=10).contains(count), "1 to 10";
    "ad.retry_after" ad_retry_after: Span, [PRD_25] = Span::ZERO,
        "How long after a failed attempt a document is requested again.";
    "ad.min_interval" ad_min_interval: Span, [PRD_41] = Span::ZERO,
        "How long after the start of an ad no tag is requested.";
    "ad.break_timeout" ad_break_timeout: Limit, [REQ_7, CHN_2] = Limit::Off,
        "How long a break may take until its first ad is ready.";
    "ad.late" ad_late: LateAnswer, [REQ_10];
    "ad.media_timeout" ad_media_timeout: Span, [REQ_9] = Span::from_secs(8),
        "How long an ad's media may take until it is ready to play.";
    "ad.stall_timeout" ad_stall_timeout: Span, [BRK_20] = Span::from_secs(8),
        "How long an ad may stall before it fails.";
    "ad.end_card" ad_end_card: Span, [ADX_17] = Span::from_secs(5),
        "How long an end card stays on screen unless the user closes it.";
    "skip.min_offset" skip_min_offset: Span, [ADX_27] = Span::ZERO,
        "The minimum skip offset; a lower one is raised to this.";
    "skip.offset" skip_offset: SkipOffset, [PRD_42];
    "skip.shortest" skip_shortest: Span, [PRD_36] = Span::ZERO,
        "The shortest linear ad that the user can skip; one that is shorter has no skip offset.";

    ["Wrappers and responses"]
    "ad.max_wrappers" ad_max_wrappers: u32, [REQ_8] = 5,
        "The maximum number of wrappers that are followed.",
        |count| *count <= 100, "0 to 100";
    "ad.max_wrappers_counts" ad_max_wrappers_counts: LimitCounts, [CHN_3];
    "ad.wrapper_limit_code" ad_wrapper_limit_code: WrapperLimitCode, [REQ_8];
    "ad.max_documents" ad_max_documents: u32, [CHN_10] = 1_000,
        "The maximum number of documents requested for one ad tag.",
        |count| (1..=100_000).contains(count), "1 to 100000";
    "ad.wrapper_fetch_code" ad_wrapper_fetch_code: WrapperFetch, [CHN_5];
    "ad.wrapper_broken" ad_wrapper_broken: WrapperBroken, [PRD_10];
    "ad.failed_status" ad_failed_status: FailedStatus, [PRD_11];
    "ad.wrapper_chained" ad_wrapper_chained: ChainedWrapper, [CHN_6];
    "ad.wrapper_pod" ad_wrapper_pod: PodRefused, [CHN_7];
    "ad.relative_urls" ad_relative_urls: RelativeUrls, [CHN_11];
    "ad.fallback_on_no_ad" ad_fallback_on_no_ad: FallbackOnNoAd, [SEL_3];
    "ad.broken" ad_broken: BrokenAd, [CHN_8];
    "ad.first_broken" ad_first_broken: BrokenFirst, [CHN_9];
    "vast.reading" vast_reading: Reading, [PRD_6];
    "vast.names" vast_names: ChildNames, [PRD_40];
    "ad.category_fault" ad_category_fault: CategoryFault, [PRD_7];
    "ad.empty_is_error" ad_empty_is_error: Switch, [REQ_6] = Switch::On,
        "Whether a tag whose own document has no ad fires `adError`.";
    "ad.no_media_code" ad_no_media_code: NoMediaCode, [SEL_8];
    "ad.unshowable_media_code" ad_unshowable_media_code: UnshowableMedia, [PRD_20];
    "ad.unfetched_media_code" ad_unfetched_media_code: UnfetchedMedia, [PRD_45];
    "ad.media_choice" ad_media_choice: MediaChoice, [SEL_7];
    "ad.pod_plays" ad_pod_plays: PodPlays, [PRD_27];
    "ad.pod_reserve" ad_pod_reserve: Switch, [SEL_2] = Switch::On,
        "Whether a stand-alone ad of the document replaces an ad of the pod that cannot be played.";
    "ad.before_start" ad_before_start: BeforeStartPosition, [PRD_9, CUE_7];
    "ad.expires" ad_expires: Switch, [SEL_12] = Switch::On,
        "Whether an ad is skipped when its response is older than `Expires` allows.";
    "ad.not_used" ad_not_used: Switch, [SEL_5] = Switch::On,
        "Whether the `notUsed` trackers of ads that were returned but not played are called.";

    ["Breaks and their events"]
    "break.max_duration" break_max_duration: Limit, [SEL_4] = Limit::Off,
        "The maximum total duration of the linear ads of a break.";
    "break.overrun" break_overrun: Overrun, [SEL_15];
    "ad_error.scope" ad_error_scope: AdErrorScope, [REQ_4];
    "ad_error.codes" ad_error_codes: ErrorCodes, [REQ_5];
    "ad_end.scope" ad_end_scope: AdEndScope, [BRK_10];
    "ad.after_start_error" ad_after_start_error: AfterStartError, [BRK_12];
    "adpos.base" adpos_base: u32, [BRK_7] = 0,
        "The number at which `wp` and `pod` start counting.",
        |base| *base <= 1, "0 or 1";
    "adpos.pod" adpos_pod: PodPosition, [BRK_7];
    "ad.pods_counts" ad_pods_counts: PodsCount, [AD_18];
    "vmap.ad_end" vmap_ad_end: VmapAdEnd, [VMAP_22];
    "vmap.same_offset" vmap_same_offset: SameOffset, [VMAP_23];
    "overlay.quartiles" overlay_quartiles: Switch, [OVL_2] = Switch::Off,
        "Whether an overlay fires quartiles, measured by the time it is on screen.";
    "overlay.complete" overlay_complete: Switch, [PRD_35] = Switch::On,
        "Whether an overlay that was shown for its full time is complete: `adComplete` and its trackers.";
    "command.monetize" command_monetize: CommandMonetize, [PA_7];

    ["Progress of an ad"]
    "quartile.catch_up" quartile_catch_up: CatchUp, [BRK_4];
    "quartile.in_seek" quartile_in_seek: SeekQuartiles, [PRD_1];
    "complete.at" complete_at: CompleteAt, [PRD_2] = CompleteAt::End,
        "When the `complete` trackers of a linear ad are called; the ad itself ends at its end.";
    "quartile.at" quartile_at: QuartileAt, [PRD_31];
    "ad.duration" ad_duration: AdDuration, [PRD_39];
    "resume.at_start" resume_at_start: Switch, [PRD_18] = Switch::Off,
        "Whether the `resume` trackers of a linear ad are also called when it starts.";
    "sound.at_start" sound_at_start: SoundAtStart, [PRD_43];
    "pause.at_end" pause_at_end: Switch, [PRD_43] = Switch::Off,
        "Whether the `pause` trackers of a linear ad are also called when its film has ended.";
    "click.pauses" click_pauses: Switch, [PRD_44] = Switch::On,
        "Whether a click on a linear ad pauses it.";
    "progress.percent" progress_percent: PercentProgress, [PRD_8];

    ["Interactive units"]
    "vpaid.refused" vpaid_refused: VpaidRefused, [PRD_3];
    "vpaid.start" vpaid_start: VpaidStart, [BRK_2];
    "vpaid.click" vpaid_click: VpaidClick, [CLICK_4];
    "vpaid.init_timeout" vpaid_init_timeout: Span, [VPAID_3] = Span::from_secs(8),
        "How long a VPAID unit may take to answer the handshake, and then to load.";
    "vpaid.start_timeout" vpaid_start_timeout: Span, [VPAID_4] = Span::from_secs(8),
        "How long a VPAID unit may take from `startAd` to its impression.";
    "vpaid.stop_timeout" vpaid_stop_timeout: Span, [VPAID_8, VPAID_9] = Span::from_secs(3),
        "How long a VPAID unit may take to stop and leave.";
    "simid.session_timeout" simid_session_timeout: Span, [SIMID_3] = Span::from_secs(5),
        "How long a SIMID unit may take to request a session.";
    "simid.init_timeout" simid_init_timeout: Span, [SIMID_3] = Span::from_secs(5),
        "How long a SIMID unit may take to answer `init`.";
    "simid.failed" simid_failed: SimidFailed, [SIMID_3];
    "simid.answer_timeout" simid_answer_timeout: Span, [SIMID_4] = Span::from_secs(5),
        "How long a SIMID unit may take to answer `startCreative`.";
    "simid.max_messages" simid_max_messages: u32, [SIMID_7] = 50,
        "How many messages per second are accepted from a SIMID unit.",
        |count| *count > 0, "1 or more";
    "simid.navigation" simid_navigation: SimidNavigation, [SIMID_11];
    "simid.max_navigations" simid_max_navigations: u32, [SIMID_11] = 3,
        "The maximum number of URLs opened for one SIMID unit.";
    "simid.extra_time" simid_extra_time: Span, [SIMID_2, SIMID_12] = Span::ZERO,
        "By how much a SIMID unit may extend its ad.";
    "simid.expand" simid_expand: SimidExpand, [SIMID_15];
    "simid.max_expands" simid_max_expands: u32, [SIMID_15] = 3,
        "How often a SIMID overlay may ask to expand over the content.";

    ["Trackers and macros"]
    "macros" macros: MacroSet, [EDIT_58];
    "macros.spelling" macro_spelling: MacroSpelling, [MAC_3];
    "ad.error_urls" ad_error_urls: ErrorUrls, [PRD_16];
    "impression.at" impression_at: ImpressionAt, [PRD_29];
    "creative_view.at" creative_view_at: CreativeViewAt, [PRD_15];
    "ad.repeated_trackers" ad_repeated_trackers: RepeatedTrackers, [BRK_25];
    "ad.root_errors" ad_root_errors: RootErrors, [PRD_19];
    "ad.tracker_calls" ad_tracker_calls: TrackerCalls, [PRD_28];
    "ad.tracker_order" ad_tracker_order: TrackerOrder, [PRD_17];
    "ad.tracker_urls" ad_tracker_urls: TrackerUrls, [PRD_14];
    "macros.urls" macro_urls: MacroUrls, [PRD_38];
    "macros.lists" macro_lists: MacroLists, [PRD_12];
    "macros.asset_uri" macro_asset_uri: AssetUri, [PRD_13];
    "macros.content_playhead" macro_content_playhead: ContentPlayhead, [MAC_8];

    ["Cue points and rolls"]
    "cue.percent" cue_percent: CuePercent, [PRD_4];
    "cue.live" cue_live: Switch, [PRD_37] = Switch::On,
        "Whether mid-rolls and overlays come at positions of a live stream.";
    "midroll.end_threshold" midroll_end_threshold: Span, [PRD_5] = Span::ZERO,
        "A mid-roll closer than this to the end of the content is left out.";
    "midroll.seek_policy" midroll_seek_policy: SeekPolicy, [CUE_5] = SeekPolicy::Last,
        "Which mid-rolls play after a seek that passes several of them.";
    "midroll.hold" midroll_hold: MidrollHold, [CUE_3];
    "midroll.ask" midroll_ask: AskAhead, [PRD_26] = AskAhead::AtCue,
        "When the ads of a mid-roll are requested; they are shown at its cue point.";
    "midroll.ask_passed" midroll_ask_passed: PassedRequest, [PRD_26];
    "midroll.join" midroll_join: MidrollJoin, [PRD_23];
    "midroll.rewind" midroll_rewind: Span, [PRD_22] = Span::ZERO,
        "How far before the position at which it stopped content goes on after the ads of a mid-roll.";
    "cue.check" cue_check: Limit, [PRD_24] = Limit::Off,
        "How often the position is compared with cue points, which are met late by up to this; `off`: always.";
    "preroll.hold" preroll_hold: PrerollHold, [PRD_21];
    "preroll.absent" preroll_absent: AbsentBreak, [PRD_32];
    "preroll.timeout" preroll_timeout: Limit, [PRD_33] = Limit::Off,
        "How long a pre-roll may take until its first ad is ready; `off`: as `ad.break_timeout` says.";
    "postroll.absent" postroll_absent: AbsentBreak, [PRD_32];
    "postroll.timeout" postroll_timeout: Limit, [PRD_33] = Limit::Off,
        "How long a post-roll may take until its first ad is ready; `off`: as `ad.break_timeout` says.";
    "postroll.ask" postroll_ask: AskAhead, [PRD_30] = AskAhead::AtCue,
        "When the ads of the post-roll are requested, whose cue point is the end of the content.";
    "push_ads.source" push_ads_source: PushAdsSource, [PUSH_2];

    ["Page and record"]
    "outstream.after" outstream_after: OutstreamAfter, [OUT_6];
    "fullscreen.toggle" fullscreen_toggle: FullscreenToggle, [FS_2];
    "fullscreen.event" fullscreen_event: FullscreenEvent, [FS_4];
    "ga.strict" ga_strict: Switch, [GA_2] = Switch::Off,
        "Whether sending custom analytics outside a ready callback is an error.";
    "comscore.trace" comscore_trace: Switch, [EDIT_60] = Switch::Off,
        "Whether the trace shows the audience-measurement fields of the record when an item starts.";
    "record.live_update" record_live_update: Switch, [META_2] = Switch::Off,
        "Whether a player sees an edit of its video at once, instead of at the next load of the item.";

    ["The edit call"]
    "edit.routes" edit_routes: EditRoutes, [EDIT_2];
    "edit.urlencoded" edit_urlencoded: Urlencoded, [EDIT_4];
    "edit.prefix" edit_prefix: EditPrefix, [EDIT_6];
    "edit.both" edit_both: EditBoth, [EDIT_8];
    "edit.id_conflict" edit_id_conflict: IdConflict, [EDIT_9];
    "edit.empty_integer" edit_empty_integer: EmptyInteger, [EDIT_12];
    "edit.atomic" edit_atomic: Switch, [EDIT_13] = Switch::On,
        "Whether a request with an invalid field changes nothing at all.";
    "edit.clickthrough_conflict" edit_clickthrough_conflict: ClickthroughConflict, [EDIT_17];
    "edit.date_digits" edit_date_digits: DateDigits, [EDIT_21];
    "edit.date_order" edit_date_order: DateOrder, [EDIT_23];
    "edit.geo_list" edit_geo_list: GeoList, [EDIT_27];
    "edit.comscore_check" edit_comscore_check: Switch, [EDIT_28] = Switch::Off,
        "Whether dates and flags for audience measurement are validated.";
    "edit.lists" edit_lists: EditLists, [EDIT_31];
    "edit.chapter_counts" edit_chapter_counts: ChapterCounts, [EDIT_33];
    "edit.partner_check" edit_partner_check: Switch, [EDIT_34] = Switch::On,
        "Whether requests by accounts that do not own the video are refused.";
    "edit.unknown" edit_unknown: UnknownFields, [EDIT_35];
    "edit.user_agent" edit_user_agent: UserAgent, [EDIT_36];
    "edit.auth" edit_auth: EditAuth, [EDIT_37];
    "edit.success_shape" edit_success_shape: SuccessShape, [EDIT_38];
    "edit.error_shape" edit_error_shape: ErrorShape, [EDIT_39];
    "edit.read_date" edit_read_date: ReadDate, [EDIT_41];
    "edit.max_body" edit_max_body: ByteSize, [EDIT_42] = ByteSize(10 << 20), "The maximum size of a request body.";
    "edit.rate" edit_rate: RateLimit, [EDIT_43] = RateLimit::Off,
        "How many requests are accepted per second of the virtual clock.";
    "edit.other" edit_other: OtherOperations, [EDIT_48];

    ["Limits of a run"]
    "limit.tasks_per_second" limit_tasks_per_second: u32, [CLK_6, CLK_12] = 100_000,
        "The maximum number of tasks, and of calls by listeners, in a simulated second; one more ends the run.",
        |count| *count > 0, "1 or more";
}
