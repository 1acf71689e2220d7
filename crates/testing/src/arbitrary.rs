//! Scenarios from the bytes of a fuzzer, for the `arbitrary` crate.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::drawn::scenario;
use super::options::Options;
use super::session::Session;
use super::source::Source;

impl<'a> Arbitrary<'a> for Session {
    /// Takes all bytes that are left: the more there are, the more is drawn.
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Session> {
        Session::arbitrary_with(&Options::default(), bytes)
    }

    fn size_hint(_: usize) -> (usize, Option<usize>) {
        (0, None)
    }
}

impl Session {
    /// As [`Session::arbitrary`](Arbitrary::arbitrary), drawn as `options` say:
    /// [around](Options::around) a scenario, for instance. Make the options once, not for each
    /// input: a base without an end is played to give it one. In a type of your own, the attribute
    /// `#[arbitrary(with = ...)]` of a field takes a closure that calls it.
    ///
    /// ```
    /// use std::sync::LazyLock;
    ///
    /// use arbitrary::Unstructured;
    /// use playsim::Scenario;
    /// use playsim::testing::{Options, Session, Vary};
    ///
    /// static OPTIONS: LazyLock<Options> =
    ///     LazyLock::new(|| Options::default().around(&Scenario::default(), Vary::Steps));
    ///
    /// // The body of a fuzz target.
    /// let mut bytes = Unstructured::new(b"bytes of the fuzzer");
    /// let session = Session::arbitrary_with(&OPTIONS, &mut bytes)?;
    /// assert_eq!(session.network, Scenario::default().network);
    /// # Ok::<(), arbitrary::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// None; the type is that of [`Arbitrary`].
    pub fn arbitrary_with(options: &Options, bytes: &mut Unstructured<'_>) -> Result<Session> {
        let all = bytes.bytes(bytes.len())?;
        Ok(Session(scenario(&mut Source::from_bytes(all), options)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Vary, check};

    fn bytes() -> Vec<u8> {
        (0..4_000_u32)
            .map(|number| (number * 97 % 251) as u8)
            .collect()
    }

    #[test]
    fn bytes_give_a_session_that_keeps_the_laws() {
        let bytes = bytes();
        let session =
            |length: usize| Session::arbitrary(&mut Unstructured::new(&bytes[..length])).unwrap();
        assert_eq!(session(4_000), session(4_000));
        for length in [0, 1, 40, 400, 4_000] {
            check(&session(length)).unwrap_or_else(|broken| panic!("{length} bytes: {broken}"));
        }
        assert!(session(4_000).steps.len() > session(0).steps.len());
    }

    #[test]
    fn bytes_go_around_a_scenario() {
        let base = scenario(&mut Source::from_seed(3), &Options::default());
        let options = Options::default().around(&base, Vary::Steps);
        let bytes = bytes();
        let session = |length: usize| {
            Session::arbitrary_with(&options, &mut Unstructured::new(&bytes[..length])).unwrap()
        };
        for length in [0, 40, 4_000] {
            let session = session(length);
            assert_eq!(
                (&session.network, &session.media),
                (&base.network, &base.media)
            );
            check(&session).unwrap_or_else(|broken| panic!("{length} bytes: {broken}"));
        }
        assert_ne!(session(40).steps, session(4_000).steps);
    }
}
