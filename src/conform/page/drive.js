// Plays one case on a player, through its adapter: reads case.json, makes the player, calls play(), does what the
// steps say when they say it, waits until all is over, and posts the recording. conform/README.md describes adapters.
(() => {
  'use strict';
  const { recorder } = playsim;
  const QUIET = 2.5; // seconds without a line after the end of the last film
  const PATIENCE = 12; // the same, while something is asked for and not answered
  const PRESS = 5; // how long a person has to press what the page asks for

  let adapter;
  playsim.adapter = (given) => {
    adapter = given;
  };
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const seconds = () => performance.now() / 1000;

  window.addEventListener('load', async () => {
    try {
      playsim.case = await (await fetch('case.json')).json();
      const head = await played(playsim.case);
      hint('sending the recording');
      const answer = await fetch('recording', { method: 'POST', body: recorder.toJSONL(head) });
      if (!answer.ok) throw new Error(`the server answers ${answer.status}: ${await answer.text()}`);
      document.title = 'done';
    } catch (error) {
      document.title = `failed: ${error.message}`;
    }
    hint(document.title);
  });

  function hint(text) {
    document.querySelector('#hint').textContent = text;
  }

  /** Plays the case, and returns the data of the recording's first line. */
  async function played({ name: title, needs = [], ...made }) {
    const head = { version: 1, case: title };
    if (!adapter) {
      recorder.note('the adapter did not call playsim.adapter({...})');
      return head;
    }
    const { name, decides = [], lacks = [], hears = [] } = adapter;
    head.player = name;
    head.adapter = { name, decides };
    head.hears = [...recorder.hears, 'call', 'user', 'native', ...hears];
    const wanted = made.ads?.length > 0 ? ['ads', ...needs] : needs;
    const missing = [...new Set(wanted)].filter((need) => lacks.includes(need));
    if (missing.length > 0) {
      head.cannot = `${name} has no ${missing.join(', ')}`;
      return head;
    }
    const version = await attempt('version', () => adapter.version?.());
    if (version) head.versions = typeof version === 'string' ? { [name]: version } : version;
    const { films, ads = [], muted = false, scenario } = made;
    const { native, event } = recorder;
    const box = document.querySelector('#box');
    const given = { box, films, ads, muted, scenario, native, event, sleep };
    const controls = await attempt('start', () => adapter.start(given));
    if (controls) await session({ steps: [], limit: 60, ...made, ads }, controls, hears);
    return head;
  }

  /** Runs code of the adapter: what it throws becomes a line. */
  async function attempt(what, work) {
    try {
      return await work();
    } catch (error) {
      recorder.note(`${what}: ${error?.message ?? error}`);
      return undefined;
    }
  }

  async function session(made, controls, hears) {
    // Only in a page that a person has touched may a player start with sound.
    if (!made.muted) await press('#person');
    await sleep(300);
    let waiting = 0;
    const later = async (delay, step) => {
      waiting += 1;
      await sleep(Math.max(0, delay) * 1000);
      await act(step.do, controls).finally(() => {
        waiting -= 1;
      });
    };
    const times = new Map();
    const isOver = watch(made);
    onEvents(made, hears, (event, late = 0) => {
      const nth = (times.get(event) ?? 0) + 1;
      times.set(event, nth);
      for (const step of made.steps) {
        if (step.on === event && (step.nth ?? nth) === nth) later((step.after ?? 0) - late, step);
      }
    });
    const began = seconds();
    for (const step of made.steps) if (!step.on) later((step.at ?? 0) + (step.after ?? 0), step);
    recorder.call('play');
    attempt('play', () => controls.play());
    while (waiting > 0 || !isOver()) {
      if (seconds() - began > made.limit) return recorder.note(`not over after ${made.limit} s`);
      await sleep(100);
    }
  }

  // --- Steps

  /** Calls of the documented API, and acts of persons, that have other names among an adapter's controls. */
  const CONTROLS = {
    play: ({ resume, play }) => resume ?? play,
    currentTime: ({ seek }) => seek,
    muted: ({ mute, unmute }, [on]) => (on ? mute : unmute),
  };

  async function act({ call, user, args = [] }, controls) {
    const name = call ?? user;
    recorder[user ? 'user' : 'call'](name, args.length > 0 ? args : undefined);
    const control = CONTROLS[name]?.(controls, args) ?? controls[name];
    if (control === undefined) return recorder.note(`the adapter has no ${name}`);
    if (typeof control === 'function') {
      // A person's act is a gesture to the browser, whatever it was on.
      if (user) await press('#person');
      return attempt(name, () => control(...args));
    }
    if (!(await press(control))) recorder.note(`${name}: nothing to press at ${control}`);
  }

  /** Has a person press an element, and returns whether that happened. A browser driver makes a real click, too. */
  async function press(selector) {
    if (window.playsimPress) return window.playsimPress(selector);
    hint(`Please press ${selector === '#person' ? 'the button' : selector} now.`);
    const pressed = new Promise((done) => {
      const listen = ({ isTrusted, target }) => {
        if (!isTrusted || !target.closest(selector)) return;
        window.removeEventListener('click', listen, true);
        done(true);
      };
      window.addEventListener('click', listen, true);
    });
    const done = await Promise.race([pressed, sleep(PRESS * 1000)]);
    hint('');
    return done === true;
  }

  // --- When steps are due, and when all is over

  /** Calls `fire(name, late)` for documented events: as the adapter passes them on, or as the lines show them. */
  function onEvents(made, hears, fire) {
    const passed = hears
      .filter((heard) => /^event(:|$)/.test(heard))
      .map((heard) => new RegExp(`^${(heard.split(':')[1] ?? '*').replaceAll('*', '.*')}$`));
    const isPassed = (name) => passed.some((form) => form.test(name));
    const derive = derived(made, (name, late) => isPassed(name) || fire(name, late));
    recorder.on((line) => (line.kind === 'event' ? isPassed(line.name) && fire(line.name) : derive(line)));
  }

  /** Seconds after which a gap between two ads, or a pause at the end of a film, can be told from a real one. */
  const GAP = 0.4;

  /** Whether a document names this address as an image to be shown. */
  function isOverlay(text, url) {
    if (!text?.includes('StaticResource')) return false;
    const named = new DOMParser()
      .parseFromString(text, 'text/xml')
      .querySelectorAll('NonLinear StaticResource');
    return [...named].some(({ textContent }) => textContent.trim() === url);
  }

  function derived({ films, ads }, fire) {
    const tags = ads.flatMap((ad) => ad.tags).map((tag) => tag.split('[')[0]);
    const shown = new Set();
    const paused = new Set();
    const answers = [];
    let ad; // what is on screen
    let isBreak = false;
    let isSkipped = false;
    const endOfBreak = (late) => {
      if (isBreak && !ad) fire('adEnd', late);
      isBreak = Boolean(ad);
    };
    return ({ kind, name, data }) => {
      const { src, url } = data ?? {};
      const isFilm = films.some((film) => film.src === src);
      if (kind === 'net' && name === 'request' && tags.some((tag) => url.startsWith(tag))) fire('requestAd');
      if (kind === 'net' && name === 'response') answers.push(data);
      if (kind === 'net' && data.via === 'image' && answers.some(({ text }) => isOverlay(text, url)))
        fire('adStart');
      if (kind === 'user') isSkipped = name === 'skip';
      if (kind === 'ui' && name === 'shown' && isFilm) {
        endOfBreak(0);
        if (!shown.has(src)) fire('start');
        shown.add(src);
      } else if (kind === 'ui' && name === 'shown') {
        [ad, isBreak, isSkipped] = [src, true, false];
        fire('adStart');
      } else if (kind === 'ui' && name === 'gone' && src === ad) {
        ad = undefined;
        if (isSkipped) fire('adSkip');
        setTimeout(() => endOfBreak(GAP), GAP * 1000);
      }
      if (kind !== 'media' || !src) return;
      const own = { pause: 'adPause', play: 'adResume', ended: 'adComplete', error: 'adError' };
      const event = isFilm ? name : own[name];
      if (name === 'pause') {
        paused.add(src);
        // A film is paused at its end, and for the time of a break.
        setTimeout(() => paused.has(src) && isBreak !== isFilm && fire(event, GAP), GAP * 1000);
      } else if (name === 'play' && !isFilm) {
        if (paused.delete(src)) fire(event);
      } else {
        if (name === 'ended' || name === 'emptied') paused.delete(src);
        if (event) fire(event);
      }
    };
  }

  /** Returns a function that tells whether the last film is over and nothing happens any more. */
  function watch({ films }) {
    const last = films.at(-1)?.src;
    const open = new Set();
    let isAtEnd = false;
    let heard = seconds();
    recorder.on(({ kind, name, data }) => {
      heard = seconds();
      if (kind === 'net' && name === 'request' && /fetch|xhr/.test(data.via)) open.add(data.url);
      else if (kind === 'net') open.delete(data.url);
      if (kind !== 'media') return;
      if (name === 'loadstart' && data.src) open.add(data.src);
      if (/loadedmetadata|error|emptied|abort/.test(name)) open.delete(data.src);
      if (data.src === last && /ended|error|playing/.test(name)) isAtEnd = name !== 'playing';
    });
    return () => isAtEnd && seconds() - heard > (open.size > 0 ? PATIENCE : QUIET);
  }
})();
