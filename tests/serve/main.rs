//! The edit call over HTTP: the server in this process and as a program, over real sockets.

mod control;
mod hostile;
mod kill;
mod program;
mod recorded;
mod server;
mod wire;
