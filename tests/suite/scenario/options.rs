//! The fields of players that set how often ads come.

use playsim::scenario::{AdLoop, AdTurns};
use playsim::time::Span;

use super::everything;

#[test]
fn fields_of_the_ad_options_are_read() {
    let player = everything().player;
    let ad_loop = AdLoop {
        times: 3,
        every: Span::from_secs(30),
        impressions: Some(2),
    };
    assert_eq!(player.ad_loop, Some(ad_loop));
    assert_eq!(
        player.ad_turns,
        AdTurns {
            every: 3,
            offset: 1,
            seen: 4
        }
    );
}
