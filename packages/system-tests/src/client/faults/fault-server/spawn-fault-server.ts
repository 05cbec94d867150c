import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Observed } from './start-fault-server.ts';

export interface FaultServerProcess {
  /** The base URL at which each fault is met, by its name. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Answers a GET with what was seen so far, as {@link Sightings}. */
  readonly control: string;
  /** Certificates that a client has to trust, as PEM texts. */
  readonly trusted: readonly string[];
  observe(): Promise<Sightings>;
  close(): Promise<void>;
}

export interface Sightings {
  /** By the name of the fault. */
  readonly faults: Readonly<Record<string, Observed>>;
  /** Connections to the server that nobody may follow a redirect to. */
  readonly strays: number;
}

/** Starts the fault server in a process of its own, so that a client under test does not slow it down. */
export async function spawnFaultServer(): Promise<FaultServerProcess> {
  const args = ['--conditions=@memory-read/source', join(import.meta.dirname, 'main.ts')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof line[0] !== 'string')
    throw new Error(`Failed to start the fault server: because it ended with ${line[0]}.`);
  const ready = JSON.parse(line[0]);
  return {
    ...ready,
    observe: async () => (await fetch(ready.control)).json(),
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
