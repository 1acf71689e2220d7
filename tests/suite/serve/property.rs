//! Forms damaged at random, against the real server: each response is one that the description
//! lists, only a successful edit writes, and what was written can be read back.

use std::sync::{Mutex, OnceLock, PoisonError};

use playsim::catalog::{ValueSource, VideoRecord, fields};
use playsim::knobs::{KnobReader, Knobs};
use proptest::prelude::*;
use serde_json::Value as Json;

use super::openapi::Described;
use super::server::{Running, knobs};
use super::wire::{Wire, form, request};

const PATH: &str = "/apiv3/video/edit/v1.json";

/// A change to some bytes.
#[derive(Debug, Clone)]
enum Damage {
    Flip(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Remove(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Repeat(prop::sample::Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    let bytes = prop_oneof![
        prop::collection::vec(any::<u8>(), 1..8),
        prop::sample::select(vec![
            "\r\n",
            "--",
            "------playsim",
            "\"",
            ";",
            "name=",
            "[",
            "]",
            "[]",
            "\0",
            "\r\n\r\n",
            "\u{feff}"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::Flip(at, byte)),
        at().prop_map(Damage::Cut),
        (at(), 1_usize..40).prop_map(|(at, len)| Damage::Remove(at, len)),
        (at(), bytes).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        (at(), 1_usize..60).prop_map(|(at, len)| Damage::Repeat(at, len)),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let len = bytes.len();
        match damage {
            Damage::Flip(at, byte) => bytes[at.index(len)] = *byte,
            Damage::Cut(at) => bytes.truncate(at.index(len)),
            Damage::Remove(at, count) => {
                drop(bytes.drain(at.index(len)..(at.index(len) + count).min(len)))
            }
            Damage::Insert(at, more) => {
                drop(bytes.splice(at.index(len)..at.index(len), more.iter().copied()))
            }
            Damage::Repeat(at, count) => {
                let piece = bytes[at.index(len)..(at.index(len) + count).min(len)].to_vec();
                bytes.splice(at.index(len)..at.index(len), piece);
            }
        }
    }
    bytes
}

fn fields_of_a_form() -> impl Strategy<Value = Vec<(String, String)>> {
    let known: Vec<String> = fields()
        .flat_map(|field| {
            field
                .form
                .iter()
                .map(|form| format!("data[Video][{form}]"))
                .collect::<Vec<_>>()
        })
        .chain(
            [
                "name",
                "Chapter[title][]",
                "Chapter[timestamp][]",
                "CustomParam[key][]",
                "pixels[complete]",
            ]
            .map(str::to_owned),
        )
        .collect();
    let value = prop_oneof![
        Just("1".to_owned()),
        Just("01-02-2026".to_owned()),
        Just("DE,us".to_owned()),
        Just(String::new()),
        Just("https://a.test/".to_owned()),
        Just("0:40".to_owned()),
        "\\PC{0,12}",
    ];
    prop::collection::vec((prop::sample::select(known), value), 0..6)
}

/// A server for all cases, and a connection to it.
fn server() -> &'static (Running, Mutex<Wire>) {
    static SERVER: OnceLock<(Running, Mutex<Wire>)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let server = Running::new(&[]);
        let wire = Mutex::new(server.wire());
        (server, wire)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_form_gets_the_described_response_and_is_never_written_in_part(
        fields in fields_of_a_form(),
        damages in prop::collection::vec(damage(), 0..5),
    ) {
        let pairs: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let body = damaged(form(&pairs), &damages);
        let (_, wire) = server();
        let mut wire = wire.lock().unwrap_or_else(PoisonError::into_inner);
        let before = wire.control("GET", "/_control/records", "").json();
        let answer = wire.ask(&request(PATH, &body));
        let after = wire.control("GET", "/_control/records", "").json();
        static DESCRIBED: OnceLock<Described> = OnceLock::new();
        let described = DESCRIBED.get_or_init(|| Described::with(&Knobs::default()));
        prop_assert_eq!(described.judge("POST", "/apiv3/video/edit/{id}.json", &answer), Ok(()));
        prop_assert!([200, 400, 403, 422].contains(&answer.status), "{}", answer.status);
        if answer.status == 200 {
            let record = &answer.json()["Video"];
            prop_assert_eq!(record, &after[2]);
            // The record in the catalog's file is read back unchanged.
            let read = VideoRecord::read(record).expect("a returned record is valid");
            prop_assert_eq!(&serde_json::to_value(&read).expect("it is JSON"), record);
        } else {
            prop_assert_eq!(before, after);
        }
    }

    #[test]
    fn what_a_field_accepts_is_kept_as_it_was_read(text in "\\PC{0,20}|[0-9]{1,2}-[0-9]{1,2}-[0-9]{1,4}|[A-Za-z, ]{0,12}|-?[0-9]{0,11}") {
        for lenient in [false, true] {
            let knobs = if lenient {
                knobs(&[("edit.date_digits", "lenient"), ("edit.empty_integer", "unset"), ("edit.geo_list", "any_two_letters")])
            } else {
                Knobs::default()
            };
            let knobs = KnobReader::from(knobs);
            let source = ValueSource::Call { knobs: &knobs, channels: None };
            for field in fields().filter(|field| field.kind.lists.is_empty() && field.kind.keys.is_empty()) {
                match field.kind.read(&text, source) {
                    Ok(value) => {
                        let mut record = VideoRecord { id: "v1".into(), ..VideoRecord::default() };
                        field.set(&mut record, &value);
                        let json: Json = serde_json::to_value(&record).expect("it is JSON");
                        prop_assert_eq!(VideoRecord::read(&json), Ok(record), "{} {:?}", field.name, text);
                    }
                    Err(fault) => prop_assert!(!fault.due.is_empty(), "{}", field.name),
                }
            }
        }
    }
}
