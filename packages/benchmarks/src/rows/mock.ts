import { setTimeout } from 'node:timers/promises';
import { createMemoryMock } from '@memory-read/msw';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { runRounds } from '../measurement/run-rounds.ts';
import { timePerCall } from '../measurement/time.ts';

export const mock: Row = {
  id: 'mock',
  title: 'The mock: a request',
  method:
    'One `fetch` after the other goes through MSW in Node. The plain handler returns the same JSON, without key, signatures and log.',
  async measure({ sizes }) {
    const memoryMock = createMemoryMock();
    const url = `${memoryMock.baseUrl}/v1/memories/${memoryMock.memories.all()[0]?.id}`;
    const headers = { authorization: `Bearer ${memoryMock.apiKey}` };
    const body = await (await memoryMock.fetch(new Request(url, { headers }))).json();
    const ask = (handlers: RequestHandler[]) => () =>
      throughMsw(handlers, sizes.callsARound, async () => (await fetch(url, { headers })).json());
    const { ours, plain } = await runRounds(sizes.rounds, {
      ours: ask(memoryMock.handlers),
      plain: ask([http.get(url, () => HttpResponse.json(body))]),
    });
    return {
      findings: [ratio('A request, against a plain `http.get` handler', ours, plain, { atMost: 1.15 })],
      explanation: 'Both spend most of their time in MSW itself: about 1,000 µs, against 37 µs in the mock.',
    };
  },
};

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
