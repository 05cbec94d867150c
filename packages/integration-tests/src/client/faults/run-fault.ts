import type { MemoryClient, MemoryClientOptions } from '@memory-read/client';
import type { Fault } from './fault.ts';
import { apiKey } from './samples.ts';

/** The result of a fault. */
export interface FaultOutcome {
  readonly attempts: number;
  readonly error?: unknown;
  /** Differences from the expected result. */
  readonly violations: readonly string[];
}

/** Creates the client under test, from the sources or from the build, in any runtime. */
export type CreateClient = (options: MemoryClientOptions) => Pick<MemoryClient, 'listMemories' | 'getMemory'>;

interface Ending {
  readonly ends: string;
  readonly error?: unknown;
  readonly value?: unknown;
}

interface Run {
  readonly fault: Fault;
  readonly aborting: AbortController;
  attempts: number;
  /** Time of the abort if there is one, or the start of the last call. */
  since: number;
}

const reason = new Error('The caller has had enough.');
/** Milliseconds, also on a busy machine. A call that waits by mistake takes 30 s or more. */
const hangs = 20_000;

/** Runs a fault against a client and checks how its call ends. Needs only `fetch`, timers and the client. */
export async function runFault(fault: Fault, baseUrl: string, createClient: CreateClient): Promise<FaultOutcome> {
  const run: Run = { fault, aborting: new AbortController(), attempts: 0, since: performance.now() };
  const ahead = fault.isAhead && { fetch: await fetchAhead(baseUrl) };
  const client = createClient({ baseUrl, apiKey, ...fault.options, ...ahead, hooks: hooksOf(run) });
  run.since = performance.now();
  const ending = await Promise.race([endOf(run, client), giveUp(fault)]);
  return { attempts: run.attempts, error: ending.error, violations: judge(run, ending) };
}

async function endOf(run: Run, client: ReturnType<CreateClient>): Promise<Ending> {
  const { fault, aborting } = run;
  const options = fault.abort && { signal: aborting.signal };
  const call = () => (fault.call === 'getMemory' ? client.getMemory('mem_1', options) : client.listMemories(options));
  try {
    if (fault.abort?.at === 'start') abort(run);
    for (let done = 1; done < (fault.calls ?? 1); done += 1) await call();
    if (fault.abort === undefined) run.since = performance.now();
    return { ends: 'answer', value: await call() };
  } catch (error) {
    const code = error === reason ? 'abort' : (error as { code?: unknown } | undefined)?.code;
    return { ends: String(code ?? error), error };
  }
}

async function fetchAhead(baseUrl: string): Promise<MemoryClientOptions['fetch']> {
  const responses = [await fetch(`${baseUrl}/v1/memories`)];
  return (request) => responses.pop() ?? fetch(request);
}

function hooksOf(run: Run): MemoryClientOptions['hooks'] {
  const at = (moment: string) => () => {
    if (moment === 'request') run.attempts += 1;
    const { abort: wanted } = run.fault;
    if (wanted?.at !== moment) return;
    if (wanted.after === undefined) abort(run);
    else setTimeout(abort, wanted.after, run);
  };
  return { onRequest: at('request'), onResponse: at('response'), onRetry: at('retry') };
}

function abort(run: Run): void {
  run.since = performance.now();
  run.aborting.abort(reason);
}

function giveUp({ expected }: Fault): Promise<Ending> {
  const { within = hangs } = expected;
  return new Promise((resolve) => {
    const timer: { unref?(): void } | number = setTimeout(resolve, within * 2, { ends: 'hangs' });
    // Where timers are objects, this timer does not keep the process alive.
    if (typeof timer === 'object') timer.unref?.();
  });
}

function judge(run: Run, { ends, error, value }: Ending): string[] {
  const elapsed = performance.now() - run.since;
  const { expected } = run.fault;
  const { within = hangs } = expected;
  const violations: string[] = [];
  const check = (isRight: boolean, violation: () => string) => void (isRight || violations.push(violation()));

  check(ends === expected.ends, () => `ended with ${ends} instead of ${expected.ends}: ${String(error)}`);
  check(run.attempts === expected.attempts, () => `made ${run.attempts} attempts instead of ${expected.attempts}`);
  check(elapsed <= within, () => `took ${Math.round(elapsed)} ms, more than ${within} ms`);
  check(
    contains(error, expected.error),
    () => `the error lacks ${JSON.stringify(expected.error)}: ${JSON.stringify(error)}`,
  );
  check(contains(value, expected.value), () => `answered ${JSON.stringify(value)}`);
  check(String(error).includes(expected.says ?? ''), () => `did not say "${expected.says}": ${String(error)}`);
  return violations;
}

/** Returns whether all expected properties are present. Further properties are allowed. */
function contains(actual: unknown, expected: unknown): boolean {
  if (expected === undefined) return true;
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (actual as unknown[]).length !== expected.length) return false;
  return Object.entries(expected).every(([name, part]) => contains((actual as Record<string, unknown>)[name], part));
}
