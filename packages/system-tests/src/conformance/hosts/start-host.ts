import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { findRuntime } from '../../runtimes/find-runtime.ts';

/** A server in a process of another runtime. */
export interface RunningHost extends AsyncDisposable {
  readonly url: string;
}

/** A runtime other than Node that serves the API. */
export type ServerRuntime = 'bun' | 'deno' | 'workerd';

/** Starts it on a free port of 127.0.0.1, with the built packages. */
export async function startHost(runtime: ServerRuntime): Promise<RunningHost> {
  const folder = await bundleProgram(runtime);
  const child = spawnRuntime(runtime, folder);
  const ended = once(child, 'close');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { url: `http://127.0.0.1:${await readPort(child, runtime)}`, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function bundleProgram(runtime: ServerRuntime): Promise<string> {
  const cache = join(import.meta.dirname, '../../../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'host-'));
  await build({
    entryPoints: [join(import.meta.dirname, 'programs', `${runtime}.ts`)],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'worker.capnp'), workerConfiguration);
  return folder;
}

const commands: Record<ServerRuntime, readonly string[]> = {
  bun: ['main.mjs'],
  deno: ['run', '--no-prompt', '--no-config', '--allow-net=127.0.0.1', 'main.mjs'],
  workerd: ['serve', 'worker.capnp', '--control-fd=1'],
};

function spawnRuntime(runtime: ServerRuntime, folder: string): ChildProcess {
  return spawn(findRuntime(runtime).path ?? '', commands[runtime], {
    cwd: folder,
    env: { HOME: folder, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Each says in a line of JSON where it listens. */
async function readPort(child: ChildProcess, runtime: ServerRuntime): Promise<number> {
  let said = '';
  let complaints = '';
  child.stderr?.on('data', (chunk) => (complaints += chunk));
  const output = child.stdout as Readable;
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += chunk;
    const [, port] = /"port":(\d+)/.exec(said) ?? [];
    if (port === undefined) continue;
    output.resume();
    return Number(port);
  }
  throw new Error(`Failed to start ${runtime}: because it listens nowhere.\n${complaints}`);
}

/** No compatibility with Node: the server needs nothing but the web's own interfaces. */
const workerConfiguration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "main.mjs", esModule = embed "main.mjs")],
    compatibilityDate = "2026-07-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
