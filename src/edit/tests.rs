//! The edit call: requests in, answers out.
