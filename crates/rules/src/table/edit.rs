//! Rules about the edit call.

use super::rules;

rules! { EDIT
    EDIT_1 stated "doc:edit",
        "A video is edited with a POST to `apiv3/video/edit/<video_id>.json` below the base URL.";
    EDIT_2 stated "doc:edit; alike in effect assumed, CON-25",
        "POST to `apiv3/videos/edit.json` or `apiv2/videos/edit.json` does the same, with the id in \
         `data[Video][id]`.";
    EDIT_3 chosen "assumed",
        "These paths answer any other method with 405 and `Allow: POST`; unknown paths are 404. For a path \
         that is nearly that of an edit, such as `apiv2/video/edit/<video_id>.json`, the response names the \
         one that was meant.";
    EDIT_4 stated "doc:edit; code assumed",
        "The body must be a multipart form. Everything else, URL-encoded forms included, is 415.";
    EDIT_5 chosen "assumed",
        "Malformed multipart (no boundary, no end, a part without a name) is 400.";
    EDIT_6 stated "doc:edit (both seen); every route assumed, CON-27",
        "On every route a field may be named bare, as `name` or `Chapter[title][]`, or prefixed, as \
         `data[Video][name]`, `data[Chapter][title][]` or `data[CustomParam][key][]`.";
    EDIT_7 chosen "assumed",
        "Nested names are read as PHP reads forms: `a[b][c]` nests, `[]` appends, the last value of a \
         repeated scalar wins, an unclosed bracket is replaced, dots and spaces in the first part become \
         underscores. The limits are 64 levels and 1000 fields.";
    EDIT_8 chosen "assumed",
        "If a field is sent both bare and prefixed, the prefixed value wins, with a diagnostic.";
    EDIT_9 chosen "assumed; CON-26",
        "Different ids in path and form are 422 on field `id`.";
    EDIT_10 chosen "assumed",
        "A variant route without an id is 422 on field `id`; an unknown id is 404.";
    EDIT_11 stated "doc:video (a string); letters and zeros assumed",
        "Record ids are strings; letters and leading zeros are allowed.";
    EDIT_12 stated "doc:edit (all optional); the empty ones assumed",
        "Fields that are not sent keep their value. Sent empty, a string becomes empty, a date, image or \
         clickthrough is removed, and an integer is refused.";
    EDIT_13 chosen "assumed",
        "A call makes all of its changes or none.";
    EDIT_14 stated "doc:edit (all optional); success assumed",
        "A call without fields succeeds without a change.";
    EDIT_15 chosen "assumed",
        "`name` can be any string that is not blank.";
    EDIT_16 stated "doc:video; detail assumed",
        "`tags` is split at commas and trimmed; empty parts are dropped, order and duplicates stay. The parts \
         are joined again with a comma and a space, in the record and wherever tags are read: `a,b ,,c` is \
         `a, b, c`.";
    EDIT_17 stated "doc:video (both spellings); CON-3",
        "`clickthroughURL` and `clickthroughUrl` are one field; two different values for it are 422.";
    EDIT_18 stated "doc:video (image: valid URL); clickthrough assumed",
        "`image` and the clickthrough must be absolute http or https URLs.";
    EDIT_19 stated "doc:video, assumed",
        "`channel_id` is an integer from 1 up. If the scenario lists its channels, one that is not listed is \
         422.";
    EDIT_20 stated "doc:video",
        "`age_gate_id` is 1, 2 or 3.";
    EDIT_21 stated "doc:video, doc:limits; existing dates and the digits assumed",
        "`publish` and `kill_date` are existing dates in the form d-m-Y, with two digits for day and month \
         and four for the year.";
    EDIT_22 stated "doc:video (in its sample); meaning assumed, CON-30",
        "A `kill_date` of `00-00-0000` means no end; as `publish` it is refused.";
    EDIT_23 chosen "assumed",
        "A `kill_date` on or before `publish` is accepted, with a diagnostic.";
    EDIT_24 stated "doc:video; 0 assumed",
        "`rejected` is 1 to exclude or 0 to include; other values are 422.";
    EDIT_25 stated "doc:video",
        "`monetize` is 0 or 1; the default is 1.";
    EDIT_26 stated "doc:video; the off forms assumed",
        "`geo_on` is set by `true` or `1` and cleared by `false` or `0`; the default is off.";
    EDIT_27 stated "doc:video; the list assumed",
        "`geo` lists ISO 3166-1 two-letter country codes separated by commas, in upper or lower case; an \
         invalid code is 422.";
    EDIT_28 stated "doc:comscore; CON-38",
        "The comScore fields are kept as the strings that were sent.";
    EDIT_29 stated "doc:video (purpose not shown); CON-3",
        "`pixels[...]` has eight known keys, kept as sent. Other keys are kept with a diagnostic; pixels \
         have no effect in any trace.";
    EDIT_30 stated "doc:targeting; second half assumed, CON-35",
        "The nth `CustomParam[key][]` goes with the nth `CustomParam[value][]`; one without the other is \
         422. A value that is sent empty is sent: the parameter has the empty string. An empty key is 422, \
         unless the call sends one empty key with one empty value, which clears the parameters.";
    EDIT_31 chosen "assumed",
        "A call that sends custom parameters replaces all existing ones.";
    EDIT_32 chosen "assumed",
        "Custom parameters may share a key and keep their order.";
    EDIT_33 stated "doc:chapters, doc:edit (all optional); the rest assumed",
        "The nth `Chapter[timestamp][]` goes with the nth `Chapter[title][]`. A time without a title is a \
         chapter with an empty title; a title without a time is 422. CH-9 says how times are read; the new \
         set replaces the old as in EDIT-31.";
    EDIT_34 stated "doc:video; effect assumed",
        "`partner_id` is a string; if the record has another owner the response is 403.";
    EDIT_35 chosen "assumed",
        "Unknown fields have no effect. They are named in the journal and, apart from the documented members \
         of the response, in its header `Playsim-Unknown-Fields`: at most 20 names, percent-encoded and \
         separated by commas, each with the known name that may be meant, like `Name; meant=name, foo`.";
    EDIT_36 chosen "assumed: doc:edit and doc:auth show the header in samples and do not require it",
        "A call without `User-Agent` is served, with a diagnostic.";
    EDIT_37 chosen "assumed: doc:auth not shown",
        "Calls need no authentication unless `edit.auth` requires it.";
    EDIT_38 chosen "assumed, as in public integrations",
        "Success is 200 with JSON: `status` `success`, `videoId`, and the whole record as `Video`.";
    EDIT_39 chosen "assumed",
        "Failure is problem JSON (RFC 9457) whose `errors` list field, code and message; invalid fields are \
         422.";
    EDIT_40 chosen "assumed: what authors of clients ask for",
        "One response names every invalid field of the call, in the form's order.";
    EDIT_41 chosen "assumed",
        "The response writes dates the way they are sent, d-m-Y.";
    EDIT_42 chosen "assumed (not shown)",
        "A body above `edit.max_body` (10 MiB) is 413.";
    EDIT_43 chosen "assumed (not shown)",
        "The call rate is not limited unless `edit.rate` sets a limit.";
    EDIT_44 chosen "assumed",
        "The scenario can make the nth or a matching call slow (in simulated time), answer with a status, \
         lose its connection or get an empty body.";
    EDIT_45 chosen "assumed",
        "A journal records each call: time, route, fields read, unknown fields, result, and the record \
         before and after.";
    EDIT_46 chosen "assumed",
        "Reset, seeding records, the journal and advancing the clock have control routes under their own \
         prefix, separate from the service's paths.";
    EDIT_47 chosen "assumed",
        "Edits at the same instant are handled in order of arrival.";
    EDIT_48 chosen "assumed: doc:edit shows no other operation",
        "Every other operation on videos is 501.";
    EDIT_49 chosen "assumed",
        "Names and values are UTF-8; invalid bytes are 400.";
    EDIT_50 stated "doc:calls",
        "META-1 says what `name` and `tags` do in the player.";
    EDIT_51 stated "doc:video",
        "CLICK-1 says what `clickthroughURL` does in the player.";
    EDIT_52 stated "doc:video; the poster assumed",
        "`image` is the poster URL in the trace.";
    EDIT_53 stated "doc:video",
        "`monetize` 0 has the effect of REQ-14: no break, no request.";
    EDIT_54 stated "doc:video; alone assumed",
        "A video with `rejected` 1 is left out of playlists; on its own it plays.";
    EDIT_55 stated "doc:video; effect assumed",
        "Before `publish` and from `kill_date` on, by the run's calendar, a video is left out of playlists \
         (PL-23 says when that is looked at); on its own it fires `playbackerror` at load.";
    EDIT_56 stated "doc:video; as a list of allowed countries assumed",
        "With `geo_on`, for a viewer from a country not in `geo`, or an unknown one, the video is left out \
         of playlists, and on its own it fails with `playbackerror`.";
    EDIT_57 chosen "assumed",
        "`age_gate_id` 2 and 3 are stored without effect.";
    EDIT_58 stated "doc:targeting; the names chosen after public integrations",
        "Ad-tag macros can use the custom parameters. With `macros`, an ad tag may hold, in square brackets, \
         `custom_params` (all, as key=value pairs), `custom.KEY` (one), `video_id`, `title`, `duration`, \
         `media_url`, `autoplay`, `player_width`, `player_height`, `viewability`, `timestamp` and \
         `position`; these are unknown here and become -1: `page_url`, `referrer_url`, `description_url`, \
         `description`, `user_agent`, `ip`, `do_not_track`, `gdpr`, `gdpr_consent`, `us_privacy`, \
         `user_id`.";
    EDIT_59 stated "doc:chapters",
        "The CH rules say what `Chapter` fields do in the player.";
    EDIT_60 chosen "assumed",
        "With `comscore.trace`, `start` is accompanied by a `measurement` line with the comScore values.";
    EDIT_61 chosen "assumed, as in public integrations",
        "`channel_id` decides which channel playlists hold the video: a configuration's `playlist` with \
         `mode` `channel` and the channel's `id` holds its videos, in the scenario's order.";
    EDIT_62 chosen "assumed",
        "META-2 says when a player notices an edit.";
    EDIT_63 chosen "assumed: doc:states shows no states of a record",
        "Traces call a record scheduled, live or expired, and flag it if rejected.";
}
