//! Rules EDIT: the edit call.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:edit",
        "A video is edited by POST to `apiv3/video/edit/<video_id>.json` under the base address.",
    ),
    stated(
        2,
        "doc:edit; alike in effect assumed, CON-25",
        "POST to `apiv3/videos/edit.json` or `apiv2/videos/edit.json` does the same, with the id in \
         `data[Video][id]`.",
    )
    .knob("edit.routes"),
    chosen(
        3,
        "assumed",
        "These paths answer any other method with 405 and `Allow: POST`; unknown paths are 404.",
    ),
    stated(
        4,
        "doc:edit; code assumed",
        "The body has to be a multipart form. Everything else, URL-encoded forms included, is 415.",
    )
    .knob("edit.urlencoded"),
    chosen(5, "assumed", "Multipart that is broken (no boundary, no end, a part without name) is 400."),
    stated(
        6,
        "doc:edit (both seen); CON-27",
        "On every route a field may be named bare, as `name` or `Chapter[title][]`, or with prefix, as \
         `data[Video][name]`, `data[Chapter][title][]` or `data[CustomParam][key][]`.",
    )
    .knob("edit.prefix"),
    chosen(
        7,
        "assumed",
        "Nested names are read as PHP reads forms: `a[b][c]` nests, `[]` appends, a repeated scalar's \
         last value counts, an unclosed bracket is replaced, dots and spaces of the first part become \
         underscores. The limit is 64 levels and 1000 fields.",
    ),
    chosen(8, "assumed", "If one field is there bare and prefixed, the prefixed value counts, with a diag.")
        .knob("edit.both"),
    chosen(9, "assumed; CON-26", "Different ids in path and form are 422 on field `id`.")
        .knob("edit.id_conflict"),
    chosen(10, "assumed", "A variant route without an id is 422 on field `id`; an id nobody has is 404."),
    stated(11, "doc:video ('string')", "Record ids are texts, with letters and leading zeros as they like."),
    stated(
        12,
        "doc:edit (all optional), assumed",
        "Fields that are not sent keep their value. Sent empty, a text becomes empty, a date, image or \
         clickthrough none, and an integer is refused.",
    )
    .knob("edit.empty_integer"),
    chosen(13, "assumed", "A call changes all that it asks for or nothing.").knob("edit.atomic"),
    stated(14, "doc:edit (all optional)", "A call without fields is a success without change."),
    chosen(15, "assumed", "`name` can be any text that has more than blanks."),
    stated(
        16,
        "doc:video; detail assumed",
        "`tags` is split at commas and trimmed; empty parts go, order and repeats stay.",
    ),
    stated(
        17,
        "doc:video (both spellings); CON-3",
        "`clickthroughURL` and `clickthroughUrl` mean one field; two different values for it are 422.",
    )
    .knob("edit.clickthrough_conflict"),
    stated(
        18,
        "doc:video (image: valid URL); clickthrough assumed",
        "`image` and the clickthrough have to be absolute addresses with http or https.",
    ),
    stated(
        19,
        "doc:video, assumed",
        "`channel_id` is an integer from 1 up. If the scenario lists its channels, one that is not there \
         is 422.",
    ),
    stated(20, "doc:video", "`age_gate_id` is 1, 2 or 3."),
    stated(
        21,
        "doc:video, doc:limits",
        "`publish` and `kill_date` are existing dates written d-m-Y, day and month with two digits and \
         the year with four.",
    )
    .knob("edit.date_digits"),
    stated(
        22,
        "doc:video (in its sample); meaning assumed, CON-30",
        "`kill_date` of `00-00-0000` stands for no end; as `publish` it is refused.",
    ),
    chosen(23, "assumed", "A `kill_date` on or before `publish` is taken, with a diag.")
        .knob("edit.date_order"),
    stated(24, "doc:video; 0 assumed", "`rejected` is 1 to exclude or 0 to include; other values are 422."),
    stated(25, "doc:video", "`monetize` is 0 or 1 and 1 if never set."),
    stated(
        26,
        "doc:video; the off forms assumed",
        "`geo_on` is switched on by `true` or `1` and off by `false` or `0`; it is off if never set.",
    ),
    stated(
        27,
        "doc:video; the list assumed",
        "`geo` lists two-letter country codes of ISO 3166-1 between commas, in any case of letters; a \
         code that is none is 422.",
    )
    .knob("edit.geo_list"),
    stated(28, "doc:comscore; CON-38", "The comScore fields are kept as the texts they came as.")
        .knob("edit.comscore_check"),
    stated(
        29,
        "doc:video (purpose not shown); CON-3",
        "`pixels[...]` has eight known keys, kept as sent. Other keys are kept with a diag, and no trace \
         shows any effect.",
    )
    .knob("pixels.effect"),
    stated(
        30,
        "doc:targeting; second half assumed, CON-35",
        "The n-th `CustomParam[key][]` goes with the n-th `CustomParam[value][]`; one without the other \
         is 422.",
    ),
    chosen(31, "assumed", "A call that sends custom parameters replaces all those there were.")
        .knob("edit.lists"),
    chosen(32, "assumed", "Custom parameters may share a key and stay in order."),
    stated(
        33,
        "doc:chapters; assumed",
        "The n-th `Chapter[timestamp][]` goes with the n-th `Chapter[title][]`, and unequal numbers of \
         them are 422. Times are read by CH-9; the new set replaces the old as in EDIT-31.",
    )
    .knob("edit.chapter_counts"),
    stated(
        34,
        "doc:video; effect assumed",
        "`partner_id` is a text; if the record has another owner the answer is 403.",
    )
    .knob("edit.partner_check"),
    chosen(35, "assumed", "Fields nobody knows have no effect and are named in the journal.")
        .knob("edit.unknown"),
    stated(36, "doc:edit, doc:auth", "A call without `User-Agent` is served, with a diag.")
        .knob("edit.user_agent"),
    chosen(37, "assumed: doc:auth not shown", "Calls need no authentication unless the knob asks for it.")
        .knob("edit.auth"),
    chosen(
        38,
        "assumed (OBS-12)",
        "Success is 200 with JSON: `status` `success`, `videoId`, and the whole record as `Video`.",
    )
    .knob("edit.success_shape"),
    chosen(
        39,
        "assumed",
        "Failure is problem JSON (RFC 9457) whose `errors` list field, code and message; mistakes in \
         fields are 422.",
    )
    .knob("edit.error_shape"),
    chosen(
        40,
        "assumed: what authors of clients ask for",
        "One answer names every mistaken field of the call, in the form's order.",
    ),
    chosen(41, "assumed", "The answer writes dates the way they are sent, d-m-Y.").knob("edit.read_date"),
    chosen(42, "assumed (not shown)", "A body above `edit.max_body` (10 MiB) is 413.").knob("edit.max_body"),
    chosen(43, "assumed (not shown)", "Calls are not limited in rate unless the knob sets a limit.")
        .knob("edit.rate"),
    chosen(
        44,
        "assumed",
        "The scenario can make the n-th or a matching call slow (in time on the clock), answer with a \
         status, lose its connection or get an empty body.",
    ),
    chosen(
        45,
        "assumed",
        "A journal keeps each call: time, route, fields read, unknown fields, result, the record before \
         and after.",
    ),
    chosen(
        46,
        "assumed",
        "Reset, seeding records, the journal and advancing the clock have control routes with their own \
         prefix, apart from the service's paths.",
    ),
    chosen(47, "assumed", "Edits of the same instant are handled in the order of arrival."),
    stated(48, "doc:edit (not shown); code assumed", "Every other operation on videos is 501.")
        .knob("edit.other"),
    chosen(49, "assumed", "Names and values are UTF-8, and bytes that are not are 400."),
    stated(50, "doc:calls", "What `name` and `tags` do in the player is META-1."),
    stated(51, "doc:video", "What `clickthroughURL` does in the player is CLICK-1."),
    stated(52, "doc:video", "`image` is the poster's address in the trace."),
    stated(53, "doc:video", "`monetize` 0 leads to REQ-14: no break, no request."),
    stated(
        54,
        "doc:video; alone assumed",
        "A video with `rejected` 1 is left out of playlists; alone it plays.",
    ),
    stated(
        55,
        "doc:video; effect assumed",
        "Before `publish` and from `kill_date` on, by the calendar of the run, a video is left out of \
         playlists; alone it gives `playbackerror` at load.",
    )
    .knob("dates.single, dates.kill_day"),
    stated(
        56,
        "doc:video; as a list of allowed countries assumed",
        "With `geo_on`, a viewer from a country that `geo` does not list, or from an unknown one, finds the \
         video left out of playlists, and alone failing with `playbackerror`.",
    )
    .knob("geo.means, geo.block"),
    chosen(57, "assumed", "`age_gate_id` 2 and 3 are kept without effect.").knob("age.gate"),
    stated(
        58,
        "doc:targeting; names chosen, for what OBS-14 lists",
        "Macros of ad tags can use the custom parameters. With the knob an ad tag may hold, in square \
         brackets, `custom_params` (all, as key=value pairs), `custom.KEY` (one), `video_id`, `title`, \
         `duration`, `media_url`, `autoplay`, `player_width`, `player_height`, `viewability`, `timestamp` \
         and `position`; what is not known here is -1: `page_url`, `referrer_url`, `description_url`, \
         `description`, `user_agent`, `ip`, `do_not_track`, `gdpr`, `gdpr_consent`, `us_privacy`, `user_id`.",
    )
    .knob("macros"),
    stated(59, "doc:chapters", "What `Chapter` fields do in the player is in the rules CH."),
    chosen(
        60,
        "assumed",
        "If the knob is on, `start` comes with a `measurement` line of the comScore values.",
    )
    .knob("comscore.trace"),
    chosen(
        61,
        "assumed (OBS-2)",
        "`channel_id` decides which channel playlists hold the video: a configuration's `playlist` with `mode` \
         `channel` and the channel's `id` holds those of it, in the order of the scenario.",
    ),
    chosen(62, "assumed", "When a player notices an edit is META-2."),
    chosen(
        63,
        "assumed: doc:states shows no states of a record",
        "Traces call a record scheduled, live or expired, and flag it if rejected.",
    ),
];
