import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, expect, test, vi } from 'vitest';
import { countDownloads } from './counting-registry.ts';
import { createFreshClone, outputIn, type RunOptions, runIn } from './fresh-clone.ts';

// An installation takes minutes.
vi.setConfig({ testTimeout: 600_000 });

const startAndList = ['node', 'packages/system-tests/src/tools/commands/start-and-list.mjs'];
const clone = createFreshClone(afterAll);

test('npm start serves from a fresh clone, as an ordinary user, and downloads at most 20 MB besides Node', async () => {
  const isNodeNewEnough = await outputIn(clone, ['node', '-p', 'Boolean(process.features.typescript)']);
  const { result, bytes, nodes } = await countDownloads(clone, () => run(startAndList));
  expect(nodes).toHaveLength(isNodeNewEnough.trim() === 'true' ? 0 : 1);
  expect(result).toMatchObject({ memories: 24, isListening: false });
  expect(result.stderr).toMatch(/^(Installing packages, only this once ….*\n)+Installed in \d+ s\.\n/);
  // Proves that pnpm and the packages were loaded through the registry.
  expect(bytes).toBeGreaterThan(5e6);
  expect(bytes).toBeLessThan(20e6);
  expect(isInstalled('zod')).toBe(true);
  expect(isInstalled('vitest')).toBe(false);
});

test('in a terminal, with a Node of the machine that is new enough, the first start is one redrawn line and downloads no Node', async () => {
  const other = createFreshClone();
  // Other users may have no access to the Node in the folder of this repository.
  const binaries = join(other.home, 'bin');
  mkdirSync(binaries);
  copyFileSync(process.execPath, join(binaries, 'node'));
  const command = ['script', '-qec', 'node scripts/run.mjs serve node --version', '/dev/null'];
  const { result: shown, nodes } = await countDownloads(other, () => outputIn(other, command, { binaries }));
  expect(nodes).toEqual([]);
  expect(existsSync(join(other.folder, 'node_modules', '.bin', 'node'))).toBe(false);
  const [line, ended, version] = shown.trimEnd().split('\r\n');
  expect(line?.split('\r').filter((text) => !text.startsWith('Installing packages, only this once …'))).toEqual(['']);
  expect(line).toMatch(/\r.* [1-9]\d* of [1-9]\d*, \d+ s *$/);
  expect([ended, version]).toEqual([expect.stringMatching(/^Installed in \d+ s\.$/), process.version]);
  expect(readFileSync(join(other.folder, 'node_modules', '.install.log'), 'utf8')).toContain('Done in');
});

test('a failed first start prints the end of the output, what failed, and what to do', async () => {
  const other = createFreshClone();
  const env = { npm_config_fetch_retries: '0' };
  const { code, stderr } = await endOf(runIn(other, ['npm', 'start'], { offline: true, env }));
  const lines = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('npm notice'));
  expect(code).toBe(1);
  expect(lines[0]).toBe('Installing packages, only this once …');
  expect(lines.slice(1, -1).join('\n')).toContain('npm error code');
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(lines.at(-1)).toBe(
    'Failed to install: npm ended with code 1; its output is in node_modules/.install.log. ' +
      'Check the network and run the command again.',
  );
});

test('a second npm start needs no network and installs nothing', async () => {
  const { memories, stderr } = await run(startAndList, { offline: true });
  expect(memories).toBe(24);
  expect(stderr).not.toContain('Installing');
});

test('npm run example after npm start installs nothing', async () => {
  const env = { MEMORY_API_URL: 'http://127.0.0.1:9', MEMORY_API_KEY: 'mrk_test' };
  const example = () => endOf(runIn(clone, ['npm', 'run', 'example'], { env }));
  const { result, bytes } = await countDownloads(clone, example);
  // Nothing listens there, so the example has run.
  expect(result.stderr).toContain('ConnectionError');
  expect(result.stderr).not.toContain('Installing');
  expect(bytes).toBe(0);
});

test('detects and repairs an npm install by mistake', async () => {
  const trace = join(clone.folder, 'node_modules', '.package-lock.json');
  writeFileSync(trace, '{}');
  rmSync(join(clone.folder, 'node_modules', 'zod'));
  expect(await run(startAndList)).toMatchObject({ memories: 24, stderr: expect.stringContaining('Installing') });
  expect(existsSync(trace)).toBe(false);
  expect(isInstalled('zod')).toBe(true);
});

async function run(command: readonly string[], options?: RunOptions): Promise<Record<string, unknown>> {
  const lines = (await outputIn(clone, command, options)).trimEnd().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

function isInstalled(name: string): boolean {
  return existsSync(join(clone.folder, 'node_modules', name));
}
