//! Strings of forms, and the values that they are read as.

use super::*;
use playsim_rules::knobs::{KnobReader, Knobs, Switch};

fn call(knobs: &KnobReader) -> ValueSource<'_> {
    ValueSource::Call {
        knobs,
        channels: Some(&[7]),
    }
}

fn read(of: fn(&str, ValueSource<'_>) -> Read, text: &str, knobs: &KnobReader) -> String {
    of(text, call(knobs)).map_or_else(|fault| fault.code.to_owned(), |value| value.to_string())
}

#[test]
fn urls_are_absolute() {
    for right in [
        "http://a",
        "https://a.test/",
        "HTTPS://A.test:8080/x?y=1#z",
        "https://u:p@a.test/",
        "http://[::1]:80/",
        "https://a.test/ä?q=€",
        "https://a.test:/",
        "https://[2001:db8::1]",
    ] {
        assert!(is_absolute(right), "{right}");
    }
    for wrong in [
        "a.test",
        "//a.test/",
        "/x",
        "ftp://a.test/",
        "https://",
        "https:///x",
        "https:a.test",
        "https://a b.test/",
        "https://a.test/<x>",
        "https://:80/",
        "https://a.test:99999/",
        "https://a.test:+1/",
        "https://a.test:80x/",
        "javascript://a.test/",
        " https://a.test/",
        "https://?x",
        "https://[]/",
        "https://[x]/",
        "https://[::1/",
        "https://.test/",
        "https://a]b/",
    ] {
        assert!(!is_absolute(wrong), "{wrong}");
    }
    assert_eq!(url("", ValueSource::Catalog), Ok(Value::Null));
    assert_eq!(url("/x", ValueSource::Scenario), Ok(Value::from("/x")));
}

#[test]
fn tags_lose_blanks_and_empty_parts() {
    let of = |text: &str| {
        tags(text, ValueSource::Catalog)
            .as_text()
            .map(ToString::to_string)
    };
    assert_eq!(
        of(" news ,, sport,news , "),
        Some("news, sport, news".to_owned())
    );
    assert_eq!(of(" , ,"), Some(String::new()));
    assert_eq!(of("news, sport"), Some("news, sport".to_owned()));
}

#[test]
fn dates_are_two_two_and_four_digits_of_a_day_that_exists() {
    let strict = KnobReader::default();
    let lenient = KnobReader::from(Knobs {
        edit_date_digits: DateDigits::Lenient,
        ..Knobs::default()
    });
    for (text, of_strict, of_lenient) in [
        ("31-01-2024", "\"31-01-2024\"", "\"31-01-2024\""),
        ("1-2-2020", "bad_date", "\"01-02-2020\""),
        ("29-02-2024", "\"29-02-2024\"", "\"29-02-2024\""),
        ("29-02-2023", "no_such_date", "no_such_date"),
        ("31-13-2023", "no_such_date", "no_such_date"),
        ("2024-01-31", "bad_date", "bad_date"),
        ("31/01/2024", "bad_date", "bad_date"),
        ("31-01-24", "bad_date", "bad_date"),
        ("+1-01-2024", "bad_date", "bad_date"),
        ("001-01-2024", "bad_date", "bad_date"),
        ("00-00-0000", "zero_date", "zero_date"),
        ("0-0-0000", "bad_date", "zero_date"),
        ("00-01-2024", "no_such_date", "no_such_date"),
        ("", "null", "null"),
        (" 31-01-2024", "bad_date", "bad_date"),
    ] {
        assert_eq!(read(date, text, &strict), of_strict, "{text}");
        assert_eq!(read(date, text, &lenient), of_lenient, "{text}");
    }
    assert_eq!(read(end_date, "00-00-0000", &strict), "null");
    let fault = end_date("2024-1-31", call(&strict)).unwrap_err();
    assert_eq!(fault.meant.as_deref(), Some("31-01-2024"));
    assert_eq!(date("00-00-0000", ValueSource::Page), Ok(Value::Null));
}

#[test]
fn countries_are_those_of_the_list() {
    let iso = KnobReader::default();
    let any = KnobReader::from(Knobs {
        edit_geo_list: GeoList::AnyTwoLetters,
        ..Knobs::default()
    });
    assert_eq!(read(countries, " us,De ,,", &iso), "[\"US\",\"DE\"]");
    assert_eq!(read(countries, "", &iso), "[]");
    for wrong in ["USA", "U", "U1", "US;DE", "XX", "ß"] {
        assert_eq!(read(countries, wrong, &iso), "unknown_country", "{wrong}");
    }
    assert_eq!(read(countries, "xx", &any), "[\"XX\"]");
    assert_eq!(read(countries, "USA", &any), "unknown_country");
    let fault = countries("US, UK", call(&iso)).unwrap_err();
    assert_eq!(
        (fault.part.as_deref(), fault.meant.as_deref()),
        (Some("UK"), Some("GB"))
    );
    assert_eq!(
        countries("us", ValueSource::Page),
        Ok(Value::List(vec!["us".into()]))
    );
}

#[test]
fn integers_are_plain_digits() {
    let knobs = KnobReader::default();
    assert_eq!(read(channel, "7", &knobs), "7");
    assert_eq!(read(channel, "8", &knobs), "unknown_channel");
    for wrong in ["0", "-7", "+7", "7.0", " 7", "seven", "99999999999"] {
        assert_eq!(read(channel, wrong, &knobs), "not_an_integer", "{wrong}");
    }
    assert_eq!(read(channel, "", &knobs), "empty");
    let unset = KnobReader::from(Knobs {
        edit_empty_integer: EmptyInteger::Unset,
        ..Knobs::default()
    });
    assert_eq!(read(channel, "", &unset), "null");
}

#[test]
fn audience_measurement_is_checked_on_demand() {
    let checked = KnobReader::from(Knobs {
        edit_comscore_check: Switch::On,
        ..Knobs::default()
    });
    for (text, air, flag) in [
        ("", "\"\"", "\"\""),
        ("0", "bad_date", "\"0\""),
        ("yes", "bad_date", "not_allowed"),
        ("2024-01-31", "\"2024-01-31\"", "not_allowed"),
        ("31-01-2024", "bad_date", "not_allowed"),
        ("2023-02-29", "bad_date", "not_allowed"),
        ("2024-1-31", "bad_date", "not_allowed"),
    ] {
        assert_eq!(
            (
                read(air_date, text, &checked),
                read(text_flag, text, &checked)
            ),
            (air.into(), flag.into())
        );
        let unchecked = KnobReader::from(Knobs {
            edit_comscore_check: Switch::Off,
            ..Knobs::default()
        });
        assert_eq!(read(air_date, text, &unchecked), format!("{text:?}"));
    }
}
