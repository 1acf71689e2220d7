//! Decisions without sockets.

use super::*;
use playsim_api::media::MediaFault;
use playsim_base::time::{Position, Time};
use playsim_scenario::{AnswerScript, MediaScript, ScriptedAnswer};

const AD: &str = "<VAST version='4.2'><Ad><InLine><Impression>https://t.test/i?cb=[CACHEBUSTING]</Impression>\
    <Error>http://t.test/e</Error><Creatives><Creative><Linear><Duration>00:00:03</Duration><VideoClicks>\
    <ClickThrough>http://shop.test</ClickThrough></VideoClicks><MediaFiles>\
    <MediaFile type='video/mp4' width='320' height='180'>https://m.test/ad.mp4</MediaFile>\
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

fn scenario() -> Scenario {
    let silent = ScriptedAnswer::Silence;
    Scenario::default()
        .with_answer(
            "https://ads.test/one?cb=[CB]",
            AnswerScript::body(AD).after(Span::from_millis(120)),
        )
        .with_answer(
            "https://ads.test/one?cb=[CB]",
            ScriptedAnswer::Fails(NetworkFault::Reset),
        )
        .with_answer(
            "http://ads.test/refused",
            ScriptedAnswer::Fails(NetworkFault::Refused),
        )
        .with_answer(
            "http://ads.test/cut",
            ScriptedAnswer::Fails(NetworkFault::Truncated),
        )
        .with_answer(
            "http://ads.test/loop",
            ScriptedAnswer::Fails(NetworkFault::Redirects),
        )
        .with_answer("http://ads.test/silent", silent)
        .with_answer(
            "http://ads.test/cors",
            ScriptedAnswer::Fails(NetworkFault::Cors),
        )
        .with_answer(
            "http://ads.test/blocked",
            ScriptedAnswer::Fails(NetworkFault::Blocked),
        )
        .with_answer(
            "http://ads.test/away",
            ScriptedAnswer::Redirect {
                status: 307,
                to: "https://ads.test/x".into(),
            },
        )
        .with_answer("http://ads.test", AnswerScript::body("no document"))
        .with_media(
            "http://content.test/film.webm",
            MediaScript::of_length(Span::from_secs(6)),
        )
        .with_media("relative.webm", MediaScript::of_length(Span::from_secs(1)))
        .with_media(
            "https://m.test/ad.mp4",
            MediaScript {
                is_as_said: true,
                ..MediaScript::of_length(Span::from_secs(30))
            },
        )
}

fn get(url: &str) -> Asked<'_> {
    Asked {
        method: "GET",
        url,
        ..Asked::default()
    }
}

fn response(origin: &Origin, asked: &Asked<'_>) -> OriginResponse {
    match origin.answer(asked, 0).reply {
        Reply::Response(response) => response,
        other @ (Reply::Never | Reply::Closed | Reply::Reset) => panic!("{other:?}"),
    }
}

fn header<'r>(response: &'r OriginResponse, name: &str) -> Option<&'r str> {
    response
        .headers
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value.as_str())
}

fn text(response: &OriginResponse) -> String {
    let bytes = response
        .body
        .pieces
        .iter()
        .flat_map(|piece| response.body.source.read(piece.bytes.clone()));
    String::from_utf8(bytes.collect()).expect("it is text")
}

#[test]
fn media_are_used_up_load_by_load() {
    let loads = MediaScript::of_loads(vec![
        MediaScript {
            fails: Some((None, MediaFault::NotFound)),
            ..MediaScript::default()
        },
        MediaScript::of_length(Span::from_secs(1)),
    ]);
    let scenario = Scenario::default().with_media("http://m.test/a.webm", loads.expect("two"));
    let counting = Counting::new(Origin::new(&scenario, true));
    let status = |range| {
        let asked = Asked {
            range,
            ..get("http://m.test/a.webm")
        };
        let reply = counting.answer(&asked).reply;
        let Reply::Response(response) = reply else {
            panic!("{reply:?}");
        };
        response.status
    };
    assert_eq!(status(Some("bytes=0-")), 404);
    // Two requests of the second load.
    assert_eq!(status(Some("bytes=0-")), 206);
    assert_eq!(status(Some("bytes=100-")), 206);
    assert_eq!(status(None), 200);
}

#[test]
fn responses_are_used_up_in_order_whatever_the_macros_and_the_scheme() {
    let origin = Origin::new(&scenario(), true);
    let asked = get("http://ads.test/one?cb=123");
    let counter = origin.counter(&asked).expect("it is listed");
    assert_eq!(
        origin.counter(&get("http://ads.test/one?cb=x")),
        Some(counter)
    );
    assert_eq!(
        origin.counter(&Asked {
            method: "HEAD",
            ..asked
        }),
        None
    );
    let first = origin.answer(&asked, 0);
    assert_eq!(
        (first.what, first.after),
        (AssetKind::Tag, Span::from_millis(120))
    );
    assert_eq!(origin.answer(&asked, 1).reply, Reply::Reset);
    assert_eq!(
        origin.answer(&asked, 9).reply,
        Reply::Reset,
        "the last one repeats"
    );
}

#[test]
fn https_becomes_http_for_the_hosts_of_the_scenario_only() {
    let scenario = scenario().with_answer(
        "http://ads.test/two",
        AnswerScript::body("https://t.test/ https://other.org/"),
    );
    let asked = get("http://ads.test/two");
    assert_eq!(
        text(&response(&Origin::new(&scenario, true), &asked)),
        "http://t.test/ https://other.org/"
    );
    assert_eq!(
        text(&response(&Origin::new(&scenario, false), &asked)),
        "https://t.test/ https://other.org/"
    );
    let away = response(&Origin::new(&scenario, true), &get("http://ads.test/away"));
    assert_eq!(
        (away.status, header(&away, "location")),
        (307, Some("http://ads.test/x"))
    );
}

#[test]
fn connections_fail_as_the_scenario_says() {
    let origin = Origin::new(&scenario(), true);
    let reply = |url| origin.answer(&get(url), 0).reply;
    assert_eq!(reply("http://ads.test/refused"), Reply::Closed);
    assert_eq!(reply("http://ads.test/silent"), Reply::Never);
    assert_eq!(reply("http://ads.test/blocked"), Reply::Closed);
    assert_eq!(
        origin.blocked().collect::<Vec<_>>(),
        ["http://ads.test/blocked"]
    );
    let cut = response(&origin, &get("http://ads.test/cut"));
    let length: u64 = header(&cut, "content-length")
        .and_then(|it| it.parse().ok())
        .expect("it has a length");
    assert!(cut.body.sent() < length && cut.body.end == End::Cut(Span::ZERO));
    let first = response(&origin, &get("http://ads.test/loop"));
    let next = header(&first, "location").expect("it leads on");
    let second = response(&origin, &get(&format!("http://ads.test{next}")));
    assert_eq!(
        (second.status, header(&second, "location")),
        (302, Some("/.playsim/loop/2"))
    );
}

#[test]
fn a_response_that_pages_may_not_read_has_no_cors_headers() {
    let origin = Origin::new(&scenario(), true);
    for method in ["GET", "OPTIONS"] {
        let allows = |url| {
            let asked = Asked {
                method,
                origin: Some("http://page.test"),
                ..get(url)
            };
            header(&response(&origin, &asked), "access-control-allow-origin").map(str::to_owned)
        };
        assert_eq!(allows("http://ads.test/cors"), None, "{method}");
        assert_eq!(
            allows("http://ads.test"),
            Some("http://page.test".to_owned()),
            "{method}"
        );
    }
}

#[test]
fn what_documents_name_is_served_and_everything_else_is_not_found() {
    let origin = Origin::new(&scenario(), true);
    let what = |url| origin.answer(&get(url), 0).what;
    assert_eq!(
        what("http://t.test/i?cb=77"),
        AssetKind::Tracker("impression".into())
    );
    assert_eq!(what("http://t.test/e"), AssetKind::Tracker("error".into()));
    assert_eq!(what("http://shop.test/"), AssetKind::File);
    assert_eq!(
        what("http://ads.test/"),
        AssetKind::Tag,
        "browsers add a slash to a host"
    );
    assert_eq!(what("http://any.test/relative.webm"), AssetKind::Film);
    assert_eq!(what("http://t.test/other"), AssetKind::Unknown);
    let missing = response(&origin, &get("http://t.test/other"));
    assert_eq!(missing.status, 404);
    assert!(text(&missing).contains("lists no response"));
    let hosts: Vec<&str> = origin.hosts().collect();
    assert_eq!(
        hosts,
        ["ads.test", "content.test", "m.test", "shop.test", "t.test"]
    );
}

#[test]
fn pages_of_any_origin_may_read_everything() {
    let origin = Origin::new(&scenario(), true);
    for url in [
        "http://ads.test/one?cb=1",
        "http://t.test/i?cb=1",
        "http://content.test/film.webm",
        "http://no.test/",
    ] {
        let asked = Asked {
            origin: Some("http://page.test"),
            ..get(url)
        };
        let answer = response(&origin, &asked);
        assert_eq!(
            header(&answer, "access-control-allow-origin"),
            Some("http://page.test"),
            "{url}"
        );
        assert_eq!(
            header(&answer, "access-control-allow-credentials"),
            Some("true"),
            "{url}"
        );
        assert_eq!(header(&answer, "cache-control"), Some("no-store"), "{url}");
    }
    let asked = Asked {
        method: "OPTIONS",
        wanted_headers: Some("x-a, x-b"),
        ..get("http://ads.test/one?cb=1")
    };
    let preflight = response(&origin, &asked);
    assert_eq!(
        (
            preflight.status,
            header(&preflight, "access-control-allow-headers")
        ),
        (204, Some("x-a, x-b"))
    );
    assert_eq!(origin.counter(&asked), None, "a preflight uses up nothing");
}

#[test]
fn films_have_the_length_and_size_that_documents_say() {
    let origin = Origin::new(&scenario(), true);
    let film = |url| match response(&origin, &get(url)).body.source {
        OriginSource::Film(film) => film,
        OriginSource::Text(_) | OriginSource::Bytes(_) => panic!("{url} is not a film"),
    };
    let ad = FilmPlan {
        size: (320, 180),
        ..FilmPlan::of_length(Span::from_secs(3))
    };
    assert_eq!(*film("http://m.test/ad.mp4"), Film::new(&ad));
    assert_eq!(
        film("http://content.test/film.webm").duration(),
        Span::from_secs(6)
    );
    assert_eq!(
        header(
            &response(&origin, &get("http://m.test/ad.mp4")),
            "content-type"
        ),
        Some("video/mp4")
    );
}

#[test]
fn a_text_has_the_type_that_it_states_or_that_its_ending_or_its_beginning_says() {
    let page = "<!doctype html><p>a page</p>";
    let stated = AnswerScript {
        content_type: Some("application/xhtml+xml".into()),
        ..AnswerScript::body(page)
    };
    let in_file = ScriptedAnswer::Body {
        status: 200,
        name: "pages/ad.HTML".into(),
        text: page.into(),
    };
    let scenario = scenario()
        .with_answer("http://site.test/page.html?x=1", AnswerScript::body(page))
        .with_answer("http://site.test/lib.js", AnswerScript::body("let a = 1;"))
        .with_answer("http://site.test/style.css", AnswerScript::body("p {}"))
        .with_answer("http://site.test/file", in_file)
        .with_answer("http://site.test/stated.html", stated)
        .with_answer("http://site.test/list", AnswerScript::body("[1]"));
    let origin = Origin::new(&scenario, true);
    for (url, expected) in [
        ("http://site.test/page.html?x=1", HTML),
        ("http://site.test/lib.js", SCRIPT),
        ("http://site.test/style.css", "text/css; charset=utf-8"),
        ("http://site.test/file", HTML),
        ("http://site.test/stated.html", "application/xhtml+xml"),
        ("http://site.test/list", "application/json"),
        ("http://ads.test/one?cb=1", XML),
        ("http://ads.test", PLAIN),
    ] {
        let response = response(&origin, &get(url));
        assert_eq!(header(&response, "content-type"), Some(expected), "{url}");
    }
}

#[test]
fn ranges_are_parts_of_the_film() {
    let origin = Origin::new(&scenario(), true);
    let asked = |range| Asked {
        range: Some(range),
        ..get("http://content.test/film.webm")
    };
    let whole = response(&origin, &get("http://content.test/film.webm"));
    let length = whole.body.source.len();
    for (range, status, due) in [
        ("bytes=0-", 206, Some(0..length)),
        ("bytes=10-19", 206, Some(10..20)),
        ("bytes=-5", 206, Some(length - 5..length)),
        ("bytes=0-1,5-6", 200, Some(0..length)),
        ("bytes=99999999-", 416, None),
    ] {
        let answer = response(&origin, &asked(range));
        assert_eq!(answer.status, status, "{range}");
        let Some(due) = due else {
            assert_eq!(
                header(&answer, "content-range"),
                Some(&*format!("bytes */{length}"))
            );
            continue;
        };
        assert_eq!(
            header(&answer, "content-length"),
            Some(&*(due.end - due.start).to_string()),
            "{range}"
        );
        assert_eq!(
            answer.body.pieces,
            [Piece {
                wait: Span::ZERO,
                bytes: due
            }],
            "{range}"
        );
    }
    let head = response(
        &origin,
        &Asked {
            method: "HEAD",
            ..get("http://content.test/film.webm")
        },
    );
    assert_eq!(
        (head.body.sent(), header(&head, "content-length")),
        (0, Some(&*length.to_string()))
    );
}

#[test]
fn a_film_has_a_sound_track_where_the_scenario_says_so() {
    let script = MediaScript {
        has_sound: true,
        ..MediaScript::of_length(Span::from_secs(1))
    };
    let origin = Origin::new(
        &Scenario::default().with_media("http://m.test/a.webm", script),
        true,
    );
    let plan = FilmPlan {
        has_sound: true,
        ..FilmPlan::of_length(Span::from_secs(1))
    };
    let source = OriginSource::Film(Arc::new(Film::new(&plan)));
    assert_eq!(
        response(&origin, &get("http://m.test/a.webm")).body.source,
        source
    );
}

/// The waits of a film's pieces in milliseconds, and its end.
fn waits(script: MediaScript, range: Option<&str>) -> (Vec<u64>, End) {
    let scenario = Scenario::default().with_media("http://m.test/a.webm", script);
    let origin = Origin::new(&scenario, true);
    let answer = response(
        &origin,
        &Asked {
            range,
            at: Time::from_secs(9),
            ..get("http://m.test/a.webm")
        },
    );
    (
        answer
            .body
            .pieces
            .iter()
            .map(|piece| piece.wait.micros() / 1000)
            .collect(),
        answer.body.end,
    )
}

#[test]
fn films_stall_and_break_when_they_would_be_played_there() {
    let of = |stalls: &[(u64, u64)], fails| MediaScript {
        stalls: stalls
            .iter()
            .map(|(at, length)| (Position::from_secs(*at), Span::from_secs(*length)))
            .collect(),
        fails,
        ..MediaScript::of_length(Span::from_secs(6))
    };
    assert_eq!(
        waits(of(&[(2, 1), (4, 3)], None), None),
        (vec![0, 3_000, 5_000], End::Complete)
    );
    assert_eq!(
        waits(of(&[(2, 1)], None), Some("bytes=160000-")),
        (vec![0], End::Complete),
        "after the stall"
    );
    let broken = Some((Some(Position::from_secs(3)), MediaFault::Network));
    assert_eq!(
        waits(of(&[], broken), None),
        (vec![0], End::Cut(Span::from_millis(2_700)))
    );
    assert_eq!(
        waits(of(&[(1, 1)], broken), None),
        (vec![0, 2_000], End::Cut(Span::from_millis(1_700)))
    );
}

#[test]
fn what_follows_a_broken_connection_stays_lost() {
    let fails = Some((Some(Position::from_secs(1)), MediaFault::Network));
    let script = MediaScript {
        fails,
        ..MediaScript::of_length(Span::from_secs(6))
    };
    let origin = Origin::new(
        &Scenario::default().with_media("http://m.test/a.webm", script),
        true,
    );
    let asked = Asked {
        range: Some("bytes=98304-"),
        ..get("http://m.test/a.webm")
    };
    assert_eq!(response(&origin, &asked).status, 503);
}

#[test]
fn data_arrive_by_the_bandwidth_of_the_scenario() {
    let delivery = playsim_api::media::Delivery {
        bitrate: 1_000_000,
        bandwidth: vec![(Time::ZERO, 500_000)],
    };
    let script = MediaScript {
        delivery: Some(delivery),
        ..MediaScript::of_length(Span::from_secs(2))
    };
    // 0.4 s of film take 0.8 s, of which the head takes none.
    assert_eq!(
        waits(script, None),
        (vec![0, 800, 800, 800, 800, 800], End::Complete)
    );
    let dead = playsim_api::media::Delivery {
        bitrate: 1_000_000,
        bandwidth: vec![(Time::ZERO, 0)],
    };
    let script = MediaScript {
        delivery: Some(dead),
        ..MediaScript::of_length(Span::from_secs(2))
    };
    assert_eq!(waits(script, None), (vec![0], End::Never));
}
