// A stand-in for the documented player, small enough to read: pre-rolls of one tag, trackers, pause, skip, click.
(() => {
  const players = new Map();
  window.$player = (id, config, onReady) => {
    if (!players.has(id)) players.set(id, new Player(document.getElementById(id), onReady));
    return players.get(id);
  };

  class Player {
    #listeners = [];
    #video;
    #film;
    #tags = [];
    #trackers = {};
    #isAd = false;
    #hasStarted = false;
    #said = new Set();

    constructor(container, onReady) {
      this.#video = document.createElement('video');
      this.#video.style.cssText = 'width: 640px; height: 360px';
      const skip = Object.assign(document.createElement('button'), {
        className: 'skip',
        textContent: 'Skip',
      });
      skip.onclick = () => this.#isAd && this.#leave('adSkip', 'skip');
      container.append(this.#video, skip);
      this.#video.onclick = () => this.#click();
      this.#video.onended = () => (this.#isAd ? this.#leave('adComplete', 'complete') : this.#fire('ended'));
      this.#video.onerror = () => this.#isAd && this.#fail(401, 'the film of the ad cannot be played');
      this.#video.onplaying = () => this.#begin();
      this.#video.ontimeupdate = () => this.#progress();
      this.#video.onpause = () =>
        this.#video.ended || this.#report(this.#isAd ? 'adPause' : 'pause', 'pause');
      setTimeout(() => onReady.call(this));
    }

    on(names, listener) {
      for (const name of [names].flat()) this.#listeners.push({ name, listener });
    }

    src({ src }) {
      this.#film = src;
    }

    setAd({ adType, mobile }) {
      if (adType === 0) this.#tags.push(...mobile);
    }

    muted(muted = this.#video.muted) {
      this.#video.muted = muted;
      return muted;
    }

    pause() {
      this.#video.pause();
    }

    currentTime(seconds) {
      if (seconds === undefined) return this.#video.currentTime;
      this.#video.currentTime = seconds;
      this.#fire('seeked');
    }

    async play() {
      if (this.#video.src) {
        if (this.#isAd) this.#report('adResume', 'resume');
        return this.#video.play();
      }
      const [tag] = this.#tags;
      if (!tag) return this.#show(this.#film);
      this.#fire('requestAd');
      const answer = await fetch(tag).catch(() => undefined);
      const document = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/xml');
      for (const element of document.querySelectorAll('Tracking, Impression, ClickTracking, ClickThrough'))
        this.#trackers[element.getAttribute('event') ?? element.localName] = element.textContent.trim();
      const media = document.querySelector('MediaFile')?.textContent.trim();
      if (!media) return this.#fail(303, 'no ad in the response');
      this.#isAd = true;
      return this.#show(media);
    }

    #show(src) {
      this.#said.clear();
      this.#video.src = src;
      return this.#video.play().catch(() => {});
    }

    #fire(type, data) {
      for (const { name, listener } of this.#listeners) if (name === type) listener({ type, data });
    }

    /** An event, and the tracker that belongs to it, once for each film. */
    #report(event, tracker) {
      const isRepeated = ['pause', 'resume', 'click'].includes(tracker);
      if (this.#said.has(event) && !isRepeated) return;
      this.#said.add(event);
      this.#fire(
        event,
        event === 'adComplete' || event === 'adSkip' ? { wp: 0, pod: 0, pods: 1 } : undefined,
      );
      if (this.#isAd && this.#trackers[tracker]) new Image().src = this.#trackers[tracker];
    }

    #begin() {
      if (this.#isAd) {
        this.#report('adImpression', 'Impression');
        this.#report('adStart', 'start');
      } else if (!this.#hasStarted) {
        this.#hasStarted = true;
        this.#fire('start');
      }
    }

    #progress() {
      const { currentTime, duration } = this.#video;
      if (!this.#isAd) return this.#fire('timeupdate');
      if (currentTime >= duration / 4) this.#report('adFirstQuartile', 'firstQuartile');
      if (currentTime >= duration / 2) this.#report('adMidpoint', 'midpoint');
      if (currentTime >= (duration * 3) / 4) this.#report('adThirdQuartile', 'thirdQuartile');
    }

    #click() {
      if (!this.#isAd) return;
      this.#report('adClicked', 'ClickTracking');
      window.open(this.#trackers.ClickThrough);
      this.#video.pause();
    }

    #leave(event, tracker) {
      this.#report(event, tracker);
      this.#isAd = false;
      this.#fire('adEnd');
      this.#show(this.#film);
    }

    #fail(code, message) {
      this.#isAd = false;
      this.#fire('adError', { code, message });
      this.#fire('adEnd');
      this.#show(this.#film);
    }
  }
})();
