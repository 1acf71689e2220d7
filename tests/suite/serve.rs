//! The edit call over HTTP: the server in this process and as a program, over real sockets.

mod control;
mod files;
mod hostile;
mod kill;
mod life;
mod openapi;
pub(crate) mod program;
mod property;
mod recorded;
mod server;
pub(crate) mod wire;
