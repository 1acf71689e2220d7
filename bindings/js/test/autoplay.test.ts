// What browsers do about autoplay, by the profiles that say which browser it is.
import { afterEach, describe, expect, test } from 'vitest';
import { world } from 'playsim';
import type { Player, Scenario, World } from 'playsim';
import { config, plain, preroll } from './pages.js';

let w: World;
afterEach(() => w.free());

const types = () => w.events({ ignoring: ['timeupdate', 'progress'] }).map((event) => event.type);
/** What a promise of `play()` comes to. */
const outcome = (promise: unknown) =>
  (promise as Promise<void>).then(() => 'plays', (error: Error) => error.name);

describe.each(['chromium', 'webkit'])('%s', (profile) => {
  const open = (scenario: Scenario) => {
    w = world({ ...scenario, profile, knobs: { 'play.returns': 'promise' } } as Scenario, { onDiagnostic: 'ignore' });
  };
  const made = async (more = {}): Promise<Player> => {
    const player = w.$player('box', { ...config, ...more });
    await w.clock.runTo('ready');
    await w.clock.advanceAsync('1s');
    return player;
  };

  describe.each([['without ads', plain], ['with ads', preroll]])('%s', (_, scenario) => {
    test('play() with sound and without a gesture is refused', async () => {
      open(scenario);
      const said = outcome((await made()).play());
      await w.clock.advanceAsync('10s');
      expect(await said).toBe('NotAllowedError');
      expect(types()).not.toContain('start');
      expect(types()).not.toContain('adStart');
    });

    test('muted it is allowed', async () => {
      open(scenario);
      const said = outcome((await made({ muted: true })).play());
      await w.clock.runTo('start');
      expect(await said).toBe('plays');
      expect(types().includes('adStart')).toBe(scenario === preroll);
    });

    test('a page that falls back to muted plays', async () => {
      open(scenario);
      const player = await made();
      const play = () => player.play() as unknown as Promise<void>;
      const said = outcome(play().catch(() => {
        player.muted(true);
        return play();
      }));
      await w.clock.runTo('start');
      expect(await said).toBe('plays');
      expect(player.muted()).toBe(true);
    });

    test('after a gesture it plays with sound', async () => {
      open(scenario);
      const player = await made();
      w.user('gesture');
      const said = outcome(player.play());
      await w.clock.runTo('start');
      expect(await said).toBe('plays');
      expect(player.muted()).toBe(false);
    });
  });

  test('a bare element is treated as a player', async () => {
    open(plain);
    const video = w.element('video', { src: 'film.mp4' });
    await w.clock.runTo('loadedmetadata');
    const refused = outcome(video.play());
    await w.clock.advanceAsync('1s');
    expect([await refused, video.paused]).toEqual(['NotAllowedError', true]);
    video.muted = true;
    const allowed = outcome(video.play());
    await w.clock.advanceAsync('1s');
    expect([await allowed, video.paused]).toEqual(['plays', false]);
  });
});
