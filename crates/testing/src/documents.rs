//! Random responses: VAST of several shapes, playlists, and bodies that are neither.

use std::fmt::Write;

use super::feature::Feature;
use super::plan::Plan;
use super::source::Source;
use super::{attachments, units};

/// A response of an ad server, with units among the ads or not. It is written into `out`, in the
/// place of what is there.
pub(super) fn document<'a>(plan: &Plan, source: &mut Source, out: &'a mut String) -> &'a str {
    out.clear();
    match source.below(18) {
        0 => out.push_str("<VAST version='4.2'/>"),
        1 => out.push_str(
            "<VAST version='3.0'><Error><![CDATA[https://t.test/e?c=[ERRORCODE]]]></Error></VAST>",
        ),
        2 => {
            let texts = [
                "",
                "no xml",
                "<VAST",
                "<VAST version='3.0'><Ad>",
                "<html/>",
                "<VAST version='1.0'/>",
            ];
            let text: &&str = source.pick(&texts);
            out.push_str(text);
        }
        3 => vmap(plan, source, out),
        4..=6 => vast(out, |out| wrapper(plan, source, None, out)),
        7..=8 => vast(out, |out| {
            for sequence in 1..=source.count(2, 3) {
                let sequence = Some(sequence);
                if source.chance(1, 5) {
                    wrapper(plan, source, sequence, out);
                } else {
                    inline(plan, source, sequence, out);
                }
            }
        }),
        9 => vast(out, |out| {
            first_ads(plan, source, [None, Some(2), Some(1), None], 2, out)
        }),
        16 | 17 => vmap(plan, source, out),
        _ => vast(out, |out| inline(plan, source, None, out)),
    }
    out
}

/// Writes a VAST document of what `ads` writes.
fn vast(out: &mut String, ads: impl FnOnce(&mut String)) {
    out.push_str("<VAST version='4.2'>");
    ads(out);
    out.push_str("</VAST>");
}

/// The first of these ads: at least this many.
fn first_ads<const N: usize>(
    plan: &Plan,
    source: &mut Source,
    sequences: [Option<usize>; N],
    least: usize,
    out: &mut String,
) {
    let ends = sequences.map(|sequence| {
        inline(plan, source, sequence, out);
        out.len()
    });
    out.truncate(ends[source.count(least, N) - 1]);
}

/// A response of an ad server that knows the breaks of an item.
fn vmap(plan: &Plan, source: &mut Source, out: &mut String) {
    match source.below(12) {
        0 => out.push_str("<VMAP version='1.0'/>"),
        1 => {
            out.push_str(
                "<VMAP version='2.0'><AdBreak timeOffset='start' breakType='linear'/></VMAP>",
            );
        }
        2 => out.push_str("<VMAP version='1.0'><AdBreak"),
        _ => {
            out.push_str("<VMAP version='1.0'>");
            for _ in 0..source.count(0, 6) {
                ad_break(plan, source, out);
            }
            out.push_str("</VMAP>");
        }
    }
}

fn ad_break(plan: &Plan, source: &mut Source, out: &mut String) {
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
    push(
        out,
        &[
            "<AdBreak timeOffset='",
            offset,
            "' breakType='",
            form,
            "'",
            repeat,
            ">",
        ],
    );
    ad_source(plan, source, out);
    out.push_str(
        "<TrackingEvents><Tracking event='breakStart'>https://t.test/b</Tracking>\
         <Tracking event='breakEnd'>https://t.test/b</Tracking>\
         <Tracking event='error'>https://t.test/b?[ERROR_CODE]</Tracking></TrackingEvents></AdBreak>",
    );
}

fn ad_source(plan: &Plan, source: &mut Source, out: &mut String) {
    let limits = *source.pick(&[
        "",
        "",
        " allowMultipleAds='false'",
        " followRedirects='false'",
    ]);
    let kind = source.below(10);
    if kind == 0 {
        return;
    }
    push(out, &["<AdSource", limits, ">"]);
    match kind {
        1 => {}
        2 => out.push_str("<CustomAdData templateType='x'>y</CustomAdData>"),
        3 | 4 => {
            out.push_str("<VASTAdData>");
            vast(out, |out| {
                first_ads(plan, source, [None, Some(1), Some(2)], 1, out)
            });
            out.push_str("</VASTAdData>");
        }
        5 => {
            out.push_str("<VASTAdData><![CDATA[");
            vast(out, |out| inline(plan, source, None, out));
            out.push_str("]]></VASTAdData>");
        }
        6 => {
            const COMPANIONS: &str = "<Creative><CompanionAds><Companion width='1' height='1'><StaticResource>x\
                </StaticResource></Companion></CompanionAds></Creative>";
            out.push_str("<VASTAdData>");
            let from = out.len();
            vast(out, |out| inline(plan, source, None, out));
            if let Some(at) = out[from..].find("</Creatives>") {
                out.insert_str(from + at, COMPANIONS);
            }
            out.push_str("</VASTAdData>");
        }
        _ => {
            let template = *source.pick(&["vast3", "vast3", "vast4", "proprietary"]);
            let tag = source.pick(&plan.tags);
            push(
                out,
                &[
                    "<AdTagURI templateType='",
                    template,
                    "'>",
                    tag,
                    "</AdTagURI>",
                ],
            );
        }
    }
    out.push_str("</AdSource>");
}

/// A wrapper that points to its own URL.
pub(super) fn endless() -> &'static str {
    "<VAST version='4.2'><Ad id='again'><Wrapper><AdSystem>s</AdSystem>\
     <VASTAdTagURI>https://ads.test/loop</VASTAdTagURI></Wrapper></Ad></VAST>"
}

/// Appends these texts, one after another: quicker than formatting them, in what is drawn by the
/// million.
fn push(out: &mut String, texts: &[&str]) {
    for text in texts {
        out.push_str(text);
    }
}

fn open_ad(id: &str, sequence: Option<usize>, out: &mut String) {
    push(out, &["<Ad id='", id, "'"]);
    if let Some(sequence) = sequence {
        let _ = write!(out, " sequence='{sequence}'");
    }
}

fn wrapper(plan: &Plan, source: &mut Source, sequence: Option<usize>, out: &mut String) {
    let attribute = *source.pick(&[
        "",
        "",
        " followAdditionalWrappers='false'",
        " allowMultipleAds='true'",
    ]);
    let more = *source.pick(&["", " fallbackOnNoAd='true'", " fallbackOnNoAd='false'"]);
    let blocked = *source.pick(&[
        "",
        "",
        "<BlockedAdCategories>IAB25,IAB1</BlockedAdCategories>",
    ]);
    let uri = source.pick(&plan.tags);
    let uri = if source.chance(1, 12) { "" } else { uri };
    open_ad("w", sequence, out);
    push(
        out,
        &[
            "><Wrapper",
            attribute,
            more,
            "><AdSystem>s</AdSystem><VASTAdTagURI>",
            uri,
            "</VASTAdTagURI>",
        ],
    );
    out.push_str(
        "<Impression>https://t.test/w</Impression><Error>https://t.test/we?[ERRORCODE]</Error>",
    );
    push(out, &[blocked, "</Wrapper></Ad>"]);
}

fn inline(plan: &Plan, source: &mut Source, sequence: Option<usize>, out: &mut String) {
    let from = out.len();
    let kind = *source.pick(&[
        "",
        "",
        "",
        " adType='audio'",
        " adType='hybrid'",
        " conditionalAd='true'",
    ]);
    let id = source.pick(&["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8"]);
    open_ad(id, sequence, out);
    push(
        out,
        &[kind, "><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>"],
    );
    out.push_str(
        "<Impression>https://t.test/i</Impression><Error>https://t.test/ie?[ERRORCODE]</Error>",
    );
    let more: &&str = source.pick(&[
        "",
        "<Expires>1</Expires>",
        "<Category authority='iabtechlab.com'>IAB25</Category>",
    ]);
    out.push_str(more);
    if plan.has(Feature::Attachments) {
        attachments::watched(source, out);
    }
    out.push_str("<Creatives>");
    match source.below(12) {
        0 => {}
        1 | 2 => nonlinear(plan, source, out),
        // Valid for a break of linear ads and for an overlay.
        3..=5 => {
            linear(plan, source, out);
            nonlinear(plan, source, out);
        }
        6 => {
            linear(plan, source, out);
            linear(plan, source, out);
        }
        _ => linear(plan, source, out),
    }
    if plan.has(Feature::Attachments) && source.chance(1, 2) {
        attachments::companions(source, out);
    }
    out.push_str("</Creatives></InLine></Ad>");
    if source.chance(1, 20) {
        out.truncate(from);
        out.push_str("<Ad id='broken'></Ad>");
    }
}

fn nonlinear(plan: &Plan, source: &mut Source, ad: &mut String) {
    let shown = *source.pick(&[
        "",
        " minSuggestedDuration='00:00:02'",
        " minSuggestedDuration='00:00:00.250'",
    ]);
    let click = *source.pick(&[
        "",
        "<NonLinearClickThrough>https://shop.test/o</NonLinearClickThrough>",
    ]);
    push(
        ad,
        &[
            "<Creative><NonLinearAds><NonLinear width='1' height='1'",
            shown,
        ],
    );
    if plan.has(Feature::Simid) && source.chance(1, 2) {
        let page = *source.pick(units::PAGES);
        push(
            ad,
            &[
                " apiFramework='SIMID'><IFrameResource>",
                page,
                "</IFrameResource>",
            ],
        );
    } else {
        ad.push_str(
            "><StaticResource creativeType='image/png'>https://t.test/x.png</StaticResource>",
        );
    }
    push(ad, &[click, "</NonLinear></NonLinearAds></Creative>"]);
}

fn linear(plan: &Plan, source: &mut Source, ad: &mut String) {
    let skip = *source.pick(&[
        "",
        "",
        " skipoffset='00:00:00.500'",
        " skipoffset='50%'",
        " skipoffset='00:00:00'",
    ]);
    let duration = *source.pick(&["00:00:01", "00:00:02.500", "00:00:00"]);
    let sequence = *source.pick(&["", "", " sequence='1'", " sequence='2'"]);
    push(
        ad,
        &[
            "<Creative",
            sequence,
            "><Linear",
            skip,
            "><Duration>",
            duration,
            "</Duration>",
        ],
    );
    ad.push_str("<TrackingEvents><Tracking event='start'>https://t.test/s</Tracking>");
    ad.push_str("<Tracking event='notUsed'>https://t.test/n</Tracking>");
    let reported = [
        "firstQuartile",
        "midpoint",
        "thirdQuartile",
        "complete",
        "skip",
        "pause",
        "resume",
        "closeLinear",
    ];
    for event in reported {
        if plan.has(Feature::Vpaid) || plan.has(Feature::Simid) || source.chance(1, 4) {
            push(
                ad,
                &[
                    "<Tracking event='",
                    event,
                    "'>https://t.test/",
                    event,
                    "</Tracking>",
                ],
            );
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
    let form = *source.pick(&[
        "video/mp4",
        "video/mp4",
        "video/mp4",
        "application/x-none",
        "video/webm",
    ]);
    let is_unit = plan.has(Feature::Vpaid) && source.chance(1, 2);
    let form = if is_unit {
        "application/javascript' apiFramework='VPAID"
    } else {
        form
    };
    let spot = source.pick(&plan.spots);
    let mezzanine = *source.pick(&[
        "",
        "",
        "<Mezzanine delivery='progressive' type='video/mp4' width='2' height='2'>spot-0.mp4</Mezzanine>",
    ]);
    push(
        ad,
        &[
            "<MediaFiles>",
            mezzanine,
            "<MediaFile delivery='progressive' type='",
            form,
        ],
    );
    push(ad, &["' width='1' height='1'>", spot, "</MediaFile>"]);
    if plan.has(Feature::Simid) && source.chance(2, 3) {
        let page = *source.pick(units::PAGES);
        let more = *source.pick(&["", "", "", " variableDuration='true'"]);
        push(
            ad,
            &[
                "<InteractiveCreativeFile type='text/html' apiFramework='SIMID'",
                more,
                ">",
                page,
            ],
        );
        ad.push_str("</InteractiveCreativeFile>");
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
        let more = *source.pick(&[
            "",
            r#", "title": "Listed""#,
            r#", "name": "Named", "monetize": 0"#,
        ]);
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
