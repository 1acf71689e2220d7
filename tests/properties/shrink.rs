//! Reduces a failing scenario: removes every part without which it still fails.

use playsim::knobs::{KNOBS, Knobs, Profile};
use playsim::page::Page;
use playsim::scenario::{MediaScript, PlayerScript, Scenario};
use playsim::video::{Video, VideoRecord};
use std::sync::Arc;

/// The number of smaller scenarios tried.
const MOST_TRIES: u32 = 3_000;

/// A part of a scenario that may be left out: how many items it has, and how to leave out a range of them.
struct Part {
    count: fn(&Scenario) -> usize,
    remove: fn(&mut Scenario, std::ops::Range<usize>),
}

const PARTS: &[Part] = &[
    Part { count: |s| s.steps.len(), remove: |s, range| drop(s.steps.drain(range)) },
    Part { count: |s| s.listeners.len(), remove: |s, range| drop(s.listeners.drain(range)) },
    Part { count: |s| s.players.len(), remove: |s, range| drop(s.players.drain(range)) },
    Part { count: |s| s.player.ads.len(), remove: |s, range| drop(s.player.ads.drain(range)) },
    Part { count: |s| s.network.len(), remove: |s, range| drop(s.network.drain(range)) },
    Part { count: |s| s.videos.len(), remove: |s, range| drop(s.videos.drain(range)) },
    Part { count: |s| s.media.len(), remove: |s, range| drop(s.media.drain(range)) },
    Part { count: |s| s.page.containers.len(), remove: |s, range| drop(s.page.containers.drain(range)) },
    Part {
        count: |s| s.listeners.iter().map(|(_, script)| script.acts.len()).sum(),
        remove: |s, range| remove_nested(s.listeners.iter_mut().map(|(_, script)| &mut script.acts), range),
    },
    Part {
        count: |s| s.network.iter().map(|(_, answers)| answers.len().saturating_sub(1)).sum(),
        remove: |s, range| remove_nested(s.network.iter_mut().map(|(_, answers)| answers), range),
    },
    Part {
        count: |s| s.videos.iter().map(|script| script.video.ads.len()).sum(),
        remove: |s, range| {
            remove_nested(s.videos.iter_mut().map(|script| &mut Arc::make_mut(&mut script.video).ads), range);
        },
    },
    Part {
        count: |s| s.videos.iter().map(|script| script.video.chapters.len()).sum(),
        remove: |s, range| {
            let records = s.videos.iter_mut().map(|script| &mut Arc::make_mut(&mut script.video).record);
            let lists = records.map(|record| &mut record.chapters);
            remove_nested(lists, range);
        },
    },
    Part {
        count: |s| s.media.iter().map(|(_, script)| script.stalls.len()).sum(),
        remove: |s, range| remove_nested(s.media.iter_mut().map(|(_, script)| &mut script.stalls), range),
    },
    Part {
        count: |_| 1,
        remove: |s, _| {
            let limit_tasks_per_instant = s.knobs.limit_tasks_per_instant;
            s.profile = Profile::Default.into();
            s.knobs = Knobs { limit_tasks_per_instant, ..Knobs::default() };
        },
    },
    Part {
        count: |s| s.media.len(),
        remove: |s, range| {
            for (_, script) in &mut s.media[range] {
                *script = MediaScript { duration: script.duration, ..MediaScript::default() };
            }
        },
    },
    Part { count: |s| usize::from(s.media_default.is_some()), remove: |s, _| s.media_default = None },
    Part {
        count: |_| KNOBS.len(),
        remove: |s, range| {
            for knob in &KNOBS[range] {
                if knob.name != "limit.tasks_per_instant" {
                    let _ = s.knobs.set(knob.name, &knob.default());
                }
            }
        },
    },
    Part {
        count: |_| 1,
        remove: |s, _| s.page = Page { containers: s.page.containers.clone(), ..Page::default() },
    },
    Part {
        count: |_| 1,
        remove: |s, _| s.player = PlayerScript { ads: s.player.ads.clone(), ..PlayerScript::default() },
    },
    Part {
        count: |s| s.videos.len(),
        remove: |s, range| {
            for script in &mut s.videos[range] {
                let Video { record, renditions, ads } = Video::clone(&script.video);
                let VideoRecord { id, monetize, chapters, .. } = record;
                let record = VideoRecord { id, monetize, chapters, ..VideoRecord::default() };
                script.video = Arc::new(Video { record, renditions, ads });
            }
        },
    },
    Part { count: |s| s.ignore_query.len(), remove: |s, range| drop(s.ignore_query.drain(range)) },
];

/// Leaves out a range from several lists as if they were one.
fn remove_nested<'a, T: 'a>(lists: impl Iterator<Item = &'a mut Vec<T>>, range: std::ops::Range<usize>) {
    let mut first = 0;
    for list in lists {
        let last = first + list.len();
        let own = range.start.clamp(first, last) - first..range.end.clamp(first, last) - first;
        list.drain(own);
        first = last;
    }
}

/// Returns the smallest scenario found that still fails.
pub(crate) fn shrink(scenario: &Scenario, fails: impl Fn(&Scenario) -> bool) -> Scenario {
    let mut small = scenario.clone();
    let mut tries = 0;
    loop {
        let before = small.clone();
        for part in PARTS {
            let mut length = (part.count)(&small);
            while length > 0 {
                let mut start = 0;
                while start < (part.count)(&small) && tries < MOST_TRIES {
                    let end = (start + length).min((part.count)(&small));
                    let mut smaller = small.clone();
                    (part.remove)(&mut smaller, start..end);
                    tries += 1;
                    if smaller != small && fails(&smaller) {
                        small = smaller;
                    } else {
                        start += length;
                    }
                }
                length /= 2;
            }
        }
        if small == before || tries >= MOST_TRIES {
            return small;
        }
    }
}
