import type { Fault, FetchMemoryMock } from '@memory-read/msw/fetch';
import type { MockSpace, ServerFault } from '@memory-read/msw/server';

/** A fault of the list or of media, and how a stalled or delayed request ends. */
export interface FaultCase<Kind = ServerFault> {
  fault: Kind;
  media?: 'audio';
  end?: 'abort' | 'reset' | undefined;
}

/** Every fault of the mock, in every form and with every end. */
export const faultCases: FaultCase<Fault>[] = [
  { fault: { status: 503, retryAfter: 3_000 } },
  { fault: { status: 429, headers: { 'retry-after': 'soon' } } },
  { fault: { status: 429, retryAfter: 3_000, retryAfterStyle: 'date' } },
  { fault: { status: 502, style: 'text' } },
  { fault: { status: 502, style: 'html' } },
  { fault: { status: 422, style: 'fastapi' } },
  { fault: { status: 500, style: 'fastapi' } },
  { fault: 'network-error' },
  { fault: 'truncated-json' },
  { fault: 'wrong-content-type' },
  { fault: 'contract-violation' },
  { fault: 'cut' },
  { fault: { delay: 20 } },
  { fault: { delay: 60_000 }, end: 'abort' },
  { fault: { delay: 60_000 }, end: 'reset' },
  { fault: 'stall', end: 'abort' },
  { fault: 'stall', end: 'reset' },
  { fault: { status: 403 }, media: 'audio' },
  { fault: { status: 503, style: 'xml' }, media: 'audio' },
  { fault: 'network-error', media: 'audio' },
  { fault: 'wrong-content-type', media: 'audio' },
  { fault: 'cut', media: 'audio' },
  { fault: 'no-ranges', media: 'audio' },
  { fault: { delay: 20 }, media: 'audio' },
  { fault: 'stall', media: 'audio', end: 'abort' },
  { fault: 'stall', media: 'audio', end: 'reset' },
];

const half = { share: 0.5 };

/** The faults that only a server has. */
export const serverFaultCases: FaultCase[] = [
  { fault: 'network-error' },
  { fault: 'garbage' },
  { fault: { stop: 'before-head', by: 'end' } },
  { fault: { stop: 'in-head', by: 'end' } },
  { fault: { stop: 'after-head', by: 'reset' } },
  { fault: { stop: 'after-head', by: 'stall' }, end: 'reset' },
  { fault: { stop: half, by: 'end' } },
  { fault: { stop: half, by: 'end', framing: 'chunked' } },
  { fault: { stop: half, by: 'end', framing: 'close' } },
  { fault: { stop: half, by: 'end', framing: 'exact' } },
  { fault: { bytesPerSecond: 1_000_000 } },
  { fault: { redirect: 302, to: 'self' } },
  { fault: { respond: { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Sign in</h1>' } } },
  { fault: { fields: { name: 5 } } },
  { fault: { steps: ['HTTP/1.1 200 OK\r\ncontent-type: a/b\r\ncontent-length: 4\r\n\r\nown', 'end'] } },
  { fault: 'changed-object', media: 'audio' },
  { fault: 'foreign-range', media: 'audio' },
  { fault: 'wrong-range', media: 'audio' },
  { fault: { stop: half, by: 'reset' }, media: 'audio' },
];

/** Requests a URL of the mock, without a key. */
export type Ask = (url: string, init?: RequestInit) => Promise<Response>;

/** Returns what a caller observes for each case, in their order. Runs in a page and in Node. */
export const observeFaults = (mock: FetchMemoryMock, ask: Ask) => observeEach(faultCases, { mock, ask });

/** Returns what a caller of a mock server observes for the faults that only a server has. */
export const observeServerFaults = (mock: MockSpace, ask: Ask) => observeEach(serverFaultCases, { mock, ask });

interface Observation {
  /** In process, a mock accepts only its own faults. */
  mock: Pick<MockSpace, 'baseUrl' | 'reset'> & {
    readonly requests: readonly unknown[];
    readonly faults: { next(fault: never, options: { match: { media: FaultCase['media'] } }): unknown };
  };
  ask: Ask;
}

async function observeEach(cases: FaultCase[], observation: Observation): Promise<string[]> {
  const seen: string[] = [];
  for (const each of cases) seen.push(await observeFault(observation, each));
  return seen;
}

async function observeFault({ mock, ask }: Observation, { fault, media, end }: FaultCase): Promise<string> {
  mock.reset();
  const { url, init } = await requestOf({ mock, ask }, media);
  const whole = await textOf(await ask(url, init));
  mock.faults.next(fault as never, { match: { media } });
  const aborting = new AbortController();
  const before = mock.requests.length;
  const started = performance.now();
  const call = ask(url, { ...init, signal: aborting.signal }).then(
    (response) => describeAnswer(response, whole),
    ({ name, message }: Error) => `${name}: ${message.replace(/:.*/, '')}`,
  );
  // A stalled request is logged when it arrives.
  while (end && mock.requests.length === before) await new Promise((resolve) => setTimeout(resolve));
  if (end === 'abort') aborting.abort();
  if (end === 'reset') mock.reset();
  const seen = await call;
  // Timers are rounded, so they may end a fraction early.
  const isLate = typeof fault === 'object' && 'delay' in fault && performance.now() - started > fault.delay - 1;
  return isLate ? `${seen}, after ${fault.delay} ms` : seen;
}

/** Returns the request of the list, or of a part of a recording. */
async function requestOf({ mock, ask }: Observation, media: FaultCase['media']) {
  const list = `${mock.baseUrl}/v1/memories`;
  if (!media) return { url: list, init: {} };
  const memories: { audio_url: string | null }[] = await (await ask(list)).json();
  const url = memories.find(({ audio_url }) => audio_url)?.audio_url ?? '';
  return { url, init: { headers: { range: 'bytes=4-1003' } } };
}

async function describeAnswer(response: Response, whole: string): Promise<string> {
  const { status, headers } = response;
  const retryAfter = headers.get('retry-after');
  const parts = [
    `${status} ${headers.get('content-type')}`,
    ...(retryAfter === null ? [] : [`retry-after ${retryAfter}`]),
    await textOf(response).then(
      (text) => describeBody(text, whole),
      // How many of them arrive before the failure depends on the browser.
      ({ bytes, error }) => `${bytes > whole.length / 2 ? 'more than' : 'up to'} half of the bytes, then ${error}`,
    ),
  ];
  return parts.join(', ');
}

/** Returns the body, a character for each byte. Rejects with the error and the count of bytes before it. */
async function textOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  let text = '';
  try {
    for (;;) {
      const { value, done = true } = (await reader?.read()) ?? {};
      if (done) return text;
      for (const byte of value ?? []) text += String.fromCharCode(byte);
    }
  } catch (reason) {
    const { name, message } = reason as Error;
    throw { bytes: text.length, error: `${name}: ${message.replace(/:.*/, '')}` };
  }
}

function describeBody(text: string, whole: string): string {
  const whatOf = whole.startsWith('[') ? 'the list' : 'the part';
  if (text === whole) return whatOf;
  // Half of the characters are only about half of the bytes.
  if (whole.startsWith(text) && Math.abs(text.length / whole.length - 0.5) < 0.1) return `the first half of ${whatOf}`;
  if (text.startsWith('RIFF')) return 'the whole file';
  if (!text.startsWith('[')) return /[^\s -~]/.test(text) ? `${text.length} other bytes` : text.replace(/\r?\n/g, '');
  const [seen, expected] = [JSON.parse(text)[0], JSON.parse(whole)[0]];
  const fields = Object.keys(expected).filter((name) => seen[name] !== expected[name]);
  return `the list, whose first memory has ${fields.map((name) => `${name}: ${seen[name]}`).join(', ')}`;
}
