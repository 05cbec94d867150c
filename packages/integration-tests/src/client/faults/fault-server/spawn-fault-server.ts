import { join } from 'node:path';
import { startProcess } from '@memory-read/test-kit/start-process';
import { afterAll, beforeAll } from 'vitest';
import type { Sightings } from './start-fault-server.ts';

export type FaultServer = Awaited<ReturnType<typeof spawnFaultServer>>;

/** Starts the fault server in a process of its own, so that a client under test does not slow it down. */
export async function spawnFaultServer() {
  const command = [process.execPath, '--conditions=@memory-read/source', join(import.meta.dirname, 'main.ts')];
  const server = await startProcess(command, /^\{.*\}$/);
  const { addresses, control, trusted }: { addresses: Record<string, string>; control: string; trusted: string[] } =
    JSON.parse(server.ready[0]);
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
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
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
