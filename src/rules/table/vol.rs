//! Rules VOL: volume.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:calls, doc:limits",
        "`volume(x)` takes x from 0 to 1, makes it the volume and gives the volume back as a float.",
    ),
    chosen(2, "assumed; CON-6", "`volume()` reads the volume."),
    stated(
        3,
        "doc:events; equality html",
        "`volumechange` comes when the volume really changes, not when it is set to what it was.",
    ),
    stated(
        4,
        "doc:limits (range), effect assumed",
        "A volume beyond 0 to 1, or something that is no number, leaves all as it was: the old value \
         comes back, with diag `volume_range`.",
    )
    .knob("volume.out_of_range"),
    stated(
        5,
        "doc:limits; CON-40",
        "On mobile devices `volume` sets nothing and emits nothing; it gives the current value (1 unless \
         the fixture differs) and diag `volume_mobile`.",
    ),
    chosen(
        6,
        "assumed; OBS-10 differs",
        "Volume 0 and mute are two things: `muted()` stays false, and there is no `mutechange`.",
    )
    .knob("volume.zero_mutes"),
    chosen(7, "assumed", "Turning the volume up does not unmute.").knob("volume.unmutes"),
    chosen(8, "assumed", "Ads and content share volume and mute, which outlive item changes and `stop()`."),
    chosen(
        9,
        "assumed",
        "Volume can be set in every state; before ready and after destroy the general rules for calls \
         hold.",
    ),
    chosen(10, "assumed", "A volume keeps six decimal places, so what was set is what is read."),
];
