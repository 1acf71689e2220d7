//! A `Player` in a world of your own: this program is the clock, the network and the page.
//!
//! A scenario fixes what each URL answers before the run begins. A world of your own decides while the player
//! runs. Here the ad server fills every second request, which the waterfall of the player reacts to.
//!
//! Run with `cargo run --example own_world`.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use playsim::api::{
    Call, Cause, Command, Decimal, Fetched, Fields, Input, Outbox, Output, Purpose, Request, Response,
    UnitKind, Value, Wake,
};
use playsim::knobs::Knobs;
use playsim::media::{MediaFault, MediaInfo};
use playsim::page::Page;
use playsim::player::{AdTurns, Config, Player, Settings};
use playsim::time::{Span, Time};
use playsim::vast;
use playsim::video::{Rendition, Video, VideoRecord};

fn main() -> Result<(), Box<dyn Error>> {
    let tags = ["https://ads.test/a", "https://ads.test/b"].map(Value::from);
    let pre_roll = Fields::one("adType", 0).with("adTimeType", "s").with("mobile", Value::List(tags.into()));
    let page = Page::default();
    let situation = page.situation();
    let settings = Settings {
        knobs: Knobs::default(),
        page,
        ready_after: Span::ZERO,
        ads: vec![Value::Map(pre_roll)],
        plan: None,
        volume: Decimal::ONE,
        muted: false,
        bids: Vec::new(),
        ad_loop: None,
        ad_turns: AdTurns::default(),
        listeners: Vec::new().into(),
        seed: 0,
    };
    let config = Fields::one("id", "p1").with("width", "640").with("height", "360").with("video", "v1");

    let mut out = Outbox::new();
    out.begin(0, Cause::Script, Time::ZERO);
    let config = Config::read(&Value::Map(config), UnitKind::Player, &settings.knobs, &mut out)?
        .ok_or("the player's configuration is incomplete")?;
    let player = Player::new(Time::ZERO, "player", config, situation, Arc::new(settings), &mut out);
    World { now: Time::ZERO, player, out, responses: BTreeMap::new(), requests: 0, ad_requests: 0 }.run()
}

/// Everything outside the player.
struct World {
    now: Time,
    player: Player,
    out: Outbox,
    /// Responses on their way, by arrival; the number keeps those of one instant in order.
    responses: BTreeMap<(Time, usize), Input>,
    requests: usize,
    ad_requests: usize,
}

// ANCHOR: run
impl World {
    /// Plays until neither the network nor the player has anything left to do.
    fn run(mut self) -> Result<(), Box<dyn Error>> {
        loop {
            self.drain()?;
            let response = self.responses.keys().next().copied();
            let wake = self.player.next_wake();
            // At one instant responses come first: `Class::Net` is the lowest class of work.
            let input = match (response, wake) {
                (Some(key), wake) if wake.is_none_or(|Wake { at, .. }| key.0 <= at) => {
                    self.now = key.0;
                    self.responses.remove(&key).ok_or("no such response")?
                }
                (_, Some(Wake { at, .. })) => {
                    self.now = at;
                    Input::Wake
                }
                (_, None) => return Ok(()),
            };
            self.input(input)?;
        }
    }

    fn input(&mut self, input: Input) -> Result<(), Box<dyn Error>> {
        self.out.begin(0, Cause::Script, self.now);
        let result = self.player.handle(self.now, input, &mut self.out);
        result.map(drop).map_err(|error| error.text.to_string().into())
    }

    /// Takes what the player has caused, oldest first, until nothing is left.
    fn drain(&mut self) -> Result<(), Box<dyn Error>> {
        while let Some(item) = self.out.pop() {
            match item.output {
                Output::Event(event) => println!("{}  {} {}", self.now, event.name, event.data),
                Output::Callback => self.input(call(Call::Play))?,
                Output::Task(task) => self.input(Input::Task(task))?,
                Output::Fetch(request) => self.fetch(&request),
                // Time updates and trace lines are not shown here; a player never puts the other two.
                Output::TimeUpdates(_) | Output::Line(_) | Output::Media(_) | Output::Entry(_) => {}
            }
        }
        Ok(())
    }
}
// ANCHOR_END: run

impl World {
    /// Decides what a request gets, and when.
    fn fetch(&mut self, request: &Request) {
        println!("{}    request {}", self.now, request.url);
        let id = request.id;
        let (millis, input) = match request.purpose {
            Purpose::Record => (5, Input::Record(id, (*request.url == *"v1").then(content))),
            Purpose::Media => (20, Input::Loaded(id, media(&request.url).ok_or(MediaFault::NotFound.into()))),
            Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist => {
                self.ad_requests += 1;
                let fills = self.ad_requests.is_multiple_of(2);
                (150, Input::Fetched(id, response(&request.url, if fills { AD } else { NO_AD })))
            }
        };
        self.requests += 1;
        self.responses.insert((self.now + Span::from_millis(millis), self.requests), input);
    }
}

fn call(call: Call) -> Input {
    Input::Call(Command { call, args: Vec::new(), within_ready: true })
}

fn content() -> Arc<Video> {
    Arc::new(Video {
        record: VideoRecord { id: "v1".into(), ..VideoRecord::default() },
        renditions: vec![(Rendition::Sd, "content.mp4".into())],
        ..Video::default()
    })
}

fn media(url: &str) -> Option<Arc<MediaInfo>> {
    let seconds = match url {
        "content.mp4" => 10,
        "https://ads.test/spot.mp4" => 4,
        _ => return None,
    };
    Some(Arc::new(MediaInfo { duration: Span::from_secs(seconds), ..MediaInfo::default() }))
}

fn response(url: &str, text: &str) -> Fetched {
    Fetched::Response(Response {
        status: 200,
        text: text.into(),
        name: url.into(),
        document: Arc::new(vast::read(text)),
    })
}

const NO_AD: &str = "<VAST version='4.2'/>";
const AD: &str = r#"
<VAST version="4.2"><Ad id="spot"><InLine>
  <AdSystem>example</AdSystem><AdTitle>Spot</AdTitle>
  <Impression>https://track.test/impression</Impression>
  <Creatives><Creative><Linear>
    <Duration>00:00:04</Duration>
    <MediaFiles>
      <MediaFile delivery="progressive" type="video/mp4" width="640" height="360"
        >https://ads.test/spot.mp4</MediaFile>
    </MediaFiles>
  </Linear></Creative></Creatives>
</InLine></Ad></VAST>"#;
