import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLiveSource } from '../sources/create-live-source.ts';
import { type RunningMcpServer, serveMcpHttp } from './serve-mcp-http.ts';

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
let server: RunningMcpServer;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const { baseUrl, apiKey, fetch } = createMemoryMock();
  server = await serveMcpHttp({ source: createLiveSource(new MemoryClient({ baseUrl, apiKey, fetch })) });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['2026-07-28', 'tools-list', 4],
  ['2026-07-28', 'caching', 8],
  ['2026-07-28', 'http-header-validation', 14],
  ['2026-07-28', 'dns-rebinding-protection', 2],
  ['2026-07-28', 'resources-list', 2],
  ['2026-07-28', 'prompts-list', 2],
  ['2026-07-28', 'sep-2164-resource-not-found', 4],
  ['2025-11-25', 'server-initialize', 2],
  ['2025-11-25', 'ping', 2],
  ['2025-11-25', 'tools-list', 3],
  ['2025-11-25', 'resources-list', 2],
  ['2025-11-25', 'prompts-list', 2],
  ['2025-11-25', 'dns-rebinding-protection', 2],
] as const)('revision %s: the scenario %s passes all %i checks', async (revision, scenario, checks) => {
  expect(await runScenario(revision, scenario)).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
});

// These four call tools with fixed names, which a server would have to offer for the suite alone.
const notTestable = [
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-missing-capability-http-400',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2575-server-rejects-undeclared-capability',
];

test('revision 2026-07-28: the scenario server-stateless passes all checks that need no tools of its own', async () => {
  const output = await runScenario('2026-07-28', 'server-stateless');
  const results = [...output.matchAll(/\[([\w-]+)\s*\]\s+(SUCCESS|FAILURE|WARNING)/g)];
  const failed = results.filter(([, , result]) => result !== 'SUCCESS').map(([, check]) => check);
  expect(results).toHaveLength(28);
  expect(failed.toSorted()).toEqual(notTestable);
});

function runScenario(revision: string, scenario: string): Promise<string> {
  const args = [program, 'server', '--url', server.url, '--scenario', scenario, '--spec-version', revision];
  const env = { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1' };
  return new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: folder, env }, (_, stdout, stderr) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours.
      resolve(`${stdout}${stderr}`.replace(/\u001b\[\d+m/g, '')),
    ),
  );
}
