//! Serialises the parts of a document as JSON. Every key is always present; what a document does
//! not specify is `null` or an empty list.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::super::value::offset_text;
use super::{Clicks, IconPosition, Offset, Tracking, Url};
use playsim_base::place::Place;
use playsim_base::time::Span;

/// Writes a length in microseconds.
pub(super) fn micros<S: Serializer>(span: &Option<Span>, to: S) -> Result<S::Ok, S::Error> {
    span.map(Span::micros).serialize(to)
}

/// Writes a place as `line:column`.
pub(super) fn place<S: Serializer>(at: &Place, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(at)
}

/// Writes a place, if there is one.
pub(super) fn some_place<S: Serializer>(at: &Option<Place>, to: S) -> Result<S::Ok, S::Error> {
    at.map(|at| at.to_string()).serialize(to)
}

/// Writes a side or a number, on either axis.
pub(super) fn position<S: Serializer>(at: &Option<IconPosition>, to: S) -> Result<S::Ok, S::Error> {
    let text = |at| match at {
        IconPosition::Near => String::from("near"),
        IconPosition::Far => String::from("far"),
        IconPosition::Pixels(pixels) => pixels.to_string(),
        IconPosition::Share(share) => offset_text(Offset::Share(share)),
    };
    at.map(text).serialize(to)
}

impl Serialize for Tracking {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut fields = to.serialize_struct("Tracking", 5)?;
        fields.serialize_field("event", &self.event)?;
        fields.serialize_field("url", &self.url.text)?;
        fields.serialize_field("offset", &self.offset.map(offset_text))?;
        fields.serialize_field("id", &self.url.id)?;
        fields.serialize_field("at", &self.url.at.to_string())?;
        fields.end()
    }
}

/// Writes the URLs, and separately their ids in the same order: the lists of URLs are older than
/// the ids.
impl Serialize for Clicks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let texts = |urls: &[Url]| urls.iter().map(|url| url.text.clone()).collect::<Vec<_>>();
        let ids = |urls: &[Url]| urls.iter().map(|url| url.id.clone()).collect::<Vec<_>>();
        let mut fields = to.serialize_struct("Clicks", 6)?;
        fields.serialize_field("through", &self.through.as_ref().map(|url| &url.text))?;
        fields.serialize_field("tracking", &texts(&self.tracking))?;
        fields.serialize_field("custom", &texts(&self.custom))?;
        fields.serialize_field(
            "through_id",
            &self.through.as_ref().and_then(|url| url.id.as_ref()),
        )?;
        fields.serialize_field("tracking_ids", &ids(&self.tracking))?;
        fields.serialize_field("custom_ids", &ids(&self.custom))?;
        fields.end()
    }
}
