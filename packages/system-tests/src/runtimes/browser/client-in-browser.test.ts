import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { ClientProbe } from './client-probe.ts';
import { serveClientProbe } from './serve-client-probe.ts';
import { useChromium } from './use-chromium.ts';

const chromium = useChromium();
let site: Awaited<ReturnType<typeof serveClientProbe>>;
let page: Page;

beforeEach(async () => {
  site = await serveClientProbe();
  page = await chromium().browser.newPage();
  await page.goto(site.url);
  return async () => {
    await page.close();
    await site[Symbol.asyncDispose]();
  };
});

// A string, because Vitest would rewrite an import inside a function.
const inPage = "import('/client-probe.js').then((module) => module.probeClient())";

test.each<[string, string | (() => Promise<ClientProbe>)]>([
  ['a page', inPage],
  ['a worker', inWorker],
  ['a service worker', inServiceWorker],
])('in %s, the client rejects a key, and without one reads from its own origin', async (_title, probe) => {
  const refusal =
    /^ConfigurationError: Failed to create the client: it runs in a browser, where every visitor can read the API key/;
  const report = await page.evaluate<ClientProbe>(probe as string);
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
  expect(site.authorizations).toEqual([undefined, 'Bearer KEYSECRET_0123456789']);
  expect(site.strays()).toBe(0);
  expect(JSON.stringify(report)).not.toContain('SECRET');
});

// The functions below run inside Chromium, so they cannot use variables of this module.

function inWorker(): Promise<ClientProbe> {
  const { port1, port2 } = new MessageChannel();
  const report = new Promise<ClientProbe>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  new Worker('/client-worker.js', { type: 'module' }).postMessage('probe', [port2]);
  return report;
}

async function inServiceWorker(): Promise<ClientProbe> {
  const { port1, port2 } = new MessageChannel();
  const report = new Promise<ClientProbe>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  await navigator.serviceWorker.register('/client-worker.js', { type: 'module' });
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage('probe', [port2]);
  return report;
}
