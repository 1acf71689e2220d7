//! Scenarios from the bytes of a fuzzer, for the `arbitrary` crate.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::drawn::scenario;
use super::options::Options;
use super::source::Source;
use crate::scenario::Scenario;

/// A scenario drawn from bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session(pub Scenario);

impl<'a> Arbitrary<'a> for Session {
    /// Takes all bytes that are left: the more there are, the more is drawn.
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Session> {
        let all = bytes.bytes(bytes.len())?;
        Ok(Session(scenario(&mut Source::from_bytes(all), &Options::default())))
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (0, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn bytes_give_a_session_that_keeps_the_laws() {
        let bytes: Vec<u8> = (0..4_000_u32).map(|number| (number * 97 % 251) as u8).collect();
        let session = |length: usize| Session::arbitrary(&mut Unstructured::new(&bytes[..length])).unwrap();
        assert_eq!(session(4_000), session(4_000));
        for length in [0, 1, 40, 400, 4_000] {
            check(&session(length).0).unwrap_or_else(|broken| panic!("{length} bytes: {broken}"));
        }
        assert!(session(4_000).0.steps.len() > session(0).0.steps.len());
    }
}
