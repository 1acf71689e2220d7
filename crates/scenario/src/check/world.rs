//! Checks what surrounds the players: videos, media, responses, the players' settings.

use std::collections::BTreeSet;

use super::{
    Checked, MIME_TYPE, country, is_mime_type, length, lengths, named, once, out_of_bounds, part,
    shallow, within, within_text,
};
use crate::fields::media::ENDS_ON_AIR;
use crate::limits;
use crate::{
    AnswerScript, MediaScript, PlayerScript, Scenario, ScenarioError, ScriptedAnswer, VideoScript,
};
use playsim_api::media::{
    Delivery, Live, MediaFault, SimidAnswer, SimidDetail, SimidError, SimidReply, SimidScript,
    SimidSide, VpaidDetail, VpaidScript, VpaidWhen,
};
use playsim_api::page::INLINE;
use playsim_base::time::Span;

pub(super) fn check(scenario: &Scenario) -> Result<(), ScenarioError> {
    let whole = |at: &'static str| move |text| out_of_bounds(at, text);
    once(
        "video",
        scenario.videos.iter().map(|script| &*script.video.id),
    )
    .map_err(whole("videos"))?;
    for script in &scenario.videos {
        video(script).map_err(|text| out_of_bounds(part("video", &script.video.id), text))?;
    }
    once("URL", scenario.media.iter().map(|(address, _)| &**address)).map_err(whole("media"))?;
    for (address, script) in &scenario.media {
        loads(script).map_err(|text| out_of_bounds(part("media", address), text))?;
    }
    scenario
        .media_default
        .as_ref()
        .map_or(Ok(()), only_load)
        .map_err(whole("the default of media"))?;
    if let Some(unit) = &scenario.page.sides.inline_unit {
        simid(unit).map_err(|text| out_of_bounds(part("media", INLINE), text))?;
    }
    once(
        "URL",
        scenario.network.iter().map(|(address, _)| &**address),
    )
    .map_err(whole("network"))?;
    let media: BTreeSet<&str> = scenario.media.iter().map(|(url, _)| &**url).collect();
    for (address, answers) in &scenario.network {
        if media.contains(&**address) {
            return Err(out_of_bounds(part("network", address), TWICE.to_owned()));
        }
        network(answers).map_err(|text| out_of_bounds(part("network", address), text))?;
    }
    let mut ignored = scenario.ignore_query.iter();
    ignored
        .try_for_each(|name| named("ignore_query", name))
        .map_err(whole("network"))?;
    player(&scenario.player).map_err(whole("player"))?;
    players(scenario)?;
    let mut channels = scenario.channels.iter().flatten();
    channels
        .try_for_each(|channel| within("channel", *channel, limits::FROM_ONE))
        .map_err(whole("channels"))
}

fn video(script: &VideoScript) -> Checked {
    let video = &script.video;
    named("id", &video.id)?;
    length("record_after", script.record_after)?;
    video.channel_id.map_or(Ok(()), |channel| {
        within("channel_id", channel, limits::FROM_ONE)
    })?;
    video.geo.iter().try_for_each(|code| country("geo", code))?;
    once(
        "rendition",
        video
            .renditions
            .iter()
            .map(|(rendition, _)| rendition.name()),
    )?;
    video
        .renditions
        .iter()
        .try_for_each(|(_, address)| named("rendition", address))?;
    video.ads.iter().try_for_each(|ad| shallow("ads", ad))
}

/// What is wrong with a URL that has a response and media.
pub(crate) const TWICE: &str =
    "this URL is listed under media, too; how its load fails or how long it takes is said there";

fn loads(script: &MediaScript) -> Checked {
    script.earlier.iter().try_for_each(only_load)?;
    medium(script)
}

/// Media that are the same at every load.
fn only_load(script: &MediaScript) -> Checked {
    if !script.earlier.is_empty() {
        return Err(
            "a list of media stands for the loads of one URL, and has no other in it".to_owned(),
        );
    }
    medium(script)
}

fn medium(script: &MediaScript) -> Checked {
    lengths([
        ("duration", Some(script.duration)),
        ("metadata_after", Some(script.metadata_after)),
        ("switch_after", Some(script.switch_after)),
    ])?;
    for (at, length) in &script.stalls {
        within_text("at", at.micros())?;
        super::length("for", *length)?;
    }
    match script.fails {
        Some((_, MediaFault::NotRunning)) => {
            return Err(
                "\"fails\" is not-running; use \"live\" with \"stops_at\" and \"back_at\" instead"
                    .to_owned(),
            );
        }
        Some((Some(at), _)) => within_text("at", at.micros())?,
        Some((None, _)) | None => {}
    }
    if script.live.is_some() && script.is_as_said {
        return Err("\"as_ad_says\" requires media with a duration".to_owned());
    }
    script.live.map_or(Ok(()), live)?;
    script.delivery.as_ref().map_or(Ok(()), delivery)?;
    script
        .vpaid_script
        .as_ref()
        .map_or(Ok(()), |script| vpaid(script))?;
    script.simid.as_ref().map_or(Ok(()), |script| simid(script))
}

fn live(live: Live) -> Checked {
    length("window", live.window)?;
    for (name, at) in [
        ("stops_at", live.stops_at),
        ("back_at", live.back_at),
        ("ends_at", live.ends_at),
    ] {
        at.map_or(Ok(()), |at| within_text(name, at.micros()))?;
    }
    match (live.stops_at, live.back_at) {
        (None, Some(_)) => Err(
            "\"back_at\" requires \"stops_at\": a stream that never stops is never back".to_owned(),
        ),
        (Some(stops), Some(back)) if back <= stops => Err(format!(
            "\"back_at\" is {back} s; it must be after \"stops_at\""
        )),
        (Some(_), Some(_)) | (_, None) => {
            if live.ends_on_air() {
                Ok(())
            } else {
                Err(ENDS_ON_AIR.to_owned())
            }
        }
    }
}

fn delivery(delivery: &Delivery) -> Checked {
    within("bitrate", delivery.bitrate, limits::BITRATE)?;
    for (at, bits) in &delivery.bandwidth {
        within_text("at", at.micros())?;
        within("bps", *bits, limits::BANDWIDTH)?;
    }
    let mut known = BTreeSet::new();
    if delivery.bandwidth.iter().all(|(at, _)| known.insert(*at)) {
        Ok(())
    } else {
        Err("two bandwidths start at the same time; one of them would have no effect".to_owned())
    }
}

fn vpaid(script: &VpaidScript) -> Checked {
    named("version", &script.version)?;
    lengths([
        ("handshake_after", script.handshake_after),
        ("loaded_after", script.loaded_after),
        ("starts_after", script.starts_after),
        ("stop_after", script.stop_after),
        ("answers_after", Some(script.answers_after)),
    ])?;
    for step in &script.steps {
        match step.when {
            VpaidWhen::At(at) => length("at", at)?,
            VpaidWhen::On(_, after) => length("after", after)?,
        }
        lengths([(step.said.event.field(), step.said.detail.length())])?;
        if let VpaidDetail::Volume(volume) = step.said.detail {
            within("volume", volume, limits::VOLUME)?;
        }
    }
    Ok(())
}

fn simid(script: &SimidScript) -> Checked {
    // Rule SIMID-3.
    let of_unit = |error: SimidError| match error.side() {
        SimidSide::Creative => Ok(()),
        SimidSide::Player => Err(format!(
            "\"code\" is {}; it must be an error code of a SIMID unit, like 1104",
            error.code()
        )),
    };
    named("version", &script.version)?;
    lengths([("session_after", script.session_after)])?;
    for SimidAnswer { reply, after } in [&script.init, &script.start] {
        length("after", *after)?;
        if let SimidReply::Reject(Some(error)) = reply {
            of_unit(*error)?;
        }
    }
    for step in &script.steps {
        length("at", step.at)?;
        within("times", step.times, limits::SIMID_TIMES)?;
        match &step.detail {
            SimidDetail::Length(span) => length("for", *span)?,
            SimidDetail::Fatal(error, _) => of_unit(*error)?,
            SimidDetail::Nothing | SimidDetail::Link { .. } | SimidDetail::Addresses(_) => {}
        }
    }
    Ok(())
}

fn network(answers: &[AnswerScript]) -> Checked {
    if answers.is_empty() {
        return Err("a URL must have at least one response".to_owned());
    }
    for AnswerScript {
        after,
        answer,
        content_type,
    } in answers
    {
        length("after", *after)?;
        if let Some(stated) = content_type {
            if !matches!(answer, ScriptedAnswer::Body { .. }) {
                return Err("only a body has a type".to_owned());
            }
            if !is_mime_type(stated) {
                return Err(format!("type is \"{stated}\"; it must be {MIME_TYPE}"));
            }
        }
        match answer {
            ScriptedAnswer::Body { status, .. } => within("status", *status, limits::STATUS)?,
            ScriptedAnswer::Redirect { status, to } => {
                within("status", *status, limits::REDIRECT_STATUS)?;
                named("redirect", to)?;
            }
            ScriptedAnswer::Fails(_) | ScriptedAnswer::Silence => {}
        }
    }
    Ok(())
}

fn players(scenario: &Scenario) -> Result<(), ScenarioError> {
    let containers: BTreeSet<&str> = scenario.page.containers.iter().map(|it| &*it.id).collect();
    once("container", scenario.players.iter().map(|(id, _)| &**id))
        .map_err(|text| out_of_bounds("players", text))?;
    for (id, script) in &scenario.players {
        let known = if containers.contains(&**id) {
            Ok(())
        } else {
            Err("the page has no such container".into())
        };
        known
            .and_then(|()| player(script))
            .map_err(|text| out_of_bounds(part("player", id), text))?;
    }
    Ok(())
}

fn player(script: &PlayerScript) -> Checked {
    length("ready_after", script.ready_after)?;
    within("volume", script.volume, limits::VOLUME)?;
    script.ads.iter().try_for_each(|ad| shallow("ads", ad))?;
    if script.plan.as_ref().is_some_and(Vec::is_empty) {
        return Err("\"plan\" must have at least one rendition".to_owned());
    }
    for bid in &script.bids {
        within("nth", bid.nth, limits::FROM_ONE)?;
        named("url", &bid.url)?;
    }
    if let Some(option) = script.ad_loop {
        within("times", option.times, limits::FROM_ONE)?;
        within(
            "impressions",
            option.impressions.unwrap_or(1),
            limits::FROM_ONE,
        )?;
        length("every", option.every)?;
        if option.every == Span::ZERO {
            return Err("\"every\" is 0; it must be a length of time above zero".to_owned());
        }
    }
    within("ad_frequency", script.ad_turns.every, limits::FROM_ONE)
}
