import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMemoryMock, type MemoryMock } from '@memory-read/msw';
import { factory, primaryKey } from '@mswjs/data';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { Row } from '../measurement/row.ts';
import { timeNode } from '../measurement/run-node.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { pairedRatio, spreadOf } from '../measurement/statistics.ts';
import { time, timePerCall } from '../measurement/time.ts';
import type { MockedAnswers } from '../programs/mocked-suite.ts';

const suiteProgram = fileURLToPath(new URL('../programs/mocked-suite.ts', import.meta.url));

export const mock: Row = {
  id: 'mock',
  title: 'The mock: create, reset, request',
  method:
    'One `fetch` after the other goes through MSW in Node, for the same memory with the same headers. Each kind of handler is set up separately. The plain handler returns the same value as JSON. The handler of @mswjs/data reads it from its database first. Neither checks the key, signs URLs or keeps a log. A suite is a process of the test runner of Node: each of its 500 tests resets the handlers, lists the memories and reads one.',
  async measure({ sizes, folder }) {
    const memoryMock = createMemoryMock();
    const [memory] = memoryMock.memories.all();
    if (memory === undefined) throw new Error('The mock has no memory to request.');
    const url = `${memoryMock.baseUrl}/v1/memories/${memory.id}`;
    const headers = { authorization: `Bearer ${memoryMock.apiKey}` };
    const body = await (await memoryMock.fetch(new Request(url, { headers }))).json();
    const ask = (handlers: RequestHandler[]) => () =>
      throughMsw(handlers, sizes.callsARound, async () => (await fetch(url, { headers })).json());
    const rounds = await runRounds(sizes.rounds, {
      ours: ask(memoryMock.handlers),
      plain: ask([http.get(url, () => HttpResponse.json(body))]),
      data: ask([dataHandler(url, body)]),
    });
    const answers = await saveAnswers(folder, memoryMock);
    const suite = (...kind: string[]) => timeNode([suiteProgram, String(sizes.mockedTests), answers, ...kind]);
    const suites = await runRounds(sizes.longRounds, { ours: () => suite('mock'), plain: () => suite() });
    const make = await runRounds(sizes.rounds, {
      create: () => time(() => createMemoryMock()),
      reset: () => time(() => memoryMock.reset()),
    });
    return {
      findings: [
        {
          what: 'A request, against a plain `http.get` handler',
          value: pairedRatio(rounds.ours, rounds.plain),
          unit: '×',
          goal: { atMost: 1.15 },
        },
        { what: 'A request, against @mswjs/data', value: pairedRatio(rounds.ours, rounds.data), unit: '×' },
        {
          what: `A suite of ${sizes.mockedTests} tests, against plain \`http.get\` handlers`,
          value: pairedRatio(suites.ours, suites.plain),
          unit: '×',
          goal: { atMost: 1.15 },
        },
        { what: '`createMemoryMock()`', value: spreadOf(make.create), unit: 'ms' },
        { what: '`reset()`', value: spreadOf(make.reset), unit: 'ms' },
      ],
      explanation:
        'A mocked request runs the whole reference server: key, hash, three signatures, and a complete body with its length, like that of `HttpResponse.json`. Both spend most of their time in MSW itself, which simulates a socket: about 1,000 µs, against 37 µs in the mock. Three trials: a log that finds its entry from the end, as it does now, saves 1 µs after 5,000 requests. A body that is not copied into a second `Response` saves 7 µs. The suite also loads and creates the mock, which takes 50 ms once.',
    };
  },
};

/** Writes what the mock returns for its list and for each memory. */
async function saveAnswers(folder: string, { baseUrl, apiKey, memories, fetch }: MemoryMock): Promise<string> {
  const read = async (path: string) =>
    (await fetch(new Request(baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } }))).json();
  const answers: MockedAnswers = { baseUrl, apiKey, list: await read('/v1/memories'), details: {} };
  for (const { id } of memories.all()) answers.details[id] = await read(`/v1/memories/${id}`);
  const file = join(folder, 'mocked-answers.json');
  writeFileSync(file, JSON.stringify(answers));
  return file;
}

/** Microseconds a request, with MSW set up for these handlers only. */
async function throughMsw(handlers: RequestHandler[], count: number, request: () => Promise<unknown>): Promise<number> {
  const server = setupServer(...handlers);
  server.listen();
  try {
    return await timePerCall(count, request);
  } finally {
    server.close();
    // MSW releases its sockets in a later turn of the event loop, and mocked requests do not cause such a turn.
    await setTimeout(1);
  }
}

function dataHandler(url: string, body: { id: string }): RequestHandler {
  const database = factory({ memory: { id: primaryKey(String), json: String } });
  database.memory.create({ id: body.id, json: JSON.stringify(body) });
  return http.get(url.replace(body.id, ':id'), ({ params }) => {
    const found = database.memory.findFirst({ where: { id: { equals: String(params.id) } } });
    return HttpResponse.json(JSON.parse(found?.json ?? 'null'));
  });
}
