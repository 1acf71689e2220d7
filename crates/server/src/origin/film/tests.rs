//! Films read back by a walk over their elements.

use proptest::prelude::*;

use super::*;

/// The elements that have others inside.
const MASTERS: &[u32] = &[
    0x1853_8067,
    0x1549_a966,
    0x1654_ae6b,
    0xae,
    0xe0,
    0xe1,
    0x1f43_b675,
    0x1c53_bb6b,
    0xbb,
    0xb7,
    0x1a45_dfa3,
];

/// An element: ID, content.
struct Element<'f> {
    id: u32,
    content: &'f [u8],
}

fn walk(bytes: &[u8], from: usize, found: &mut Vec<(u32, usize, Vec<u8>)>) {
    let mut at = 0;
    while at < bytes.len() {
        let Element { id, content } = read(bytes, at, from);
        let head = content.as_ptr() as usize - bytes.as_ptr() as usize - at;
        found.push((
            id,
            from + at,
            if MASTERS.contains(&id) {
                Vec::new()
            } else {
                content.to_vec()
            },
        ));
        if MASTERS.contains(&id) {
            walk(content, from + at + head, found);
        }
        at += head + content.len();
    }
    assert_eq!(at, bytes.len(), "the elements fill what holds them");
}

fn read(bytes: &[u8], at: usize, from: usize) -> Element<'_> {
    let id_length = bytes[at].leading_zeros() as usize + 1;
    let id = bytes[at..at + id_length]
        .iter()
        .fold(0, |id, byte| id << 8 | u32::from(*byte));
    let first = bytes[at + id_length];
    let length = first.leading_zeros() as usize + 1;
    let size = bytes[at + id_length..][..length]
        .iter()
        .fold(0_u64, |size, byte| size << 8 | u64::from(*byte));
    let size = usize::try_from(size & ((1 << (7 * length)) - 1)).expect("it fits");
    let start = at + id_length + length;
    assert!(
        start + size <= bytes.len(),
        "element {id:x} at {} is too long",
        from + at
    );
    Element {
        id,
        content: &bytes[start..start + size],
    }
}

fn elements(film: &Film) -> Vec<(u32, usize, Vec<u8>)> {
    let bytes = film.read(0..film.len());
    assert_eq!(bytes.len() as u64, film.len());
    let mut found = Vec::new();
    walk(&bytes, 0, &mut found);
    found
}

fn value(content: &[u8]) -> u64 {
    content
        .iter()
        .fold(0, |value, byte| value << 8 | u64::from(*byte))
}

/// Checks the invariants of every film: lengths, times, cues.
fn check(plan: &FilmPlan) {
    let film = Film::new(plan);
    let found = elements(&film);
    let all = |wanted: u32| found.iter().filter(move |(id, ..)| *id == wanted);
    let one = |wanted: u32| {
        all(wanted)
            .next()
            .map(|(_, _, content)| content.clone())
            .unwrap_or_default()
    };
    assert_eq!(one(0x4489), float(film.duration().micros()));
    assert_eq!(
        (value(&one(0xb0)), value(&one(0xba))),
        (u64::from(plan.size.0), u64::from(plan.size.1))
    );
    assert_eq!(all(0xae).count(), if plan.has_sound { 2 } else { 1 });
    let segment = all(0x1853_8067).next().map_or(0, |(_, at, _)| at + 12);
    let clusters: Vec<u64> = all(0x1f43_b675).map(|(_, at, _)| *at as u64).collect();
    let times: Vec<u64> = all(0xe7).map(|(_, _, content)| value(content)).collect();
    let cues: Vec<(u64, u64)> = all(0xb3)
        .zip(all(0xf1))
        .map(|((_, _, time), (_, _, place))| (value(time), value(place) + segment as u64))
        .collect();
    assert_eq!(
        cues,
        times
            .iter()
            .copied()
            .zip(clusters.iter().copied())
            .collect::<Vec<_>>(),
        "each cluster has a cue"
    );
    let (mut cluster, mut pictures, mut sounds) = (0, Vec::new(), Vec::new());
    let mut place_of = Vec::new();
    for (id, at, content) in &found {
        match *id {
            0xe7 => cluster = value(content),
            0xa3 => {
                let time = cluster + u64::from(u16::from_be_bytes([content[1], content[2]]));
                if content[0] == 0x81 {
                    pictures.push(time);
                    place_of.push(*at as u64);
                } else {
                    sounds.push(time);
                }
            }
            _ => {}
        }
    }
    let due: Vec<u64> = (0..film.duration().micros().div_ceil(40_000))
        .map(|nth| nth * 40)
        .collect();
    assert_eq!(pictures, due);
    let heard = if plan.has_sound {
        film.duration().micros() / 40_000
    } else {
        0
    };
    assert_eq!(sounds.len() as u64, heard);
    for gate in plan
        .gates
        .iter()
        .filter(|gate| gate.micros() < film.duration().micros())
    {
        let Some(place) = place_of.get(usize::try_from(frame_at(*gate)).expect("it fits")) else {
            continue;
        };
        assert_eq!(
            (film.offset_of(*gate), place % BLOCK),
            (*place, 0),
            "the data of a gate begin a block"
        );
    }
    if plan.is_paced {
        assert!(clusters.iter().all(|at| at % BLOCK == 0), "{clusters:?}");
    }
    assert_eq!(film.offset_of(Position::MAX), film.len());
}

fn plan() -> impl Strategy<Value = FilmPlan> {
    let gates = prop::collection::vec((0..9_000_000_u64).prop_map(Position::from_micros), 0..4);
    let size = (1..200_u32, 1..200_u32);
    (0..8_000_000_u64, size, any::<bool>(), any::<bool>(), gates).prop_map(
        |(micros, size, has_sound, is_paced, mut gates)| {
            gates.sort_unstable();
            let duration = Span::from_micros(micros);
            FilmPlan {
                duration,
                size,
                has_sound,
                garbled_from: None,
                gates,
                is_paced,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn films_are_sound(plan in plan()) {
        check(&plan);
    }

    #[test]
    fn any_range_is_that_part_of_the_whole(plan in plan(), one in 0..1100_u64, other in 0..1100_u64) {
        let film = Film::new(&plan);
        let whole = film.read(0..film.len());
        let at = |share: u64| share * whole.len() as u64 / 1000;
        let (from, to) = (at(one.min(other)), at(one.max(other)));
        let within = |at: u64| usize::try_from(at).expect("it fits").min(whole.len());
        prop_assert_eq!(&film.read(from..to)[..], &whole[within(from)..within(to)]);
    }
}

#[test]
fn an_hour_costs_little_until_it_is_read() {
    let film = Film::new(&FilmPlan {
        has_sound: true,
        ..FilmPlan::of_length(Span::from_secs(3600))
    });
    assert!(film.head.len() < 100_000, "{}", film.head.len());
    assert!(film.special.len() == 1);
    let end = film.read(film.len() - 10..film.len());
    assert_eq!(end.len(), 10);
    assert!(film.read(film.len()..film.len() + 10).is_empty());
}

#[test]
fn positions_and_bytes_agree() {
    let film = Film::new(&FilmPlan {
        gates: vec![Position::from_millis(2_500)],
        ..FilmPlan::of_length(Span::from_secs(6))
    });
    assert_eq!(film.played_by(0), Position::ZERO);
    assert_eq!(film.played_by(film.len()), Position::from_secs(6));
    assert_eq!(
        film.offset_of(Position::from_secs(1)),
        film.next_cluster(film.offset_of(Position::ZERO))
    );
    assert_eq!(
        film.played_by(film.offset_of(Position::from_secs(4))),
        Position::from_secs(4)
    );
    assert_eq!(
        film.offset_of(Position::from_micros(2_490_000)),
        film.offset_of(Position::from_millis(2_500))
    );
}

#[test]
fn pictures_are_garbled_from_a_position_on() {
    let plan = FilmPlan {
        garbled_from: Some(Position::from_secs(1)),
        ..FilmPlan::of_length(Span::from_secs(2))
    };
    let film = Film::new(&plan);
    let sound = Film::new(&FilmPlan {
        garbled_from: None,
        ..plan
    });
    assert_eq!(film.len(), sound.len());
    let at = film.offset_of(Position::from_secs(1));
    assert_eq!(film.read(0..at), sound.read(0..at));
    assert_ne!(film.read(at..film.len()), sound.read(at..sound.len()));
}
