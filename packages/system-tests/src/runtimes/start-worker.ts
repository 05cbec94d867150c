import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '@memory-read/test-kit/start-process';

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

/** Makes a worker of `worker.mjs`. No compatibility with Node, because it needs only web APIs. */
export function writeWorkerConfiguration(folder: string): void {
  writeFileSync(join(folder, 'worker.capnp'), configuration);
}

const configuration = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
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
