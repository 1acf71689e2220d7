//! Aligns two lists.
//!
//! Finds a longest common subsequence greedily by the number of items left out (Myers 1986). To
//! keep the cost per item constant for lists that have nothing in common, the search stops after a
//! fixed number of items left out in one stretch, keeps what it has found and starts again from
//! there.

/// The number of items left out in one stretch after which the search starts again.
const LIMIT: usize = 512;

/// Returns the indices of equal items, ascending on both sides.
///
/// The result is the longest possible as long as any two neighbouring stretches leave out at most
/// 512 items.
pub fn common(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let same_end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (end_a, end_b) = (a.len() - same_end, b.len() - same_end);
    let mut pairs = Vec::new();
    let (mut x, mut y) = (0, 0);
    while x < end_a && y < end_b {
        let (walked_x, walked_y) = stretch(&a[x..end_a], &b[y..end_b], |i, j| {
            pairs.push((x + i, y + j))
        });
        x += walked_x;
        y += walked_y;
    }
    pairs.extend((end_a..a.len()).zip(end_b..b.len()));
    pairs
}

/// The furthest positions reached with 0, 1, 2, ... items left out. Each inner list holds the
/// position in `a` for each difference between the two positions.
struct Reached(Vec<Vec<Option<usize>>>);

impl Reached {
    /// Returns the position in `a` with `out` items left out, where `a` is `lead` positions further
    /// than `b`.
    fn at(&self, out: usize, lead: isize) -> Option<usize> {
        let index = usize::try_from(lead + isize::try_from(out).ok()?).ok()?;
        *self.0.get(out)?.get(index)?
    }

    /// Returns where the path to that position continues after its last left-out item.
    fn entered(&self, out: usize, lead: isize, (n, m): (usize, usize)) -> Option<usize> {
        if out == 0 {
            return (lead == 0).then_some(0);
        }
        // The last item left out was one of `b` or one of `a`.
        let of_b = self
            .at(out - 1, lead + 1)
            .filter(|x| x.checked_add_signed(-lead).is_some_and(|y| y <= m));
        let of_a = self
            .at(out - 1, lead - 1)
            .map(|x| x + 1)
            .filter(|x| *x <= n);
        of_b.max(of_a)
    }
}

/// Walks until both lists end or the limit is reached. Returns how far it came; `pair` receives the
/// pairs found.
fn stretch(a: &[u32], b: &[u32], mut pair: impl FnMut(usize, usize)) -> (usize, usize) {
    let size = (a.len(), b.len());
    let mut reached = Reached(Vec::new());
    let mut end = None;
    for out in 0..=LIMIT {
        let width = isize::try_from(out).unwrap_or(isize::MAX);
        let mut row = vec![None; 2 * out + 1];
        for (index, lead) in (-width..=width).enumerate().step_by(2) {
            let Some(mut x) = reached.entered(out, lead, size) else {
                continue;
            };
            let Some(mut y) = x.checked_add_signed(-lead) else {
                continue;
            };
            while x < size.0 && y < size.1 && a[x] == b[y] {
                x += 1;
                y += 1;
            }
            row[index] = Some(x);
            if (x, y) == size {
                end = Some((x, lead));
            }
        }
        reached.0.push(row);
        if end.is_some() {
            break;
        }
    }
    let out = reached.0.len() - 1;
    let width = isize::try_from(out).unwrap_or(isize::MAX);
    // At the limit: take the position with the most items before it, and as far along on both sides
    // as possible.
    let apart =
        |x: usize, y: usize| (x as u128 * size.1 as u128).abs_diff(y as u128 * size.0 as u128);
    let furthest = (-width..=width)
        .filter_map(|lead| reached.at(out, lead).map(|x| (x, lead)))
        .filter_map(|(x, lead)| Some((x, lead, x.checked_add_signed(-lead)?)))
        .max_by_key(|(x, _, y)| (x + y, std::cmp::Reverse(apart(*x, *y))))
        .map(|(x, lead, _)| (x, lead));
    let Some((x, lead)) = end.or(furthest) else {
        return size;
    };
    for (i, j) in walked(&reached, size, x, lead).into_iter().rev() {
        pair(i, j);
    }
    (x, x.checked_add_signed(-lead).unwrap_or(size.1))
}

/// Returns the pairs on the path to a position, from its end to its beginning.
fn walked(
    reached: &Reached,
    size: (usize, usize),
    mut x: usize,
    mut lead: isize,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for out in (0..reached.0.len()).rev() {
        let entered = reached.entered(out, lead, size).unwrap_or(0);
        while x > entered {
            x -= 1;
            pairs.push((x, x.checked_add_signed(-lead).unwrap_or(0)));
        }
        if out == 0 {
            break;
        }
        let is_of_a = x > 0 && reached.at(out - 1, lead - 1) == Some(x - 1);
        if is_of_a {
            x -= 1;
            lead -= 1;
        } else {
            lead += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The length of a longest common subsequence, by the textbook algorithm.
    fn longest(a: &[u32], b: &[u32]) -> usize {
        let mut above = vec![0; b.len() + 1];
        for x in a {
            let mut row = vec![0];
            for (j, y) in b.iter().enumerate() {
                row.push(if x == y {
                    above[j] + 1
                } else {
                    above[j + 1].max(row[j])
                });
            }
            above = row;
        }
        above[b.len()]
    }

    fn check(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
        let pairs = common(a, b);
        assert!(
            pairs.iter().all(|(i, j)| a[*i] == b[*j]),
            "{a:?} {b:?} {pairs:?}"
        );
        assert!(
            pairs
                .windows(2)
                .all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1),
            "{pairs:?}"
        );
        pairs
    }

    proptest! {
        #[test]
        fn the_common_list_is_the_longest_possible(a in prop::collection::vec(0u32..5, 0..40),
                                        b in prop::collection::vec(0u32..5, 0..40)) {
            prop_assert_eq!(check(&a, &b).len(), longest(&a, &b));
        }
    }

    #[test]
    fn long_lists_without_much_in_common_are_walked_to_their_end() {
        let a: Vec<u32> = (0..6_000).collect();
        let b: Vec<u32> = (0..6_000)
            .map(|n| if n % 300 == 0 { n } else { n + 50_000 })
            .collect();
        assert!(check(&a, &b).len() >= 10);
        let late: Vec<u32> = (5_990..6_000).collect();
        assert_eq!(check(&a, &a).len(), a.len());
        assert_eq!(check(&a, &late).len(), 10);
        assert_eq!(check(&late, &a).len(), 10);
        assert_eq!(check(&a, &[]), []);
    }
}
