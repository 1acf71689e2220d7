// Plays one case on a player, through its adapter: reads case.json, makes the player, calls play(), does what the
// steps say when they say it, waits until all is over, and posts the recording. conform/README.md describes adapters.
(() => {
  'use strict';
  const { recorder } = playsim;
  const QUIET = 2.5; // seconds without a line after the end of the last film
  const PATIENCE = 12; // the same, while something is asked for and not answered
  const PRESS = 5; // how long a person has to press what the page asks for
  const GESTURE = '#person';

  let adapter;
  playsim.adapter = (given) => {
    adapter = given;
  };
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const seconds = () => performance.now() / 1000;
  const head = { version: 1 };
  /** The browser, as its driver names it; without a driver a person presses. */
  const driven = new URLSearchParams(location.search).get('browser');
  if (driven) head.browser = driven;

  window.addEventListener('load', async () => {
    let over = 'done';
    try {
      playsim.case = await (await fetch('case.json')).json();
      await want({ limit: playsim.case.limit ?? 60 });
      await played(playsim.case);
      hint('sending the recording');
      const answer = await fetch(`recording${location.search}`, { method: 'POST', body: recorder.toJSONL(head) });
      if (!answer.ok) throw new Error(`the server answers ${answer.status}: ${await answer.text()}`);
    } catch (error) {
      over = `failed: ${error.message}`;
    }
    document.title = over;
    hint(over);
    want({ over });
  });

  function hint(text) {
    document.querySelector('#hint').textContent = text;
  }

  // --- What the page wants of its driver, which calls next() for it

  const wants = [];
  let current;
  let hand;

  /** Asks the driver for something, and returns its answer. A person's acts come before screenshots. */
  async function want(what) {
    if (!driven) return undefined;
    return new Promise((done) => {
      const index = what.shot || what.over ? -1 : wants.findIndex((other) => other.what.shot);
      wants.splice(index < 0 ? wants.length : index, 0, { what, done });
      handOver();
    });
  }

  function handOver() {
    if (!hand || wants.length === 0) return;
    current = wants.shift();
    hand(current.what);
    hand = undefined;
  }

  /** Answers the last thing that the page wanted, and returns the next one. */
  playsim.next = (answer) => {
    current?.done(answer);
    return new Promise((give) => {
      hand = give;
      handOver();
    });
  };

  /** Whether nothing will happen any more. */
  let isHopeless = false;

  /** What kept the case from being played as written: it says nothing about the player. */
  function problem(text) {
    head.problems ??= [];
    if (head.problems.includes(text)) return;
    head.problems.push(text);
    recorder.note(text);
  }

  // --- The adapter

  const isOwn = (stack) => /adapter\.js/.test(String(stack).split('\n').find((line) => /\.js/.test(line)) ?? '');
  window.addEventListener('error', ({ message, filename, lineno }) => {
    if (/adapter\.js/.test(filename)) problem(`the adapter: ${message} (line ${lineno})`);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (isOwn(reason?.stack) && !(reason instanceof DOMException)) problem(`the adapter: ${reason}`);
  });

  /** Calls the adapter. What the player throws is a line; what the adapter throws is a fault of its own. */
  async function attempt(what, work, isVital) {
    try {
      return await work();
    } catch (error) {
      const text = `${what}: ${error?.message ?? error}`;
      // A browser that does not let a film play says so by a DOMException.
      const isFault = isVital || (isOwn(error?.stack) && !(error instanceof DOMException));
      if (isFault) problem(`the adapter throws in ${text}`);
      if (isFault && what === 'play') isHopeless = true;
      else recorder.note(text);
      return undefined;
    }
  }

  /** Plays the case, and completes the head of the recording. */
  async function played({ name: title, needs = [], ...made }) {
    head.case = title;
    if (typeof adapter?.start !== 'function' || typeof adapter.name !== 'string') {
      const lacks = adapter && (typeof adapter.name === 'string' ? 'no function start' : 'no name');
      if (!head.problems || adapter)
        problem(lacks ? `the adapter has ${lacks}` : 'the adapter does not call playsim.adapter({...})');
      if (adapter?.name) head.player = String(adapter.name);
      return;
    }
    const { name, decides = [], lacks = [], hears = [] } = adapter;
    head.player = name;
    head.adapter = { name, decides };
    head.hears = [...recorder.hears, 'call', 'user', 'native', ...hears];
    const wanted = made.ads?.length > 0 ? ['ads', ...needs] : needs;
    const missing = [...new Set(wanted)].filter((need) => lacks.includes(need));
    if (missing.length > 0) {
      head.cannot = `${name} has no ${missing.join(', ')}`;
      return;
    }
    const version = await attempt('version', () => adapter.version?.());
    if (version) head.versions = typeof version === 'string' ? { [name]: version } : version;
    await session({ steps: [], limit: 60, ads: [], ...made }, hears);
  }

  async function session(made, hears) {
    const { films, ads, muted = false, scenario, steps } = made;
    let hasStarted = false;
    let waiting = 0;
    const later = async (delay, step) => {
      step.due = true;
      waiting += 1;
      await sleep(Math.max(0, delay) * 1000);
      await act(step.do, controls).finally(() => {
        waiting -= 1;
      });
    };
    const times = new Map();
    onEvents(made, hears, (event, late = 0) => {
      if (!hasStarted) return early(event);
      const nth = (times.get(event) ?? 0) + 1;
      times.set(event, nth);
      for (const step of steps) {
        if (step.on === event && (step.nth ?? nth) === nth) later((step.after ?? 0) - late, step);
      }
      picture(event);
    });

    const { native, event } = recorder;
    const box = document.querySelector('#box');
    const given = { box, films, ads, muted, scenario, native, event, sleep };
    const controls = await attempt('start', () => adapter.start(given), true);
    if (head.problems) return undefined;
    if (typeof controls?.play !== 'function') return problem('the adapter has no function play');
    lookFor(controls);
    // Only in a page that a person has touched may a player start with sound.
    if (!muted) await press(GESTURE);
    await sleep(300);
    const isOver = watch(made);
    const began = seconds();
    hasStarted = true;
    for (const step of steps) if (!step.on) later((step.at ?? 0) + (step.after ?? 0), step);
    recorder.call('play');
    attempt('play', () => controls.play());
    while (!isHopeless && (waiting > 0 || !isOver())) {
      if (seconds() - began > made.limit) {
        recorder.note(`not over after ${made.limit} s`);
        break;
      }
      await sleep(100);
    }
    for (const { name, on } of unpressed)
      if (!found.has(on) && !find(on)) problem(`${name}: nothing on the page ever matched ${on}`);
    for (const step of isHopeless ? [] : steps.filter(({ due, optional }) => !due && !optional)) {
      const { call, user } = step.do;
      const which = step.nth ? `${step.on} number ${step.nth}` : step.on;
      problem(`${user ? 'the user' : 'page code'} never came to ${call ?? user}: ${which} was not seen`);
    }
    return undefined;
  }

  /** Says that something is there before play(): the steps of the case would miss it. */
  function early(event) {
    const what = { adStart: 'an ad', start: 'the content' }[event];
    if (what) problem(`${what} plays before play() is called`);
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
    if (control === undefined) return problem(`the adapter has no ${name}`);
    if (typeof control === 'function') {
      // A person's act is a gesture to the browser, whatever it was on.
      if (user) await press(GESTURE);
      return attempt(name, () => control(...args));
    }
    const { key, on } = typeof control === 'string' ? { on: control } : control;
    const done = key ? await strike(key, on) : await press(on);
    if (done) return undefined;
    unpressed.push({ name, on });
    return recorder.note(`${name}: nothing to press at ${on}`);
  }

  /** What could not be pressed. A button that is there later, or hidden, is the player's; none at all is a fault here. */
  const unpressed = [];
  /** The selectors of buttons that have matched something at any time. */
  const found = new Set();
  function lookFor(controls) {
    const selectors = Object.values(controls).map((control) => (typeof control === 'string' ? control : control?.on));
    recorder.on(() => {
      for (const selector of selectors) if (selector && !found.has(selector) && find(selector)) found.add(selector);
    });
  }

  /** Returns the first element that matches, in open shadow trees as well. */
  function find(selector, root = document) {
    const direct = root.querySelector(selector);
    if (direct) return direct;
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      const inner = shadowRoot && find(selector, shadowRoot);
      if (inner) return inner;
    }
    return undefined;
  }

  /** Returns the middle of an element that is visible now. */
  function middle(selector) {
    const element = find(selector);
    element?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    const { x, y, width, height } = element?.getBoundingClientRect() ?? {};
    const isVisible = width > 0 && height > 0 && (element.checkVisibility?.({ visibilityProperty: true }) ?? true);
    return isVisible ? [x + width / 2, y + height / 2] : undefined;
  }

  /** Has a person press an element, and returns whether that happened. A browser driver makes a real click, too. */
  async function press(selector) {
    if (driven) {
      const click = middle(selector);
      if (!click) return false;
      found.add(selector);
      return want({ click });
    }
    const isIt = ({ target }) => target.closest?.(selector);
    return byHand('click', isIt, `Please press ${selector === GESTURE ? 'the button' : selector} now.`);
  }

  /** Has a person press a key, on an element if there is one. */
  async function strike(key, on) {
    if (on && !find(on)) return false;
    if (on) find(on).focus();
    if (driven) return want({ key });
    return byHand('keydown', (event) => event.key === key, `Please press the key ${key} now.`);
  }

  async function byHand(type, isIt, text) {
    hint(text);
    const pressed = new Promise((done) => {
      const listen = (event) => {
        if (!event.isTrusted || !isIt(event)) return;
        window.removeEventListener(type, listen, true);
        done(true);
      };
      window.addEventListener(type, listen, true);
    });
    const done = await Promise.race([pressed, sleep(PRESS * 1000)]);
    hint('');
    return done === true;
  }

  // --- Screenshots

  const MOST_SHOTS = 12;
  let shots = 0;
  let ads = 0;
  let isAd = false;
  let hasContent = false;

  /** Has the driver make a screenshot of the player. */
  function shoot(of) {
    if ((shots += 1) > MOST_SHOTS) return;
    const { x, y, width, height } = document.querySelector('#box').getBoundingClientRect();
    want({ shot: of, at: recorder.now(), box: { x, y, width, height } });
  }

  /** Has screenshots made at the instants that decide: ad on screen, its middle, its end, content back, the end. */
  function picture(event) {
    const during = (of, delay, nth = ads) => setTimeout(() => isAd && nth === ads && shoot(of), delay * 1000);
    if (event === 'requestAd') shoot('asked');
    if (event === 'adStart') {
      [isAd, ads] = [true, ads + 1];
      const { duration = 0 } = [...document.querySelectorAll('video')].find(({ paused }) => !paused) ?? {};
      during('ad', 0.1);
      if (duration > 1 && duration < 60) {
        during('middle', duration / 2);
        during('ad-end', duration - 0.3);
      }
    }
    if (event === 'adError') shoot('ad-failed');
    if (event === 'adEnd') isAd = false;
    if (event === 'start' || (event === 'adEnd' && hasContent)) {
      isAd = false;
      setTimeout(shoot, 300, hasContent ? 'content-back' : 'content');
      hasContent = true;
    }
    if (event === 'ended') shoot('end');
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
