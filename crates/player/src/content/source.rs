//! Content from page code: custom sources and loaded playlists.
//!
//! Both replace the current list. The new list plays only if playback of the old one was requested.
//!
//! Rules: SRC-1 to SRC-12, LPL-1 to LPL-7, CON-11, PL-15.

use std::sync::Arc;

use super::Items;
use super::playlist::{Item, Origin, Playlist};
use super::playlist_file;
use crate::Player;
use crate::api::calls::bad_argument;
use crate::api::video_object::{self, Inline};
use crate::state::{Due, State};
use playsim_api::video::{Rendition, Video};
use playsim_api::{
    ApiError, Code, Fetched, Fields, MediaLine, Outbox, Output, Purpose, Request, StateLine, Value,
};
use playsim_rules::knobs::SourcePreRoll;
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// `src(source)`. Rules SRC-1 to SRC-8.
    pub(crate) fn set_source(
        &mut self,
        source: Option<&Value>,
        within_ready: bool,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let outside = "src() was called outside of a ready callback";
        if !within_ready && self.settings.knobs.src_strict().is_on() {
            return Err(ApiError {
                code: Code::SrcOutsideReady,
                text: outside.into(),
                rule: rules::SRC_3,
            });
        }
        let due = "a URL as a string, or an object with src";
        let video = match source {
            Some(Value::Text(address)) if !address.is_empty() => {
                let renditions = vec![(Rendition::Sd, Arc::from(&**address))];
                Video {
                    renditions,
                    ..Video::default()
                }
            }
            Some(Value::Map(fields)) => {
                let note = &mut |rule, code, text| out.diag(rule, code, text);
                video_object::read(fields, Inline::Source, note)
                    .ok_or_else(|| bad_argument(rules::SRC_6, "src", source, due, None))?
            }
            Some(_) | None => return Err(bad_argument(rules::SRC_1, "src", source, due, None)),
        };
        if within_ready {
            out.decide(rules::SRC_2);
        } else {
            out.decide(rules::SRC_3);
            out.diag(
                rules::SRC_3,
                Code::SrcOutsideReady,
                format!("{outside}; the source is used anyway"),
            );
        }
        self.replace_content(
            vec![Item::known(Arc::new(video))],
            Origin::Video,
            rules::SRC_4,
            out,
        );
        Ok(Value::Undefined)
    }

    /// The response to the request for the playlist file. Rules LPL-2, LPL-3, LPL-5, LPL-7.
    pub(crate) fn playlist_answered(&mut self, fetched: &Fetched, out: &mut Outbox) {
        self.items.playlist.expect_file(None);
        match self.items.videos_of_file(fetched, out) {
            Ok(videos) => {
                let items = videos
                    .into_iter()
                    .map(|video| Item::known(Arc::new(video)))
                    .collect();
                self.replace_content(items, Origin::File, rules::LPL_3, out);
            }
            Err(why) => {
                let text = format!("{why}; the content does not change");
                out.diag(rules::LPL_5, Code::PlaylistFailed, text);
            }
        }
    }

    /// Ends everything in progress, without an event, and replaces all content. The new content is
    /// at its start and another pass is due; it plays if playback of the old content was requested.
    /// Rules SRC-4, SRC-5, LPL-3, LPL-4, PL-11, PL-15.
    fn replace_content(
        &mut self,
        items: Vec<Item>,
        origin: Origin,
        rule: RuleId,
        out: &mut Outbox,
    ) {
        let is_wanted = self.is_play_wanted();
        if let Some(source) = self.content_under_way() {
            let position = self.element.position(out.now());
            let fate = if is_wanted {
                "plays"
            } else {
                "stays at its start"
            };
            let text = format!(
                "\"{source}\" ({}, at {position} s) is replaced; the new content {fate}",
                self.state.name()
            );
            out.diag(rules::SRC_12, Code::ContentReplaced, text);
        }
        self.abort_breaks(out);
        let has_started = !self.items.due.has(Due::PRE_ROLL) || self.items.no_pre_roll;
        self.items.playlist = Playlist::new(items, origin);
        self.items.due = Due::ALL;
        let asks = match self.settings.knobs.src_pre_roll() {
            SourcePreRoll::Request => true,
            SourcePreRoll::None => rule != rules::SRC_4 || !has_started,
        };
        self.items.no_pre_roll = !asks;
        self.enter(State::Initial, rule, out);
        self.items.leave_out_all(&self.settings.page, out);
        self.prepare_item(out);
        if is_wanted {
            self.first_start(out);
        }
    }

    /// Whether playback of content is requested, now or after the ads that hold it. False once it
    /// has ended. Rules SRC-5, LPL-4.
    fn is_play_wanted(&self) -> bool {
        if let Some(back) = self.state.back() {
            let is_paused = self.state.name() == StateLine::AdPaused;
            return self.state.is_wanted() && !is_paused && back.plays_content();
        }
        self.state.is_wanted() || (matches!(self.state, State::Initial) && self.breaks.then_play())
    }

    /// The URL of content that has begun and is not over.
    fn content_under_way(&self) -> Option<Arc<str>> {
        let is_under_way = matches!(self.state, State::Held(_)) || self.state.is_in_content();
        is_under_way.then(|| self.element.source().cloned().unwrap_or_default())
    }

    /// Logs that another item replaces content that is not over. Rule SRC-12.
    pub(super) fn note_left(&mut self, out: &mut Outbox) {
        if let Some(source) = self.content_under_way() {
            let data =
                Fields::one("position", self.element.position(out.now())).with("src", source);
            out.line(rules::SRC_12, MediaLine::Replaced, data);
        }
    }
}

impl Items {
    /// The videos of a playlist file, or why the content does not change. Rules LPL-2, LPL-5.
    pub(super) fn videos_of_file(
        &self,
        fetched: &Fetched,
        out: &mut Outbox,
    ) -> Result<Vec<Video>, String> {
        let text = match fetched {
            Fetched::Response(answer) if (200..300).contains(&answer.status) => &answer.text,
            Fetched::Response(answer) => {
                return Err(format!(
                    "the response for the playlist file has status {}",
                    answer.status
                ));
            }
            Fetched::Failed(fault) => {
                return Err(format!(
                    "the request for the playlist file failed: {}",
                    fault.name()
                ));
            }
        };
        let note = &mut |rule, code, text| out.diag(rule, code, text);
        let videos = playlist_file::read(text, note).map_err(|fault| fault.to_string())?;
        if videos
            .iter()
            .all(|video| self.quality.first(video).is_none())
        {
            return Err(
                "the account's plan allows no rendition of any item of the playlist file"
                    .to_owned(),
            );
        }
        Ok(videos)
    }
}

impl Playlist {
    /// `loadPlaylist(url)`: requests the file; meanwhile the content plays on. Rules LPL-1, LPL-6.
    pub(crate) fn load_playlist(
        &mut self,
        address: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let Some(url) = address
            .and_then(Value::as_text)
            .filter(|address| !address.is_empty())
        else {
            let due = "the URL of a playlist file as a string";
            return Err(bad_argument(
                rules::LPL_1,
                "loadPlaylist",
                address,
                due,
                None,
            ));
        };
        out.decide(rules::LPL_1);
        let (id, purpose) = (out.next_request(), Purpose::Playlist);
        let request = Request {
            id,
            url: Arc::from(&**url),
            purpose,
            hop: None,
            wp: None,
            pod: None,
            in_break: None,
        };
        out.put(rules::LPL_1, Output::Fetch(request));
        self.expect_file(Some(id));
        Ok(Value::Undefined)
    }
}
