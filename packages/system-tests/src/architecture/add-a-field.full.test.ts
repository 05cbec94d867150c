import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { type RunningProcess, startProcess } from '@memory-read/test-kit/start-process';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Follows the recipe of CONTRIBUTING.md on a copy of the repository, and uses the new field as an operator and as a
// user.

const folder = makeFolder(afterAll);
const copy = join(folder, 'copy');
const database = join(folder, 'memories.sqlite');

/** The recipe inserts its lines before the first line that begins like this. The position of a row does not matter. */
const places: Record<string, string> = {
  'packages/contract/src/fields.ts': '  started_at: {',
  'packages/contract/src/memory.ts': '  started_at: string;',
  'packages/contract/src/field-words.ts': '  started_at: {',
};

const [, recipe = ''] =
  /^## Recipe: add a field$([\s\S]*?)^## /m.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')) ?? [];
const steps = Array.from(
  recipe.matchAll(/`(packages\/\S+\.ts)`[\s\S]*?```diff\n([\s\S]*?)```/g),
  ([, path = '', diff = '']) => {
    return { path, lines: diff.replace(/^ *\+/gm, '').trimEnd() };
  },
);

beforeAll(() => {
  copyRepository();
  for (const { path, lines } of steps) {
    const before = readFileSync(join(copy, path), 'utf8');
    const after = before.replace(`\n${places[path]}`, () => `\n${lines}\n${places[path]}`);
    expect(after).not.toBe(before);
    writeFileSync(join(copy, path), after);
  }
});

test('the recipe edits three source files', () => {
  expect(steps.map(({ path }) => path)).toEqual(Object.keys(places));
});

test('everything compiles without another edit', { timeout: 300_000 }, () => {
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  expect(spawnSync(compiler, ['-p', 'tsconfig.json'], { cwd: copy, encoding: 'utf8' }).stdout).toBe('');
});

test('the field passes from an import through server, client and mirror, and an upgrade alone changes nothing', {
  timeout: 300_000,
}, async () => {
  const record = sampleRecord();
  const location = 'https://maps.example/?q=kitchen';

  importRecord(root, record);
  const { apiKey } = JSON.parse(memoryRead(root, ['keys', 'create', '--account', 'user_1', '--db', database]));
  const env = { MEMORY_API_KEY: apiKey, MEMORY_API_URL: '' };
  const before = await startServer(root, 0);
  env.MEMORY_API_URL = before.url;
  expect(JSON.parse(memoryRead(root, ['get', 'mem_1'], env))).not.toHaveProperty('location');
  expect(mirror(root, env).at(-1)).toMatchObject({ event: 'mirrored' });
  await before[Symbol.asyncDispose]();

  await using _after = await startServer(copy, Number(new URL(before.url).port));
  expect(JSON.parse(memoryRead(copy, ['get', 'mem_1'], env))).toMatchObject({ id: 'mem_1', location: null });
  expect(mirror(copy, env).map(({ event }) => event)).toEqual(['mirrored']);

  importRecord(copy, { ...record, location });
  expect(JSON.parse(memoryRead(copy, ['list'], env))).toMatchObject({ id: 'mem_1', location });
  const [saved, ...rest] = mirror(copy, env);
  expect(saved).toMatchObject({ event: 'saved', memoryId: 'mem_1', change: 'changed' });
  expect(rest.map(({ event }) => event)).toEqual(['mirrored']);
  const history = memoryRead(copy, ['history', 'mem_1', '--mirror', join(folder, 'mirror')])
    .trim()
    .split('\n');
  expect(eventsIn(history).at(-1)).toMatchObject({ type: 'changed', fields: ['location'] });
  expect(mirror(copy, env).map(({ event }) => event)).toEqual(['mirrored']);

  expect(() => importRecord(copy, { ...record, location: 7 })).toThrow(/location/);
});

function copyRepository(): void {
  const left = /^(node_modules|\.git)$|(^|\/)dist$/;
  // Links between packages are relative, so in the copy they lead to packages of the copy.
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !left.test(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

function command(from: string, args: readonly string[]): string[] {
  return ['--conditions=@memory-read/source', join(from, 'packages', 'cli', 'src', 'main.ts'), ...args];
}

function memoryRead(from: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, command(from, args), {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

function importRecord(from: string, record: object): void {
  const file = join(folder, 'memories.jsonl');
  writeFileSync(file, `${JSON.stringify(record)}\n`);
  memoryRead(from, ['import', file, '--account', 'user_1', '--db', database]);
}

function mirror(from: string, env: Record<string, string>): Record<string, unknown>[] {
  return eventsIn(
    memoryRead(from, ['mirror', join(folder, 'mirror')], env)
      .trim()
      .split('\n'),
  );
}

function eventsIn(lines: readonly string[]): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line));
}

async function startServer(from: string, port: number): Promise<RunningProcess & { url: string }> {
  const words = ['serve', '--db', database, '--port', String(port), '--log', 'none'];
  const server = await start(from, words, /"baseUrl":"([^"]+)"/);
  return { ...server, url: String(server.ready[1]) };
}

function start(from: string, words: readonly string[], line: RegExp, env = {}): Promise<RunningProcess> {
  return startProcess([process.execPath, ...command(from, words)], line, { env: { ...process.env, ...env } });
}
