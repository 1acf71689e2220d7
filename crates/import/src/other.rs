//! Files that tell of requests and are no recordings: named, with the way to make an archive.

/// How many bytes of a file say what it is.
pub(super) const HEAD: usize = 4 << 10;

/// Returns what a file is that begins like this, and how to make an HTTP archive instead; `None` if
/// it is not of a known form. An ad document and an HTTP archive are none.
#[must_use]
pub fn other_form(head: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(&head[..head.len().min(HEAD)]);
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let (form, instead) = if is_flows(text) {
        (
            "a file of flows of mitmproxy",
            "mitmdump -nr FILE --set hardump=session.har makes an HTTP archive of it",
        )
    } else if is_net_log(text) {
        (
            "a NetLog of Chromium",
            "it has no bodies; save an archive with the developer tools (Export HAR)",
        )
    } else if text.starts_with(['<', '{']) || text.starts_with("HTTP/") {
        return None;
    } else if text.lines().any(is_curl) {
        (
            "what curl -v writes",
            "save the response with curl -si URL > 1.http, or let playsim fetch URL ask the server",
        )
    } else if text.lines().any(is_access) || text.starts_with("#Version:") {
        (
            "an access log of a server",
            "it has no response bodies; save an archive in the browser (Export HAR)",
        )
    } else if is_log(text) {
        (
            "a log in lines",
            "it has no response bodies; save an archive in the browser (Export HAR), or with a proxy",
        )
    } else {
        return None;
    };
    Some(format!(
        "{form}, not a recording that can be read: {instead}"
    ))
}

/// A netstring with a dictionary whose first string has its own length.
fn is_flows(text: &str) -> bool {
    let Some((length, rest)) = text.split_once(':') else {
        return false;
    };
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let inner = rest
        .split_once(':')
        .is_some_and(|(inner, rest)| is_number(inner) && rest.bytes().any(|byte| byte == b';'));
    is_number(length) && inner
}

fn is_net_log(text: &str) -> bool {
    let compact: String = text
        .chars()
        .filter(|it| !it.is_whitespace())
        .take(64)
        .collect();
    compact.starts_with("{\"constants\":{") || compact.starts_with("{\"events\":[")
}

/// `> GET /vast HTTP/1.1`, `< HTTP/2 200`.
fn is_curl(line: &str) -> bool {
    line.starts_with("< HTTP/") || line.starts_with("> ") && line.contains(" HTTP/")
}

/// `203.0.113.9 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 2326`.
fn is_access(line: &str) -> bool {
    let Some((before, rest)) = line.split_once(" HTTP/") else {
        return false;
    };
    let mut after = rest.split_whitespace().skip(1);
    let is_status = |it: &str| it.len() == 3 && it.bytes().all(|byte| byte.is_ascii_digit());
    before.contains('"') && after.next().is_some_and(is_status)
}

/// Lines of which most begin with a clock time, or with a script and its line.
fn is_log(text: &str) -> bool {
    let is_timed = |line: &&str| {
        let start: Vec<char> = line.chars().take(32).collect();
        start.windows(8).any(|it| {
            let is_right = |(at, it): (usize, &char)| match at {
                2 | 5 => *it == ':',
                _ => it.is_ascii_digit(),
            };
            it.iter().enumerate().all(is_right)
        })
    };
    let is_sited = |line: &&str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        word.rsplit_once(':').is_some_and(|(script, at)| {
            !script.is_empty() && !at.is_empty() && at.bytes().all(|it| it.is_ascii_digit())
        })
    };
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let told = lines()
        .filter(|line| is_timed(line) || is_sited(line))
        .count();
    told > 1 && told * 2 > lines().count()
}

#[cfg(test)]
mod tests {
    use super::other_form;

    #[test]
    fn files_that_are_no_recordings_are_named() {
        for (text, due) in [
            ("1841:7:version;2:21#4:type;4:http;", "mitmproxy"),
            ("{ \"constants\": {\"logEventTypes\": {}}", "NetLog"),
            (
                "* Connected\n> GET /vast HTTP/1.1\n> Host: ads.test\n",
                "curl",
            ),
            (
                "192.0.2.1 - - [23/Sep/2026:14:05:01 +0200] \"GET /vast?a=1 HTTP/2.0\" 200 64 \"-\" \"x\"",
                "access log",
            ),
            (
                "[2026-09-24T15:31:02.391Z] ads.js:71 requestAds\n[2026-09-24T15:31:03.020Z] ads.js:102 AdError 1009\n",
                "a log in lines",
            ),
            (
                "09-24 15:31:02.391 D/IMA: a\n09-24 15:31:02.400 D/IMA: b\n",
                "a log in lines",
            ),
        ] {
            let said = other_form(text.as_bytes());
            assert!(
                said.as_deref().is_some_and(|it| it.contains(due)),
                "{text}: {said:?}"
            );
        }
    }

    #[test]
    fn answers_and_archives_are_no_other_form() {
        for text in [
            "<VAST version=\"3.0\"/>",
            "{\"log\": {\"entries\": []}}",
            "{\"seatbid\": []}",
            "HTTP/1.1 200 OK\nDate: Tue, 15 Nov 1994 08:12:31 GMT\nLast-Modified: 08:12:31\n\n<VAST/>",
            "no ad at 12:00:00",
            "",
            "[]",
        ] {
            assert_eq!(other_form(text.as_bytes()), None, "{text}");
        }
    }
}
