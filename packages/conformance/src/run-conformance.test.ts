import { expect, test } from 'vitest';
import type { ConformanceOptions } from './conformance-options.ts';
import type { ConformanceReport, RuleResult } from './conformance-report.ts';
import { formatReport } from './report/format-report.ts';
import { runConformance } from './run-conformance.ts';
import { answer, answerAsSpecified, sampleMemory, stubFetch } from './stub-api.test-support.ts';

const baseUrl = 'https://api.example/base';
const apiKey = 'key-1';

test('passes with one key, and names what further keys would check', async () => {
  const { fetch, requests } = stubFetch(withoutBase(answerAsSpecified));
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(report).toMatchObject({ passed: true, access: 'granted', requests: requests.length, baseUrl });
  expect(resultOf(report, '5.4 inactive')).toMatchObject({ status: 'skipped', reason: 'needs inactiveApiKey' });
  expect(resultOf(report, '5.5')).toMatchObject({ status: 'skipped', reason: 'needs otherAccountApiKey' });
  expect(resultOf(report, '2.1.1 signed')).toMatchObject({ status: 'skipped', reason: 'needs media' });
  expect(resultOf(report, '3 Processing')).toMatchObject({
    status: 'skipped',
    reason: 'no memory in the list is being processed',
  });
});

test('sends only reads, follows no redirect, and repeats no request', async () => {
  const { fetch, requests } = stubFetch(withoutBase(answerAsSpecified));
  await runConformance({ baseUrl, apiKey, fetch, profile: 'reference' });
  expect(new Set(requests.map(({ request }) => request.method))).toEqual(new Set(['GET', 'HEAD', 'OPTIONS']));
  expect(requests.every(({ init }) => init?.redirect === 'manual' && init.body === undefined)).toBe(true);
  const asked = requests.map(({ request: { method, url, headers } }) =>
    JSON.stringify([method, url, headers.get('authorization'), headers.get('x-api-key'), headers.get('x-request-id')]),
  );
  expect(new Set(asked).size).toBe(asked.length);
});

test('a server that keeps the specification but not the decisions is reported as such, in words', async () => {
  const { fetch } = stubFetch(withoutBase(answerAsSpecified));
  const report = await runConformance({ baseUrl, apiKey, fetch, profile: 'reference' });
  const text = formatReport(report, 'pretty');
  expect(text).toMatch(
    /\nNot passed: it breaks \d+ decisions? of the reference server, and no rule of the specification\.\n/,
  );
  expect(text).toContain('expected  X-Content-Type-Options: nosniff');
  expect(text).toContain('expected  Cache-Control: private, no-store');
  expect(text).toContain('expected  X-Request-Id with a value');
  expect(text).not.toMatch(/\^|\\S/);
});

test('a server that cannot be reached is reported as such, not as a list of broken rules', async () => {
  const { fetch } = stubFetch(() => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })));
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(formatReport(report, 'pretty')).toBe(
    `${baseUrl} and the specification

Not passed: no request got a response: the connection failed (ECONNREFUSED).
`,
  );
});

test('reports each result as soon as it is known', async () => {
  const told: RuleResult[] = [];
  const { fetch } = stubFetch(withoutBase(answerAsSpecified));
  const { results } = await runConformance({ baseUrl, apiKey, fetch, onResult: (result) => told.push(result) });
  expect(told).toEqual(results);
});

test('a rejected key fails the run, but no rule', async () => {
  const { fetch } = stubFetch(withoutBase(answerAsSpecified));
  const report = await runConformance({ baseUrl, apiKey: 'key-2', fetch });
  expect(report).toMatchObject({ passed: false, access: 'refused' });
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(resultOf(report, '4.1.2')).toMatchObject({ reason: 'the server rejected the key (401)' });
});

test('a server that answers every path with a page fails', async () => {
  const { fetch } = stubFetch(async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
  expect(await runConformance({ baseUrl, apiKey, fetch })).toMatchObject({ passed: false, access: 'none' });
});

test('an account without memories passes all rules that can be checked', async () => {
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      const response = await answerAsSpecified(request);
      return response.status === 200 ? answer(200, []) : response;
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch, emptyAccountApiKey: apiKey });
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(resultOf(report, '4.1.4')).toMatchObject({ status: 'passed' });
  expect(resultOf(report, '2.1 name')).toMatchObject({ reason: 'the account has no memories' });
});

test('sends three requests to a server that cannot be reached', async () => {
  const { fetch, requests } = stubFetch(async () => {
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  });
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(report).toMatchObject({ passed: false, access: 'none', requests: 3 });
  expect(requests).toHaveLength(3);
  expect(resultOf(report, '4.1 Success')).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(report)).toContain('ECONNREFUSED');
});

test('a server that never responds does not block the run', async () => {
  const report = await runConformance({ baseUrl, apiKey, timeout: 1, fetch: () => new Promise(() => {}) });
  expect(report).toMatchObject({ passed: false, requests: 3 });
  expect(resultOf(report, '4.1 Success')).toMatchObject({ status: 'failed' });
  expect(JSON.stringify(report)).toContain('no complete response arrived in time');
});

test('at the time limit, skips the remaining rules and does not pass', async () => {
  const report = await runConformance({ baseUrl, apiKey, totalTimeout: 1, fetch: () => new Promise(() => {}) });
  expect(report).toMatchObject({ passed: false, requests: 1 });
  expect(JSON.stringify(report)).toContain('the run reached its time limit');
});

test('stops reading a body that never ends', async () => {
  const chunk = new Uint8Array(8 * 1024 * 1024).fill(32);
  let sent = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    sent += chunk.length;
    controller.enqueue(chunk);
  };
  const { fetch } = stubFetch(async () => new Response(new ReadableStream({ pull }, { highWaterMark: 0 })));
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(JSON.stringify(report)).toContain('its body is longer than 256 MiB');
  expect(sent).toBeLessThanOrEqual(3 * 33 * chunk.length);
});

test('an abort rejects with the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const fetch = async () => {
    controller.abort(reason);
    return new Promise<Response>(() => {});
  };
  await expect(runConformance({ baseUrl, apiKey, fetch, signal: controller.signal })).rejects.toBe(reason);
  await expect(runConformance({ baseUrl, apiKey, fetch, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a rate limit breaks no rule', async () => {
  const { fetch } = stubFetch(
    withoutBase(async (request) =>
      request.headers.has('authorization') ? answerAsSpecified(request) : answer(429, { detail: 'Slow down' }),
    ),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(resultOf(report, '5.4 missing')).toMatchObject({ status: 'skipped', reason: expect.stringContaining('429') });
});

test('no report contains a key or a signed query, whatever the server repeats', async () => {
  const secrets = {
    apiKey: 'hush/+"1%',
    otherAccountApiKey: 'hush/+"1%2',
    inactiveApiKey: 'hush-3',
    emptyAccountApiKey: 'hush-4',
  };
  const url = 'https://media.example/a.wav?X-Amz-Date=20260101T000000Z&X-Amz-Expires=9&X-Amz-Signature=hush';
  const notKept = 'private, no-store';
  const echo = async ({ headers }: Request) => {
    const sent = [...headers].map(([, value]) => value.replace('Bearer ', ''));
    const forms = sent.flatMap((value) => [value, encodeURIComponent(value), btoa(value)]);
    return answer(
      400,
      { detail: `${forms.join(' ')} ${url} ${url.replaceAll('/', '\\/')}` },
      { 'cache-control': headers.has('authorization') ? forms.join() : notKept },
    );
  };
  const { fetch } = stubFetch(async (request) => {
    const isList = request.url.endsWith('/v1/memories') && request.headers.get('authorization')?.includes('hush');
    const memory = { ...sampleMemory, audio_url: url, name: url };
    return isList ? answer(200, [memory], { 'cache-control': notKept }) : echo(request);
  });
  const report = await runConformance({ baseUrl, ...secrets, media: true, profile: 'reference', fetch });
  expect(report.results.filter(({ status }) => status === 'failed').length).toBeGreaterThan(10);
  expect(JSON.stringify(report)).toContain('Cache-Control: application/json');
  for (const format of ['pretty', 'json', 'junit'] as const) {
    expect(formatReport(report, format)).not.toMatch(/hush|aHVza|X-Amz/);
  }
});

test.each([
  [429, { reason: expect.stringContaining('/v1/memories/[redacted] with') }],
  [500, { evidence: expect.objectContaining({ sent: expect.stringContaining('/v1/memories/[redacted] with') }) }],
])('if a server returns a key as an id and a status of %i, no report contains the key', async (status, told) => {
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      const response = await answerAsSpecified(request);
      if (request.url.includes('/memories/')) return answer(status, {});
      return response.status === 200 ? answer(200, [{ ...sampleMemory, id: apiKey }]) : response;
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(resultOf(report, '4.2 Success')).toMatchObject(told);
  expect(JSON.stringify(report)).not.toContain(apiKey);
});

test('reports ids that are not strings or fit into no path, and continues', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const ids = ['"\\ud800"', '"."', '""', '7', 'null', '{"toString":null}', deep];
  const ours = ids.map((id) => JSON.stringify({ ...sampleMemory, id: 0 }).replace('"id":0', `"id":${id}`));
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      if (request.headers.get('authorization') === 'Bearer key-1') {
        return new Response(`[${ours}]`, { headers: { 'content-type': 'application/json' } });
      }
      if (request.headers.get('authorization') === 'Bearer key-9') {
        return answer(200, [{ ...sampleMemory, id: '\udfff', user_id: '\udfff' }]);
      }
      return answerAsSpecified(request);
    }),
  );
  const report = await runConformance({
    baseUrl,
    apiKey,
    otherAccountApiKey: 'key-9',
    profile: 'reference',
    fetch,
  });
  expect(resultOf(report, '2.1 id')).toMatchObject({ status: 'failed' });
  expect(resultOf(report, '4.2 Success')).toMatchObject({ reason: 'no memory in the list is processed' });
});

test('requests media without a key', async () => {
  const { fetch, requests } = stubFetch(async (request) => {
    if (request.url.startsWith('https://media.example/')) return new Response('a');
    return withoutBase(async (inner) => {
      const response = await answerAsSpecified(inner);
      const memory = { ...sampleMemory, audio_url: 'https://media.example/a?expires=1' };
      return response.status === 200 ? answer(200, inner.url.endsWith('mem_10') ? memory : [memory]) : response;
    })(request);
  });
  const report = await runConformance({ baseUrl, apiKey, media: true, fetch });
  expect(resultOf(report, '2.1 audio_url reachable')).toMatchObject({ status: 'passed' });
  const media = requests.filter(({ request }) => request.url.startsWith('https://media.example/'));
  expect(media.map(({ request }) => [...request.headers.keys()])).toEqual([['range'], ['range']]);
  expect(media.every(({ init }) => init?.redirect === 'manual')).toBe(true);
});

const startsAsSigned = (token: string) => token.startsWith('token-');

test.each([
  {
    media: 'have a signature in their path that is checked',
    query: '',
    token: 'token-N',
    isOpen: startsAsSigned,
    expected: 'passed',
  },
  {
    media: 'differ in a part of their path that is not a signature',
    query: '',
    token: 'token-N',
    isOpen: () => true,
    expected: 'skipped',
  },
  {
    media: 'have neither query nor paths that differ',
    query: '',
    token: 'fixed',
    isOpen: () => true,
    expected: 'skipped',
  },
  {
    media: 'have a query beside a signature in their path',
    query: '?v=1',
    token: 'token-N',
    isOpen: startsAsSigned,
    expected: 'skipped',
  },
  {
    media: 'have one path and a query that looks like no signature',
    query: '?filename=a-walk-in-the-park.mp3',
    token: 'fixed',
    isOpen: () => true,
    expected: 'skipped',
  },
  {
    media: 'have a signature in their query that does not matter',
    query: '?signature=1',
    token: 'fixed',
    isOpen: () => true,
    expected: 'failed',
  },
  {
    media: 'have a long value in their query, another each time, that does not matter',
    query: '?s=0123456789abcdef-N',
    token: 'fixed',
    isOpen: () => true,
    expected: 'failed',
  },
])('if media URLs $media, 2.1.1 signed has $expected', async ({ query, token, isOpen, expected }) => {
  let signed = 0;
  const { fetch } = stubFetch(async (request) => {
    const { host, pathname } = new URL(request.url);
    if (host === 'media.example') {
      return new Response(null, { status: isOpen(pathname.split('/')[1] ?? '') ? 206 : 403 });
    }
    return withoutBase(async (inner) => {
      const response = await answerAsSpecified(inner);
      if (response.status !== 200) return response;
      signed += 1;
      const url = `https://media.example/${token.replace('N', `${signed}`)}/a.wav${query.replace('N', `${signed}`)}`;
      const memory = { ...sampleMemory, audio_url: url };
      return answer(200, inner.url.includes('/memories/') ? memory : [memory]);
    })(request);
  });
  const report = await runConformance({ baseUrl, apiKey, media: true, fetch });
  expect(resultOf(report, '2.1.1 signed')).toMatchObject({ status: expected });
});

test.each([
  [200, 'passed'],
  [206, 'passed'],
  // An empty file has no first byte.
  [416, 'passed'],
  [302, 'skipped'],
  [403, 'failed'],
  [500, 'failed'],
])('media with the status %i have %s', async (status, expected) => {
  const { fetch } = stubFetch(async (request) => {
    if (request.url.startsWith('https://media.example/')) return new Response(null, { status });
    return withoutBase(async (inner) => {
      const response = await answerAsSpecified(inner);
      const listed = [{ ...sampleMemory, audio_url: 'https://media.example/a?expires=1' }];
      return response.status === 200 && inner.url.endsWith('/memories') ? answer(200, listed) : response;
    })(request);
  });
  const report = await runConformance({ baseUrl, apiKey, media: true, fetch });
  expect(resultOf(report, '2.1 audio_url reachable')).toMatchObject({ status: expected });
});

test('an excerpt of an error does not end within a key', async () => {
  const { fetch } = stubFetch(async () => answer(400, { detail: `${'x'.repeat(180)}key-1-that-is-long` }));
  const report = await runConformance({ baseUrl, apiKey: 'key-1-that-is-long', fetch });
  expect(JSON.stringify(report)).toContain('xxx');
  expect(JSON.stringify(report)).not.toContain('key-1');
});

test('a list that grows during the run is not taken for an effect of query parameters', async () => {
  let lists = 0;
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      const response = await answerAsSpecified(request);
      if (response.status !== 200 || !/memories(\?|$)/.test(request.url)) return response;
      lists += 1;
      const newer = { ...sampleMemory, id: 'mem_11', started_at: '2026-03-03T08:00:00Z' };
      return request.url.includes('?') || lists > 2 ? answer(200, [newer, sampleMemory]) : answer(200, [sampleMemory]);
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(resultOf(report, '4.1 Query parameters')).toMatchObject({ status: 'passed' });
});

test('headers that always vary do not reveal the owner of a memory', async () => {
  let age = 0;
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      const isOther = request.headers.get('authorization') === 'Bearer key-9';
      if (isOther) return answer(200, [{ ...sampleMemory, id: 'mem_90', user_id: 'user_9' }]);
      const response = await answerAsSpecified(request);
      if (response.status === 404 && age++ > 0) response.headers.set('age', '7');
      return response;
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, otherAccountApiKey: 'key-9', fetch });
  expect(resultOf(report, '4.2.2 other account')).toMatchObject({ status: 'passed' });
});

test('an occasional request without a response does not end the run', async () => {
  let requests = 0;
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      requests += 1;
      if (requests > 2 && requests % 3 === 0) throw new TypeError('fetch failed');
      return answerAsSpecified(request);
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(report.requests).toBeGreaterThan(12);
  expect(JSON.stringify(report)).not.toContain('in a row');
});

test('a run in which every rule is skipped has not passed', async () => {
  const { fetch } = stubFetch(async (request) =>
    request.url.endsWith('?limit=1') ? answer(200, []) : answer(429, { detail: 'Slow down' }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch, profile: 'reference' });
  expect(new Set(report.results.map(({ status }) => status))).toEqual(new Set(['skipped']));
  expect(report).toMatchObject({ passed: false, access: 'granted' });
});

test.each<[string, Partial<ConformanceOptions>]>([
  ['the base URL is not an absolute http or https URL', { baseUrl: '/api' }],
  ['the base URL is not an absolute http or https URL', { baseUrl: 'file:///api' }],
  ['the base URL has credentials, a query or a fragment', { baseUrl: 'https://a:hush@api.example' }],
  ['the base URL has credentials, a query or a fragment', { baseUrl: 'https://api.example/?key=hush' }],
  ['apiKey is empty, or contains characters that a header cannot contain', { apiKey: 'hush\n' }],
  ['inactiveApiKey is empty, or contains characters that a header cannot contain', { inactiveApiKey: '' }],
  ['apiKey is missing', { apiKey: undefined as never }],
  ['apiKey is missing', { apiKey: null as never }],
  ['apiKey is not a string', { apiKey: 5 as never }],
  ['otherAccountApiKey is not a string', { otherAccountApiKey: null as never }],
  ['the base URL is not an absolute http or https URL', { baseUrl: Object.create(null) as never }],
  ['fetch is not a function', { fetch: 5 as never }],
  ['the profile is unknown', { profile: 'hush' as never }],
  ['timeout is 0', { timeout: 0 }],
  ['totalTimeout is 1.5', { totalTimeout: 1.5 }],
])('rejects because %s', async (reason, options) => {
  const run = runConformance({ baseUrl, apiKey, ...options });
  await expect(run).rejects.toThrow(TypeError);
  await expect(run).rejects.toThrow(`Failed to start the conformance run: ${reason}`);
  await expect(run).rejects.not.toThrow(/hush/);
});

test('rejects without options', async () => {
  const reason = 'Failed to start the conformance run: the options argument is not an object';
  await expect(runConformance(undefined as never)).rejects.toThrow(reason);
  await expect(runConformance(null as never)).rejects.toThrow(reason);
});

test('a media host that does not respond affects no other requests', async () => {
  const media = { audio_url: 'https://media.example/a?sig=1', video_url: 'https://media.example/v?sig=1' };
  const { fetch } = stubFetch(withMedia({ ...media, preview_image_url: 'https://media.example/p?sig=1' }));
  const report = await runConformance({ baseUrl, apiKey, media: true, fetch });
  const failed = report.results.filter(({ status }) => status === 'failed').map(({ rule }) => rule);
  expect(failed).toEqual(['2.1 audio_url reachable', '2.1 video_url reachable', '2.1 preview_image_url reachable']);
  expect(resultOf(report, '2.1.1 signed')).toMatchObject({ reason: '3 requests in a row got no response' });
  expect(resultOf(report, '7')).toMatchObject({ status: 'passed' });
});

test('skips a media URL with a user name, and gives the reason', async () => {
  const { fetch } = stubFetch(withMedia({ audio_url: 'https://hush:hush@media.example/a' }));
  const report = await runConformance({ baseUrl, apiKey, media: true, fetch });
  expect(resultOf(report, '2.1 audio_url reachable')).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('fetch does not accept a URL with a user name or a password'),
  });
  expect(JSON.stringify(report)).not.toContain('hush');
});

test('the evidence names its request and the invalid element', async () => {
  const { fetch } = stubFetch(withMedia({ name: null, audio_url: 7 }));
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(resultOf(report, '2.1 audio_url')).toMatchObject({
    evidence: {
      sent: 'GET /v1/memories with Authorization: Bearer {apiKey}',
      received: '[0].audio_url expected string or null, received number; and 1 more',
    },
  });
});

test.each([1, 2])('a rule tolerates one failure of a request, not two (%i)', async (failures) => {
  let left = failures;
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      if (!request.url.includes('/memories/mem_10') || request.headers.get('authorization') !== 'Bearer key-1') {
        return answerAsSpecified(request);
      }
      left -= 1;
      return left >= 0 ? answer(500, { detail: 'Internal server error' }) : answerAsSpecified(request);
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(resultOf(report, '4.2 Success')).toMatchObject({ status: failures === 1 ? 'passed' : 'failed' });
});

/** A server whose memory has these fields, and whose media host does not respond. */
function withMedia(fields: Record<string, unknown>): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.url.startsWith('https://media.example/')) throw new TypeError('fetch failed');
    return withoutBase(async (inner) => {
      const response = await answerAsSpecified(inner);
      if (response.status !== 200) return response;
      const body = await response.json();
      return answer(200, Array.isArray(body) ? body.map((each) => ({ ...each, ...fields })) : { ...body, ...fields });
    })(request);
  };
}

function resultOf({ results }: ConformanceReport, rule: string): RuleResult | undefined {
  return results.find((result) => result.rule === rule);
}

/** The handler, with paths below the base URL. */
function withoutBase(handle: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/base/')) return answer(404, { detail: 'Not Found' });
    return handle(new Request(request.url.replace('/base/', '/'), request));
  };
}

test('sends no more requests after three without a response', async () => {
  let lists = 0;
  const { fetch } = stubFetch(
    withoutBase(async (request) => {
      if (request.headers.get('authorization') === 'Bearer key-1' && lists++ === 0) return answerAsSpecified(request);
      throw new TypeError('fetch failed');
    }),
  );
  const report = await runConformance({ baseUrl, apiKey, fetch });
  expect(report).toMatchObject({ passed: false, requests: 4 });
  expect(JSON.stringify(report)).toContain('3 requests in a row got no response');
});

test('names options as the caller calls them, but leaves media of memories and ids alone', async () => {
  const { fetch } = stubFetch(withoutBase(answerAsSpecified));
  const keyLabels = {
    apiKey: '--api-key',
    otherAccountApiKey: '--other-api-key',
    inactiveApiKey: '--inactive-api-key',
    emptyAccountApiKey: '--empty-account-api-key',
    media: '--media',
  };
  const options = { baseUrl, apiKey, fetch, keyLabels };
  const fewest = await runConformance(options);
  const more = await runConformance({ ...options, otherAccountApiKey: apiKey, emptyAccountApiKey: apiKey });
  const names = /\b(?:apiKey|\w+ApiKey)\b|needs media/;
  for (const format of ['pretty', 'json', 'junit'] as const) {
    expect(formatReport(fewest, format)).not.toMatch(names);
    expect(formatReport(more, format)).not.toMatch(names);
  }
  expect(formatReport(fewest, 'pretty')).toContain('more would be checked with --empty-account-api-key, --inactive');
  expect(resultOf(fewest, '2.1.1 signed')).toMatchObject({ reason: 'needs --media' });
  expect(resultOf(more, '4.1.4')).toMatchObject({ evidence: { sent: expect.stringContaining('{--empty-account') } });
  expect(resultOf(more, '4.2.2 other account')).toMatchObject({
    reason: expect.stringMatching(/^--other-api-key lists no/),
  });
});
