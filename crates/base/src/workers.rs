//! Several threads for independent pieces of work, whose results keep their order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

/// Does pieces of work on some threads and returns their results in the order of the pieces.
///
/// # Panics
///
/// If a piece does.
#[must_use]
pub fn each<T: Send>(threads: usize, pieces: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = threads.clamp(1, pieces.max(1));
    if threads == 1 {
        return (0..pieces).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(pieces));
    let take = || {
        let mut own = Vec::new();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                break;
            }
            own.push((piece, work(piece)));
        }
        done.lock()
            .expect("no thread panics while it holds the results")
            .append(&mut own);
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(take);
        }
    });
    let mut done = done
        .into_inner()
        .expect("no thread panics while it holds the results");
    done.sort_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Does pieces of work on some threads, each of which adds its results to a sum of its own. Returns
/// the sums, in no particular order: which thread does which piece is left to chance.
///
/// # Panics
///
/// If a piece does.
#[must_use]
pub fn sum<T: Send>(
    threads: usize,
    pieces: u64,
    empty: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, u64) + Sync,
) -> Vec<T> {
    let threads = threads.clamp(1, usize::try_from(pieces.max(1)).unwrap_or(usize::MAX));
    let next = AtomicU64::new(0);
    let work = || {
        let mut sum = empty();
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= pieces {
                return sum;
            }
            add(&mut sum, piece);
        }
    };
    if threads == 1 {
        return vec![work()];
    }
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a session does not panic"))
            .collect()
    })
}

/// How many threads the machine can run at once.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::{each, sum};

    #[test]
    fn results_keep_their_order() {
        for threads in [0, 1, 2, 7, 100] {
            assert_eq!(
                each(threads, 50, |piece| piece * piece),
                (0..50).map(|n| n * n).collect::<Vec<_>>()
            );
        }
        assert!(each(2, 0, |piece| piece).is_empty());
    }

    #[test]
    fn every_piece_is_added_once() {
        for threads in [0, 1, 2, 7, 100] {
            let sums = sum(threads, 1_000, || 0, |sum, piece| *sum += piece);
            assert_eq!(sums.into_iter().sum::<u64>(), 499_500);
        }
    }
}
