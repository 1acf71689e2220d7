//! Responses of ad servers that somebody has saved, as a scenario: one player, one pre-roll, and a
//! tag for each response that no other one asks for.

use std::sync::Arc;

use super::world::ScriptedAnswer;
use super::{
    AnswerScript, MediaScript, Scenario, Step, StepAct, Target, Trigger, UnitKind, VideoScript,
};
use playsim_api::video::{Rendition, Video, VideoRecord};
use playsim_api::{Call, EventName, Fields, NetworkFault, Value};
use playsim_base::time::{Span, Time};
use playsim_vast::{self as vast, AdKind};

/// The media file of the content.
const FILM: &str = "content:film";
/// The length of the content.
const CONTENT: Span = Span::from_secs(60);
/// The duration of a media file whose ad does not give one.
const MEDIA: Span = Span::from_secs(15);

/// A saved response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAnswer {
    /// The name of its file.
    pub file: String,
    /// The content of the file.
    pub text: String,
    /// The URL that it responds to: that of the wrapper in the response before it; `None` for a
    /// tag.
    pub wrapped: Option<String>,
}

impl SavedAnswer {
    /// Returns how the request failed, if the file says so.
    #[must_use]
    pub fn failure(&self) -> Option<ScriptedAnswer> {
        let text = self.text.trim_start();
        if text.is_empty() {
            return Some(ScriptedAnswer::Silence);
        }
        let (number, _) = text.strip_prefix("curl: (")?.split_once(')')?;
        Some(match number.parse::<u16>() {
            Ok(6 | 7) => ScriptedAnswer::Fails(NetworkFault::Refused),
            Ok(18) => ScriptedAnswer::Fails(NetworkFault::Truncated),
            Ok(52 | 55 | 56) => ScriptedAnswer::Fails(NetworkFault::Reset),
            Ok(_) | Err(_) => ScriptedAnswer::Silence,
        })
    }

    /// Returns the response, as it was sent.
    ///
    /// - An empty file: there was none.
    /// - A message of curl, such as `curl: (28) Operation timed out`: the request failed.
    /// - An HTTP response as `curl -si` prints it: its status and its body; of several, as after
    ///   redirects, the last one.
    /// - Anything else: a body with status 200.
    ///
    /// # Errors
    ///
    /// If it begins like an HTTP response but has no status; with its first line.
    pub fn response(&self) -> Result<AnswerScript, String> {
        let text = self
            .text
            .trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
        let answer = if let Some(failure) = self.failure() {
            failure
        } else {
            let http = text
                .starts_with("HTTP/")
                .then(|| http_response(text))
                .transpose();
            let http = http.map_err(|line| {
                format!(
                    "{}: the first line is \"{line}\"; it must be a status line such as HTTP/1.1 200 OK",
                    self.file
                )
            })?;
            // A body is saved as a file of its own.
            let name = if http.is_some() {
                format!("{}.xml", self.file)
            } else {
                self.file.clone()
            };
            let (status, text) = http.unwrap_or((200, &self.text));
            ScriptedAnswer::Body {
                status,
                name: name.into(),
                text: text.into(),
            }
        };
        Ok(answer.into())
    }
}

/// Puts saved responses in the order of the numbers that their names begin with, and finds out what
/// each responds to: the URL of the wrapper in the response before it, or else a tag.
#[must_use]
pub fn in_order(mut files: Vec<(String, String)>) -> Vec<SavedAnswer> {
    files.sort_by_key(|(file, _)| {
        let name = file
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .to_owned();
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let digits = name
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(name.len());
        (
            stem[..digits.min(stem.len())].parse().unwrap_or(u64::MAX),
            name,
        )
    });
    let mut before: Option<String> = None;
    let order = files.into_iter().map(|(file, text)| {
        let wrapped = std::mem::replace(&mut before, wrapped_url(&text));
        SavedAnswer {
            file,
            text,
            wrapped,
        }
    });
    order.collect()
}

/// Returns the scenario of saved responses, given by their files' names and contents in any order.
/// Each is in turn asked for as a tag, at once and without a delay, unless the one before it is a
/// wrapper.
///
/// # Errors
///
/// If a response cannot be read, or if there is none.
pub fn saved_answers(files: Vec<(String, String)>) -> Result<Scenario, String> {
    let mut scenario = waterfall_stage();
    let unsaid = MediaScript {
        duration: MEDIA,
        is_as_said: true,
        ..MediaScript::default()
    };
    scenario.media_default = Some(unsaid);
    scenario.media.push((
        FILM.into(),
        MediaScript {
            duration: CONTENT,
            ..MediaScript::default()
        },
    ));
    let mut tags = Vec::new();
    for (index, saved) in in_order(files).iter().enumerate() {
        let url: Arc<str> = match &saved.wrapped {
            Some(url) => url.as_str().into(),
            None => {
                let url: Arc<str> = format!("https://tag{}.test/", tags.len() + 1).into();
                tags.push(Value::from(&url));
                url
            }
        };
        let answer = saved
            .response()
            .map_err(|error| format!("response {}: {error}", index + 1))?;
        match scenario.network.iter_mut().find(|(known, _)| *known == url) {
            Some((_, answers)) => answers.push(answer),
            None => scenario.network.push((url, vec![answer])),
        }
    }
    if tags.is_empty() {
        return Err("there is no response".to_owned());
    }
    let ad = Fields::one("adType", 0u32)
        .with("adTimeType", "s")
        .with("mobile", Value::List(tags));
    scenario.player.ads = vec![Value::Map(ad)];
    Ok(scenario)
}

/// Returns a scenario of one player with one video, whose media and tags are still to be given. It
/// plays as soon as it can: a missing user gesture must not keep the waterfall from playing.
#[must_use]
pub fn waterfall_stage() -> Scenario {
    let video = Video {
        record: VideoRecord {
            id: "film".into(),
            ..VideoRecord::default()
        },
        renditions: vec![(Rendition::Sd, FILM.into())],
        ..Video::default()
    };
    let config = Fields::one("id", "player")
        .with("width", "640")
        .with("height", "360")
        .with("video", "film");
    let step = |trigger, act| Step {
        trigger,
        act,
        player: Target::First,
    };
    let init = StepAct::Init {
        unit: UnitKind::Player,
        div: "player".into(),
        config: Value::Map(config),
        on_ready: None,
    };
    let ready = Trigger::On {
        event: EventName::Ready,
        nth: Some(1),
        after: None,
    };
    let mut scenario = Scenario {
        name: "waterfall".into(),
        videos: vec![VideoScript {
            video: video.into(),
            record_after: Span::ZERO,
        }],
        steps: vec![
            step(Trigger::At(Time::ZERO), init),
            step(
                ready,
                StepAct::Do {
                    call: Call::Play,
                    args: Vec::new(),
                },
            ),
        ],
        ..Scenario::default()
    };
    scenario.page.gesture_required = Some(false);
    scenario
}

/// Reads HTTP responses as `curl -si` prints them: the status and the body of the last one.
///
/// # Errors
///
/// The first line of a response that has no status.
pub fn http_response(text: &str) -> Result<(u16, &str), &str> {
    let mut rest = text;
    loop {
        let line = rest.lines().next().unwrap_or_default();
        let status = line
            .split_whitespace()
            .nth(1)
            .filter(|word| word.len() == 3);
        let status = status
            .and_then(|word| word.parse().ok())
            .filter(|status| (100..600).contains(status));
        let Some(status) = status else {
            return Err(line);
        };
        let ends = ["\r\n\r\n", "\n\n"]
            .iter()
            .filter_map(|end| Some((rest.find(end)?, end.len())));
        let body = ends.min().map_or("", |(at, length)| &rest[at + length..]);
        if !body.starts_with("HTTP/") {
            return Ok((status, body));
        }
        rest = body;
    }
}

/// Returns the URL of the first wrapper in a response.
fn wrapped_url(text: &str) -> Option<String> {
    let document = vast::read(text);
    document.ads.iter().find_map(|ad| match &ad.kind {
        AdKind::Wrapper(wrapper) => wrapper.tag_uri.as_ref().map(|uri| uri.text.to_string()),
        AdKind::Inline | AdKind::Broken(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRAPPER: &str = "<VAST version='4.2'><Ad id='w'><Wrapper><VASTAdTagURI>https://inner.test/</VASTAdTagURI>\
                           <Impression/></Wrapper></Ad></VAST>";

    fn file(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn a_response_belongs_to_the_wrapper_before_it_or_to_a_tag() {
        let files = vec![
            file("10.xml", "<VAST/>"),
            file("2.xml", "<VAST/>"),
            file("1.xml", WRAPPER),
            file("3.http", ""),
        ];
        let order: Vec<_> = in_order(files)
            .into_iter()
            .map(|it| (it.file, it.wrapped))
            .collect();
        let plain = |name: &str| (name.to_owned(), None);
        let inner = Some("https://inner.test/".to_owned());
        assert_eq!(
            order,
            [
                plain("1.xml"),
                ("2.xml".to_owned(), inner),
                plain("3.http"),
                plain("10.xml")
            ]
        );
    }

    #[test]
    fn saved_responses_are_a_waterfall() {
        let files = vec![
            file("1.xml", WRAPPER),
            file("2.xml", "<VAST/>"),
            file("3.http", "HTTP/2 404 \r\n\r\n"),
        ];
        let scenario = saved_answers(files).expect("they can be read");
        let urls: Vec<&str> = scenario.network.iter().map(|(url, _)| &**url).collect();
        assert_eq!(
            urls,
            [
                "https://tag1.test/",
                "https://inner.test/",
                "https://tag2.test/"
            ]
        );
        let refused =
            saved_answers(vec![file("1.http", "HTTP/1.1 nothing")]).expect_err("it has no status");
        assert!(
            refused.contains("1.http: the first line is \"HTTP/1.1 nothing\""),
            "{refused}"
        );
        assert!(saved_answers(Vec::new()).is_err());
    }

    #[test]
    fn the_last_of_several_http_responses_counts() {
        let text = "HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\nHTTP/2 404 \r\nX: 1\r\n\r\n<VAST/>";
        assert_eq!(http_response(text), Ok((404, "<VAST/>")));
        assert_eq!(http_response("HTTP/1.1 204 No Content"), Ok((204, "")));
        assert_eq!(http_response("HTTP/1.1 nothing"), Err("HTTP/1.1 nothing"));
    }
}
