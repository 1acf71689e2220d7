//! The types of parameters, results and getters, as the reference documents them. Bindings for
//! typed languages are generated from this table. The player itself accepts anything and decides by
//! its rules.
//!
//! Rules: INIT-20, VOL-2, MUTE-1, TIME-1, CH-1, FS-1, PLAY-3.

use crate::{Call, Query, Value};

/// A type of page code, or one of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageType {
    /// `undefined`.
    Nothing,
    /// `null`.
    Null,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A promise without a value.
    Promise,
    /// An object with number, title, start and end of a chapter. Rule CH-1.
    Chapter,
    /// An object with the code of a failure. Rules MEL-6, MEL-7.
    MediaError,
    /// The name of an event, or a list of them.
    Events,
    /// A function that receives events.
    Listener,
    /// The name of a rendition. Rule QUAL-1.
    Rendition,
    /// A source object. Rule SRC-1.
    Source,
    /// An ad object. Rule AD-1.
    Ad,
    /// `player` or `video`. Rule AD-10.
    Level,
}

/// A parameter of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in documentation.
    pub name: &'static str,
    /// Its possible types.
    pub types: &'static [PageType],
    /// Whether it may be missing.
    pub is_optional: bool,
}

/// A call as documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// Its parameters in order.
    pub takes: &'static [Parameter],
    /// The possible types of the result. Before the player is ready, actions and setters return
    /// nothing.
    pub returns: &'static [PageType],
    /// The getter that the call becomes without arguments.
    pub reads: Option<Query>,
}

const NOTHING: &[PageType] = &[PageType::Nothing];
const BOOLEAN: &[PageType] = &[PageType::Boolean];
const NUMBER: &[PageType] = &[PageType::Number];
const NUMBER_OR_NULL: &[PageType] = &[PageType::Number, PageType::Null];
const TEXT: &[PageType] = &[PageType::Text];
const CHAPTER: &[PageType] = &[PageType::Chapter, PageType::Null];

/// Rows of parameters: a name, its types, and `optional` if it may be missing.
macro_rules! takes {
    ($($name:literal $types:expr $(, $optional:ident)?;)*) => {
        &[$(Parameter { name: $name, types: $types, is_optional: takes!(@ $($optional)?) }),*]
    };
    (@) => { false };
    (@ optional) => { true };
}

const BINDING: &[Parameter] =
    takes! { "event" &[PageType::Events]; "listener" &[PageType::Listener]; };

/// An action, which returns nothing.
const fn act(takes: &'static [Parameter]) -> Signature {
    Signature {
        takes,
        returns: NOTHING,
        reads: None,
    }
}

/// A call that is a getter without its argument and a setter with it.
const fn set(takes: &'static [Parameter], returns: &'static [PageType], query: Query) -> Signature {
    Signature {
        takes,
        returns,
        reads: Some(query),
    }
}

const fn get(query: Query) -> Signature {
    Signature {
        takes: &[],
        returns: query.gives(),
        reads: Some(query),
    }
}

impl Call {
    /// The parameters and the return value.
    #[must_use]
    pub const fn signature(self) -> Signature {
        match self {
            Call::On | Call::Once | Call::Off | Call::Add | Call::AddOnce | Call::Remove => {
                act(BINDING)
            }
            Call::Destroy => act(takes! { "delDiv" BOOLEAN, optional; }),
            Call::Play => Signature {
                takes: &[],
                returns: &[PageType::Nothing, PageType::Promise],
                reads: None,
            },
            Call::Pause | Call::Stop | Call::Next | Call::Previous | Call::PushAds | Call::Load => {
                act(&[])
            }
            Call::Volume => set(takes! { "volume" NUMBER; }, NUMBER, Query::Volume),
            Call::Muted => set(takes! { "muted" BOOLEAN; }, BOOLEAN, Query::Muted),
            Call::CurrentTime => set(takes! { "seconds" NUMBER; }, NUMBER, Query::CurrentTime),
            Call::CurrentChapter => {
                set(takes! { "chapter" NUMBER; }, CHAPTER, Query::CurrentChapter)
            }
            Call::Loop => set(takes! { "loop" BOOLEAN; }, NOTHING, Query::Loop),
            Call::PlaybackRate => set(takes! { "rate" NUMBER; }, NOTHING, Query::PlaybackRate),
            Call::SetHd => act(takes! { "toggle" BOOLEAN; }),
            Call::SetVideoSource => act(takes! { "rendition" &[PageType::Rendition]; }),
            Call::Src => act(takes! { "source" &[PageType::Text, PageType::Source]; }),
            Call::LoadPlaylist => act(takes! { "source" TEXT; }),
            Call::PlayByIndex => act(takes! { "index" NUMBER; }),
            Call::SetAd => act(
                takes! { "ad" &[PageType::Ad]; "prepend" BOOLEAN, optional; "level" &[PageType::Level], optional; },
            ),
            Call::PlayAd => act(takes! { "ad" &[PageType::Ad, PageType::Text]; }),
            Call::ToggleFullScreen => Signature {
                takes: &[],
                returns: BOOLEAN,
                reads: None,
            },
            Call::ChangeSkin => act(takes! { "id" NUMBER; }),
            Call::Resize => act(takes! { "width" NUMBER; "height" NUMBER; }),
            Call::FireCustom => act(takes! { "category" TEXT; "action" TEXT; }),
            Call::Duration => get(Query::Duration),
            Call::IsHd => get(Query::IsHd),
            Call::CurrentSrc => get(Query::CurrentSrc),
            Call::GetAdInProgress => get(Query::AdInProgress),
            Call::AdDuration => get(Query::AdDuration),
            Call::AdRemainingTime => get(Query::AdRemainingTime),
            Call::IsPlayerInView => get(Query::IsPlayerInView),
            Call::GetTitle => get(Query::Title),
            Call::GetTags => get(Query::Tags),
            Call::IsReady => get(Query::IsReady),
            Call::PlaylistLength => get(Query::PlaylistLength),
            Call::CurrentIndex => get(Query::CurrentIndex),
            Call::IsFullScreen => get(Query::IsFullScreen),
        }
    }
}

impl Query {
    /// The possible types of its value.
    #[must_use]
    pub const fn gives(self) -> &'static [PageType] {
        match self {
            Query::IsReady
            | Query::Muted
            | Query::IsHd
            | Query::AdInProgress
            | Query::IsFullScreen
            | Query::IsPlayerInView
            | Query::Paused
            | Query::Ended
            | Query::Seeking
            | Query::Loop => BOOLEAN,
            Query::CurrentTime
            | Query::Volume
            | Query::PlaylistLength
            | Query::CurrentIndex
            | Query::ReadyState
            | Query::NetworkState
            | Query::PlaybackRate => NUMBER,
            Query::Duration | Query::AdDuration | Query::AdRemainingTime => NUMBER_OR_NULL,
            Query::CurrentChapter => CHAPTER,
            Query::CurrentSrc | Query::Title | Query::Tags | Query::Src => TEXT,
            Query::LastVastXml => &[PageType::Text, PageType::Nothing],
            Query::Error => &[PageType::MediaError, PageType::Null],
        }
    }
}

impl PageType {
    /// Its name: the TypeScript name of a primitive type or value, or our own name of an object
    /// type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PageType::Nothing => "undefined",
            PageType::Null => "null",
            PageType::Boolean => "boolean",
            PageType::Number => "number",
            PageType::Text => "string",
            PageType::Promise => "promise",
            PageType::Chapter => "chapter",
            PageType::MediaError => "mediaError",
            PageType::Events => "events",
            PageType::Listener => "listener",
            PageType::Rendition => "rendition",
            PageType::Source => "source",
            PageType::Ad => "ad",
            PageType::Level => "level",
        }
    }

    /// Whether a value is of this type. In traces a promise is a string, and a reading shows
    /// `undefined` as null.
    #[must_use]
    pub fn holds(self, value: &Value) -> bool {
        let has = |keys: &[&str]| {
            value.as_map().is_some_and(|fields| {
                fields.iter().len() == keys.len()
                    && keys.iter().all(|key| fields.get(key).is_some())
            })
        };
        match self {
            PageType::Nothing | PageType::Null => matches!(value, Value::Undefined | Value::Null),
            PageType::Boolean => value.as_bool().is_some(),
            PageType::Number => {
                matches!(
                    value,
                    Value::Number(_) | Value::NaN | Value::Infinity | Value::NegativeInfinity
                )
            }
            PageType::Promise => value
                .as_text()
                .is_some_and(|text| text.starts_with("promise ")),
            PageType::Text | PageType::Rendition | PageType::Level => value.as_text().is_some(),
            PageType::Chapter => has(&["chapter", "title", "start", "end"]),
            PageType::MediaError => has(&["code"]),
            PageType::Events => value.as_text().is_some() || value.as_list().is_some(),
            PageType::Listener => value.as_function().is_some(),
            PageType::Source | PageType::Ad => value.as_map().is_some(),
        }
    }
}
