import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { createLiveSource } from '@memory-read/mcp';
import { serveMcpHttp } from '@memory-read/mcp/node';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const folder = makeFolder(afterAll);
const { baseUrl, apiKey, fetch } = createMemoryMock();
const server = await serveMcpHttp({ source: createLiveSource(new MemoryClient({ baseUrl, apiKey, fetch })) });
afterAll(() => server.close());

interface Check {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
  details?: { untestable?: boolean };
}

// The checks that call tools with fixed names. A server would have to offer these tools for the suite alone.
const diagnosticTools = {
  'sep-2575-http-server-no-independent-requests-on-stream': 'test_streaming_elicitation',
  'sep-2575-missing-capability-http-400': 'test_missing_capability',
  'sep-2575-server-no-log-without-loglevel': 'test_logging_tool',
  'sep-2575-server-rejects-undeclared-capability': 'test_missing_capability',
};

test.each([
  ['2026-07-28', 'server-stateless', 24, diagnosticTools],
  ['2026-07-28', 'tools-list', 4, {}],
  ['2026-07-28', 'caching', 8, {}],
  ['2026-07-28', 'http-header-validation', 14, {}],
  ['2026-07-28', 'dns-rebinding-protection', 2, {}],
  ['2026-07-28', 'resources-list', 2, {}],
  ['2026-07-28', 'prompts-list', 2, {}],
  ['2026-07-28', 'sep-2164-resource-not-found', 4, {}],
  ['2025-11-25', 'server-initialize', 2, {}],
  ['2025-11-25', 'ping', 2, {}],
  ['2025-11-25', 'tools-list', 3, {}],
  ['2025-11-25', 'resources-list', 2, {}],
  ['2025-11-25', 'prompts-list', 2, {}],
  ['2025-11-25', 'dns-rebinding-protection', 2, {}],
] as const)('revision %s: the scenario %s passes %i checks', async (revision, scenario, passed, untestable) => {
  const checks = await runScenario(revision, scenario);
  const successes = checks.filter(({ status }) => status === 'SUCCESS').length;
  const isUntestable = ({ status, details }: Check) => status === 'FAILURE' && details?.untestable === true;
  const toolOf = ({ errorMessage = '' }: Check) => /^Not testable: .* diagnostic tool '(\w+)'/.exec(errorMessage)?.[1];
  const faults = checks.filter((check) => ['FAILURE', 'WARNING'].includes(check.status) && !isUntestable(check));
  const left = checks.filter(isUntestable);
  console.log(`Conformance ${revision}, ${scenario}: ${successes} passed, ${left.length} not testable`);
  expect(faults.map(({ id, status, errorMessage }) => ({ id, status, errorMessage }))).toEqual([]);
  expect(Object.fromEntries(left.map((check) => [check.id, toolOf(check)]))).toEqual(untestable);
  expect([successes, left.length]).toEqual([passed, Object.keys(untestable).length]);
});

/** Runs one scenario of the official suite, and returns what it found. */
async function runScenario(revision: string, scenario: string): Promise<Check[]> {
  const output = mkdtempSync(join(folder, 'run-'));
  const args = ['--url', server.url, '--scenario', scenario, '--spec-version', revision, '--output-dir', output];
  const env = { PATH: process.env.PATH, HOME: folder };
  // Its exit code is 1 where a check is not testable.
  const printed = await new Promise<string>((resolve) =>
    execFile(process.execPath, [program, 'server', ...args], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    ),
  );
  const [run] = readdirSync(output);
  expect(run, printed).toBeDefined();
  return JSON.parse(readFileSync(join(output, run as string, 'checks.json'), 'utf8'));
}
