//! Addresses to listen on, and what is said where that fails.

use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};

use playsim::serve::ServeError;

use super::failure::{Failure, Invalid, bail};

/// Reads an address with a port.
pub(super) fn read(word: &str) -> Result<SocketAddr, Invalid> {
    let form = "must be an address with a port, such as 127.0.0.1:8080 or 127.0.0.1:0";
    if let Ok(address) = word.parse() {
        return Ok(address);
    }
    let mut found = word.to_socket_addrs().map_err(|_| Invalid::from(form))?;
    // A host name such as localhost may have several addresses; the first one is used.
    found.next().ok_or_else(|| form.into())
}

/// Checks that an address is one of this machine alone, unless others are allowed.
pub(super) fn check(listen: SocketAddr, is_exposed: bool) -> Result<(), Failure> {
    if listen.ip().is_loopback() || is_exposed {
        return Ok(());
    }
    bail!(
        "{listen} can be reached from other machines; use --listen 127.0.0.1:{port}, or allow it with --expose",
        port = listen.port()
    )
}

/// Prints where a server is, at once.
pub(super) fn print(at: SocketAddr) {
    // A closed standard output must not stop the server.
    let _ = writeln!(io::stdout().lock(), "http://{at}").and_then(|()| io::stdout().flush());
}

/// Says why a server does not start, with advice.
pub(super) fn failed(error: ServeError) -> Failure {
    if let ServeError::Listen(address, why) = &error
        && why.kind() == io::ErrorKind::AddrInUse
    {
        return Failure::Io(format!(
            "{address} is in use by another program; choose another port, or a free one with \
             --listen {}:0",
            address.ip()
        ));
    }
    Failure::Io(error.to_string())
}
