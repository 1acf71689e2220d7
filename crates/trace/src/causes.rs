//! Why a line exists: its cause, the cause of that, and so on.
//!
//! Rules: TRACE-7, INV-4.

use super::{Record, Trace};
use playsim_base::time::Time;

/// One line of a chain of causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link<'a> {
    /// Its sequence number.
    pub seq: u32,
    /// When it happened; for a run of time updates, the time of this one.
    pub at: Time,
    /// The record that it belongs to.
    pub record: &'a Record,
}

/// A line and its causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Causes<'a> {
    /// The line itself first, the original cause last.
    pub links: Vec<Link<'a>>,
    /// The cause of the last one if the trace does not contain it: it was filtered out, or does not
    /// come before it.
    pub lost: Option<u32>,
}

impl Trace {
    /// Returns the line of this number and its causes; `None` if there is no such line.
    #[must_use]
    pub fn causes(&self, seq: u32) -> Option<Causes<'_>> {
        let mut last = self.link(seq)?;
        let mut causes = Causes {
            links: vec![last],
            lost: None,
        };
        while let Some(cause) = last.record.cause {
            // Only a trace edited by hand names a cause that comes later.
            let Some(link) = self.link(cause).filter(|link| link.seq < last.seq) else {
                causes.lost = Some(cause);
                break;
            };
            last = link;
            causes.links.push(link);
        }
        Some(causes)
    }

    fn link(&self, seq: u32) -> Option<Link<'_>> {
        let record = self.record(seq)?;
        Some(Link {
            seq,
            at: record.time_of(seq.checked_sub(record.seq)?),
            record,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::read_jsonl;

    #[test]
    fn a_chain_goes_back_to_a_line_without_a_cause() {
        let text = "{\"t\":0,\"seq\":3,\"kind\":\"call\",\"name\":\"play\"}\n\
                    {\"t\":5,\"seq\":7,\"kind\":\"event\",\"name\":\"play\",\"cause\":3}\n\
                    {\"t\":9,\"seq\":8,\"kind\":\"event\",\"name\":\"start\",\"cause\":7}\n\
                    {\"t\":9,\"seq\":9,\"kind\":\"event\",\"name\":\"ended\",\"cause\":4}\n\
                    {\"t\":9,\"seq\":10,\"kind\":\"event\",\"name\":\"pause\",\"cause\":10}\n";
        let trace = read_jsonl("a.jsonl", text).expect("it is a trace");
        let chain = |seq| {
            let causes = trace.causes(seq).expect("there is such a line");
            (
                causes.links.iter().map(|link| link.seq).collect::<Vec<_>>(),
                causes.lost,
            )
        };
        assert_eq!(chain(8), (vec![8, 7, 3], None));
        assert_eq!(chain(9), (vec![9], Some(4)));
        assert_eq!(chain(10), (vec![10], Some(10)));
        assert_eq!(trace.causes(4), None);
        assert_eq!(trace.causes(99), None);
    }
}
