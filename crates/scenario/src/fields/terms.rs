//! Which media the page plays, and which ads it asks for.

use std::sync::Arc;

use super::{FieldRow, Opt, Shape, count, field_rows, list};
use crate::form::{Brief, Length, Name, Parsed, Size, Words, WrittenForm};
use playsim_api::page::{
    AdMedium, AdTerms, Blocked, Conditional, MediaType, Page, Skippable, Stitching,
};

/// The fields of [`AdTerms`] that are the page's own, not those of its `ads`.
pub(super) const TERMS: &[FieldRow<Page>] = field_rows! { Page:
    "plays" ads.plays: Opt(list("a media type", &MEDIA_TYPE, "[video/mp4]")),
        "The media that can be played, as MIME types. Default: what browsers usually play.";
    "bitrate" ads.bitrate: count(0), "The highest bitrate wanted of ad media, in kbit/s.";
};

/// The other fields. They are read after the page's own, on top of them.
pub(super) const ADS: &[FieldRow<Page>] = &[FieldRow {
    key: "ads",
    about: SHAPE.about,
    required: None,
    read: |node, page, reading| {
        let terms = SHAPE.read_over(node, page.ads.clone(), reading);
        terms.map(|terms| page.ads = terms).is_some()
    },
    same: |one, other| SHAPE.is_same(&one.ads, &other.ads),
    write: |page, out| SHAPE.write(&page.ads, out),
    schema: |definitions| SHAPE.schema(definitions),
}];

const SHAPE: Shape<AdTerms> = Shape::new(
    "the page's ads",
    "{ skippable: refused }",
    "Which ads the page asks for.",
    AdTerms::default,
    &[field_rows! { AdTerms:
        "types" types: list("an ad type", Words(AdMedium::WORDS), "[video, hybrid]"), "The ad types that are asked for.";
        "skippable" skippable: SKIPPABLE, "Whether skippable ads are asked for.";
        "shortest" shortest: Opt(Length), "The shortest linear ad.";
        "longest" longest: Opt(Length), "The longest linear ad.";
        "smallest" smallest: Opt(Size), "The least width and height of media.";
        "largest" largest: Opt(Size), "The greatest width and height of media.";
        "categories" requires_category: Words(&[("optional", false), ("required", true)]),
            "Whether an ad must state its category.";
        "blocked" blocked: list("a category", &BLOCKED, "[IAB25]"), "Categories whose ads are not wanted.";
        "conditional" conditional: CONDITIONAL, "Whether conditional ads are played.";
        "vpaid" vpaid: Words(&[("runs", true), ("refused", false)]), "Whether VPAID units may run.";
        "stitching" stitching: Opt(STITCHING), "What stitching ads into the content requires of their mezzanine files.";
    }],
);

const SKIPPABLE: Words<Skippable> = Words(&[
    ("any", Skippable::Any),
    ("refused", Skippable::Refused),
    ("required", Skippable::Required),
]);

const CONDITIONAL: Words<Conditional> = Words(&[
    ("played", Conditional::Played),
    ("refused", Conditional::Refused),
]);

const STITCHING: Shape<Stitching> = Shape::new(
    "stitching",
    "{ transcoded: [https://m.test/a.mov] }",
    "Ads are stitched into the content: what that requires of their mezzanine files.",
    Stitching::default,
    &[field_rows! { Stitching:
        "transcoded" transcoded: list("a URL", Name, "[https://m.test/a.mov]"),
            "The URLs of mezzanine files that are already transcoded.";
        "bitrate" bitrate: Opt(count(0)), "The least bitrate, in kbit/s.";
        "size" size: Opt(Size), "The least width and height.";
    }],
);

const MEDIA_TYPE: Parsed<MediaType> = Parsed {
    takes: "a MIME type, like video/mp4 or \"video/mp4; codecs=avc1\"",
    made: None,
    pattern: "^[^/;\\s]+/[^/;\\s]+",
    read: |text| text.parse().ok(),
    write: MediaType::to_string,
};

/// A category, or an object that also names its authority.
const BLOCKED: Brief<Blocked> = Brief {
    shape: &Shape::new(
        "a category",
        "{ authority: iabtechlab.com, category: IAB25 }",
        "A category of one authority.",
        || blocked(Arc::default()),
        &[field_rows! { Blocked:
            "authority" authority: Opt(Name), "Whose list it is from. Default: any authority.";
            "category" category: Name => "category: IAB25", "The category.";
        }],
    ),
    named: blocked,
    name: |blocked| &blocked.category,
};

fn blocked(category: Arc<str>) -> Blocked {
    Blocked {
        authority: None,
        category,
    }
}
