import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFreshClone, type FreshClone, type RunOptions, runIn } from './fresh-clone.ts';

const minutes = 60_000;
const startAndList = ['node', 'packages/system-tests/src/tools/commands/start-and-list.mjs'];
let clone: FreshClone;

beforeAll(() => {
  clone = createFreshClone();
});
afterAll(() => clone.remove());

test(
  'npm start serves from a fresh clone, as an ordinary user, and installs only what serving needs',
  async () => {
    expect(await run(startAndList)).toMatchObject({ memories: 24, isListening: false });
    expect(isInstalled('zod')).toBe(true);
    expect(isInstalled('vitest')).toBe(false);
  },
  10 * minutes,
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
  'npm start takes nothing away that a full install put there, with CI set',
  async () => {
    await output(['npm', 'run', 'setup'], { env: { CI: 'true' } });
    expect(isInstalled('vitest')).toBe(true);
    expect(await run(startAndList, { env: { CI: 'true' } })).toMatchObject({ memories: 24 });
    expect(isInstalled('vitest')).toBe(true);
  },
  10 * minutes,
);

test(
  'a mistaken npm install is noticed and mended',
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
  'npm start on a port that is taken says so and ends with 1',
  async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const { code, stderr } = await run([...startAndList, '--', '--port', String(port)]);
    blocker.close();
    expect(stderr).toContain(`Failed to listen on 127.0.0.1:${port}: because the port is in use.`);
    expect(code).toBe(1);
  },
  minutes,
);

test(
  'npm test passes once more without a network',
  async () => {
    const lines = (await output(['npm', 'test'], { offline: true })).trimEnd().split('\n');
    // With what comes behind it: an error of a class of ours has a name of its own.
    const failures = lines.flatMap((line, index) => (tellsOfFailure(line) ? lines.slice(index, index + 8) : []));
    expect(failures).toEqual([]);
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed(, \d+ skipped)?$/);
  },
  15 * minutes,
);

async function run(command: readonly string[], options?: RunOptions): Promise<Record<string, unknown>> {
  const lines = (await output(command, options)).trimEnd().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

async function output(command: readonly string[], options?: RunOptions): Promise<string> {
  const child = runIn(clone, command, options);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return stdout === '' ? Promise.reject(new Error(`${command.join(' ')} printed nothing:\n${stderr}`)) : stdout;
}

/** A failed test's title, or a message of what failed in it, as vitest prints them. */
function tellsOfFailure(line: string): boolean {
  return /^\s*(FAIL|×|(Assertion|Type|Reference|Range)?Error:)|[1-9]\d* failed/.test(stripVTControlCharacters(line));
}

function isInstalled(name: string): boolean {
  return existsSync(join(clone.folder, 'node_modules', name));
}
