//! The macros of the standard: one row each, with the source of its value and the URLs that may use
//! it.
//!
//! Sources: the standard's list of macros, version 4.x.

/// The use of a URL, which decides the macros that it may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// The request for an ad tag.
    AdTag,
    /// The request for the next document of a wrapper chain.
    Wrapper,
    /// A tracker.
    Tracking,
    /// A page that a click opens, and its trackers.
    Click,
    /// An error tracker.
    Error,
    /// A tracker of a verification.
    Verification,
}

/// The source of a macro's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MacroSource {
    /// The current ad, click or error.
    Current(Current),
    /// The calendar of the virtual clock.
    Timestamp,
    /// Eight random digits, drawn for each URL.
    Cachebuster,
    /// The position in the content; some players fill in that in the ad while one plays. Deprecated
    /// since 4.1.
    ContentPlayhead,
    /// The position in the content.
    MediaPlayhead,
    /// One id for all requests and trackers of a break.
    TransactionId,
    /// How many ads of the break have started.
    AdCount,
    /// The media file that is playing.
    AssetUri,
    /// Whether the player is muted and whether it is in fullscreen.
    PlayerState,
    /// The player's size in pixels.
    PlayerSize,
    /// How the ad came to be shown.
    InventoryState,
    /// The value of the page; otherwise unknown.
    Page,
    /// The value of the page; otherwise this default.
    Usual(Usual),
}

/// A value from the current ad, click or error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Current {
    /// The error code that is reported.
    ErrorCode,
    /// Why a verification did not run.
    Reason,
    /// The position in the ad.
    AdPlayhead,
    /// The kind of the break.
    BreakPosition,
    /// `sequence` of the ad.
    PodSequence,
    /// `adType` of the ad.
    AdType,
    /// `AdServingId` of the ad.
    AdServingId,
    /// `UniversalAdId` of the creative.
    UniversalAdId,
    /// `Category` of the ad.
    AdCategories,
    /// The `BlockedAdCategories` of the wrappers passed, and the categories that the page blocks.
    BlockedCategories,
    /// Where the user clicked.
    ClickPosition,
}

/// The value for a player whose page gives none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Usual {
    /// The host of the page's URL.
    Domain,
    /// The versions that can be read, in the numbers of AdCOM.
    VastVersions,
    /// The supported frameworks, in the numbers of AdCOM.
    ApiFrameworks,
    /// The media types that play.
    MediaTypes,
    /// The capabilities of the player.
    Capabilities,
    /// How playback started, in the numbers of AdCOM.
    PlaybackMethod,
    /// In-stream; unknown for an outstream unit.
    Placement,
    /// No: beacons come from the player itself.
    ServerSide,
    /// The id of the video's record.
    ContentId,
    /// The URL of the content's media.
    ContentUri,
    /// No: the user has not opted out of tracking.
    LimitAdTracking,
}

/// The URLs that a macro is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// All URLs.
    Any,
    /// Requests for documents.
    Request,
    /// Trackers of any kind.
    Tracking,
    /// Clicks.
    Click,
    /// Error trackers.
    Error,
    /// Trackers of verifications.
    Verification,
}

/// One macro.
#[derive(Debug)]
pub struct Row {
    /// The name, without brackets.
    pub name: &'static str,
    /// The source of its value.
    pub source: MacroSource,
    /// The URLs that may use it.
    pub context: Context,
}

impl Context {
    /// Whether a URL for this use may contain the macro.
    pub const fn allows(self, what: Use) -> bool {
        match self {
            Context::Any => true,
            Context::Request => matches!(what, Use::AdTag | Use::Wrapper),
            Context::Tracking => !matches!(what, Use::AdTag | Use::Wrapper),
            Context::Click => matches!(what, Use::Click),
            Context::Error => matches!(what, Use::Error),
            Context::Verification => matches!(what, Use::Verification),
        }
    }
}

macro_rules! rows {
    ($($name:ident $source:ident $(($of:ident))? $context:ident,)*) => {
        /// All macros of the standard.
        pub const STANDARD: &[Row] = &[$(Row {
            name: stringify!($name),
            source: MacroSource::$source $(($source::$of))?,
            context: Context::$context,
        },)*];
    };
}

rows! {
    TIMESTAMP Timestamp Any,
    CACHEBUSTING Cachebuster Any,
    CONTENTPLAYHEAD ContentPlayhead Any,
    MEDIAPLAYHEAD MediaPlayhead Any,
    BREAKPOSITION Current(BreakPosition) Any,
    BLOCKEDADCATEGORIES Current(BlockedCategories) Request,
    ADCATEGORIES Current(AdCategories) Request,
    ADCOUNT AdCount Any,
    TRANSACTIONID TransactionId Any,
    PLACEMENTTYPE Usual(Placement) Any,
    ADTYPE Current(AdType) Any,
    UNIVERSALADID Current(UniversalAdId) Tracking,
    BREAKMAXDURATION Page Any,
    BREAKMAXADS Page Any,
    BREAKMINADLENGTH Page Any,
    BREAKMAXADLENGTH Page Any,
    IFA Page Any,
    IFATYPE Page Any,
    CLIENTUA Page Any,
    SERVERUA Page Any,
    DEVICEUA Page Any,
    SERVERSIDE Usual(ServerSide) Any,
    DEVICEIP Page Any,
    LATLONG Page Any,
    DOMAIN Usual(Domain) Any,
    PAGEURL Page Any,
    APPBUNDLE Page Any,
    VASTVERSIONS Usual(VastVersions) Request,
    APIFRAMEWORKS Usual(ApiFrameworks) Request,
    EXTENSIONS Page Request,
    VERIFICATIONVENDORS Page Request,
    OMIDPARTNER Page Any,
    MEDIAMIME Usual(MediaTypes) Request,
    PLAYERCAPABILITIES Usual(Capabilities) Any,
    CLICKTYPE Page Any,
    PLAYERSTATE PlayerState Tracking,
    INVENTORYSTATE InventoryState Any,
    PLAYERSIZE PlayerSize Any,
    ADPLAYHEAD Current(AdPlayhead) Tracking,
    ASSETURI AssetUri Tracking,
    CONTENTID Usual(ContentId) Any,
    CONTENTURI Usual(ContentUri) Any,
    PODSEQUENCE Current(PodSequence) Tracking,
    ADSERVINGID Current(AdServingId) Tracking,
    CLICKPOS Current(ClickPosition) Click,
    ERRORCODE Current(ErrorCode) Error,
    REASON Current(Reason) Verification,
    LIMITADTRACKING Usual(LimitAdTracking) Any,
    REGULATIONS Page Any,
    GDPRCONSENT Page Any,
    STOREID Page Any,
    STOREURL Page Any,
    PLAYBACKMETHODS Usual(PlaybackMethod) Any,
    CONTENTCAT Page Request,
    GPPSTRING Page Any,
    GPPSECTIONID Page Any,
    DSAREQUIRED Page Request,
    DSAPARAMS Page Request,
    DSAPUBRENDER Page Request,
}

/// The names of the macros that a page may give a value; all others have a source of their own.
pub fn given_by_pages() -> impl Iterator<Item = &'static str> + Clone {
    STANDARD
        .iter()
        .filter(|row| row.source.is_given())
        .map(|row| row.name)
}

/// Whether this is the name of a macro of the standard.
#[must_use]
pub fn is_standard(name: &str) -> bool {
    STANDARD.iter().any(|row| row.name == name)
}

impl MacroSource {
    /// Whether a page may give the value.
    const fn is_given(self) -> bool {
        matches!(
            self,
            MacroSource::Page
                | MacroSource::Usual(_)
                | MacroSource::Current(Current::BlockedCategories)
        )
    }
}
