//! Rules about VPAID and SIMID units.

use super::rules;

rules! { VPAID
    VPAID_1 iab "VPAID 2.0 section 3.3",
        "A scripted unit goes through its life cycle in order: `handshakeVersion`, `initAd`, `AdLoaded`, \
         `startAd`, `AdStarted`, `AdImpression`, `AdVideoStart`, quartiles, `AdVideoComplete`, `AdStopped`. \
         Each call and each message is a `vpaid` line. A unit that the scenario does not describe sends \
         whatever fits as its video plays; one with `vpaid`, even an empty one, is scripted.";
    VPAID_2 iab "VPAID 2.0 section 3.1.1; the range chosen",
        "A unit that answers the handshake with anything but a version from 1 up to, but not including, 3 \
         fails with 901.";
    VPAID_3 chosen "VPAID names no time; VAST 4.3 code 901 covers it",
        "A unit that does not answer the handshake, or does not send `AdLoaded` after `initAd`, within \
         `vpaid.init_timeout` (8 s) each, fails with 901 before anything of it is shown.";
    VPAID_4 chosen "VPAID names no time; VAST 4.3 codes 901 and 304",
        "`AdStarted` and `AdImpression` must arrive within `vpaid.start_timeout` (8 s) after `startAd`: \
         without the first the unit fails with 901, without the second with 304. `adError` fires, and the \
         waterfall continues.";
    VPAID_5 iab "VPAID 2.0 section 3.3, VAST 4.3 section 3.14; the player's events chosen",
        "Trackers follow the unit's events: `AdStarted` calls `creativeView`, `AdImpression` the \
         impressions, `AdVideoStart` `start`, its quartiles and `AdVideoComplete` their own. On \
         `AdImpression` the player fires `adImpression`, `adStart` and `vpaidStart`; a quartile that the \
         unit omits is missing.";
    VPAID_6 chosen "VPAID fixes the order, not what breaks it",
        "An event that arrives before its turn, or twice, is ignored; its line says why.";
    VPAID_7 iab "VPAID 2.0 section 3.3.4",
        "`AdSkipped` ends the ad with `adSkip` and the `skip` trackers; the unit leaves with `AdStopped`.";
    VPAID_8 chosen "VPAID 2.0 sections 3.1.7 and 3.1.10; the cap is that of a comparable player",
        "When the user skips, the player calls `skipAd` if the unit is skippable, else `stopAd`. The unit's \
         answer ends the ad; if none arrives, the ad ends after `vpaid.stop_timeout` (3 s). However an ad \
         ends, its unit must be gone within that time.";
    VPAID_9 iab "VPAID 2.0 sections 3.2.8 and 3.3.7; the cap chosen",
        "`AdDurationChange` and `AdRemainingTimeChange` set the length of the ad and so the times of what \
         remains. A unit still present and silent `vpaid.stop_timeout` after its length fails with 901.";
    VPAID_10 iab "VPAID 2.0 section 3.3.14; the pause as CLICK-3 has it",
        "`AdClickThru` fires `adClicked` and calls the click trackers. Only if the unit leaves the click to \
         the player does the player open a URL, the unit's or, without one, the document's, and the ad \
         pauses.";
    VPAID_11 iab "VPAID 2.0 section 3.3.17, VAST 4.3 code 901",
        "`AdError` ends the unit at once with 901: before it is shown the ad is unusable, afterwards \
         `adError` fires. Content resumes.";
    VPAID_12 iab "VPAID 2.0 sections 3.3.10 to 3.3.16, VAST 4.3 section 3.14",
        "User interactions inside the unit call trackers: `AdUserAcceptInvitation` calls `acceptInvitation`, \
         `AdUserMinimize` `minimize` and `collapse`, `AdExpandedChange` the expand family, `AdInteraction` \
         `otherAdInteraction`, `AdVolumeChange` `mute` and `unmute`, under their old and new names.";
    VPAID_13 iab "VPAID 2.0 sections 3.1.8, 3.1.9 and 3.3.16; the player's events chosen",
        "The player pauses a unit with `pauseAd` and resumes it with `resumeAd`; the unit's answers, \
         `AdPaused` and `AdPlaying`, call the trackers. A unit that sends either on its own pauses or \
         resumes the ad.";
    VPAID_14 chosen "BRK-5 allows three ends",
        "A unit that leaves with `AdUserClose` or `AdStopped` without having reported an end was left early: \
         `adSkip`, without the `skip` trackers; `AdUserClose` calls `closeLinear` and `close`.";
    VPAID_15 iab "VPAID 2.0 sections 3.2.1 and 3.3.6; the refusal chosen",
        "A unit that is not linear when loaded is refused in a slot for linear ads, with 201. In a slot for \
         overlays the unit of a `Linear` creative is loaded, for only it can say: it runs over the content, \
         and one that is linear is refused with 201. One that stops being linear while it plays does not \
         bring the content back.";
    VPAID_16 iab "VAST 4.3 section 3.14",
        "After the end of its ad has been reported, the only event of the unit that counts is `AdStopped`; \
         an `AdError` then removes it silently.";
    VPAID_17 chosen "VPAID 2.0 sections 3.1.3 and 3.2.9; STOP-3",
        "The unit is notified of mute (`adVolume`) and fullscreen (`resizeAd`). When its break is aborted it \
         receives `stopAd`, and its answer is not awaited.";
    VPAID_18 chosen "PAUSE-4 for a unit that is just starting",
        "A pause between `startAd` and `AdImpression` is passed on once the ad has started.";
    VPAID_19 iab "VAST 4.3 section 3.12.1, VPAID 2.0 section 2.2; PRD-3 for the refusal; its clock is chosen",
        "A `NonLinear` with `apiFramework=\"VPAID\"` whose resource is a script or a page runs as a unit over \
         the content, whatever it says of being linear, for as long as it says itself; an image is shown \
         without it. Its life cycle, trackers and codes are those of a linear unit. It pauses and resumes \
         with the content (`pauseAd`, `resumeAd`); a click does not pause it; closing it sends `stopAd`. \
         Where VPAID is off, it is refused like a linear unit.";
}

rules! { SIMID
    SIMID_1 iab "SIMID 1.2 sections 4 and 7",
        "An interactive creative that accompanies an ad's video requests a session (`createSession`), \
         answers `init` and, once the video has started and the impression has fired, `startCreative`. Each \
         message, answer and refusal is a `simid` line. Trackers follow the video. A resolved \
         `startCreative` calls `interactiveStart`.";
    SIMID_2 iab "VAST 4.3 section 3.9.3, SIMID 1.2 sections 5 and 7.2; the code of the refused ad chosen",
        "The first `InteractiveCreativeFile` for SIMID is loaded along with the video. If it cannot be \
         fetched within `ad.media_timeout`, or none has a framework that runs, 409 is reported and the video \
         plays without it. If only one with `variableDuration=\"true\"` could run and `simid.extra_time` \
         grants no time, the whole ad fails with 902 and nothing of it is loaded; if time is granted, the \
         unit runs. A unit embedded in the document is not requested and is scripted as `inline`. Without a \
         script a unit answers at once and requests nothing.";
    SIMID_3 chosen "SIMID 1.2 section 9 for the codes; the times and what follows chosen",
        "Without a session within `simid.session_timeout` (5 s) the error is 1223, without an answer to \
         `init` within `simid.init_timeout` (5 s) 1212, for an unreadable answer 1210, for a version other \
         than 1 1201. The error URLs are called with 902, and the video plays without the unit.";
    SIMID_4 iab "SIMID 1.2 section 9; the time for 1208 chosen",
        "A unit that has not answered `startCreative` by the end of the video fails with 1213, one that \
         answers after `simid.answer_timeout` (5 s) with 1208.";
    SIMID_5 iab "SIMID 1.2 section 9, VAST 4.3 code 902",
        "A fatal error on either side while the ad plays ends the ad: `adError` and the error URLs get 902, \
         and the SIMID code is in the trace.";
    SIMID_6 iab "SIMID 1.2 section 9",
        "When the video fails, the unit is notified with 1206, when it waits too long for data with 1207, \
         when its type is not supported with 1209; the VAST code of the video's failure is unchanged.";
    SIMID_7 chosen "SIMID 1.2 section 9 for the codes; the limit chosen",
        "An unreadable message is fatal with 1211, more than `simid.max_messages` (50) within a second with \
         1205.";
    SIMID_8 chosen "SIMID 1.2 section 9 for the code",
        "A request made before `startCreative` is resolved, or at a point where it makes no sense, is \
         refused with 1204; a log message and an error are accepted at any time.";
    SIMID_9 iab "SIMID 1.2 section 4.4",
        "`requestSkip` skips an ad that can be skipped at that point, otherwise it is refused with 1204. \
         `requestStop` ends the ad with `adSkip` and the `closeLinear` trackers.";
    SIMID_10 iab "SIMID 1.2 section 4.4",
        "`requestPause` pauses the ad, `requestPlay` resumes it.";
    SIMID_11 iab "SIMID 1.2 sections 4.4 and 9; limits chosen",
        "`clickThru` fires `adClicked` and the click trackers. If the player is to open the URL, it does so \
         and the ad pauses; `requestNavigation` opens without either. Refused are: a player or device that \
         cannot navigate (1214, 1215), more than `simid.max_navigations` (3) URLs (1216), an invalid URL \
         (1217), a store link without an entry (1218), and a second one while one is open (1219).";
    SIMID_12 chosen "SIMID 1.2 section 9 for the code; VAST 4.3 section 3.9.3",
        "`requestChangeAdDuration` is refused with 1202 for more than `simid.extra_time` (none by default). \
         Granted time extends the ad after its video.";
    SIMID_13 chosen "SIMID 1.2 section 9 for the code; screen and sound belong to the user",
        "A request for another size, another volume or fullscreen is refused with 1203.";
    SIMID_14 iab "SIMID 1.2 section 4.4",
        "`reportTracking` calls the URLs that it names, `getMediaState` is answered, `log` is recorded.";
    SIMID_15 iab "SIMID 1.2 sections 4.4 and 9; the limit chosen",
        "An overlay that is a SIMID unit may cover the content: `expandNonlinear` pauses the content and \
         calls `adExpand`, `collapseNonlinear` resumes it and calls `adCollapse`. It is refused if the \
         content cannot pause (1220), the user does not want it (1221), or after `simid.max_expands` (3) \
         attempts (1222). An overlay whose unit fails before it is shown is unusable (902).";
    SIMID_16 iab "SIMID 1.2 section 4.3",
        "The unit is notified how its ad ends, `adSkipped` or `adStopped`, without waiting for its answer.";
}
