import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DriverInput, DriverReport } from './driver/driver-input.ts';
import { findNode24, findOldestNode, findRuntime, type RuntimeBinary } from './find-runtime.ts';
import { startWorker, writeWorkerConfiguration } from './start-worker.ts';

/** Report of a runtime, and its other output. */
interface DriverRun {
  readonly report: DriverReport;
  readonly log: string;
}

/** A runtime that runs the client. */
export interface Runtime extends RuntimeBinary {
  readonly name: string;
  /** Name that it reports. */
  readonly signature: string;
  /** Whether it passes the environment to the program. */
  readonly hasEnvironment: boolean;
  /** Differences in faults that the client cannot detect. */
  readonly differences: DriverInput['differences'];
  /** Runs the driver in a folder. */
  run(folder: string, input: DriverInput): Promise<DriverRun>;
}

/** The environment of the programs. */
export const environment = {
  MEMORY_API_URL: 'https://api.example.com/of-the-environment',
  MEMORY_API_KEY: 'KEYSECRET_of_the_environment',
};

/** Milliseconds after which a runtime is killed. */
const timeout = 50_000;
const denoOptions = [
  'run',
  '--no-prompt',
  '--no-config',
  '--node-modules-dir=manual',
  '--allow-net=127.0.0.1,memory-read.invalid',
  '--allow-env',
];
const workerd = findRuntime('workerd');

export const runtimes: readonly Runtime[] = [
  program('Node', { version: process.versions.node, path: process.execPath }),
  program('Node 24', findNode24()),
  {
    ...program('oldest Node', findOldestNode()),
    // It treats the end of the connection as the end of the body.
    differences: { 'a chunked body ends without its last chunk, with Connection: close': { ends: 'invalid_response' } },
  },
  program('Bun', findRuntime('bun')),
  program('Deno', findRuntime('deno'), denoOptions),
  {
    ...workerd,
    name: 'workerd',
    signature: 'Cloudflare-Workers',
    hasEnvironment: false,
    // It reports only the number of an internal error, so the client retries.
    differences: { 'the certificate is signed by an unknown authority': { attempts: 3 } },
    run: runInWorker,
  },
];

function program(name: string, { version, path = '' }: RuntimeBinary, options: readonly string[] = []): Runtime {
  return {
    ...{ name, version, path, hasEnvironment: true, differences: {} },
    signature: `${name.replace(/oldest | 24/, '')} ${version}`,
    async run(folder, input) {
      const words = [...options, join(folder, 'main.mjs'), JSON.stringify(input)];
      const quiet = { HOME: folder, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1' };
      const settings = { cwd: folder, env: { ...quiet, ...environment }, timeout, maxBuffer: Number.POSITIVE_INFINITY };
      const { stdout, stderr } = await promisify(execFile)(path, words, settings);
      const lines = stdout.trimEnd().split('\n');
      const report = lines.pop() ?? '';
      return { report: JSON.parse(report), log: lines.join('\n') + stderr };
    },
  };
}

/** Sends the input to a worker as one request. */
async function runInWorker(folder: string, input: DriverInput): Promise<DriverRun> {
  writeWorkerConfiguration(folder);
  const { url, stop } = await startWorker(workerd.path ?? '', folder);
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(input), signal }).finally(stop);
  const report = await response.text();
  const log = await stop();
  if (!response.ok) throw new Error(`Failed to run the worker: ${report}. See the log.\n${log}`);
  return { report: JSON.parse(report), log };
}
