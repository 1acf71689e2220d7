//! Rules LPL: loaded playlists.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls",
        "`loadPlaylist` takes an address as text, and the fixture network delivers the file.",
    ),
    chosen(
        2,
        "assumed (OBS-3): format not shown",
        "The file may be an array of items or an object with `playlist` or `Video`. An item's source is \
         `src`, `source` (text or rendition map) or `file`, its title `title` or `name`; description, \
         tags, image, duration, monetize and clickthrough are read too.",
    )
    .knob("playlist.format"),
    chosen(
        3,
        "assumed",
        "Success acts as SRC-4 with all items that can be played, index 0, initial, and has no event of \
         its own.",
    )
    .knob("playlist.loaded_event"),
    chosen(4, "assumed", "A loaded playlist does not start by itself.").knob("playlist.autoplay"),
    chosen(
        5,
        "assumed",
        "If the network fails, the file is no JSON or holds no item, the old content stays and diag \
         `playlist_failed` is given.",
    )
    .knob("playlist.on_fail"),
    chosen(
        6,
        "assumed",
        "The old content plays on during the fetch, which a newer `loadPlaylist` or `src` cancels.",
    ),
    chosen(7, "assumed", "An item that has no source is left out with diag `bad_item`."),
];
