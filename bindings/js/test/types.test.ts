// Checked by the compiler: `npm run test:types`.
import { describe, expectTypeOf, test } from 'vitest';
import type { AdObject, Chapter, Config, EventName, MediaElement, Player, Scenario, SimEvent, World } from 'playsim';
import { mistakes, run } from 'playsim';

declare const w: World;
declare const player: Player;

describe.skip('types', () => {
  test('events', () => {
    player.on('adError', (e) => {
      expectTypeOf(e.data.code).toEqualTypeOf<number>();
      expectTypeOf(e.data.message).toEqualTypeOf<string>();
      expectTypeOf(e.type).toEqualTypeOf<'adError'>();
    });
    player.on('adComplete', (e) => expectTypeOf(e.data).toEqualTypeOf<{ wp: number; pod: number; pods: number }>());
    player.once('mutechange', function (e) {
      expectTypeOf(this).toEqualTypeOf<Player>();
      expectTypeOf(e.data.muted).toEqualTypeOf<boolean>();
    });
    player.on('adStart', (e) => expectTypeOf(e.data).toEqualTypeOf<undefined>());
    player.on(['adSkip', 'adError'], (e) => {
      if (e.type === 'adError') expectTypeOf(e.data.code).toEqualTypeOf<number>();
      else expectTypeOf(e.data.wp).toEqualTypeOf<number>();
    });
    // @ts-expect-error a misspelt event
    player.on('adStarted', () => {});
    // @ts-expect-error no listener
    player.on('adStart');
    // @ts-expect-error data that this event does not have
    player.on('adStart', (e) => e.data.code);
    expectTypeOf<'ready'>().toExtend<EventName>();
  });

  test('calls', () => {
    expectTypeOf(player.volume()).toEqualTypeOf<number>();
    expectTypeOf(player.duration()).toEqualTypeOf<number | null>();
    expectTypeOf(player.currentChapter()).toEqualTypeOf<Chapter | null>();
    expectTypeOf(player.isReady).toEqualTypeOf<boolean>();
    expectTypeOf(player.values.lastVASTXML).toEqualTypeOf<string | undefined>();
    expectTypeOf(player.play()).toEqualTypeOf<undefined | Promise<void>>();
    // @ts-expect-error a property
    player.isReady();
    // @ts-expect-error a rendition that does not exist
    player.setVideoSource('4k');
    player.setAd({ adType: 1, adTimeType: 's', cuepoints: [5], mobile: ['https://ads.test/a'] }, true, 'video');
    // @ts-expect-error adType is required
    player.playAd({ mobile: [] });
    // @ts-expect-error of bare media elements only
    player.load();
  });

  test('the world', () => {
    expectTypeOf(w.$player('box')).toEqualTypeOf<Player>();
    expectTypeOf(w.$player('box', { id: 'p' })).toEqualTypeOf<Player>();
    w.$player('box', { id: 'p' }, function () { expectTypeOf(this).toEqualTypeOf<Player>(); });
    w.user('skip');
    w.user({ click: [1, 2] });
    w.page({ hidden: true });
    w.answer('https://ads.test', { after: '1s', status: 503 });
    // @ts-expect-error
    w.user('skipp');
    // @ts-expect-error
    w.page({ hiden: true });
    // @ts-expect-error
    w.answer('https://ads.test', { fails: 'often' });
    // @ts-expect-error
    void w.clock.runTo('adStarted');
    expectTypeOf(w.clock.runTo('adError')).resolves.toEqualTypeOf<SimEvent<'adError'>>();
    expectTypeOf(w.clock.runTo(() => true)).resolves.toEqualTypeOf<void>();
    expectTypeOf(w.element('box')).toEqualTypeOf<MediaElement>();
    w.element('box', { src: 'a.mp4' }).addEventListener('timeupdate', (event) => expectTypeOf(event.target).toEqualTypeOf<MediaElement>());
    // @ts-expect-error no event of a media element
    w.element('box').addEventListener('adStart', () => {});
  });

  test('scenarios', () => {
    const scenario: Scenario = { videos: [{ id: 'film', renditions: { sd: 'film.mp4' } }], media: { 'film.mp4': { duration: '10s' } } };
    run(scenario).events.map((event) => event.type);
    // @ts-expect-error a misspelt field
    const wrong: Scenario = { vidoes: [] };
    mistakes(wrong);
    const ad: AdObject = { adType: 0 };
    const config: Config = { id: 'p1', ads: [ad] };
    expectTypeOf(config.id).toEqualTypeOf<string>();
  });
});
