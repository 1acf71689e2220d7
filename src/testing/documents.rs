//! Random responses: VAST of several shapes, playlists, and bodies that are neither.

use std::fmt::Write;

use super::feature::Feature;
use super::plan::Plan;
use super::source::Source;
use super::{attachments, units};

/// A response of an ad server, with units among the ads or not.
pub(super) fn document(plan: &Plan, source: &mut Source) -> String {
    match source.below(18) {
        0 => "<VAST version='4.2'/>".to_owned(),
        1 => {
            "<VAST version='3.0'><Error><![CDATA[https://t.test/e?c=[ERRORCODE]]]></Error></VAST>".to_owned()
        }
        2 => (*source.pick(&[
            "",
            "no xml",
            "<VAST",
            "<VAST version='3.0'><Ad>",
            "<html/>",
            "<VAST version='1.0'/>",
        ]))
        .to_owned(),
        3 => vmap(plan, source),
        4..=6 => vast(&[wrapper(plan, source, None)]),
        7..=8 => {
            let ads: Vec<String> = (1..=source.count(2, 3))
                .map(|sequence| {
                    let sequence = Some(sequence);
                    if source.chance(1, 5) {
                        wrapper(plan, source, sequence)
                    } else {
                        inline(plan, source, sequence)
                    }
                })
                .collect();
            vast(&ads)
        }
        9 => {
            let ads = [None, Some(2), Some(1), None].map(|sequence| inline(plan, source, sequence));
            vast(&ads[..source.count(2, 4)])
        }
        16 | 17 => vmap(plan, source),
        _ => vast(&[inline(plan, source, None)]),
    }
}

/// A response of an ad server that knows the breaks of an item.
fn vmap(plan: &Plan, source: &mut Source) -> String {
    match source.below(12) {
        0 => "<VMAP version='1.0'/>".to_owned(),
        1 => "<VMAP version='2.0'><AdBreak timeOffset='start' breakType='linear'/></VMAP>".to_owned(),
        2 => "<VMAP version='1.0'><AdBreak".to_owned(),
        _ => {
            let breaks = source.some(0, 6, |source| ad_break(plan, source));
            format!("<VMAP version='1.0'>{}</VMAP>", breaks.concat())
        }
    }
}

fn ad_break(plan: &Plan, source: &mut Source) -> String {
    let offset = *source.pick(&[
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
    let form = *source.pick(&[
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
    let repeat = *source.pick(&["", "", "", " repeatAfter='00:00:00.750'"]);
    let trackers = "<TrackingEvents><Tracking event='breakStart'>https://t.test/b</Tracking>\
        <Tracking event='breakEnd'>https://t.test/b</Tracking>\
        <Tracking event='error'>https://t.test/b?[ERROR_CODE]</Tracking></TrackingEvents>";
    let held = ad_source(plan, source);
    format!("<AdBreak timeOffset='{offset}' breakType='{form}'{repeat}>{held}{trackers}</AdBreak>")
}

fn ad_source(plan: &Plan, source: &mut Source) -> String {
    let limits = *source.pick(&["", "", " allowMultipleAds='false'", " followRedirects='false'"]);
    let held = match source.below(10) {
        0 => return String::new(),
        1 => String::new(),
        2 => "<CustomAdData templateType='x'>y</CustomAdData>".to_owned(),
        3 | 4 => {
            let ads = [None, Some(1), Some(2)].map(|sequence| inline(plan, source, sequence));
            format!("<VASTAdData>{}</VASTAdData>", vast(&ads[..source.count(1, 3)]))
        }
        5 => format!("<VASTAdData><![CDATA[{}]]></VASTAdData>", vast(&[inline(plan, source, None)])),
        6 => {
            let companions = "<Creative><CompanionAds><Companion width='1' height='1'><StaticResource>x</StaticResource>\
                </Companion></CompanionAds></Creative>";
            let both =
                inline(plan, source, None).replace("</Creatives>", &format!("{companions}</Creatives>"));
            format!("<VASTAdData>{}</VASTAdData>", vast(&[both]))
        }
        _ => {
            let template = *source.pick(&["vast3", "vast3", "vast4", "proprietary"]);
            format!("<AdTagURI templateType='{template}'>{}</AdTagURI>", source.pick(&plan.tags))
        }
    };
    format!("<AdSource{limits}>{held}</AdSource>")
}

/// A wrapper that points to its own URL.
pub(super) fn endless() -> String {
    let uri = "<VASTAdTagURI>https://ads.test/loop</VASTAdTagURI>";
    vast(&[format!("<Ad id='again'><Wrapper><AdSystem>s</AdSystem>{uri}</Wrapper></Ad>")])
}

fn vast(ads: &[String]) -> String {
    format!("<VAST version='4.2'>{}</VAST>", ads.concat())
}

fn sequence_attribute(sequence: Option<usize>) -> String {
    sequence.map_or_else(String::new, |sequence| format!(" sequence='{sequence}'"))
}

fn wrapper(plan: &Plan, source: &mut Source, sequence: Option<usize>) -> String {
    let attribute = *source.pick(&["", "", " followAdditionalWrappers='false'", " allowMultipleAds='true'"]);
    let more = *source.pick(&["", " fallbackOnNoAd='true'", " fallbackOnNoAd='false'"]);
    let blocked = *source.pick(&["", "", "<BlockedAdCategories>IAB25,IAB1</BlockedAdCategories>"]);
    let uri = source.pick(&plan.tags);
    let uri = if source.chance(1, 12) { "" } else { uri };
    format!(
        "<Ad id='w'{}><Wrapper{attribute}{more}><AdSystem>s</AdSystem><VASTAdTagURI>{uri}</VASTAdTagURI>\
         <Impression>https://t.test/w</Impression>\
         <Error>https://t.test/we?[ERRORCODE]</Error>{blocked}</Wrapper></Ad>",
        sequence_attribute(sequence)
    )
}

fn inline(plan: &Plan, source: &mut Source, sequence: Option<usize>) -> String {
    let kind = *source.pick(&["", "", "", " adType='audio'", " adType='hybrid'", " conditionalAd='true'"]);
    let mut ad = format!("<Ad id='i{}'{}{kind}><InLine>", source.below(9), sequence_attribute(sequence));
    ad.push_str("<AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression>");
    ad.push_str("<Error>https://t.test/ie?[ERRORCODE]</Error>");
    let more: &&str =
        source.pick(&["", "<Expires>1</Expires>", "<Category authority='iabtechlab.com'>IAB25</Category>"]);
    ad.push_str(more);
    if plan.has(Feature::Attachments) {
        attachments::watched(source, &mut ad);
    }
    ad.push_str("<Creatives>");
    match source.below(12) {
        0 => {}
        1 | 2 => nonlinear(plan, source, &mut ad),
        // Valid for a break of linear ads and for an overlay.
        3..=5 => {
            linear(plan, source, &mut ad);
            nonlinear(plan, source, &mut ad);
        }
        6 => {
            linear(plan, source, &mut ad);
            linear(plan, source, &mut ad);
        }
        _ => linear(plan, source, &mut ad),
    }
    if plan.has(Feature::Attachments) && source.chance(1, 2) {
        attachments::companions(source, &mut ad);
    }
    ad.push_str("</Creatives></InLine></Ad>");
    if source.chance(1, 20) { "<Ad id='broken'></Ad>".to_owned() } else { ad }
}

fn nonlinear(plan: &Plan, source: &mut Source, ad: &mut String) {
    let shown =
        *source.pick(&["", " minSuggestedDuration='00:00:02'", " minSuggestedDuration='00:00:00.250'"]);
    let click = *source.pick(&["", "<NonLinearClickThrough>https://shop.test/o</NonLinearClickThrough>"]);
    let (framework, resource) = if plan.has(Feature::Simid) && source.chance(1, 2) {
        (" apiFramework='SIMID'", format!("<IFrameResource>{}</IFrameResource>", source.pick(units::PAGES)))
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

fn linear(plan: &Plan, source: &mut Source, ad: &mut String) {
    let skip =
        *source.pick(&["", "", " skipoffset='00:00:00.500'", " skipoffset='50%'", " skipoffset='00:00:00'"]);
    let duration = *source.pick(&["00:00:01", "00:00:02.500", "00:00:00"]);
    let sequence = *source.pick(&["", "", " sequence='1'", " sequence='2'"]);
    let _ = write!(ad, "<Creative{sequence}><Linear{skip}><Duration>{duration}</Duration>");
    ad.push_str("<TrackingEvents><Tracking event='start'>https://t.test/s</Tracking>");
    ad.push_str("<Tracking event='notUsed'>https://t.test/n</Tracking>");
    let reported =
        ["firstQuartile", "midpoint", "thirdQuartile", "complete", "skip", "pause", "resume", "closeLinear"];
    for event in reported {
        if plan.has(Feature::Vpaid) || plan.has(Feature::Simid) || source.chance(1, 4) {
            let _ = write!(ad, "<Tracking event='{event}'>https://t.test/{event}</Tracking>");
        }
    }
    ad.push_str(
        "<Tracking event='progress' offset='00:00:00.500'>https://t.test/p</Tracking></TrackingEvents>",
    );
    if source.chance(1, 2) {
        ad.push_str("<VideoClicks><ClickThrough>https://shop.test/</ClickThrough></VideoClicks>");
    }
    if plan.has(Feature::Attachments) {
        attachments::icons(source, ad);
    }
    let form = *source.pick(&["video/mp4", "video/mp4", "video/mp4", "application/x-none", "video/webm"]);
    let form = if plan.has(Feature::Vpaid) && source.chance(1, 2) {
        "application/javascript' apiFramework='VPAID".to_owned()
    } else {
        form.to_owned()
    };
    let spot = source.pick(&plan.spots);
    let mezzanine = *source.pick(&[
        "",
        "",
        "<Mezzanine delivery='progressive' type='video/mp4' width='2' height='2'>spot-0.mp4</Mezzanine>",
    ]);
    let _ = write!(
        ad,
        "<MediaFiles>{mezzanine}<MediaFile delivery='progressive' type='{form}' width='1' height='1'>{spot}</MediaFile>"
    );
    if plan.has(Feature::Simid) && source.chance(2, 3) {
        let page = *source.pick(units::PAGES);
        let more = *source.pick(&["", "", "", " variableDuration='true'"]);
        let _ = write!(
            ad,
            "<InteractiveCreativeFile type='text/html' apiFramework='SIMID'{more}>{page}\
             </InteractiveCreativeFile>"
        );
    }
    ad.push_str("</MediaFiles></Linear></Creative>");
}

/// A response for the URL of a playlist.
pub(super) fn playlist(source: &mut Source) -> String {
    let item = |source: &mut Source| {
        let held = match source.below(6) {
            0 => r#""title": "no source""#.to_owned(),
            1 => r#""source": { "sd": "film-0.mp4", "hd": "film-1.mp4" }"#.to_owned(),
            2 => format!(r#""file": "film-{}.mp4""#, source.below(4)),
            _ => format!(r#""src": "film-{}.mp4""#, source.below(4)),
        };
        let more = *source.pick(&["", r#", "title": "Listed""#, r#", "name": "Named", "monetize": 0"#]);
        format!("{{ {held}{more} }}")
    };
    let items = source.some(0, 3, item).join(", ");
    match source.below(8) {
        0 => "no list".to_owned(),
        1 => "{}".to_owned(),
        2 | 3 => format!(r#"{{ "playlist": [{items}] }}"#),
        4 => format!(r#"{{ "Video": [{items}], "Player": {{}} }}"#),
        _ => format!("[{items}]"),
    }
}
