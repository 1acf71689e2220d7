//! Which comparisons with time a piece of work makes, for an explorer that has to know at which
//! instants anything would go otherwise.
//!
//! Instants, lengths and positions report each comparison: the difference, and the interval of
//! differences with the same answer. Two runs with the same answers to all comparisons take the
//! same steps. Their differences then depend on the instant of a choice as a sum does, so a run at
//! any instant between two that have the same answers has them too.

use std::cell::{Cell, RefCell};

/// One comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// The difference of what was compared.
    pub value: i64,
    /// The least difference with the same answer.
    pub low: i64,
    /// The largest difference with the same answer.
    pub high: i64,
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static SEEN: RefCell<Vec<Compared>> = const { RefCell::new(Vec::new()) };
}

/// Whether comparisons are noted. Without the feature they cost nothing.
#[inline(always)]
fn is_on() -> bool {
    cfg!(feature = "watch") && IS_ON.get()
}

/// Does some work and adds the comparisons that it makes on this thread to a list.
pub fn watched<T>(seen: &mut Vec<Compared>, work: impl FnOnce() -> T) -> T {
    /// What is watched ends, even with a panic.
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            IS_ON.set(false);
        }
    }
    SEEN.with_borrow_mut(|own| std::mem::swap(own, seen));
    IS_ON.set(true);
    let off = Off;
    let done = work();
    drop(off);
    SEEN.with_borrow_mut(|own| std::mem::swap(own, seen));
    done
}

/// Reports that one number was found to be less than another, or not. Returns which.
#[inline(always)]
pub fn is_less(one: u64, other: u64) -> bool {
    let is_less = one < other;
    if is_on() {
        let (low, high) = if is_less {
            (i64::MIN, -1)
        } else {
            (0, i64::MAX)
        };
        note(one, other, low, high);
    }
    is_less
}

/// Reports that two numbers were compared for equality. Returns whether they are equal.
#[inline(always)]
pub fn is_equal(one: u64, other: u64) -> bool {
    if is_on() {
        let (low, high) = match one.cmp(&other) {
            std::cmp::Ordering::Less => (i64::MIN, -1),
            std::cmp::Ordering::Equal => (0, 0),
            std::cmp::Ordering::Greater => (1, i64::MAX),
        };
        note(one, other, low, high);
    }
    one == other
}

/// Reports that a number was divided, with its whole quotient.
#[inline(always)]
pub fn divided(number: u64, by: u64) {
    if is_on() {
        let low = number - number % by.max(1);
        note(
            number,
            0,
            signed(low),
            signed(low.saturating_add(by.max(1) - 1)),
        );
    }
}

#[cold]
#[inline(never)]
fn note(one: u64, other: u64, low: i64, high: i64) {
    let value =
        (i128::from(one) - i128::from(other)).clamp(i128::from(i64::MIN), i128::from(i64::MAX));
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    SEEN.with_borrow_mut(|seen| seen.push(Compared { value, low, high }));
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
