import { MemoryClient } from '@memory-read/client';
import { changeNamed } from '@memory-read/integration-tests/conformance/mutants/all-mutants';
import type { Change } from '@memory-read/integration-tests/conformance/raw-server/change';
import { runKeys } from '@memory-read/integration-tests/conformance/raw-server/memories';
import { startRawServer } from '@memory-read/integration-tests/conformance/raw-server/start-raw-server';
import { afterAll, expect, test } from 'vitest';
import { startPrism, violationsIn } from './start-prism.ts';

// Each test changes this object, so that all of them can share one Prism.
const current: Change = {};
const server = await startRawServer(current);
const prism = await startPrism(server.url, { refuses: true });
afterAll(async () => {
  await prism[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

test('Prism accepts a server that is written from the specification alone', async () => {
  expect(await violationsOf({})).toEqual([]);
});

test.each([
  { name: 'name is absent', violation: "must have required property 'name'" },
  { name: 'summary is left out where it is null', violation: "must have required property 'summary'" },
  { name: 'started_at is "2026-03-01 08:00"', violation: 'started_at must match format "date-time"' },
  { name: 'audio_url is "audio.wav"', violation: 'audio_url must match format "uri"' },
  { name: 'duration_seconds is 60.5', violation: 'duration_seconds must be integer' },
  { name: 'text of a segment is null', violation: 'transcript.segments.0.text must be string' },
  { name: 'the list has transcripts', violation: 'transcript must be null' },
  { name: 'JSON calls itself "text/plain"', violation: 'media type "text/plain" does not match' },
  { name: 'the list is not valid JSON', violation: 'invalid json response body' },
  { name: 'a memory is a 409 while it is processed', violation: 'Unable to match the returned status code' },
  { name: 'details are arrays', violation: 'detail must be string' },
])('where $name, Prism finds: $violation', async ({ name, violation }) => {
  const found = await violationsOf(changeNamed(name));
  expect(found.join('\n')).toContain(violation);
});

test('Prism does not know the status 429, which is not part of this API', async () => {
  const found = await violationsOf({ answer: (answer) => ({ ...answer, status: 429, body: { detail: 'Slow down' } }) });
  expect(found.join('\n')).toContain('Unable to match the returned status code');
});

test('our client fails if Prism rejects a response', async () => {
  breakWith(changeNamed('name is absent'));
  const client = new MemoryClient({ baseUrl: prism.url, apiKey: runKeys.apiKey, retries: 0, validation: 'off' });
  await expect(client.listMemories()).rejects.toMatchObject({ code: 'server', status: 500 });
});

/** Returns the violations that Prism finds in the responses to four requests. */
async function violationsOf(change: Change): Promise<string[]> {
  breakWith(change);
  const headers = { authorization: `Bearer ${runKeys.apiKey}` };
  const found = ['', '/mem_100005', '/mem_100004', '/mem_unknown'].map(async (path) => {
    const response = await fetch(`${prism.url}/v1/memories${path}`, { headers });
    // Prism does not reject some violations, such as an unknown status. It lists them in a header.
    if (response.headers.get('content-type') !== 'application/problem+json') return violationsIn(response.headers);
    const { title, validation = [] }: Refusal = await response.json();
    return [title, ...validation.map(({ message }) => message)];
  });
  return (await Promise.all(found)).flat();
}

/** The body that Prism returns in place of a response that it rejects. */
interface Refusal {
  title: string;
  validation?: { message: string }[];
}

function breakWith(change: Change): void {
  for (const key of Object.keys(current)) delete current[key as keyof Change];
  Object.assign(current, change);
}
