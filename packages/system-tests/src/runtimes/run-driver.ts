import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProcess } from '@memory-read/test-kit/start-process';
import type { DriverInput, DriverReport } from './driver/driver-input.ts';

/** Report of a runtime, and its other output. */
export interface DriverRun<Report = DriverReport> {
  readonly report: Report;
  readonly log: string;
}

/** How to start a runtime with a module. */
export interface RuntimeCommand {
  readonly path: string;
  readonly options?: readonly string[] | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Milliseconds after which a runtime is killed. */
const longest = 50_000;

/** Runs the driver as the program of Node, Bun or Deno. */
export async function runProgram(
  { path, options = [], environment = {} }: RuntimeCommand,
  folder: string,
  input: DriverInput,
): Promise<DriverRun> {
  const { stdout, stderr } = await promisify(execFile)(
    path,
    [...options, join(folder, 'main.mjs'), JSON.stringify(input)],
    {
      cwd: folder,
      env: { HOME: folder, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1', ...environment },
      timeout: longest,
      maxBuffer: Number.POSITIVE_INFINITY,
    },
  );
  const lines = stdout.trimEnd().split('\n');
  const report = lines.pop() ?? '';
  return { report: JSON.parse(report), log: lines.join('\n') + stderr };
}

/** Runs the driver as a worker of workerd, which receives one request. */
export async function runWorker<Report = DriverReport>(
  path: string,
  folder: string,
  input: DriverInput | null,
): Promise<DriverRun<Report>> {
  writeFileSync(join(folder, 'worker.capnp'), workerConfiguration);
  const { url, stop } = await startWorker(path, folder);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(longest),
    });
    const report = await response.text();
    if (!response.ok) throw new Error(`Failed to run the worker: ${report}. See the log.\n${await stop()}`);
    return { report: JSON.parse(report), log: await stop() };
  } finally {
    await stop();
  }
}

/** Starts `worker.capnp` of a folder on a free port. The environment becomes its bindings. */
export async function startWorker(path: string, folder: string, env?: Record<string, string>) {
  const command = [path, 'serve', 'worker.capnp', '--socket-addr=http=127.0.0.1:0', '--control-fd=1'];
  const worker = await startProcess(command, /"port":(\d+)/, { cwd: folder, env });
  return {
    url: `http://127.0.0.1:${worker.ready[1]}`,
    /** Ends the runtime and returns its output. */
    async stop(): Promise<string> {
      await worker[Symbol.asyncDispose]();
      return worker.printed();
    },
  };
}

/** No compatibility with Node, because the worker needs only web APIs. */
const workerConfiguration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"),
        (name = "second-copy.mjs", esModule = embed "second-copy.mjs"),
      ],
      compatibilityDate = "2026-07-01",
    )),
    (name = "internet", network = (
      allow = ["public", "private", "local"],
      tlsOptions = (trustBrowserCas = true),
    )),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
