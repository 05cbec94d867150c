import { expect, onTestFinished, test } from 'vitest';
import type { MockServer, MockServerOptions } from '../mock-server.ts';
import { startMockServer } from '../start-mock-server.ts';
import { statusOf } from './control-route.ts';
import { controlRoutes } from './control-routes.ts';
import { createControlApi } from './create-control-api.ts';

const now = '2026-03-01T12:00:00.000Z';
const record = {
  id: 'mem_1',
  name: 'Stand-up',
  started_at: '2026-03-01T09:00:00.000Z',
  ended_at: '2026-03-01T09:05:00.000Z',
  is_processing: false,
  duration_seconds: 300,
  transcript: null,
  summary: null,
  media: {},
};

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  body: any;
}

type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

/** Starts a server, and returns its control API as a function. Text and bytes are sent as they are, anything else as JSON. */
async function start(options: MockServerOptions = {}): Promise<{ server: MockServer; call: Call }> {
  const server = await startMockServer({ memories: [record], now, ...options });
  onTestFinished(() => server.close());
  const respond = createControlApi(server, { hosts: ['mock'], nextEntry: () => Promise.reject() });
  return {
    server,
    async call(method, path, body, headers = {}) {
      const isRaw = typeof body === 'string' || body === undefined || body instanceof Uint8Array;
      const sent = (isRaw ? (body ?? null) : JSON.stringify(body)) as BodyInit | null;
      const given = { host: 'localhost:8791', ...(body !== undefined && { 'content-type': 'application/json' }) };
      const request = new Request(`http://localhost${path}`, { method, headers: { ...given, ...headers }, body: sent });
      const response = await respond(request);
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

const ofDefault = '/spaces/default';
const below = (path: string) => expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${path}`));
const url = below('');
const spaceJson = { id: 'default', baseUrl: url, mediaUrl: url, elsewhereUrl: url, apiKey: expect.any(String), now };
const later = '2026-04-01T00:00:00.000Z';
const two = { id: 'two', seed: 7, now: later, auth: 'none', basePath: '/api', apiKey: 'key-of-two', memories: [] };
const ada = { userId: 'ada', apiKey: 'key-of-ada' };
const has = (part: object) => expect.objectContaining(part);
const scheduled = { id: expect.any(String), played: 0 };
const outage = {
  id: expect.any(String),
  fault: { status: 503 },
  match: { operation: 'getMemory' },
  left: 2,
  played: 0,
};

/** One call of each route, in an order in which all of them succeed. A dot is the space `default`. */
const calls: [request: string, status: number, answer?: unknown, body?: unknown][] = [
  ['GET /healthz', 200, { status: 'ok' }],
  ['GET /openapi.json', 200, has({ openapi: '3.1.0' })],
  ['POST /spaces', 201, { ...spaceJson, id: 'two', baseUrl: below('/api'), apiKey: 'key-of-two', now: later }, two],
  ['GET /spaces', 200, [spaceJson, has({ id: 'two' })]],
  ['DELETE /spaces/two', 204],
  ['GET .', 200, spaceJson],
  ['GET ./clock', 200, { now }],
  ['POST ./clock', 200, { now: '2026-03-01T12:00:01.000Z' }, { advance: 1_000 }],
  ['POST ./clock', 200, { now: '2026-03-02T12:00:00.000Z' }, { set: '2026-03-02T12:00' }],
  ['GET ./memories', 200, [record]],
  [
    'POST ./memories',
    201,
    has({ id: 'mem_2', is_processing: true, transcript: null }),
    { memory: { id: 'mem_2', name: 'Stand-up' }, processing: true, finishAfter: 9 },
  ],
  ['PATCH ./memories/mem_2', 200, has({ id: 'mem_2', name: 'Retro' }), { name: 'Retro' }],
  ['POST ./memories/mem_2/finish', 200, has({ id: 'mem_2', is_processing: false }), { transcript: null }],
  ['DELETE ./memories/mem_2', 204],
  ['POST ./accounts', 201, ada, ada],
  ['GET ./memories?user_id=ada', 200, []],
  ['POST ./keys/deactivate', 204, undefined, { apiKey: ada.apiKey }],
  ['POST ./expire-media-urls', 204],
  ['POST ./faults', 201, scheduled, { fault: outage.fault, times: 2, match: outage.match }],
  ['POST ./faults', 201, scheduled, { fault: 'stall', times: 'always' }],
  ['GET ./faults', 200, [outage, has({ fault: 'stall', left: null })]],
  ['GET ./faults/{fault}', 200, outage],
  ['DELETE ./faults/{fault}', 204],
  ['DELETE ./faults', 204],
  ['GET ./faults', 200, []],
  ['GET ./requests', 200, { requests: [], next: 0 }],
  ['POST ./reset', 204],
  ['GET ./clock', 200, { now }],
  ['DELETE .', 204],
  ['GET /spaces', 200, []],
];

test('every route succeeds with the status and the body of the table', async () => {
  const { call } = await start();
  let fault = '';
  const called = new Set<string>();
  for (const [request, status, answer, body] of calls) {
    const [method = '', path = ''] = request.replace(' .', ` ${ofDefault}`).split(' ');
    const response = await call(method, path.replace('{fault}', fault), body);
    expect(response, request).toMatchObject({ status });
    expect(response.body, request).toEqual(answer);
    if (request === 'GET ./faults') fault = response.body[0]?.id;
    const template = path
      .replace(/\?.*/, '')
      .replace(/(?<=^\/spaces\/)\w+/, '{space}')
      .replace('mem_2', '{memory_id}');
    called.add(`${method} ${template}`);
  }
  expect([...called].sort()).toEqual(controlRoutes.map(({ method, path }) => `${method} ${path}`).sort());
});

test('HEAD has the status of GET', async () => {
  const { call } = await start();
  expect(await call('HEAD', '/healthz')).toMatchObject({ status: 200 });
});

/** Bodies that a control refuses, and the same call in process. */
// biome-ignore lint/suspicious/noExplicitAny: no type is checked, as with JSON.
const refused: [path: string, call: (server: MockServer, body: any) => unknown, bodies: object[]][] = [
  [
    '/spaces',
    (server, body) => server.openSpace(body),
    [
      { id: 'Two' },
      { seed: true },
      { now: 'soon' },
      { auth: 'basic' },
      { memories: [null] },
      { memories: [record, record] },
      { apiKey: 'a b' },
      { basePath: 'api' },
    ],
  ],
  [
    '/spaces/default/clock',
    ({ clock }, { advance, set }) => (set === undefined ? clock.advance(advance) : clock.set(set)),
    [{ advance: -1 }, { advance: '5' }, { advance: null }, { advance: 1e300 }, { set: 'noon' }],
  ],
  [
    '/spaces/default/memories',
    ({ memories }, { memory, processing, ...options }) =>
      processing ? memories.addProcessing(memory, options) : memories.add(memory, options),
    [
      ...[null, { nam: 'x' }, { id: 'mem_1' }, { name: 5 }, { summary: { text: '' } }].map((memory) => ({ memory })),
      ...[[1, 2], { bytes: 'AQI=' }].map((audio) => ({ memory: { media: { audio } } })),
      { userId: 'bob' },
      { processing: true, finishAfter: '1' },
    ],
  ],
  ['/spaces/default/memories/mem_1/finish', ({ memories }) => memories.finishProcessing('mem_1'), [{}]],
  ['/spaces/default/accounts', ({ accounts }, body) => accounts.add(body), [{ role: 'admin' }, { apiKey: null }]],
  ['/spaces/default/keys/deactivate', ({ accounts }, { apiKey }) => accounts.deactivateKey(apiKey), [{}]],
  [
    '/spaces/default/faults',
    ({ faults }, { fault, ...options }) => faults.next(fault, options),
    [
      ...[{ status: 200 }, { stop: 'in-head', by: 'reset', framing: 'exact' }].map((fault) => ({ fault })),
      ...[{ times: 0 }, { match: { memoryId: 'mem_9' } }].map((options) => ({
        fault: 'stall',
        ...options,
      })),
    ],
  ],
];

test.each(refused)('POST %s is a 422 with the message of the control', async (path, inProcess, bodies) => {
  const { server, call } = await start();
  for (const sent of bodies) {
    const error = await Promise.resolve(server)
      .then((each) => inProcess(each, sent))
      .catch((failure: Error) => failure);
    expect(error, JSON.stringify(sent)).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).toMatch(/^Failed to [^:]+: .+\. .+\.$/);
    // A method or a value of JavaScript means nothing over HTTP.
    expect(message).not.toMatch(/Infinity|\bmock\.|accounts\.|addProcessing|function\.$|match\.request/);
    expect(await call('POST', path, sent)).toMatchObject({ status: 422, body: { detail: message } });
  }
});

const json = { 'content-type': 'application/json' };
const faultsPath = `${ofDefault}/faults`;
const stall = (match: unknown) => ({ fault: 'stall', match });
const nested = (levels: number) => `{"memory":${'['.repeat(levels)}${']'.repeat(levels)}}`;

test.each<
  [status: number, method: string, path: string, detail: RegExp, body?: unknown, headers?: Record<string, string>]
>([
  [404, 'GET', '/', /no route has this path/],
  [404, 'GET', `${ofDefault}/`, /no route has this path/],
  [404, 'GET', '/v1/memories', /no route has this path/],
  [404, 'GET', '/spaces/nine', /the space "nine" does not exist/],
  [404, 'POST', '/spaces/nine/memories', /the space "nine" does not exist/, {}],
  [404, 'GET', '/spaces/__proto__', /the space "__proto__" does not exist/],
  [404, 'PATCH', `${ofDefault}/memories/mem_9`, /^Failed to update a memory: the memory "mem_9" does not exist/, {}],
  [404, 'DELETE', `${ofDefault}/memories/a%2Fb%22`, /^Failed to remove a memory: the memory "a\/b\\"" does not exist/],
  [404, 'POST', `${ofDefault}/memories/%E0/finish`, /^Failed to finish processing: the memory "%E0" does not exist/],
  [404, 'GET', `${ofDefault}/faults/9`, /^Failed to read a fault: the fault "9" does not exist/],
  [404, 'DELETE', `${ofDefault}/faults/9`, /^Failed to remove a fault: the fault "9" does not exist/],
  [405, 'PUT', '/spaces', /does not support the method. Use GET or POST/, {}],
  [409, 'POST', '/spaces', /the space "default" is already open/, { id: 'default' }],
  [400, 'POST', '/spaces', /not valid JSON/, '{"id":'],
  [400, 'POST', '/spaces', /not valid JSON/, new Uint8Array([0x22, 0xff, 0x22])],
  [415, 'POST', '/spaces', /not application\/json/, '{}', { 'content-type': 'text/plain' }],
  [415, 'POST', '/spaces', /not application\/json/, 'id=two', { 'content-type': 'application/x-www-form-urlencoded' }],
  [413, 'POST', '/spaces', /more than 16 MiB/, `"${'a'.repeat(16 * 1024 * 1024)}"`],
  [422, 'POST', '/spaces', /"tls" is not supported/, { tls: { cert: '/etc/passwd', key: '' } }],
  [422, 'POST', '/spaces', /"port" is not supported/, { port: 1 }],
  [422, 'POST', '/spaces', /"__proto__" is not supported/, '{"__proto__":{"id":"two"}}'],
  [422, 'POST', '/spaces', /the body is an array/, []],
  [422, 'POST', '/spaces', /the body is null/, 'null'],
  [422, 'POST', '/spaces', /a number in it is too large/, '{"seed":1e999}'],
  [422, 'POST', faultsPath, /a number in it is too large/, '{"fault":"stall","times":1e999}'],
  [422, 'POST', faultsPath, /"request" is not supported\. Use one of: operation, /, stall({ request: 'x' })],
  [422, 'POST', faultsPath, /"path" is not supported/, stall({ path: 'x' })],
  [422, 'POST', faultsPath, /match is null, which is not an object/, stall(null)],
  [422, 'POST', faultsPath, /the fault is missing\. Use \{ status \}/, {}],
  [422, 'POST', faultsPath, /Pass 1 or more, or use always\.$/, { fault: 'stall', times: -1 }],
  [422, 'POST', `${ofDefault}/memories`, /more than 100 levels/, nested(200)],
  [422, 'POST', `${ofDefault}/memories`, /more than 100 levels/, nested(1_000_000)],
  [422, 'POST', `${ofDefault}/memories`, /"constructor" is not supported/, { constructor: {} }],
  [422, 'POST', `${ofDefault}/memories`, /__proto__/, '{"memory":{"__proto__":{"name":"x"}}}'],
  [422, 'POST', `${ofDefault}/memories`, /processing is "yes"/, { processing: 'yes' }],
  [422, 'POST', `${ofDefault}/memories`, /finishAfter needs processing/, { finishAfter: 1 }],
  [422, 'PATCH', `${ofDefault}/memories/mem_1`, /nam/, { nam: 'x' }],
  [422, 'PATCH', `${ofDefault}/memories/mem_1`, /is an array/, []],
  [422, 'POST', faultsPath, /__proto__/, '{"fault":{"__proto__":{"status":503}}}'],
  [422, 'POST', faultsPath, /__proto__/, '{"fault":"stall","match":{"__proto__":{"memoryId":"mem_1"}}}'],
  [422, 'POST', `${ofDefault}/clock`, /neither advance nor set/, {}],
  [422, 'POST', `${ofDefault}/clock`, /both advance and set/, { advance: 1, set: now }],
  [422, 'POST', `${ofDefault}/reset`, /"memories" is not supported. Remove it/, { memories: true }],
  [422, 'DELETE', faultsPath, /"id" is not supported. Remove it/, { id: 'x' }],
  [422, 'GET', '/spaces', /a GET request must not have a body/, undefined, { 'content-length': '2', ...json }],
  [422, 'GET', `${ofDefault}/memories?userId=a`, /"userId" is not supported. Use user_id/],
  [422, 'GET', `${ofDefault}/memories?user_id=bob`, /the account "bob" does not exist/],
  [422, 'GET', '/spaces?id=two', /"id" is not supported. Remove it/],
  [422, 'GET', `${ofDefault}/requests?after=-1`, /after is "-1"/],
  [422, 'GET', `${ofDefault}/requests?after=1e3`, /after is "1e3"/],
  [422, 'GET', `${ofDefault}/requests?after=1.5`, /after is "1.5"/],
  [422, 'GET', `${ofDefault}/requests?wait=61`, /wait is "61"/],
  [422, 'GET', `${ofDefault}/requests?wait=`, /wait is ""/],
])('%i for %s %s: %s', async (status, method, path, detail, body, headers) => {
  const { server, call } = await start();
  const state = () =>
    JSON.stringify([server.spaces().length, server.memories.all(), server.faults.all(), server.clock.now()]);
  const before = state();
  const answer = await call(method, path, body, headers);
  expect(answer).toMatchObject({ status, body: { detail: expect.stringMatching(detail) } });
  expect(answer.body.detail).toMatch(/^Failed to [^:]+: .+\. .+\.$/);
  expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, POST' : null);
  expect(state()).toBe(before);
});

const guarded: [status: number, name: string, values: string[]][] = [
  [200, 'host', ['localhost', 'LOCALHOST:1', '127.0.0.1:8791', '[::1]:8791', 'mock:8791']],
  [
    403,
    'host',
    ['evil.example', 'evil.example:8791', 'localhost.evil.example', 'mock.evil.example', '0.0.0.0:8791', ''],
  ],
  [403, 'origin', ['http://localhost:8791', 'http://evil.example', 'null', '']],
  [200, 'sec-fetch-site', ['none']],
  [403, 'sec-fetch-site', ['cross-site', 'same-site', 'same-origin', '']],
];

test.each(guarded.flatMap(([status, name, values]) => values.map((value) => [status, { [name]: value }] as const)))(
  '%i for a request with %j',
  async (status, headers) => {
    const { server, call } = await start();
    const answer = await call('GET', '/healthz', undefined, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    // A refusal comes before the method, the path and the body.
    if (status === 200) return;
    for (const [method, path] of [
      ['OPTIONS', '/spaces'],
      ['PUT', '/nowhere'],
      ['DELETE', ofDefault],
    ] as const) {
      expect(await call(method, path, undefined, headers)).toMatchObject({ status: 403 });
    }
    const body = new ReadableStream({ pull: () => expect.unreachable('it reads the body') }, { highWaterMark: 0 });
    const init = { method: 'POST', body, duplex: 'half', headers: { host: 'localhost', ...json, ...headers } };
    const api = createControlApi(server, { hosts: [], nextEntry: () => Promise.reject() });
    expect((await api(new Request('http://localhost/spaces', init as RequestInit))).status).toBe(403);
    expect(server.spaces()).toHaveLength(1);
  },
);

test('an error of the machine is not an error of the caller', async () => {
  const { server } = await start();
  const openSpace = () => Promise.reject(new Error('Failed to open a space: EACCES. Choose another port.'));
  const api = createControlApi({ ...server, openSpace }, { hosts: [], nextEntry: () => Promise.reject() });
  const headers = { host: 'localhost' };
  await expect(api(new Request('http://localhost/spaces', { method: 'POST', headers }))).rejects.toThrow('EACCES');
});

test('the document has the operations, the fields and the statuses of the table, each with a name of its own', async () => {
  const { call } = await start();
  const { body: document } = await call('GET', '/openapi.json');
  const operations = controlRoutes.map(({ method, path }) => document.paths[path][method.toLowerCase()]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(controlRoutes.length);
  expect(Object.values(document.paths).flatMap((item) => Object.keys(item as object))).toHaveLength(
    controlRoutes.length,
  );
  for (const [index, route] of controlRoutes.entries()) {
    const { path, query = {}, body } = route;
    const { parameters = [], requestBody, responses } = operations[index];
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([...inPath, ...Object.keys(query)]);
    expect(Object.keys(responses)).toEqual([String(statusOf(route)), '4XX']);
    const { $ref, properties } = requestBody?.content['application/json'].schema ?? {};
    expect($ref ?? (properties && Object.keys(properties))).toEqual(
      typeof body === 'string' ? `#/components/schemas/${body}` : body && Object.keys(body),
    );
  }
});

test('the fields of a memory in the document are those that the control takes', async () => {
  const { server, call } = await start();
  const { properties } = (await call('GET', '/openapi.json')).body.components.schemas.MemoryChanges;
  expect(Object.keys(properties).sort()).toEqual(Object.keys(server.memories.add()).sort());
});
