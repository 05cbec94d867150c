import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { endOf } from '@memory-read/test-kit/start-process';
import { isRoot } from '@memory-read/test-kit/without-network';
import { expect, test } from 'vitest';
import { startServe } from './testing/run-cli.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));
/** A user that the system does not know. */
const stranger = { uid: 54_321, gid: 54_321 };
const missing = isRoot ? cannotRead() : 'it needs the user root';
if (missing !== undefined) console.log(`No command runs as an unknown user: ${missing}.`);

test.skipIf(missing).each([
  ['no HOME', () => ({})],
  ['a HOME that is a file', () => ({ HOME: main })],
  ['a HOME that cannot be read', () => ({ HOME: closedFolder() })],
  ['a folder for settings that cannot be read', () => ({ XDG_CONFIG_HOME: closedFolder() })],
])('an unknown user with %s lists with the URL and the key of the environment', async (_, home) => {
  const server = await startServe(['--in-memory']);
  const listed = await runAsStranger(['list', '--limit', '1'], { ...server.env, ...home() });
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(listed.stdout)).toHaveProperty('id');
  const { code, stderr } = await runAsStranger(['list'], home());
  expect(stderr).toMatch(/^Failed to [^\n]+: [^\n]+\. [A-Z][^\n]+\.\n$/);
  expect(code).toBe(2);
});

test.skipIf(missing)('an unknown user uses SQLite, and PostgreSQL needs a name of the user', async () => {
  const folder = closedFolder();
  chmodSync(folder, 0o777);
  const create = ['keys', 'create', '--account', 'ada', '--db', join(folder, 'memories.sqlite')];
  expect(await runAsStranger(create, {})).toMatchObject({ code: 0 });
  const withoutName = await runAsStranger(['keys', 'list', '--postgres', 'postgres://127.0.0.1:1/memories'], {});
  expect(withoutName).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('your user of the system has no name'),
  });
  const named = await runAsStranger(['keys', 'list', '--postgres', 'postgres://ada@127.0.0.1:1/memories'], {});
  expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining('the connection was refused') });
});

function runAsStranger(args: readonly string[], env: Record<string, string>) {
  const command = ['--conditions=@memory-read/source', main, ...args];
  return endOf(spawn(process.execPath, command, { ...stranger, cwd: '/', env }));
}

function closedFolder(): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'notes.txt'), '');
  chmodSync(folder, 0);
  return folder;
}

function cannotRead(): string | undefined {
  try {
    execFileSync(process.execPath, ['--version', main], { ...stranger, cwd: '/', stdio: 'ignore' });
    execFileSync('test', ['-r', main], { ...stranger, cwd: '/', stdio: 'ignore' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
