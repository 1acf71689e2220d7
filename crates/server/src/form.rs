//! Parses a multipart body into the fields of a form.
//!
//! A library parses the multipart format; this module decides what counts as broken, and requires
//! names and values to be UTF-8. A part with a file name is a field like any other: its value is
//! the content of the file. The meaning of the fields is decided in `edit`.
//!
//! Rules: EDIT-5, EDIT-7, EDIT-49.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use http_body_util::{BodyDataStream, Full};

pub use hyper::body::Bytes;

use playsim_scenario::edit::{BodyError, Form, MAX_FIELDS};

/// Returns the fields of a multipart form in their order.
///
/// Stops after one field too many, so that the caller can reject a form with too many fields.
///
/// # Errors
///
/// If the body is not multipart with this boundary, or a name or value is not UTF-8.
pub fn multipart(boundary: Option<&str>, body: Bytes) -> Result<Form, BodyError> {
    let boundary = boundary.ok_or_else(|| broken("its Content-Type has no boundary"))?;
    let mut multipart = multer::Multipart::new(BodyDataStream::new(Full::new(body)), boundary);
    let mut form = Form::new();
    while form.len() <= MAX_FIELDS {
        let number = form.len() + 1;
        let Some(field) = at_once(multipart.next_field())?.map_err(|error| why(&error, number))?
        else {
            break;
        };
        let Some(name) = field
            .name()
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
        else {
            return Err(nameless(&field, number));
        };
        let value = at_once(field.bytes())?.map_err(|error| why(&error, number))?;
        form.push(
            name,
            std::str::from_utf8(&value).map_err(|_| BodyError::NotUtf8)?,
        );
    }
    Ok(form)
}

/// Returns the result of reading from memory, which never has to wait.
fn at_once<T>(reading: impl Future<Output = T>) -> Result<T, BodyError> {
    match pin!(reading).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Ok(result),
        Poll::Pending => Err(broken("it is incomplete")),
    }
}

fn broken(what: impl Into<String>) -> BodyError {
    BodyError::Broken(what.into())
}

fn why(error: &multer::Error, number: usize) -> BodyError {
    let is_end = matches!(
        error,
        multer::Error::IncompleteStream
            | multer::Error::IncompleteFieldData { .. }
            | multer::Error::IncompleteHeaders
    );
    broken(if is_end {
        format!("part {number} is missing or incomplete: there is no closing boundary")
    } else {
        format!("the headers of part {number} are invalid")
    })
}

/// Returns the error for a part without a name. The library also reports a name that is not UTF-8
/// as missing.
fn nameless(field: &multer::Field<'_>, number: usize) -> BodyError {
    let said = field
        .headers()
        .get("content-disposition")
        .map(|said| said.as_bytes());
    match said {
        Some(said) if std::str::from_utf8(said).is_err() => BodyError::NotUtf8,
        Some(_) | None => broken(format!("part {number} has no name")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Vec<(String, String)>, BodyError> {
        let form = multipart(Some("b"), Bytes::copy_from_slice(body.as_bytes()))?;
        Ok(form
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect())
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn fields_keep_their_order_and_repetitions() {
        let body = "--b\r\nContent-Disposition: form-data; name=\"a[]\"\r\n\r\n1\r\n\
                    --b\r\nContent-Disposition: form-data; name=\"a[]\"; filename=\"x\"\r\n\r\n\r\n--b--\r\n";
        assert_eq!(read(body), Ok(vec![pair("a[]", "1"), pair("a[]", "")]));
        assert_eq!(read("--b--\r\n"), Ok(vec![]));
    }

    #[test]
    fn errors_say_what_is_broken() {
        let head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
        let no_end = |number| {
            Err(broken(format!(
                "part {number} is missing or incomplete: there is no closing boundary"
            )))
        };
        assert_eq!(read(""), no_end(1));
        assert_eq!(read("--c\r\n\r\n\r\n--c--"), no_end(1));
        assert_eq!(read(&format!("{head}1")), no_end(1));
        assert_eq!(read(&format!("{head}1\r\n--b\r\n")), no_end(2));
        for nameless in [
            "Content-Disposition: form-data",
            "Content-Disposition: form-data; name=\"\"",
            "X: y",
        ] {
            let body = format!("--b\r\n{nameless}\r\n\r\n1\r\n--b--");
            assert_eq!(read(&body), Err(broken("part 1 has no name")), "{nameless}");
        }
        assert_eq!(
            read("--b\r\n: x\r\n\r\n1\r\n--b--"),
            Err(broken("the headers of part 1 are invalid"))
        );
        assert_eq!(
            multipart(None, Bytes::new()),
            Err(broken("its Content-Type has no boundary"))
        );
    }

    #[test]
    fn invalid_utf_8_is_refused() {
        for bytes in [&b"name=\"a\"\r\n\r\n\xff"[..], b"name=\"\xff\"\r\n\r\n1"] {
            let body = [
                b"--b\r\nContent-Disposition: form-data; ",
                bytes,
                b"\r\n--b--",
            ]
            .concat();
            assert_eq!(multipart(Some("b"), body.into()), Err(BodyError::NotUtf8));
        }
    }

    #[test]
    fn reading_stops_after_one_field_too_many() {
        let part = "--b\r\nContent-Disposition: form-data; name=\"a[]\"\r\n\r\n1\r\n";
        assert_eq!(
            read(&part.repeat(5000)).map(|fields| fields.len()),
            Ok(MAX_FIELDS + 1)
        );
    }
}
