import type { Fault, FetchMemoryMock } from '@memory-read/msw/fetch';

/** A fault, and how a stalled or delayed request ends. */
export interface FaultCase {
  fault: Fault;
  end?: 'abort' | 'reset' | undefined;
}

/** Every fault of the mock, in every form and with every end. */
export const faultCases: FaultCase[] = [
  { fault: { status: 503, retryAfter: 3_000 } },
  { fault: { status: 502, style: 'text' } },
  { fault: { status: 502, style: 'html' } },
  { fault: { status: 422, style: 'fastapi' } },
  { fault: { status: 500, style: 'fastapi' } },
  { fault: 'network-error' },
  { fault: 'truncated-json' },
  { fault: 'wrong-content-type' },
  { fault: 'contract-violation' },
  { fault: { delay: 20 } },
  { fault: { delay: 60_000 }, end: 'abort' },
  { fault: { delay: 60_000 }, end: 'reset' },
  { fault: 'stall', end: 'abort' },
  { fault: 'stall', end: 'reset' },
];

/** Requests the list of memories, without a key. */
export type Ask = (init?: RequestInit) => Promise<Response>;

/** Returns what a caller observes for each case, in their order. Runs in a page and in Node. */
export async function observeFaults(mock: FetchMemoryMock, ask: Ask): Promise<string[]> {
  const seen: string[] = [];
  for (const faultCase of faultCases) seen.push(await observeFault(mock, ask, faultCase));
  return seen;
}

async function observeFault(mock: FetchMemoryMock, ask: Ask, { fault, end }: FaultCase): Promise<string> {
  mock.reset();
  const whole = await (await ask()).text();
  mock.faults.next(fault);
  const aborting = new AbortController();
  const started = performance.now();
  const call = ask({ signal: aborting.signal }).then(
    (response) => describeAnswer(response, whole),
    ({ name, message }: Error) => `${name}: ${message.replace(/:.*/, '')}`,
  );
  if (end) await isAsked(mock);
  if (end === 'abort') aborting.abort();
  if (end === 'reset') mock.reset();
  const seen = await call;
  // Timers are rounded, so they may end a fraction early.
  const isLate = typeof fault === 'object' && 'delay' in fault && performance.now() - started > fault.delay - 1;
  return isLate ? `${seen}, after ${fault.delay} ms` : seen;
}

/** Resolves at the second request: the first one is for the list. */
async function isAsked(mock: FetchMemoryMock): Promise<void> {
  while (mock.requests.length < 2) await new Promise((resolve) => setTimeout(resolve));
}

async function describeAnswer(response: Response, whole: string): Promise<string> {
  const { status, headers } = response;
  const retryAfter = headers.get('retry-after');
  const parts = [
    `${status} ${headers.get('content-type')}`,
    ...(retryAfter === null ? [] : [`retry-after ${retryAfter}`]),
    describeBody(await response.text(), whole),
  ];
  return parts.join(', ');
}

function describeBody(text: string, whole: string): string {
  if (text === whole) return 'the list';
  if (text === whole.slice(0, Math.ceil(whole.length / 2))) return 'the first half of the list';
  if (!text.startsWith('[')) return text.replaceAll('\r\n', '');
  const [seen, expected] = [JSON.parse(text)[0], JSON.parse(whole)[0]];
  const fields = Object.keys(expected).filter((name) => seen[name] !== expected[name]);
  return `the list, whose first memory has ${fields.map((name) => `${name}: ${seen[name]}`).join(', ')}`;
}
