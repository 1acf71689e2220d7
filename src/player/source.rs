//! Content from page code: custom sources and loaded playlists.
//!
//! Both put another list in the place of the one there is, and play nothing by themselves.
//!
//! Rules: SRC-1 to SRC-11, LPL-1 to LPL-7, CON-11, PL-15.

use super::calls::bad_argument;
use super::video_object::Form;
use super::*;
use crate::api::Fetched;
use crate::video::Video;

impl Player {
    /// `src(source)`. Rules SRC-1 to SRC-8.
    pub(super) fn set_source(
        &mut self,
        now: Time,
        source: Option<&Value>,
        within_ready: bool,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let outside = "src() was called outside of a ready callback";
        if !within_ready && self.settings.knobs.src_strict.is_on() {
            return Err(ApiError { code: "src_outside_ready", text: outside.into(), rule: rule!("SRC-3") });
        }
        let due = "an address as text, or an object with src";
        let video = match source {
            Some(Value::Text(address)) if !address.is_empty() => {
                let renditions = vec![(Rendition::Sd, Arc::from(&**address))];
                Video { renditions, ..Video::default() }
            }
            Some(Value::Map(fields)) => {
                let note = &mut |rule, code, text| out.diag(rule, code, text);
                video_object::read(fields, Form::Source, note)
                    .ok_or_else(|| bad_argument(rule!("SRC-6"), "src", source, due, None))?
            }
            Some(_) | None => return Err(bad_argument(rule!("SRC-1"), "src", source, due, None)),
        };
        if within_ready {
            out.decide(rule!("SRC-2"));
        } else {
            out.decide(rule!("SRC-3"));
            out.diag(rule!("SRC-3"), "src_outside_ready", format!("{outside}; it is used all the same"));
        }
        self.replace_content(now, vec![Item::known(video)], Origin::Video, rule!("SRC-4"), out);
        Ok(Value::Undefined)
    }

    /// `loadPlaylist(address)`: asks for the file; the content goes on meanwhile. Rules LPL-1, LPL-6.
    pub(super) fn load_playlist(
        &mut self,
        _now: Time,
        address: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let Some(url) = address.and_then(Value::as_text).filter(|address| !address.is_empty()) else {
            let due = "the address of a playlist file as text";
            return Err(bad_argument(rule!("LPL-1"), "loadPlaylist", address, due, None));
        };
        out.decide(rule!("LPL-1"));
        let (id, purpose) = (out.next_request(), Purpose::Playlist);
        let request = Request { id, url: Arc::from(&**url), purpose, hop: None, wp: None, pod: None };
        out.put(rule!("LPL-1"), Output::Fetch(request));
        self.playlist.expect_file(Some(id));
        Ok(Value::Undefined)
    }

    /// The playlist file was answered. Rules LPL-2, LPL-3, LPL-5, LPL-7.
    pub(super) fn playlist_answered(&mut self, now: Time, fetched: &Fetched, out: &mut Outbox) {
        self.playlist.expect_file(None);
        match self.videos_of_file(fetched, out) {
            Ok(videos) => {
                let items = videos.into_iter().map(Item::known).collect();
                self.replace_content(now, items, Origin::File, rule!("LPL-3"), out);
            }
            Err(why) => {
                let text = format!("{why}; the content stays as it is");
                out.diag(rule!("LPL-5"), "playlist_failed", text);
            }
        }
    }

    fn videos_of_file(&self, fetched: &Fetched, out: &mut Outbox) -> Result<Vec<Video>, String> {
        let text = match fetched {
            Fetched::Answer(answer) if (200..300).contains(&answer.status) => &answer.text,
            Fetched::Answer(answer) => {
                return Err(format!("the playlist file is answered by {}", answer.status));
            }
            Fetched::Failed(fault) => {
                return Err(format!("the request for the playlist file failed: {}", fault.word()));
            }
        };
        let note = &mut |rule, code, text| out.diag(rule, code, text);
        let videos = playlist_file::read(text, note).map_err(|fault| fault.to_string())?;
        if videos.iter().all(|video| self.first_rendition(video).is_none()) {
            return Err("the account's plan allows no rendition of any item of the playlist file".to_owned());
        }
        Ok(videos)
    }

    /// Ends what runs, without a word to the page, and puts other content in the place of all that there
    /// is. It stands at its start, and another pass is to come. Rules SRC-4, SRC-5, LPL-3, LPL-4, PL-11, PL-15.
    fn replace_content(
        &mut self,
        now: Time,
        items: Vec<Item>,
        origin: Origin,
        rule: RuleId,
        out: &mut Outbox,
    ) {
        self.abort_breaks(out);
        self.playlist = Playlist::new(items, origin);
        self.due = Due::ALL;
        self.enter(State::Initial, rule, out);
        self.leave_out_all(now, out);
        self.prepare_item(now, out);
    }
}
