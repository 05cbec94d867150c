import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';
import type { Sightings } from './start-fault-server.ts';

export type FaultServer = Awaited<ReturnType<typeof spawnFaultServer>>;

/** Starts the fault server in a process of its own, so that a client under test does not slow it down. */
export async function spawnFaultServer() {
  const args = ['--conditions=@memory-read/source', join(import.meta.dirname, 'main.ts')];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof line[0] !== 'string') throw new Error(`Failed to start the fault server: it ended with ${line[0]}.`);
  const { addresses, control, trusted }: { addresses: Record<string, string>; control: string; trusted: string[] } =
    JSON.parse(line[0]);
  return {
    /** Base URL of each fault, by its name. */
    addresses,
    /** Certificates that a client must trust, as PEM texts. */
    trusted,
    addressOf(name: string): string {
      const address = addresses[name];
      if (address === undefined) throw new Error(`Failed to find the fault "${name}". Name one of the catalogue.`);
      return address;
    },
    observe: async (): Promise<Sightings> => (await fetch(control)).json(),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Provides a fault server for the tests of a file. */
export function useFaultServer(): () => FaultServer {
  let server: FaultServer;
  beforeAll(async () => {
    server = await spawnFaultServer();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  return () => server;
}
