//! Parts of documents: the elements of XML, at any depth.

use std::ops::Range;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::events::Event;

use playsim_scenario::{AnswerScript, ScriptedAnswer};

/// The number of elements in a document, without its root.
pub(super) fn count(answer: &AnswerScript) -> usize {
    if let ScriptedAnswer::Body { text, .. } = &answer.answer {
        elements(text).len()
    } else {
        0
    }
}

/// Leaves out elements, numbered from the first document to the last, each before those inside it.
pub(super) fn remove<'a>(
    answers: impl Iterator<Item = &'a mut AnswerScript>,
    range: &Range<usize>,
) {
    let mut first = 0;
    for answer in answers {
        let ScriptedAnswer::Body { text, .. } = &mut answer.answer else {
            continue;
        };
        let elements = elements(text);
        let (mut kept, mut at) = (String::new(), 0);
        for (number, element) in (first..).zip(&elements) {
            if range.contains(&number) && element.start >= at {
                kept.push_str(&text[at..element.start]);
                at = element.end;
            }
        }
        first += elements.len();
        if at > 0 {
            kept.push_str(&text[at..]);
            *text = Arc::from(kept);
        }
    }
}

/// The places of a document's elements in the order of their start tags; none if it is not well
/// formed.
fn elements(text: &str) -> Vec<Range<usize>> {
    let mut reader = Reader::from_str(text);
    let (mut found, mut open) = (Vec::<Range<usize>>::new(), Vec::new());
    loop {
        let start = reader.buffer_position() as usize;
        let Ok(event) = reader.read_event() else {
            return Vec::new();
        };
        let end = reader.buffer_position() as usize;
        let is_empty = matches!(event, Event::Empty(_));
        if is_empty || matches!(event, Event::Start(_)) {
            open.push(found.len());
            found.push(start..end);
        }
        if is_empty || matches!(event, Event::End(_)) {
            let Some(number) = open.pop() else {
                return Vec::new();
            };
            found[number].end = end;
        }
        if matches!(event, Event::Eof) {
            return found.split_off(found.len().min(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_left_out_with_what_they_contain() {
        let text = "<a x='1'><b><c/></b>text<d><![CDATA[<e>]]></d></a>";
        let removed = |range| {
            let mut answers = [AnswerScript::body(text)];
            remove(answers.iter_mut(), &range);
            let ScriptedAnswer::Body { text, .. } = &answers[0].answer else {
                panic!("it stays a body")
            };
            text.to_string()
        };
        assert_eq!(count(&AnswerScript::body(text)), 3);
        assert_eq!(removed(0..1), "<a x='1'>text<d><![CDATA[<e>]]></d></a>");
        assert_eq!(removed(1..3), "<a x='1'><b></b>text</a>");
        assert_eq!(removed(0..3), "<a x='1'>text</a>");
        assert_eq!(count(&AnswerScript::body("<a><b></a>")), 0);
    }
}
