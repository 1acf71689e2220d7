//! The names of the elements that are looked at.
//!
//! An element is known by its name alone, whatever its prefix and its letter case. Each row also says since
//! which version the element exists, for documents that claim to be older.

/// A row of [`KNOWN`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row(u8);

/// The elements with the first version of VAST that has them, times ten; by length, then by name.
const KNOWN: [(&str, u8); 80] = [
    ("Ad", 0),
    ("URL", 0),
    ("Icon", 30),
    ("VAST", 0),
    ("VMAP", 0),
    ("Error", 0),
    ("Icons", 30),
    ("InLine", 0),
    ("Linear", 0),
    ("Survey", 0),
    ("AdBreak", 0),
    ("AdTitle", 0),
    ("AltText", 0),
    ("Expires", 41),
    ("Pricing", 30),
    ("Wrapper", 0),
    ("AdSource", 0),
    ("AdSystem", 0),
    ("AdTagURI", 0),
    ("Category", 40),
    ("Creative", 0),
    ("Duration", 0),
    ("Tracking", 0),
    ("VASTData", 0),
    ("Viewable", 40),
    ("Companion", 0),
    ("Creatives", 0),
    ("Extension", 0),
    ("MediaFile", 0),
    ("Mezzanine", 40),
    ("NonLinear", 0),
    ("Advertiser", 30),
    ("Extensions", 0),
    ("IconClicks", 30),
    ("Impression", 0),
    ("MediaFiles", 0),
    ("VASTAdData", 0),
    ("AdServingId", 41),
    ("CustomClick", 0),
    ("Description", 0),
    ("NotViewable", 40),
    ("VideoClicks", 0),
    ("AdParameters", 0),
    ("ClickThrough", 0),
    ("CompanionAds", 0),
    ("CustomAdData", 0),
    ("HTMLResource", 0),
    ("NonLinearAds", 0),
    ("VASTAdTagURI", 0),
    ("VASTAdTagURL", 0),
    ("Verification", 40),
    ("ClickTracking", 0),
    ("FlashResource", 40),
    ("UniversalAdId", 40),
    ("IFrameResource", 0),
    ("StaticResource", 0),
    ("TrackingEvents", 0),
    ("AdVerifications", 40),
    ("IconClickThrough", 30),
    ("IconViewTracking", 30),
    ("ViewUndetermined", 40),
    ("ClosedCaptionFile", 41),
    ("CreativeExtension", 0),
    ("IconClickTracking", 30),
    ("ClosedCaptionFiles", 41),
    ("CreativeExtensions", 0),
    ("ExecutableResource", 41),
    ("JavaScriptResource", 40),
    ("ViewableImpression", 40),
    ("BlockedAdCategories", 41),
    ("NonLinearCustomClick", 44),
    ("CompanionClickThrough", 0),
    ("NonLinearClickThrough", 0),
    ("CompanionClickTracking", 30),
    ("IconClickFallbackImage", 42),
    ("NonLinearClickTracking", 0),
    ("VerificationParameters", 40),
    ("VideoAdServingTemplate", 0),
    ("IconClickFallbackImages", 42),
    ("InteractiveCreativeFile", 40),
];

/// No name is longer.
const LONGEST: usize = KNOWN[KNOWN.len() - 1].0.len();

/// The first row of each length.
const STARTS: [u8; LONGEST + 2] = starts();

const fn starts() -> [u8; LONGEST + 2] {
    let mut starts = [0; LONGEST + 2];
    let (mut length, mut row) = (0, 0);
    while length < starts.len() {
        while row < KNOWN.len() && KNOWN[row].0.len() < length {
            row += 1;
        }
        // The table has far fewer rows than a byte counts.
        starts[length] = row as u8;
        length += 1;
    }
    starts
}

impl Row {
    /// The row of a name as written, if it is one that is known in some letter case.
    pub(super) fn of(written: &str) -> Option<Row> {
        let from = *STARTS.get(written.len())?;
        let to = *STARTS.get(written.len() + 1)?;
        let known = |row: &u8| KNOWN[usize::from(*row)].0;
        (from..to)
            .find(|row| known(row) == written)
            .or_else(|| (from..to).find(|row| known(row).eq_ignore_ascii_case(written)))
            .map(Row)
    }

    /// The name as the standard spells it.
    pub(super) fn name(self) -> &'static str {
        KNOWN[usize::from(self.0)].0
    }

    /// The first version of VAST that has it, times ten; 0 for what all have.
    pub(super) fn since(self) -> u8 {
        KNOWN[usize::from(self.0)].1
    }

    /// Its bit in a set of rows.
    pub(super) fn bit(self) -> u128 {
        1 << self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_fit_a_set_of_bits() {
        assert!(KNOWN.is_sorted_by_key(|(name, _)| (name.len(), *name)));
        assert!(KNOWN.len() <= 128);
        for (name, since) in KNOWN {
            let row = Row::of(name).map(|row| (row.name(), row.since()));
            assert_eq!(row, Some((name, since)));
            assert_eq!(Row::of(&name.to_ascii_uppercase()).map(Row::name), Some(name));
        }
        assert_eq!(Row::of(""), None);
        assert_eq!(Row::of(&"x".repeat(99)), None);
    }
}
