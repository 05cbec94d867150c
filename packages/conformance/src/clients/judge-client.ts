import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { redact } from '@memory-read/contract/redaction';
import { type MockServer, type MockSpace, startMockServer } from '@memory-read/msw/server';
import { commandEnvironment } from './command-environment.ts';
import { describeRequests } from './describe-requests.ts';
import { findLeaks } from './find-leaks.ts';
import { type JudgeOptions, type JudgeSettings, toSettings } from './judge-options.ts';
import type { JudgeReport, JudgeResult } from './judge-report.ts';
import { type ExpectedMemory, findViolation, type JudgedRun, memoryIdOf } from './judge-run.ts';
import { type ResultLine, readResult } from './read-result.ts';
import { runCommand } from './run-command.ts';
import type { Scenario } from './scenarios/scenario.ts';

/**
 * Runs a command in every scenario, and judges what it sends, prints and writes.
 *
 * Each scenario has a mock server of its own, which plays faults. The command reads from it as its environment says, and
 * prints its result as one line of JSON: see the guide *Judge a client*. The command has no key but that of the mock, and
 * no result contains one.
 *
 * @throws TypeError if the command is empty, an option is invalid, or no scenario is selected.
 * @throws The reason of `signal` if it aborts.
 *
 * @example
 * ```ts
 * const report = await judgeClient({ command, only: ['requests'] });
 * for (const { scenario, status, evidence } of report.results) {
 *   if (status === 'failed') console.log(scenario, evidence?.observed);
 * }
 * if (!report.passed) process.exitCode = 1;
 * ```
 */
export async function judgeClient(options: JudgeOptions): Promise<JudgeReport> {
  const settings = toSettings(options);
  const { command, rules, selected, known, signal } = settings;
  signal?.throwIfAborted();
  await using server = await startMockServer({ memories: [] });
  const folder = await mkdtemp(join(tmpdir(), 'memory-read-judge-'));
  const results: JudgeResult[] = [];
  const ending = new AbortController();
  const stop = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  let next = 0;
  const work = async () => {
    for (let index = next++; index < selected.length; index = next++) {
      const scenario = selected[index] as Scenario;
      results[index] = withKnown(await judgeScenario(scenario, { server, folder, settings, stop }), known);
      stop.throwIfAborted();
    }
  };
  const workers = Array.from({ length: settings.concurrency }, work);
  try {
    await Promise.all(workers);
  } finally {
    ending.abort();
    await Promise.allSettled(workers);
    await rm(folder, { recursive: true, force: true });
  }
  const statuses = new Set(results.map(({ status }) => status));
  const passed = statuses.has('passed') && !statuses.has('failed');
  return { command: command.join(' '), rules, passed, results };
}

/** A failure that is known does not fail the run. */
function withKnown(result: JudgeResult, known: ReadonlySet<string>): JudgeResult {
  if (!known.has(result.scenario)) return result;
  if (result.status === 'failed') return { ...result, status: 'known' };
  if (result.status === 'skipped') return result;
  const reason = 'the scenario is listed as a known failure, and passes: remove it from the list';
  return { ...result, status: 'failed', reason };
}

interface Run {
  server: MockServer;
  folder: string;
  settings: JudgeSettings;
  /** Ends the command. */
  stop: AbortSignal;
}

async function judgeScenario(scenario: Scenario, run: Run): Promise<JudgeResult> {
  const { id, section, title, profile, operation } = scenario;
  const { settings, folder, stop } = run;
  const { command, timeout, attemptTimeout } = settings;
  await using space = await openSpace(scenario, run.server);
  const objects = await objectsOf(scenario, space);
  const before = space.requests.length;
  for (const { fault, times = 1, to } of scenario.faults) {
    const match = to === undefined ? {} : { match: { operation: 'media' as const } };
    if (times === 'always') space.faults.always(fault, match);
    else space.faults.next(fault, { times, ...match });
  }
  // A client may write other files beside the output.
  await mkdir(join(folder, id));
  const output = join(folder, id, 'output');
  const env = commandEnvironment(process.env, {
    ...settings.env,
    MEMORY_API_URL: `${space.baseUrl}${scenario.urlEnd ?? ''}`,
    MEMORY_API_KEY: space.apiKey,
    MEMORY_JUDGE_SCENARIO: id,
    MEMORY_JUDGE_OPERATION: operation,
    MEMORY_JUDGE_MEMORY_ID: memoryIdOf(scenario),
    MEMORY_JUDGE_KIND: 'audio',
    MEMORY_JUDGE_OUTPUT: output,
    MEMORY_JUDGE_TIMEOUT_MS: String(attemptTimeout),
  });
  const ended = await runCommand({ command, env, timeout, signal: stop });
  const result = readResult(ended.stdout);
  const memories = expectedMemories(scenario, space);
  const { apiKey, mediaUrl } = space;
  // The server reads what has arrived before the command ended.
  await pause(arrivalMs);
  await space.close();
  const judged: JudgedRun = {
    scenario,
    command: ended,
    result,
    timeout,
    requests: space.requests.slice(before).sort((one, other) => one.elapsed - other.elapsed),
    leaks: findLeaks(`${ended.stdout}\n${ended.stderr}`, { apiKey, mediaUrl }),
    memories,
    file: await readFile(output).catch(() => undefined),
    objects,
  };
  const common = { scenario: id, section, title, profile, durationMs: ended.durationMs };
  const observed = findViolation(judged);
  const clean = (text: string) => redact(text, [apiKey]).slice(0, maxReason);
  if (observed === undefined) {
    return result && 'skip' in result
      ? { ...common, status: 'skipped', reason: clean(result.skip) }
      : { ...common, status: 'passed' };
  }
  const reported = reportedReason(result, ended.stderr);
  return {
    ...common,
    status: 'failed',
    ...(reported && { reason: clean(reported) }),
    evidence: { expected: scenario.expected, observed, wire: describeRequests(judged.requests) },
  };
}

const arrivalMs = 20;
const maxReason = 300;

/** Returns what the command says about its failure: its error, or the last line of standard error. */
function reportedReason(result: ResultLine | undefined, stderr: string): string | undefined {
  const error = result && 'error' in result ? result.error : stderr.trim().split('\n').at(-1);
  return typeof error === 'string' && error !== '' ? `the command reported: ${error}` : undefined;
}

async function openSpace({ stored, basePath }: Scenario, server: MockServer): Promise<MockSpace> {
  const space = await server.openSpace({ memories: [], basePath });
  for (const fields of stored) space.memories.add(fields);
  return space;
}

/** Returns the memories as the command should see them, in the order of a list. */
function expectedMemories({ faults }: Scenario, space: MockSpace): ExpectedMemory[] {
  const changes = faults.flatMap(({ fault }) => (typeof fault === 'object' && 'fields' in fault ? [fault.fields] : []));
  return space.memories.all().map((memory) => Object.assign({ ...memory }, ...changes));
}

/** Returns the contents that a downloaded file may have: the stored object, or that of a fault in its place. */
async function objectsOf({ stored, faults }: Scenario, space: MockSpace): Promise<Uint8Array[]> {
  const audio = stored[0]?.media?.audio;
  const own = audio && 'bytes' in audio && audio.bytes instanceof Uint8Array ? [audio.bytes] : [];
  const other = faults.find(({ fault }) => fault === 'changed-object' || fault === 'foreign-range');
  return other === undefined ? own : [...own, await readObject(space, other.fault)];
}

/** Reads the audio of the only memory, as it is with a fault. */
async function readObject(space: MockSpace, fault: Scenario['faults'][number]['fault']): Promise<Uint8Array> {
  const scheduled = space.faults.always(fault, { match: { operation: 'media' } });
  const headers = { authorization: `Bearer ${space.apiKey}` };
  const [memory] = await (await fetch(`${space.baseUrl}/v1/memories`, { headers })).json();
  const logged = space.nextRequest({ operation: 'media' });
  const bytes = new Uint8Array(await (await fetch(memory.audio_url)).arrayBuffer());
  await logged;
  scheduled.cancel();
  return bytes;
}
