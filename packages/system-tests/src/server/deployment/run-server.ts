import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program to its end. */
export async function runToEnd([program = '', ...args]: readonly string[], options: SpawnOptions) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** A server that has printed its ready line. */
export interface StartedServer {
  child: ChildProcess;
  ready: { baseUrl: string; metricsUrl?: string };
  /** The exit code, as soon as it has ended. */
  ended: Promise<number | null>;
}

/** Starts a program, and waits for the ready line of `memory-read serve`. */
export async function startServer(
  [program = '', ...args]: readonly string[],
  options: SpawnOptions,
): Promise<StartedServer> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const complaints = text(child.stderr);
  const first = await Promise.race([once(child.stdout, 'data'), ended]);
  if (!Array.isArray(first))
    throw new Error(`Failed to start ${program}: it ended with ${first}.\n${await complaints}`);
  return { child, ready: JSON.parse(String(first[0])), ended };
}
