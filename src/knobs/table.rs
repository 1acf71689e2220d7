//! The table of knobs: one row per knob, with its name in scenarios, its field, its default, the rules that
//! depend on it, and what it decides.

use super::{
    AdEndScope, AdEngine, AdErrorScope, AdTagUrl, AfterStartError, AssetUri, BeforeStartPosition,
    BeforeStartScope, BrokenAd, BrokenFirst, ByteSize, CatchUp, CategoryFault, ChainedWrapper,
    ChapterBeforeFirst, ChapterCounts, ClickthroughConflict, CommandMonetize, CompleteAt, DateDigits,
    DateOrder, Detection, DispatchMode, EditAuth, EditBoth, EditLists, EditPrefix, EditRoutes, EmptyInteger,
    EndedVsPostroll, ErrorCodes, ErrorShape, FailedStatus, FallbackOnNoAd, FullscreenEvent, FullscreenToggle,
    GeoList, GestureViolation, IdConflict, Jitter, Knob, LateAnswer, Limit, LimitCounts, MacroLists,
    MacroSet, MacroSpelling, MediaChoice, MidrollHold, MissingSize, NoClass, NoMediaCode, OnItemError,
    OtherOperations, OutstreamAfter, PauseDuringLoad, PercentProgress, PlayReturns, PlayWithPreroll,
    PlaylistPrerolls, PodPosition, PodRefused, PodsCount, ProgressMeaning, PropertyCalls, PushAdsSource,
    RateLimit, ReadDate, Reading, RelativeUrls, SeekDuringAd, SeekFraction, SeekPolicy, SeekQuartiles,
    SeekedCause, SimidExpand, SimidFailed, SimidNavigation, StartScope, SuccessShape, Switch,
    TimeTypeRequired, TrackerUrls, UnknownFields, Urlencoded, UserAgent, VmapAdEnd, VolumeOutOfRange,
    VpaidClick, VpaidRefused, VpaidStart, WrapperBroken, WrapperFetch, Written,
};
use crate::rules;
use crate::time::Span;

macro_rules! knobs {
    ($(
        $name:literal $field:ident: $type:ty = $default:expr, [$($rule:ident),*], $about:literal
        $(, $valid:expr, $range:literal)?;
    )*) => {
        /// The settings in force for a run.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Knobs {
            $(#[doc = concat!("`", $name, "`: ", $about)] pub $field: $type,)*
        }

        impl Default for Knobs {
            fn default() -> Knobs {
                Knobs { $($field: $default,)* }
            }
        }

        /// All knobs.
        pub const KNOBS: &[Knob] = &[$(Knob {
            name: $name,
            about: $about,
            takes: <$type as Written>::takes,
            range: concat!($($range)?),
            rules: &[$(rules::$rule),*],
            value: |knobs| Written::write(knobs.$field),
            same: |one, other| one.$field == other.$field,
            set: |knobs, text| {
                let value = <$type as Written>::read(text);
                $(let value = value.filter($valid);)?
                value.map(|value| knobs.$field = value).is_some()
            },
            is_sound: |knobs| {
                let value = Some(knobs.$field).filter(|value| value.can_be_written());
                $(let value = value.filter($valid);)?
                value.is_some()
            },
        },)*];
    };
}

knobs! {
    "dispatch.mode" dispatch_mode: DispatchMode = DispatchMode::Queued, [EVT_1],
        "When events fired during an API call reach their listeners.";
    "bus.dedupe" bus_dedupe: Switch = Switch::Off, [EVT_10],
        "Whether binding the same listener twice to the same event binds it only once.";
    "bus.array_everywhere" bus_array_everywhere: Switch = Switch::On, [EVT_6],
        "Whether `once` and `off` accept a list of event names, as `on` does.";
    "bus.expose_html" bus_expose_html: Switch = Switch::Off, [EVT_18],
        "Whether page code can also listen to media element events that the player does not document.";
    "compat.property_calls" compat_property_calls: PropertyCalls = PropertyCalls::Warn, [READY_2, PL_3, FS_3],
        "What happens when page code calls a property like a method.";
    "init.strict_types" init_strict_types: Switch = Switch::Off, [INIT_3],
        "Whether the configuration rejects numbers where it expects strings.";
    "init.no_class" init_no_class: NoClass = NoClass::Warn, [INIT_6],
        "What happens when the container lacks the player's CSS class.";
    "init.missing_size" init_missing_size: MissingSize = MissingSize::Usual, [INIT_2],
        "What happens when a player's configuration lacks `width` or `height`.";
    "start.scope" start_scope: StartScope = StartScope::Load, [PLAY_9, STOP_5],
        "How often `start` fires for a video.";
    "play.returns" play_returns: PlayReturns = PlayReturns::None, [PLAY_3], "What `play()` returns.";
    "play.with_preroll" play_with_preroll: PlayWithPreroll = PlayWithPreroll::AfterAds, [PLAY_5],
        "When `play` fires if a pre-roll comes before the content.";
    "before_start.scope" before_start_scope: BeforeStartScope = BeforeStartScope::Item, [PLAY_7],
        "How often `beforeStart` fires.";
    "gesture.violation" gesture_violation: GestureViolation = GestureViolation::Refuse, [PLAY_17],
        "What happens when playback starts without the user gesture that the device requires.";
    "pause.during_load" pause_during_load: PauseDuringLoad = PauseDuringLoad::Hold, [PAUSE_4],
        "What `pause()` does while content is held for a break that is still loading.";
    "ended.pause_event" ended_pause_event: Switch = Switch::Off, [END_1],
        "Whether `pause` fires before `ended`.";
    "ended.vs_postroll" ended_vs_postroll: EndedVsPostroll = EndedVsPostroll::After, [END_2],
        "Whether `ended` fires before or after a post-roll.";
    "timeupdate.period" timeupdate_period: Span = Span::from_millis(250), [MEL_15],
        "The time between periodic `timeupdate` events.",
        |period| *period >= Span::from_millis(15) && *period <= Span::from_millis(250), "15ms to 250ms";
    "timeupdate.jitter" timeupdate_jitter: Jitter = Jitter::None, [MEL_15],
        "How periodic `timeupdate` events are spaced.";
    "progress.jitter" progress_jitter: Span = Span::ZERO, [MEL_4],
        "How far a `progress` event may deviate from its regular interval.",
        |jitter| *jitter <= Span::from_millis(200), "0 to 200ms";
    "progress.meaning" progress_meaning: ProgressMeaning = ProgressMeaning::Both, [MEL_26, EV_18, CON_32],
        "When `progress` fires.";
    "detect" detect: Detection = Detection::Exact, [LAST_4],
        "When the player notices that playback has reached a position.";
    "chapter.before_first" chapter_before_first: ChapterBeforeFirst = ChapterBeforeFirst::First, [CH_5],
        "What `currentChapter()` returns before the first chapter.";
    "seek.during_ad" seek_during_ad: SeekDuringAd = SeekDuringAd::DeferCalls, [TIME_6],
        "What a seek does while a linear ad is playing.";
    "seek.fraction" seek_fraction: SeekFraction = SeekFraction::AsIs, [TIME_3],
        "What happens to fractions of a second when page code seeks.";
    "seeked.cause" seeked_cause: SeekedCause = SeekedCause::AnyRequest, [TIME_11],
        "Which seeks fire `seeked`.";
    "volume.out_of_range" volume_out_of_range: VolumeOutOfRange = VolumeOutOfRange::Ignore, [VOL_4],
        "What happens when page code sets a volume outside 0 to 1.";
    "volume.zero_mutes" volume_zero_mutes: Switch = Switch::Off, [VOL_6],
        "Whether setting the volume to 0 also mutes.";
    "mute.volumechange" mute_volumechange: Switch = Switch::Off, [MUTE_3],
        "Whether muting and unmuting also fire `volumechange`.";
    "quality.reload_events" quality_reload_events: Switch = Switch::Off, [QUAL_7],
        "Whether a change of rendition fires the events of a newly loaded source.";
    "src.strict" src_strict: Switch = Switch::Off, [SRC_3],
        "Whether setting `src` outside a ready callback is an error.";
    "playlist.wrap" playlist_wrap: Switch = Switch::Off, [PL_5],
        "Whether `next()` at the last item goes to the first, and `previous()` at the first to the last.";
    "playlist.on_error" playlist_on_error: OnItemError = OnItemError::Stay, [PL_16],
        "What happens when a playlist item fails.";
    "playlist.prerolls" playlist_prerolls: PlaylistPrerolls = PlaylistPrerolls::EveryItem, [PRE_3],
        "Which playlist items have pre-rolls.";
    "playlist.advance_delay" playlist_advance_delay: Span = Span::ZERO, [PL_12],
        "How long the player waits before it plays the next item.";
    "ad.adTagUrl" ad_tag_url: AdTagUrl = AdTagUrl::Alias, [AD_5],
        "What the field `adTagUrl` of an ad object means.";
    "ad.time_type_required" ad_time_type_required: TimeTypeRequired = TimeTypeRequired::Lenient, [AD_3],
        "Whether an ad object must have `adTimeType`.";
    "ad.engine" ad_engine: AdEngine = AdEngine::InHouse, [REQ_12, VX_1],
        "Which engine requests and plays ads.";
    "ad.timeout" ad_timeout: Span = Span::from_secs(5), [REQ_7],
        "How long an ad tag may take to answer, including its redirects and wrappers.";
    "ad.hop_timeout" ad_hop_timeout: Limit = Limit::Off, [CHN_1],
        "How long each single document of an ad tag may take: its own and that of each wrapper.";
    "ad.break_timeout" ad_break_timeout: Limit = Limit::Off, [REQ_7, CHN_2],
        "How long a break may take until its first ad is ready.";
    "ad.late" ad_late: LateAnswer = LateAnswer::Drop, [REQ_10],
        "What happens to an ad response that arrives after its timeout.";
    "ad.media_timeout" ad_media_timeout: Span = Span::from_secs(8), [REQ_9],
        "How long an ad's media may take until it is ready to play.";
    "ad.stall_timeout" ad_stall_timeout: Span = Span::from_secs(8), [BRK_20],
        "How long an ad may stall before it fails.";
    "ad.end_card" ad_end_card: Span = Span::from_secs(5), [ADX_17],
        "How long an end card stays on screen unless the user closes it.";
    "skip.min_offset" skip_min_offset: Span = Span::ZERO, [ADX_27],
        "The minimum skip offset; a lower one is raised to this.";
    "ad.max_wrappers" ad_max_wrappers: u32 = 5, [REQ_8],
        "The maximum number of wrappers that are followed.",
        |count| *count <= 100, "0 to 100";
    "ad.max_wrappers_counts" ad_max_wrappers_counts: LimitCounts = LimitCounts::Wrappers, [CHN_3],
        "What `ad.max_wrappers` counts.";
    "ad.max_documents" ad_max_documents: u32 = 1_000, [CHN_10],
        "The maximum number of documents requested for one ad tag.",
        |count| (1..=100_000).contains(count), "1 to 100000";
    "ad.wrapper_fetch_code" ad_wrapper_fetch_code: WrapperFetch = WrapperFetch::Unavailable, [CHN_5],
        "The error code when the document that a wrapper points to cannot be fetched.";
    "ad.wrapper_broken" ad_wrapper_broken: WrapperBroken = WrapperBroken::Named, [PRD_10],
        "The error code when the document that a wrapper points to cannot be read.";
    "ad.failed_status" ad_failed_status: FailedStatus = FailedStatus::Refused, [PRD_11],
        "What happens to an ad response whose HTTP status is not a success.";
    "ad.wrapper_chained" ad_wrapper_chained: ChainedWrapper = ChainedWrapper::Ignore, [CHN_6],
        "What happens to a wrapper after one whose `followAdditionalWrappers` is false.";
    "ad.wrapper_pod" ad_wrapper_pod: PodRefused = PodRefused::Ignore, [CHN_7],
        "What happens to ads with a `sequence` after a wrapper whose `allowMultipleAds` is false.";
    "ad.relative_urls" ad_relative_urls: RelativeUrls = RelativeUrls::Resolve, [CHN_11],
        "Which relative URLs in VAST and VMAP documents are resolved against the document's own URL.";
    "ad.fallback_on_no_ad" ad_fallback_on_no_ad: FallbackOnNoAd = FallbackOnNoAd::Act, [SEL_3],
        "Whether a wrapper's `fallbackOnNoAd` has an effect.";
    "ad.broken" ad_broken: BrokenAd = BrokenAd::Schema, [CHN_8],
        "What happens to an `Ad` element with neither or both of `InLine` and `Wrapper`.";
    "ad.first_broken" ad_first_broken: BrokenFirst = BrokenFirst::Named, [CHN_9],
        "The error code when the tag's own document cannot be used.";
    "vast.reading" vast_reading: Reading = Reading::Lenient, [PRD_6], "How strictly VAST documents are read.";
    "ad.category_fault" ad_category_fault: CategoryFault = CategoryFault::Refused, [PRD_7],
        "What happens to an ad whose category is missing or blocked.";
    "ad.empty_is_error" ad_empty_is_error: Switch = Switch::On, [REQ_6],
        "Whether a tag whose own document has no ad fires `adError`.";
    "ad.no_media_code" ad_no_media_code: NoMediaCode = NoMediaCode::Unsupported, [SEL_8],
        "The error code of an ad without a playable media file.";
    "ad.media_choice" ad_media_choice: MediaChoice = MediaChoice::Bitrate, [SEL_7],
        "Which of several playable media files is chosen.";
    "ad.pod_reserve" ad_pod_reserve: Switch = Switch::On, [SEL_2],
        "Whether a stand-alone ad of the document replaces an ad of the pod that cannot be played.";
    "ad.before_start" ad_before_start: BeforeStartPosition = BeforeStartPosition::Each, [PRD_9, CUE_7],
        "Which breaks play when the content starts at a later position than its beginning.";
    "ad.expires" ad_expires: Switch = Switch::On, [SEL_12],
        "Whether an ad is skipped when its response is older than `Expires` allows.";
    "ad.not_used" ad_not_used: Switch = Switch::On, [SEL_5],
        "Whether the `notUsed` trackers of ads that were returned but not played are called.";
    "break.max_duration" break_max_duration: Limit = Limit::Off, [SEL_4],
        "The maximum total duration of the linear ads of a break.";
    "ad_error.scope" ad_error_scope: AdErrorScope = AdErrorScope::Each, [REQ_4],
        "Which ad failures fire `adError`.";
    "ad_error.codes" ad_error_codes: ErrorCodes = ErrorCodes::Vast, [REQ_5],
        "Which codes `adError` has where VAST defines none.";
    "ad_end.scope" ad_end_scope: AdEndScope = AdEndScope::Break, [BRK_10], "How often `adEnd` fires.";
    "ad.after_start_error" ad_after_start_error: AfterStartError = AfterStartError::NextTag, [BRK_12],
        "What happens after an ad fails that had already started.";
    "adpos.base" adpos_base: u32 = 0, [BRK_7],
        "The number at which `wp` and `pod` start counting.",
        |base| *base <= 1, "0 or 1";
    "adpos.pod" adpos_pod: PodPosition = PodPosition::Slot, [BRK_7],
        "What `pod` of `adComplete` and `adSkip` counts.";
    "ad.pods_counts" ad_pods_counts: PodsCount = PodsCount::PlayerLevel, [AD_18],
        "What `pods` of `adComplete` and `adSkip` counts.";
    "vmap.ad_end" vmap_ad_end: VmapAdEnd = VmapAdEnd::Break, [VMAP_22],
        "Which breaks of a VMAP response fire `adEnd`.";
    "overlay.quartiles" overlay_quartiles: Switch = Switch::Off, [OVL_2],
        "Whether an overlay fires quartiles, measured by the time it is on screen.";
    "command.monetize" command_monetize: CommandMonetize = CommandMonetize::Refuse, [PA_7],
        "What happens to an ad on command while the video is excluded from monetization.";
    "quartile.catch_up" quartile_catch_up: CatchUp = CatchUp::All, [BRK_4],
        "What happens when playback passes several quartiles at once.";
    "quartile.in_seek" quartile_in_seek: SeekQuartiles = SeekQuartiles::Crossed, [PRD_1],
        "What happens to the quartiles of an ad that a seek within the ad passes.";
    "complete.at" complete_at: CompleteAt = CompleteAt::End, [PRD_2],
        "When the `complete` trackers of a linear ad are called.";
    "progress.percent" progress_percent: PercentProgress = PercentProgress::Exact, [PRD_8],
        "When a `progress` tracker with an offset in percent is called.";
    "vpaid.refused" vpaid_refused: VpaidRefused = VpaidRefused::NoMedia, [PRD_3],
        "The error code of an ad that has only VPAID units where VPAID is not allowed.";
    "vpaid.start" vpaid_start: VpaidStart = VpaidStart::Both, [BRK_2],
        "Whether a VPAID ad fires `adStart` too.";
    "vpaid.click" vpaid_click: VpaidClick = VpaidClick::Person, [CLICK_4],
        "What fires when a user clicks on a VPAID ad and the unit does not report the click.";
    "vpaid.init_timeout" vpaid_init_timeout: Span = Span::from_secs(8), [VPAID_3],
        "How long a VPAID unit may take to answer the handshake, and then to load.";
    "vpaid.start_timeout" vpaid_start_timeout: Span = Span::from_secs(8), [VPAID_4],
        "How long a VPAID unit may take from `startAd` to its impression.";
    "vpaid.stop_timeout" vpaid_stop_timeout: Span = Span::from_secs(3), [VPAID_8, VPAID_9],
        "How long a VPAID unit may take to stop and leave.";
    "simid.session_timeout" simid_session_timeout: Span = Span::from_secs(5), [SIMID_3],
        "How long a SIMID unit may take to request a session.";
    "simid.init_timeout" simid_init_timeout: Span = Span::from_secs(5), [SIMID_3],
        "How long a SIMID unit may take to answer `init`.";
    "simid.failed" simid_failed: SimidFailed = SimidFailed::Media, [SIMID_3],
        "What happens when a SIMID unit fails before its ad has started.";
    "simid.answer_timeout" simid_answer_timeout: Span = Span::from_secs(5), [SIMID_4],
        "How long a SIMID unit may take to answer `startCreative`.";
    "simid.max_messages" simid_max_messages: u32 = 50, [SIMID_7],
        "How many messages per second are accepted from a SIMID unit.",
        |count| *count > 0, "1 or more";
    "simid.navigation" simid_navigation: SimidNavigation = SimidNavigation::Allowed, [SIMID_11],
        "Whether a SIMID unit may open URLs.";
    "simid.max_navigations" simid_max_navigations: u32 = 3, [SIMID_11],
        "The maximum number of URLs opened for one SIMID unit.";
    "simid.extra_time" simid_extra_time: Span = Span::ZERO, [SIMID_2, SIMID_12],
        "By how much a SIMID unit may extend its ad.";
    "simid.expand" simid_expand: SimidExpand = SimidExpand::Granted, [SIMID_15],
        "What happens when a SIMID overlay asks to expand over the content.";
    "simid.max_expands" simid_max_expands: u32 = 3, [SIMID_15],
        "How often a SIMID overlay may ask to expand over the content.";
    "macros" macros: MacroSet = MacroSet::Off, [EDIT_58],
        "Which macros are replaced in ad tags, in addition to those of VAST.";
    "macros.spelling" macro_spelling: MacroSpelling = MacroSpelling::Lenient, [MAC_3],
        "Which spellings of macros in URLs are replaced.";
    "ad.tracker_urls" ad_tracker_urls: TrackerUrls = TrackerUrls::Any, [PRD_14],
        "Which tracker URLs are called.";
    "macros.lists" macro_lists: MacroLists = MacroLists::Literal, [PRD_12],
        "How the items of a list macro are separated.";
    "macros.asset_uri" macro_asset_uri: AssetUri = AssetUri::Played, [PRD_13],
        "The value of the macro `ASSETURI`.";
    "cue.percent" cue_percent: Switch = Switch::On, [PRD_4],
        "Whether mid-rolls and overlays may be placed at a percentage of the content.";
    "midroll.end_threshold" midroll_end_threshold: Span = Span::ZERO, [PRD_5],
        "A mid-roll closer than this to the end of the content is left out.";
    "midroll.seek_policy" midroll_seek_policy: SeekPolicy = SeekPolicy::Last, [CUE_5],
        "Which mid-rolls play after a seek that passes several of them.";
    "midroll.hold" midroll_hold: MidrollHold = MidrollHold::WhenReady, [CUE_3],
        "When content stops for a mid-roll.";
    "push_ads.source" push_ads_source: PushAdsSource = PushAdsSource::Effective, [PUSH_2],
        "Which pre-rolls `pushAds()` plays.";
    "outstream.after" outstream_after: OutstreamAfter = OutstreamAfter::Destroy, [OUT_6],
        "What happens to an outstream unit after its ads.";
    "fullscreen.toggle" fullscreen_toggle: FullscreenToggle = FullscreenToggle::Toggle, [FS_2],
        "What `toggleFullScreen()` does while in fullscreen.";
    "fullscreen.event" fullscreen_event: FullscreenEvent = FullscreenEvent::AnyChange, [FS_4],
        "Which changes fire `fullscreenchange`.";
    "ga.strict" ga_strict: Switch = Switch::Off, [GA_2],
        "Whether sending custom analytics outside a ready callback is an error.";
    "comscore.trace" comscore_trace: Switch = Switch::Off, [EDIT_60],
        "Whether the trace shows the audience-measurement fields of the record when an item starts.";
    "record.live_update" record_live_update: Switch = Switch::Off, [META_2],
        "Whether a player sees an edit of its video at once, instead of at the next load of the item.";
    "edit.routes" edit_routes: EditRoutes = EditRoutes::All, [EDIT_2],
        "Which URL paths accept edits of a video.";
    "edit.urlencoded" edit_urlencoded: Urlencoded = Urlencoded::Refuse, [EDIT_4],
        "What happens to a URL-encoded form body.";
    "edit.prefix" edit_prefix: EditPrefix = EditPrefix::Both, [EDIT_6],
        "Whether form fields are named with or without the prefix.";
    "edit.both" edit_both: EditBoth = EditBoth::Prefixed, [EDIT_8],
        "What happens when a field is sent both with and without the prefix.";
    "edit.id_conflict" edit_id_conflict: IdConflict = IdConflict::Error, [EDIT_9],
        "What happens when path and form name different ids.";
    "edit.empty_integer" edit_empty_integer: EmptyInteger = EmptyInteger::Error, [EDIT_12],
        "What happens when an integer field is sent empty.";
    "edit.atomic" edit_atomic: Switch = Switch::On, [EDIT_13],
        "Whether a request with an invalid field changes nothing at all.";
    "edit.clickthrough_conflict" edit_clickthrough_conflict: ClickthroughConflict =
        ClickthroughConflict::Error, [EDIT_17],
        "What happens when `clickthroughURL` and `clickthroughUrl` are both sent and differ.";
    "edit.date_digits" edit_date_digits: DateDigits = DateDigits::Strict, [EDIT_21],
        "How many digits the day and the month of a date must have.";
    "edit.date_order" edit_date_order: DateOrder = DateOrder::Accept, [EDIT_23],
        "What happens when the kill date is not after the publish date.";
    "edit.geo_list" edit_geo_list: GeoList = GeoList::Iso, [EDIT_27], "Which country codes are valid.";
    "edit.comscore_check" edit_comscore_check: Switch = Switch::Off, [EDIT_28],
        "Whether dates and flags for audience measurement are validated.";
    "edit.lists" edit_lists: EditLists = EditLists::Replace, [EDIT_31],
        "What happens to the existing custom parameters and chapters when new ones are sent.";
    "edit.chapter_counts" edit_chapter_counts: ChapterCounts = ChapterCounts::TitleOptional, [EDIT_33],
        "What happens when the numbers of chapter times and titles differ.";
    "edit.partner_check" edit_partner_check: Switch = Switch::On, [EDIT_34],
        "Whether requests by accounts that do not own the video are refused.";
    "edit.unknown" edit_unknown: UnknownFields = UnknownFields::Ignore, [EDIT_35],
        "What happens to unknown form fields.";
    "edit.user_agent" edit_user_agent: UserAgent = UserAgent::Warn, [EDIT_36],
        "What happens to a request without `User-Agent`.";
    "edit.auth" edit_auth: EditAuth = EditAuth::None, [EDIT_37], "How a request must authenticate.";
    "edit.success_shape" edit_success_shape: SuccessShape = SuccessShape::Obs, [EDIT_38],
        "What the body of a successful response contains.";
    "edit.error_shape" edit_error_shape: ErrorShape = ErrorShape::Problem, [EDIT_39],
        "What the body of an error response contains.";
    "edit.read_date" edit_read_date: ReadDate = ReadDate::DayFirst, [EDIT_41], "How responses write dates.";
    "edit.max_body" edit_max_body: ByteSize = ByteSize(10 << 20), [EDIT_42], "The maximum size of a request body.";
    "edit.rate" edit_rate: RateLimit = RateLimit::Off, [EDIT_43],
        "How many requests are accepted per second of the virtual clock.";
    "edit.other" edit_other: OtherOperations = OtherOperations::NotImplemented, [EDIT_48],
        "How other operations on videos are answered.";
    "limit.tasks_per_instant" limit_tasks_per_instant: u32 = 100_000, [CLK_6, CLK_12],
        "The maximum number of tasks, and of calls by listeners, at one instant; one more ends the run.",
        |count| *count > 0, "1 or more";
}
