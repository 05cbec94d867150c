// Prints, byte for byte, what a mock answers to a script of requests: before a reset and after it, through MSW and
// through `mock.fetch`. Arguments: the seed, and the time at which the clock stands still.
import { hash } from 'node:crypto';
import type { Fault } from '@memory-read/msw';
import { createMemoryMock, type MemoryMock } from '@memory-read/msw';
import { setupServer } from 'msw/node';

const [seed = '', now] = process.argv.slice(2);

const apiFaults: Fault[] = [
  ...[400, 401, 403, 404, 405, 422, 429, 500, 503].map((status) => ({ status })),
  { status: 429, retryAfter: 7_000 },
  ...(['text', 'html', 'fastapi', 'xml'] as const).map((style) => ({ status: 502, style })),
  ...(['network-error', 'truncated-json', 'wrong-content-type', 'contract-violation', 'cut'] as const),
  { delay: 1 },
];
const mediaFaults: Fault[] = [
  { status: 403 },
  { status: 503, style: 'xml' },
  { delay: 1 },
  'network-error',
  'no-ranges',
  'cut',
];
const ranges = ['bytes=0-3', 'bytes=8-', 'bytes=-10', 'bytes=0-3,8-11', 'bytes=99999999-', 'items=0-3'];

/** Sends the script, and returns each response as text. */
async function answersOf(mock: MemoryMock, send: typeof fetch): Promise<string[]> {
  const answers: string[] = [];
  const { apiKey: key, baseUrl } = mock;
  const ask = async (url: string, headers: Record<string, string> = { 'x-api-key': key }, method = 'GET') => {
    const body = method === 'POST' ? '{}' : null;
    const answer = await send(url, { method, headers, body }).then(describe, describeFailure);
    answers.push(`${method} ${url}: ${answer}`);
    return answer;
  };
  const list = `${baseUrl}/v1/memories`;
  const added = mock.accounts.add();
  const { id } = mock.memories.add();
  mock.memories.add({}, { userId: added.userId });
  const detail = `${list}/${id}`;
  const mediaUrls = (await ask(detail)).match(/https:[^"]+signature=[^"]+/g) ?? [];
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const url of [list, detail, `${baseUrl}/v1/none`, `${list}/%00`, ...mediaUrls.slice(0, 1)]) {
      await ask(url, { 'x-api-key': key, origin: 'https://page.test' }, method);
    }
  }
  for (const headers of [{}, { authorization: 'Bearer x' }, { 'x-api-key': added.apiKey }])
    await ask(list, { ...headers });
  await ask(list, { 'x-request-id': 'mine' });
  for (const fault of apiFaults) {
    mock.faults.next(fault);
    await ask(detail);
  }
  for (const url of mediaUrls) await ask(url);
  for (const range of ranges) await ask(mediaUrls[0] ?? '', { range });
  for (const fault of mediaFaults) {
    mock.faults.next(fault, { match: { media: 'audio' } });
    await ask(mediaUrls[0] ?? '', { range: 'bytes=8-' });
  }
  // The id follows the order of arrival, not that of the responses.
  mock.faults.next({ delay: 5 });
  const together = [list, detail, `${baseUrl}/v1/none`];
  // On a busy machine, MSW passes requests of one moment on in another order.
  if (send === fetch) for (const url of together) await ask(url);
  else await Promise.all(together.map(async (url) => ask(url)));
  answers.push(...answers.splice(-3).sort());
  mock.expireMediaUrls();
  for (const url of mediaUrls) await ask(url);
  await ask(detail);
  answers.push(JSON.stringify(mock.requests.map(({ headers: _, ...request }) => request)));
  return answers;
}

async function describe(response: Response): Promise<string> {
  const head = `${response.status} ${JSON.stringify([...response.headers])}`;
  const body = await response.arrayBuffer().then(describeBody, describeFailure);
  return `${head} ${body}`;
}

/** A recording is long, so its digest stands for it. */
function describeBody(bytes: ArrayBuffer): string {
  const body = Buffer.from(bytes);
  return body.length < 10_000 ? body.toString('latin1') : `${body.length} ${hash('sha256', body)}`;
}

const describeFailure = ({ name, message }: Error) => `${name}: ${message}`;

async function twice(mock: MemoryMock, send: typeof fetch) {
  const first = await answersOf(mock, send);
  mock.reset();
  return { first, again: await answersOf(mock, send) };
}

const createMock = () => createMemoryMock({ seed, ...(now && { now }) });
const [own, behindMsw] = [createMock(), createMock()];
const throughFetch = await twice(own, own.fetch as typeof fetch);
const server = setupServer(...behindMsw.handlers);
server.listen();
const throughMsw = await twice(behindMsw, fetch);
server.close();
console.log(JSON.stringify({ throughFetch, throughMsw }));
