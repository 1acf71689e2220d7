//! Kills at random moments: answered edits are there after the restart, and none is there in part.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};
use serde_json::{Value as Json, json};

use super::program::{Program, folder};
use super::wire::{Wire, form, request};

const KILLS: u64 = 60;
const CLIENTS: usize = 6;
/// The number of records of each client, which it edits in turn.
const VIDEOS: usize = 3;

/// A client's knowledge of one of its records.
#[derive(Debug, Clone, Copy)]
struct Known {
    /// The last number that was confirmed.
    answered: u64,
    /// The last number that was sent.
    sent: u64,
}

#[derive(Debug, Clone)]
struct Client {
    known: [Known; VIDEOS],
}

fn id(client: usize, video: usize) -> String {
    format!("c{client}-{video}")
}

/// An edit with a number in every field; a record whose fields do not all hold the same number is
/// half an edit.
fn edit(id: &str, number: u64) -> Vec<u8> {
    let n = number.to_string();
    let fields = [
        ("data[Video][id]", id),
        ("data[Video][name]", &n),
        ("data[Video][tags]", &n),
        ("data[Video][channel_id]", &n),
        ("data[CustomParam][key][]", "n"),
        ("data[CustomParam][value][]", &n),
        ("data[Chapter][timestamp][]", "0:00"),
        ("data[Chapter][title][]", &n),
    ];
    request("/apiv3/videos/edit.json", &form(&fields))
}

/// The number that all fields of a record hold.
fn number(record: &Json) -> u64 {
    let text = record["name"].as_str().expect("a name is text");
    let number: u64 = text.parse().expect("a name is a number here");
    assert_eq!(record["tags"], text, "half an edit: {record}");
    assert_eq!(
        record["channel_id"],
        json!(number),
        "half an edit: {record}"
    );
    assert_eq!(
        record["custom_params"],
        json!([["n", text]]),
        "half an edit: {record}"
    );
    assert_eq!(
        record["chapters"][0]["title"], text,
        "half an edit: {record}"
    );
    number
}

/// Sends edits until the server is gone.
fn load(address: SocketAddr, who: usize, mut client: Client, answered: &Sender<()>) -> Client {
    let Ok(mut wire) = Wire::try_to(address) else {
        return client;
    };
    for turn in 0.. {
        let video = turn % VIDEOS;
        let known = &mut client.known[video];
        known.sent += 1;
        match wire.try_ask(&edit(&id(who, video), known.sent)) {
            Some(answer) => {
                assert_eq!(answer.status, 200, "{}", answer.text());
                known.answered = known.sent;
                let _ = answered.send(());
            }
            None => break,
        }
    }
    client
}

/// Compares the stored records with the clients' knowledge, and updates the latter.
fn compare(records: &Json, clients: &mut [Client]) {
    let records = records.as_array().expect("records are a list");
    assert_eq!(records.len(), CLIENTS * VIDEOS);
    for (who, client) in clients.iter_mut().enumerate() {
        for (video, known) in client.known.iter_mut().enumerate() {
            let record = records
                .iter()
                .find(|record| record["id"] == id(who, video))
                .expect("no record is lost");
            let found = number(record);
            let due = known.answered..=known.sent;
            assert!(
                due.contains(&found),
                "{}: found {found}, expected {due:?}",
                id(who, video)
            );
            *known = Known {
                answered: found,
                sent: found,
            };
        }
    }
}

fn seed_records() -> String {
    let ids = (0..CLIENTS).flat_map(|who| (0..VIDEOS).map(move |video| id(who, video)));
    let record = |id: String| {
        json!({
            "id": id, "name": "1", "tags": "1", "channel_id": 1,
            "custom_params": [["n", "1"]],
            "chapters": [{ "timestamp": "0:00", "title": "1" }],
        })
    };
    Json::Array(ids.map(record).collect()).to_string()
}

/// Waits for the given number of responses, and a little longer.
fn wait(answers: &Receiver<()>, count: u64, spins: u64) {
    for _ in 0..count {
        if answers.recv().is_err() {
            return;
        }
    }
    for _ in 0..spins {
        std::hint::spin_loop();
    }
}

#[test]
fn an_acknowledged_edit_survives_a_kill_at_any_moment() {
    let seed = std::env::var("PLAYSIM_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0x5eed);
    println!("seed {seed}; another one: PLAYSIM_SEED=N");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let folder = folder("kill");
    let mut clients = vec![
        Client {
            known: [Known {
                answered: 1,
                sent: 1
            }; VIDEOS]
        };
        CLIENTS
    ];
    seeded(&folder);
    let mut all_answers = 0;
    for kill in 0..KILLS {
        let program = Program::serve(&folder, &["--catalog", "c.redb"]);
        compare(
            &program
                .wire()
                .control("GET", "/_control/records", "")
                .json(),
            &mut clients,
        );
        let (sender, answers) = channel();
        let threads: Vec<JoinHandle<Client>> = clients
            .iter()
            .cloned()
            .enumerate()
            .map(|(who, client)| {
                let (address, sender) = (program.address, sender.clone());
                std::thread::spawn(move || load(address, who, client, &sender))
            })
            .collect();
        drop(sender);
        wait(
            &answers,
            random.next_u64() % 40,
            random.next_u64() % 200_000,
        );
        program.kill();
        clients = threads
            .into_iter()
            .map(|thread| thread.join().expect("a client does not fail"))
            .collect();
        all_answers += clients
            .iter()
            .flat_map(|client| client.known)
            .map(|known| known.answered)
            .sum::<u64>();
        if kill % 4 == 0 {
            // Some kills come while the server starts and repairs what the last one left.
            let mut starting = Program::spawn(&folder, &["--catalog", "c.redb"]);
            wait(&channel().1, 0, random.next_u64() % 3_000_000);
            starting.kill().expect("it runs");
            starting.wait().expect("it ends");
        }
    }
    let program = Program::serve(&folder, &["--catalog", "c.redb"]);
    compare(
        &program
            .wire()
            .control("GET", "/_control/records", "")
            .json(),
        &mut clients,
    );
    assert!(all_answers > KILLS, "the clients sent no load");
}

fn seeded(folder: &Path) {
    let program = Program::serve(folder, &["--catalog", "c.redb"]);
    let answer = program
        .wire()
        .control("PUT", "/_control/records", &seed_records());
    assert_eq!(answer.status, 200, "{}", answer.text());
    program.kill();
}
