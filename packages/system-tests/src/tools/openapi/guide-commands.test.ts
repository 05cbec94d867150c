import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryListSchema } from '@memory-read/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../repository.ts';
import { quietEnvironment, toolPath, toolVersion } from './run-tool.ts';
import { type EdgeCaseServer, startEdgeCaseServer } from './start-edge-case-server.ts';
import { endPrism, prismUrl, violationsIn } from './start-prism.ts';

const guide = readFileSync(join(root, 'docs/guides/openapi-and-other-languages.md'), 'utf8');
const lines = Array.from(guide.matchAll(/^```sh\n(.*)\n```/gm), ([, line = '']) => line);
const commands = lines.filter((line) => line.includes('npx '));
const tools = ['openapi-typescript', '@hey-api/openapi-ts', '@redocly/cli', '@stoplight/prism-cli'];

let folder: string;
let server: EdgeCaseServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  await symlink(join(root, 'packages', 'system-tests', 'node_modules'), join(folder, 'node_modules'));
  await writeNpx();
  server = await startEdgeCaseServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

test('the guide shows a command of each tool, in the version that is installed', () => {
  const shown = commands.map((line) => /npx (\S+)/.exec(line)?.[1]);
  expect([...new Set(shown)].sort()).toEqual(tools.map(pinned).sort());
  const [, ofClient] = /openapi-fetch ([\d.]+)/.exec(guide) ?? [];
  expect(toolVersion('openapi-fetch')).toMatch(new RegExp(`^${ofClient}\\.`));
});

// Redocly leaves out workflows that it does not know, without a word.
test('the workflows of the guide exist', () => {
  const workflows = readFileSync(fileURLToPath(import.meta.resolve('@memory-read/contract/arazzo.yaml')), 'utf8');
  const named = Array.from(guide.matchAll(/--workflow=(\S+)/g), ([, name]) => name);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !workflows.includes(`- workflowId: ${name}\n`))).toEqual([]);
});

test.each(commands.filter((line) => !isServer(line)))('“%s” does what the guide says', async (line) => {
  const child = run(line);
  const [exitCode] = await once(child, 'exit');
  expect(exitCode).toBe(0);
  const [, output] = /--output (\S+)/.exec(line) ?? [];
  if (output !== undefined) expect(existsSync(join(folder, output))).toBe(true);
});

test.each(commands.filter(isServer))('“%s” answers with memories', async (line) => {
  const child = run(`exec ${line} --port 0`);
  try {
    const url = await prismUrl(child);
    const response = await fetch(`${url}/v1/memories`, { headers: { authorization: `Bearer ${server.apiKey}` } });
    expect(response.status).toBe(200);
    expect(memoryListSchema['~standard'].validate(await response.json())).not.toHaveProperty('issues');
    expect(violationsIn(response.headers)).toEqual([]);
  } finally {
    await endPrism(child);
  }
});

function isServer(line: string): boolean {
  return / (mock|proxy) /.test(line);
}

function pinned(tool: string): string {
  return `${tool}@${toolVersion(tool)}`;
}

/** An `npx` that knows only what is installed, and fetches nothing. */
async function writeNpx(): Promise<void> {
  const cases = tools.map((tool) => `  ${pinned(tool)}) exec '${process.execPath}' '${toolPath(tool)}' "$@" ;;`);
  const script = ['#!/bin/sh', 'tool=$1', 'shift', 'case $tool in', ...cases, 'esac', 'exit 127', ''].join('\n');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'npx'), script);
  await chmod(join(folder, 'bin', 'npx'), 0o755);
}

function run(line: string) {
  return spawn('sh', ['-c', line.replace('http://127.0.0.1:8787', server.url)], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...quietEnvironment,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      MEMORY_API_KEY: server.apiKey,
    },
  });
}
