import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sampleMemory } from '@memory-read/integration-tests/client/faults/samples';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import { root } from '@memory-read/test-kit/repository';
import { build as buildWithEsbuild } from 'esbuild';
import type { Page } from 'playwright-core';
import { build as buildWithVite } from 'vite';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error It is JavaScript, because projects of users run it too.
import { smokeReport } from '../../packages/consumers/smoke.mjs';
import { createConsumer } from '../../packages/create-consumer.ts';
import { useChromium } from './use-chromium.ts';

type Scripts = Record<string, string>;

const { folder } = createConsumer();
const chromium = useChromium();
const memories = [sampleMemory({ id: 'mem_2' }), sampleMemory()];
const entries = ['smoke-page', 'client-worker'];
const forms = ['class', 'functions'];
const places = ['a page', 'a worker', 'a service worker'];
// Strings, because Vitest would rewrite an import inside a function.
const inPage = (call: string) => `import('/smoke-page.js').then((module) => module.${call})`;

describe.each([
  ['esbuild', bundleWithEsbuild],
  ['Vite', bundleWithVite],
])('a bundle of the packed packages by %s', (_bundler, bundle) => {
  let scripts: Scripts;
  let site: Listening;
  let page: Page;
  /** The `Authorization` of each request to the API, and the number of requests to the target of its redirect. */
  const seen = { authorizations: [] as unknown[], strays: 0 };

  beforeAll(async () => {
    scripts = await bundle();
    scripts['mockServiceWorker.js'] = readFileSync(
      join(root, 'packages/msw/node_modules/msw/lib/mockServiceWorker.js'),
      'utf8',
    );
    site = await listen(({ url = '', headers }, response) => {
      const script = scripts[url.slice(1)];
      if (script !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      if (url === '/moved/v1/memories') return response.writeHead(302, { location: '/elsewhere' }).end();
      if (url === '/elsewhere') seen.strays += 1;
      if (url !== '/api/v1/memories')
        return response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      seen.authorizations.push(headers.authorization);
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(memories));
    });
    return () => site[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    Object.assign(seen, { authorizations: [], strays: 0 });
    page = await chromium().browser.newPage();
    await page.goto(site.url);
  });
  afterEach(() => page.close());

  test.each(forms)(
    'runs the client (%s) and the mock in Chromium, also with the service worker of MSW',
    async (form) => {
      const report = await page.evaluate(inPage(`smokeBehindWorker('${form}')`));
      expect(report).toEqual({ ...smokeReport, behindWorker: 12 });
      expect(Object.values(scripts).join()).not.toContain('node:');
    },
  );

  test.each(places.flatMap((place) => forms.map((form) => [place, form] as const)))(
    'in %s, the client (%s) rejects a key, and without one reads from its own origin',
    async (place, form) => {
      const refusal =
        /^ConfigurationError: Failed to create the client: it runs in a browser, where every visitor can read the API key/;
      const report = await (place === 'a page'
        ? page.evaluate(inPage(`probeClient('${form}')`))
        : page.evaluate(probeInWorker, [place, form] as const));
      expect(report).toEqual({
        withKey: expect.stringMatching(refusal),
        withKeyFunction: expect.stringMatching(refusal),
        relativeWithKey: expect.stringContaining(
          "baseUrl does not begin with https:// or http://. Pass an absolute URL, or set auth: 'none'.",
        ),
        withoutKey: ['mem_2', 'mem_1'],
        withKeyAllowed: ['mem_2', 'mem_1'],
        redirected: { name: 'UnexpectedResponseError', status: 0, attempts: 1, url: `${site.url}/moved/v1/memories` },
      });
      expect(seen).toEqual({ authorizations: [undefined, 'Bearer KEYSECRET_0123456789'], strays: 0 });
      expect(JSON.stringify(report)).not.toContain('SECRET');
    },
  );
});

async function bundleWithEsbuild(): Promise<Scripts> {
  const entryPoints = entries.map((name) => `${name}.mjs`);
  const options = { bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, outdir: '/' } as const;
  const { outputFiles } = await buildWithEsbuild({ ...options, entryPoints, absWorkingDir: folder });
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
}

async function bundleWithVite(): Promise<Scripts> {
  const lib = { entry: entries.map((name) => `${name}.mjs`), formats: ['es' as const] };
  const output = await buildWithVite({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib },
  });
  const chunks = [output].flat().flatMap((one) => ('output' in one ? one.output : []));
  return Object.fromEntries(chunks.flatMap((chunk) => ('code' in chunk ? [[chunk.fileName, chunk.code]] : [])));
}

/** Runs inside Chromium, so it cannot use variables of this module. */
async function probeInWorker([kind, form]: readonly [string, string]): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const report = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  if (kind === 'a worker') {
    new Worker('/client-worker.js', { type: 'module' }).postMessage(form, [port2]);
  } else {
    await navigator.serviceWorker.register('/client-worker.js', { type: 'module' });
    (await navigator.serviceWorker.ready).active?.postMessage(form, [port2]);
  }
  return report;
}
