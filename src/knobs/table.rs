//! The table of knobs: a row each, with its name in scenarios, its field, its default, the rules that ask it,
//! and what it decides.

use super::{
    AdEndScope, AdEngine, AdErrorScope, AdTagUrl, AfterStartError, BeforeStartScope, BrokenAd, BrokenFirst,
    Bytes, CatchUp, ChainedWrapper, ChapterCounts, ClickthroughConflict, CompleteAt, DateDigits, DateOrder,
    Detection, DispatchMode, EditAuth, EditBoth, EditLists, EditPrefix, EditRoutes, EmptyInteger,
    EndedVsPostroll, ErrorCodes, ErrorShape, FallbackOnNoAd, FullscreenEvent, FullscreenToggle, GeoList,
    GestureViolation, IdConflict, Jitter, Knob, LateAnswer, Limit, LimitCounts, MacroSet, MacroSpelling,
    MediaChoice, MidrollHold, NoClass, NoMediaCode, OnItemError, OtherOperations, OutstreamAfter,
    PauseDuringLoad, PlayReturns, PlayWithPreroll, PlaylistPrerolls, PodRefused, PropertyCalls,
    PushAdsSource, Rate, ReadDate, SeekDuringAd, SeekPolicy, SeekQuartiles, SeekedCause, SimidExpand,
    SimidFailed, SimidNavigation, SuccessShape, Switch, TimeTypeRequired, UnknownFields, Urlencoded,
    UserAgent, VolumeOutOfRange, VpaidRefused, VpaidStart, WrapperFetch, Written,
};
use crate::rule;
use crate::time::Span;

macro_rules! knobs {
    ($(
        $name:literal $field:ident: $type:ty = $default:expr, [$($rule:literal),*], $about:literal
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
            rules: &[$(rule!($rule)),*],
            value: |knobs| Written::write(knobs.$field),
            set: |knobs, text| {
                let value = <$type as Written>::read(text);
                $(let value = value.filter($valid);)?
                value.map(|value| knobs.$field = value).is_some()
            },
        },)*];
    };
}

knobs! {
    "dispatch.mode" dispatch_mode: DispatchMode = DispatchMode::Queued, ["EVT-1"],
        "When the events of a call reach their listeners.";
    "bus.dedupe" bus_dedupe: Switch = Switch::Off, ["EVT-10"],
        "Whether binding a listener once more to the same event does nothing.";
    "bus.array_everywhere" bus_array_everywhere: Switch = Switch::On, ["EVT-6"],
        "Whether `once` and `off` take several names, as `on` does.";
    "bus.expose_html" bus_expose_html: Switch = Switch::Off, ["EVT-18"],
        "Whether page code hears the media element's events outside the table.";
    "compat.property_calls" compat_property_calls: PropertyCalls = PropertyCalls::Warn,
        ["READY-2", "PL-3", "FS-3"], "What a property that is written as a call comes to.";
    "init.strict_types" init_strict_types: Switch = Switch::Off, ["INIT-3"],
        "Whether numbers are refused where the configuration asks for text.";
    "init.no_class" init_no_class: NoClass = NoClass::Warn, ["INIT-6"],
        "What becomes of a container without the player's class.";
    "play.returns" play_returns: PlayReturns = PlayReturns::None, ["PLAY-3"], "What `play()` gives back.";
    "play.with_preroll" play_with_preroll: PlayWithPreroll = PlayWithPreroll::AfterAds, ["PLAY-5"],
        "When `play` comes if a pre-roll stands before the content.";
    "before_start.scope" before_start_scope: BeforeStartScope = BeforeStartScope::Item, ["PLAY-7"],
        "What `beforeStart` comes before.";
    "gesture.violation" gesture_violation: GestureViolation = GestureViolation::Refuse, ["PLAY-17"],
        "What a start without the gesture it needs comes to.";
    "pause.during_load" pause_during_load: PauseDuringLoad = PauseDuringLoad::Hold, ["PAUSE-4"],
        "What `pause()` does while content is held for a break that loads.";
    "ended.pause_event" ended_pause_event: Switch = Switch::Off, ["END-1"],
        "Whether `pause` comes before `ended`.";
    "ended.vs_postroll" ended_vs_postroll: EndedVsPostroll = EndedVsPostroll::After, ["END-2"],
        "Where `ended` stands to a post-roll.";
    "timeupdate.period" timeupdate_period: Span = Span::from_millis(250), ["MEL-15"],
        "From one periodic time update to the next.",
        |period| *period >= Span::from_millis(15) && *period <= Span::from_millis(250), "15ms to 250ms";
    "timeupdate.jitter" timeupdate_jitter: Jitter = Jitter::None, ["MEL-15"],
        "How periodic time updates are spaced.";
    "progress.jitter" progress_jitter: Span = Span::ZERO, ["MEL-4"],
        "How far `progress` may be from its interval.",
        |jitter| *jitter <= Span::from_millis(200), "0 to 200ms";
    "detect" detect: Detection = Detection::Exact, ["LAST-4"],
        "When what follows from a position is noticed.";
    "seek.during_ad" seek_during_ad: SeekDuringAd = SeekDuringAd::Ignore, ["TIME-6"],
        "What a seek does while a linear ad is on.";
    "seeked.cause" seeked_cause: SeekedCause = SeekedCause::AnyRequest, ["TIME-11"],
        "Whose seeks `seeked` tells of.";
    "volume.out_of_range" volume_out_of_range: VolumeOutOfRange = VolumeOutOfRange::Ignore, ["VOL-4"],
        "What becomes of a volume outside 0 to 1.";
    "volume.zero_mutes" volume_zero_mutes: Switch = Switch::Off, ["VOL-6"], "Whether volume 0 mutes.";
    "mute.volumechange" mute_volumechange: Switch = Switch::Off, ["MUTE-3"],
        "Whether muting gives `volumechange` too.";
    "quality.reload_events" quality_reload_events: Switch = Switch::Off, ["QUAL-7"],
        "Whether a change of rendition shows the events of a new source.";
    "src.strict" src_strict: Switch = Switch::Off, ["SRC-3"],
        "Whether `src` outside a ready callback is an error.";
    "playlist.wrap" playlist_wrap: Switch = Switch::Off, ["PL-5"],
        "Whether `next()` at the last item leads to the first, and `previous()` back.";
    "playlist.on_error" playlist_on_error: OnItemError = OnItemError::Stay, ["PL-16"],
        "What follows an item that fails.";
    "playlist.prerolls" playlist_prerolls: PlaylistPrerolls = PlaylistPrerolls::EveryItem, ["PRE-3"],
        "Which items of a playlist have pre-rolls.";
    "playlist.advance_delay" playlist_advance_delay: Span = Span::ZERO, ["PL-12"],
        "The wait before the next item.";
    "ad.adTagUrl" ad_tag_url: AdTagUrl = AdTagUrl::Alias, ["AD-5"], "What `adTagUrl` of an ad object is.";
    "ad.time_type_required" ad_time_type_required: TimeTypeRequired = TimeTypeRequired::Lenient, ["AD-3"],
        "Whether an ad object must have its `adTimeType`.";
    "ad.engine" ad_engine: AdEngine = AdEngine::InHouse, ["REQ-12", "VX-1"],
        "Who asks for ads and plays them.";
    "ad.timeout" ad_timeout: Span = Span::from_secs(5), ["REQ-7"],
        "The time limit of one ad tag with its redirects.";
    "ad.hop_timeout" ad_hop_timeout: Limit = Limit::Off, ["CHN-1"],
        "The time limit of each document of an ad tag, its own and those behind wrappers.";
    "ad.break_timeout" ad_break_timeout: Limit = Limit::Off, ["REQ-7", "CHN-2"],
        "How long a break may take until its first ad is ready.";
    "ad.late" ad_late: LateAnswer = LateAnswer::Drop, ["REQ-10"],
        "What becomes of an ad answer that comes after its time-out.";
    "ad.media_timeout" ad_media_timeout: Span = Span::from_secs(8), ["REQ-9"],
        "How long an ad's media may take to get ready.";
    "ad.stall_timeout" ad_stall_timeout: Span = Span::from_secs(8), ["BRK-20"], "How long an ad may stall.";
    "ad.end_card" ad_end_card: Span = Span::from_secs(5), ["ADX-17"],
        "How long an end card shows that nobody closes.";
    "skip.min_offset" skip_min_offset: Span = Span::ZERO, ["ADX-27"],
        "The least skip offset: one that is lower counts as this.";
    "ad.max_wrappers" ad_max_wrappers: u32 = 5, ["REQ-8"], "How many redirects are followed.",
        |count| *count <= 100, "0 to 100";
    "ad.max_wrappers_counts" ad_max_wrappers_counts: LimitCounts = LimitCounts::Wrappers, ["CHN-3"],
        "What `ad.max_wrappers` counts.";
    "ad.max_documents" ad_max_documents: u32 = 1_000, ["CHN-10"], "How many documents are asked for one tag.",
        |count| (1..=100_000).contains(count), "1 to 100000";
    "ad.wrapper_fetch_code" ad_wrapper_fetch_code: WrapperFetch = WrapperFetch::Unavailable, ["CHN-5"],
        "The code of a wrapper whose address answers nothing usable.";
    "ad.wrapper_chained" ad_wrapper_chained: ChainedWrapper = ChainedWrapper::Ignore, ["CHN-6"],
        "What becomes of a wrapper behind one whose `followAdditionalWrappers` is false.";
    "ad.wrapper_pod" ad_wrapper_pod: PodRefused = PodRefused::Ignore, ["CHN-7"],
        "What becomes of ads with a sequence behind a wrapper whose `allowMultipleAds` is false.";
    "ad.fallback_on_no_ad" ad_fallback_on_no_ad: FallbackOnNoAd = FallbackOnNoAd::Act, ["SEL-3"],
        "Whether a wrapper's `fallbackOnNoAd` is acted on.";
    "ad.broken" ad_broken: BrokenAd = BrokenAd::Schema, ["CHN-8"],
        "What becomes of an `Ad` that holds neither `InLine` nor `Wrapper`, or both.";
    "ad.first_broken" ad_first_broken: BrokenFirst = BrokenFirst::Named, ["CHN-9"],
        "The code of an ad tag whose own document cannot be used.";
    "ad.empty_is_error" ad_empty_is_error: Switch = Switch::On, ["REQ-6"],
        "Whether an ad tag whose own document has no ad is told by `adError`.";
    "ad.no_media_code" ad_no_media_code: NoMediaCode = NoMediaCode::Unsupported, ["SEL-8"],
        "The code of an ad without a media file that can be played.";
    "ad.media_choice" ad_media_choice: MediaChoice = MediaChoice::Bitrate, ["SEL-7"],
        "Which of several media files that can be played is taken.";
    "ad.pod_reserve" ad_pod_reserve: Switch = Switch::On, ["SEL-2"],
        "Whether a stand-alone ad replaces an ad of a VAST pod that cannot be played.";
    "ad.expires" ad_expires: Switch = Switch::On, ["SEL-12"],
        "Whether an ad is passed over whose answer is older than its `Expires`.";
    "ad.not_used" ad_not_used: Switch = Switch::On, ["SEL-5"],
        "Whether ads that were answered and never used are told by their `notUsed` trackers.";
    "break.max_duration" break_max_duration: Limit = Limit::Off, ["SEL-4"],
        "How long the linear ads of a break may last together.";
    "ad_error.scope" ad_error_scope: AdErrorScope = AdErrorScope::Each, ["REQ-4"],
        "Which failures of ads are told by `adError`.";
    "ad_error.codes" ad_error_codes: ErrorCodes = ErrorCodes::Vast, ["REQ-5"],
        "Whose numbers `adError` has where the VAST standard names none.";
    "ad_end.scope" ad_end_scope: AdEndScope = AdEndScope::Break, ["BRK-10"], "What `adEnd` closes.";
    "ad.after_start_error" ad_after_start_error: AfterStartError = AfterStartError::NextTag, ["BRK-12"],
        "What follows an ad that fails after it started.";
    "adpos.base" adpos_base: u32 = 0, ["BRK-7"], "What `wp` and `pod` count from.",
        |base| *base <= 1, "0 or 1";
    "quartile.catch_up" quartile_catch_up: CatchUp = CatchUp::All, ["BRK-4"],
        "What becomes of several quartiles that one step of time crosses.";
    "quartile.in_seek" quartile_in_seek: SeekQuartiles = SeekQuartiles::Crossed, ["PRD-1"],
        "What becomes of the quartiles of an ad that a seek in it passes over.";
    "complete.at" complete_at: CompleteAt = CompleteAt::End, ["PRD-2"],
        "When the `complete` trackers of a linear ad are called.";
    "vpaid.refused" vpaid_refused: VpaidRefused = VpaidRefused::NoMedia, ["PRD-3"],
        "The code of an ad that has only VPAID units where none may run.";
    "vpaid.start" vpaid_start: VpaidStart = VpaidStart::Both, ["BRK-2"],
        "Whether a VPAID ad also gives `adStart`.";
    "vpaid.init_timeout" vpaid_init_timeout: Span = Span::from_secs(8), ["VPAID-3"],
        "How long a VPAID unit may take to answer the handshake, and then to load.";
    "vpaid.start_timeout" vpaid_start_timeout: Span = Span::from_secs(8), ["VPAID-4"],
        "How long a VPAID unit may take from `startAd` to its impression.";
    "vpaid.stop_timeout" vpaid_stop_timeout: Span = Span::from_secs(3), ["VPAID-8", "VPAID-9"],
        "How long a VPAID unit may take to leave.";
    "simid.session_timeout" simid_session_timeout: Span = Span::from_secs(5), ["SIMID-3"],
        "How long a SIMID unit may take to ask for a session.";
    "simid.init_timeout" simid_init_timeout: Span = Span::from_secs(5), ["SIMID-3"],
        "How long a SIMID unit may take to answer `init`.";
    "simid.failed" simid_failed: SimidFailed = SimidFailed::Media, ["SIMID-3"],
        "What follows a SIMID unit that fails before its ad is on.";
    "simid.answer_timeout" simid_answer_timeout: Span = Span::from_secs(5), ["SIMID-4"],
        "How long a SIMID unit may take to answer `startCreative`.";
    "simid.max_messages" simid_max_messages: u32 = 50, ["SIMID-7"],
        "How many messages of a SIMID unit within a second are listened to.",
        |count| *count > 0, "from 1";
    "simid.navigation" simid_navigation: SimidNavigation = SimidNavigation::Allowed, ["SIMID-11"],
        "Whether addresses are opened for a SIMID unit.";
    "simid.max_navigations" simid_max_navigations: u32 = 3, ["SIMID-11"],
        "How many addresses are opened for a SIMID unit.";
    "simid.extra_time" simid_extra_time: Span = Span::ZERO, ["SIMID-12"],
        "By how much a SIMID unit may make its ad longer.";
    "simid.expand" simid_expand: SimidExpand = SimidExpand::Granted, ["SIMID-15"],
        "What becomes of a SIMID overlay that asks to cover the content.";
    "simid.max_expands" simid_max_expands: u32 = 3, ["SIMID-15"],
        "How often a SIMID overlay may ask to cover the content.";
    "macros" macros: MacroSet = MacroSet::Off, ["EDIT-58"],
        "Which macros an ad tag may hold besides those of VAST.";
    "macros.spelling" macro_spelling: MacroSpelling = MacroSpelling::Lenient, ["MAC-3"],
        "Which spellings of macros in addresses are filled.";
    "cue.percent" cue_percent: Switch = Switch::On, ["PRD-4"],
        "Whether mid-rolls and overlays may stand at a share of the content.";
    "midroll.end_threshold" midroll_end_threshold: Span = Span::ZERO, ["PRD-5"],
        "How near to the end of the content a mid-roll is left out.";
    "midroll.seek_policy" midroll_seek_policy: SeekPolicy = SeekPolicy::Last, ["CUE-5"],
        "Which mid-roll a seek over several brings.";
    "midroll.hold" midroll_hold: MidrollHold = MidrollHold::WhenReady, ["CUE-3"],
        "When content stops for a mid-roll.";
    "push_ads.source" push_ads_source: PushAdsSource = PushAdsSource::Effective, ["PUSH-2"],
        "Which pre-rolls `pushAds()` plays.";
    "outstream.after" outstream_after: OutstreamAfter = OutstreamAfter::Destroy, ["OUT-6"],
        "What becomes of an outstream unit after its ads.";
    "fullscreen.toggle" fullscreen_toggle: FullscreenToggle = FullscreenToggle::Toggle, ["FS-2"],
        "What `toggleFullScreen()` does in fullscreen.";
    "fullscreen.event" fullscreen_event: FullscreenEvent = FullscreenEvent::AnyChange, ["FS-4"],
        "Which changes `fullscreenchange` tells of.";
    "ga.strict" ga_strict: Switch = Switch::Off, ["GA-2"],
        "Whether custom analytics outside a ready callback are an error.";
    "comscore.trace" comscore_trace: Switch = Switch::Off, ["EDIT-60"],
        "Whether the record's audience-measurement fields are traced when an item starts.";
    "record.live_update" record_live_update: Switch = Switch::Off, ["META-2"],
        "Whether a player sees an edit at once, and not only when it loads the item again.";
    "edit.routes" edit_routes: EditRoutes = EditRoutes::All, ["EDIT-2"], "Which paths edit a video.";
    "edit.urlencoded" edit_urlencoded: Urlencoded = Urlencoded::Refuse, ["EDIT-4"],
        "What becomes of a URL-encoded form.";
    "edit.prefix" edit_prefix: EditPrefix = EditPrefix::Both, ["EDIT-6"],
        "Where fields are named bare, and where with prefix.";
    "edit.both" edit_both: EditBoth = EditBoth::Prefixed, ["EDIT-8"],
        "What a field that is there bare and with prefix comes to.";
    "edit.id_conflict" edit_id_conflict: IdConflict = IdConflict::Error, ["EDIT-9"],
        "What different ids in path and form come to.";
    "edit.empty_integer" edit_empty_integer: EmptyInteger = EmptyInteger::Error, ["EDIT-12"],
        "What an integer that is sent empty comes to.";
    "edit.atomic" edit_atomic: Switch = Switch::On, ["EDIT-13"],
        "Whether a call with a mistake changes nothing at all.";
    "edit.clickthrough_conflict" edit_clickthrough_conflict: ClickthroughConflict =
        ClickthroughConflict::Error, ["EDIT-17"], "What two clickthrough addresses come to.";
    "edit.date_digits" edit_date_digits: DateDigits = DateDigits::Strict, ["EDIT-21"],
        "How many digits day and month of a date have.";
    "edit.date_order" edit_date_order: DateOrder = DateOrder::Accept, ["EDIT-23"],
        "What a kill date on or before the day of publishing comes to.";
    "edit.geo_list" edit_geo_list: GeoList = GeoList::Iso, ["EDIT-27"], "Which countries there are.";
    "edit.comscore_check" edit_comscore_check: Switch = Switch::Off, ["EDIT-28"],
        "Whether dates and flags of audience measurement are checked.";
    "edit.lists" edit_lists: EditLists = EditLists::Replace, ["EDIT-31"],
        "What custom parameters and chapters that are sent do to those there were.";
    "edit.chapter_counts" edit_chapter_counts: ChapterCounts = ChapterCounts::Error, ["EDIT-33"],
        "What unequal numbers of chapter times and titles come to.";
    "edit.partner_check" edit_partner_check: Switch = Switch::On, ["EDIT-34"],
        "Whether another account than the owner is refused.";
    "edit.unknown" edit_unknown: UnknownFields = UnknownFields::Ignore, ["EDIT-35"],
        "What fields that nobody knows come to.";
    "edit.user_agent" edit_user_agent: UserAgent = UserAgent::Warn, ["EDIT-36"],
        "What a call without `User-Agent` comes to.";
    "edit.auth" edit_auth: EditAuth = EditAuth::None, ["EDIT-37"], "What a call has to show.";
    "edit.success_shape" edit_success_shape: SuccessShape = SuccessShape::Obs, ["EDIT-38"],
        "What success answers.";
    "edit.error_shape" edit_error_shape: ErrorShape = ErrorShape::Problem, ["EDIT-39"],
        "What failure answers.";
    "edit.read_date" edit_read_date: ReadDate = ReadDate::DayFirst, ["EDIT-41"],
        "How answers write dates.";
    "edit.max_body" edit_max_body: Bytes = Bytes(10 << 20), ["EDIT-42"], "How large a body may be.";
    "edit.rate" edit_rate: Rate = Rate::Off, ["EDIT-43"], "How many calls a second of the clock takes.";
    "edit.other" edit_other: OtherOperations = OtherOperations::NotImplemented, ["EDIT-48"],
        "What other operations on videos answer.";
    "limit.tasks_per_instant" limit_tasks_per_instant: u32 = 100_000, ["CLK-6"],
        "More tasks at one instant are a livelock.", |count| *count > 0, "from 1";
}
