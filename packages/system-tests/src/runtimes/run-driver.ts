import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { DriverInput, DriverReport } from './driver/driver-input.ts';

/** What a runtime reported, and all else that it printed. */
export interface DriverRun<Report = DriverReport> {
  readonly report: Report;
  readonly log: string;
}

/** How a runtime is started to run a module. */
export interface RuntimeCommand {
  readonly path: string;
  readonly options?: readonly string[] | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Milliseconds after which a runtime that does not end by itself is ended. */
const longest = 50_000;

/** Runs the driver as the program of Node, Bun or Deno. */
export async function runProgram(
  { path, options = [], environment = {} }: RuntimeCommand,
  folder: string,
  input: DriverInput,
): Promise<DriverRun> {
  const child = spawn(path, [...options, join(folder, 'main.mjs'), JSON.stringify(input)], {
    cwd: folder,
    env: { HOME: folder, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longest,
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const lines = stdout.trimEnd().split('\n');
  const report = lines.pop() ?? '';
  if (child.exitCode !== 0)
    throw new Error(`Failed to run ${path}: because it ended with ${child.exitCode ?? child.signalCode}.\n${stderr}`);
  return { report: JSON.parse(report), log: lines.join('\n') + stderr };
}

/** Runs the driver as a worker of workerd, which is asked once. */
export async function runWorker<Report = DriverReport>(
  path: string,
  folder: string,
  input: DriverInput | null,
): Promise<DriverRun<Report>> {
  const configuration = join(folder, 'worker.capnp');
  writeFileSync(configuration, workerConfiguration);
  const child = spawn(path, ['serve', configuration, '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: longest,
  });
  const log = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable), once(child, 'close')]);
  try {
    const port = await readPort(child);
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(input) });
    const report = await response.text();
    child.kill();
    const [stdout, stderr] = await log;
    if (!response.ok) throw new Error(`Failed to run the worker: because of ${report}.\n${stderr}`);
    return { report: JSON.parse(report), log: stdout + stderr };
  } finally {
    child.kill();
  }
}

/** workerd says where it listens in a line of JSON. */
export async function readPort(child: ChildProcess): Promise<number> {
  let said = '';
  for await (const chunk of child.stdio[3] as Readable) {
    said += chunk;
    const [, port] = /"port":(\d+)/.exec(said) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error('Failed to start workerd: because it listens nowhere. Look at its output.');
}

/** No compatibility with Node: what runs here needs nothing but the web's own interfaces. */
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
