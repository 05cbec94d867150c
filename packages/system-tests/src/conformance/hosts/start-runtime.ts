import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@memory-read/test-kit/start-process';
import { build } from 'esbuild';
import { findRuntime } from '../../runtimes/find-runtime.ts';

/** A runtime other than Node that serves the API. */
export type ServerRuntime = 'bun' | 'deno' | 'workerd';

const commands: Record<ServerRuntime, readonly string[]> = {
  bun: ['bun.mjs'],
  deno: ['run', '--no-prompt', '--no-config', '--allow-net=127.0.0.1', 'deno.mjs'],
  workerd: ['serve', 'worker.capnp', '--control-fd=1'],
};

/** Starts the built server on a free port of 127.0.0.1, with a temporary folder as its home. */
export async function startRuntime(runtime: ServerRuntime): Promise<AsyncDisposable & { url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'memory-read-runtime-'));
  await build({
    entryPoints: [join(import.meta.dirname, 'programs', `${runtime}.ts`)],
    outfile: join(folder, `${runtime}.mjs`),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'worker.capnp'), workerConfiguration);
  const env = { HOME: folder, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1' };
  const command = [findRuntime(runtime).path ?? '', ...commands[runtime]];
  // Each host prints its port in a line of JSON.
  const host = await startProcess(command, /"port":(\d+)/, { cwd: folder, env });
  return {
    url: `http://127.0.0.1:${host.ready[1]}`,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** No compatibility with Node, because the server needs only web APIs. */
const workerConfiguration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "main.mjs", esModule = embed "workerd.mjs")],
    compatibilityDate = "2026-07-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;
