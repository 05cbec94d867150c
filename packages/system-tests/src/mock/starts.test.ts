import { join } from 'node:path';
import type * as browser from '@memory-read/msw/browser';
import type * as msw from 'msw';
import type * as mswBrowser from 'msw/browser';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serveMockPage } from '../runtimes/browser/serve-mock-page.ts';
import type { Site } from '../runtimes/browser/serve-site.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';

/** Declared by the script of the page. */
declare const startMemoryMock: typeof browser.startMemoryMock;
declare const setupWorker: typeof mswBrowser.setupWorker;
declare const http: typeof msw.http;
declare const HttpResponse: typeof msw.HttpResponse;
declare const quiet: object;
declare function ask(path: string): Promise<string>;
declare function failureOf(started: Promise<unknown>): Promise<string>;

/** Declared by the tests. */
declare global {
  var mock: browser.BrowserMemoryMock;
  var worker: mswBrowser.SetupWorker;
}

const chromium = useChromium();
const runs = 'Failed to start the mock: a mock already runs in this page. Close it first.';

describe.each(['msw', 'msw-2'] as const)('%s', (name) => {
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await serveMockPage(name, join(import.meta.dirname, 'starts.page.ts'));
  });
  beforeEach(async () => {
    page = await (await chromium().browser.newContext()).newPage();
    await open(page);
  });
  afterEach(() => page.context().close());
  afterAll(() => site?.[Symbol.asyncDispose]());

  async function open(opened: Page): Promise<void> {
    await opened.goto(site.url);
    // A string, because Vitest would rewrite an import inside a function.
    await opened.evaluate("import('/page.js')");
  }

  test.each([
    ['of the same module', "import('/page.js')"],
    ['of another copy of the package', "import('/page.js?copy')"],
  ])('a second mock %s rejects, and changes nothing of the first', async (_, load) => {
    await page.evaluate(async () => {
      mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', memories: [] });
      mock.memories.add({ id: 'mem_first' });
      mock.faults.always({ status: 503 }, { match: { operation: 'listMemories' } });
      await ask('/api/v1/memories/mem_first');
    });
    await page.evaluate(load);
    const seen = await page.evaluate(async () => [
      await failureOf(startMemoryMock({ baseUrl: '/api', auth: 'none' })),
      await ask('/api/v1/memories/mem_first'),
      await ask('/api/v1/memories'),
      mock.requests.length,
    ]);
    expect(seen).toEqual([runs, '200', '503', 3]);
  });

  test('of two starts at the same time, the first one succeeds', async () => {
    const seen = await page.evaluate(async () => {
      const start = (id: string) =>
        startMemoryMock({ baseUrl: '/api', auth: 'none', memories: [] }).then((started) =>
          started.memories.add({ id }),
        );
      const failures = await Promise.all(['mem_one', 'mem_two'].map((id) => failureOf(start(id))));
      return [...failures, await ask('/api/v1/memories/mem_one'), await ask('/api/v1/memories/mem_two')];
    });
    expect(seen).toEqual(['started', runs, '200', '404']);
  });

  test.each(['/mockServiceWorker.js', '/other-version.js'])(
    'with the service worker %s, a stalled request ends when the mock is closed, and the next mock answers',
    async (serviceWorkerUrl) => {
      const seen = await page.evaluate(async (url) => {
        const outcomes: string[] = [];
        for (let round = 0; round < 3; round += 1) {
          mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', serviceWorkerUrl: url });
          mock.faults.next('stall');
          const stalled = ask('/api/v1/memories');
          await mock.nextRequest();
          await mock.close();
          outcomes.push(await stalled, await ask('/api/v1/memories'));
        }
        return outcomes;
      }, serviceWorkerUrl);
      expect(seen).toEqual(Array(3).fill(['418', 'the network']).flat());
    },
  );

  const unusable = (url: string, cause: string) =>
    `Failed to start the mock: the browser cannot register the service worker ${url} (see the cause). If this file is missing, run "npx msw init public --save". ${cause}`;
  test.each([
    // Like the development server of Vite, the site responds to an unknown path with a 200.
    ["{ serviceWorkerUrl: '/missing.js' }", unusable('/missing.js', 'SecurityError: *unsupported MIME type*')],
    ["{ serviceWorkerUrl: '/gone.js' }", unusable('/gone.js', 'TypeError: *(404)*')],
    ["{ serviceWorkerUrl: '/throws.js' }", unusable('/throws.js', 'TypeError: *script evaluation failed')],
    [
      "{ serviceWorkerUrl: '/below/mockServiceWorker.js' }",
      'Failed to start the mock: a service worker at /below/mockServiceWorker.js only receives requests of pages below http://*/below/. Move the file to the folder of the page or to the root.',
    ],
    ['{ worker: setupWorker() }', 'Failed to start the mock: the worker is not started. Call worker.start() first.'],
    [
      '{ worker: {} }',
      'Failed to create the mock: worker is not a worker of MSW. Pass the result of setupWorker from msw/browser.',
    ],
    [
      "{ worker: setupWorker(), serviceWorkerUrl: '/x.js' }",
      'Failed to create the mock: worker and serviceWorkerUrl are both given. Pass serviceWorkerUrl to worker.start().',
    ],
  ])('after a start with %s fails, nothing runs, and the next start succeeds', async (options, message) => {
    await page.context().route('**/gone.js', (route) => route.fulfill({ status: 404 }));
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    const failure = await page.evaluate(`failureOf(startMemoryMock(${options}))`);
    for (const part of message.split('*')) expect(failure).toContain(part);
    const seen = await page.evaluate(async () => {
      const before = await ask('/api/v1/memories');
      mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
      const socket = new WebSocket(location.href);
      await new Promise((resolve) => socket.addEventListener('close', resolve));
      return [before, await ask('/api/v1/memories')];
    });
    expect(seen).toEqual(['the network', '200']);
    expect(sockets).toHaveLength(1);
  });

  test('on an origin without service workers, MSW mocks the fetch of the page', async () => {
    await page.route('http://app.test/**', async (route) => {
      const response = await fetch(site.url + new URL(route.request().url()).pathname);
      const headers = Object.fromEntries(response.headers);
      await route.fulfill({ headers, body: Buffer.from(await response.arrayBuffer()) });
    });
    await page.goto('http://app.test/');
    await page.evaluate("import('/page.js')");
    const seen = await page.evaluate(async () => {
      const outcomes: string[] = [];
      for (let round = 0; round < 2; round += 1) {
        mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
        outcomes.push(await failureOf(startMemoryMock({ baseUrl: '/api' })), await ask('/api/v1/memories'));
        await mock.close();
        outcomes.push(await ask('/api/v1/memories'));
      }
      return [isSecureContext, ...outcomes];
    });
    expect(seen).toEqual([false, ...Array(2).fill([runs, '200', 'the network']).flat()]);
  });

  test('mocks of two tabs do not disturb each other, and a reload starts another one', async () => {
    const other = await page.context().newPage();
    await open(other);
    const start = (tab: Page) =>
      tab.evaluate(async () => {
        mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', memories: [] });
        return mock.memories.add({ id: `mem_${Math.random()}` }).id;
      });
    const asked = (tab: Page, ids: string[]) =>
      tab.evaluate((all) => Promise.all(all.map((id) => ask(`/api/v1/memories/${id}`))), ids);
    const ids = [await start(page), await start(other)];
    expect([await asked(page, ids), await asked(other, ids)]).toEqual([
      ['200', '404'],
      ['404', '200'],
    ]);
    await open(page);
    expect(await asked(page, ids)).toEqual(['the network', 'the network']);
    ids[0] = await start(page);
    expect([await asked(page, ids), await asked(other, ids)]).toEqual([
      ['200', '404'],
      ['404', '200'],
    ]);
    await page.evaluate(() => mock.close());
    expect([await asked(page, ids), await asked(other, ids)]).toEqual([
      ['the network', 'the network'],
      ['404', '200'],
    ]);
  });

  test('a closed mock can be closed again, and another one started, also before it has ended', async () => {
    const seen = await page.evaluate(async () => {
      const outcomes: string[] = [];
      for (const id of ['mem_one', 'mem_two', 'mem_three']) {
        const started = await startMemoryMock({ baseUrl: '/api', auth: 'none', memories: [] });
        started.memories.add({ id });
        outcomes.push(await ask(`/api/v1/memories/${id}`));
        const closing = started.close();
        if (id === 'mem_one') continue;
        await Promise.all([closing, started.close()]);
        outcomes.push(await ask(`/api/v1/memories/${id}`));
      }
      return outcomes;
    });
    expect(seen).toEqual(['200', '200', 'the network', '200', 'the network']);
  });

  test('beside a worker that the page has started, a mock rejects, and the worker still answers', async () => {
    const seen = await page.evaluate(async () => {
      worker = setupWorker(http.get('/own', () => HttpResponse.text('own')));
      await worker.start(quiet);
      const failure = await failureOf(startMemoryMock({ baseUrl: '/api', auth: 'none' }));
      const asked = [await ask('/own'), await ask('/api/v1/memories')];
      // A request can overtake the message that the worker has stopped.
      const { postMessage } = ServiceWorker.prototype;
      ServiceWorker.prototype.postMessage = function (message: string) {
        setTimeout(() => postMessage.call(this, message), 50);
      };
      await worker.stop();
      return [failure, ...asked, await failureOf(startMemoryMock({ baseUrl: '/api', auth: 'none' }))];
    });
    expect(seen).toEqual([
      'Failed to start the mock: a worker of MSW already runs in this page. Pass it as worker, or stop it first.',
      'own',
      'the network',
      'started',
    ]);
  });

  test('after a reset, the mock does not serve a request that a handler of the joined worker has delayed', async () => {
    const seen = await page.evaluate(async () => {
      const { promise: isReset, resolve } = Promise.withResolvers<void>();
      const { promise: isDelayed, resolve: delay } = Promise.withResolvers<void>();
      worker = setupWorker();
      await worker.start(quiet);
      mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', worker });
      worker.use(
        http.all('*', () => {
          delay();
          return isReset;
        }),
      );
      const asked = ask('/api/v1/memories');
      await isDelayed;
      mock.reset();
      resolve();
      return [await asked, mock.requests.length];
    });
    expect(seen).toEqual(['418', 0]);
  });

  test('joins a worker: its handlers stay, a reset keeps the mock, and close takes only the mock away', async () => {
    const seen = await page.evaluate(async () => {
      worker = setupWorker(http.get('/own', () => HttpResponse.text('own')));
      await worker.start(quiet);
      const asked = async () => [await ask('/own'), await ask('/api/v1/memories'), await ask('/late')].join();
      mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', worker });
      worker.use(http.get('/late', () => HttpResponse.text('own')));
      const outcomes = [await failureOf(startMemoryMock({ baseUrl: '/api', worker })), await asked()];
      worker.resetHandlers();
      outcomes.push(await asked());
      worker.resetHandlers(http.get('/late', () => HttpResponse.text('own')));
      outcomes.push(await asked());
      worker.use(http.get('/own', () => HttpResponse.text('own')));
      await mock.close();
      outcomes.push(await asked());
      worker.resetHandlers();
      outcomes.push(await asked());
      mock = await startMemoryMock({ baseUrl: '/api', auth: 'none', worker });
      outcomes.push(await asked());
      return outcomes;
    });
    expect(seen).toEqual([
      runs,
      'own,200,own',
      'own,200,the network',
      'the network,200,own',
      'own,the network,own',
      name === 'msw' ? 'the network,the network,own' : 'own,the network,the network',
      name === 'msw' ? 'the network,200,own' : 'own,200,the network',
    ]);
  });
});
