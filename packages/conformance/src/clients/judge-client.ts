import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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
import { type CommandRun, runCommand } from './run-command.ts';
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
  const folder = await mkdtemp(resolve(tmpdir(), 'memory-read-judge-'));
  const results: JudgeResult[] = [];
  const ending = new AbortController();
  const stop = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  let next = 0;
  const work = async () => {
    for (let index = next++; index < selected.length; index = next++) {
      const scenario = selected[index] as Scenario;
      const result = withKnown(await judgeScenario(scenario, { server, folder, settings, stop }), known);
      stop.throwIfAborted();
      results[index] = result;
      settings.onResult?.(result, selected.length);
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
  await using space = await openSpace(scenario, run.server);
  const judged = await runScenario(scenario, space, run);
  const { command, result } = judged;
  const { id, section, title, profile, expected } = scenario;
  const common = { scenario: id, section, title, profile, durationMs: command.durationMs };
  const clean = (text: string) => redact(text, [space.apiKey]).slice(0, maxReason);
  const observed = findViolation(judged);
  if (observed !== undefined) {
    const reported = reportedReason(result, command);
    const reason = reported && { reason: clean(reported) };
    const evidence = { expected, observed, wire: describeRequests(judged.requests) };
    return { ...common, status: 'failed', ...reason, evidence };
  }
  if (result && 'skip' in result) return { ...common, status: 'skipped', reason: clean(result.skip) };
  return { ...common, status: 'passed' };
}

const maxReason = 300;

/** Runs the command, and closes the space. */
async function runScenario(scenario: Scenario, space: MockSpace, { folder, settings, stop }: Run): Promise<JudgedRun> {
  const { command, timeout } = settings;
  const objects = await objectsOf(scenario, space);
  const memories = expectedMemories(scenario, space);
  const before = space.requests.length;
  schedule(scenario, space);
  // A client may write other files beside the output.
  await mkdir(join(folder, scenario.id));
  const output = join(folder, scenario.id, 'output');
  const env = commandEnvironment(process.env, {
    ...settings.env,
    ...ownVariables(scenario, space, settings),
    MEMORY_JUDGE_OUTPUT: output,
  });
  const ended = await runCommand({ command, env, timeout, signal: stop });
  // The server reads what has arrived before the command ended.
  await pause(arrivalMs);
  await space.close();
  return {
    scenario,
    command: ended,
    result: readResult(ended.stdout),
    timeout,
    requests: space.requests.slice(before).sort((one, other) => one.elapsed - other.elapsed),
    leaks: findLeaks(`${ended.stdout}\n${ended.stderr}`, space.apiKey),
    memories,
    file: await readFile(output).catch(() => undefined),
    objects,
  };
}

const arrivalMs = 20;

function schedule({ faults }: Scenario, space: MockSpace): void {
  for (const { fault, times = 1, to } of faults) {
    const match = to === undefined ? {} : { match: { operation: 'media' as const } };
    if (times === 'always') space.faults.always(fault, match);
    else space.faults.next(fault, { times, ...match });
  }
}

function ownVariables(scenario: Scenario, { baseUrl, apiKey }: MockSpace, { attemptTimeout }: JudgeSettings) {
  return {
    MEMORY_API_URL: `${baseUrl}${scenario.urlEnd ?? ''}`,
    MEMORY_API_KEY: apiKey,
    MEMORY_JUDGE_SCENARIO: scenario.id,
    MEMORY_JUDGE_OPERATION: scenario.operation,
    MEMORY_JUDGE_MEMORY_ID: memoryIdOf(scenario),
    MEMORY_JUDGE_KIND: 'audio',
    MEMORY_JUDGE_TIMEOUT_MS: String(attemptTimeout),
  };
}

/** Returns what the command says about its failure: its error, or the last line of its output that is not a result. */
function reportedReason(result: ResultLine | undefined, { stdout, stderr }: CommandRun): string | undefined {
  if (result && 'error' in result && typeof result.error === 'string' && result.error)
    return `the command reported: ${result.error}`;
  const line = (stderr.trim() || (result ? '' : stdout.trim())).split('\n').at(-1);
  return line ? `the command printed: ${line}` : undefined;
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
