import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashApiKey } from '@memory-read/server';
import { expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, runCli, startServe } from '../testing/run-cli.ts';
import { spawnCli } from '../testing/spawn-cli.ts';
import { newDatabase, withStore } from '../testing/sqlite-file.ts';

test('prints a new key once and stores only its hash', async () => {
  const db = newDatabase();
  const { code, stdout, stderr } = await runCli(['keys', 'create', '--account', 'user_1', '--db', db]);
  const { keyId, userId, apiKey, expiresAt } = JSON.parse(stdout);
  expect([code, stderr, userId, expiresAt]).toEqual([0, `Created ${db}.\n`, 'user_1', null]);
  expect(await runCli(['keys', 'create', '--account', 'user_1', '--db', db])).toMatchObject({ code: 0, stderr: '' });
  expect(apiKey).toMatch(/^mrk_[\w-]{43}$/);
  expect(readFileSync(db).includes(apiKey)).toBe(false);
  expect(await findKey(db, apiKey)).toEqual({ keyId, userId: 'user_1', active: true, createdAt: expect.any(Date) });
});

test('a new key is accepted, and rejected after it is revoked, while the server runs', async () => {
  const db = newDatabase();
  const { apiKey, keyId } = JSON.parse((await runCli(['keys', 'create', '--account', 'user_1', '--db', db])).stdout);
  const { baseUrl } = await startServe(['--db', db], { cwd: dirname(db) });
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await fetch(`${baseUrl}/v1/memories`, { headers })).status).toBe(200);
  const revoked = await runCli(['keys', 'revoke', keyId, '--db', db]);
  expect([revoked.code, JSON.parse(revoked.stdout)]).toEqual([0, { event: 'revoked', keyId }]);
  expect((await fetch(`${baseUrl}/v1/memories`, { headers })).status).toBe(401);
});

test.runIf(existsSync('/dev/full'))('revokes a new key that cannot be shown', async () => {
  const db = newDatabase();
  const created = await spawnCli(['keys', 'create', '--account', 'user_1', '--db', db], { output: '/dev/full' }).result;
  expect(created.stderr).toBe(
    'Failed to print the new key: standard output cannot be written (ENOSPC). The key was revoked. Create another one.\n',
  );
  expect(created.code).toBe(1);
  expect(JSON.parse((await runCli(['keys', 'list', '--db', db])).stdout).status).toBe('revoked');
});

test('lists the keys of all accounts or of one as JSON Lines, never a key', async () => {
  const db = newDatabase();
  const create = async (...args: string[]) =>
    JSON.parse((await runCli(['keys', 'create', '--db', db, '--account', ...args])).stdout);
  const first = await create('user_1', '--expires', '2999-01-31T12:00Z', '--label', 'Ada’s laptop');
  const second = await create('user_2');
  await runCli(['keys', 'revoke', second.keyId, '--db', db]);

  const all = await runCli(['keys', 'list', '--db', db]);
  expect(all.stdout).not.toContain('mrk_');
  const rows = jsonLines(all.stdout);
  expect(rows).toHaveLength(2);
  const { apiKey: _, ...created } = first;
  expect(created).toMatchObject({ userId: 'user_1', expiresAt: '2999-01-31T12:00:00.000Z', label: 'Ada’s laptop' });
  expect(rows).toContainEqual({ ...created, status: 'active', createdAt: expect.stringMatching(/^2.*Z$/) });
  const { keyId, createdAt } = second;
  const revoked = { userId: 'user_2', status: 'revoked', expiresAt: null, label: null };
  expect(rows).toContainEqual({ keyId, createdAt, ...revoked });

  const unknown = 'Failed to list the keys of "nobody": the account does not exist. Check its spelling.\n';
  await expectFailure(runCli(['keys', 'list', '--account', 'nobody', '--db', db]), 4, unknown);
  const asJson = await runCli(['keys', 'list', '--format', 'json', '--db', db]);
  expect(JSON.parse(asJson.stdout)).toEqual(rows);
  const table = await runCli(['keys', 'list', '--format', 'table', '--db', db]);
  expect(table.stdout.split('\n')[0]).toMatch(/^KEY ID +ACCOUNT +LABEL +STATUS +CREATED +EXPIRES$/);
  expect(table.stdout).toContain(`${first.keyId}  user_1   Ada’s laptop  active`);
  const narrow = await runCli(['keys', 'list', '--format', 'table', '--db', db], { env: { COLUMNS: '80' } });
  expect(narrow.stdout).toMatch(/ {2}user_1 .* {2}\d{4}-\d\d-\d\d {2}2999-01-31 \d\d:\d\d$/m);
  const one = await runCli(['keys', 'list', '--account', 'user_2', '--db', db]);
  expect(JSON.parse(one.stdout).keyId).toBe(second.keyId);
});

test('ends with 4 when the key to revoke is unknown', async () => {
  const db = newDatabase();
  await runCli(['keys', 'create', '--account', 'user_1', '--db', db]);
  await expectFailure(
    runCli(['keys', 'revoke', 'key_none', '--db', db]),
    4,
    `Failed to revoke "key_none": there is no such key. See memory-read keys list --db ${db}.\n`,
  );
});

function findKey(path: string, apiKey: string) {
  return withStore(path, (store) => store.findApiKey(hashApiKey(apiKey)));
}
