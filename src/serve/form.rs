//! From the bytes of a request's body to the fields of a form.
//!
//! The form of multipart itself is read by a library; here it is said what of it counts as broken, and that names
//! and values are UTF-8. What the fields mean is decided in `edit`.
//!
//! Rules: EDIT-4, EDIT-5, EDIT-49.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;
use http_body_util::{BodyDataStream, Full};

/// A field of a form, as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether it was sent as a file, with a name of its own.
    pub is_file: bool,
}

/// Why a body is no form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoForm {
    /// It is of another type, or says none. Rule EDIT-4.
    OtherType(Option<String>),
    /// It is broken, in this way. Rule EDIT-5.
    Broken(String),
    /// Its n-th part, counted from 1, has bytes that are not UTF-8. Rule EDIT-49.
    NotUtf8(usize),
}

/// The fields of a multipart form, of which `max_parts` are kept at most; more end the reading.
///
/// # Errors
///
/// If `content_type` is another one, or the body is not what it says.
pub fn multipart(content_type: Option<&str>, body: Bytes, max_parts: usize) -> Result<Vec<Part>, NoForm> {
    let boundary = boundary(content_type)?;
    let stream = BodyDataStream::new(Full::new(body));
    let mut multipart = multer::Multipart::new(stream, boundary);
    let mut parts: Vec<Part> = Vec::new();
    while parts.len() < max_parts {
        let number = parts.len() + 1;
        let Some(field) = at_once(multipart.next_field())?.map_err(|error| broken(&error, number))? else {
            break;
        };
        let is_file = field.file_name().is_some();
        let Some(name) = field.name().map(str::to_owned) else { return Err(nameless(&field, number)) };
        let value = at_once(field.bytes())?.map_err(|error| broken(&error, number))?;
        let Ok(value) = String::from_utf8(value.into()) else { return Err(NoForm::NotUtf8(number)) };
        parts.push(Part { name, value, is_file });
    }
    Ok(parts)
}

/// The fields of a URL-encoded form, of which `max_parts` are kept at most.
///
/// # Errors
///
/// If names or values are not UTF-8 once they are decoded.
pub fn url_encoded(body: &[u8], max_parts: usize) -> Result<Vec<Part>, NoForm> {
    let mut parts = Vec::new();
    for pair in body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()).take(max_parts) {
        let number = parts.len() + 1;
        let equals = pair.iter().position(|byte| *byte == b'=');
        let (name, value) = equals.map_or((pair, &[][..]), |at| (&pair[..at], &pair[at + 1..]));
        let text = |encoded: &[u8]| decoded(encoded).ok_or(NoForm::NotUtf8(number));
        parts.push(Part { name: text(name)?, value: text(value)?, is_file: false });
    }
    Ok(parts)
}

/// Whether a content type is that of URL-encoded forms.
#[must_use]
pub fn is_url_encoded(content_type: Option<&str>) -> bool {
    content_type.is_some_and(|said| media_type(said).eq_ignore_ascii_case("application/x-www-form-urlencoded"))
}

/// A media type without its parameters.
fn media_type(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

fn boundary(content_type: Option<&str>) -> Result<String, NoForm> {
    let said = content_type.filter(|said| media_type(said).eq_ignore_ascii_case("multipart/form-data"));
    let Some(said) = said else { return Err(NoForm::OtherType(content_type.map(str::to_owned))) };
    match multer::parse_boundary(said) {
        Ok(boundary) if !boundary.is_empty() => Ok(boundary),
        Ok(_) | Err(_) => Err(NoForm::Broken("Content-Type says no boundary".to_owned())),
    }
}

/// The result of reading from memory, where there is nothing to wait for.
fn at_once<T>(reading: impl Future<Output = T>) -> Result<T, NoForm> {
    match pin!(reading).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Ok(result),
        Poll::Pending => Err(NoForm::Broken("it ends too early".to_owned())),
    }
}

fn broken(error: &multer::Error, number: usize) -> NoForm {
    let is_end = matches!(
        error,
        multer::Error::IncompleteStream
            | multer::Error::IncompleteFieldData { .. }
            | multer::Error::IncompleteHeaders
    );
    NoForm::Broken(if is_end {
        format!("part {number} is not there or has no end: the closing boundary is missing")
    } else {
        format!("the headers of part {number} cannot be read")
    })
}

/// A part without a name, or with one that is not UTF-8, which the library takes for none.
fn nameless(field: &multer::Field<'_>, number: usize) -> NoForm {
    let said = field.headers().get("content-disposition").map(|said| said.as_bytes());
    match said {
        Some(said) if std::str::from_utf8(said).is_err() => NoForm::NotUtf8(number),
        Some(_) | None => NoForm::Broken(format!("part {number} has no name")),
    }
}

/// What percent signs and plus signs of a URL-encoded form stand for.
fn decoded(text: &[u8]) -> Option<String> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        let code = (*first == b'%').then(|| Some(digit(after.first())? * 16 + digit(after.get(1))?)).flatten();
        match code.and_then(|code| u8::try_from(code).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(if *first == b'+' { b' ' } else { *first });
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=b";

    fn read(body: &str) -> Result<Vec<(String, String)>, NoForm> {
        let parts = multipart(Some(TYPE), Bytes::copy_from_slice(body.as_bytes()), 10)?;
        Ok(parts.into_iter().map(|part| (part.name, part.value)).collect())
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn fields_come_in_their_order_with_repeats() {
        let body = "--b\r\nContent-Disposition: form-data; name=\"a[]\"\r\n\r\n1\r\n\
                    --b\r\nContent-Disposition: form-data; name=\"a[]\"\r\n\r\n\r\n--b--\r\n";
        assert_eq!(read(body), Ok(vec![pair("a[]", "1"), pair("a[]", "")]));
        assert_eq!(read("--b--\r\n"), Ok(vec![]));
    }

    #[test]
    fn what_is_broken_says_how() {
        let broken = |text: &str| Err(NoForm::Broken(text.to_owned()));
        let head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n";
        let no_end = "part 1 is not there or has no end: the closing boundary is missing";
        assert_eq!(read(""), broken(no_end));
        assert_eq!(read("--c\r\n\r\n\r\n--c--"), broken(no_end));
        assert_eq!(read(&format!("{head}1")), broken(no_end));
        let second = "part 2 is not there or has no end: the closing boundary is missing";
        assert_eq!(read(&format!("{head}1\r\n--b\r\n")), broken(second));
        assert_eq!(
            read("--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--"),
            broken("part 1 has no name")
        );
        assert_eq!(read("--b\r\n\r\n1\r\n--b--"), broken("part 1 has no name"));
        assert_eq!(read("--b\r\n: x\r\n\r\n1\r\n--b--"), broken("the headers of part 1 cannot be read"));
        let no_boundary = broken("Content-Type says no boundary");
        for said in ["multipart/form-data", "multipart/form-data; boundary=", "Multipart/Form-Data; boundary=\"\""] {
            assert_eq!(multipart(Some(said), Bytes::new(), 1).map(|_| vec![]), no_boundary, "{said}");
        }
    }

    #[test]
    fn other_types_and_bytes_that_are_no_text_are_told_apart() {
        for said in [None, Some("text/plain"), Some("multipart/mixed; boundary=b"), Some("")] {
            let other = NoForm::OtherType(said.map(str::to_owned));
            assert_eq!(multipart(said, Bytes::new(), 1), Err(other));
        }
        for bytes in [&b"name=\"a\"\r\n\r\n\xff"[..], b"name=\"\xff\"\r\n\r\n1"] {
            let body = [b"--b\r\nContent-Disposition: form-data; ", bytes, b"\r\n--b--"].concat();
            assert_eq!(multipart(Some(TYPE), body.into(), 1), Err(NoForm::NotUtf8(1)));
        }
    }

    #[test]
    fn url_encoded_fields_are_decoded_once() {
        let parts = url_encoded(b"a%5B%5D=1+2&b=%2525&&c&d=%zz%4", 10).unwrap();
        let pairs: Vec<(&str, &str)> =
            parts.iter().map(|part| (part.name.as_str(), part.value.as_str())).collect();
        assert_eq!(pairs, [("a[]", "1 2"), ("b", "%25"), ("c", ""), ("d", "%zz%4")]);
        assert_eq!(url_encoded(b"a=1&b=%ff", 10), Err(NoForm::NotUtf8(2)));
    }
}
