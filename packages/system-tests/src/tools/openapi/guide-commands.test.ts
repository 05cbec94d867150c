import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { memoryListSchema } from '@memory-read/contract';
import { root } from '@memory-read/test-kit/repository';
import { startProcess } from '@memory-read/test-kit/start-process';
import { afterAll, expect, test } from 'vitest';
import { arazzoPath, quietEnvironment, toolFolder, toolPath, toolVersion } from './run-tool.ts';
import { startEdgeCaseServer } from './start-edge-case-server.ts';
import { prismIsReady, violationsIn } from './start-prism.ts';

const guide = readFileSync(join(root, 'docs/guides/openapi-and-other-languages.md'), 'utf8');
const lines = Array.from(guide.matchAll(/^```sh\n(.*)\n```/gm), ([, line = '']) => line);
const commands = lines.filter((line) => line.includes('npx '));
const tools = ['openapi-typescript', '@hey-api/openapi-ts', '@redocly/cli', '@stoplight/prism-cli'];

const folder = toolFolder();
writeNpx();
const server = await startEdgeCaseServer();
afterAll(() => server.close());
const options = {
  cwd: folder,
  env: {
    ...process.env,
    ...quietEnvironment,
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    MEMORY_API_KEY: server.apiKey,
  },
};

test('the guide shows a command of each tool, in the installed version', () => {
  const shown = commands.map((line) => /npx (\S+)/.exec(line)?.[1]);
  expect([...new Set(shown)].sort()).toEqual(tools.map(pinned).sort());
  const [, ofClient] = /openapi-fetch ([\d.]+)/.exec(guide) ?? [];
  expect(toolVersion('openapi-fetch')).toMatch(new RegExp(`^${ofClient}\\.`));
});

// Redocly silently ignores workflows that do not exist.
test('the workflows of the guide exist', () => {
  const workflows = readFileSync(arazzoPath, 'utf8');
  const named = Array.from(guide.matchAll(/--workflow=(\S+)/g), ([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !workflows.includes(`- workflowId: ${name}\n`))).toEqual([]);
});

test.each(commands.filter((line) => !isServer(line)))('“%s” does what the guide says', async (line) => {
  // This call rejects if the command fails.
  await promisify(execFile)('sh', ['-c', line.replace('http://127.0.0.1:8787', server.url)], options);
  const [, output] = /--output (\S+)/.exec(line) ?? [];
  if (output !== undefined) expect(existsSync(join(folder, output))).toBe(true);
});

test.each(commands.filter(isServer))('“%s” returns memories', async (line) => {
  const command = `exec ${line.replace('http://127.0.0.1:8787', server.url)} --port 0`;
  await using prism = await startProcess(['sh', '-c', command], prismIsReady, options);
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const response = await fetch(`${prism.ready[1]}/v1/memories`, { headers });
  expect(response.status).toBe(200);
  expect(memoryListSchema['~standard'].validate(await response.json())).not.toHaveProperty('issues');
  expect(violationsIn(response.headers)).toEqual([]);
});

function isServer(line: string): boolean {
  return / (mock|proxy) /.test(line);
}

function pinned(tool: string): string {
  return `${tool}@${toolVersion(tool)}`;
}

/** An `npx` that runs only installed packages and downloads nothing. */
function writeNpx(): void {
  const cases = tools.map((tool) => `  ${pinned(tool)}) exec '${process.execPath}' '${toolPath(tool)}' "$@" ;;`);
  const script = ['#!/bin/sh', 'tool=$1', 'shift', 'case $tool in', ...cases, 'esac', 'exit 127', ''].join('\n');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'npx'), script, { mode: 0o755 });
}
