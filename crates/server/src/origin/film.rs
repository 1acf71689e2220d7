//! Films of any length, made without an encoder: one VP8 key frame, repeated in WebM, and silence
//! in Opus.
//!
//! The place of each byte is computed, so that an hour costs no more than a second until it is
//! read. A film can be prepared for a pause: everything before a position of [`FilmPlan::gates`]
//! can be played without any later byte. Chromium passes on data in blocks of 32 kB, so the data of
//! a gate begin with such a block.
//!
//! Sources: RFC 9559 (Matroska), RFC 8794 (EBML), RFC 6386 (VP8), RFC 6716 and 7845 (Opus).

use std::collections::BTreeMap;
use std::ops::Range;

use super::ebml::{element, float, number, size_of_four, size_of_seven, void};
use playsim_base::time::{Position, Span};

/// The length of one picture.
pub(super) const FRAME: Span = Span::from_millis(40);
/// Chromium passes on arriving data in blocks of this many bytes, counted from the start of the
/// file.
pub(super) const BLOCK: u64 = 32 << 10;
/// The most entries of the table that seeks use.
const MOST_CUES: u64 = 3600;
/// The pictures of a cluster, which is a second.
const FRAMES: u64 = 25;
/// The pictures of a cluster whose arrival is paced: how finely data arrive.
const PACED_FRAMES: u64 = 10;
/// Two packets of silence of 20 ms each, in one.
const SILENCE: [u8; 6] = [0xfb, 2, 0xff, 0xfe, 0xff, 0xfe];
/// The largest picture that VP8 has, in both directions.
const MOST_PIXELS: u32 = (1 << 14) - 1;
/// The longest film: a cluster has its time in 32 bits of milliseconds.
const LONGEST: Span = Span::from_secs(u32::MAX as u64 / 1000 - 1);

/// The role of a film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilmPlan {
    /// How long it lasts.
    pub duration: Span,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Whether it has a sound track, which is silent.
    pub has_sound: bool,
    /// The position from which its frames cannot be decoded.
    pub garbled_from: Option<Position>,
    /// The positions at which the data may pause or end; ascending.
    pub gates: Vec<Position>,
    /// Whether its data arrive by a bandwidth, and therefore in pieces of whole blocks.
    pub is_paced: bool,
}

impl FilmPlan {
    /// A film of this length with all defaults.
    #[must_use]
    pub fn of_length(duration: Span) -> FilmPlan {
        let size = (640, 360);
        FilmPlan {
            duration,
            size,
            has_sound: false,
            garbled_from: None,
            gates: Vec::new(),
            is_paced: false,
        }
    }
}

/// A film: a file that is made where it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Film {
    /// Everything before the first cluster.
    head: Vec<u8>,
    picture: Vec<u8>,
    has_sound: bool,
    garbled_from: Option<u64>,
    duration: Span,
    /// The number of pictures.
    frames: u64,
    frames_of_cluster: u64,
    /// The length of an ordinary cluster.
    usual: u64,
    /// Clusters of other lengths, by their number.
    special: BTreeMap<u64, Cluster>,
}

/// A cluster that is filled up with unused bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Cluster {
    /// Unused bytes: before which picture of the cluster, or after its last one, and how many.
    voids: Vec<(u64, u64)>,
    /// Its length.
    length: u64,
    /// The bytes by which it and all special clusters before it exceed ordinary ones.
    longer: i64,
}

/// Bytes before the first block of a cluster: its ID, its size, its time.
const CLUSTER_HEAD: u64 = 14;
/// Bytes of a block besides its data: ID, size, track, time, flags.
const BLOCK_HEAD: u64 = 9;

impl Film {
    /// Lays out a film. Lengths and sizes beyond what the format holds are cut.
    #[must_use]
    pub fn new(plan: &FilmPlan) -> Film {
        let duration = plan.duration.clamp(Span::from_millis(1), LONGEST);
        let frames = duration.micros().div_ceil(FRAME.micros());
        let picture = picture(plan.size);
        let mut film = Film {
            head: Vec::new(),
            picture,
            has_sound: plan.has_sound,
            garbled_from: plan.garbled_from.map(frame_at),
            duration,
            frames,
            frames_of_cluster: if plan.is_paced { PACED_FRAMES } else { FRAMES },
            usual: 0,
            special: BTreeMap::new(),
        };
        film.usual = film.bare_length(film.frames_of_cluster);
        if plan.is_paced {
            film.usual = whole_blocks(film.usual);
        }
        // The table of cues has a fixed size, whatever its entries.
        film.head = film.head_of(plan, 0);
        if plan.is_paced || !plan.gates.is_empty() {
            let missing = missing_to_block(film.head.len() as u64);
            film.head = film.head_of(plan, missing);
        }
        film.lay_out(plan);
        film.head = film.head_of(plan, film.padding_of_head(plan));
        film
    }

    /// Returns the number of bytes.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a film is never empty")]
    pub fn len(&self) -> u64 {
        self.start_of(self.clusters())
    }

    /// Returns its length in time.
    #[must_use]
    pub fn duration(&self) -> Span {
        self.duration
    }

    /// Returns the bytes of a range that the film has.
    #[must_use]
    pub fn read(&self, range: Range<u64>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let head = self.head.len() as u64;
        if range.start < head {
            bytes.extend_from_slice(&self.head[part(&range, 0, head)]);
        }
        if range.end <= head {
            return bytes;
        }
        let mut index = self.cluster_at(range.start);
        while index < self.clusters() {
            let start = self.start_of(index);
            if start >= range.end {
                break;
            }
            let cluster = self.cluster(index);
            bytes.extend_from_slice(&cluster[part(&range, start, cluster.len() as u64)]);
            index += 1;
        }
        bytes
    }

    /// Returns the first byte of the pictures from a position on; the length of the file beyond its
    /// end.
    #[must_use]
    pub fn offset_of(&self, position: Position) -> u64 {
        let frame = frame_at(position);
        if frame >= self.frames {
            return self.len();
        }
        let (index, nth) = (
            frame / self.frames_of_cluster,
            frame % self.frames_of_cluster,
        );
        if nth == 0
            && !self
                .special
                .get(&index)
                .is_some_and(|it| it.voids.iter().any(|(at, _)| *at == 0))
        {
            return self.start_of(index);
        }
        let voids = self.special.get(&index).map_or(&[][..], |it| &it.voids);
        let before: u64 = voids
            .iter()
            .filter(|(at, _)| *at <= nth)
            .map(|(_, length)| length)
            .sum();
        self.start_of(index) + CLUSTER_HEAD + self.blocks_before(index, nth) + before
    }

    /// Returns the position that can be played once all bytes before this one have arrived, by
    /// whole clusters.
    #[must_use]
    pub fn played_by(&self, offset: u64) -> Position {
        let index = self.cluster_at(offset);
        let at = Position::from_micros(index * self.frames_of_cluster * FRAME.micros());
        at.min(Position::ZERO + self.duration)
    }

    /// Returns the first byte of the next cluster after this byte.
    #[must_use]
    pub fn next_cluster(&self, offset: u64) -> u64 {
        let head = self.head.len() as u64;
        if offset < head {
            head
        } else {
            self.start_of(self.cluster_at(offset) + 1).min(self.len())
        }
    }

    fn clusters(&self) -> u64 {
        self.frames.div_ceil(self.frames_of_cluster)
    }

    /// The first byte of a cluster, or the end of the film.
    fn start_of(&self, index: u64) -> u64 {
        let longer = self
            .special
            .range(..index)
            .next_back()
            .map_or(0, |(_, it)| it.longer);
        (self.head.len() as u64 + index * self.usual).saturating_add_signed(longer)
    }

    /// The number of the cluster with this byte; 0 for one before all of them.
    fn cluster_at(&self, offset: u64) -> u64 {
        let (mut low, mut high) = (0, self.clusters());
        while low + 1 < high {
            let middle = low.midpoint(high);
            if self.start_of(middle) <= offset {
                low = middle
            } else {
                high = middle
            }
        }
        if offset >= self.start_of(high) {
            high
        } else {
            low
        }
    }

    /// The number of pictures in a cluster.
    fn frames_of(&self, index: u64) -> u64 {
        self.frames
            .saturating_sub(index * self.frames_of_cluster)
            .min(self.frames_of_cluster)
    }

    /// The length of a cluster with this many pictures, all of which have their sound.
    fn bare_length(&self, frames: u64) -> u64 {
        CLUSTER_HEAD + frames * (self.picture_block() + self.sound_block())
    }

    fn picture_block(&self) -> u64 {
        BLOCK_HEAD + self.picture.len() as u64
    }

    fn sound_block(&self) -> u64 {
        if self.has_sound {
            BLOCK_HEAD + SILENCE.len() as u64
        } else {
            0
        }
    }

    /// Whether a picture has its sound: the last one has none if the film ends within it.
    fn is_heard(&self, frame: u64) -> bool {
        self.has_sound && (frame + 1) * FRAME.micros() <= self.duration.micros()
    }

    /// The length of the blocks of a cluster before its n-th picture.
    fn blocks_before(&self, index: u64, nth: u64) -> u64 {
        let last = index * self.frames_of_cluster + nth;
        let silent = if self.has_sound && nth > 0 && !self.is_heard(last - 1) {
            self.sound_block()
        } else {
            0
        };
        nth * (self.picture_block() + self.sound_block()) - silent
    }

    /// Finds the clusters that are not like the others: those with gates, the last one, and of a
    /// paced film the filling.
    fn lay_out(&mut self, plan: &FilmPlan) {
        let last = self.clusters() - 1;
        let mut gates: Vec<u64> = plan
            .gates
            .iter()
            .map(|at| frame_at(*at))
            .filter(|frame| *frame < self.frames)
            .collect();
        gates.sort_unstable();
        gates.dedup();
        let mut indices: Vec<u64> = gates
            .iter()
            .map(|frame| frame / self.frames_of_cluster)
            .collect();
        if plan.is_paced {
            indices.extend(0..=last);
        }
        indices.push(last);
        indices.sort_unstable();
        indices.dedup();
        let mut longer = 0;
        for index in indices {
            let start = self.start_of(index);
            let frames = self.frames_of(index);
            let mut voids = Vec::new();
            let mut filled = 0;
            let first = index * self.frames_of_cluster;
            for nth in gates
                .iter()
                .filter(|gate| (first..first + frames).contains(gate))
                .map(|gate| gate - first)
            {
                let at = start + CLUSTER_HEAD + self.blocks_before(index, nth) + filled;
                // An empty one marks the gate.
                let length = missing_to_block(at);
                voids.push((nth, length));
                filled += length;
            }
            let mut length = CLUSTER_HEAD + self.blocks_before(index, frames) + filled;
            if plan.is_paced && index < last {
                let missing = missing_to_block(start + length);
                if missing > 0 {
                    voids.push((frames, missing));
                    length += missing;
                }
            }
            longer += length.cast_signed() - self.usual.cast_signed();
            self.special.insert(
                index,
                Cluster {
                    voids,
                    length,
                    longer,
                },
            );
        }
    }

    fn cluster(&self, index: u64) -> Vec<u8> {
        let first = index * self.frames_of_cluster;
        let frames = self.frames_of(index);
        let special = self.special.get(&index);
        let length = special.map_or(self.usual, |it| it.length);
        let voids = special.map_or(&[][..], |it| &it.voids);
        let millis = first * FRAME.micros() / 1000;
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        bytes.extend_from_slice(&[0x1f, 0x43, 0xb6, 0x75]);
        bytes.extend_from_slice(&size_of_four(length - 8));
        bytes.extend_from_slice(&[0xe7, 0x84]);
        bytes.extend_from_slice(&u32::try_from(millis).unwrap_or(u32::MAX).to_be_bytes());
        let fill = |nth, bytes: &mut Vec<u8>| {
            let here = voids
                .iter()
                .filter(|(at, length)| *at == nth && *length > 0);
            here.for_each(|(_, length)| bytes.append(&mut void(*length)));
        };
        let garbage = vec![0xff; self.picture.len()];
        for nth in 0..frames {
            fill(nth, &mut bytes);
            let is_garbled = self.garbled_from.is_some_and(|from| first + nth >= from);
            block(
                &mut bytes,
                1,
                nth,
                if is_garbled { &garbage } else { &self.picture },
            );
            if self.is_heard(first + nth) {
                block(&mut bytes, 2, nth, &SILENCE);
            }
        }
        fill(frames, &mut bytes);
        bytes
    }

    fn padding_of_head(&self, plan: &FilmPlan) -> u64 {
        let is_padded = plan.is_paced || !plan.gates.is_empty();
        if is_padded {
            missing_to_block(self.head_of(plan, 0).len() as u64)
        } else {
            0
        }
    }

    /// Everything before the first cluster, with this many unused bytes at its end.
    fn head_of(&self, plan: &FilmPlan, padding: u64) -> Vec<u8> {
        let info = element(
            0x1549_a966,
            &[
                element(0x2a_d7b1, &[number(1_000_000)]),
                element(0x4489, &[float(self.duration.micros()).to_vec()]),
                element(0x4d80, &[b"playsim".to_vec()]),
                element(0x5741, &[b"playsim".to_vec()]),
            ],
        );
        let mut tracks = vec![picture_track(plan.size)];
        if plan.has_sound {
            tracks.push(sound_track());
        }
        let tracks = element(0x1654_ae6b, &tracks);
        let start = (info.len() + tracks.len()) as u64;
        let ebml = element(
            0x1a45_dfa3,
            &[
                element(0x4286, &[number(1)]),
                element(0x42f7, &[number(1)]),
                element(0x42f2, &[number(4)]),
                element(0x42f3, &[number(8)]),
                element(0x4282, &[b"webm".to_vec()]),
                element(0x4287, &[number(4)]),
                element(0x4285, &[number(2)]),
            ],
        );
        let before = ebml.len() as u64 + SEGMENT_HEAD;
        let cues = self.cues(|index| self.start_of(index).saturating_sub(before));
        let end = self
            .start_of(self.clusters())
            .saturating_sub(self.head.len() as u64);
        let length = start + cues.len() as u64 + padding + end;
        let mut head = ebml;
        head.extend_from_slice(&[0x18, 0x53, 0x80, 0x67]);
        head.extend_from_slice(&size_of_seven(length));
        for mut part in [
            info,
            tracks,
            cues,
            if padding > 0 {
                void(padding)
            } else {
                Vec::new()
            },
        ] {
            head.append(&mut part);
        }
        head
    }

    /// The table for seeks: of each cluster its time and its place, or of every n-th if there are
    /// too many.
    fn cues(&self, place: impl Fn(u64) -> u64) -> Vec<u8> {
        let step = self.clusters().div_ceil(MOST_CUES).max(1);
        let points: Vec<Vec<u8>> = (0..self.clusters())
            .step_by(usize::try_from(step).unwrap_or(usize::MAX))
            .map(|index| {
                let millis = index * self.frames_of_cluster * FRAME.micros() / 1000;
                let time = u32::try_from(millis)
                    .unwrap_or(u32::MAX)
                    .to_be_bytes()
                    .to_vec();
                let place = element(
                    0xb7,
                    &[
                        element(0xf7, &[number(1)]),
                        element(0xf1, &[place(index).to_be_bytes().to_vec()]),
                    ],
                );
                element(0xbb, &[element(0xb3, &[time]), place])
            })
            .collect();
        element(0x1c53_bb6b, &points)
    }
}

/// The ID and the size of the segment.
const SEGMENT_HEAD: u64 = 12;

/// The part of a range that lies in a section of this length from `start` on, relative to `start`.
fn part(range: &Range<u64>, start: u64, length: u64) -> Range<usize> {
    let end = range.end.saturating_sub(start).min(length);
    let from = range.start.saturating_sub(start).min(end);
    // A cluster or a head is never longer than memory.
    usize::try_from(from).unwrap_or_default()..usize::try_from(end).unwrap_or_default()
}

/// The first picture that is shown at a position or after it.
fn frame_at(position: Position) -> u64 {
    position.micros().div_ceil(FRAME.micros())
}

fn whole_blocks(length: u64) -> u64 {
    length.next_multiple_of(BLOCK)
}

/// How many unused bytes make the next byte the first one of a block: none, or enough for an
/// element.
fn missing_to_block(at: u64) -> u64 {
    const LEAST: u64 = 5;
    match whole_blocks(at) - at {
        0 => 0,
        missing if missing < LEAST => missing + BLOCK,
        missing => missing,
    }
}

/// Writes a block with one key frame or one packet.
fn block(bytes: &mut Vec<u8>, track: u8, nth: u64, data: &[u8]) {
    bytes.push(0xa3);
    bytes.extend_from_slice(&size_of_four(data.len() as u64 + 4));
    bytes.push(0x80 | track);
    // At most a second.
    let millis = u16::try_from(nth * FRAME.micros() / 1000).unwrap_or_default();
    bytes.extend_from_slice(&millis.to_be_bytes());
    bytes.push(0x80);
    bytes.extend_from_slice(data);
}

/// A key frame of one grey. Every flag and mode in it is coded as 0, and zeros decode to zeros, so
/// all its bytes are 0, however many there are. RFC 6386 sections 7.3, 9.1
fn picture((width, height): (u32, u32)) -> Vec<u8> {
    let side = |length: u32| u16::try_from(length.clamp(1, MOST_PIXELS)).unwrap_or(1);
    let (width, height) = (side(width), side(height));
    let blocks = usize::from(width.div_ceil(16)) * usize::from(height.div_ceil(16));
    // Measured in bits of the arithmetic code: the head is below 100 bytes, a macroblock's modes
    // take 4.1 bits and its coefficients 5.6. The first part has 19 bits for its length.
    let modes = (200 + blocks * 6 / 10).min((1 << 19) - 1);
    let coefficients = 16 + blocks * 9 / 10;
    let tag = 1 << 4 | u32::try_from(modes).unwrap_or_default() << 5;
    let mut picture = tag.to_le_bytes()[..3].to_vec();
    picture.extend_from_slice(&[0x9d, 0x01, 0x2a]);
    picture.extend_from_slice(&width.to_le_bytes());
    picture.extend_from_slice(&height.to_le_bytes());
    picture.resize(picture.len() + modes + coefficients, 0);
    picture
}

fn picture_track((width, height): (u32, u32)) -> Vec<u8> {
    let side = |length: u32| number(u64::from(length.clamp(1, MOST_PIXELS)));
    element(
        0xae,
        &[
            element(0xd7, &[number(1)]),
            element(0x73c5, &[number(1)]),
            element(0x83, &[number(1)]),
            element(0x9c, &[number(0)]),
            // Without it, Chromium reads 20 pictures ahead to find out how long one is.
            element(0x23_e383, &[number(FRAME.micros() * 1000)]),
            element(0x86, &[b"V_VP8".to_vec()]),
            element(
                0xe0,
                &[
                    element(0xb0, &[side(width)]),
                    element(0xba, &[side(height)]),
                ],
            ),
        ],
    )
}

fn sound_track() -> Vec<u8> {
    // Version 1, one channel, nothing to skip, 48 kHz, no gain, the usual order of channels. RFC
    // 7845 section 5.1
    let head = [&b"OpusHead"[..], &[1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]].concat();
    // 48,000 as a float of 32 bits.
    let rate = vec![0x47, 0x3b, 0x80, 0x00];
    element(
        0xae,
        &[
            element(0xd7, &[number(2)]),
            element(0x73c5, &[number(2)]),
            element(0x83, &[number(2)]),
            element(0x9c, &[number(0)]),
            element(0x23_e383, &[number(FRAME.micros() * 1000)]),
            element(0x86, &[b"A_OPUS".to_vec()]),
            element(0x63a2, &[head]),
            element(0x56bb, &[number(80_000_000)]),
            element(0xe1, &[element(0xb5, &[rate]), element(0x9f, &[number(1)])]),
        ],
    )
}

#[cfg(test)]
mod tests;
