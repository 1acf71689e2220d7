//! The numbers of tags.

use std::fmt;

/// The number of a tag in its waterfall as it is given or was recorded, from 1. A tag keeps it in
/// every order. In the data of events it is the `wp`, which counts from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TagNumber(u32);

impl TagNumber {
    /// The tag with this number, from 1.
    #[must_use]
    pub const fn new(number: u32) -> Option<TagNumber> {
        if number == 0 {
            None
        } else {
            Some(TagNumber(number))
        }
    }

    /// The tag at this index of its waterfall, from 0.
    #[must_use]
    pub const fn of_wp(wp: u32) -> TagNumber {
        TagNumber(wp.saturating_add(1))
    }

    /// Whether it is the tag at this index.
    pub(super) fn is_at(self, index: usize) -> bool {
        usize::try_from(self.wp()) == Ok(index)
    }

    /// Its index in its waterfall, from 0.
    #[must_use]
    pub const fn wp(self) -> u32 {
        self.0 - 1
    }
}

impl fmt::Display for TagNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tag{}", self.0)
    }
}

/// How many tags there are, in words.
pub(super) fn there_are(tags: usize) -> String {
    match tags {
        0 => "there are no tags".to_owned(),
        1 => "there is 1 tag, tag1".to_owned(),
        count => format!("there are {count} tags, tag1 to tag{count}"),
    }
}
