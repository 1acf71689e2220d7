//! A list of requests as a recording in lines, for what judges and compares traces.

use super::recording::{Exchange, RecordedOutcome, RequestRecording};
use super::secrets;
use playsim_api::{Fields, Kind, LineName, NetLine, Value};
use playsim_base::time::Time;
use playsim_check::recording;
use playsim_trace::{Digest, Record, Trace};

impl RequestRecording {
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
