//! The rows of all kinds of records, except what events carry.

use super::{Datum, Named, RecordField, RecordShape, key, shapes};
use crate::Record;
use playsim_api::{
    AdLine, BreakKind, BreakLine, Code, EventName, Fields, HeaderLine, Kind, LineName, MakingLine,
    MediaLine, NetLine, Outcome, PageLine, StateLine, UiLine, UserLine, Value,
};
use playsim_base::number::Decimal;

shapes! {
    /// A record by what it says. Made by [`Record::view`].
    RecordView;

    /// The first line of a trace.
    Header(HeaderRecord): Header, Some(LineName::Header(HeaderLine::Trace)) => {
        version: u32, "The version of the form.";
        profile: &'a str, "The profiles, by their names.";
        knobs: Option<&'a Fields>, "The knobs that differ from their defaults.";
        scenario: Option<&'a str>, "The name of the scenario.";
        seed: Option<u64>, "The seed of everything random.";
        digest: Option<&'a str>, "The digest of the scenario.";
    }
    /// The first line of a recording.
    Recording(RecordingRecord): Header, Some(LineName::Header(HeaderLine::Recording)) => {
        version: u32, "The version of the form.";
        player: Option<&'a str>, "The player that was recorded.";
        versions: Option<&'a Fields>, "The packages that it is made of, with their versions.";
        browser: Option<&'a str>, "The browser, with its version.";
        case: Option<&'a str>, "The name of the case that it was shown.";
        scenario: Option<&'a str>, "The file of the scenario.";
        hears: Option<&'a [Value]>, "What the recorder can hear.";
        adapter: Option<&'a Fields>, "What stands between the case and the player.";
        cannot: Option<&'a str>, "Why the case could not be shown.";
        problems: Option<&'a [Value]>, "What kept the case from being played as it is written, one sentence each.";
    }
    /// An initialiser, an entry of a queue array, or a bare element: page code makes something.
    Making(MakingRecord): Call, Some(LineName::Making(_)) => name: MakingLine => {
        args: &'a [Value], "The arguments.";
        returns: Option<&'a Value>, "What it returns.";
        error: Option<Code>, "The code of its failure.";
        text: Option<&'a str>, "What was wrong.";
    }
    /// Page code calls the player, or reads a getter or a property.
    Call(CallRecord): Call, _ => name: &'a str => {
        args: Option<&'a [Value]>, "The arguments. A property has none.";
        returns: Option<&'a Value>, "What it returns.";
        error: Option<Code>, "The code of its failure.";
        text: Option<&'a str>, "What was wrong.";
    }
    /// The user does something.
    User(UserRecord): User, Some(LineName::User(_)) => name: UserLine => {
        to: Option<&'a Value>, "Of `seek` and `volume`: the new value.";
        program: Option<&'a str>, "Of `icon`: the program of the icon.";
        slot: Option<&'a str>, "Of `companion`: the slot of the page.";
        what: Option<&'a str>, "Of `interact`: the interaction.";
        x: Option<u32>, "Of `click`: the pixels from the left.";
        y: Option<u32>, "Of `click`: the pixels from the top.";
    }
    /// The page changes around the players.
    Page(PageRecord): Page, Some(LineName::Page(_)) => name: PageLine => {
        percent: Option<Decimal>, "Of `in_view`: how much of the player is in view.";
        width: Option<u32>, "Of `window`: the new width in pixels.";
        height: Option<u32>, "Of `window`: the new height in pixels.";
        sticky: Option<bool>, "Of `sticky`: whether it is sticky now.";
        fullscreen: Option<bool>, "Of `fullscreen`: whether it is in fullscreen now.";
        hidden: Option<bool>, "Of `hidden`: whether the page is hidden now.";
        rate: Option<Decimal>, "Of `rate`: the new playback rate.";
        unit: Option<&'a str>, "Of `script`: whose script it is, `player` or `outstream`.";
        id: Option<&'a str>, "Of `container`: the id of the element.";
    }
    /// An event that page code can hear; [`EventRecord::payload`] is what it carries.
    Event(EventRecord): Event, Some(LineName::Event(_)) => name: EventName => {}
    /// A listener runs that has a name.
    Listener(ListenerRecord): Listener, _ => name: &'a str => {
        binding: &'a str, "The name of the listener.";
        threw: Option<&'a str>, "What it throws.";
    }
    /// A player enters another state.
    State(StateRecord): State, Some(LineName::State(_)) => name: StateLine => {
        from: Option<StateLine>, "The state before.";
    }
    /// A promise of `play()` is settled.
    Promise(PromiseRecord): Media, Some(LineName::Media(MediaLine::PlayResolved | MediaLine::PlayRejected)) => name: MediaLine => {
        request: u32, "The number of the promise, as the call returned it.";
        why: Option<&'a str>, "Why it is rejected: the name of the exception.";
    }
    /// Another chapter begins.
    Chapter(ChapterRecord): Media, Some(LineName::Media(MediaLine::Chapter)) => {
        position: Decimal, "The position of the content, in seconds.";
        chapter: Option<&'a Value>, "Its number, from 0; null behind the last one.";
        title: Option<&'a str>, "Its title.";
        start: Option<Decimal>, "Where it starts, in seconds.";
        end: Option<&'a Value>, "Where it ends, in seconds; null if that is unknown.";
    }
    /// Other content replaces content that is not over.
    Replaced(ReplacedRecord): Media, Some(LineName::Media(MediaLine::Replaced)) => {
        position: Decimal, "The position that had been reached, in seconds.";
        src: &'a str, "The URL of the content that is left.";
    }
    /// A VPAID ad is heard until mute reaches it.
    Audible(AudibleRecord): Media, Some(LineName::Media(MediaLine::Audible)) => {
        position: Decimal, "The position of the content, in seconds.";
        length as "for": Decimal, "For how long, in seconds.";
    }
    /// An event of the media element that page code does not hear.
    Media(MediaRecord): Media, Some(LineName::MediaEvent(_)) => name: EventName => {
        position: Option<Decimal>, "The position, in seconds.";
        duration: Option<&'a Value>, "Of `durationchange`: the new length in seconds.";
        rate: Option<Decimal>, "Of `ratechange`: the new rate.";
        code: Option<u32>, "Of `error`: the code of the failure.";
        how: Option<&'a str>, "Of `error`: what failed.";
        src: Option<&'a str>, "In recordings: the URL of the film.";
    }
    /// A companion or an end card is shown or hidden.
    Companion(CompanionRecord): Ui, Some(LineName::Ui(UiLine::Companion | UiLine::EndCard)) => name: UiLine => {
        slot: Option<&'a str>, "The slot of the page.";
        id: Option<&'a str>, "The id of the companion.";
        visible: bool, "Whether it can be seen now.";
        width: Option<u32>, "Its width in pixels.";
        height: Option<u32>, "Its height in pixels.";
        shows: Option<&'a str>, "What it consists of: `static`, `iframe` or `html`.";
        url: Option<&'a str>, "The URL of its resource.";
    }
    /// An icon over an ad is shown or hidden, or the image that a click on one opens.
    Icon(IconRecord): Ui, Some(LineName::Ui(UiLine::Icon | UiLine::IconFallback)) => name: UiLine => {
        program: Option<&'a str>, "The program of the icon.";
        visible: bool, "Whether it can be seen now.";
        width: Option<u32>, "Its width in pixels.";
        height: Option<u32>, "Its height in pixels.";
        shows: Option<&'a str>, "What it consists of: `static`, `iframe` or `html`.";
        url: Option<&'a str>, "The URL of its resource.";
    }
    /// The transient activation of the page ends.
    ActivationEnd(ActivationEndRecord): Ui, Some(LineName::Ui(UiLine::ActivationEnd)) => {
        why: &'a str, "The reason: `expired` or `consumed`.";
        by: Option<&'a str>, "What has consumed it: `fullscreen` or `navigate`.";
    }
    /// Another page opens.
    Navigate(NavigateRecord): Ui, Some(LineName::Ui(UiLine::Navigate)) => {
        url: &'a str, "Its URL.";
    }
    /// An overlay over the content is shown or hidden, or has another form.
    Overlay(OverlayRecord): Ui, Some(LineName::Ui(UiLine::Overlay)) => {
        visible: Option<bool>, "Whether it can be seen now.";
        expanded: Option<bool>, "Whether a SIMID unit has expanded it.";
        form: Option<&'a str>, "Its form: `plain`, `expanded` or `minimized`.";
        width: Option<u32>, "Its width in pixels.";
        height: Option<u32>, "Its height in pixels.";
    }
    /// The picture before the content.
    Poster(PosterRecord): Ui, Some(LineName::Ui(UiLine::Poster)) => {
        url: &'a str, "Its URL.";
    }
    /// A film comes on screen, or leaves it. Only in recordings.
    Film(FilmRecord): Ui, Some(LineName::Ui(UiLine::Shown | UiLine::Gone)) => name: UiLine => {
        src: &'a str, "The URL of the film.";
    }
    /// The look of the player changes.
    Skin(SkinRecord): Ui, Some(LineName::Ui(UiLine::Skin)) => {
        id: i64, "The new skin.";
        before: Option<i64>, "The skin before.";
    }
    /// An outstream unit is shown or hidden.
    Unit(UnitRecord): Ui, Some(LineName::Ui(UiLine::Unit)) => {
        visible: bool, "Whether it can be seen now.";
    }
    /// A tag has an ad that is ready to be shown.
    Fill(FillRecord): Ad, Some(LineName::Ad(AdLine::Fill)) => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        ad: Option<&'a str>, "The id of the ad.";
        hops: u32, "How many documents led to it.";
        duration: Option<Decimal>, "Its length in seconds.";
        at: &'a str, "Where the ad is: file, line and column.";
    }
    /// A tag has given no ad.
    NoFill(NoFillRecord): Ad, Some(LineName::Ad(AdLine::NoFill)) => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        code: u32, "The VAST error code.";
        why: &'a str, "The reason.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// An ad cannot be used.
    Reject(RejectRecord): Ad, Some(LineName::Ad(AdLine::Reject)) => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        ad: Option<&'a str>, "The id of the ad.";
        code: u32, "The VAST error code.";
        why: &'a str, "The reason.";
        inner: Option<u32>, "The code of the inner error that the third-party SDK gives.";
        at: Option<&'a str>, "Where it is: file, line and column.";
        refused: Option<&'a [Value]>, "The media files or the like that cannot be used, each with the reason.";
    }
    /// An ad is not considered, has no turn, or would have been an unwanted one.
    PassedOver(PassedOverRecord): Ad, Some(LineName::Ad(
        AdLine::Ignore | AdLine::NotUsed | AdLine::Cut | AdLine::CategoryTold,
    )) => name: AdLine => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        ad: Option<&'a str>, "The id of the ad.";
        code: Option<u32>, "The VAST error code.";
        why: Option<&'a str>, "The reason.";
        at: &'a str, "Where the ad is: file, line and column.";
    }
    /// Another ad takes the place of one that failed, or must not.
    Replacement(ReplacementRecord): Ad, Some(LineName::Ad(
        AdLine::Replace | AdLine::Fallback | AdLine::NoReplace,
    )) => name: AdLine => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        ad: Option<&'a str>, "The id of the other ad.";
        instead_of: Option<&'a str>, "The id of the ad that failed.";
        why: Option<&'a str>, "Why no other ad may replace it.";
        at: Option<&'a str>, "Where the other ad is: file, line and column.";
    }
    /// The media file of an ad is chosen.
    SelectMedia(SelectMediaRecord): Ad, Some(LineName::Ad(AdLine::SelectMedia)) => {
        url: &'a str, "The URL of the file.";
        mime as "type": Option<&'a str>, "Its media type.";
        delivery: Option<&'a str>, "How it is delivered: `progressive` or `streaming`.";
        bitrate: Option<u32>, "Its bit rate, in kbit/s.";
        passed: Option<&'a [Value]>, "The files that the choice passed over.";
        refused: Option<&'a [Value]>, "The files that cannot be used, each with the reason.";
        choices: Option<u32>, "Of an overlay: between how many it was chosen.";
        choice: Option<u32>, "Of an overlay: which of them it is, from 1.";
        part: Option<u32>, "Which part of the ad it is, from the second on.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// An overlay or a display ad is chosen.
    SelectOverlay(SelectOverlayRecord): Ad, Some(LineName::Ad(
        AdLine::SelectOverlay | AdLine::SelectDisplay,
    )) => name: AdLine => {
        choices: u32, "Between how many it was chosen.";
        choice: Option<u32>, "Which of them it is, if it is not the first.";
        refused: Option<&'a [Value]>, "Those that cannot be used, each with the reason.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// The interactive file of an ad is chosen, or cannot be used.
    Interactive(InteractiveRecord): Ad, Some(LineName::Ad(
        AdLine::SelectInteractive | AdLine::RejectInteractive,
    )) => name: AdLine => {
        url: Option<&'a str>, "The URL of the file.";
        inline: Option<bool>, "Whether the document contains it.";
        mime as "type": Option<&'a str>, "Its media type.";
        code: Option<u32>, "The VAST error code.";
        why: Option<&'a str>, "Why it is not used.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// The companions of an ad get their places.
    SelectCompanions(SelectCompanionsRecord): Ad, Some(LineName::Ad(AdLine::SelectCompanions)) => {
        companions: &'a [Value], "Those that have a place.";
        refused: Option<&'a [Value]>, "Those that have none, each with the reason.";
    }
    /// A companion that must be shown cannot be.
    CompanionUnshown(CompanionUnshownRecord): Ad, Some(LineName::Ad(AdLine::CompanionUnshown)) => {
        code: u32, "The VAST error code.";
        why: &'a str, "The reason.";
        at: &'a str, "Where it is: file, line and column.";
    }
    /// The icons of an ad are chosen.
    SelectIcons(SelectIconsRecord): Ad, Some(LineName::Ad(AdLine::SelectIcons)) => {
        icons: &'a [Value], "Those that are shown.";
        refused: Option<&'a [Value]>, "Those that are not, each with the reason.";
    }
    /// The captions of an ad are chosen.
    SelectCaptions(SelectCaptionsRecord): Ad, Some(LineName::Ad(AdLine::SelectCaptions)) => {
        files: u32, "How many files the ad has.";
        url: Option<&'a str>, "The URL of the chosen file.";
        language: Option<&'a str>, "Its language.";
        mime as "type": Option<&'a str>, "Its media type.";
        why: Option<&'a str>, "Why none is chosen.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// Who sells an ad, and what it is about.
    About(AboutRecord): Ad, Some(LineName::Ad(AdLine::About)) => {
        price: Option<&'a str>, "Price, currency and model.";
        serving_id: Option<&'a str>, "The ad serving id.";
        universal_ids: Option<&'a str>, "The universal ad ids, with their registries.";
        fallback_index: Option<&'a str>, "The position in the ad server's own waterfall.";
    }
    /// A header bid comes first.
    Bid(BidRecord): Ad, Some(LineName::Ad(AdLine::Bid)) => {
        url: &'a str, "The tag of the bid.";
    }
    /// Something about ads happens, or does not, for this reason.
    Because(BecauseRecord): Ad, Some(LineName::Ad(AdLine::Click | AdLine::Hold | AdLine::PassPreRoll)) => name: AdLine => {
        why: &'a str, "The reason.";
    }
    /// Content is held for a break that does not come.
    NoBreak(NoBreakRecord): Ad, Some(LineName::Ad(AdLine::NoBreak)) => {
        kind: &'a str, "Its kind: `pre` or `post`.";
        limit: Decimal, "For how many seconds content is held.";
        why: &'a str, "The reason.";
    }
    /// A video shows no ads.
    NotMonetized(NotMonetizedRecord): Ad, Some(LineName::Ad(AdLine::NotMonetized)) => {}
    /// A document is a VMAP document, or is inside of one.
    Schedule(ScheduleRecord): Ad, Some(LineName::Ad(AdLine::Schedule | AdLine::DocumentInside)) => name: AdLine => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        breaks: Option<u32>, "Of `schedule`: how many breaks it has.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// A break of a VMAP document is left out, dropped, or waits.
    ScheduledBreak(ScheduledBreakRecord): Ad, Some(LineName::Ad(
        AdLine::LeaveOutBreak | AdLine::DropBreak | AdLine::WaitBreak,
    )) => name: AdLine => {
        id: Option<&'a str>, "Its id.";
        offset: Option<&'a str>, "When it is due, as the document says.";
        types: &'a [Value], "Its types.";
        repeat: Option<Decimal>, "After how many seconds it comes again.";
        time: Option<u32>, "How often it has happened, this time included, if it is repeated.";
        why: &'a str, "The reason.";
        at: &'a str, "Where it is: file, line and column.";
    }
    /// A schedule is over with its item.
    ScheduleOver(ScheduleOverRecord): Ad, Some(LineName::Ad(AdLine::ScheduleOver)) => {
        breaks: u32, "How many breaks were still to come.";
    }
    /// The ad on screen fails.
    AdFailed(AdFailedRecord): Ad, Some(LineName::Ad(AdLine::Failed)) => {
        position: Decimal, "The position of the ad, in seconds.";
        why: &'a str, "The reason.";
    }
    /// The ad on screen is moved, or its media wait for data, or go on.
    AdMedia(AdMediaRecord): Ad, Some(LineName::Ad(AdLine::Seek | AdLine::Waiting | AdLine::Playing)) => name: AdLine => {
        position: Decimal, "The position of the ad, in seconds.";
    }
    /// The ad loop has reached its end.
    LoopOver(LoopOverRecord): Ad, Some(LineName::Ad(AdLine::LoopOver)) => {
        loops: u32, "How often it was gone through.";
        impressions: u32, "How many ads it has shown.";
    }
    /// A tracker that the product does not call.
    NotCalled(NotCalledRecord): Ad, Some(LineName::Ad(AdLine::NotCalled)) => {
        tracker: &'a str, "The name of the tracker.";
        url: &'a str, "Its URL.";
        why: &'a str, "The reason.";
        hop: u32, "The number of wrappers before its document.";
    }
    /// A video has no turn to show ads.
    NotItsTurn(NotItsTurnRecord): Ad, Some(LineName::Ad(AdLine::NotItsTurn)) => {
        video: u64, "Its number, from 1.";
        every: u32, "One of so many videos shows ads.";
        offset: u32, "How many videos come before the first that does.";
    }
    /// A document is requested again.
    Retry(RetryRecord): Ad, Some(LineName::Ad(AdLine::Retry)) => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        url: &'a str, "Its URL.";
        attempt: u32, "The number of the attempt, from 1.";
        why: &'a str, "Why the last one failed.";
    }
    /// A message between the player and a SIMID or VPAID unit.
    UnitMessage(UnitMessageRecord): Ad, Some(LineName::Ad(AdLine::Simid | AdLine::Vpaid)) => name: AdLine => {
        message: Option<&'a str>, "Its name.";
        from: Option<&'a str>, "Who sends it.";
        to: Option<&'a str>, "What it answers.";
        version: Option<&'a str>, "The version of the interface.";
        code: Option<u32>, "The error code.";
        why: Option<&'a str>, "The reason.";
        url: Option<&'a str>, "The URL that it is about.";
        id: Option<&'a str>, "The id of what was clicked.";
        player_handles: Option<bool>, "Whether the player opens the URL.";
        text: Option<&'a str>, "What the unit says.";
        delay as "for": Option<Decimal>, "For how many seconds.";
        length: Option<Decimal>, "The length that it asks for, in seconds.";
        duration: Option<Decimal>, "The length of the ad in seconds.";
        remaining: Option<Decimal>, "How many seconds remain.";
        volume: Option<Decimal>, "The volume, from 0 to 1.";
        expanded: Option<bool>, "Whether it is expanded.";
        linear: Option<bool>, "Whether it plays in place of the content.";
        skippable: Option<bool>, "Whether it can be skipped.";
        view_mode: Option<&'a str>, "The view mode.";
        ignored: Option<&'a str>, "Why it has no effect.";
        count: Option<u32>, "How many trackers it names.";
    }
    /// A verification script runs, or cannot.
    Verification(VerificationRecord): Ad, Some(LineName::Ad(AdLine::Verification)) => {
        hop: u32, "The number of wrappers before its document.";
        vendor: Option<&'a str>, "Whose script it is.";
        runs: bool, "Whether it runs.";
        url: Option<&'a str>, "Its URL.";
        why: Option<&'a str>, "Why it does not run.";
        at: &'a str, "Where it is: file, line and column.";
    }
    /// Whether an ad was in view for long enough.
    Viewability(ViewabilityRecord): Ad, Some(LineName::Ad(AdLine::Viewability)) => {
        verdict: &'a str, "`viewable`, `notViewable` or `viewUndetermined`.";
    }
    /// Something in a document that was tolerated.
    Warning(WarningRecord): Ad, Some(LineName::Ad(AdLine::Warning)) => {
        code: &'a str, "What it is about.";
        text: &'a str, "What was found.";
        at: Option<&'a str>, "Where it is: file, line and column.";
    }
    /// An ad object changes the tags of a break.
    Waterfall(WaterfallRecord): Ad, Some(LineName::Ad(AdLine::Waterfall)) => {
        level: &'a str, "Whose breaks: those of the `player` or of the `video`.";
        slot as "type": &'a str, "The type of the ad object.";
        cue: Option<&'a str>, "The cue point.";
        pod: u32, "The position of the slot in its break.";
        tags: &'a [Value], "The URLs of the tags.";
    }
    /// An ad break begins.
    BreakBegin(BreakBeginRecord): Break, Some(LineName::Break(BreakLine::Begin)) => {
        kind: BreakKind, "The opportunity that it is.";
        why: &'a str, "Why it begins.";
        cue: Option<&'a Value>, "The cue point.";
        engine: &'a str, "The ad engine.";
        waterfalls: &'a [Value], "The tags of each slot.";
        pods: u32, "The number of slots.";
        vmap: Option<&'a Fields>, "The break of the VMAP document.";
    }
    /// An ad break turns into another kind of break.
    BreakTurn(BreakTurnRecord): Break, Some(LineName::Break(BreakLine::Turn)) => {
        kind: BreakKind, "What it is now.";
        from: BreakKind, "What it was.";
        why: &'a str, "The reason.";
    }
    /// An ad break ends.
    BreakEnd(BreakEndRecord): Break, Some(LineName::Break(BreakLine::End)) => {
        kind: BreakKind, "The opportunity that it was.";
        outcome: &'a str, "How it ended, such as `filled`, `no-fill` or `aborted`.";
        why: Option<&'a str>, "Why it ends early.";
        ad_end: Option<&'a str>, "Which break fires its `adEnd`, if it is another one.";
    }
    /// A request is sent.
    Request(RequestRecord): Net, Some(LineName::Net(NetLine::Request)) => {
        id: Option<u32>, "Its number, which its answer has too.";
        url: &'a str, "The URL, or the id of a record.";
        purpose: Option<&'a str>, "What it is for: `ad-tag`, `wrapper`, `media`, `record` or `playlist`.";
        hop: Option<u32>, "How many wrappers come before it.";
        wp: Option<u32>, "The position of the tag in its waterfall.";
        pod: Option<u32>, "The position of the slot in its break.";
        via: Option<&'a str>, "In recordings: how the page asks for it.";
    }
    /// How a request ends: a response, a redirect, a failure, or nothing in time.
    Answer(AnswerRecord): Net, Some(LineName::Net(_)) => name: NetLine => {
        id: Option<u32>, "The number of the request.";
        url: &'a str, "The URL that was asked for, or the id of a record.";
        purpose: Option<&'a str>, "What it is for: `ad-tag`, `wrapper`, `media`, `record` or `playlist`.";
        hop: Option<u32>, "How many wrappers come before it.";
        wp: Option<u32>, "The position of the tag in its waterfall.";
        pod: Option<u32>, "The position of the slot in its break.";
        status: Option<u32>, "The HTTP status.";
        bytes: Option<u32>, "The length of the body.";
        file: Option<&'a str>, "The name of the body, if it is not the URL.";
        how: Option<&'a str>, "Of `failed`: what went wrong.";
        to: Option<&'a str>, "Of `redirect`: the other URL.";
        text: Option<&'a str>, "In recordings: the body, or why nothing came.";
    }
    /// A tracking URL is called.
    Beacon(BeaconRecord): Beacon, _ => name: &'a str => {
        url: &'a str, "The URL, with its macros filled in.";
        hop: Option<u32>, "The number of wrappers before its document.";
        ad: Option<&'a str>, "The id of the ad.";
        ad_break as "break": Option<&'a str>, "The id of the VMAP break, if it is a tracker of one.";
        how: Option<&'a str>, "`blocked`, if an ad blocker stops it.";
    }
    /// A diagnostic: something that probably is a mistake.
    Diag(DiagRecord): Diag, _ => name: &'a str => {
        text: &'a str, "What was found and what was expected.";
        suggestion: Option<&'a str>, "What was probably meant.";
    }
    /// Page code sends an analytics event of this category.
    Analytics(AnalyticsRecord): Analytics, _ => name: &'a str => {
        action: &'a str, "The action.";
    }
    /// Audience measurement; its data are the fields of the video.
    Measurement(MeasurementRecord): Measurement, Some(LineName::Measurement(_)) => {}
    /// An edit call, or its delayed answer, by this route.
    Edit(EditRecord): Edit, _ => name: &'a str => {
        id: Option<&'a str>, "The id of the video.";
        fields: Option<&'a Fields>, "The fields that were sent.";
        unknown: Option<&'a [Value]>, "Those of them that do not exist.";
        status: Option<u32>, "The HTTP status of the answer.";
        errors: Option<&'a [Value]>, "What was wrong, field by field.";
        text: Option<&'a str>, "What was wrong with the call.";
        fault: Option<&'a str>, "What went wrong on purpose.";
        state: Option<&'a str>, "The state of the record.";
        rejected: Option<bool>, "Whether the record is rejected.";
    }
    /// The last line of a run.
    End(EndRecord): Outcome, Some(LineName::Outcome(_)) => name: Outcome => {
        limit: Option<&'a str>, "The limit that was reached.";
        lines: u32, "How many lines come before.";
        states: &'a Fields, "The state of each player.";
        circle: Option<&'a [Value]>, "Of a livelock: the lines that go round, oldest first.";
        causes: Option<&'a [Value]>, "Of a livelock without a known circle: the last lines.";
        digest: &'a str, "The digest of all lines before.";
    }
    /// An event of another player, under its own name; its data are its own.
    Native(NativeRecord): Native, _ => name: &'a str => {}
}
