import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../testing/run-cli.ts';
import { readPostgresSource } from './postgres-source.ts';

const url = 'postgres://ada:hush@db/memories';
const env = { DATABASE_URL: `${url}\n` };
const isRoot = process.getuid?.() === 0;

test('reads the URL of a variable or a file, without white space at the end', () => {
  const path = write(`${url} \r\n\n`, 0o600);
  for (const source of ['env:DATABASE_URL', `file:${path}`]) {
    const database = readPostgresSource(source, env);
    const expected = { name: 'postgres://ada@db/memories', option: source, settings: { password: 'hush' } };
    expect(database).toMatchObject(expected);
  }
});

test.each([
  'postgres://ada@db/memories',
  'postgresql://ada:@db/memories?password=',
  'postgres:///memories?host=/run/postgresql&user=ada',
])('reads %s, which has no password, from the command line', (source) => {
  const { option, settings } = readPostgresSource(source, {});
  expect([option, settings.user, settings.password]).toEqual(['URL', 'ada', '']);
});

test.each([
  ...['postgres://ada:hush@db/memories', 'POSTGRESQL://ada:%68ush@db/memories', 'postgres://:hush@db'],
  'postgres://ada:hu@sh@db1,db2:5433/memories?sslmode=verify-full',
  ...['postgres://ada:hush@/memories?host=/run/postgresql', 'postgres:///memories?host=/run/postgresql&password=hush'],
  ...['postgres://db/memories?p%61ssword=%68ush', 'postgres://ada:hush@db/memories?password='],
  ...['postgres://ada:@db/memories?password=hush', 'postgres://ada:%20@db/memories'],
])('refuses %s, which has a password, on the command line, and does not repeat it', (source) => {
  const read = () => readPostgresSource(source, {});
  expect(read).toThrow(
    /^Failed to read --postgres: a password on the command line is visible to other users of this machine\. Pass env:NAME or file:PATH, or leave the password out and set PGPASSWORD\.$/,
  );
  expect(read).toThrow(expect.objectContaining({ exitCode: 2 }));
  const { password } = readPostgresSource('env:SOURCE', { SOURCE: source }).settings;
  expect(['hush', 'hu@sh', ' ']).toContain(password);
});

test.runIf(process.platform !== 'win32')('refuses a file to which other users have access', () => {
  for (const mode of [0o640, 0o604, 0o620]) {
    expect(() => readPostgresSource(`file:${write(url, mode)}`, env)).toThrow(
      /: other users have access to it\. Run chmod/,
    );
  }
});

test.runIf(isRoot)('reads a file that is mounted for another user, unless others can write it', () => {
  for (const [mode, isRead] of [
    [0o444, true],
    [0o440, true],
    [0o664, false],
  ] as const) {
    const path = write(url, mode);
    chownSync(path, 65_534, 65_534);
    const read = () => readPostgresSource(`file:${path}`, env);
    if (isRead) expect(read().settings.password).toBe('hush');
    else expect(read).toThrow(/other users have access/);
  }
});

test('rejects sources that cannot be read as wrong usage, and repeats no secret', () => {
  const env = { DATABASE_URL: 'hush' };
  for (const source of [
    ...['env:DATABASE_URL', 'env:NO_SUCH_URL', 'env:$hush', 'env:', 'env:postgres://ada:hush@db/memories', 'file:'],
    ...['file:gone', 'file:/', 'file:postgres://ada:hush@db/memories', `file:${write('', 0o600)}`],
    `file:${write('hush', 0o600)}`,
  ]) {
    const read = () => readPostgresSource(source, env);
    expect(read).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(read).not.toThrow(/hush/);
  }
  expect(() => readPostgresSource('env:NO_SUCH_URL', env)).toThrow(/the environment variable NO_SUCH_URL is not set\./);
  expect(() => readPostgresSource('file:gone', env)).toThrow(/the file "gone" does not exist\./);
});

function write(text: string, mode: number): string {
  const path = join(temporaryDirectory(), 'url');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}
