import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCountingRegistry } from './counting-registry.ts';
import { createFreshClone, type FreshClone, type RunOptions, runIn } from './fresh-clone.ts';

const minutes = 60_000;
const startAndList = ['node', 'packages/system-tests/src/tools/commands/start-and-list.mjs'];
let clone: FreshClone;

interface InClone extends RunOptions {
  /** A second clone, because most tests use the other one. */
  clone?: FreshClone | undefined;
}

beforeAll(() => {
  clone = createFreshClone();
});
afterAll(() => clone.remove());

test(
  'npm start serves from a fresh clone, as an ordinary user, and downloads at most 20 MB besides Node',
  async () => {
    const isNodeNewEnough = (await output(['node', '-p', 'Boolean(process.features.typescript)'])).trim() === 'true';
    const { loadedNode } = await expectSmallStart(clone);
    expect(loadedNode).toHaveLength(isNodeNewEnough ? 0 : 1);
    expect(isInstalled('zod')).toBe(true);
    expect(isInstalled('vitest')).toBe(false);
  },
  10 * minutes,
);

test(
  'npm start uses the Node of the machine if it is new enough, and downloads none',
  async () => {
    using other = { clone: createFreshClone(), [Symbol.dispose]: () => other.clone.remove() };
    // Other users may have no access to the Node in the folder of this repository.
    const binaries = join(other.clone.home, 'bin');
    mkdirSync(binaries);
    copyFileSync(process.execPath, join(binaries, 'node'));
    expect((await expectSmallStart(other.clone, { binaries })).loadedNode).toEqual([]);
    expect(existsSync(join(other.clone.folder, 'node_modules', '.bin', 'node'))).toBe(false);
  },
  10 * minutes,
);

test(
  'in a terminal, the first start is one line that is redrawn, and what was printed is in a file',
  async () => {
    using other = { clone: createFreshClone(), [Symbol.dispose]: () => other.clone.remove() };
    const command = 'node scripts/run.mjs serving node --version';
    const shown = await output(['script', '-qec', command, '/dev/null'], other);
    const [line, ended, version] = shown.trimEnd().split('\r\n');
    expect(line?.split('\r').filter((text) => !text.startsWith('Installing packages, only this once …'))).toEqual(['']);
    expect(line).toMatch(/\r.* [1-9]\d* of [1-9]\d*, \d+ s *$/);
    expect([ended, version]).toEqual([expect.stringMatching(/^Installed in \d+ s\.$/), expect.stringMatching(/^v/)]);
    expect(readFileSync(join(other.clone.folder, 'node_modules', '.install.log'), 'utf8')).toContain('Done in');
  },
  10 * minutes,
);

test(
  'a failed first start prints the end of the output, what failed, and what to do',
  async () => {
    using other = { clone: createFreshClone(), [Symbol.dispose]: () => other.clone.remove() };
    const env = { npm_config_fetch_retries: '0' };
    const child = runIn(other.clone, ['npm', 'start'], { offline: true, env });
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
  },
  minutes,
);

test(
  'a second npm start needs no network and installs nothing',
  async () => {
    const { memories, seconds, stderr } = await run(startAndList, { offline: true });
    expect(memories).toBe(24);
    expect(stderr).not.toContain('Installing');
    console.log(`the second npm start was ready after ${Number(seconds).toFixed(1)} s`);
  },
  minutes,
);

test(
  'npm start removes nothing that a full install has installed, with CI set',
  async () => {
    await output(['npm', 'run', 'setup'], { env: { CI: 'true' } });
    expect(isInstalled('vitest')).toBe(true);
    expect(await run(startAndList, { env: { CI: 'true' } })).toMatchObject({ memories: 24 });
    expect(isInstalled('vitest')).toBe(true);
  },
  10 * minutes,
);

test(
  'detects and repairs an npm install by mistake',
  async () => {
    const trace = join(clone.folder, 'node_modules', '.package-lock.json');
    writeFileSync(trace, '{}');
    rmSync(join(clone.folder, 'node_modules', 'zod'));
    expect((await run(startAndList)).stderr).toContain('Installing');
    expect(existsSync(trace)).toBe(false);
    expect(isInstalled('zod')).toBe(true);
  },
  10 * minutes,
);

test(
  'npm start with a port that is in use says so and ends with 1',
  async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const { code, stderr } = await run([...startAndList, '--', '--port', String(port)]);
    blocker.close();
    expect(stderr).toContain(`Failed to start the server: port ${port} of 127.0.0.1 is in use.`);
    expect(code).toBe(1);
  },
  minutes,
);

test(
  'npm test passes again without a network',
  async () => {
    const lines = (await output(['npm', 'test'], { offline: true })).trimEnd().split('\n');
    // The next lines are included, because only they name an error of a class of this repository.
    const failures = lines.flatMap((line, index) => (tellsOfFailure(line) ? lines.slice(index, index + 8) : []));
    expect(failures).toEqual([]);
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed(, \d+ skipped)?$/);
  },
  15 * minutes,
);

/** Runs the first start in a clone, through a registry that counts bytes. */
async function expectSmallStart(target: FreshClone, options?: RunOptions): Promise<{ loadedNode: string[] }> {
  await using registry = await startCountingRegistry();
  const npmrc = join(target.home, '.npmrc');
  writeFileSync(npmrc, `registry=${registry.url}/\nreplace-registry-host=always\n`);
  const { seconds, ...seen } = await run(startAndList, { ...options, clone: target });
  rmSync(npmrc);
  expect(seen).toMatchObject({ memories: 24, isListening: false });
  expect(seen.stderr).toMatch(/^(Installing packages, only this once ….*\n)+Installed in \d+ s\.\n/);
  const isNode = (path: string) => /^\/node-(bin-)?(linux|darwin|win)-\w+\/-\//.test(path);
  const beside = [...registry.loaded].filter(([path]) => !isNode(path)).reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(
    `the first npm start loaded ${(beside / 1e6).toFixed(1)} MB beside Node in ${Number(seconds).toFixed(1)} s`,
  );
  // Proves that pnpm and the packages were loaded through the registry.
  expect(beside).toBeGreaterThan(5e6);
  expect(beside).toBeLessThan(20e6);
  return { loadedNode: [...registry.loaded.keys()].filter(isNode) };
}

async function run(command: readonly string[], options?: InClone): Promise<Record<string, unknown>> {
  const lines = (await output(command, options)).trimEnd().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

async function output(
  command: readonly string[],
  { clone: target = clone, ...options }: InClone = {},
): Promise<string> {
  const child = runIn(target, command, options);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout === '' ? Promise.reject(new Error(`${command.join(' ')} printed nothing:\n${stderr}`)) : stdout;
}

/** Returns whether a line is the title of a failed test, or an error message in it, as Vitest prints them. */
function tellsOfFailure(line: string): boolean {
  return /^\s*(FAIL|×|(Assertion|Type|Reference|Range)?Error:)|[1-9]\d* failed/.test(stripVTControlCharacters(line));
}

function isInstalled(name: string): boolean {
  return existsSync(join(clone.folder, 'node_modules', name));
}
