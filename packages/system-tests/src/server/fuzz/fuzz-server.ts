import fc from 'fast-check';
import { expect } from 'vitest';
import { megabytesOf, type ServeProcess, startServe } from '../serving/start-serve.ts';
import { exchange } from './exchange.ts';
import { rawRequest } from './raw-request.ts';

const batch = 50;
const expected = new Set([200, 204, 302, 400, 401, 403, 404, 405, 408, 417, 422, 431]);

/** Sends random requests, and expects a response in the format of the API to each valid one. Prints a failing seed. */
export async function fuzzServer(requests: number): Promise<void> {
  const server = await startServe(['--in-memory']);
  try {
    await send(server, Math.ceil(requests / 10));
    const before = megabytesOf(server, 'VmRSS');
    await send(server, requests);
    const after = megabytesOf(server, 'VmRSS');
    console.log(`${requests} raw requests: ${before} MB before, ${after} MB after`);
    expect(after - before).toBeLessThan(64);
    const alive = await fetch(`${server.baseUrl}/v1/memories`, { headers: { 'x-api-key': server.apiKey } });
    expect(await alive.json()).toHaveLength(24);
  } finally {
    await server.close();
  }
}

async function send({ baseUrl, apiKey }: ServeProcess, requests: number): Promise<void> {
  const port = Number(new URL(baseUrl).port);
  const requestsOfBatch = fc.array(rawRequest(apiKey), { minLength: batch, maxLength: batch });
  const property = fc.asyncProperty(requestsOfBatch, async (texts) => {
    const answers = await Promise.all(texts.map((text) => exchange(port, text)));
    const final = answers.map((answer) => answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''));
    for (const [index, answer] of final.entries()) assertAnswer(answer, texts[index] ?? '', apiKey);
  });
  await fc.assert(property, { numRuns: Math.ceil(requests / batch) });
}

/** Accepts a second response after the first one, because a body that was not announced counts as a request. */
function assertAnswer(answer: string, request: string, apiKey: string): void {
  const about = `to ${JSON.stringify(request.slice(0, 400))} came ${JSON.stringify(answer.slice(0, 600))}`;
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  expect(statuses.length > 0 && statuses.every((status) => expected.has(status)), about).toBe(true);
  expect(head.toLowerCase(), about).toContain('\r\nx-request-id: ');
  expect(head.toLowerCase(), about).toContain('\r\nx-content-type-options: nosniff');
  expect(answer.includes(apiKey), about).toBe(false);
  if ((statuses[0] ?? 0) >= 400) expect(body, about).toMatch(/^$|^\{"detail":"[^"]+"\}|^HTTP\/1\.1 /);
}
