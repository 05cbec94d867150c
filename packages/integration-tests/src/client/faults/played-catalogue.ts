import { join } from 'node:path';
import type { ServerFaultState, WireRequest } from '@memory-read/msw/server';
import { startProcess } from '@memory-read/test-kit/start-process';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Fault } from './fault.ts';

export type PlayedCatalogue = Awaited<ReturnType<typeof spawnCatalogue>>;

/** Plays the catalogue in a process of its own, so that a client under test does not slow it down. */
export async function spawnCatalogue() {
  const command = [
    process.execPath,
    '--conditions=@memory-read/source',
    join(import.meta.dirname, 'play-catalogue.ts'),
  ];
  const program = await startProcess(command, /^\{.*\}$/);
  const printed: { spaces: Record<string, { id: string; address: string }>; control: string; trusted: string[] } =
    JSON.parse(program.ready[0]);
  const spaceOf = (name: string) => printed.spaces[name] ?? expect.fail(`The catalogue has no fault "${name}".`);
  const read = async (name: string, what: string) =>
    (await fetch(`${printed.control}/spaces/${spaceOf(name).id}/${what}`)).json();
  return {
    /** Certificates that a client must trust, as PEM texts. */
    trusted: printed.trusted,
    addressOf: (name: string) => spaceOf(name).address,
    /** Returns the requests to the space of a fault, and the number of responses without an end. */
    async observe({ name, answers = [] }: Fault) {
      const [{ requests }, faults]: [{ requests: WireRequest[] }, ServerFaultState[]] = await Promise.all([
        read(name, 'requests'),
        read(name, 'faults'),
      ]);
      const scheduled = faults.filter(({ match }) => match.operation !== 'connection');
      // A fault for one request is no longer in the schedule when it has been played.
      const played = scheduled.reduce((sum, fault) => sum + fault.played, answers.length - scheduled.length);
      return { requests, held: played - requests.filter(({ ended }) => ended !== null).length };
    },
    [Symbol.asyncDispose]: program[Symbol.asyncDispose],
  };
}

/** Plays the catalogue for the tests of a file. */
export function useCatalogue(): () => PlayedCatalogue {
  let catalogue: PlayedCatalogue;
  beforeAll(async () => {
    catalogue = await spawnCatalogue();
  });
  afterAll(() => catalogue?.[Symbol.asyncDispose]());
  return () => catalogue;
}
