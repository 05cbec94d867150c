import { canFetch, type ParityHost } from '@memory-read/integration-tests/parity/hosts/parity-host';
import type { ParityRequest } from '@memory-read/integration-tests/parity/parity-case';
import type { MemoryMock } from '@memory-read/msw';
import type { Page } from 'playwright-core';

/** Declared by the script of the page. */
declare const mock: MemoryMock;

/** The mock in a service worker, which receives requests of the fetch of its page. */
export function createPageHost(page: Page, baseUrl: string): ParityHost {
  return {
    name: 'page',
    baseUrl,
    setClock: (instant) => page.evaluate((time) => mock.clock.set(time), instant.toISOString()),
    async send(request) {
      const { status, headers, body } = await page.evaluate(fetchInPage, request);
      return { status, headers, body: Buffer.from(body, 'latin1') };
    },
    canSend(request) {
      const { headers } = request;
      // Chromium shows a service worker an empty value where there is one beyond ASCII.
      return canFetch(request) && !headers.some(([name, value]) => ofTheBrowser.test(name) || /[^\t -~]/.test(value));
    },
  };
}

/** The part of https://fetch.spec.whatwg.org/#forbidden-request-header that the suite uses. */
const ofTheBrowser = /^(accept-charset|accept-encoding|access-control-request-.*|cookie|expect|origin)$/i;

async function fetchInPage({ url, method, headers, body }: ParityRequest) {
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const bytes = new Uint8Array(await response.arrayBuffer());
  let text = '';
  for (let start = 0; start < bytes.length; start += 10_000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 10_000));
  }
  return { status: response.status, headers: [...response.headers], body: text };
}
