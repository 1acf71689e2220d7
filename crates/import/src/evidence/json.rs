//! Ad documents that are strings in JSON: `adm` of OpenRTB, `vastXml` of bidders, answers of
//! caches.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::draft::{decoded, has_document};
use playsim_base::number::Decimal;

/// An ad document that is a string in JSON.
pub(crate) struct Offer {
    pub(crate) price: Option<Decimal>,
    pub(crate) field: String,
    pub(crate) text: String,
}

/// Returns the ad document in JSON or in a script that passes JSON to a function, with the name of
/// its field. If several bids have one, it is that of the highest price.
pub(super) fn document(text: &str) -> Option<(String, String)> {
    // Of one price, the first.
    let dearest = offers(text).into_iter().rev().max_by_key(|it| it.price);
    dearest.map(|it| (it.field, it.text))
}

/// Returns all ad documents in JSON or in a script that passes JSON to a function.
pub(crate) fn offers(text: &str) -> Vec<Offer> {
    let mut found = Vec::new();
    let Some(from) = text
        .find(['{', '['])
        .filter(|_| has_document(text.as_bytes()))
    else {
        return found;
    };
    let mut json = serde_json::Deserializer::from_str(&text[from..]);
    // Text after the value, such as the end of a call, does not matter; nor does a value that is
    // cut.
    let _ = Walk {
        found: &mut found,
        field: "",
        price: &mut None,
    }
    .deserialize(&mut json);
    found
}

/// Returns the ad document that a string is in base64.
pub(super) fn encoded_document(text: &str) -> Option<String> {
    // The first letter of what begins with "<".
    if !text.starts_with('P') || !has_document(text.as_bytes()) {
        return None;
    }
    let text = String::from_utf8(decoded(text.as_bytes())).ok()?;
    is_document(&text).then_some(text)
}

/// Returns whether a string is an ad document.
fn is_document(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('<') && document_begins(text)
}

/// Returns whether the first element of a string has the name of an ad document, whatever follows.
pub(super) fn document_begins(mut text: &str) -> bool {
    const NAMES: &[&str] = &["<vast", "<vmap", "<videoadservingtemplate"];
    loop {
        text = text.trim_start();
        let end = if text.starts_with("<?") {
            "?>"
        } else if text.starts_with("<!--") {
            "-->"
        } else if text.starts_with("<!") && !text.starts_with("<![") {
            ">"
        } else {
            break;
        };
        let Some(at) = text.find(end) else { break };
        text = &text[at + end.len()..];
    }
    NAMES.iter().any(|name| {
        text.get(..name.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(name))
    })
}

/// Walks over a value. `price` is that of the object around it.
struct Walk<'a> {
    found: &'a mut Vec<Offer>,
    field: &'a str,
    price: &'a mut Option<Decimal>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let first = self.found.len();
        let mut price = None;
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(Walk {
                found: self.found,
                field: &key,
                price: &mut price,
            })?;
        }
        // The price may follow the document that it is for.
        for offer in &mut self.found[first..] {
            offer.price = offer.price.or(price);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq
            .next_element_seed(Walk {
                found: self.found,
                field: self.field,
                price: &mut None,
            })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        let plain = is_document(text).then(|| text.to_owned());
        if let Some(text) = plain.or_else(|| encoded_document(text)) {
            self.found.push(Offer {
                price: None,
                field: self.field.to_owned(),
                text,
            });
        } else if is_price(self.field) {
            *self.price = Decimal::parse_rounded(text);
        }
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.number(&number.to_string())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.number(&number.to_string())
    }

    #[expect(
        clippy::disallowed_types,
        reason = "the trait passes a float, which is read as it was written"
    )]
    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        self.number(&number.to_string())
    }
}

impl Walk<'_> {
    fn number<E>(self, written: &str) -> Result<(), E> {
        if is_price(self.field) {
            *self.price = Decimal::parse_rounded(written);
        }
        Ok(())
    }
}

fn is_price(field: &str) -> bool {
    matches!(field, "price" | "cpm")
}

#[cfg(test)]
mod tests {
    use super::{document, encoded_document};

    #[test]
    fn documents_in_json_are_found_the_dearest_first() {
        let bid = |price: &str, id: u32| {
            format!(
                r#"{{"price":{price},"adm":"<?xml version=\"1.0\"?><VAST version=\"4.0\"><Ad id=\"{id}\"/></VAST>"}}"#
            )
        };
        let text = format!(
            r#"{{"seatbid":[{{"bid":[{},{}]}}]}}"#,
            bid("1.5", 1),
            bid("2.25", 2)
        );
        let (field, found) = document(&text).expect("a document");
        assert_eq!(field, "adm");
        assert!(found.contains("id=\"2\""), "{found}");
        let call = r#"cb({"vastXml":"\u003cVAST version='3.0'/\u003e"});"#;
        assert_eq!(document(call).expect("a document").0, "vastXml");
        assert!(document(r#"{"VAST":"no document"}"#).is_none());
        // <VAST version="3.0"/>, also behind an XML declaration.
        for text in [
            "PFZBU1QgdmVyc2lvbj0iMy4wIi8+",
            "PD94bWwgdmVyc2lvbj0iMS4wIj8+PFZBU1QgdmVyc2lvbj0iMy4wIi8+",
        ] {
            let call = format!(r#"{{"ad":"{text}"}}"#);
            assert!(document(&call).expect("a document").1.contains("<VAST"));
            assert!(encoded_document(text).is_some(), "{text}");
        }
    }
}
