//! A `Player` in a world of your own: this program is the clock, the network and the page.
//!
//! The ad server fills every second request, which the waterfall of the player reacts to. A
//! `Recorder` keeps a trace, which checks and reports read as any other. Run with
//! `cargo run --example own_world`.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use playsim::api::{Call, Fetched, Fields, Input, Output, Purpose, Request, Response, Value};
use playsim::check;
use playsim::media::MediaInfo;
use playsim::player::Settings;
use playsim::report::waterfall::Waterfalls;
use playsim::sim::Recorder;
use playsim::time::{Span, Time};
use playsim::video::{Rendition, Video};

fn main() -> Result<(), Box<dyn Error>> {
    let tags = ["https://ads.test/a", "https://ads.test/b"].map(Value::from);
    let pre_roll = Fields::one("adType", 0)
        .with("adTimeType", "s")
        .with("mobile", Value::List(tags.into()));
    let settings = Settings {
        ads: vec![Value::Map(pre_roll)],
        ..Settings::default()
    };
    let config = Fields::one("id", "p1")
        .with("width", "640")
        .with("height", "360")
        .with("video", "v1");
    let mut player = Recorder::new("my world", "player", &Value::Map(config), settings)?;
    // Responses on their way, by arrival; the number of the request keeps those of one instant in
    // order.
    let mut responses: BTreeMap<(Time, u32), Input> = BTreeMap::new();
    let (mut now, mut ad_requests) = (Time::ZERO, 0);
    loop {
        while let Some(output) = player.pop() {
            if let Output::Event(event) = &output {
                println!("{now}  {} {}", event.name, event.data);
            } else if let Output::Fetch(request) = output {
                println!("{now}    request {}", request.url);
                ad_requests += u32::from(request.purpose == Purpose::AdTag);
                let (after, input) = respond(&request, ad_requests.is_multiple_of(2));
                responses.insert((now + after, request.id.0), input);
            } else if output == Output::Callback {
                player.handle(now, Input::Call(Call::Play.into()))?;
            }
        }
        // At one instant responses come first: `Class::Net` is the lowest class of work.
        let wake = player.next_wake().map(|wake| wake.at);
        let is_first = |at: Time| wake.is_none_or(|wake| at <= wake);
        let input = match (
            responses
                .first_entry()
                .filter(|entry| is_first(entry.key().0)),
            wake,
        ) {
            (Some(entry), _) => {
                now = entry.key().0;
                entry.remove()
            }
            (None, Some(wake)) => {
                now = wake;
                Input::Wake
            }
            (None, None) => break,
        };
        player.handle(now, input)?;
    }
    let trace = player.finish();
    assert_eq!(check::invariants(&trace), []);
    print!("\n{}", Waterfalls::of(&trace).text(100, false));
    Ok(())
}

/// Decides what a request gets, and when.
fn respond(request: &Request, fills: bool) -> (Span, Input) {
    let (id, [_, (_, ad)]) = (request.id, playsim::scenario::demo());
    let content = || Arc::new(Video::new("v1").with_rendition(Rendition::Sd, "content.mp4"));
    let seconds = Span::from_secs(if *request.url == *"content.mp4" {
        10
    } else {
        4
    });
    let body = if fills { ad } else { "<VAST version='4.2'/>" };
    let (millis, input) = match request.purpose {
        Purpose::Record => (5, Input::Record(id, (*request.url == *"v1").then(content))),
        Purpose::Media => (
            20,
            Input::Loaded(
                id,
                Ok(Arc::new(MediaInfo {
                    duration: seconds,
                    ..MediaInfo::default()
                })),
            ),
        ),
        Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist => (
            150,
            Input::Fetched(
                id,
                Fetched::Response(Response::new(Arc::clone(&request.url), body)),
            ),
        ),
    };
    (Span::from_millis(millis), input)
}
