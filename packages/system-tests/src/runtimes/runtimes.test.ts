import client from '@memory-read/client/package.json' with { type: 'json' };
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildDrivers, type Drivers } from './build-drivers.ts';
import { clientOfEnvironment, everyError, noBaseUrl, smoke } from './expected-smoke.ts';
import { type FaultCase, faultCases } from './fault-cases.ts';
import { type Observed, renderMatrix } from './render-matrix.ts';
import { closedDeno, type Runtime, runtimes } from './runtimes.ts';
import { startFaultServer } from './start-fault-server.ts';

const apiKey = 'KEYSECRET_0123456789';
const observations = new Map<Runtime, Promise<Observed>>();
let drivers: Drivers;

beforeAll(async () => {
  drivers = await buildDrivers();
});
afterAll(async () => {
  drivers?.[Symbol.dispose]();
  const settled = await Promise.allSettled(observations.values());
  console.log(renderMatrix(settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))));
});

for (const runtime of runtimes) {
  const name = `${runtime.name} ${runtime.version}`;
  const testHere = test.runIf(runtime.path);

  testHere(`on ${name}, every fault ends as the table says, after as many attempts as the server sees`, async () => {
    const { report, seen } = await observe(runtime);
    expect(report.runtime).toBe(runtime.signature);
    expect(report.cases.map(({ cause: _cause, ...result }) => result)).toEqual(
      expectedOf(runtime).map(({ fault, outcome, attempts }) => ({ fault, outcome, attempts })),
    );
    for (const { fault, attempts, isUnseen, timeout, totalTimeout } of expectedOf(runtime)) {
      const requests = seen.get(fault) ?? 0;
      // A slow machine may spend the time before it sends anything.
      if (timeout !== undefined || totalTimeout !== undefined) expect(requests, fault).toBeLessThanOrEqual(attempts);
      else expect(requests, fault).toBe(isUnseen ? 0 : attempts);
    }
  });

  testHere(`on ${name}, the key goes nowhere else and is shown nowhere, nor is the query of a signed URL`, async () => {
    const { report, log, strangeKeys, connectionsElsewhere } = await observe(runtime);
    expect(strangeKeys).toEqual([]);
    expect(report.errors).toEqual(everyError);
    expect(connectionsElsewhere).toBe(0);
    expect(report.leaks).toEqual([]);
    expect(report.searched).toBeGreaterThan(4 * faultCases.length);
    expect(log).toContain('MemoryClient {"baseUrl"');
    for (const name of ['RateLimitError', 'ProcessingTimeoutError', 'MediaDownloadError']) expect(log).toContain(name);
    expect(log).not.toContain('SECRET');
  });

  testHere(`on ${name}, every request names this package and its version`, async () => {
    const { userAgents } = await observe(runtime);
    expect([...userAgents]).toEqual([`memory-read-client/${client.version}`]);
  });

  testHere(`on ${name}, client and server work`, async () => {
    const { report } = await observe(runtime);
    expect(report.smoke).toEqual({ ...smoke, environment: runtime.hasEnvironment ? clientOfEnvironment : noBaseUrl });
  });
}

test.runIf(closedDeno.path)(
  `on Deno ${closedDeno.version} without permission, the environment is as if empty`,
  async () => {
    const { report } = await run(closedDeno);
    expect(report.smoke).toEqual({ ...smoke, environment: noBaseUrl });
  },
);

function expectedOf({ name }: Runtime): FaultCase[] {
  return faultCases.map((faultCase) => ({ ...faultCase, ...faultCase.except?.[name] }));
}

async function observe(runtime: Runtime): Promise<Observed> {
  const observation = observations.get(runtime) ?? run(runtime);
  observations.set(runtime, observation);
  return observation;
}

async function run(runtime: Runtime): Promise<Observed> {
  await using server = await startFaultServer(apiKey);
  const { report, log } = await runtime.run(drivers.folder, server.input);
  const { seen, strangeKeys, userAgents } = server;
  return { runtime, report, log, seen, strangeKeys, userAgents, connectionsElsewhere: server.connectionsElsewhere() };
}
