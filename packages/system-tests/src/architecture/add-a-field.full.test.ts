import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../repository.ts';

// Carries out the recipe of CONTRIBUTING.md on a copy of the repository, and meets the field as an operator and a user do.

const folder = mkdtempSync(join(tmpdir(), 'add-a-field-'));
const copy = join(folder, 'copy');
const database = join(folder, 'memories.sqlite');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Where the recipe's lines are inserted: before the first line that begins like this. A row may stand before any other. */
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

test.each(['tsconfig.json', 'tsconfig.neutral.json'])(
  'without another edit all of %s compiles',
  { timeout: 300_000 },
  (project) => {
    const { stdout } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project], {
      cwd: copy,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  },
);

test('the field goes from an import through server, client, watch and mirror; an upgrade alone changes nothing', {
  timeout: 300_000,
}, async () => {
  const record = {
    id: 'mem_1',
    name: 'Kitchen renovation',
    started_at: '2026-07-08T09:30:00Z',
    ended_at: '2026-07-08T09:42:25Z',
    is_processing: false,
    duration_seconds: 745,
    transcript: null,
    summary: null,
    media: {},
  };
  // A query may be a signature: that of a field that is not known is removed from files.
  const location = 'https://maps.example/?q=kitchen';

  importRecord(root, record);
  const { apiKey } = JSON.parse(memoryRead(root, ['keys', 'create', '--account', 'user_1', '--db', database]));
  const env = { MEMORY_API_KEY: apiKey, MEMORY_API_URL: '' };
  const before = await startServer(root, 0);
  env.MEMORY_API_URL = before.url;
  expect(JSON.parse(memoryRead(root, ['get', 'mem_1'], env))).not.toHaveProperty('location');
  expect(mirror(root, env).at(-1)).toMatchObject({ event: 'mirrored' });
  expect(await watch(root, env, 2)).toMatchObject([{ type: 'added' }, { type: 'processed' }]);
  await before.stop();

  const { stop } = await startServer(copy, Number(new URL(before.url).port));
  expect(JSON.parse(memoryRead(copy, ['get', 'mem_1'], env))).toMatchObject({ id: 'mem_1', location: null });
  expect(mirror(copy, env).map(({ event }) => event)).toEqual(['mirrored']);

  importRecord(copy, { ...record, location });
  expect(await watch(copy, env, 1)).toMatchObject([{ type: 'changed', fields: ['location'], memory: { location } }]);
  expect(JSON.parse(memoryRead(copy, ['list'], env))).toMatchObject({ id: 'mem_1', location });
  const [saved, ...rest] = mirror(copy, env);
  expect(saved).toMatchObject({ event: 'saved', part: 'json' });
  expect(rest.map(({ event }) => event)).toEqual(['mirrored']);
  expect(JSON.parse(readFileSync(join(folder, 'mirror', String(saved?.path)), 'utf8'))).toMatchObject({ location });
  expect(mirror(copy, env).map(({ event }) => event)).toEqual(['mirrored']);

  expect(() => importRecord(copy, { ...record, location: 7 })).toThrow(/location/);
  await stop();
});

function copyRepository(): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of files.split('\0').filter(Boolean)) {
    mkdirSync(join(copy, dirname(path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  // Links to other packages are relative, and so lead to those of the copy.
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const modules of globSync('{packages/*,examples/*,docs/code}/node_modules', { cwd: root }))
    cpSync(join(root, modules), join(copy, modules), { recursive: true, verbatimSymlinks: true });
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
  const output = memoryRead(from, ['mirror', join(folder, 'mirror')], env);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Resumes the watch until it has printed so many changes. */
async function watch(from: string, env: Record<string, string>, count: number): Promise<Record<string, unknown>[]> {
  const child = start(from, ['watch', '--state', join(folder, 'watch.json')], env);
  const changes: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    changes.push(JSON.parse(line));
    if (changes.length === count) break;
  }
  await end(child);
  return changes;
}

async function startServer(from: string, port: number) {
  const child = start(from, ['serve', '--db', database, '--port', String(port), '--log', 'none'], {});
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { url: String(JSON.parse(line).baseUrl), stop: () => end(child) };
}

function start(from: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, command(from, args), {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}
