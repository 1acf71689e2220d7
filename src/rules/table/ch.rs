//! Rules CH: chapters.

use super::{Row, chosen, html, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls, doc:chapterinfo",
        "`currentChapter()` tells number, name, start and end of the chapter that holds the position; \
         null for a video without chapters.",
    ),
    chosen(
        2,
        "assumed: names not shown",
        "The chapter object's properties are `chapter`, `title`, `start` and `end`.",
    )
    .knob("chapter.names"),
    stated(3, "doc:calls", "Chapter numbers begin at 0 and follow time."),
    html(
        4,
        "html (cue rule)",
        "A chapter owns the time from its start up to, not including, the next chapter's; the last one \
         goes on to the duration. With the duration unknown its `end` is null.",
    ),
    chosen(5, "assumed", "Ahead of the first chapter `currentChapter()` is null.")
        .knob("chapter.before_first"),
    stated(
        6,
        "doc:calls; return assumed, CON-33",
        "`currentChapter(n)` is the seek of TIME-2 to that chapter's start, and gives chapter n's object \
         back.",
    )
    .knob("chapter.jump_returns"),
    chosen(
        7,
        "assumed",
        "A number that is negative, fractional or past the last chapter seeks nowhere, gives null and \
         diag `no_such_chapter`. With no chapters at all there is null and no diag.",
    ),
    stated(
        8,
        "doc:events (absence)",
        "Passing from chapter to chapter emits nothing to the page; the trace has an internal `chapter` \
         line.",
    )
    .knob("chapter.event"),
    chosen(
        9,
        "assumed: format not shown",
        "Chapter times are texts of the forms seconds, M:SS, MM:SS or H:MM:SS, with up to three digits of \
         fraction. Forms with colons refuse minutes or seconds above 59.",
    )
    .knob("chapter.format"),
    chosen(
        10,
        "assumed",
        "Chapters are put in order of start. Of two that start together the later in the form stays, and \
         one that starts at or past the known duration is dropped; both give a diag. A title may be \
         empty.",
    ),
    chosen(
        11,
        "assumed",
        "During an ad the getter answers by the held content position, and the jump is ignored as in \
         TIME-6.",
    ),
    chosen(12, "assumed", "Chapters come from an item's video record; a source given to `src` has none."),
];
