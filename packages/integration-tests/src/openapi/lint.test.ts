import { edgeCases } from '@memory-read/fixtures';
import { startMockServer } from '@memory-read/msw/server';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, expect, test } from 'vitest';
import { arazzoText, mock, openApiText } from './documents.ts';

const server = await startMockServer({ memories: Object.values(edgeCases), control: {} });
afterAll(() => server.close());
const controlText = await (await fetch(`${server.controlUrl}/openapi.json`)).text();

test.each([
  ['document', openApiText],
  ['workflows', arazzoText],
  ['document of the control API', controlText],
])('Redocly finds nothing to say about the %s', async (_what, text) => {
  expect(await problemsIn(text)).toEqual([]);
});

test('every response for an edge case, and every error, is valid as an example of the document', async () => {
  const document = JSON.parse(openApiText);
  const { paths } = document;
  const list = await answer('');
  const one = await Promise.all(Object.values(edgeCases).map(({ id }) => answer(`/${encodeURIComponent(id)}`)));
  const errors = await Promise.all([answer('/mem_1'), answer('/%00'), answer('/mem_1', 'wrong-key')]);
  expect([list, ...errors].map(({ status }) => status)).toEqual([200, 404, 422, 401]);
  setExamples(paths['/v1/memories'].get, [list]);
  setExamples(paths['/v1/memories/{memory_id}'].get, [...one, ...errors]);
  expect(await problemsIn(JSON.stringify(document))).toEqual([]);
  one.find(({ body }) => body.transcript)?.body.transcript?.segments.push({ text: null });
  expect(await problemsIn(JSON.stringify(document))).toContainEqual(expect.stringContaining('text'));
});

test('every response of the control API is valid as an example of its document', async () => {
  const document = JSON.parse(controlText);
  const inSpace = '/spaces/{space}';
  await fetch(server.baseUrl, { headers: { 'x-api-key': server.apiKey } });
  for (const [method, path, sent] of [
    ['POST', '/spaces', { memories: Object.values(edgeCases), now: '2026-03-01T12:00:00Z' }],
    ['POST', '/spaces', { memories: 1 }],
    ['GET', '/spaces'],
    ['GET', `${inSpace}/memories`],
    ['POST', `${inSpace}/memories`, {}],
    ['POST', `${inSpace}/faults`, { fault: { stop: 'in-head', by: 'reset' }, match: { operation: 'media' } }],
    ['POST', `${inSpace}/faults`, { fault: 'stall', times: 'always' }],
    ['GET', `${inSpace}/faults`],
    ['GET', `${inSpace}/requests`],
    ['POST', `${inSpace}/clock`, { advance: 1_000 }],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const init = { method, ...(sent && { headers, body: JSON.stringify(sent) }) };
    const response = await fetch(`${server.controlUrl}${path.replace('{space}', 'default')}`, init);
    const status = response.ok ? response.status : '4XX';
    setExamples(document.paths[path][method.toLowerCase()], [{ status, body: await response.json() }]);
  }
  expect(await problemsIn(JSON.stringify(document))).toEqual([]);
  document.components.schemas.WireRequest.properties.seq.type = 'string';
  expect(await problemsIn(JSON.stringify(document))).toContainEqual(expect.stringContaining('seq'));
});

interface Answer<Body = unknown> {
  status: number | string;
  body: Body;
}

async function answer(path: string, key = mock.apiKey): Promise<Answer<{ transcript: { segments: object[] } | null }>> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await mock.fetch(`${mock.baseUrl}/v1/memories${path}`, { headers });
  return { status: response.status, body: await response.json() };
}

/** Replaces the examples of an operation by these responses. */
function setExamples({ responses }: { responses: Record<string, object> }, answers: readonly Answer[]): void {
  for (const [index, { status, body }] of answers.entries()) {
    const { content } = responses[status] as { content: Record<string, { examples?: Record<string, object> }> };
    const { example: _, ...media } = content['application/json'] as { example?: unknown };
    const examples = { ...content['application/json']?.examples, [`response-${index}`]: { value: body } };
    content['application/json'] = { ...media, examples };
  }
}

async function problemsIn(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  return (await lintFromString({ source, config })).map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
