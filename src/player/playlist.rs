//! The items of a player, which of them is in use, and what a list does by itself when one fails.
//!
//! A single video is a playlist of one. What is left out of a list, and why, is `exclusion`.
//!
//! Rules: PL-1, PL-2, PL-5, PL-10, PL-11, PL-16, PL-19, PL-20, PRE-3, CH-12, LPL-6.

use std::sync::Arc;

use super::Player;
use super::calls::Direction;
use super::state::State;
use crate::api::{Outbox, Output, RequestId, Task};
use crate::knobs::{OnItemError, PlaylistPrerolls};
use crate::media::MediaFault;
use crate::rule;
use crate::time::Time;
use crate::video::Video;

/// What a player plays, item by item.
#[derive(Debug, Clone, Default)]
pub(super) struct Playlist {
    items: Vec<Item>,
    index: usize,
    origin: Origin,
    /// What the single video is called instead of its own name. Rule INIT-10.
    title: Option<Arc<str>>,
    /// Whether the content counts as a playlist. Rule PL-10.
    is_list: bool,
    /// Whether the item in use is the one that the pass began with. Rule PRE-3.
    begins_pass: bool,
    /// Whether the single video may not be played here and now. Rules EDIT-55, EDIT-56.
    is_barred: bool,
    /// The file that is to take the place of all this. Rule LPL-6.
    file: Option<RequestId>,
}

/// Where the items come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Origin {
    /// One video: nothing is left out of a list. Rules EDIT-54, SRC-4.
    #[default]
    Video,
    /// A list in the configuration. Rule INIT-10.
    List,
    /// A playlist file: a playlist whatever its length. Rule PL-10.
    File,
}

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// The id that the configuration names.
    pub(super) id: Arc<str>,
    /// Its record, as far as it is known.
    pub(super) record: Record,
    /// What became of the record since, if it is one that is edited.
    pub(super) edits: Edits,
}

/// Edits of an item's record that were not seen yet. Rule META-2.
#[derive(Debug, Clone)]
pub(super) enum Edits {
    /// The record is written out in the page: nobody edits it.
    Never,
    /// None since it was asked for.
    None,
    /// The record is this by now.
    Waiting(Arc<Video>),
}

/// What is known of an item's record.
#[derive(Debug, Clone)]
pub(super) enum Record {
    /// It was asked for.
    Pending(RequestId),
    /// It is here.
    Known(Arc<Video>),
    /// There is none.
    Missing,
    /// There was none, and the player was stopped: it is asked for when the item is to be played. Rule STOP-7.
    Stopped,
}

impl Item {
    /// An item whose record is written out.
    pub(super) fn known(video: Video) -> Item {
        Item { id: video.id.clone(), record: Record::Known(Arc::new(video)), edits: Edits::Never }
    }
}

impl Playlist {
    pub(super) fn new(items: Vec<Item>, origin: Origin) -> Playlist {
        let mut playlist = Playlist { items, origin, ..Playlist::default() };
        playlist.count();
        playlist
    }

    /// The same, its single video called otherwise. Rule INIT-10.
    pub(super) fn called(mut self, title: Option<Arc<str>>) -> Playlist {
        self.title = title;
        for item in &mut self.items {
            if let Record::Known(video) = &mut item.record {
                rename(video, self.title.as_ref());
            }
        }
        self
    }

    /// Rule PL-10.
    fn count(&mut self) {
        self.is_list = match self.origin {
            Origin::Video => false,
            Origin::List => self.items.len() > 1,
            Origin::File => true,
        };
    }

    /// Rule PL-1.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The index of the item in use; `None` if there is none. Rule PL-2.
    pub(super) fn index(&self) -> Option<usize> {
        (self.index < self.items.len()).then_some(self.index)
    }

    pub(super) fn is_list(&self) -> bool {
        self.is_list
    }

    /// Whether videos may be left out. Rule PL-19.
    pub(super) fn leaves_out(&self) -> bool {
        self.origin != Origin::Video
    }

    pub(super) fn current(&self) -> Option<&Item> {
        self.items.get(self.index)
    }

    /// The record of the item in use, if it is known.
    pub(super) fn video(&self) -> Option<&Arc<Video>> {
        self.video_at(self.index)
    }

    /// The record of an item, if it is known.
    pub(super) fn video_at(&self, index: usize) -> Option<&Arc<Video>> {
        match &self.items.get(index)?.record {
            Record::Known(video) => Some(video),
            Record::Pending(_) | Record::Missing | Record::Stopped => None,
        }
    }

    /// The record of an item, if it is known.
    pub(super) fn video_of(&self, index: usize) -> Option<&Arc<Video>> {
        match &self.items.get(index)?.record {
            Record::Known(video) => Some(video),
            Record::Pending(_) | Record::Missing | Record::Stopped => None,
        }
    }

    pub(super) fn next_index(&self) -> Option<usize> {
        (self.index + 1 < self.items.len()).then_some(self.index + 1)
    }

    /// The neighbour of the item in use.
    pub(super) fn neighbour(&self, direction: Direction) -> Option<usize> {
        match direction {
            Direction::Next => self.next_index(),
            Direction::Previous => self.index.checked_sub(1),
        }
    }

    /// Where a list that wraps goes on past its edge. A list of one has no other end. Rule PL-5.
    pub(super) fn other_end(&self, direction: Direction) -> Option<usize> {
        let last = self.items.len().checked_sub(1).filter(|last| *last > 0)?;
        Some(match direction {
            Direction::Next => 0,
            Direction::Previous => last,
        })
    }

    pub(super) fn choose(&mut self, index: usize) {
        self.index = index;
        self.begins_pass = false;
        self.is_barred = false;
    }

    /// A pass begins with the item in use. Rule PL-11.
    pub(super) fn begin_pass(&mut self) {
        self.begins_pass = true;
    }

    pub(super) fn begins_pass(&self) -> bool {
        self.begins_pass
    }

    /// Says whether the item in use may be played. Rules EDIT-55, EDIT-56.
    pub(super) fn bar(&mut self, is_barred: bool) {
        self.is_barred = is_barred;
    }

    pub(super) fn is_barred(&self) -> bool {
        self.is_barred
    }

    /// Leaves an item out; what stands behind it moves up. Rule PL-19.
    ///
    /// Where a pass has begun already, a list stays a list however short it gets.
    pub(super) fn leave_out(&mut self, index: usize, is_under_way: bool) {
        self.items.remove(index);
        if index < self.index {
            self.index -= 1;
        }
        if !is_under_way {
            self.count();
        }
    }

    /// Whether a record, or the file that takes the place of all, is still waited for.
    pub(super) fn awaits(&self, id: RequestId) -> bool {
        self.awaits_file(id)
            || self.items.iter().any(|item| matches!(item.record, Record::Pending(pending) if pending == id))
    }

    pub(super) fn awaits_file(&self, id: RequestId) -> bool {
        self.file == Some(id)
    }

    /// Waits for a file, and for no other any more. Rule LPL-6.
    pub(super) fn expect_file(&mut self, id: Option<RequestId>) {
        self.file = id;
    }

    /// Takes the answer to a request for a record. Gives the item's index.
    pub(super) fn answer(&mut self, id: RequestId, video: Option<Arc<Video>>) -> Option<usize> {
        let waits = |item: &Item| matches!(item.record, Record::Pending(pending) if pending == id);
        let index = self.items.iter().position(waits)?;
        self.items[index].record = video.map_or(Record::Missing, |mut video| {
            rename(&mut video, self.title.as_ref());
            Record::Known(video)
        });
        Some(index)
    }

    /// The records of a video were edited: what its items will see. Rule META-2.
    pub(super) fn edited(&mut self, video: &Arc<Video>) {
        for item in self.items.iter_mut().filter(|item| item.id == video.id) {
            match item.edits {
                Edits::Never => {}
                Edits::None | Edits::Waiting(_) => {
                    let mut video = Arc::clone(video);
                    rename(&mut video, self.title.as_ref());
                    item.edits = Edits::Waiting(video);
                }
            }
        }
    }

    /// Takes up what was edited of an item whose record is known. Tells whether there was anything.
    pub(super) fn take_up_edit(&mut self, index: usize) -> bool {
        let Some(item) = self.items.get_mut(index) else { return false };
        match (&item.record, &item.edits) {
            (Record::Known(_), Edits::Waiting(video)) => {
                item.record = Record::Known(Arc::clone(video));
                item.edits = Edits::None;
                true
            }
            (Record::Known(_) | Record::Pending(_) | Record::Missing | Record::Stopped, _) => false,
        }
    }

    /// Takes back that the current item has no record. No effect otherwise. Rule STOP-7.
    pub(super) fn take_back_failure(&mut self) {
        if let Some(Item { record: record @ Record::Missing, .. }) = self.items.get_mut(self.index) {
            *record = Record::Stopped;
        }
    }

    /// Asks again for the current item's record.
    pub(super) fn retry(&mut self, id: RequestId) {
        if let Some(item) = self.items.get_mut(self.index) {
            item.record = Record::Pending(id);
        }
    }
}

/// Gives a video the name that the configuration has for it.
fn rename(video: &mut Arc<Video>, title: Option<&Arc<str>>) {
    if let Some(title) = title {
        Arc::make_mut(video).record.name = Arc::clone(title);
    }
}

impl Player {
    /// Whether the item in use has pre-rolls of its own. Rule PRE-3.
    pub(super) fn is_preceded_by_ads(&self) -> bool {
        match self.settings.knobs.playlist_prerolls {
            PlaylistPrerolls::EveryItem => true,
            PlaylistPrerolls::FirstItem => !self.playlist.is_list() || self.playlist.begins_pass(),
        }
    }

    /// After an item that failed when it was to be played comes the next one, if the list goes on by itself.
    /// A live stream that does not run has not failed in this way: it may be back. Rules PL-16, LIVE-2.
    pub(super) fn pass_over(&self, out: &mut Outbox) {
        let is_live_stop = self.element.fault() == Some(MediaFault::NotRunning);
        if !is_live_stop
            && self.settings.knobs.playlist_on_error == OnItemError::Advance
            && self.playlist.next_index().is_some()
            && let Some(index) = self.playlist.index()
        {
            out.put(rule!("PL-16"), Output::Task(Task::PassOver(index)));
        }
    }

    /// The next item's turn has come, unless page code did something about the failure.
    pub(super) fn passed_over(&mut self, now: Time, index: usize, out: &mut Outbox) {
        if matches!(self.state, State::Failed)
            && self.playlist.index() == Some(index)
            && let Some(next) = self.playlist.next_index()
        {
            self.go_to(now, next, Some(rule!("PL-16")), out);
        }
    }
}
