import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { launchChromium } from '../runtimes/browser/launch-chromium.ts';

const hasFirefox = spawnSync('firefox-esr', ['--version']).error === undefined;
if (!hasFirefox) console.log('The playback in Firefox is left out: firefox-esr is not installed.');

/** The browsers of this machine. In the gate, a missing one is a failure. */
export const browserNames = hasFirefox || process.env.CI === 'true' ? ['Chromium', 'Firefox'] : ['Chromium'];

/**
 * Opens a page whose program is a file of this folder, with a server for its other requests. Returns what the program
 * posts to `/seen`.
 */
export async function playInBrowser<T>(
  browser: string,
  program: string,
  html: string,
  respond: (url: URL, request: IncomingMessage, response: ServerResponse) => void,
): Promise<T> {
  const seen = Promise.withResolvers<T>();
  const server = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname === '/') {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html>${html}<script type="module" src="/page.js"></script>`);
    } else if (url.pathname === '/page.js') {
      response.setHeader('content-type', 'text/javascript').end(await bundle(program));
    } else if (url.pathname === '/seen') {
      seen.resolve(JSON.parse(await text(request)));
      response.end();
    } else respond(url, request, response);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  if (browser === 'Chromium') {
    const chromium = await launchChromium();
    onTestFinished(() => chromium.close());
    await (await chromium.browser.newPage()).goto(server.url);
  } else {
    const profile = makeFolder(onTestFinished);
    writeFileSync(join(profile, 'user.js'), 'user_pref("media.autoplay.default", 0);\n');
    const firefox = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, server.url], {
      env: { ...process.env, HOME: profile },
      stdio: 'ignore',
    });
    firefox.once('error', seen.reject);
    onTestFinished(async () => {
      if (firefox.exitCode === null && firefox.kill()) await once(firefox, 'close');
    });
  }
  return seen.promise;
}

async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, program)],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['@memory-read/source'],
  });
  return outputFiles[0]?.text ?? '';
}

/** What a server sends of a recording. */
export interface Sending {
  type: string;
  bytesPerSecond: number;
  /** Without byte ranges, each response has all of the recording. */
  hasRanges?: boolean;
  hasLength?: boolean;
  /** Number of bytes after which no more are sent. */
  stopsAt?: number;
  /** The connection ends when this is true. */
  isOver?(): boolean;
}

/** Sends a recording, from the first byte of the requested range on, no faster than so many bytes per second. */
export function sendSlowly(bytes: Uint8Array, request: IncomingMessage, response: ServerResponse, how: Sending): void {
  const {
    type,
    bytesPerSecond,
    hasRanges = true,
    hasLength = true,
    stopsAt = bytes.length,
    isOver = () => false,
  } = how;
  let place = hasRanges ? Number(/^bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
  response.writeHead(hasRanges ? 206 : 200, {
    'content-type': type,
    'cache-control': 'no-store',
    ...(hasLength && { 'content-length': bytes.length - place }),
    ...(hasRanges && { 'content-range': `bytes ${place}-${bytes.length - 1}/${bytes.length}` }),
  });
  const timer = setInterval(() => {
    if (isOver()) return response.destroy();
    const part = bytes.subarray(place, Math.min(place + bytesPerSecond / 20, stopsAt));
    place += part.length;
    if (place < bytes.length) return response.write(part);
    clearInterval(timer);
    return response.end(part);
  }, 50);
  response.on('close', () => clearInterval(timer));
}
