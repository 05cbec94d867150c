import type { MemoryClientHooks } from '@memory-read/client';
import { faults } from '@memory-read/integration-tests/client/faults/catalogue/catalogue';
import { runFault } from '@memory-read/integration-tests/client/faults/run-fault';
import type { DriverInput, FaultReport, OpenClient } from './driver-input.ts';

/**
 * Runs the faults that have an address, several in parallel. Also returns everything that a caller could have logged.
 */
export async function runFaults({ addresses, differences }: DriverInput, openClient: OpenClient) {
  // Backoffs are random. With this value, they are as short as possible.
  Math.random = () => 0.001;
  const logged: [title: string, value: unknown][] = [];
  const reports: Record<string, FaultReport> = {};
  const left = faults.filter(({ name }) => name in addresses);
  const takeTurns = async () => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const { name, expected } = fault;
      const log = (what: string, value: unknown) => void logged.push([`${name}: ${what}`, value]);
      // Each runtime describes a lost connection in its own words, so the message is not compared.
      const own = { ...fault, expected: { ...expected, says: undefined, ...differences[name] } };
      const outcome = await runFault(own, addresses[name] ?? '', ({ hooks, ...options }) => {
        const { client, calls } = openClient({ ...options, hooks: logging(hooks, log) });
        log('client', client);
        return calls;
      });
      const { attempts, error, violations } = outcome;
      log('error', error);
      reports[name] = { attempts, violations };
    }
  };
  await Promise.all(Array.from({ length: 10 }, takeTurns));
  return { reports, logged };
}

function logging(hooks: MemoryClientHooks = {}, log: (what: string, event: unknown) => void): MemoryClientHooks {
  const names = ['onRequest', 'onResponse', 'onRetry', 'onEnd'] as const;
  return Object.fromEntries(
    names.map((name) => [
      name,
      (event: never) => {
        log(name, event);
        hooks[name]?.(event);
      },
    ]),
  );
}
