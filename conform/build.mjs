// Bundles each player (node build.mjs NAME..., or all) into one script, and a style sheet where it has one: lib/NAME.js
// and lib/NAME.css. Each script lists its packages and their versions in `playsim.versions`.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The packages of each player, the source of its script, and its profile if that has another name: a file here. */
export const PLAYERS = {
  'fluid-player': {
    packages: ['fluid-player'],
    script: "import 'fluid-player/src/browser.js';",
  },
  shaka: {
    packages: ['shaka-player'],
    profile: 'shaka.yaml',
    script: "import shaka from 'shaka-player'; window.shaka = shaka;",
  },
  'contrib-ads': {
    packages: ['video.js', 'videojs-contrib-ads', '@dailymotion/vast-client'],
    profile: 'contrib-ads.yaml',
    script: `import videojs from 'video.js';
import 'video.js/dist/video-js.css';
import 'videojs-contrib-ads';
import 'videojs-contrib-ads/dist/videojs-contrib-ads.css';
import * as vast from '@dailymotion/vast-client';
Object.assign(window, { videojs, vast });`,
  },
  mediaelement: {
    packages: ['mediaelement', 'mediaelement-plugins'],
    script: `import 'mediaelement/build/mediaelement-and-player.js';
import 'mediaelement/build/mediaelementplayer.css';
import 'mediaelement-plugins/dist/ads/ads.js';
import 'mediaelement-plugins/dist/ads/ads.css';
import 'mediaelement-plugins/dist/ads-vast-vpaid/ads-vast-vpaid.js';`,
  },
  'videojs-vast-vpaid': {
    packages: ['videojs-vast-vpaid', 'video.js-5'],
    script: `import videojs from 'video.js-5/dist/video.js';
import 'video.js-5/dist/video-js.css';
window.videojs = videojs;
require('videojs-vast-vpaid/bin/videojs_5.vast.vpaid.js');
import 'videojs-vast-vpaid/bin/videojs.vast.vpaid.css';`,
  },
  'vast-player': {
    packages: ['vast-player'],
    script: "import VASTPlayer from 'vast-player/dist/vast-player.js'; window.VASTPlayer = VASTPlayer;",
  },
};

const version = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

export async function make(name) {
  const { packages, script } = PLAYERS[name];
  const versions = Object.fromEntries(packages.map((each) => [each, version(each)]));
  await build({
    stdin: { contents: script, resolveDir: here },
    outfile: `${here}lib/${name}.js`,
    bundle: true,
    minify: true,
    banner: { js: `(window.playsim ??= {}).versions = ${JSON.stringify(versions)};` },
    loader: Object.fromEntries(
      ['.svg', '.woff', '.png', '.gif', '.eot', '.ttf'].map((ending) => [ending, 'dataurl']),
    ),
    define: {
      'process.env.NODE_ENV': '"production"',
      global: 'window',
      FP_BUILD_VERSION: JSON.stringify(versions[packages[0]]),
    },
    // Parts that fluid-player would load later: streams, subtitles, spheres.
    external: ['hls.js', 'dashjs', 'panolens', 'videojs-vtt.js'].filter(() => name === 'fluid-player'),
    logLevel: 'error',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  for (const name of wanted.length > 0 ? wanted : Object.keys(PLAYERS)) await make(name);
}
