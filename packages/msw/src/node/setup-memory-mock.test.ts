import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bypass, HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SetupMemoryMockOptions, setupMemoryMock } from './setup-memory-mock.ts';
import type { TestHooks } from './test-hooks.ts';

/** A test runner whose hooks are called by hand. */
function createRunner() {
  const registered: Record<keyof TestHooks, (() => unknown)[]> = {
    beforeAll: [],
    afterEach: [],
    afterAll: [],
  };
  const register = (name: keyof TestHooks) => (run: () => unknown) => void registered[name].push(run);
  const call = (name: keyof TestHooks) => registered[name].map(async (run) => run());
  const hooks = {
    beforeAll: register('beforeAll'),
    afterEach: register('afterEach'),
    afterAll: register('afterAll'),
  };
  return { hooks, call };
}

/** Returns the failures of the hooks of all mocks, if any. */
async function failureOf(name: keyof TestHooks): Promise<string | undefined> {
  const outcomes = await Promise.allSettled(runner.call(name));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  return failures.length === 0 ? undefined : failures.map(({ reason }) => reason.message).join('\n');
}

/** No server listens here. */
const nowhere = 'http://127.0.0.1:65533';

let runner: ReturnType<typeof createRunner>;
beforeEach(() => {
  runner = createRunner();
});
afterEach(async () => {
  await failureOf('afterAll');
  vi.unstubAllGlobals();
});

function start(options: SetupMemoryMockOptions = {}) {
  const mock = setupMemoryMock({ hooks: runner.hooks, ...options });
  runner.call('beforeAll');
  return mock;
}

async function countListed({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/memories`, { headers: { 'x-api-key': apiKey } });
  return (await response.json()).length;
}

// The first test, because a closed server of MSW 2 still lets WebSockets through.
test('a WebSocket ends like an unhandled request, without a warning, unless it is allowed', async () => {
  const warn = vi.spyOn(console, 'warn');
  const upgrades: unknown[] = [];
  const real = createServer().on('upgrade', ({ url }, socket) => {
    upgrades.push(url);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await once(real.listen(0, '127.0.0.1'), 'listening');
  const host = `ws://127.0.0.1:${(real.address() as AddressInfo).port}`;
  start({ allowUnhandled: ({ url }) => url === `${host}/allowed` });
  for (const path of ['/hmr?token=secret', '/allowed']) {
    const socket = new WebSocket(`${host}${path}`);
    const events: string[] = [];
    socket.onerror = () => events.push('error');
    const { code } = await new Promise<CloseEvent>((resolve) => {
      socket.onclose = resolve;
    });
    expect([...events, code]).toEqual(['error', 1006]);
  }
  expect(upgrades).toEqual(['/allowed']);
  expect(await failureOf('afterEach')).toMatch(`no handler matches GET ${host}/hmr. `);
  expect(warn).not.toHaveBeenCalled();
  real.close();
});

test('the mock responds in each test, and is reset after each', async () => {
  const mock = start();
  mock.memories.add();
  expect(await countListed(mock)).toBe(13);
  expect(await failureOf('afterEach')).toBeUndefined();
  expect(mock.requests).toEqual([]);
  expect(await countListed(mock)).toBe(12);
});

const secret = 'key=secret';
const requests: [string, (string | Request)[], string?][] = [
  ['a request', [`https://a.test/v1?${secret}`], 'GET https://a.test/v1. Use a URL below mock.baseUrl,'],
  ['one that looks like a file', [`https://a.test/audio.mp3?${secret}`], 'GET https://a.test/audio.mp3. '],
  [
    'several requests',
    [`https://a.test/1?${secret}`, new Request('https://b.test/2', { method: 'POST' })],
    'GET https://a.test/1, POST https://b.test/2. ',
  ],
  ['an allowed request', [`${nowhere}/allowed`]],
  ['a data: URL', ['data:,x']],
];

test.each(requests)(
  '%s to another host counts for its test, even if the code catches the error',
  async (_, sent, refused) => {
    const mock = start({ allowUnhandled: ({ url }) => url.endsWith('/allowed') });
    mock.memories.add();
    const outcomes = await Promise.allSettled(sent.map((request) => fetch(request)));
    const failure = await failureOf('afterEach');
    if (refused === undefined) expect(failure).toBeUndefined();
    else {
      expect(outcomes.map(({ status }) => status)).toEqual(sent.map(() => 'rejected'));
      expect(failure).toMatch(`Failed to answer every request: no handler matches ${refused}`);
      expect(failure).not.toContain(secret);
    }
    expect(await failureOf('afterEach')).toBeUndefined();
    expect(mock.memories.all()).toHaveLength(12);
  },
);

test('joins an existing server: its handlers remain, and its owner starts and closes it', async () => {
  const server = setupServer(http.get('https://own.test/', () => HttpResponse.text('own')));
  server.listen();
  const mock = start({ server });
  expect(await countListed(mock)).toBe(12);
  expect(await (await fetch('https://own.test/')).text()).toBe('own');
  expect(await failureOf('afterEach')).toBeUndefined();
  expect(await failureOf('afterAll')).toBeUndefined();
  expect(await (await fetch('https://own.test/')).text()).toBe('own');
  server.close();
});

test('a reset of the joined server keeps its mocks until their tests have ended', async () => {
  const own = http.get('https://own.test/', () => HttpResponse.text('own'));
  const server = setupServer();
  server.listen({ onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as never);
  const one = setupMemoryMock({ server, baseUrl: `${nowhere}/a`, hooks: runner.hooks });
  const mocks = [one, start({ server, baseUrl: `${nowhere}/b` })];
  for (const next of [[], [own], []]) {
    server.resetHandlers(...next);
    expect(await Promise.all(mocks.map(countListed))).toEqual([12, 12]);
    expect(await failureOf('afterEach')).toBeUndefined();
  }
  await failureOf('afterAll');
  for (const { baseUrl } of mocks) await expect(fetch(`${baseUrl}/v1/memories`)).rejects.toThrow();
  server.close();
});

test.each(['onUnhandledRequest', 'onUnhandledFrame'])(
  'if the joined server makes an unhandled request an error with %s, catching it does not help',
  async (option) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const server = setupServer(http.get('https://own.test/', () => new Promise<Response>(() => {})));
    const other = option === 'onUnhandledRequest' ? 'onUnhandledFrame' : 'onUnhandledRequest';
    server.listen({ [option]: 'error', [other]: 'bypass' } as never);
    const mock = start({ server, allowUnhandled: ({ url }) => url.endsWith('/allowed') });
    await Promise.allSettled([fetch(`${nowhere}/a.mp3?${secret}`), fetch(`${nowhere}/allowed`)]);
    expect(await failureOf('afterEach')).toMatch(`no handler matches GET ${nowhere}/a.mp3. `);

    // A request that is in flight when the test ends is not an unhandled request.
    mock.faults.next('stall');
    const pending = [fetch('https://own.test/'), fetch(`${mock.baseUrl}/v1/memories`)];
    for (const request of pending) request.catch(() => {});
    await vi.waitFor(() => expect(mock.requests).toHaveLength(1));
    expect(await failureOf('afterEach')).toBeUndefined();

    expect(await failureOf('afterAll')).toBeUndefined();
    await fetch(`${nowhere}/b`).catch(() => {});
    expect(await failureOf('afterEach')).toBeUndefined();
    server.close();
    vi.restoreAllMocks();
  },
);

test('on a joined server, a request that bypasses MSW or whose handler throws is not unhandled', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const predicate = ({ request }: { request: Request }) => {
    if (request.url === 'https://own.test/') throw new Error('my predicate');
    return false;
  };
  const server = setupServer(http.get(predicate, () => undefined));
  server.listen();
  start({ server });
  await Promise.allSettled([fetch(bypass(`${nowhere}/`)), fetch('https://own.test/')]);
  expect(await failureOf('afterEach')).toBeUndefined();
  server.close();
  vi.restoreAllMocks();
});

test('finds global hooks, and without them names the option to pass', async () => {
  expect(() => setupMemoryMock()).toThrow(
    'Failed to set up the mock: beforeAll, afterEach or afterAll is missing. Pass the hooks of the test runner as hooks.',
  );
  for (const [name, hook] of Object.entries(runner.hooks)) vi.stubGlobal(name, hook);
  const mock = setupMemoryMock();
  runner.call('beforeAll');
  mock.memories.add();
  expect(await failureOf('afterEach')).toBeUndefined();
  expect(mock.memories.all()).toHaveLength(12);
});

test('changes of one test do not reach the next one', async () => {
  const mock = start();
  const leftOver = fetch(`${mock.baseUrl}/v1/memories/left-over`).then(
    ({ status }) => status,
    () => 'network error',
  );
  expect(await failureOf('afterEach')).toBeUndefined();
  mock.faults.next({ status: 503 });
  const asked = mock.nextRequest();
  expect((await fetch(`${mock.baseUrl}/v1/memories`)).status).toBe(503);
  expect((await asked).path).toBe('/v1/memories');
  expect(mock.requests).toHaveLength(1);
  await leftOver;
});

test('an unhandled request that is not awaited fails the test that sent it, even under fake timers', async () => {
  start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
  try {
    fetch(`${nowhere}/late`).catch(() => {});
    expect(await failureOf('afterEach')).toMatch(
      /no handler matches GET .*\/late\. .* An earlier test of the file may have sent the request without awaiting it\.$/,
    );
  } finally {
    vi.useRealTimers();
  }
});

test('an unhandled request after the last test fails the file', async () => {
  start();
  expect(await failureOf('afterEach')).toBeUndefined();
  fetch(`${nowhere}/lost`).catch(() => {});
  expect(await failureOf('afterAll')).toMatch(`no handler matches GET ${nowhere}/lost. `);
});

test('several mocks in a file respond on their own URLs, and an unhandled request is reported once', async () => {
  const allowUnhandled = ({ url }: Request) => url.endsWith('/allowed');
  const one = setupMemoryMock({ baseUrl: 'https://a.test', hooks: runner.hooks, allowUnhandled });
  const two = start({ baseUrl: 'https://b.test' });
  expect([await countListed(one), await countListed(two)]).toEqual([12, 12]);
  await Promise.allSettled([fetch(`${nowhere}/a`), fetch(`${nowhere}/allowed`)]);
  expect(await failureOf('afterEach')).toMatch(
    /^Failed to answer every request: no handler matches GET [^ ]*\/a\. [^\n]*$/,
  );
});

test('responds with the later of two mocks on one URL until its tests have ended', async () => {
  const outer = start();
  const whole = runner;
  runner = createRunner();
  const inner = start({ memories: [] });
  expect([await countListed(inner), outer.requests.length]).toEqual([0, 0]);
  expect(await failureOf('afterAll')).toBeUndefined();
  runner = whole;
  expect(await countListed(outer)).toBe(12);
});

const mistake = new Error('my mistake');
const fail = () => {
  throw mistake;
};
const failing: [string, () => unknown, string][] = [
  ['throws', fail, ': it threw Error: my mistake. Return true or false.'],
  ['returns a promise', async () => true, ': it returned a promise. Return true or false, without a promise.'],
  ['returns a rejecting promise', async () => fail(), ': it returned a promise'],
  ['returns nothing', () => undefined, ': it returned a value of type undefined'],
];

test.each(failing)(
  'a match.request or allowUnhandled that %s fails the test, whatever the code does with the error',
  async (_, predicate, reason) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const mock = start({ allowUnhandled: predicate as never });
    mock.faults.always({ status: 500 }, { match: { request: predicate as never } });
    for (const url of [`${mock.baseUrl}/v1/memories`, `${nowhere}/`]) {
      await expect(fetch(url)).rejects.toThrow(TypeError);
      expect(await failureOf('afterEach')).toMatch(reason);
      expect(await failureOf('afterEach')).toBeUndefined();
      vi.restoreAllMocks();
    }
  },
);

test.each([
  [{ foo: 1 }, 'the option "foo" is not supported. Use one of: hooks, '],
  [{ server: {} }, 'server is not a server of MSW. Pass the result of setupServer from msw/node.'],
  [{ allowUnhandled: true }, 'allowUnhandled is true, which is not a function. Pass a function, or leave it out.'],
  [null, 'the options argument is null, which is not an object. Pass an object.'],
])('rejects the options %j', (options, message) => {
  const given = options && { hooks: runner.hooks, ...options };
  expect(() => setupMemoryMock(given as never)).toThrow(`Failed to create the mock: ${message}`);
});
