//! Random responses: VAST of several shapes, playlists, and bodies that are neither.

use std::fmt::Write;

use super::dice::Dice;
use super::features::Features;
use super::{attachments, units};

/// The URLs that tags and wrappers may name.
pub(crate) const TAGS: &[&str] = &[
    "https://ads.test/a",
    "https://ads.test/b",
    "https://ads.test/c",
    "https://ads.test/d",
    "https://ads.test/e",
    "https://ads.test/loop",
    "https://ads.test/unlisted",
    "https://ads.test/unlisted?[custom_params]&t=[title]&d=[duration]&e=[ERRORCODE]",
];

/// The URLs of ad media.
pub(crate) const SPOTS: &[&str] =
    &["spot-0.mp4", "spot-1.mp4", "spot-2.mp4", "spot-3.mp4", "spot-missing.mp4"];

/// The URLs of playlists; the last one has no response.
pub(crate) const LISTS: &[&str] =
    &["https://lists.test/a.json", "https://lists.test/b.json", "https://lists.test/unlisted.json"];

/// A response of an ad server, with units among the ads or not.
pub(crate) fn document(features: Features, dice: &mut Dice) -> String {
    match dice.below(18) {
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
        3 => vmap(features, dice),
        4..=6 => vast(&[wrapper(dice, None)]),
        7..=8 => {
            let ads: Vec<String> = (1..=dice.count(2, 3))
                .map(|sequence| {
                    let sequence = Some(sequence);
                    if dice.chance(1, 5) { wrapper(dice, sequence) } else { inline(features, dice, sequence) }
                })
                .collect();
            vast(&ads)
        }
        9 => {
            let ads = [None, Some(2), Some(1), None].map(|sequence| inline(features, dice, sequence));
            vast(&ads[..dice.count(2, 4)])
        }
        16 | 17 => vmap(features, dice),
        _ => vast(&[inline(features, dice, None)]),
    }
}

/// A response of an ad server that knows the breaks of an item.
fn vmap(features: Features, dice: &mut Dice) -> String {
    match dice.below(12) {
        0 => "<VMAP version='1.0'/>".to_owned(),
        1 => "<VMAP version='2.0'><AdBreak timeOffset='start' breakType='linear'/></VMAP>".to_owned(),
        2 => "<VMAP version='1.0'><AdBreak".to_owned(),
        _ => {
            let breaks = dice.some(0, 6, |dice| ad_break(features, dice));
            format!("<VMAP version='1.0'>{}</VMAP>", breaks.concat())
        }
    }
}

fn ad_break(features: Features, dice: &mut Dice) -> String {
    let offset = *dice.pick(&[
        "start",
        "start",
        "end",
        "end",
        "00:00:00",
        "00:00:00.500",
        "00:00:01",
        "00:00:02",
        "25%",
        "50%",
        "100%",
        "#1",
        "#2",
        "#3",
        "soon",
    ]);
    let form = *dice.pick(&[
        "linear",
        "linear",
        "linear",
        "nonlinear",
        "display",
        "linear,nonlinear",
        "nonlinear,linear",
        "display,linear",
        "linear,display,nonlinear",
        "hologram",
    ]);
    let repeat = *dice.pick(&["", "", "", " repeatAfter='00:00:00.750'"]);
    let trackers = "<TrackingEvents><Tracking event='breakStart'>https://t.test/b</Tracking>\
        <Tracking event='breakEnd'>https://t.test/b</Tracking>\
        <Tracking event='error'>https://t.test/b?[ERROR_CODE]</Tracking></TrackingEvents>";
    let source = ad_source(features, dice);
    format!("<AdBreak timeOffset='{offset}' breakType='{form}'{repeat}>{source}{trackers}</AdBreak>")
}

fn ad_source(features: Features, dice: &mut Dice) -> String {
    let limits = *dice.pick(&["", "", " allowMultipleAds='false'", " followRedirects='false'"]);
    let held = match dice.below(10) {
        0 => return String::new(),
        1 => String::new(),
        2 => "<CustomAdData templateType='x'>y</CustomAdData>".to_owned(),
        3 | 4 => {
            let ads = [None, Some(1), Some(2)].map(|sequence| inline(features, dice, sequence));
            format!("<VASTAdData>{}</VASTAdData>", vast(&ads[..dice.count(1, 3)]))
        }
        5 => format!("<VASTAdData><![CDATA[{}]]></VASTAdData>", vast(&[inline(features, dice, None)])),
        6 => {
            let companions = "<Creative><CompanionAds><Companion width='1' height='1'><StaticResource>x</StaticResource>\
                </Companion></CompanionAds></Creative>";
            let both =
                inline(features, dice, None).replace("</Creatives>", &format!("{companions}</Creatives>"));
            format!("<VASTAdData>{}</VASTAdData>", vast(&[both]))
        }
        _ => {
            let template = *dice.pick(&["vast3", "vast3", "vast4", "proprietary"]);
            format!("<AdTagURI templateType='{template}'>{}</AdTagURI>", *dice.pick(TAGS))
        }
    };
    format!("<AdSource{limits}>{held}</AdSource>")
}

/// A wrapper that points to its own URL.
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
    let more = *dice.pick(&["", " fallbackOnNoAd='true'", " fallbackOnNoAd='false'"]);
    let blocked = *dice.pick(&["", "", "<BlockedAdCategories>IAB25,IAB1</BlockedAdCategories>"]);
    let uri = *dice.pick(TAGS);
    let uri = if dice.chance(1, 12) { "" } else { uri };
    format!(
        "<Ad id='w'{}><Wrapper{attribute}{more}><AdSystem>s</AdSystem><VASTAdTagURI>{uri}</VASTAdTagURI>\
         <Impression>https://t.test/w</Impression>\
         <Error>https://t.test/we?[ERRORCODE]</Error>{blocked}</Wrapper></Ad>",
        sequence_attribute(sequence)
    )
}

fn inline(features: Features, dice: &mut Dice, sequence: Option<usize>) -> String {
    let kind = *dice.pick(&["", "", "", " adType='audio'", " adType='hybrid'", " conditionalAd='true'"]);
    let mut ad = format!("<Ad id='i{}'{}{kind}><InLine>", dice.below(9), sequence_attribute(sequence));
    ad.push_str("<AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression>");
    ad.push_str("<Error>https://t.test/ie?[ERRORCODE]</Error>");
    let more: &&str =
        dice.pick(&["", "<Expires>1</Expires>", "<Category authority='iabtechlab.com'>IAB25</Category>"]);
    ad.push_str(more);
    if features.attachments {
        attachments::watched(dice, &mut ad);
    }
    ad.push_str("<Creatives>");
    match dice.below(12) {
        0 => {}
        1 | 2 => nonlinear(features, dice, &mut ad),
        // Valid for a break of linear ads and for an overlay.
        3..=5 => {
            linear(features, dice, &mut ad);
            nonlinear(features, dice, &mut ad);
        }
        6 => {
            linear(features, dice, &mut ad);
            linear(features, dice, &mut ad);
        }
        _ => linear(features, dice, &mut ad),
    }
    if features.attachments && dice.chance(1, 2) {
        attachments::companions(dice, &mut ad);
    }
    ad.push_str("</Creatives></InLine></Ad>");
    if dice.chance(1, 20) { "<Ad id='broken'></Ad>".to_owned() } else { ad }
}

fn nonlinear(features: Features, dice: &mut Dice, ad: &mut String) {
    let shown = *dice.pick(&["", " minSuggestedDuration='00:00:02'", " minSuggestedDuration='00:00:00.250'"]);
    let click = *dice.pick(&["", "<NonLinearClickThrough>https://shop.test/o</NonLinearClickThrough>"]);
    let (framework, resource) = if features.simid && dice.chance(1, 2) {
        (" apiFramework='SIMID'", format!("<IFrameResource>{}</IFrameResource>", dice.pick(units::PAGES)))
    } else {
        let image = "<StaticResource creativeType='image/png'>https://t.test/x.png</StaticResource>";
        ("", image.to_owned())
    };
    let _ = write!(
        ad,
        "<Creative><NonLinearAds><NonLinear width='1' height='1'{shown}{framework}>{resource}{click}\
         </NonLinear></NonLinearAds></Creative>"
    );
}

fn linear(features: Features, dice: &mut Dice, ad: &mut String) {
    let skip =
        *dice.pick(&["", "", " skipoffset='00:00:00.500'", " skipoffset='50%'", " skipoffset='00:00:00'"]);
    let duration = *dice.pick(&["00:00:01", "00:00:02.500", "00:00:00"]);
    let sequence = *dice.pick(&["", "", " sequence='1'", " sequence='2'"]);
    let _ = write!(ad, "<Creative{sequence}><Linear{skip}><Duration>{duration}</Duration>");
    ad.push_str("<TrackingEvents><Tracking event='start'>https://t.test/s</Tracking>");
    ad.push_str("<Tracking event='notUsed'>https://t.test/n</Tracking>");
    let reported =
        ["firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume", "closeLinear"];
    for event in reported {
        if features.vpaid || features.simid || dice.chance(1, 4) {
            let _ = write!(ad, "<Tracking event='{event}'>https://t.test/{event}</Tracking>");
        }
    }
    ad.push_str(
        "<Tracking event='progress' offset='00:00:00.500'>https://t.test/p</Tracking></TrackingEvents>",
    );
    if dice.chance(1, 2) {
        ad.push_str("<VideoClicks><ClickThrough>https://shop.test/</ClickThrough></VideoClicks>");
    }
    if features.attachments {
        attachments::icons(dice, ad);
    }
    let form = *dice.pick(&["video/mp4", "video/mp4", "video/mp4", "application/x-none", "video/webm"]);
    let form = if features.vpaid && dice.chance(1, 2) {
        "application/javascript' apiFramework='VPAID".to_owned()
    } else {
        form.to_owned()
    };
    let spot = *dice.pick(SPOTS);
    let mezzanine = *dice.pick(&[
        "",
        "",
        "<Mezzanine delivery='progressive' type='video/mp4' width='2' height='2'>spot-0.mp4</Mezzanine>",
    ]);
    let _ = write!(
        ad,
        "<MediaFiles>{mezzanine}<MediaFile delivery='progressive' type='{form}' width='1' height='1'>{spot}</MediaFile>"
    );
    if features.simid && dice.chance(2, 3) {
        let page = *dice.pick(units::PAGES);
        let more = *dice.pick(&["", "", "", " variableDuration='true'"]);
        let _ = write!(
            ad,
            "<InteractiveCreativeFile type='text/html' apiFramework='SIMID'{more}>{page}\
             </InteractiveCreativeFile>"
        );
    }
    ad.push_str("</MediaFiles></Linear></Creative>");
}

/// A response for the URL of a playlist.
pub(crate) fn playlist(dice: &mut Dice) -> String {
    let item = |dice: &mut Dice| {
        let source = match dice.below(6) {
            0 => r#""title": "no source""#.to_owned(),
            1 => r#""source": { "sd": "film-0.mp4", "hd": "film-1.mp4" }"#.to_owned(),
            2 => format!(r#""file": "film-{}.mp4""#, dice.below(4)),
            _ => format!(r#""src": "film-{}.mp4""#, dice.below(4)),
        };
        let more = *dice.pick(&["", r#", "title": "Listed""#, r#", "name": "Named", "monetize": 0"#]);
        format!("{{ {source}{more} }}")
    };
    let items = dice.some(0, 3, item).join(", ");
    match dice.below(8) {
        0 => "no list".to_owned(),
        1 => "{}".to_owned(),
        2 | 3 => format!(r#"{{ "playlist": [{items}] }}"#),
        4 => format!(r#"{{ "Video": [{items}], "Player": {{}} }}"#),
        _ => format!("[{items}]"),
    }
}
