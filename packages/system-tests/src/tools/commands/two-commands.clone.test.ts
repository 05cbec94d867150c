import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { countDownloads } from './counting-registry.ts';
import { createFreshClone, type FreshClone, outputIn, type RunOptions, runIn } from './fresh-clone.ts';

// An installation takes minutes.
vi.setConfig({ testTimeout: 600_000 });

const startAndList = ['node', 'packages/system-tests/src/tools/commands/start-and-list.mjs'];
const clone = createFreshClone(afterAll);

test('npm start serves from a fresh clone, as an ordinary user, and downloads at most 20 MB besides Node', async () => {
  const isNodeNewEnough = await outputIn(clone, ['node', '-p', 'Boolean(process.features.typescript)']);
  expect(await expectSmallStart(clone)).toHaveLength(isNodeNewEnough.trim() === 'true' ? 0 : 1);
  expect(isInstalled('zod')).toBe(true);
  expect(isInstalled('vitest')).toBe(false);
});

test('npm start uses the Node of the machine if it is new enough, and downloads none', async () => {
  const other = createFreshClone();
  // Other users may have no access to the Node in the folder of this repository.
  const binaries = join(other.home, 'bin');
  mkdirSync(binaries);
  copyFileSync(process.execPath, join(binaries, 'node'));
  expect(await expectSmallStart(other, { binaries })).toEqual([]);
  expect(existsSync(join(other.folder, 'node_modules', '.bin', 'node'))).toBe(false);
});

test('in a terminal, the first start is one line that is redrawn, and what was printed is in a file', async () => {
  const other = createFreshClone();
  const command = 'node scripts/run.mjs serve node --version';
  const shown = await outputIn(other, ['script', '-qec', command, '/dev/null']);
  const [line, ended, version] = shown.trimEnd().split('\r\n');
  expect(line?.split('\r').filter((text) => !text.startsWith('Installing packages, only this once …'))).toEqual(['']);
  expect(line).toMatch(/\r.* [1-9]\d* of [1-9]\d*, \d+ s *$/);
  expect([ended, version]).toEqual([expect.stringMatching(/^Installed in \d+ s\.$/), expect.stringMatching(/^v/)]);
  expect(readFileSync(join(other.folder, 'node_modules', '.install.log'), 'utf8')).toContain('Done in');
});

test('a failed first start prints the end of the output, what failed, and what to do', async () => {
  const other = createFreshClone();
  const env = { npm_config_fetch_retries: '0' };
  const child = runIn(other, ['npm', 'start'], { offline: true, env });
  const [stderr] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')]);
  const lines = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('npm notice'));
  expect(child.exitCode).toBe(1);
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
  const { result, bytes } = await countDownloads(clone, async () => {
    const child = runIn(clone, ['npm', 'run', 'example'], { env });
    const [stderr] = await Promise.all([text(child.stderr), text(child.stdout)]);
    return stderr;
  });
  // Nothing listens there, so the example has run.
  expect(result).toContain('ConnectionError');
  expect(result).not.toContain('Installing');
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

/** Runs the first start in a clone. Returns the packages with a Node that it downloads. */
async function expectSmallStart(target: FreshClone, options?: RunOptions): Promise<string[]> {
  const { result, bytes, nodes } = await countDownloads(target, () => run(startAndList, options, target));
  expect(result).toMatchObject({ memories: 24, isListening: false });
  expect(result.stderr).toMatch(/^(Installing packages, only this once ….*\n)+Installed in \d+ s\.\n/);
  // Proves that pnpm and the packages were loaded through the registry.
  expect(bytes).toBeGreaterThan(5e6);
  expect(bytes).toBeLessThan(20e6);
  return nodes;
}

async function run(command: readonly string[], options?: RunOptions, target = clone): Promise<Record<string, unknown>> {
  const lines = (await outputIn(target, command, options)).trimEnd().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

function isInstalled(name: string): boolean {
  return existsSync(join(clone.folder, 'node_modules', name));
}
