import { join } from 'node:path';
import { startProcess } from '../../start-process.ts';

/** A forward proxy that runs. */
export interface RunningProxy extends AsyncDisposable {
  /** Such as `127.0.0.1:8080`. */
  host: string;
  /** What it was asked for so far, such as `passed CONNECT 127.0.0.1:8787`. */
  asked: string[];
}

/** Starts a proxy in a process of its own, which asks for the credentials given (`user:password`). */
export async function startProxy(...credentials: readonly string[]): Promise<RunningProxy> {
  const program = join(import.meta.dirname, 'proxy-process.ts');
  const { lines, ...rest } = await startProcess([process.execPath, program, ...credentials], /^\d+$/);
  return { host: `127.0.0.1:${lines.pop()}`, asked: lines, ...rest };
}
