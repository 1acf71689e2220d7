//! Rules VX: the last VAST document.

use super::{Row, chosen, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events+",
        "`values.lastVASTXML` has text with the in-house parser only; with the SDK it is undefined, which \
         the trace writes as null.",
    ),
    chosen(
        2,
        "assumed",
        "It is undefined until the break's first answer and then keeps its value until VX-3 or the next \
         break changes it.",
    )
    .knob("vastxml.clear"),
    chosen(
        3,
        "assumed",
        "When a request fails without a body the document of the previous hop of that tag stays; without \
         one the value is undefined.",
    ),
    stated(
        4,
        "doc:events+; CON-1",
        "The reference offers it at adStarted; here it can be read at `adStart`, as indeed at any time.",
    ),
];
