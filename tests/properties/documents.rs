//! Random answers of ad servers: VAST of several shapes, and what is none.

use std::fmt::Write;

use super::dice::Dice;

/// The addresses that tags and wrappers may name.
pub(crate) const TAGS: &[&str] = &[
    "https://ads.test/a",
    "https://ads.test/b",
    "https://ads.test/c",
    "https://ads.test/d",
    "https://ads.test/e",
    "https://ads.test/loop",
    "https://ads.test/unlisted",
];

/// The addresses of ad media.
pub(crate) const SPOTS: &[&str] =
    &["spot-0.mp4", "spot-1.mp4", "spot-2.mp4", "spot-3.mp4", "spot-missing.mp4"];

/// What an ad server answers.
pub(crate) fn document(dice: &mut Dice) -> String {
    match dice.below(16) {
        0 => "<VAST version='4.2'/>".to_owned(),
        1 => {
            "<VAST version='3.0'><Error><![CDATA[https://t.test/e?c=[ERRORCODE]]]></Error></VAST>".to_owned()
        }
        2 => (*dice.pick(&[
            "",
            "no xml",
            "<VAST",
            "<VAST version='3.0'><Ad>",
            "<html/>",
            "<VAST version='1.0'/>",
        ]))
        .to_owned(),
        3 => "<VMAP version='1.0'/>".to_owned(),
        4..=6 => vast(&[wrapper(dice, None)]),
        7..=8 => {
            let ads: Vec<String> = (1..=dice.count(2, 3))
                .map(|sequence| {
                    let sequence = Some(sequence);
                    if dice.chance(1, 5) { wrapper(dice, sequence) } else { inline(dice, sequence) }
                })
                .collect();
            vast(&ads)
        }
        9 => {
            let ads = [inline(dice, None), inline(dice, Some(2)), inline(dice, Some(1)), inline(dice, None)];
            vast(&ads[..dice.count(2, 4)])
        }
        _ => vast(&[inline(dice, None)]),
    }
}

/// A wrapper that leads to its own address.
pub(crate) fn endless() -> String {
    let uri = "<VASTAdTagURI>https://ads.test/loop</VASTAdTagURI>";
    vast(&[format!("<Ad id='again'><Wrapper><AdSystem>s</AdSystem>{uri}</Wrapper></Ad>")])
}

fn vast(ads: &[String]) -> String {
    format!("<VAST version='4.2'>{}</VAST>", ads.concat())
}

fn sequence_attribute(sequence: Option<usize>) -> String {
    sequence.map_or_else(String::new, |sequence| format!(" sequence='{sequence}'"))
}

fn wrapper(dice: &mut Dice, sequence: Option<usize>) -> String {
    let attribute = *dice.pick(&["", "", " followAdditionalWrappers='false'", " allowMultipleAds='true'"]);
    let more = *dice.pick(&["", " fallbackOnNoAd='true'"]);
    let uri = *dice.pick(TAGS);
    let uri = if dice.chance(1, 12) { "" } else { uri };
    format!(
        "<Ad id='w'{}><Wrapper{attribute}{more}><AdSystem>s</AdSystem><VASTAdTagURI>{uri}</VASTAdTagURI>\
         <Impression>https://t.test/w</Impression></Wrapper></Ad>",
        sequence_attribute(sequence)
    )
}

fn inline(dice: &mut Dice, sequence: Option<usize>) -> String {
    let mut ad = format!("<Ad id='i{}'{}><InLine>", dice.below(9), sequence_attribute(sequence));
    ad.push_str(
        "<AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression><Creatives>",
    );
    match dice.below(12) {
        0 => {}
        1 => ad.push_str(
            "<Creative><NonLinearAds><NonLinear width='1' height='1'>\
             <StaticResource creativeType='image/png'>https://t.test/x.png</StaticResource>\
             </NonLinear></NonLinearAds></Creative>",
        ),
        _ => linear(dice, &mut ad),
    }
    ad.push_str("</Creatives></InLine></Ad>");
    if dice.chance(1, 20) { "<Ad id='broken'></Ad>".to_owned() } else { ad }
}

fn linear(dice: &mut Dice, ad: &mut String) {
    let skip =
        *dice.pick(&["", "", " skipoffset='00:00:00.500'", " skipoffset='50%'", " skipoffset='00:00:00'"]);
    let duration = *dice.pick(&["00:00:01", "00:00:02.500", "00:00:00"]);
    let _ = write!(ad, "<Creative><Linear{skip}><Duration>{duration}</Duration>");
    ad.push_str("<TrackingEvents><Tracking event='start'>https://t.test/s</Tracking>");
    ad.push_str(
        "<Tracking event='progress' offset='00:00:00.500'>https://t.test/p</Tracking></TrackingEvents>",
    );
    let form = *dice.pick(&["video/mp4", "video/mp4", "video/mp4", "application/x-none", "video/webm"]);
    let spot = *dice.pick(SPOTS);
    let _ = write!(
        ad,
        "<MediaFiles><MediaFile delivery='progressive' type='{form}' width='1' height='1'>{spot}</MediaFile>\
         </MediaFiles></Linear></Creative>"
    );
}
