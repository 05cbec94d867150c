/**
 * node mocked-suite.ts COUNT ANSWERS [mock]
 *
 * Runs a suite of tests on plain handlers of MSW that return the answers of a file, or on the mock.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';

export interface MockedAnswers {
  baseUrl: string;
  apiKey: string;
  list: { id: string }[];
  details: Record<string, { id: string }>;
}

const [, , count, file = '', kind] = process.argv;
const answers = JSON.parse(readFileSync(file, 'utf8')) as MockedAnswers;
const { handlers, reset } =
  kind === 'mock' ? await memoryMock() : { handlers: plainHandlers(answers), reset: () => {} };
const server = setupServer(...handlers);

before(() => server.listen());
beforeEach(() => {
  reset();
  server.resetHandlers();
});
after(() => server.close());

for (let index = 0; index < Number(count); index += 1) {
  test(`reads memory ${index} of the list`, async () => {
    const listed = (await read('/v1/memories')) as MockedAnswers['list'];
    const { id } = listed[index % listed.length] as { id: string };
    assert.equal(((await read(`/v1/memories/${id}`)) as { id: string }).id, id);
  });
}

async function read(path: string): Promise<unknown> {
  return (await fetch(answers.baseUrl + path, { headers: { authorization: `Bearer ${answers.apiKey}` } })).json();
}

async function memoryMock() {
  const { createMemoryMock } = await import('@memory-read/msw');
  return createMemoryMock({ baseUrl: answers.baseUrl });
}

function plainHandlers({ baseUrl, list, details }: MockedAnswers): RequestHandler[] {
  return [
    http.get(`${baseUrl}/v1/memories`, () => HttpResponse.json(list)),
    http.get(`${baseUrl}/v1/memories/:id`, ({ params }) => HttpResponse.json(details[String(params.id)])),
  ];
}
