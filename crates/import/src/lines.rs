//! A list of requests as a recording in lines, and the requests of a recording in lines.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::recording::{Body, Exchange, RecordedOutcome, RequestRecording};
use super::secrets;
use playsim_api::{Fields, Kind, LineName, NetLine, UiLine, Value};
use playsim_base::time::Time;
use playsim_check::recording;
use playsim_trace::{Digest, Record, Trace};

impl RequestRecording {
    /// Returns the requests and responses of a recording in lines. Bodies are those of the lines'
    /// field `text`.
    #[must_use]
    pub fn of_lines(name: &str, recording: &recording::Recording) -> RequestRecording {
        let mut requests = Requests::default();
        for record in &recording.trace.records {
            requests.take(record);
        }
        RequestRecording {
            name: name.to_owned(),
            exchanges: requests.exchanges,
            films: requests.films,
            ..RequestRecording::default()
        }
    }

    /// Returns the requests and responses as lines, in the order of their times, without secrets.
    /// Each names its entry in the file, from 0, as `entry`.
    ///
    /// # Errors
    ///
    /// Never: the head that it writes is valid.
    pub fn lines(&self) -> Result<recording::Recording, String> {
        let mut lines: Vec<(Time, NetLine, Fields)> = Vec::new();
        let mut clean = self.clone();
        secrets::remove(&mut clean);
        for exchange in &clean.exchanges {
            let fields =
                || Fields::one("url", exchange.url.to_string()).with("entry", entry(exchange));
            lines.push((exchange.at(), NetLine::Request, fields()));
            match &exchange.outcome {
                RecordedOutcome::Response(status) => {
                    let text = exchange.text().map(ToString::to_string);
                    let fields = fields()
                        .with("status", i64::from(*status))
                        .with_some("text", text);
                    lines.push((exchange.over(), NetLine::Response, fields));
                }
                RecordedOutcome::Redirect(status, to) => {
                    let fields = fields()
                        .with("status", i64::from(*status))
                        .with("to", to.to_string());
                    lines.push((exchange.over(), NetLine::Redirect, fields));
                }
                RecordedOutcome::Failed(why) | RecordedOutcome::BrokeOff(why) => {
                    lines.push((
                        exchange.over(),
                        NetLine::Failed,
                        fields().with_some("text", why.clone()),
                    ));
                }
                RecordedOutcome::Unknown => {}
            }
        }
        // Stable: of one instant, those of the file's order stay so.
        lines.sort_by_key(|(at, ..)| *at);
        let head = Fields::one("version", i64::from(recording::VERSION))
            .with("hears", Value::List(vec![Kind::Net.name().into()]));
        let head = record(0, Time::ZERO, playsim_api::HeaderLine::Recording, head);
        let rest = (1..)
            .zip(lines)
            .map(|(seq, (at, name, data))| record(seq, at, name, data));
        let records = std::iter::once(head).chain(rest).collect();
        recording::Recording::of(Trace {
            records,
            players: Vec::new(),
            digest: Digest::default(),
        })
    }
}

/// The requests of lines.
#[derive(Debug, Default)]
struct Requests {
    exchanges: Vec<Exchange>,
    films: Vec<(usize, Record)>,
    /// Those of each URL that were not answered yet.
    open: BTreeMap<Arc<str>, VecDeque<usize>>,
    /// Those that a redirect led to, and that may have a line of their own.
    led: Vec<usize>,
}

impl Requests {
    fn take(&mut self, record: &Record) {
        if record.kind == Kind::Media || record.is(UiLine::Shown) || record.is(UiLine::Gone) {
            self.films.push((self.exchanges.len(), record.clone()));
        }
        let Some(url) = record.data.text("url").map(|url| Arc::from(&**url)) else {
            return;
        };
        let line = NetLine::from_name(&record.name).filter(|_| record.kind == Kind::Net);
        match line {
            Some(NetLine::Request) => {
                // Its line comes in the instant of the redirect.
                let all = &self.exchanges;
                self.led
                    .retain(|index| all[*index].started == Some(record.at));
                let is_it = |index: &usize| all[*index].url == url;
                match self.led.iter().position(is_it) {
                    Some(place) => drop(self.led.remove(place)),
                    None => self.send(record, url),
                }
            }
            None if record.kind == Kind::Beacon => self.send(record, url),
            Some(NetLine::Response | NetLine::Late | NetLine::Dropped) => {
                let status = record.data.integer("status");
                let Some(status) = status.and_then(|status| u16::try_from(status).ok()) else {
                    return;
                };
                if let Some(answered) = self.answer(record, &url) {
                    let text = record.data.text("text");
                    answered.outcome = RecordedOutcome::Response(status);
                    answered.body = text.map_or(Body::Missing, |text| Body::Text((&**text).into()));
                }
            }
            Some(NetLine::Redirect) => {
                let to: Option<Arc<str>> = record.data.text("to").map(|to| (&**to).into());
                let status = record.data.integer("status").unwrap_or(302);
                let status = u16::try_from(status).unwrap_or(302);
                if let (Some(answered), Some(to)) = (self.answer(record, &url), to) {
                    answered.outcome = RecordedOutcome::Redirect(status, Arc::clone(&to));
                    self.led.push(self.exchanges.len());
                    self.send(record, to);
                }
            }
            Some(NetLine::Failed) => {
                let text = record.data.text("text").map(ToString::to_string);
                if let Some(answered) = self.answer(record, &url) {
                    answered.outcome = RecordedOutcome::Failed(text);
                }
            }
            // The player does not wait any more, but the answer may still come.
            Some(NetLine::Timeout) | None => {}
        }
    }

    fn send(&mut self, record: &Record, url: Arc<str>) {
        let open = self.open.entry(Arc::clone(&url)).or_default();
        open.push_back(self.exchanges.len());
        let purpose = record.data.text("via").map(ToString::to_string);
        self.exchanges.push(Exchange {
            number: self.exchanges.len(),
            started: Some(record.at),
            url,
            method: "GET".to_owned(),
            purpose,
            ..Exchange::default()
        });
    }

    /// Returns the first request for a URL that was not answered yet, which now is.
    fn answer(&mut self, record: &Record, url: &str) -> Option<&mut Exchange> {
        let index = self.open.get_mut(url)?.pop_front()?;
        let exchange = &mut self.exchanges[index];
        exchange.time = Some(record.at - exchange.at());
        Some(exchange)
    }
}

fn entry(exchange: &Exchange) -> i64 {
    i64::try_from(exchange.number).unwrap_or(i64::MAX)
}

fn record(seq: u32, at: Time, name: impl Into<LineName>, data: Fields) -> Record {
    let name = name.into();
    Record {
        at,
        seq,
        cause: None,
        rule: None,
        player: None,
        in_break: None,
        opens_turn: true,
        kind: name.kind(),
        name: name.name().into(),
        data,
        run: None,
    }
}
