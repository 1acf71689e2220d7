// Records what the video player of a page does, without knowing which player it is: the page's calls into the network,
// the events of all media elements, which film is on screen, uncaught errors. It is the first script of the page:
//
//   <script src="recorder.js"></script>                       then, at any time: playsim.recorder.save()
//   <script src="recorder.js" data-own="/app/"></script>      what is below /app/ is the page's own, and not recorded
//
// A recording is JSON lines, {"t":µs,"kind":..,"name":..,"data":{..}}, in the order of the page's own calls.
// Not recorded: requests of frames and workers, images in HTML that is parsed, the page going to another address.
(() => {
  'use strict';
  const space = (window.playsim ??= {});
  if (space.recorder) return;

  // --- Lines

  const HEARS = ['net', 'media', 'ui', 'diag', 'page'];
  const began = performance.now();
  const log = [];
  const listeners = new Set();

  const now = () => Math.max(0, Math.round((performance.now() - began) * 1000));

  /** Adds a line and returns it: what is known only later, such as the text of a response, goes into its data. */
  function put(kind, name, data) {
    const line = { t: now(), kind, name };
    if (data) line.data = data;
    log.push(line);
    for (const listener of listeners) quietly(() => listener(line));
    return line;
  }

  /** Recording must never break the page. */
  function quietly(work) {
    try {
      return work();
    } catch {}
  }

  const note = (text) => put('diag', 'note', { text: String(text) });
  function toJSONL(head) {
    const known = navigator.userAgent.match(/(Chrome|Firefox|Version)\/[\d.]+/)?.[0].replace('/', ' ');
    const browser = space.browser ?? known;
    const header = { t: 0, kind: 'header', name: 'recording', data: { version: 1, browser, hears: HEARS, ...head } };
    return [header, ...log].map((line) => JSON.stringify(line) + '\n').join('');
  }

  function save(name = 'recording.jsonl') {
    const href = URL.createObjectURL(new Blob([toJSONL()]));
    Object.assign(document.createElement('a'), { href, download: name }).click();
  }

  // --- Calls into the network

  const absolute = (url) => quietly(() => new URL(String(url), document.baseURI).href) ?? String(url);
  const { own } = document.currentScript?.dataset ?? {};

  /** Returns the absolute URL, or '' for what is not recorded: `data:`, `blob:`, the page's own files. */
  function address(url) {
    const full = url ? absolute(url) : '';
    return /^https?:/.test(full) && !(own && full.startsWith(absolute(own))) ? full : '';
  }

  function request(via, url) {
    const full = quietly(() => address(url));
    if (full) put('net', 'request', { url: full, via });
    return full;
  }

  /** Replaces a method, or the setter of a property, by what `make` makes of it; says so where that is impossible. */
  function patch(owner, name, make) {
    try {
      const found = Object.getOwnPropertyDescriptor(owner, name);
      const part = found.set ? 'set' : 'value';
      Object.defineProperty(owner, name, { ...found, [part]: make(found[part]) });
    } catch {
      note(`cannot hear ${name}`);
    }
  }

  /** Patches a method or a setter so that `work` gets the object and the arguments first. */
  function before(owner, name, work) {
    const make = (original) =>
      function (...given) {
        quietly(() => work(this, ...given));
        return original.apply(this, given);
      };
    patch(owner, name, make);
  }

  const VIA = { IMG: 'image', VIDEO: 'media', AUDIO: 'media', SOURCE: 'media', SCRIPT: 'script', IFRAME: 'frame' };
  /** How often the request of a media address is recorded whose loading has not begun. */
  const announced = new Map();

  function source(element, url) {
    const via = VIA[element.tagName];
    const full = via && request(via, url);
    if (full && via === 'media') announced.set(full, (announced.get(full) ?? 0) + 1);
    if (element instanceof HTMLMediaElement) hear(element);
  }

  for (const type of ['Image', 'Media', 'Source', 'Script', 'IFrame'])
    before(window[`HTML${type}Element`]?.prototype, 'src', source);
  before(Element.prototype, 'setAttribute', (element, name, value) => /^src$/i.test(name) && source(element, value));
  before(Navigator.prototype, 'sendBeacon', (_navigator, url) => request('beacon', url));
  before(window, 'open', (_window, url) => put('ui', 'navigate', { url: absolute(url ?? 'about:blank') }));
  window.addEventListener('click', (event) => {
    const link = event.composedPath().find((node) => node.tagName === 'A' && node.href && node.target === '_blank');
    if (link && !event.defaultPrevented) put('ui', 'navigate', { url: link.href });
  });

  // --- What was answered

  const LARGEST = 256 * 1024;
  const DOCUMENT = /^(\s|\uFEFF|<\?xml[^>]*>|<!--[^]*?-->)*<(\w+:)?(VAST|VMAP|VideoAdServingTemplate)[\s/>]/i;
  /** What was fetched last that may be a film: it is taken for what a `blob:` shows, which the page fills itself. */
  let fetched = '';

  function answered(url, status, type) {
    if (/^(video|audio)\/|mpegurl|dash|octet-stream/i.test(type ?? '')) fetched = url;
    return put('net', 'response', { url, status });
  }

  function keep(line, text) {
    if (text && text.length <= LARGEST && DOCUMENT.test(text.slice(0, 4096))) line.data.text = text;
  }

  patch(window, 'fetch', (original) =>
    function (...given) {
      const url = request('fetch', quietly(() => given[0].url) ?? given[0]);
      const promise = original.apply(this, given);
      // The page itself gets the promise and the body as they are.
      const failed = (error) => put('net', 'failed', { url, text: String(error?.name ?? error) });
      if (url) promise.then((response) => quietly(() => fetchedOne(url, response)), failed);
      return promise;
    });

  function fetchedOne(url, response) {
    if (response.type === 'opaque') return; // its status is hidden from the page
    const type = response.headers.get('content-type');
    const line = answered(url, response.status, type);
    if (!type || /xml|text/.test(type)) response.clone().text().then((text) => keep(line, text), () => {});
  }

  /** What each XMLHttpRequest was opened with; once it is sent, what `request` made of that. */
  const opened = new WeakMap();
  before(XMLHttpRequest.prototype, 'open', (xhr, _method, url) => opened.set(xhr, url));
  before(XMLHttpRequest.prototype, 'send', (xhr) => opened.set(xhr, request('xhr', opened.get(xhr))));
  // Listening begins when one is made, so that these listeners run before those of the page.
  patch(window, 'XMLHttpRequest', (Original) => {
    const construct = (...given) => {
      const xhr = Reflect.construct(...given);
      const heard = (work) => () => quietly(() => opened.get(xhr) && work(opened.get(xhr)));
      const on = (name, work) => xhr.addEventListener(name, heard(work));
      on('readystatechange', (url) => {
        if (xhr.readyState !== 4 || xhr.status === 0) return;
        keep(answered(url, xhr.status, xhr.getResponseHeader('content-type')), textOf(xhr));
      });
      for (const name of ['error', 'timeout', 'abort']) on(name, (url) => put('net', 'failed', { url, text: name }));
      return xhr;
    };
    return new Proxy(Original, { construct });
  });

  function textOf({ responseType, response }) {
    if (responseType === '' || responseType === 'text') return response;
    if (responseType === 'document') return response && new XMLSerializer().serializeToString(response);
    return response?.byteLength <= LARGEST ? new TextDecoder().decode(response) : '';
  }

  // --- Media elements

  const EVENTS = (
    'loadstart progress suspend abort error emptied stalled loadedmetadata loadeddata canplay canplaythrough playing ' +
    'waiting seeking seeked ended durationchange timeupdate play pause ratechange resize volumechange'
  ).split(' ');
  /** What each element plays: {src, position}. Until `loadstart`, events may be about the film before. */
  const films = new WeakMap();
  const seen = new WeakSet();

  /** Listens to an element: those outside the document, or in shadow trees, are found when the page uses them. */
  function hear(target) {
    for (const name of EVENTS) target.addEventListener(name, mediaEvent, true);
  }
  hear(document);
  for (const name of ['play', 'load']) before(HTMLMediaElement.prototype, name, (element) => hear(element));

  function mediaEvent(event) {
    const { target, type } = event;
    if (seen.has(event)) return;
    seen.add(event);
    if (target instanceof HTMLSourceElement) put('media', type, { src: address(target.src), position: 0 });
    if (!(target instanceof HTMLMediaElement)) return;
    const film = films.get(target) ?? { src: address(target.src), position: 0 };
    films.set(target, film);
    if (type === 'play') film.src = address(target.currentSrc) || film.src;
    if (/^(loadstart|loadedmetadata|error)$/.test(type)) load(film, target.currentSrc, type);
    const position = Math.round(target.currentTime * 1e6) / 1e6;
    const code = type === 'error' ? target.error?.code : undefined;
    put('media', type, { src: film.src, position, ...(code && { code }) });
    const advances = type === 'timeupdate' && position > film.position && !target.paused;
    // A film may go on unseen beneath another one that plays.
    if ((type === 'playing' || (advances && !isCovered(target))) && isVisible(target)) show(target, film.src);
    if (/^(ended|error|emptied)$/.test(type) && shown?.element === target) show(undefined, '');
    film.position = position;
  }

  function load(film, url, type) {
    const last = film.src;
    if (/^blob:/.test(url)) film.src = { loadstart: '', loadedmetadata: fetched }[type] ?? last;
    else film.src = address(url);
    if (!address(url) || (type !== 'loadstart' && film.src === last)) return;
    const times = announced.get(film.src);
    if (times) announced.set(film.src, times - 1);
    else request('media', url); // it was in HTML that was parsed, or is loaded again
  }

  // --- What is on screen

  let shown; // {element, src}
  const isCovered = (by) => shown && shown.element !== by && !shown.element.paused && isVisible(shown.element);

  function isVisible(element) {
    const { width, height } = element.getBoundingClientRect();
    const isStyled = element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) ?? true;
    return isStyled && element.isConnected && width > 0 && height > 0;
  }

  function show(element, src) {
    const last = shown?.src ?? '';
    shown = src ? { element, src } : undefined;
    if (last && last !== src) put('ui', 'gone', { src: last });
    if (src && last !== src) put('ui', 'shown', { src });
  }

  // --- The page

  const MOST_SAID = 200;
  let said = 0;
  for (const level of ['warn', 'error'])
    before(window.console, level, (_console, ...given) => {
      if ((said += 1) <= MOST_SAID) put('diag', 'console', { level, text: given.map(String).join(' ').slice(0, 500) });
    });
  document.addEventListener('visibilitychange', () => put('page', document.visibilityState));
  window.addEventListener('error', ({ message }) => put('diag', 'uncaught', { text: String(message) }));
  window.addEventListener('unhandledrejection', ({ reason }) => put('diag', 'uncaught', { text: String(reason) }));

  space.recorder = {
    lines: () => [...log],
    toJSONL, // the recording as text; what it is given completes the first line
    save, // gives the recording to the person in front of the page, as a file
    hears: HEARS,
    on: (listener) => listeners.add(listener), // is called with each line to come
    note,
    now, // microseconds since the recorder started
    ...Object.fromEntries(['call', 'user'].map((kind) => [kind, (name, args) => put(kind, name, args && { args })])),
    ...Object.fromEntries(['event', 'native'].map((kind) => [kind, (name, data) => put(kind, name, data)])),
  };
})();
