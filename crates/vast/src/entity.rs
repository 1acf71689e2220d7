//! XML entities.
//!
//! The five predefined entities and character references are expanded. A bare `&` and undeclared
//! entities stay as written: URLs with an unescaped `&` are the most common defect of real
//! documents.

use std::borrow::Cow;

use super::defects::is_character;

/// The number of bytes after `&` in which a name is looked for.
const LONGEST: usize = 12;

/// Something that was kept as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept<'a> {
    /// `&` without an entity.
    Bare,
    /// An entity with an unknown name.
    Unknown(&'a str),
    /// A reference to no character, or to one that XML forbids.
    NoCharacter(&'a str),
}

/// Expands the entities, and returns the first thing that was kept as written.
pub(crate) fn fill(text: &str) -> (Cow<'_, str>, Option<Kept<'_>>) {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else {
        return (Cow::Borrowed(text), None);
    };
    let mut filled = String::with_capacity(text.len());
    filled.push_str(&text[..first]);
    let mut rest = &text[first..];
    let mut kept = None;
    while !rest.is_empty() {
        // `rest` starts with "&".
        let name_length = rest
            .bytes()
            .skip(1)
            .take(LONGEST)
            .take_while(is_name)
            .count();
        let name = &rest[1..=name_length];
        let used = if name_length > 0 && rest.as_bytes().get(name_length + 1) == Some(&b';') {
            match character(name) {
                Some(character) => filled.push(character),
                None => {
                    let written = &rest[..name_length + 2];
                    kept.get_or_insert(if name.starts_with('#') {
                        Kept::NoCharacter(written)
                    } else {
                        Kept::Unknown(written)
                    });
                    filled.push_str(written);
                }
            }
            name_length + 2
        } else {
            kept.get_or_insert(Kept::Bare);
            filled.push('&');
            1
        };
        rest = &rest[used..];
        let next = rest.find('&').unwrap_or(rest.len());
        filled.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    (Cow::Owned(filled), kept)
}

fn is_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'#'
}

fn character(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let code = match number.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    code.ok()
        .and_then(char::from_u32)
        .filter(|c| is_character(*c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_expanded_and_the_rest_is_kept() {
        assert_eq!(fill("plain"), (Cow::Borrowed("plain"), None));
        assert_eq!(fill("a&amp;b&#65;&#x42;&lt;").0, "a&bAB<");
        assert_eq!(
            fill("?a=1&b=2&amp;c"),
            (Cow::Owned(String::from("?a=1&b=2&c")), Some(Kept::Bare))
        );
        assert_eq!(fill("&nbsp;&").1, Some(Kept::Unknown("&nbsp;")));
        assert_eq!(fill("&#0;&#xD800;&;&&").0, "&#0;&#xD800;&;&&");
        assert_eq!(fill("&#9;&#1;").0, "\t&#1;");
        assert_eq!(fill("&#x1F;").1, Some(Kept::NoCharacter("&#x1F;")));
        assert_eq!(fill("&\u{e9};").0, "&\u{e9};");
    }
}
