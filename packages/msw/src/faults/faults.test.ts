import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryMock, type MemoryMock } from '../create-memory-mock.ts';
import { eventLoopTurns } from '../event-loop-turns.ts';
import type { Fault, StatusFault } from './fault.ts';
import type { FaultMatch } from './fault-schedule.ts';

const server = setupServer();
beforeAll(() => server.listen());
afterAll(() => server.close());

let mock: MemoryMock;
beforeEach(() => {
  mock = createMemoryMock({ now: '2026-01-01T12:00:00Z' });
  server.use(...mock.handlers);
});
afterEach(() => {
  server.resetHandlers();
  mock.reset();
  // A spy may restore a fake timer, so the real timers are restored last.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Waits for turns of the event loop, even under fake timers. */
const turn = () => eventLoopTurns(MessageChannel);

type Ask = (path: string, init?: RequestInit) => Promise<Response>;
const withKey = (init: RequestInit = {}) => ({ ...init, headers: { 'x-api-key': mock.apiKey, ...init.headers } });
const ways: Record<string, Ask> = {
  MSW: (path, init) => fetch(mock.baseUrl + path, withKey(init)),
  'mock.fetch': (path, init) => mock.fetch(mock.baseUrl + path, withKey(init)),
};
const list = '/v1/memories';
const audio: FaultMatch = { media: 'audio' };
/** Adds a memory, and returns its id, its path and the path of its recording. */
async function addMemory() {
  const { id } = mock.memories.add();
  const path = `${list}/${id}`;
  const { audio_url, video_url } = await (await mock.fetch(mock.baseUrl + path, withKey())).json();
  const [media, video] = [audio_url, video_url].map((url) => url.slice(mock.baseUrl.length));
  return { id, path, media, video };
}
for (const [way, ask] of Object.entries(ways)) {
  const itself = async (path = list) => (await ask(path)).status;

  test.each<[StatusFault, 'list' | 'memory' | 'other' | 'media', body: string, header?: string]>([
    [{ status: 500 }, 'list', '{"detail":"Internal server error"}', 'content-type: application/json'],
    [{ status: 401 }, 'list', '{"detail":"Invalid API key"}', 'www-authenticate: Bearer'],
    [{ status: 404 }, 'list', '{"detail":"Not Found"}'],
    [{ status: 404 }, 'memory', '{"detail":"Memory not found"}'],
    [{ status: 422 }, 'memory', '{"detail":"Malformed memory id"}'],
    [{ status: 405 }, 'list', '{"detail":"Method Not Allowed"}', 'allow: GET, HEAD'],
    [{ status: 429, retryAfter: 7_000 }, 'list', '{"detail":"Too Many Requests"}', 'retry-after: 7'],
    [{ status: 429, retryAfterSeconds: 8 }, 'list', '{"detail":"Too Many Requests"}', 'retry-after: 8'],
    [
      { status: 429, retryAfter: 7_000, retryAfterStyle: 'date' },
      'list',
      '{"detail":"Too Many Requests"}',
      'retry-after: Thu, 01 Jan 2026 12:00:07 GMT',
    ],
    [{ status: 503, headers: { 'Retry-After': 'soon' }, retryAfter: 1_000 }, 'list', '{', 'retry-after: soon'],
    [{ status: 503, headers: { 'content-type': 'text/own' } }, 'media', '{', 'content-type: text/own'],
    [{ status: 503, detail: 'Down' }, 'list', '{"detail":"Down"}', 'retry-after: null'],
    [{ status: 418 }, 'list', `{"detail":"I'm a Teapot"}`],
    [{ status: 403 }, 'list', '{"detail":"Forbidden"}'],
    [{ status: 404 }, 'other', '{"detail":"Not Found"}'],
    [{ status: 499 }, 'list', '{"detail":"Status 499"}'],
    [{ status: 502, style: 'text' }, 'list', 'Bad Gateway', 'content-type: text/plain; charset=utf-8'],
    [
      { status: 504, style: 'html', detail: 'a < b' },
      'list',
      '>504 a &lt; b<',
      'content-type: text/html; charset=utf-8',
    ],
    [{ status: 502, style: 'xml' }, 'list', '<Code>BadGateway</Code><Message>Bad Gateway</Message>'],
    [
      { status: 422, style: 'fastapi' },
      'memory',
      '{"detail":[{"type":"value_error","loc":["path","memory_id"],"msg":"M',
    ],
    [{ status: 500, style: 'fastapi' }, 'list', 'Internal Server Error', 'content-type: text/plain; charset=utf-8'],
    [{ status: 404, style: 'fastapi' }, 'list', '{"detail":"Not Found"}'],
    [{ status: 401 }, 'media', '{"detail":"Unauthorized"}', 'accept-ranges: null'],
    [{ status: 403 }, 'media', '{"detail":"Media URL is not valid"}', 'access-control-allow-origin: *'],
    [{ status: 404 }, 'media', '{"detail":"Media not found"}', 'cache-control: private, no-store'],
    [{ status: 416 }, 'media', '{"detail":"Range Not Satisfiable"}', 'etag: null'],
    [{ status: 422 }, 'media', '{"detail":"Unprocessable Content"}', 'referrer-policy: no-referrer'],
    [{ status: 503, retryAfter: 2_000 }, 'media', '{"detail":"Service Unavailable"}', 'retry-after: 2'],
    [{ status: 403, style: 'xml', detail: 'a & b' }, 'media', '<Code>AccessDenied</Code><Message>a &amp; b</Message>'],
    [{ status: 502, style: 'html' }, 'media', '<h1>502 Bad Gateway</h1>', 'content-type: text/html; charset=utf-8'],
  ])(`${way}: simulates %j of %s once, also for HEAD`, async (fault, target, body, header = 'x-request-id: mine-1') => {
    const added = await addMemory();
    const path = { list, other: '/v1/other', memory: added.path, media: added.media }[target];
    const expected = await itself(path);
    mock.faults.next(fault, { match: target === 'media' ? audio : {}, times: 2 });
    const response = await ask(path, { headers: { 'x-request-id': 'mine-1' } });
    const [name = '', value] = header.split(': ');
    expect([response.status, String(response.headers.get(name))]).toEqual([fault.status, value]);
    expect(await response.text()).toContain(body);
    const bodiless = await ask(path, { method: 'HEAD' });
    expect([bodiless.status, await bodiless.text()]).toEqual([fault.status, '']);
    expect(await itself(path)).toBe(expected);
  });

  test(`${way}: a network error rejects fetch with a TypeError, for the API and for media`, async () => {
    const { media } = await addMemory();
    mock.faults.next('network-error');
    mock.faults.next('network-error', { match: audio });
    for (const path of [list, media]) await expect(ask(path)).rejects.toThrow(TypeError);
    for (const path of [list, media]) expect(await itself(path)).toBe(200);
  });

  test(`${way}: truncated JSON ends in the middle, without a connection failure`, async () => {
    const whole = await (await ask(list)).text();
    mock.faults.next('truncated-json');
    const response = await ask(list);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.text()).toBe(whole.slice(0, Math.ceil(whole.length / 2)));
  });

  // jsdom in Jest has no MessageChannel.
  test.each([true, false])(
    `${way}: a cut connection delivers half of the bytes, then fails, with channels: %j`,
    async (has) => {
      if (!has) vi.stubGlobal('MessageChannel', undefined);
      onTestFinished(() => void vi.unstubAllGlobals());
      const { path, media } = await addMemory();
      for (const [target, range] of [[list], [path], ['/v1/other'], [media], [media, 'bytes=8-1007']] as const) {
        const init = { headers: range ? { range } : {} };
        const match = target === media ? audio : {};
        const whole = await (await ask(target, init)).arrayBuffer();
        mock.faults.next('cut', { match });
        const response = await ask(target, init);
        expect(response.headers.get('content-length')).toBe(String(whole.byteLength));
        const half = Math.floor(whole.byteLength / 2);
        expect(await bytesBeforeFailure(response)).toEqual(new Uint8Array(whole.slice(0, half)));
        expect((await (await ask(target, init)).arrayBuffer()).byteLength).toBe(whole.byteLength);
      }
    },
  );

  test.each([{}, { 'if-range': '"audio"' }])(
    `${way}: a storage without ranges sends the whole file, with %j`,
    async (condition) => {
      const { media } = await addMemory();
      const whole = Object.fromEntries((await ask(media)).headers);
      mock.faults.next('no-ranges', { match: audio });
      const response = await ask(media, { headers: { range: 'bytes=4-7', ...condition } });
      const { 'accept-ranges': _, 'x-request-id': __, ...expected } = whole;
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([200, expect.objectContaining(expected)]);
      expect(response.headers.get('accept-ranges')).toBeNull();
      expect(String((await response.arrayBuffer()).byteLength)).toBe(whole['content-length']);
      expect((await ask(media, { headers: { range: 'bytes=4-7' } })).status).toBe(206);
    },
  );

  test.each([{}, audio])(`${way}: a wrong content type of %j changes nothing else`, async (match) => {
    const { media } = await addMemory();
    const path = match === audio ? media : list;
    const whole = await (await ask(path)).arrayBuffer();
    mock.faults.next('wrong-content-type', { match });
    const response = await ask(path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.arrayBuffer()).toEqual(whole);
  });

  test(`${way}: a contract violation lacks a field and has a wrong type`, async () => {
    const { path } = await addMemory();
    mock.faults.next('contract-violation', { times: 3 });
    const memory = await (await ask(path)).json();
    expect(memory).not.toHaveProperty('name');
    expect(memory.duration_seconds).toBe('five minutes');
    const [first, second] = await (await ask(list)).json();
    expect(first).not.toHaveProperty('name');
    expect(second.name).toEqual(expect.any(String));
    const missing = await ask(`${list}/mem_none`);
    expect([missing.status, await missing.json()]).toEqual([404, { error: true }]);
    for (const { id } of mock.memories.all()) mock.memories.remove(id);
    mock.faults.next('contract-violation');
    expect(await (await ask(list)).json()).toEqual({});
  });

  test.each<Fault>(['truncated-json', 'contract-violation', 'wrong-content-type', 'cut'])(
    `${way}: %s without a body keeps having none`,
    async (fault) => {
      mock.faults.next(fault);
      const response = await ask(list, { method: 'HEAD' });
      expect([response.status, await response.text()]).toEqual([200, '']);
    },
  );

  test(`${way}: the limits of a fault of media`, async () => {
    const { id, path, media, video } = await addMemory();
    const other = await addMemory();
    mock.faults.next({ status: 503 });
    mock.faults.next({ status: 500 }, { match: audio });
    mock.faults.next({ status: 502 }, { match: { ...audio, memoryId: id } });
    // A preflight takes no fault.
    expect((await ask(media, { method: 'OPTIONS' })).status).toBe(204);
    const statuses = [];
    for (const asked of [video, '/media/none.wav', other.media, media, media, path]) statuses.push(await itself(asked));
    expect(statuses).toEqual([200, 403, 500, 502, 200, 503]);
  });

  test(`${way}: a stall ends with the abort of the request, and with its reason`, async () => {
    mock.faults.next('stall');
    const aborting = new AbortController();
    const reason = new Error('The user left.');
    const asked = mock.nextRequest();
    const call = ask(list, { signal: aborting.signal });
    expect(await asked).toMatchObject({ fault: 'stall', status: null });
    const ended = vi.fn((error: unknown) => error);
    const over = call.catch(ended);
    await new Promise((resolve) => setTimeout(resolve));
    expect(ended).not.toHaveBeenCalled();
    aborting.abort(reason);
    expect(await over).toBe(reason);
    expect(await itself()).toBe(200);
  });

  test(`${way}: a delay uses the timers of the runtime, real or fake`, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    mock.faults.next({ delay: 600_000 });
    let status: number | undefined;
    const call = ask(list).then((response) => {
      status = response.status;
    });
    while (vi.getTimerCount() === 0) await turn();
    await vi.advanceTimersByTimeAsync(599_999);
    expect(status).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(status).toBe(200);
    expect(mock.requests[0]?.at).toEqual(mock.clock.now());
  });

  test(`${way}: a response after a delay has the state of its time`, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { id } = mock.memories.addProcessing({}, { finishAfter: 60_000 });
    mock.faults.next({ delay: 60_000 });
    const call = ask(`/v1/memories/${id}`);
    while (vi.getTimerCount() === 0) await turn();
    mock.clock.advance(60_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await (await call).json()).toMatchObject({ is_processing: false });
  });

  test(`${way}: an abort during a delay leaves no timer`, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    // The runtime also sets timers for its connections, so the timer of the delay is found by its length.
    const ofTheDelay = () => set.mock.results[set.mock.calls.findIndex(([, delay]) => delay === 600_000)]?.value;
    mock.faults.next({ delay: 600_000 });
    const aborting = new AbortController();
    const call = ask(list, { signal: aborting.signal });
    while (ofTheDelay() === undefined) await turn();
    aborting.abort();
    await expect(call).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(cleared).toHaveBeenCalledWith(ofTheDelay()));
  });

  test(`${way}: a predicate that throws fails the request, and the error is reported without sending its stack`, async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const mistake = new Error('my predicate');
    const match = {
      request: () => {
        throw mistake;
      },
    };
    mock.faults.always({ status: 500 }, { match });
    const error = await ask(list).catch((failure: unknown) => failure);
    if (way === 'MSW') expect([error instanceof TypeError, printed.mock.calls]).toEqual([true, [[mistake]]]);
    else expect(error).toBe(mistake);
  });
}

test.each<Fault>(['stall', { delay: 60_000 }, { status: 500 }])(
  'a request that was aborted before MSW received it ends at once, whatever the fault: %j',
  async (fault) => {
    mock.faults.next(fault);
    const response = await getResponse(
      mock.handlers,
      new Request(mock.baseUrl + list, { signal: AbortSignal.abort() }),
    );
    expect(response?.type).toBe('error');
  },
);

/** Returns what a reader of the body gets before it fails. */
async function bytesBeforeFailure({ body }: Response): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of body ?? []) read.push(chunk);
  })();
  await expect(reading).rejects.toThrow(TypeError);
  return new Uint8Array(Buffer.concat(read));
}

test('changing a logged fault does not change the scheduled one', async () => {
  const send = () => mock.fetch(mock.baseUrl + list, withKey());
  mock.faults.always({ status: 500 });
  await send();
  const [record] = mock.requests;
  expect(() => Object.assign(record?.fault ?? {}, { status: 200 })).toThrow(TypeError);
  expect(() => Object.assign(record ?? {}, { status: 200 })).toThrow(TypeError);
  expect((await send()).status).toBe(500);
});
