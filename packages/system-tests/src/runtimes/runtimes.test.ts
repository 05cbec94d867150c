import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import client from '@memory-read/client/package.json' with { type: 'json' };
import { catalogue } from '@memory-read/integration-tests/client/faults/catalogue/catalogue';
import type { Fault } from '@memory-read/integration-tests/client/faults/fault';
import { spawnCatalogue } from '@memory-read/integration-tests/client/faults/played-catalogue';
import { root } from '@memory-read/test-kit/repository';
import { expect, test, vi } from 'vitest';
// @ts-expect-error It is JavaScript, because projects of users run it too.
import { smokeReport } from '../packages/consumers/smoke.mjs';
import { createConsumer } from '../packages/create-consumer.ts';
import { buildDrivers } from './build-drivers.ts';
import { type ClientForm, forms } from './driver/driver-input.ts';
import { environment, type Runtime, runtimes } from './runtimes.ts';

// The results without environment variables, and with variables for the base URL and the key.
const noBaseUrl =
  'ConfigurationError: Failed to create the client: the base URL is missing. Pass baseUrl and apiKey, or set MEMORY_API_URL and MEMORY_API_KEY.';
const sentFromEnvironment = { url: `${environment.MEMORY_API_URL}/v1/memories`, scheme: 'Bearer' };

// Faults with several calls are left out, because each runtime manages its connections in its own way. One certificate
// stands for all, because these runtimes trust none of them.
const met = catalogue
  .filter(({ isNodeOnly }) => !isNodeOnly)
  .flatMap(({ faults }) => faults)
  .filter(({ isHeavy, calls, place }) => !isHeavy && !calls && (!place?.scheme || place.certificate === 'untrusted'));
const userAgent = `memory-read-client/${client.version}`;
const observations = new Map<string, ReturnType<typeof run>>();
const { folder } = createConsumer();
await buildDrivers(folder);

for (const [runtime, form] of runtimes.flatMap((runtime) => forms.map((form) => [runtime, form] as const))) {
  const name = `${runtime.name} ${runtime.version} (${form})`;
  const testHere = test.runIf(runtime.path);

  testHere(
    `on ${name}, every fault ends as the catalogue says, after as many attempts as the server sees`,
    async () => {
      const { report, seen } = await observe(runtime, form);
      expect(report.runtime).toBe(runtime.signature);
      for (const fault of met) {
        const { violations, attempts } = report.faults[fault.name] ?? expect.fail(`${fault.name} was not met.`);
        expect(violations, fault.name).toEqual([]);
        const requests = seen.filter(({ name }) => name === fault.name);
        if (isCounted(fault)) expect(requests, fault.name).toHaveLength(attempts);
        else expect(requests.length, fault.name).toBeLessThanOrEqual(attempts);
      }
    },
  );

  testHere(`on ${name}, the key goes nowhere else and is shown nowhere, nor is the query of a signed URL`, async () => {
    const { report, log, seen } = await observe(runtime, form);
    // A request without a key is not from the client: see `isAhead`.
    for (const { to, auth, keyIn, headers } of seen.filter(({ keyIn }) => keyIn.length > 0))
      expect([to, auth, keyIn, headers['user-agent']]).toEqual(['api', 'bearer', ['authorization'], userAgent]);
    expect(seen.filter(({ to }) => to !== 'api')).toEqual([]);
    for (const [code, own] of report.errors) expect(own).toBe(code);
    const causes = report.errors.filter(([, , cause]) => cause);
    expect(causes.map(([code, , cause]) => `${code} of ${cause}`)).toEqual([
      'timeout of server',
      'processing_timeout of server',
    ]);
    expect(report.leaks).toEqual([]);
    expect(report.searched).toBeGreaterThan(4 * met.length);
    expect(log).toMatch(form === 'class' ? /: client MemoryClient \{\s+baseUrl:/ : /: client \{\s+baseUrl:/);
    for (const name of ['RateLimitError', 'ProcessingTimeoutError', 'MediaDownloadError']) expect(log).toContain(name);
    expect(log).not.toContain('SECRET');
  });

  testHere(`on ${name}, the packed client and mock work`, async () => {
    const { report } = await observe(runtime, form);
    expect(report.smoke).toEqual({
      ...smokeReport,
      environment: runtime.hasEnvironment ? sentFromEnvironment : noBaseUrl,
    });
  });
}

test('the guide to runtimes names those that the tests run, in their versions', () => {
  const manifest = readFileSync(join(root, 'packages/system-tests/package.json'), 'utf8');
  const chromium = JSON.parse(manifest).devDependencies['@sparticuz/chromium'];
  const guide = readFileSync(join(root, 'docs/guides/runtimes.md'), 'utf8');
  const rows = Array.from(guide.matchAll(/^\| ([^|]+) \| ([\d.]+)/gm), ([, name, version]) => `${name} ${version}`);
  expect(rows).toEqual([...runtimes.map(({ name, version }) => `${name} ${version}`), `Chromium ${chromium}`]);
});

/** Returns whether requests are counted. With a timeout or an abort, a slow machine may send fewer of them. */
function isCounted({ answers, place, options = {}, abort }: Fault): boolean {
  return answers !== undefined && place === undefined && !options.timeout && !options.totalTimeout && !abort;
}

async function observe(runtime: Runtime, form: ClientForm) {
  const key = `${runtime.name} ${form}`;
  const observation = observations.get(key) ?? run(runtime, form);
  observations.set(key, observation);
  return observation;
}

async function run(runtime: Runtime, form: ClientForm) {
  await using played = await spawnCatalogue();
  const addresses = Object.fromEntries(met.map(({ name }) => [name, played.addressOf(name)]));
  const input = { form, addresses, differences: runtime.differences };
  const { report, log } = await runtime.run(folder, input);
  const observed = met.map((fault) =>
    vi.waitFor(async () => {
      const { requests, held } = await played.observe(fault);
      expect(held, fault.name).toBe(0);
      return requests.map((request) => ({ name: fault.name, ...request }));
    }),
  );
  return { report, log, seen: (await Promise.all(observed)).flat() };
}
