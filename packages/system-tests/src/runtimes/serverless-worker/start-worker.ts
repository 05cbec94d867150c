import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { root } from '../../repository.ts';
import { readPort } from '../run-driver.ts';

const folder = join(root, 'examples', 'serverless-worker');

/** The example in workerd. */
export interface RunningWorker {
  readonly url: string;
  /** Ends it; what it has printed. */
  stop(): Promise<string>;
}

/** Bundles the example as its README says; the line that it prints. */
export function buildWorker(): string {
  return execFileSync(process.execPath, ['build.ts'], { cwd: folder, encoding: 'utf8' });
}

/** Starts the bundle on a free port; the environment becomes its bindings. */
export async function startWorker(workerd: string, environment: Record<string, string>): Promise<RunningWorker> {
  const args = ['serve', 'worker.capnp', '--socket-addr=http=127.0.0.1:0', '--control-fd=3'];
  const child = spawn(workerd, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const printed = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable), once(child, 'close')]);
  const port = await readPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      const [stdout, stderr] = await printed;
      return stdout + stderr;
    },
  };
}
