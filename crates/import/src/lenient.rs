//! Reads JSON of many authors: an unexpected type is skipped, an unknown key ignored, a repeated
//! key read again.
//!
//! Values are read into objects that exist already, so that a file that breaks off in the middle of
//! an object leaves the part that was read.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use playsim_base::number::Decimal;

/// Something that is read key by key.
pub(super) trait Object {
    /// Reads the value of a key, which must be consumed.
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error>;
}

/// Skips the value of a key.
pub(super) fn skip<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    map.next_value::<IgnoredAny>().map(drop)
}

/// The methods of a visitor that skip unused values.
macro_rules! skipping {
    (scalars) => {
        fn visit_unit<E>(self) -> Result<(), E> {
            Ok(())
        }

        fn visit_bool<E>(self, _: bool) -> Result<(), E> {
            Ok(())
        }

        fn visit_i64<E>(self, _: i64) -> Result<(), E> {
            Ok(())
        }

        fn visit_u64<E>(self, _: u64) -> Result<(), E> {
            Ok(())
        }

        #[expect(
            clippy::disallowed_types,
            reason = "the trait passes a float, which is dropped"
        )]
        fn visit_f64<E>(self, _: f64) -> Result<(), E> {
            Ok(())
        }

        fn visit_str<E>(self, _: &str) -> Result<(), E> {
            Ok(())
        }
    };
    (list) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(())
        }
    };
    (map) => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(())
        }
    };
}

/// Reads an object into this one; anything else leaves it as it is.
pub(super) struct Into<'a, T>(pub(super) &'a mut T);

impl<'de, T: Object> DeserializeSeed<'de> for Into<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Object> Visitor<'de> for Into<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            self.0.field(&key, &mut map)?;
        }
        Ok(())
    }

    skipping!(list);
    skipping!(scalars);
}

/// Reads a list of objects, one after another into `current`, and passes on each that is complete.
/// Anything else is skipped.
pub(super) struct Each<'a, T, F> {
    /// The object that is being read: its remaining content was not passed on if the file breaks
    /// off.
    pub(super) current: &'a mut Option<T>,
    pub(super) take: F,
}

impl<'de, T: Object + Default, F: FnMut(T)> DeserializeSeed<'de> for Each<'_, T, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Object + Default, F: FnMut(T)> Visitor<'de> for Each<'_, T, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while seq
            .next_element_seed(Into(self.current.insert(T::default())))?
            .is_some()
        {
            self.current.take().into_iter().for_each(&mut self.take);
        }
        *self.current = None;
        Ok(())
    }

    skipping!(map);
    skipping!(scalars);
}

/// A string; a number or truth value as it is written; nothing for other types.
#[derive(Debug, Default)]
pub(super) struct Word(pub(super) Option<String>);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        deserializer.deserialize_any(WordVisitor)
    }
}

struct WordVisitor;

impl<'de> Visitor<'de> for WordVisitor {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<Word, E> {
        Ok(Word(Some(text.to_owned())))
    }

    fn visit_unit<E>(self) -> Result<Word, E> {
        Ok(Word(None))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Word, E> {
        Ok(Word(Some(value.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Word, E> {
        Ok(Word(Some(number.to_string())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Word, E> {
        Ok(Word(Some(number.to_string())))
    }

    #[expect(
        clippy::disallowed_types,
        reason = "the trait passes a float, which is kept as it was written"
    )]
    fn visit_f64<E>(self, number: f64) -> Result<Word, E> {
        Ok(Word(Some(number.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Word, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Word(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Word, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Word(None))
    }
}

/// Reads a string.
pub(super) fn text<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(map.next_value::<Word>()?.0.filter(|text| !text.is_empty()))
}

/// Reads a number, which may be written as a string.
pub(super) fn number<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<Decimal>, A::Error> {
    Ok(text(map)?.and_then(|text| Decimal::parse_rounded(&text)))
}

/// Reads a long string piece by piece of memory that the reader owns anyway, and keeps what `take`
/// makes of it.
///
/// It is read as bytes, because browsers write half of a surrogate pair where a body was cut, which
/// is not a valid string.
pub(super) struct Bytes<F>(pub(super) F);

impl<'de, F: FnOnce(&[u8])> DeserializeSeed<'de> for Bytes<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de, F: FnOnce(&[u8])> Visitor<'de> for Bytes<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_bytes(self)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        (self.0)(bytes);
        Ok(())
    }

    skipping!(list);
}
