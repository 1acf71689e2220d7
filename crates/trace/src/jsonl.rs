//! Traces as JSON lines: the canonical form, one object per line, keys in a fixed order.
//!
//! Rules: TRACE-1, TRACE-4, TRACE-5.

use std::fmt::{self, Write};

use super::{Filter, Record, Trace};

/// Writes the lines that the filter shows; each time update has a line and a number of its own.
///
/// # Errors
///
/// If the sink fails.
pub fn write_jsonl(
    trace: &Trace,
    filter: &Filter,
    why: bool,
    sink: &mut impl Write,
) -> fmt::Result {
    for record in trace.records.iter().filter(|record| filter.shows(record)) {
        write_jsonl_record(record, trace.container(record).map(|id| &**id), why, sink)?;
    }
    Ok(())
}

/// Writes one record, as many lines as it covers.
///
/// # Errors
///
/// If the sink fails.
pub(super) fn write_jsonl_record(
    record: &Record,
    container: Option<&str>,
    why: bool,
    sink: &mut impl Write,
) -> fmt::Result {
    for (seq, at) in record.each() {
        write!(sink, "{{\"t\":{},\"seq\":{seq}", at.micros())?;
        if let Some(container) = container {
            write!(sink, ",\"player\":{}", quoted(container))?;
        }
        if let Some(number) = record.in_break {
            write!(sink, ",\"break\":{number}")?;
        }
        write!(
            sink,
            ",\"kind\":\"{}\",\"name\":{}",
            record.kind.name(),
            quoted(&record.name)
        )?;
        if !record.data.is_empty() {
            write!(sink, ",\"data\":{}", record.data)?;
        }
        if let Some(cause) = record.cause {
            write!(sink, ",\"cause\":{cause}")?;
        }
        if let Some(rule) = record.rule.filter(|_| why) {
            write!(sink, ",\"rule\":\"{rule}\"")?;
        }
        sink.write_str("}\n")?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    playsim_api::Value::from(text.to_owned()).to_string()
}
