//! A client that writes bytes and reads responses, with no library between a test and the socket.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// The boundary of forms written here.
pub(crate) const BOUNDARY: &str = "----playsim";

/// The time that a server may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A response as it was received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case, in their order.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a response is UTF-8")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }
}

/// A connection.
#[derive(Debug)]
pub(crate) struct Wire {
    reader: BufReader<TcpStream>,
}

impl Wire {
    pub(crate) fn to(address: SocketAddr) -> Wire {
        Wire::try_to(address).expect("the server takes connections")
    }

    pub(crate) fn try_to(address: SocketAddr) -> io::Result<Wire> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        // Makes a test fail, not hang, if the server hangs.
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Wire {
            reader: BufReader::new(stream),
        })
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.reader.get_mut().write_all(bytes)
    }

    /// Closes the sending side.
    pub(crate) fn close_sending(&mut self) {
        self.try_close_sending().expect("it is open");
    }

    /// As `send`, but the connection may already be closed.
    pub(crate) fn try_close_sending(&mut self) -> io::Result<()> {
        self.reader.get_mut().shutdown(std::net::Shutdown::Write)
    }

    /// The response to a HEAD request, which never has a body.
    pub(crate) fn head(&mut self) -> Answer {
        let mut lines = Vec::new();
        self.reader
            .read_to_end(&mut lines)
            .expect("the server answers, and closes");
        let text = String::from_utf8(lines).expect("a head is text");
        let status = text
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .expect("it is HTTP");
        let headers = text.lines().skip(1).filter_map(|line| line.split_once(':'));
        let headers = headers
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Answer {
            status,
            headers,
            body: text
                .split_once("\r\n\r\n")
                .map_or("", |(_, body)| body)
                .into(),
        }
    }

    /// The next response; `None` if the connection ended before it.
    pub(crate) fn answer(&mut self) -> io::Result<Option<Answer>> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let bad = || io::Error::new(io::ErrorKind::InvalidData, "no HTTP answer");
        let status = line
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .ok_or_else(bad)?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.map_or(0, |(_, length)| {
            length.parse().expect("a length is a number")
        });
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body)?;
        let answer = Answer {
            status,
            headers,
            body,
        };
        if answer.status == 100 {
            self.answer()
        } else {
            Ok(Some(answer))
        }
    }

    /// Whether a response begins within this time.
    pub(crate) fn has_answer_within(&mut self, time: Duration) -> bool {
        self.reader
            .get_ref()
            .set_read_timeout(Some(time))
            .expect("it is a time");
        let has_one = self.reader.fill_buf().is_ok_and(|bytes| !bytes.is_empty());
        self.reader
            .get_ref()
            .set_read_timeout(Some(PATIENCE))
            .expect("it is a time");
        has_one
    }

    /// Sends bytes and reads the response.
    pub(crate) fn ask(&mut self, bytes: &[u8]) -> Answer {
        self.send(bytes).expect("the server reads");
        self.answer()
            .expect("the answer is HTTP")
            .expect("the server responds")
    }

    /// Sends bytes and reads the response; `None` if there is none.
    pub(crate) fn try_ask(&mut self, bytes: &[u8]) -> Option<Answer> {
        self.send(bytes).ok()?;
        self.answer().ok()?
    }

    /// Requests a control route.
    pub(crate) fn control(&mut self, method: &str, path: &str, body: &str) -> Answer {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: t\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.ask(format!("{head}{body}").as_bytes())
    }

    /// Sends a form.
    pub(crate) fn edit(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.ask(&request(path, &form(fields)))
    }
}

/// The body of a form.
pub(crate) fn form(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut body = String::new();
    for (name, value) in fields {
        body += &format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
        );
    }
    format!("{body}--{BOUNDARY}--\r\n").into_bytes()
}

/// A request with a form as its body.
pub(crate) fn request(path: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: t\r\nUser-Agent: wire/1\r\n\
         Content-Type: multipart/form-data; boundary={BOUNDARY}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
