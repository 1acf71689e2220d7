//! What no XML parser accepts and this reader does, as far as it shows while the tree is built: of
//! each kind the first place, and how often.
//!
//! Names, attributes and entities are checked where they are read, and by [`sweep`] where they are
//! not.
//!
//! Source: XML 1.0, fifth edition.
//!
//! [`sweep`]: super::sweep

use std::borrow::Cow;

use super::notes::Notes;
use super::places::ByteOffset;
use super::{WarningCode, clip};

/// The byte-order mark, allowed once at the start of a document.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Words outside the root element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stray<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: ByteOffset,
}

impl Stray<'_> {
    /// Returns its content for a message; a byte-order mark is named, since it is invisible.
    pub(crate) fn shown(&self) -> Cow<'static, str> {
        let is_mark = |c: char| c == BYTE_ORDER_MARK || c.is_whitespace();
        if self.text.chars().all(is_mark) {
            return "a byte-order mark".into();
        }
        format!("\"{}\"", super::clip(self.text)).into()
    }
}

/// A kind of defect that is kept here.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Defect {
    /// No white space before an attribute.
    AttributesJoined,
    /// A character that is not one of XML.
    CharacterForbidden,
    /// Two hyphens in a comment, or one at its end.
    CommentHyphens,
    /// A malformed XML declaration.
    DeclarationForm,
    /// An XML declaration that is not at the start.
    DeclarationLate,
    /// A second `DOCTYPE`, a late one, or one in small letters.
    DoctypeMisplaced,
    /// A processing instruction without a name, or with a reserved one.
    InstructionName,
    /// `]]>` in text.
    SectionEnd,
}

/// The defects of a document so far.
#[derive(Debug, Default)]
pub(crate) struct Defects<'a> {
    /// The first words outside the root element.
    pub(crate) stray: Option<Stray<'a>>,
    /// For each kind the first place, and how often it was found.
    found: [Option<(ByteOffset, u32)>; Defect::ALL.len()],
}

impl Defect {
    const ALL: [Defect; 8] = [
        Defect::AttributesJoined,
        Defect::CharacterForbidden,
        Defect::CommentHyphens,
        Defect::DeclarationForm,
        Defect::DeclarationLate,
        Defect::DoctypeMisplaced,
        Defect::InstructionName,
        Defect::SectionEnd,
    ];

    const fn code(self) -> WarningCode {
        match self {
            Defect::AttributesJoined => WarningCode::AttributesJoined,
            Defect::CharacterForbidden => WarningCode::CharacterForbidden,
            Defect::CommentHyphens => WarningCode::CommentHyphens,
            Defect::DeclarationForm => WarningCode::DeclarationForm,
            Defect::DeclarationLate => WarningCode::DeclarationLate,
            Defect::DoctypeMisplaced => WarningCode::DoctypeMisplaced,
            Defect::InstructionName => WarningCode::InstructionName,
            Defect::SectionEnd => WarningCode::SectionEnd,
        }
    }

    /// Describes the defect that is at the beginning of this text.
    fn in_words(self, text: &str) -> String {
        let what = match self {
            Defect::AttributesJoined => "no white space before the attribute; read anyway",
            Defect::CharacterForbidden => {
                let number = text.chars().next().map_or(0, u32::from);
                return format!("U+{number:04X} is not a character of XML; kept as written");
            }
            Defect::CommentHyphens => "a comment has \"--\" in it or a hyphen at its end; ignored",
            Defect::DeclarationForm => {
                "\"<?xml\" has not the form <?xml version=\"1.0\" encoding=\"UTF-8\"?>; read anyway"
            }
            Defect::DeclarationLate => "\"<?xml\" is not at the start of the document; read anyway",
            Defect::DoctypeMisplaced => {
                "a DOCTYPE is not the only one, or not before the root element; read anyway"
            }
            Defect::InstructionName => {
                let name = clip(
                    text.split([' ', '\t', '\r', '\n', '?'])
                        .next()
                        .unwrap_or_default(),
                );
                return format!("a processing instruction has the name \"{name}\"; ignored");
            }
            Defect::SectionEnd => "\"]]>\" in text, expected \"]]&gt;\"; kept as written",
        };
        what.to_owned()
    }
}

impl Defects<'_> {
    /// Adds a defect.
    pub(crate) fn add(&mut self, defect: Defect, at: impl Into<ByteOffset>) {
        let place = &mut self.found[defect as usize];
        place.get_or_insert((at.into(), 0)).1 += 1;
    }

    /// Adds the characters that XML forbids: control characters, and the last two of the plane.
    /// XML 1.0 section 2.2.
    pub(crate) fn add_characters(&mut self, text: &str) {
        /// Looked at together, without branches: documents have hardly ever any.
        const STRIDE: usize = 64;
        for (number, part) in text.as_bytes().chunks(STRIDE).enumerate() {
            if !part.iter().fold(false, |any, byte| any | is_suspect(*byte)) {
                continue;
            }
            for at in (number * STRIDE..).take(part.len()) {
                if is_forbidden(&text.as_bytes()[at..]) {
                    self.add(Defect::CharacterForbidden, at);
                }
            }
        }
    }

    /// Warns of all of them. `text` is the document.
    pub(crate) fn warn(&self, text: &str, notes: &mut Notes<'_>) {
        if let Some(stray) = &self.stray {
            let text = format!("{} outside the root element; ignored", stray.shown());
            notes.warn_at(stray.at, WarningCode::TextOutsideRoot, text);
        }
        for (defect, found) in Defect::ALL.into_iter().zip(self.found) {
            if let Some((at, times)) = found {
                let mut words = defect.in_words(text.get(at.index()..).unwrap_or_default());
                if times > 1 {
                    words.push_str(&format!(" (the first of {times})"));
                }
                notes.warn_at(at, defect.code(), words);
            }
        }
    }
}

/// Whether a forbidden character may begin with this byte.
const fn is_suspect(byte: u8) -> bool {
    byte == 0xEF || (byte < b' ') & (byte != b'\n') & (byte != b'\t') & (byte != b'\r')
}

/// Whether a character that XML forbids is at the beginning. Text has no surrogates.
const fn is_forbidden(bytes: &[u8]) -> bool {
    match bytes {
        [0xEF, 0xBF, 0xBE | 0xBF, ..] => true,
        [0xEF, ..] | [] => false,
        [byte, ..] => is_suspect(*byte),
    }
}

/// Whether XML allows this character. XML 1.0 section 2.2.
pub(crate) const fn is_character(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Whether XML allows a name, with or without a prefix. XML 1.0 section 2.3.
pub(crate) fn is_name(name: &str) -> bool {
    let is_start = |c: char| {
        matches!(c, ':' | '_' | 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
            | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
            | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
            | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
            | '\u{10000}'..='\u{effff}')
    };
    let is_inner = |c: char| {
        is_start(c)
            || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}'
                | '\u{203f}'..='\u{2040}')
    };
    name.starts_with(is_start) && name.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::super::Strictly;
    use super::*;

    /// The warnings for which a strict reader says that a document is not XML, and its fault.
    fn refusals(text: &str) -> Vec<String> {
        let document = crate::read(text);
        let tolerated = document
            .warnings
            .iter()
            .filter(|warning| warning.code.strictly() == Strictly::NotXml)
            .map(|warning| format!("{} {}: {}", warning.at, warning.code, warning.text));
        let fault = document
            .fault
            .iter()
            .filter(|fault| fault.code == 100)
            .map(|fault| fault.text.to_string());
        tolerated.chain(fault).collect()
    }

    /// Whether a strict parser accepts it.
    fn is_accepted(text: &str) -> bool {
        let options = roxmltree::ParsingOptions {
            allow_dtd: true,
            ..roxmltree::ParsingOptions::default()
        };
        roxmltree::Document::parse_with_options(text, options).is_ok()
    }

    /// Documents that are not well-formed in one way each, in parts that are read, that are not,
    /// and that are kept as they are.
    #[test]
    fn what_a_strict_parser_refuses_is_reported() {
        let mut wrong = Vec::new();
        for inside in [
            "\u{1}",
            "<AdTitle>\u{b}</AdTitle>",
            "<AdTitle a='\u{fffe}'/>",
            "<AdTitle>&#1;</AdTitle>",
            "<AdTitle>&#xFFFF;</AdTitle>",
            "<Other>&#31;</Other>",
            "<Other a='&#31;'/>",
            "<Extensions><Extension><a b='&#0;'/></Extension></Extensions>",
            "<Extensions><Extension>a & b</Extension></Extensions>",
            "<Extensions><Extension><a>&nbsp;</a></Extension></Extensions>",
            "<Extensions><Extension><a b='1' b='2'/></Extension></Extensions>",
            "<AdTitle>a ]]> b</AdTitle>",
            "<Other>]]></Other>",
            "<!-- a -- b -->",
            "<!-- a --->",
            "<?xml version='1.0'?>",
            "<Other><?xml version='1.0'?></Other>",
            "<?1 a?>",
            "<? a?>",
            "<Other a='<'/>",
            "<AdTitle id='&lt;<'/>",
            "<Other a='1'b='2'/>",
            "<Other a='1' a='2'/>",
            "<AdTitle xmlns:a='u' a:a='1' a:a='2'/>",
            "<1Other/>",
            "<Other 1a='1'/>",
            "<O\u{d7}/>",
            "<Other><b c$='1'/></Other>",
            "<AdTitle a&amp;='1'/>",
            "<!DOCTYPE VAST>",
        ] {
            let text = format!("<VAST version='3.0'><Ad><InLine>{inside}</InLine></Ad></VAST>");
            let refusals = refusals(&text);
            if is_accepted(&text) || refusals.len() != 1 {
                wrong.push(format!("{inside}: {refusals:?}"));
            }
        }
        for text in [
            " <?xml version='1.0'?><VAST version='3.0'/>",
            "<?xml encoding='UTF-8'?><VAST version='3.0'/>",
            "<?xml version='1.0' standalone='yes' encoding='UTF-8'?><VAST version='3.0'/>",
            "<?xml encoding='UTF-8' version='1.0'?><VAST version='3.0'/>",
            "<?xml version='1.0'encoding='UTF-8'?><VAST version='3.0'/>",
            "<!DOCTYPE VAST><!DOCTYPE VAST><VAST version='3.0'/>",
            "<VAST version='3.0'/><!DOCTYPE VAST>",
            "<!doctype VAST><VAST version='3.0'/>",
            "<VAST version='3.0'/>\u{1f}",
        ] {
            if is_accepted(text) || refusals(text).is_empty() {
                wrong.push(format!("{text}: {:?}", refusals(text)));
            }
        }
        // That parser is more lenient here. XML 1.0 sections 2.6, 2.8 and 2.9
        for text in [
            "<VAST version='3.0'><?XML a?></VAST>",
            "<?xml?><VAST version='3.0'/>",
            "<?xml version='1.0' standalone='maybe'?><VAST version='3.0'/>",
        ] {
            assert_eq!(refusals(text).len(), 1, "{text}");
        }
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn what_is_well_formed_is_not_reported() {
        for text in [
            "<?xml version=\"1.0\"?><VAST version='3.0'/>",
            "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<VAST version='3.0'/>",
            "<?xml version='1.0' standalone='no'?><!-- - --><!DOCTYPE VAST><VAST version='3.0'/>",
            "<VAST version='3.0'><?a b?><?xml-x y?><!-- a - b - c --></VAST>",
            "<VAST version='3.0'><\u{e9}-1.a \u{436}='>'>]] > &gt; &#9;&#xFFFD;\u{fffd}\u{7f}</\u{e9}-1.a></VAST>",
            "<VAST version='3.0'><a b='1'\n c=\"]]>\"><![CDATA[a & b ]] <]]></a></VAST>",
            "<VAST version='3.0' xmlns:a='u'><a:b a:c=' ' c='&amp;'/>\u{ff21}</VAST>",
        ] {
            assert!(is_accepted(text), "{text}");
            assert_eq!(refusals(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_first_of_a_kind_is_reported_with_its_place() {
        let text = "<VAST version='3.0'>\n <!-- -- -->\n <!-- -- --></VAST>";
        assert_eq!(
            refusals(text),
            [
                "2:7 comment-hyphens: a comment has \"--\" in it or a hyphen at its end; ignored (the first of 2)"
            ]
        );
        let text = "<VAST version='3.0'><Error>https://t.test/\u{7}</Error></VAST>";
        assert_eq!(
            refusals(text),
            ["1:43 character-forbidden: U+0007 is not a character of XML; kept as written"]
        );
    }

    #[test]
    fn characters_are_found_wherever_they_are() {
        for at in 0..200 {
            for bad in ["\u{0}", "\u{8}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
                let text = format!("{}{bad}{}", "a".repeat(at), "\u{ff21}\t\r\n".repeat(20));
                let mut defects = Defects::default();
                defects.add_characters(&text);
                let found = defects.found[Defect::CharacterForbidden as usize];
                assert_eq!(found, Some((at.into(), 1)), "{at} {bad:?}");
            }
        }
    }
}
