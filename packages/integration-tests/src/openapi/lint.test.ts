import { edgeCases } from '@memory-read/fixtures';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { arazzoText, mock, openApiText } from './documents.ts';

test.each([
  ['document', openApiText],
  ['workflows', arazzoText],
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

interface Answer {
  status: number;
  body: { transcript: { segments: object[] } | null };
}

async function answer(path: string, key = mock.apiKey): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await mock.fetch(`${mock.baseUrl}/v1/memories${path}`, { headers });
  return { status: response.status, body: await response.json() };
}

/** Replaces the examples of an operation by these responses. */
function setExamples({ responses }: { responses: Record<number, object> }, answers: readonly Answer[]): void {
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
