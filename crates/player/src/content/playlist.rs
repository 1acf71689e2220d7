//! The items of a player, which of them is in use, and how a list continues when one fails.
//!
//! A single video is a playlist of one. `exclusion` decides which items are left out of a list.
//!
//! Rules: PL-1, PL-2, PL-5, PL-10, PL-11, PL-16, PL-19, PL-20, PL-23, PRE-3, CH-12, LPL-6.

use std::sync::Arc;

use crate::Player;
use crate::api::config::Content;
use crate::state::State;
use playsim_api::media::MediaFault;
use playsim_api::video::Video;
use playsim_api::{Outbox, Output, Purpose, Request, RequestId, Task};
use playsim_rules as rules;
use playsim_rules::knobs::{OnItemError, PlaylistPrerolls};

/// The items that a player plays.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Playlist {
    items: Vec<Item>,
    /// The items that the list leaves out at present. Rules PL-19, PL-23.
    left_out: Vec<Item>,
    index: usize,
    origin: Origin,
    /// The title of a single video, in place of its own. Rule INIT-10.
    title: Option<Arc<str>>,
    /// Whether the content counts as a playlist. Rule PL-10.
    is_list: bool,
    /// Whether the item in use is the one that the pass began with. Rule PRE-3.
    begins_pass: bool,
    /// Whether the single video must not be played here and now. Rules EDIT-55, EDIT-56.
    is_barred: bool,
    /// The playlist file that will replace all of this. Rule LPL-6.
    file: Option<RequestId>,
}

/// Where the items come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(crate) enum Origin {
    /// A single video, which is never left out. Rules EDIT-54, SRC-4.
    #[default]
    Video,
    /// A list in the configuration. Rule INIT-10.
    List,
    /// A playlist file: a playlist whatever its length. Rule PL-10.
    File,
}

/// The place of an item among all items, those left out included; the index in the list leaves them
/// out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ItemPlace(usize);

impl ItemPlace {
    pub(super) const FIRST: ItemPlace = ItemPlace(0);
}

/// One item of a playlist.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Item {
    /// The id that the configuration names.
    pub(crate) id: Arc<str>,
    place: ItemPlace,
    /// The state of its record.
    pub(super) record: Record,
    /// Edits of the record that the item does not use yet.
    pub(super) edits: Edits,
    /// Whether it has started in this player. Knob `start.scope`.
    pub(super) has_started: bool,
}

/// Edits of an item's record that are not in use yet. Rule META-2.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Edits {
    /// The record is written out in the page, so it cannot be edited.
    Never,
    /// None since it was requested.
    None,
    /// The record as edited last.
    Waiting(Arc<Video>),
}

/// The state of an item's record.
#[derive(Debug, Clone, Hash)]
pub(crate) enum Record {
    /// It has been requested.
    Pending(RequestId),
    /// It has arrived.
    Known(Arc<Video>),
    /// It does not exist.
    Missing,
    /// It did not exist, and the player was stopped: it is requested again when the item has to
    /// play. Rule STOP-7.
    Stopped,
}

impl Item {
    /// An item of the configuration; its record is requested if only its id is known.
    pub(crate) fn new(content: Content, out: &mut Outbox) -> Item {
        match content {
            Content::Inline(video) => Item::known(video),
            Content::Id(id) => {
                let record = Record::Pending(request_record(&id, out));
                Item {
                    id,
                    place: ItemPlace::FIRST,
                    record,
                    edits: Edits::None,
                    has_started: false,
                }
            }
        }
    }

    /// An item whose record is written out in the page.
    pub(super) fn known(video: Arc<Video>) -> Item {
        let (id, record) = (video.id.clone(), Record::Known(video));
        Item {
            id,
            place: ItemPlace::FIRST,
            record,
            edits: Edits::Never,
            has_started: false,
        }
    }

    /// Its record as it is now, with edits that are not in use yet; `None` if it is not known. Rule
    /// PL-23.
    fn latest(&self) -> Option<&Arc<Video>> {
        match (&self.record, &self.edits) {
            (Record::Known(_), Edits::Waiting(video))
            | (Record::Known(video), Edits::Never | Edits::None) => Some(video),
            (Record::Pending(_) | Record::Missing | Record::Stopped, _) => None,
        }
    }
}

/// Requests the record of a video.
pub(super) fn request_record(id: &Arc<str>, out: &mut Outbox) -> RequestId {
    let (request, url, purpose) = (out.next_request(), id.clone(), Purpose::Record);
    let fetch = Request {
        id: request,
        url,
        purpose,
        hop: None,
        wp: None,
        pod: None,
        in_break: None,
    };
    out.put(rules::INIT_11, Output::Fetch(fetch));
    request
}

/// A neighbour of the item in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Next,
    Previous,
}

impl Playlist {
    pub(crate) fn new(mut items: Vec<Item>, origin: Origin) -> Playlist {
        items
            .iter_mut()
            .enumerate()
            .for_each(|(place, item)| item.place = ItemPlace(place));
        let mut playlist = Playlist {
            items,
            origin,
            ..Playlist::default()
        };
        playlist.count();
        playlist
    }

    /// The same playlist, with another title for its single video. Rule INIT-10.
    pub(crate) fn called(mut self, title: Option<Arc<str>>) -> Playlist {
        self.title = title;
        for item in &mut self.items {
            if let Record::Known(video) = &mut item.record {
                rename(video, self.title.as_ref());
            }
        }
        self
    }

    /// Decides whether the content counts as a playlist. Rule PL-10.
    fn count(&mut self) {
        self.is_list = match self.origin {
            Origin::Video => false,
            Origin::List => self.items.len() > 1,
            Origin::File => true,
        };
    }

    /// The number of items. Rule PL-1.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The index of the item in use; `None` if there is none. Rule PL-2.
    pub(crate) fn index(&self) -> Option<usize> {
        (self.index < self.items.len()).then_some(self.index)
    }

    pub(super) fn is_list(&self) -> bool {
        self.is_list
    }

    /// Whether videos may be left out. Rule PL-19.
    pub(super) fn leaves_out(&self) -> bool {
        self.origin != Origin::Video
    }

    pub(crate) fn current(&self) -> Option<&Item> {
        self.items.get(self.index)
    }

    /// The record of the item in use, if it is known.
    pub(crate) fn video(&self) -> Option<&Arc<Video>> {
        self.video_at(self.index)
    }

    /// The record of an item, if it is known.
    pub(crate) fn video_at(&self, index: usize) -> Option<&Arc<Video>> {
        match &self.items.get(index)?.record {
            Record::Known(video) => Some(video),
            Record::Pending(_) | Record::Missing | Record::Stopped => None,
        }
    }

    pub(super) fn next_index(&self) -> Option<usize> {
        (self.index + 1 < self.items.len()).then_some(self.index + 1)
    }

    /// The index of a neighbour of the item in use.
    pub(super) fn neighbour(&self, direction: Direction) -> Option<usize> {
        match direction {
            Direction::Next => self.next_index(),
            Direction::Previous => self.index.checked_sub(1),
        }
    }

    /// The item at which a list that wraps continues beyond its first or last item; `None` for a
    /// list of one. Rule PL-5.
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

    /// Whether the item in use has pre-rolls of its own. Rule PRE-3.
    pub(super) fn has_pre_rolls(&self, which: PlaylistPrerolls) -> bool {
        match which {
            PlaylistPrerolls::EveryItem => true,
            PlaylistPrerolls::FirstItem => !self.is_list || self.begins_pass,
        }
    }

    /// Records whether the item in use must not be played. Rules EDIT-55, EDIT-56.
    pub(super) fn bar(&mut self, is_barred: bool) {
        self.is_barred = is_barred;
    }

    pub(super) fn is_barred(&self) -> bool {
        self.is_barred
    }

    /// Leaves an item out; the following items move up. Rule PL-19.
    ///
    /// Once a pass has begun, a playlist keeps counting as one, however short it gets.
    pub(super) fn leave_out(&mut self, index: usize, is_under_way: bool) {
        let item = self.items.remove(index);
        self.left_out.push(item);
        if index < self.index {
            self.index -= 1;
        }
        if !is_under_way {
            self.count();
        }
    }

    /// Takes an item back that was left out; the items after it move down. Returns its record. Rule
    /// PL-23.
    pub(super) fn take_back(&mut self, left_out: usize, is_under_way: bool) -> Option<Arc<Video>> {
        let item = self.left_out.remove(left_out);
        let index = self.items.partition_point(|other| other.place < item.place);
        if self.index().is_some() && index <= self.index {
            self.index += 1;
        }
        let video = item.latest().cloned();
        self.items.insert(index, item);
        if !is_under_way {
            self.count();
        }
        video
    }

    /// The records of the items that are left out, as they are now.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &Arc<Video>> {
        self.left_out.iter().filter_map(Item::latest)
    }

    /// The record of an item as it is now, if it is known.
    pub(super) fn latest_at(&self, index: usize) -> Option<&Arc<Video>> {
        self.items.get(index).and_then(Item::latest)
    }

    /// The place of an item.
    pub(super) fn place(&self, index: usize) -> Option<ItemPlace> {
        self.items.get(index).map(|item| item.place)
    }

    /// The place of the item in use.
    pub(super) fn current_place(&self) -> Option<ItemPlace> {
        self.current().map(|item| item.place)
    }

    /// The first item at or after a place.
    pub(super) fn index_of_place(&self, place: ItemPlace) -> usize {
        self.items.partition_point(|item| item.place < place)
    }

    /// Adjusts the item in use after it was left out. Returns whether playback continues with the
    /// item that is in use now.
    ///
    /// If the last item was left out, playback cannot continue: the one before it becomes the item
    /// in use, and waits.
    pub(super) fn close_ranks(&mut self) -> bool {
        if self.index().is_none() && self.len() > 0 {
            self.choose(self.len() - 1);
            return false;
        }
        true
    }

    /// Whether a request for a record or for a playlist file is still awaited.
    pub(crate) fn awaits(&self, id: RequestId) -> bool {
        self.awaits_file(id)
            || self
                .items
                .iter()
                .any(|item| matches!(item.record, Record::Pending(pending) if pending == id))
    }

    pub(crate) fn awaits_file(&self, id: RequestId) -> bool {
        self.file == Some(id)
    }

    /// Sets the request for a playlist file to wait for, in place of any earlier one. Rule LPL-6.
    pub(super) fn expect_file(&mut self, id: Option<RequestId>) {
        self.file = id;
    }

    /// Takes the response to a request for a record. Returns the item's index.
    pub(super) fn answer(&mut self, id: RequestId, video: Option<Arc<Video>>) -> Option<usize> {
        let waits = |item: &Item| matches!(item.record, Record::Pending(pending) if pending == id);
        let index = self.items.iter().position(waits)?;
        self.items[index].record = video.map_or(Record::Missing, |mut video| {
            rename(&mut video, self.title.as_ref());
            Record::Known(video)
        });
        Some(index)
    }

    /// Stores the edited record of a video for its items to use later. Rule META-2.
    pub(super) fn edited(&mut self, video: &Arc<Video>) {
        for item in self
            .items
            .iter_mut()
            .chain(&mut self.left_out)
            .filter(|item| item.id == video.id)
        {
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

    /// Applies the edits of an item whose record is known. Returns whether there were any.
    pub(super) fn take_up_edit(&mut self, index: usize) -> bool {
        let Some(item) = self.items.get_mut(index) else {
            return false;
        };
        match (&item.record, &item.edits) {
            (Record::Known(_), Edits::Waiting(video)) => {
                item.record = Record::Known(Arc::clone(video));
                item.edits = Edits::None;
                true
            }
            (Record::Known(_) | Record::Pending(_) | Record::Missing | Record::Stopped, _) => false,
        }
    }

    /// If the current item's record does not exist, marks it to be requested again. Rule STOP-7.
    pub(super) fn take_back_failure(&mut self) {
        if let Some(Item {
            record: record @ Record::Missing,
            ..
        }) = self.items.get_mut(self.index)
        {
            *record = Record::Stopped;
        }
    }

    /// Records that the item in use starts. Returns whether that is the first time.
    pub(super) fn note_started(&mut self) -> bool {
        self.items
            .get_mut(self.index)
            .is_some_and(|item| !std::mem::replace(&mut item.has_started, true))
    }

    /// Records that the current item's record has been requested again.
    pub(super) fn retry(&mut self, id: RequestId) {
        if let Some(item) = self.items.get_mut(self.index) {
            item.record = Record::Pending(id);
        }
    }
}

/// Gives a video the title from the configuration.
fn rename(video: &mut Arc<Video>, title: Option<&Arc<str>>) {
    if let Some(title) = title {
        Arc::make_mut(video).record.name = Arc::clone(title);
    }
}

impl Player {
    /// Schedules the step to the next item after a failure of an item that was to play, if the list
    /// continues automatically. A live stream that is not running does not count as a failure here:
    /// it may resume. Rules PL-16, LIVE-2.
    pub(super) fn pass_over(&self, out: &mut Outbox) {
        let is_live_stop = self
            .element
            .fault()
            .is_some_and(|fault| fault.how == MediaFault::NotRunning);
        if !is_live_stop
            && self.settings.knobs.playlist_on_error() == OnItemError::Advance
            && let Some(index) = self.items.playlist.index()
        {
            out.put(rules::PL_16, Output::Task(Task::PassOver(index)));
        }
    }

    /// Goes on to the next item, unless page code has reacted to the failure.
    pub(crate) fn passed_over(&mut self, index: usize, out: &mut Outbox) {
        if matches!(self.state, State::Failed)
            && self.items.playlist.index() == Some(index)
            && let Some(next) = self.items.judged_next(&self.settings.page, out)
        {
            self.go_to(next, Some(rules::PL_16), out);
        }
    }
}
