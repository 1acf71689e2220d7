//! Rules about size, view, clicks, outstream units and destroying a player.

use super::rules;

rules! { FS
    FS_1 stated "doc:calls; meaning of the boolean assumed",
        "`toggleFullScreen()` makes the player fullscreen and returns a boolean, the resulting state.";
    FS_2 chosen "assumed; CON-9",
        "Called in fullscreen, it leaves fullscreen.";
    FS_3 stated "doc:calls; the call form assumed",
        "`isFullScreen` is a boolean property; called as a function it gives diagnostic `property_called`.";
    FS_4 chosen "assumed; CON-9",
        "`fullscreenchange` fires on every real change, however it was made.";
    FS_5 chosen "assumed",
        "Where fullscreen is refused (gesture, policy), the call returns false with a diagnostic, and no \
         event fires.";
    FS_6 chosen "assumed",
        "Leaving with the escape key is a change too and fires `fullscreenchange`.";
    FS_7 chosen "assumed",
        "Fullscreen alone fires no `playerresize`; a scripted change of size along with it does.";
    FS_8 html "the Fullscreen standard: the fullscreen element, exit and fully exit fullscreen",
        "A page has one fullscreen element. A player that enters fullscreen covers the one that had it, \
         which is no longer in fullscreen and fires `fullscreenchange`, and comes back when the other leaves \
         by itself or is destroyed. The escape key ends all of it, whichever player a step names.";
}

rules! { VIEW
    VIEW_1 stated "doc:calls",
        "`isPlayerInView()` is true when at least 50 percent of the player is visible.";
    VIEW_2 chosen "assumed",
        "The scenario says how many percent are visible at which time, by default 100; being sticky makes no \
         difference.";
    VIEW_3 chosen "assumed: doc:events lists no event for it",
        "No event fires when visibility changes.";
}

rules! { SKIN
    SKIN_1 stated "doc:calls; rest assumed",
        "`changeSkin(id)` stores an integer id and records it in the trace, without an event. An unknown id \
         is kept with a diagnostic; a value that is not an integer throws `bad_argument`.";
}

rules! { SIZE
    SIZE_1 stated "doc:calls, doc:events; the range assumed",
        "`resize(w, h)` takes two integers from 0 up and fires `playerresize` if the size changes.";
    SIZE_2 stated "doc:calls (both required); the error assumed",
        "Without two valid numbers `resize` throws `bad_argument` and changes nothing; zero is valid.";
    SIZE_3 stated "doc:events; sizes in percent assumed",
        "When the scenario resizes the window, a player sized in percent fires `playerresize` if its size \
         changes.";
}

rules! { STICK
    STICK_1 stated "doc:events",
        "The scenario makes a player sticky or not. `data.sticky` is the new state, `data.interaction` says \
         whether the user caused it by closing.";
    STICK_2 chosen "assumed",
        "A sticky player that the user closed stays closed, however the page scrolls, until it is destroyed.";
    STICK_3 chosen "assumed",
        "Without a change of state no `stickyChange` fires.";
}

rules! { CLICK
    CLICK_1 stated "doc:events; pause assumed",
        "Clicking on content fires `clickedThrough`. If the record has a clickthrough URL, the navigation is \
         recorded in the trace, and playback pauses.";
    CLICK_2 chosen "assumed",
        "Without a clickthrough URL `clickedThrough` fires too, and the click toggles between play and \
         pause.";
    CLICK_3 stated "doc:events; pause assumed",
        "Clicking on a linear ad or an overlay fires `adClicked` instead of `clickedThrough`, and a linear \
         ad pauses with `adPause`.";
    CLICK_4 stated "doc:events (a click on any ad), iab; the rest assumed",
        "A click on a VPAID ad fires `adClicked` too. If the scenario marks the unit with `reports_click`, \
         the player handles the click as in CLICK-3; otherwise trackers, pause and URL are left to the unit, \
         and an `AdClickThru` that follows counts as the same click.";
}

rules! { GA
    GA_1 stated "doc:calls",
        "`GoogleAnalytics.fireCustom(category, action)` writes an `analytics` line in the trace, fires no \
         event and returns nothing.";
    GA_2 stated "doc:calls, doc:limits; effect assumed",
        "It must be called inside a ready callback. Elsewhere it works, with diagnostic `ga_outside_ready`; \
         before ready it throws.";
    GA_3 stated "doc:calls; the error assumed",
        "Both arguments must be strings; otherwise it throws `bad_argument`.";
    GA_4 chosen "assumed",
        "Player events produce no analytics lines.";
}

rules! { OUT
    OUT_1 stated "doc:service, doc:embed, doc:calls",
        "An outstream unit has its own script and queue and the usual initializer; its config is id, width \
         and height.";
    OUT_2 stated "doc:service; `isPlayerInView()` assumed",
        "A unit appears only with a valid ad. Until then it is hidden and `isPlayerInView()` is false.";
    OUT_3 chosen "assumed, as in public integrations",
        "Once ready, the unit opens its single break on its own. Without a tag to request it stays as it is, \
         with diagnostic `no_ads`.";
    OUT_4 stated "doc:events (names); selection assumed",
        "A unit fires `ready`, `requestAd`, possibly `adError`, `beforeStart`, `adImpression`, `adStart`, \
         the quartiles, `adComplete` or `adSkip`, and `adEnd`.";
    OUT_5 chosen "assumed",
        "Having no content, a unit fires no `play`, `start`, `ended`, `timeupdate` or playlist events; its \
         duration is null, position 0, `currentSrc()` empty, length 0.";
    OUT_6 chosen "assumed, as in public integrations",
        "After `adEnd`, filled or not, the unit destroys itself with `destroyBefore` and leaves its \
         container: another ad takes another initialization there.";
    OUT_7 stated "doc:events (the use of `destroyBefore`); sequence assumed",
        "Without fill there is an `adError` per tag, `adEnd`, `destroyBefore` and no `adImpression`.";
    OUT_8 chosen "assumed",
        "Content calls, such as `currentTime(n)`, `src`, `next`, chapters or quality, are ignored with \
         diagnostic `outstream`.";
    OUT_9 chosen "assumed",
        "`play`, `pause`, `stop`, `destroy`, `volume`, `muted`, `resize`, listeners, `playAd` and `setAd` \
         (as pre-roll at any level) work. `stop()` aborts the ad and hides the unit.";
    OUT_10 chosen "assumed",
        "Scrolling the unit out of view pauses its ad with `adPause`; the ad resumes at 50 percent in view.";
}

rules! { DESTROY
    DESTROY_1 stated "doc:calls, doc:events; synchronously assumed",
        "`destroy` first fires `destroyBefore` synchronously, while the player still works. It then stops \
         playback, removes listeners and timers, resets the DOM, and the player is destroyed.";
    DESTROY_2 chosen "assumed; CON-28",
        "The stop inside destroy is silent: no `stopped`, `pause`, `adEnd` or `adSkip`.";
    DESTROY_3 chosen "assumed: doc:calls cleans up listeners and timers only",
        "Pending requests are cancelled, and their responses are traced as dropped.";
    DESTROY_4 stated "doc:calls; false assumed, CON-8",
        "`destroy(true)` leaves the container in the page; `destroy()` and `destroy(false)` remove it.";
    DESTROY_5 chosen "assumed",
        "A player can be destroyed from its creation on. Before ready, neither `ready` nor `onReady` \
         follows.";
    DESTROY_6 chosen "assumed",
        "Inside a listener, `destroy` fires `destroyBefore` and tears down at once. The event being \
         delivered still reaches its other listeners (but DESTROY-12); later queued events are dropped.";
    DESTROY_7 chosen "assumed",
        "Calling `destroy` from `destroyBefore` has no effect.";
    DESTROY_8 chosen "assumed",
        "Calls on a destroyed handle throw `destroyed`; another `destroy` only gives a diagnostic.";
    DESTROY_9 chosen "assumed",
        "`$player()` then returns the next live player; if there is none it throws `no_such_player`.";
    DESTROY_10 chosen "assumed",
        "A `destroyBefore` listener may call anything, but the teardown cancels whatever that would start.";
    DESTROY_11 stated "doc:calls (listeners must be re-added for a later player); the diagnostic assumed",
        "Steps that wait for an event (`on:`) are listeners of the first player in their container and end \
         with it, even those of the user. A later player there is created with diagnostic `listeners_gone`, \
         which names them.";
    DESTROY_12 stated "doc:calls (cleans up listeners and timers; listeners must be re-added)",
        "What was bound to a destroyed player never concerns a later one in the same container. Once that \
         one is there, listeners of the earlier one that wait for their turn are not called, and what they \
         have put off is for the destroyed player: its calls fail (DESTROY-8).";
}
