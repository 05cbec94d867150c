import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A forward proxy that runs. */
export interface RunningProxy {
  /** Such as `127.0.0.1:8080`. */
  host: string;
  /** What it was asked for so far, such as `passed CONNECT 127.0.0.1:8787`. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a proxy in a process of its own, which asks for the credentials given (`user:password`). */
export async function startProxy(...credentials: readonly string[]): Promise<RunningProxy> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'proxy-process.ts'), ...credentials], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [port] = await once(lines, 'line');
  const asked: string[] = [];
  lines.on('line', (line) => asked.push(line));
  return {
    host: `127.0.0.1:${port}`,
    asked,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
