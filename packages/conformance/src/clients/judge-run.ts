import { parseDateTime } from '@memory-read/contract';
import type { WireRequest } from '@memory-read/msw/server';
import type { ReportedData, ResultLine } from './read-result.ts';
import type { CommandRun } from './run-command.ts';
import type { Scenario } from './scenarios/scenario.ts';

/** A memory as the command should report it. */
export interface ExpectedMemory {
  readonly id: string;
  readonly name: string;
  readonly started_at: string;
}

/** All that is known about a run after its command has ended. */
export interface JudgedRun {
  readonly scenario: Scenario;
  readonly command: CommandRun;
  readonly result: ResultLine | undefined;
  readonly timeout: number;
  /** Requests that arrived, in the order of their beginnings. */
  readonly requests: readonly WireRequest[];
  /** Secrets of the run that the output contains, such as `the key`. */
  readonly leaks: readonly string[];
  /** Memories of the server, in the order of its list. */
  readonly memories: readonly ExpectedMemory[];
  /** Contents of the file that the command wrote; undefined without a file. */
  readonly file: Uint8Array | undefined;
  /** Contents that the file may have: one whole object of the storage. */
  readonly objects: readonly Uint8Array[];
}

/** Returns what breaks the scenario; undefined if nothing does. */
export function findViolation(run: JudgedRun): string | undefined {
  return firstOf(run, [leakOnWire, leakInOutput, wrongRequest, tooMany, badEnd]) ?? judgeSkipOrResult(run);
}

type Check = (run: JudgedRun) => string | undefined;

function firstOf(run: JudgedRun, checks: readonly Check[]): string | undefined {
  for (const check of checks) {
    const found = check(run);
    if (found !== undefined) return found;
  }
  return undefined;
}

function judgeSkipOrResult(run: JudgedRun): string | undefined {
  if (run.result && 'skip' in run.result) return undefined;
  return firstOf(run, [badExit, tooFew, tooEarly, wrongEnding]);
}

function requestsTo({ requests }: JudgedRun, to: WireRequest['to']): WireRequest[] {
  return requests.filter((request) => request.to === to);
}

const places = { api: 'the API', media: 'the storage', elsewhere: 'another origin' } as const;

function leakOnWire({ requests }: JudgedRun): string | undefined {
  for (const { to, keyIn } of requests) {
    if (keyIn.length > 0 && to !== 'api') return `the key was sent to ${places[to]}`;
    const place = keyIn.find((name) => name !== 'authorization' && name !== 'x-api-key');
    if (place !== undefined) return `the key was sent in ${place}`;
  }
  return undefined;
}

function leakInOutput({ leaks: [leak] }: JudgedRun): string | undefined {
  return leak && `the output contains ${leak}`;
}

function wrongRequest(run: JudgedRun): string | undefined {
  for (const { to, method, hasQuery, bodyBytes } of run.requests) {
    const isRight = method === 'GET' || (method === 'HEAD' && to !== 'api');
    if (!isRight) return `a request has the method ${method}`;
    if (bodyBytes > 0) return `a request to ${places[to]} has a body`;
    if (hasQuery && to === 'api') return 'a request to the API has a query';
  }
  // A client may remove the key from a request that follows a redirect.
  return requestsTo(run, 'api')[0]?.keyIn.length === 0 ? 'a request to the API has no key' : undefined;
}

const mostApiRequests = 10;
const mostRedirects = 60;
const mostStorageRequests = 20;
const burst = { requests: 6, withinMs: 200 };

function tooMany(run: JudgedRun): string | undefined {
  const { redirectsToSelf, apiRequests, storageRequests } = run.scenario;
  const api = requestsTo(run, 'api').length;
  const storage = requestsTo(run, 'media').length;
  if (api > (apiRequests ?? (redirectsToSelf ? mostRedirects : mostApiRequests))) return sent(api, 'the API');
  if (storage > (storageRequests ?? mostStorageRequests)) return sent(storage, 'the storage');
  // A client may follow a redirect at once.
  if (redirectsToSelf) return undefined;
  const counted = run.requests.filter((request) => !isReadRange(request));
  const isBurst = counted.some(({ elapsed }, index) => {
    const last = counted[index + burst.requests - 1];
    return last !== undefined && last.elapsed - elapsed < burst.withinMs;
  });
  return isBurst ? `${burst.requests} requests were sent within ${burst.withinMs} ms` : undefined;
}

/** A client may read a file in ranges, in parallel. */
function isReadRange({ to, status, ended }: WireRequest): boolean {
  return to === 'media' && ended === 'sent' && (status === 200 || status === 206);
}

function sent(count: number, to: string): string {
  return count === 1 ? `1 request was sent to ${to}` : `${count} requests were sent to ${to}`;
}

function badEnd({ command, timeout, result }: JudgedRun): string | undefined {
  const { stopped, signal, code } = command;
  if (stopped === 'timeout') return `the command did not end in ${timeout} ms`;
  if (stopped === 'output') return 'the command printed more than 16 MiB';
  if (stopped !== undefined) return `the command could not be started (${stopped.startError})`;
  if (result === undefined) {
    return `the command printed no result (${signal === null ? `exit code ${code}` : `signal ${signal}`})`;
  }
  return signal === null ? undefined : `the command was ended by ${signal}`;
}

function badExit({ command: { code }, result }: JudgedRun): string | undefined {
  if (!result || 'skip' in result || result.ok === (code === 0)) return undefined;
  return `ok is ${result.ok}, and the exit code is ${code}`;
}

/** An error without a request says nothing about the client. */
function tooFew(run: JudgedRun): string | undefined {
  const { operation, storageRequests } = run.scenario;
  if (requestsTo(run, 'api').length === 0) return sent(0, 'the API');
  const needsStorage = operation === 'download' && storageRequests === undefined;
  return needsStorage && requestsTo(run, 'media').length === 0 ? sent(0, 'the storage') : undefined;
}

/** Timers and clocks of other processes differ by some milliseconds. */
const pauseTolerance = 50;

function tooEarly(run: JudgedRun): string | undefined {
  const [first, second] = requestsTo(run, 'api');
  const { pause } = run.scenario;
  if (pause === undefined || !first || !second) return undefined;
  const paused = Math.round(second.elapsed - first.elapsed - (first.endedAfter ?? 0));
  return paused < pause - pauseTolerance ? `the second request was sent after ${paused} ms` : undefined;
}

function wrongEnding(run: JudgedRun): string | undefined {
  const { result, scenario } = run;
  if (!result || 'skip' in result) return undefined;
  const { ends, leavesNoFile } = scenario;
  if (!result.ok) {
    if (ends === 'data') return 'the command reported an error';
    const { status } = result;
    const isWrong = scenario.status !== undefined && status !== scenario.status;
    if (isWrong && typeof status === 'number' && status !== 0) return `the command reported the status ${status}`;
    return leavesNoFile && run.file !== undefined ? 'a file remains' : undefined;
  }
  if (ends === 'error') return 'the command reported success';
  if (ends === 'safely') return undefined;
  return scenario.operation === 'download' ? wrongFile(run) : wrongData(run, result);
}

function wrongFile(run: JudgedRun): string | undefined {
  const { file, objects, scenario } = run;
  if (file === undefined) return 'the command reported success, and there is no file';
  if (!objects.some((object) => Buffer.compare(object, file) === 0)) {
    const sizes = objects.map(({ length }) => length).join(' or ');
    return `the command reported success, and the file has other bytes (${file.length} bytes instead of ${sizes})`;
  }
  const resumed = requestsTo(run, 'media').some(({ headers }) => /^bytes=[1-9]/.test(headers.range ?? ''));
  return scenario.resumes && !resumed ? 'no request for the rest of the file was sent' : undefined;
}

function wrongData({ scenario, memories }: JudgedRun, result: ReportedData): string | undefined {
  if (scenario.operation === 'get') {
    const memoryId = memoryIdOf(scenario);
    const expected = memories.find(({ id }) => id === memoryId);
    return expected && wrongMemory('memory', result.memory, expected);
  }
  const listed = result.memories;
  if (!Array.isArray(listed)) return 'memories is not a list';
  if (listed.length !== memories.length) {
    const count = listed.length === 1 ? '1 memory' : `${listed.length} memories`;
    return `the list has ${count} instead of ${memories.length}`;
  }
  for (const [index, expected] of memories.entries()) {
    const found = wrongMemory(`memories[${index}]`, listed[index], expected);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the memory that the command reads. */
export function memoryIdOf({ memoryId, stored: [first] }: Scenario): string {
  return memoryId ?? first?.id ?? '';
}

function wrongMemory(path: string, reported: unknown, expected: ExpectedMemory): string | undefined {
  const { id, name, started_at } = Object(reported);
  if (id !== expected.id) return `${path}.id is not that of the server`;
  // Serializers of structs print null for what they do not have.
  if ((name ?? expected.name) !== expected.name) return `${path}.name is not that of the server`;
  if (!isSameInstant(started_at ?? expected.started_at, expected.started_at)) {
    return `${path}.started_at is not that of the server`;
  }
  return undefined;
}

function isSameInstant(reported: unknown, expected: string): boolean {
  // Python and SQL write a space in place of the T, and RFC 3339 allows small letters.
  const instant = typeof reported === 'string' ? parseDateTime(reported.replace(' ', 'T').toUpperCase()) : reported;
  return instant === parseDateTime(expected);
}
