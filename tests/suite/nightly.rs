//! How much a test tries: a part for each commit, all of it each night.

/// Returns the number of cases: `commit`, or `nightly` if `PLAYSIM_NIGHTLY` is set, which
/// `.ci/nightly` does.
pub(crate) fn cases(commit: u64, nightly: u64) -> u64 {
    if is_nightly() { nightly } else { commit }
}

/// Whether everything is tried.
pub(crate) fn is_nightly() -> bool {
    std::env::var_os("PLAYSIM_NIGHTLY").is_some()
}
