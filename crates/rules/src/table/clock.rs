//! Rules about time, order, the trace and its invariants.

use super::rules;

rules! { CLK
    CLK_1 chosen "assumed: reproducible traces",
        "Simulated time is a whole number of microseconds since the start of the run. Wall clock, monotonic \
         clock, memory addresses, hash order and locale never have any effect.";
    CLK_2 chosen "assumed: a response exactly at its deadline is in time",
        "All pending work is in one agenda, ordered by time, then class, then insertion. At equal times the \
         classes run in the order NET (network responses), MEDIA (position and data), TIMER (delays and \
         timeouts), ACTION (scenario steps).";
    CLK_3 chosen "assumed, as real players derive these in their time handler",
        "MEDIA work due at one instant runs in a fixed order: data state changes, `timeupdate`, chapter \
         change, ad quartiles, `lastSecond`, overlay start and end, mid-roll cue point, end of media. The \
         `timeupdate` of the end belongs to the end.";
    CLK_4 html "html",
        "A task without delay runs at the same instant: after the tasks already queued there, before the \
         next agenda entry.";
    CLK_5 chosen "assumed; INV-2",
        "How the clock is advanced does not matter: one large step and many small steps with the same sum \
         give the same trace.";
    CLK_6 chosen "assumed",
        "Each second of simulated time, counted from the start of the run, may have at most \
         `limit.tasks_per_second` tasks (100,000); time updates do not count. One more ends the run with \
         outcome `livelock`. An endless loop need not stay at one instant: a \
         listener that loads a file as soon as the last one can play takes some microseconds for each turn. \
         What goes round is stopped earlier: after 1,024 tasks of a second, and after each doubling, the run \
         counts the acts of page code which an earlier act of their name caused, the events that come from these, \
         and how often one event of one player came from one cause. More than a hundredth as many as there may \
         be tasks (1,000) end the run. The outcome lists the lines that go round (`circle`), or, if none are known, the \
         last 32 (`causes`).";
    CLK_7 chosen "assumed: stopping must not look like hanging",
        "Every run ends with a named outcome: `idle` (nothing left that could change state), `until` (the \
         requested time is reached, or the line after which the run ends), `livelock` or `limit`. Failed expectations are judged on the finished \
         trace and are not an outcome.";
    CLK_8 chosen "assumed",
        "Randomness enters only through jitter knobs. The scenario's seed feeds a separate stream for each \
         named source, so adding a source does not disturb the others.";
    CLK_9 chosen "assumed: JSON has neither",
        "Seconds are printed as decimals with at most six places and no trailing zeros. In a trace, an \
         unknown duration and NaN are `null`, and positive infinity is the string `Infinity`.";
    CLK_10 chosen "assumed",
        "Calendar time (publish dates, timestamp macros in ad tags) counts from `epoch`, the UTC date of \
         time 0; the default is 2000-01-01T00:00:00Z.";
    CLK_11 chosen "assumed: debugging, shrinking of fuzz cases",
        "A run can be stopped at any agenda entry, inspected and resumed; a snapshot taken there continues \
         to the same trace.";
    CLK_12 chosen "assumed: stopping must not look like hanging",
        "What listeners do is limited, since a page may bind more of them at each event: in each second of \
         simulated time they make at most `limit.tasks_per_second` calls, not counting reads. In the whole run they are called \
         at most 50 million times, and at most 10000 players are created. One more ends the run as \
         `limit`.";
    CLK_13 html "html: a task runs to its end before another begins",
        "Several acts of page code may be one task: one input, in which each act takes effect at once, and \
         after which everything that they cause is delivered. A callback that an initialiser causes runs \
         after the task, when the page has its result.";
}

rules! { TRACE
    TRACE_1 chosen "assumed",
        "A trace is JSON Lines: one object per line, with keys in the order `t` (microseconds), `seq`, \
         `player`, `break` (which break of the player), `kind`, `name`, `data`, `cause`.";
    TRACE_2 chosen "assumed",
        "A line's kind is one of `header`, `call`, `user`, `page`, `event`, `listener`, `state`, `media`, \
         `ui`, `ad`, `break`, `net`, `beacon`, `diag`, `analytics`, `measurement`, `edit`, `outcome`.";
    TRACE_3 chosen "assumed",
        "The view `page` keeps what page code can observe, events and returned values, and is the one to \
         check conformance on; it also keeps diagnostics, since they report what page code cannot see.";
    TRACE_4 chosen "assumed",
        "On request, each line names the rule that decided it, under `rule`.";
    TRACE_5 chosen "assumed",
        "Numbers follow CLK-9. Strings are UTF-8, escaped only where JSON and TRACE-9 require it; paths and \
         dates of the host do not occur.";
    TRACE_6 chosen "assumed",
        "The header holds the format version, profile, knobs that differ from the default, scenario digest \
         and seed.";
    TRACE_7 chosen "assumed",
        "Comparing two traces shows the first differing line, with the chain of causes on either side.";
    TRACE_8 chosen "assumed",
        "A trace can be exported to the formats of `playsim run`, among them a request list and a tracker \
         list; whatever a format cannot hold is listed. The request list, an HTTP archive, can be replayed: \
         URLs are absolute, resolved with `page.url` (default: `https://page.test/`), each redirect is an \
         entry, bodies are those of the scenario, and a request that failed has status 0 and a reason.";
    TRACE_9 chosen "assumed",
        "Control characters in documents, scenarios, file names and arguments (C0 except the line feed \
         between lines, DEL, C1, bidirectional marks and overrides, line and paragraph separators, the \
         byte-order mark) are never printed raw: text forms show them like `\\u{1b}`, `\\n` and `\\t`, JSON \
         as `\\u001b`.";
    TRACE_10 chosen "assumed",
        "Held against its scenario, a trace must have the lines that the scenario gives with the answers and \
         acts of the trace, as far as its recorder hears them. A line that is missing, additional, in another \
         order, at another time or with another content is one finding, with the rule that asked for it and \
         with what follows from it.";
}

rules! { INV
    INV_1 chosen "CLK-1, CLK-8",
        "The same scenario, profile and seed produce the same bytes in every run, process and thread and on \
         every operating system.";
    INV_2 chosen "CLK-5",
        "Splitting a time step into smaller ones leaves the trace unchanged.";
    INV_3 chosen "CLK-1",
        "From line to line, time never decreases and the sequence number increases by one.";
    INV_4 chosen "EVT-23",
        "Each event has a cause, and the cause precedes it.";
    INV_5 chosen "INIT-14, EVT-21",
        "A player has at most one `ready` and one `destroyBefore`, and no event after it is destroyed.";
    INV_6 chosen "END-3, PLAY-10",
        "Between two `ended` of one item there is a `play`.";
    INV_7 chosen "PLAY-4, PLAY-7, PLAY-9",
        "`start` follows the item's `play` and fires at most once per load or `stop()`; an item start has at \
         most one `beforeStart`, and an `adImpression`, `adError` or `start` follows it directly, at the \
         same instant.";
    INV_8 chosen "BRK-16, GAP-1",
        "While `getAdInProgress()` is true, the default profile fires none of the content's `play`, `pause`, \
         `timeupdate`, `seeked` and `lastSecond`.";
    INV_9 chosen "STOP-1, STOP-6",
        "There are as many `stopped` events as `stop()` calls that took effect.";
    INV_10 chosen "ERR-3, ERR-4",
        "`adError` occurs only within breaks, `playbackerror` only outside ads.";
    INV_11 chosen "BRK-10, STOP-3",
        "A break that requested anything has one `adEnd`, except where its response scheduled a pre-roll, \
         whose `adEnd` then closes it (VMAP-22), or where it was aborted by stop, navigation, a new source, \
         destroy, failing content (ERR-3) or, for a post-roll, a seek (POST-3).";
    INV_12 chosen "REQ-1, REQ-4, REQ-16",
        "Not counting the tags of REQ-16, there is one `requestAd` per tag tried. In a break that is not \
         aborted, has no ad that fails after its start and no winning VAST pod that is only partly \
         playable, `adError` events plus winners equal `requestAd` events plus the tags of REQ-16.";
    INV_13 chosen "BRK-3, BRK-5",
        "After a linear ad's `adImpression` comes exactly one of complete, skip and error, unless the break \
         is aborted; quartiles come in order and at most once each.";
    INV_14 chosen "BRK-15",
        "At no point does an ad have more `adResume` than `adPause` events.";
    INV_15 chosen "MEL-19, BRK-17",
        "The position is between 0 and the duration. Apart from seeks, stop, replay and item changes it \
         moves only while content plays, not before or during an ad, while paused or while buffering.";
    INV_16 chosen "PL-2",
        "`currentIndex` is the index of an item in the list, or -1 if there is none.";
    INV_17 chosen "VOL-3, MUTE-2, QUAL-5, SIZE-1, STICK-3, FS-4",
        "`volume` is between 0 and 1. `volumechange`, `mutechange`, `qualityChange`, `playerresize`, \
         `stickyChange` and `fullscreenchange` fire only when their value has changed.";
    INV_18 chosen "PL-13",
        "`playlistComplete` directly follows the last item's `ended`.";
    INV_19 chosen "the state matrix",
        "Any call of the reference, in any state and with any arguments, does what the matrix of states and \
         calls says and never panics.";
    INV_20 chosen "VX-1",
        "With the SDK engine, `lastVASTXML` stays unset.";
    INV_21 chosen "REQ-14, PA-7",
        "An item that is not monetized has no `requestAd` other than those of `playAd`.";
    INV_22 chosen "MEL-15",
        "During undisturbed playback (no seek, stall or ad), periodic `timeupdate` events are exactly one \
         period apart.";
    INV_23 chosen "EVT-2",
        "Getters and listeners that do nothing leave all other events of the trace unchanged.";
    INV_24 chosen "CLK-11",
        "A snapshot resumed from any point produces what the uninterrupted run produces from there on.";
    INV_25 chosen "EDIT-13",
        "A failed edit call leaves the record unchanged, and repeating an edit changes nothing further.";
    INV_26 chosen "TRACE-6",
        "A knob that the run never consults changes nothing after the header.";
}
