//! A scenario as a real server: over sockets, as a program, and in a browser.

mod browser;
mod pages;
mod sockets;
