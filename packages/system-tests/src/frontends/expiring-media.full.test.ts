import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { silence } from '../media/viewer/long-recording.ts';
import { launchChromium } from '../runtimes/browser/launch-chromium.ts';
import type { SeenPlayback } from './play-expiring-media.page.ts';

const BYTES_PER_SECOND = 176_400;
const LIFETIME = 2_000;
const recording = silence(120, BYTES_PER_SECOND);
const folder = makeFolder(afterAll);

let server: Listening;
/** Until when each URL that was given out is good. */
let ends: number[];
let seen: PromiseWithResolvers<SeenPlayback>;

beforeEach(async () => {
  ends = [];
  seen = Promise.withResolvers();
  server = await listen(respond);
});
afterEach(() => server[Symbol.asyncDispose]());

const hasFirefox = spawnSync('firefox-esr', ['--version']).error === undefined;
const missing = hasFirefox || process.env.CI === 'true' ? undefined : 'Firefox';
if (missing) console.log('The playback in Firefox is left out: firefox-esr is not installed.');

const browsers: Record<string, (url: string) => Promise<void>> = {
  async Chromium(url) {
    const chromium = await launchChromium();
    onTestFinished(() => chromium.close());
    await (await chromium.browser.newPage()).goto(url);
  },
  async Firefox(url) {
    const profile = makeFolder(onTestFinished);
    writeFileSync(join(profile, 'user.js'), 'user_pref("media.autoplay.default", 0);\n');
    const firefox = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, url], {
      env: { ...process.env, HOME: folder },
      stdio: 'ignore',
    });
    firefox.once('error', seen.reject);
    onTestFinished(async () => {
      if (firefox.exitCode === null && firefox.kill()) await once(firefox, 'close');
    });
  },
};

test.each(Object.keys(browsers).filter((name) => name !== missing))(
  '%s plays on over media that expire',
  async (name) => {
    await browsers[name]?.(server.url);
    const { steps, ...rest } = await seen.promise;
    expect(rest).toEqual({ back: 0, status: 'ready', events: expect.arrayContaining(['stopped']) });
    const sound = { rate: 1.5, volume: 0.4, muted: true, modes: ['disabled', 'showing'] };
    const quiet = { ...sound, volume: 0.2 };
    const between = (low: number, high: number) => expect.toSatisfy((at: number) => at >= low && at <= high);
    expect(steps).toEqual([
      { step: 'a URL that dies early', reads: 2, ...sound, paused: false, position: between(0, 3) },
      { step: 'two changes', reads: 4, ...sound, paused: false, position: between(1, 10) },
      { step: 'a seek to the start, less volume', reads: 5, ...quiet, paused: false, position: between(0, 1) },
      { step: 'a seek and a pause', reads: 6, ...quiet, paused: true, position: between(30, 34) },
      { step: 'paused over two expiries', reads: 6, ...quiet, paused: true, position: steps[3]?.position },
      { step: 'playing again', reads: 7, ...quiet, paused: false, position: between(steps[4]?.position ?? 0, 35) },
    ]);
  },
  40_000,
);

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', server.url);
  if (pathname === '/sign') {
    const number = ends.push(Date.now() + LIFETIME) - 1;
    response.end(JSON.stringify({ url: `/recording.wav?number=${number}`, end: ends[number] }));
  } else if (pathname === '/recording.wav') sendUntilExpiry(Number(searchParams.get('number')), request, response);
  else if (pathname === '/kill') {
    ends = ends.map(() => 0);
    response.end();
  } else if (pathname === '/seen') {
    seen.resolve(JSON.parse(await text(request)));
    response.end();
  } else if (pathname === '/page.js') {
    response.setHeader('content-type', 'text/javascript').end(await bundlePage());
  } else if (pathname === '/captions.vtt') {
    response.setHeader('content-type', 'text/vtt').end('WEBVTT\n\n00:00.000 --> 00:09.000\nHello\n');
  } else {
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<!doctype html><video><track default src="/captions.vtt"></video><script type="module" src="/page.js"></script>',
      );
  }
}

/** Sends five times as fast as it is played, and ends the connection when the URL expires. */
function sendUntilExpiry(number: number, { headers }: IncomingMessage, response: ServerResponse): void {
  const isExpired = () => Date.now() >= (ends[number] ?? 0);
  if (isExpired()) return void response.writeHead(403).end();
  let place = Number(/^bytes=(\d+)/.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(206, {
    'content-type': 'audio/wav',
    'cache-control': 'no-store',
    'content-length': recording.length - place,
    'content-range': `bytes ${place}-${recording.length - 1}/${recording.length}`,
  });
  const timer = setInterval(() => {
    if (isExpired()) return response.destroy();
    const part = recording.subarray(place, place + (BYTES_PER_SECOND * 5) / 20);
    place += part.length;
    return place < recording.length ? response.write(part) : response.end(part);
  }, 50);
  response.on('close', () => clearInterval(timer));
}

async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'play-expiring-media.page.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['@memory-read/source'],
  });
  return outputFiles[0]?.text ?? '';
}
