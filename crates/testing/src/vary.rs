//! The parts that are drawn when a scenario is varied.

use playsim_base::named::named;

named! {
    /// The part of a scenario that is drawn when it is varied.
    Vary {
        Steps "steps" "Its world is kept, and its steps are drawn; those that create players are kept.",
        World "world" "Its steps are kept; latencies, responses, faults and the ads that its page accepts are drawn.",
        Both "both" "Both are drawn.",
    }
}
