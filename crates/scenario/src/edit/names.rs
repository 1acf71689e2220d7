//! Names of forms, read as PHP reads them.
//!
//! `a[b][c]` nests, `[]` appends with the next number, and of repeated scalars the last counts. In
//! the first part dots and blanks become underscores, and so does an unclosed bracket after it.
//! Text after a closed bracket that does not open another one is dropped, and an empty name is
//! ignored.
//!
//! Rules: EDIT-7, EDIT-49.

use std::fmt;

use super::Form;

/// The most levels that a name can have.
pub(super) const MAX_LEVELS: usize = 64;
/// The most fields that a form can have.
pub const MAX_FIELDS: usize = 1000;

/// One part of a name between brackets, or before them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A word.
    Word(String),
    /// A number, which `[]` continues.
    Number(i64),
}

/// One value of a form, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its place: never empty.
    pub(super) path: Vec<Part>,
    /// The number of its field in the form.
    pub(super) at: usize,
}

/// Why the names of a form cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NamesError {
    #[error("the form has {0} fields; it must have at most {MAX_FIELDS}")]
    TooMany(usize),
    #[error("the name \"{0}\" has too many levels; a name has at most {MAX_LEVELS}")]
    TooDeep(String),
}

/// A place of the form: a value, or places below it.
enum Node {
    Value(usize),
    Places {
        entries: Vec<(Part, Node)>,
        next: i64,
    },
}

/// Returns the values of a form at their places, without those that were overwritten.
///
/// Places are in the order in which they were first named, as in PHP.
///
/// # Errors
///
/// Too many fields, or a name nested too deep.
pub(super) fn leaves(form: &Form) -> Result<Vec<Leaf>, NamesError> {
    if form.len() > MAX_FIELDS {
        return Err(NamesError::TooMany(form.len()));
    }
    let mut root = Node::Places {
        entries: Vec::new(),
        next: 0,
    };
    for (at, (name, _)) in form.iter().enumerate() {
        let Some(segments) = segments(name) else {
            continue;
        };
        if segments.len() > MAX_LEVELS {
            return Err(NamesError::TooDeep(name.chars().take(60).collect()));
        }
        root.put(&segments, at);
    }
    let mut leaves = Vec::with_capacity(form.len());
    root.collect(&mut Vec::new(), &mut leaves);
    Ok(leaves)
}

/// The parts of a name, with `None` for `[]`; `None` for a name that is ignored.
fn segments(name: &str) -> Option<Vec<Option<Part>>> {
    let name = name.trim_start_matches(' ');
    let plain = |text: &str| Some(Part::Word(text.replace([' ', '.'], "_")));
    let Some(bracket) = name.find('[') else {
        return (!name.is_empty()).then(|| vec![plain(name)]);
    };
    let (first, mut rest) = name.split_at(bracket);
    if first.is_empty() {
        return None;
    }
    let mut segments = vec![plain(first)];
    while let Some(inner) = rest.strip_prefix('[') {
        // One blank before the closing bracket is ignored.
        let after_blank = inner
            .strip_prefix([' ', '\t', '\n', '\r', '\x0b', '\x0c'])
            .unwrap_or(inner);
        if let Some(more) = after_blank.strip_prefix(']') {
            segments.push(None);
            rest = more;
        } else if let Some((key, more)) = inner.split_once(']') {
            segments.push(Some(part(key)));
            rest = more;
        } else {
            if segments.len() == 1 {
                segments[0] = Some(Part::Word(name.replace([' ', '.', '['], "_")));
            }
            break;
        }
    }
    Some(segments)
}

/// A number if it is written like one, without a plus sign and without leading zeros.
fn part(key: &str) -> Part {
    match key.parse::<i64>() {
        Ok(number) if number.to_string() == key => Part::Number(number),
        Ok(_) | Err(_) => Part::Word(key.to_owned()),
    }
}

impl Node {
    /// Puts a value at a place below this one, instead of a value that is on the way there.
    fn put(&mut self, segments: &[Option<Part>], at: usize) {
        let [segment, more @ ..] = segments else {
            *self = Node::Value(at);
            return;
        };
        if let Node::Value(_) = self {
            *self = Node::Places {
                entries: Vec::new(),
                next: 0,
            };
        }
        let Node::Places { entries, next } = self else {
            return;
        };
        let key = segment.clone().unwrap_or(Part::Number(*next));
        if let Part::Number(number) = key {
            *next = (*next).max(number.saturating_add(1));
        }
        let place = entries
            .iter()
            .position(|(known, _)| *known == key)
            .unwrap_or_else(|| {
                entries.push((
                    key,
                    Node::Places {
                        entries: Vec::new(),
                        next: 0,
                    },
                ));
                entries.len() - 1
            });
        entries[place].1.put(more, at);
    }

    fn collect(&self, path: &mut Vec<Part>, leaves: &mut Vec<Leaf>) {
        match self {
            Node::Value(at) => leaves.push(Leaf {
                path: path.clone(),
                at: *at,
            }),
            Node::Places { entries, .. } => {
                for (key, node) in entries {
                    path.push(key.clone());
                    node.collect(path, leaves);
                    path.pop();
                }
            }
        }
    }
}

/// As in a name.
impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Word(word) => f.write_str(word),
            Part::Number(number) => write!(f, "{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names that a form is read as: `a[b]=1` becomes `a.b=1`.
    fn read(text: &str) -> String {
        let form: Form = text
            .split('&')
            .filter_map(|field| field.split_once('='))
            .collect();
        let values: Vec<_> = form.iter().map(|(_, value)| value.clone()).collect();
        let leaves = leaves(&form).unwrap_or_else(|error| panic!("{error}"));
        let leaf = |leaf: &Leaf| {
            let path: Vec<String> = leaf.path.iter().map(ToString::to_string).collect();
            format!("{}={}", path.join(">"), values[leaf.at])
        };
        leaves.iter().map(leaf).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_are_read_as_php_reads_them() {
        for (form, expected) in [
            ("a=1", "a=1"),
            ("a=1&a=2", "a=2"),
            ("a[b][c]=1", "a>b>c=1"),
            ("a[]=1&a[]=2", "a>0=1 a>1=2"),
            ("a[5]=1&a[]=2", "a>5=1 a>6=2"),
            ("a[-5]=1&a[]=2", "a>-5=1 a>0=2"),
            ("a[05]=1&a[]=2", "a>05=1 a>0=2"),
            ("a[1]=1&a[0]=2&a[]=3", "a>1=1 a>0=2 a>2=3"),
            ("a[b]=1&a[b]=2", "a>b=2"),
            ("a=1&a[b]=2", "a>b=2"),
            ("a[b]=1&a=2", "a=2"),
            ("a[][x]=1&a[][y]=2", "a>0>x=1 a>1>y=2"),
            ("a[b=1", "a_b=1"),
            ("a[b.c d=1", "a_b_c_d=1"),
            ("a[b][c=1", "a>b=1"),
            ("a[b]c=1", "a>b=1"),
            ("a[b]c[d]=1", "a>b=1"),
            ("a.b c=1", "a_b_c=1"),
            ("a.b[c.d e]=1", "a_b>c.d e=1"),
            ("  a=1", "a=1"),
            ("a[ ]=1", "a>0=1"),
            ("a[ b]=1", "a> b=1"),
            ("[a]=1&=2&  =3&b=4", "b=4"),
            ("a]=1", "a]=1"),
            ("a[[b]]=1", "a>[b=1"),
            ("b=1&a[]=2&b=3&a[]=4", "b=3 a>0=2 a>1=4"),
        ] {
            assert_eq!(read(form), expected, "{form}");
        }
    }

    #[test]
    fn levels_and_fields_have_their_limits() {
        let nested =
            |levels: usize| Form::from_iter([(format!("a{}", "[b]".repeat(levels - 1)), "1")]);
        assert_eq!(
            leaves(&nested(MAX_LEVELS)).map(|leaves| leaves[0].path.len()),
            Ok(MAX_LEVELS)
        );
        assert!(matches!(
            leaves(&nested(MAX_LEVELS + 1)),
            Err(NamesError::TooDeep(_))
        ));
        let many = |count: usize| {
            (0..count)
                .map(|number| (format!("f{number}"), "1"))
                .collect::<Form>()
        };
        assert_eq!(
            leaves(&many(MAX_FIELDS)).map(|leaves| leaves.len()),
            Ok(MAX_FIELDS)
        );
        assert_eq!(
            leaves(&many(MAX_FIELDS + 1)),
            Err(NamesError::TooMany(MAX_FIELDS + 1))
        );
    }
}
