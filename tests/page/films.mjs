// Plays films of a server in Chromium, and says what is not as it should be.
//
//     node films.mjs PACKAGES CHROMIUM ADDRESS
import { createRequire } from "node:module";
import path from "node:path";

const [packages, executablePath, address] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(packages), "package.json"));
const { chromium } = require("playwright-core");

// How late a busy machine may be, in seconds; nothing may be early by more than a few pictures.
const LATE = 1.5;
const EARLY = 0.3;
// url, what is due: length, size, how long from playing to the end, seek, stall from..to, error code and place
const FILMS = [
  { url: "film.webm", duration: 6, size: "640x360", plays: 6 },
  { url: "film.webm", duration: 6, seek: 4.2, plays: 1.8 },
  { url: "ad.mp4", duration: 2.35, size: "320x180", plays: 2.35 },
  { url: "hour.webm", duration: 3600, seek: 3598, plays: 2 },
  { url: "sound.webm", duration: 2.35, plays: 2.35, sound: true },
  { url: "late.webm", duration: 2, loads: 1, plays: 2 },
  { url: "stall.webm", duration: 4, plays: 5.5, waits: 2 },
  { url: "network.webm", duration: 4, error: 2, at: 2 },
  { url: "decode.webm", duration: 4, error: 3, at: 2 },
  { url: "unsupported.webm", error: 4 },
  { url: "missing.webm", error: 4 },
  { url: "reset.webm", error: 4 },
];

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required", "--mute-audio",
    `--host-resolver-rules=MAP *.test ${address}`],
});
const problems = [];
for (const due of FILMS) {
  const page = await browser.newPage();
  await page.goto("http://shop.test/page.html");
  const seen = await page.evaluate(async ({ url, seek }) => {
    const video = Object.assign(document.createElement("video"), { muted: true });
    document.body.append(video);
    const began = performance.now();
    const now = () => (performance.now() - began) / 1000;
    const events = [];
    const over = new Promise(done => {
      for (const name of ["loadedmetadata", "playing", "waiting", "seeked", "ended", "error"]) {
        video.addEventListener(name, () => {
          events.push({ name, at: now(), position: video.currentTime });
          if (name === "ended" || name === "error") done();
        });
      }
      setTimeout(done, 20_000);
    });
    video.src = `http://m.test/${url}`;
    video.addEventListener("loadedmetadata", () => {
      if (seek) video.currentTime = seek;
    });
    video.play().catch(() => {});
    await over;
    return { events, duration: video.duration, size: `${video.videoWidth}x${video.videoHeight}`, error: video.error?.code,
      sound: video.webkitAudioDecodedByteCount > 0 };
  }, due);
  const wrong = text => problems.push(`${due.url}${due.seek ? ` from ${due.seek}` : ""}: ${text}\n  ${JSON.stringify(seen)}`);
  const first = name => seen.events.find(it => it.name === name);
  const near = (is, should, late = LATE) => is >= should - EARLY && is <= should + late;
  if (due.duration && Math.abs(seen.duration - due.duration) > 0.0005) wrong(`lasts ${seen.duration}`);
  if (due.size && seen.size !== due.size) wrong(`has the size ${seen.size}`);
  if (seen.error !== due.error) wrong(`has the error ${seen.error}, not ${due.error}`);
  if (due.duration && seen.sound !== Boolean(due.sound)) wrong(seen.sound ? "has sound" : "has no sound");
  if (due.loads && !near(first("loadedmetadata")?.at, due.loads)) wrong("its metadata come at another time");
  if (due.at && !near(seen.events.at(-1).position, due.at, 0.1)) wrong("fails elsewhere");
  if (due.plays) {
    const playing = seen.events.filter(it => it.name === "playing" && it.position >= (due.seek ?? 0) - 0.1)[0];
    const ended = first("ended");
    if (!playing || !ended) wrong("does not play to its end");
    else if (!near(ended.at - playing.at, due.plays)) wrong(`plays for ${ended.at - playing.at} s`);
    else if (Math.abs(ended.position - due.duration) > 0.0005) wrong(`ends at ${ended.position}`);
  }
  if (due.waits) {
    const stall = seen.events.find(it => it.name === "waiting" && it.position > 0.1);
    if (!stall || !near(stall.position, due.waits, 0.1)) wrong("does not stall there");
  }
  await page.close();
}
await browser.close();
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`${FILMS.length} films play as they should`);
