//! The parts of a scenario that may be left out, the largest first.

use std::ops::Range;
use std::sync::Arc;

use super::{documents, values};
use playsim_api::Query;
use playsim_api::page::Page;
use playsim_api::video::{Video, VideoRecord};
use playsim_base::time::Span;
use playsim_rules::knobs::{KNOBS, Knobs, Profile};
use playsim_scenario::{
    AnswerScript, MediaScript, PlayerScript, Scenario, StepAct, Target, Trigger,
};

/// A kind of part that may be left out: how many items it has, and how to leave out a range of
/// them.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) count: fn(&mut Scenario) -> usize,
    pub(super) remove: fn(&mut Scenario, Range<usize>),
}

/// All of them; the last one is about parts of documents.
pub(super) const PARTS: &[Part] = &[
    Part {
        count: |s| s.steps.len(),
        remove: |s, range| drop(s.steps.drain(range)),
    },
    Part {
        count: |s| s.listeners.len(),
        remove: |s, range| drop(s.listeners.drain(range)),
    },
    Part {
        count: |s| s.players.len(),
        remove: |s, range| drop(s.players.drain(range)),
    },
    Part {
        count: |s| s.player.ads.len(),
        remove: |s, range| drop(s.player.ads.drain(range)),
    },
    Part {
        count: |s| s.network.len(),
        remove: |s, range| drop(s.network.drain(range)),
    },
    Part {
        count: |s| s.videos.len(),
        remove: |s, range| drop(s.videos.drain(range)),
    },
    Part {
        count: |s| s.media.len(),
        remove: |s, range| drop(s.media.drain(range)),
    },
    Part {
        count: |s| s.page.containers.len(),
        remove: |s, range| drop(s.page.containers.drain(range)),
    },
    Part {
        count: |s| {
            s.listeners
                .iter()
                .map(|(_, script)| script.then.acts.len())
                .sum()
        },
        remove: |s, range| {
            remove_nested(
                s.listeners
                    .iter_mut()
                    .map(|(_, script)| &mut script.then.acts),
                range,
            )
        },
    },
    Part {
        count: |s| answers(s).count(),
        remove: |s, range| remove_answers(s, &range),
    },
    Part {
        count: |s| s.videos.iter().map(|script| script.video.ads.len()).sum(),
        remove: |s, range| {
            remove_nested(
                s.videos
                    .iter_mut()
                    .map(|script| &mut Arc::make_mut(&mut script.video).ads),
                range,
            );
        },
    },
    Part {
        count: |s| {
            s.videos
                .iter()
                .map(|script| script.video.chapters.len())
                .sum()
        },
        remove: |s, range| {
            let records = s
                .videos
                .iter_mut()
                .map(|script| &mut Arc::make_mut(&mut script.video).record);
            let lists = records.map(|record| &mut record.chapters);
            remove_nested(lists, range);
        },
    },
    Part {
        count: |s| s.media.iter().map(|(_, script)| script.stalls.len()).sum(),
        remove: |s, range| {
            remove_nested(
                s.media.iter_mut().map(|(_, script)| &mut script.stalls),
                range,
            )
        },
    },
    Part {
        count: |_| 1,
        remove: |s, _| {
            let limit_tasks_per_second = s.knobs.limit_tasks_per_second;
            s.profile = Profile::Default.into();
            s.knobs = Knobs {
                limit_tasks_per_second,
                ..Knobs::default()
            };
        },
    },
    Part {
        count: |s| s.media.len(),
        remove: |s, range| {
            for (_, script) in &mut s.media[range] {
                *script = MediaScript {
                    duration: script.duration,
                    ..MediaScript::default()
                };
            }
        },
    },
    Part {
        count: |s| usize::from(s.media_default.is_some()),
        remove: |s, _| s.media_default = None,
    },
    Part {
        count: |_| KNOBS.len(),
        remove: |s, range| {
            for knob in &KNOBS[range] {
                if knob.name != "limit.tasks_per_second" {
                    let _ = s.knobs.set(knob.name, &knob.default());
                }
            }
        },
    },
    Part {
        count: |_| 1,
        remove: |s, _| {
            s.page = Page {
                containers: s.page.containers.clone(),
                ..Page::default()
            }
        },
    },
    Part {
        count: |_| 1,
        remove: |s, _| {
            s.player = PlayerScript {
                ads: s.player.ads.clone(),
                ..PlayerScript::default()
            }
        },
    },
    Part {
        count: |s| s.videos.len(),
        remove: |s, range| {
            for script in &mut s.videos[range] {
                let Video {
                    record,
                    renditions,
                    ads,
                } = Video::clone(&script.video);
                let VideoRecord {
                    id,
                    monetize,
                    chapters,
                    ..
                } = record;
                let record = VideoRecord {
                    id,
                    monetize,
                    chapters,
                    ..VideoRecord::default()
                };
                script.video = Arc::new(Video {
                    record,
                    renditions,
                    ads,
                });
            }
        },
    },
    Part {
        count: |s| s.ignore_query.len(),
        remove: |s, range| drop(s.ignore_query.drain(range)),
    },
    Part {
        count: |s| s.expect.len(),
        remove: |s, range| drop(s.expect.drain(range)),
    },
    Part {
        count: |s| s.players.len(),
        remove: |s, range| {
            s.players[range]
                .iter_mut()
                .for_each(|(_, player)| *player = PlayerScript::default())
        },
    },
    Part {
        count: |s| {
            s.videos
                .iter()
                .map(|script| script.video.renditions.len())
                .sum()
        },
        remove: |s, range| {
            let videos = s
                .videos
                .iter_mut()
                .map(|script| Arc::make_mut(&mut script.video));
            remove_nested(videos.map(|video| &mut video.renditions), range);
        },
    },
    Part {
        count: |s| s.videos.len(),
        remove: |s, range| {
            s.videos[range]
                .iter_mut()
                .for_each(|script| script.record_after = Span::ZERO)
        },
    },
    Part {
        count: |s| answers(s).count(),
        remove: |s, range| hurry(answers(s).skip(range.start).take(range.len())),
    },
    Part {
        count: |s| s.steps.len(),
        remove: |s, range| {
            s.steps[range]
                .iter_mut()
                .for_each(|step| step.player = Target::First)
        },
    },
    Part {
        count: |s| s.steps.len(),
        remove: |s, range| {
            s.steps[range]
                .iter_mut()
                .for_each(|step| step.trigger = plain(step.trigger))
        },
    },
    Part {
        count: |s| {
            acts(s)
                .filter_map(list_of_queries)
                .map(|queries| queries.len())
                .sum()
        },
        remove: |s, range| remove_nested(acts(s).filter_map(list_of_queries), range),
    },
    Part {
        count: |s| acts(s).count(),
        remove: |s, range| {
            acts(s)
                .skip(range.start)
                .take(range.len())
                .for_each(forget_callback)
        },
    },
    Part {
        count: values::count,
        remove: |s, range| values::remove(s, &range),
    },
    Part {
        count: |_| 1,
        remove: |s, _| (s.name, s.rules, s.channels, s.seed) = ("".into(), Vec::new(), None, 0),
    },
    Part {
        count: |s| s.page.containers.len(),
        remove: |s, range| {
            s.page.containers[range]
                .iter_mut()
                .for_each(|it| it.player_class = true)
        },
    },
    // The last one, so that it can be left out itself: parts of documents.
    Part {
        count: |s| answers(s).map(|answer| documents::count(answer)).sum(),
        remove: |s, range| documents::remove(answers(s), &range),
    },
];

/// Leaves out a range from several lists as if they were one.
fn remove_nested<'a, T: 'a>(lists: impl Iterator<Item = &'a mut Vec<T>>, range: Range<usize>) {
    let mut first = 0;
    for list in lists {
        let last = first + list.len();
        let own = range.start.clamp(first, last) - first..range.end.clamp(first, last) - first;
        list.drain(own);
        first = last;
    }
}

/// Leaves out a range of responses; every URL keeps one.
fn remove_answers(scenario: &mut Scenario, range: &Range<usize>) {
    let mut number = 0;
    for (_, answers) in &mut scenario.network {
        let last = answers.last().cloned();
        answers.retain(|_| {
            number += 1;
            !range.contains(&(number - 1))
        });
        if answers.is_empty() {
            answers.extend(last);
        }
    }
}

fn answers(scenario: &mut Scenario) -> impl Iterator<Item = &mut AnswerScript> {
    scenario.network.iter_mut().flat_map(|(_, answers)| answers)
}

fn hurry<'a>(answers: impl Iterator<Item = &'a mut AnswerScript>) {
    answers.for_each(|answer| answer.after = Span::ZERO);
}

/// The acts of steps and listeners.
fn acts(scenario: &mut Scenario) -> impl Iterator<Item = &mut StepAct> {
    let listeners = scenario
        .listeners
        .iter_mut()
        .flat_map(|(_, script)| &mut script.then.acts);
    scenario
        .steps
        .iter_mut()
        .map(|step| &mut step.act)
        .chain(listeners)
}

fn plain(trigger: Trigger) -> Trigger {
    match trigger {
        Trigger::At(at) => Trigger::At(at),
        Trigger::Visibility => Trigger::Visibility,
        Trigger::On { event, .. } => Trigger::On {
            event,
            nth: None,
            after: None,
        },
    }
}

fn list_of_queries(act: &mut StepAct) -> Option<&mut Vec<Query>> {
    let act = if let StepAct::For { act, .. } = act {
        &mut **act
    } else {
        act
    };
    if let StepAct::Read(queries) = act {
        Some(queries)
    } else {
        None
    }
}

fn forget_callback(act: &mut StepAct) {
    if let StepAct::Init { on_ready, .. } | StepAct::Queue { on_ready, .. } = act {
        *on_ready = None;
    }
}
