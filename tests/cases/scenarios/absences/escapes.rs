//! Control characters of a scenario: every form of its trace shows them escaped, none contains
//! them.

use std::fmt;

use playsim::diff::{Side, compare};
use playsim::report::page::ReportPage;
use playsim::report::waterfall::Waterfalls;
use playsim::time::Span;
use playsim::trace::{
    Filter, Site, Trace, View, write_causes, write_chrome_trace, write_har, write_jsonl,
    write_pixels, write_summary, write_text,
};

use super::Absence;
use super::support::play;

pub(crate) const ALL: &[Absence] = &[Absence {
    name: "no form of a trace contains an unescaped control character",
    rules: &["TRACE-9"],
    check: escaped,
}];

const HOSTILE: &str = r#"
name: "\e[31mred\x9b\u202e"
videos: [{ id: v1, name: "film\e\r\nlie", renditions: { sd: "film\x7f.mp4" } }]
media: { default: { duration: 3s } }
network: { "https://ads.test/\e": { text: "<VAST version='4.2'><Ad id='\a\u2066'/></VAST>" } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: ["https://ads.test/\e", "https://ads.test/\ufeff\u2028"] }] }
steps:
  - { at: 0s, init: { div: player, config: { id: "p\b", width: "640", height: "360", video: v1, autoplay: true } } }
  - { at: 1s, read: getTitle }
"#;

fn escaped() -> Result<(), String> {
    let trace = play(HOSTILE);
    let all = Filter {
        view: View::All,
        ..Filter::default()
    };
    let text = |write: &dyn Fn(&mut String) -> fmt::Result| {
        let mut text = String::new();
        write(&mut text)
            .map(|()| text)
            .map_err(|error| error.to_string())
    };
    let archive = |sink: &mut String| {
        let site = Site {
            epoch_micros: 0,
            url: "https://page.test/",
            bodies: &mut |_| None,
        };
        write_har(&trace, &all, true, site, sink)
    };
    for (form, written, shown) in [
        (
            "text",
            text(&|sink| write_text(&trace, &all, true, sink))?,
            "\\u{1b}",
        ),
        (
            "summary",
            text(&|sink| write_summary(&trace, &all, true, sink))?,
            "\\u{1b}",
        ),
        (
            "pixels",
            text(&|sink| write_pixels(&trace, &all, true, sink))?,
            "\\u{1b}",
        ),
        (
            "html",
            text(&|sink| ReportPage::new(&trace).with_filter(&all).write(sink))?,
            "\\u{1b}",
        ),
        (
            "jsonl",
            text(&|sink| write_jsonl(&trace, &all, true, sink))?,
            "\\u001b",
        ),
        (
            "chrome-trace",
            text(&|sink| write_chrome_trace(&trace, &all, true, sink))?,
            "\\u001b",
        ),
        ("har", text(&archive)?, "\\u001b"),
        ("causes", causes(&trace)?, ""),
        ("difference", difference(&trace, &all)?, "\\u{1b}"),
        (
            "waterfall",
            Waterfalls::of(&trace).text(100, false),
            "\\u{1b}",
        ),
        (
            "waterfall as JSON",
            Waterfalls::of(&trace).json(),
            "\\u001b",
        ),
    ] {
        let is_obeyed = |letter: char| {
            letter != '\n'
                && (letter.is_control()
                    || "\u{2028}\u{2029}\u{202e}\u{2066}\u{feff}".contains(letter))
        };
        if let Some(line) = written.lines().find(|line| line.contains(is_obeyed)) {
            return Err(format!("{form} holds {line:?}"));
        }
        if !written.contains(shown) {
            return Err(format!("{form} does not show {shown}: {written}"));
        }
        if form != "html" && written.lines().any(|line| line.starts_with("lie")) {
            return Err(format!("{form} breaks a string into lines: {written}"));
        }
    }
    Ok(())
}

fn causes(trace: &Trace) -> Result<String, String> {
    let mut text = String::new();
    for record in &trace.records {
        let causes = trace.causes(record.seq).ok_or("no causes")?;
        write_causes(trace, &causes, 100, &mut text).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn difference(trace: &Trace, filter: &Filter) -> Result<String, String> {
    let other = play(&HOSTILE.replace("\\e", "\\e\\e"));
    let (first, second) = (
        Side::of_trace("a\u{1b}", trace.clone(), filter),
        Side::of_trace("b", other, filter),
    );
    let mut text = String::new();
    compare(&first, &second, Span::ZERO)
        .write(usize::MAX, &mut text)
        .map_err(|error| error.to_string())?;
    Ok(text)
}
