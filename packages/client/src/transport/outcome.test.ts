import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { countOf } from '../count-of.ts';
import { rejection } from '../testing/rejection.ts';
import { json, type StubAnswer, stubClient } from '../testing/stub-fetch.ts';

const createClient = (answer: StubAnswer) => stubClient(answer, { retries: 0 });
const listError = (answer: StubAnswer) => rejection(createClient(answer).client.listMemories());

test.each([
  ['HTML', '<!doctype html><title>Sign in to the network</title>'],
  ['JSON and text after it', '{"id":"mem_1"}{"id'],
  ['text that begins like JSON', '[ERROR] {"no route'],
  ['text in brackets', '{not JSON'],
  ['nothing', ''],
])('200 with %s is an InvalidResponseError that shows none of it', async (_title, body) => {
  const error = await listError(new Response(body, { headers: { 'content-type': 'text/html' } }));
  expect(error).toMatchObject({
    name: 'InvalidResponseError',
    code: 'invalid_response',
    reason: 'not_json',
    issues: [],
  });
  expect((error as Error).message).toContain(`(text/html, ${body.length} characters)`);
});

test('reads JSON with any content type and after a byte order mark', async () => {
  const { client } = createClient(new Response('\ufeff[]', { headers: { 'content-type': 'text/plain' } }));
  expect(await client.listMemories()).toEqual([]);
});

test.each(['[', '{', ' [{"id":"mem', '{"name":"a } \\" ]', '[{"a":[1,{"b":"c"}', '[[]', '{"a":tru', '[1,'])(
  'a 200 that ends within its JSON is cut_json: %s',
  async (body) => {
    expect(await listError(new Response(body))).toMatchObject({
      reason: 'cut_json',
      message:
        `Failed to list memories: the body is JSON that was cut off after ${countOf(body.length, 'character')}. ` +
        'Check the proxies between this client and the API.',
    });
  },
);

test.each<[string, ResponseInit]>([
  ['status 206', { status: 206 }],
  ...[
    '<https://api.example.com/v1/memories?page=2>; rel="next"',
    '</v1/memories?page=2>; rel=next',
    '<a>; rel="prev", <b>; title="x"; rel="last next"',
    '<b>; REL = NEXT; title=x',
  ].map((link): [string, ResponseInit] => [`the Link header ${link}`, { headers: { link } }]),
])('a part of a list is an InvalidResponseError: %s', async (_title, init) => {
  expect(await listError(json([], init))).toMatchObject({ code: 'invalid_response', reason: 'partial' });
});

test.each(['<a>; rel="prev"', '</next>; rel="self"', '<a>; rel=nextcloud', '<a>; rel="next-archive"'])(
  'the Link header %s names no next page',
  async (link) => {
    const { client } = createClient(json([], { headers: { link } }));
    expect(await client.listMemories()).toEqual([]);
  },
);

test('a single memory has no pages', async () => {
  const { client } = createClient(json(sampleMemory(), { headers: { link: '</v1/memories/mem_2>; rel="next"' } }));
  expect(await client.getMemory('mem_1')).toMatchObject({ id: sampleMemory().id });
});

test('a body of more than 256 MiB is an InvalidResponseError, and is not read to its end', async () => {
  const chunk = new Uint8Array(8 * 1024 * 1024);
  let pulls = 0;
  const pull = (controller: ReadableStreamDefaultController) => {
    pulls += 1;
    if (pulls <= 40) controller.enqueue(chunk);
    else controller.close();
  };
  const error = await listError(async () => new Response(new ReadableStream({ pull })));
  expect(error).toMatchObject({ code: 'invalid_response', reason: 'too_large' });
  expect(pulls).toBeLessThan(36);
});

test.each([
  [{}, { maxResponseBytes: 5 }],
  [{ maxResponseBytes: 5 }, {}],
  [{ maxResponseBytes: 100 }, { maxResponseBytes: 5 }],
])('a body beyond maxResponseBytes is too_large, and is not requested again: %j and %j', async (forClient, forCall) => {
  for (const answer of [
    () => json([1, 2, 3]),
    () => ({ status: 200, headers: new Headers(), text: () => '[1,2,3]' }),
  ]) {
    const { client, requests } = createClient(async () => answer() as Response);
    const limited = client.withOptions({ retries: 2, ...forClient });
    expect(await rejection(limited.listMemories(forCall))).toMatchObject({
      reason: 'too_large',
      message:
        'Failed to list memories: the body is larger than maxResponseBytes (5 bytes). ' +
        'Check baseUrl, or raise maxResponseBytes.',
    });
    expect(requests).toHaveLength(1);
    expect(await client.withOptions({ maxResponseBytes: 7, validation: 'off' }).listMemories()).toHaveLength(3);
  }
});

test('the body of an error is not read beyond maxResponseBytes', async () => {
  const { client } = createClient(json({ detail: 'So it is.' }, { status: 500 }));
  expect(await rejection(client.listMemories({ maxResponseBytes: 5 }))).toMatchObject({
    status: 500,
    detail: undefined,
  });
});

test.each([0, 1.5, 536_870_889, -1, Number.NaN, '5'])('maxResponseBytes %j is refused', async (value) => {
  const { client } = createClient(json([]));
  const options = { maxResponseBytes: value as number };
  const message = expect.stringContaining('which is not a whole number from 1 to 536,870,888.');
  for (const call of [() => client.listMemories(options), async () => client.withOptions(options)])
    expect(await rejection(call())).toMatchObject({ code: 'configuration', message });
});
