// What the tests need around a page: a server for all hosts *.test, and a browser to which they lead.
import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { film } from '../../fixtures/recordings/record/webm.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
export const PAGE = path.resolve(here, '../../crates/conform/src/page');
export const MODULES = process.env.PLAYSIM_PLAYWRIGHT ?? path.resolve(here, '..');
export const CHROMIUM = process.env.PLAYSIM_CHROMIUM ?? '/usr/bin/chromium';

const hasPlaywright = existsSync(path.join(MODULES, 'node_modules/playwright-core'));
const onPath = (name) => process.env.PATH.split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
/** Why there is no browser to test with, for those beside Chromium; false: there is one. */
export const missingOther = {
  firefox: !existsSync(path.join(MODULES, 'node_modules/puppeteer-core'))
    ? `no puppeteer-core in ${MODULES}/node_modules`
    : !['firefox', 'firefox-esr'].some(onPath) && 'no program firefox on the path',
  webkit:
    (!onPath('WebKitWebDriver') && 'no program WebKitWebDriver on the path') ||
    (!onPath('Xvfb') && 'no program Xvfb on the path'),
};
/** Why there is no browser to test with; false: there is one. */
export const missing = !hasPlaywright
  ? `no playwright-core in ${MODULES}/node_modules`
  : !existsSync(CHROMIUM) && `no browser at ${CHROMIUM}`;

/**
 * Starts a server. `answers` is a map from an address without its query to {type, body, film, status, how}, or to
 * a function of the request's body that returns one. `how: 'reset'` cuts the connection, `'never'` leaves it open.
 */
export async function serve(answers) {
  const server = http.createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { host, origin = '*', range } = request.headers;
    // As a proxy the server gets the whole address.
    const address = request.url.startsWith('http') ? request.url : `http://${host}${request.url}`;
    const found = answers[address.split('?')[0]] ?? { status: 404, body: 'not found' };
    const answer = typeof found === 'function' ? found(Buffer.concat(parts).toString()) : found;
    const { how, status = 200, type = 'text/html', seconds } = answer;
    if (how === 'never') return;
    if (how === 'reset') return void request.socket.resetAndDestroy();
    const head = { 'access-control-allow-origin': origin, 'cache-control': 'no-store' };
    if (seconds === undefined)
      return void response.writeHead(status, { ...head, 'content-type': type }).end(answer.body);
    const all = film(seconds);
    const [first, last = all.length - 1] = (/bytes=(\d+)-(\d+)?/.exec(range ?? '')?.slice(1) ?? [0]).map(
      (at) => at && Number(at),
    );
    const partial = { 'content-range': `bytes ${first}-${last}/${all.length}`, 'accept-ranges': 'bytes' };
    response
      .writeHead(206, { ...head, ...partial, 'content-type': 'video/webm' })
      .end(all.subarray(first, last + 1));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: server.address().port,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const script = (file) => ({ type: 'text/javascript', body: readFileSync(file) });

export function launch(port) {
  const { chromium } = createRequire(path.join(MODULES, 'package.json'))('playwright-core');
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--mute-audio',
      `--host-resolver-rules=MAP *.test 127.0.0.1:${port}`,
    ],
  });
}
