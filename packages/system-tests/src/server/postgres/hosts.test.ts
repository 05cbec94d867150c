import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { root } from '@memory-read/test-kit/repository';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let encrypted: PostgresServer;

beforeAll(async () => {
  [primary, encrypted] = await Promise.all([startPostgres(), startPostgres({ isTlsRequired: true })]);
  standby = await primary.startStandby();
});

afterAll(() => Promise.all([primary, standby, encrypted].map((server) => server.stop())));

// Made with openssl, valid until 2120: Node cannot make certificates.
const certificates = join(root, 'packages/test-kit/src/postgres/certificates', '/');
const createKey = ['keys', 'create', '--account', 'ada'];

test('with read-write, a standby is passed over, and an error names all hosts', async () => {
  const hosts = `postgres@${hostOf(standby)},${hostOf(primary)}/postgres`;
  const written = await runCommand(`postgres://${hosts}?target_session_attrs=read-write`, createKey);
  expect(written).toMatchObject({ code: 0, stderr: '' });
  expect(await runCommand(`postgres://${hosts.replace('@', ':hush@')}`, createKey)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to use postgres://${hosts}: the database is read-only. Use the primary server.\n`,
  });
  const none = `postgres@127.0.0.1:1,${hostOf(standby)}/postgres`;
  const refused = await runCommand(
    `postgres://${none.replace('@', ':hush@')}?target_session_attrs=read-write`,
    createKey,
  );
  expect(refused).toMatchObject({
    code: 1,
    stderr: `Failed to use postgres://${none}: none of its hosts accepts writes. Check that the primary server is one of them and runs.\n`,
  });
});

test.each([
  ['sslmode=verify-full&sslrootcert=authority.pem', 'localhost'],
  ['sslmode=no-verify', '127.0.0.1'],
])('%s encrypts the connection to %s, without a warning', async (parameters, host) => {
  expect(await runCommand(urlOfEncrypted(parameters, host), createKey)).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['sslmode=require', 'localhost', 'its certificate is not trusted'],
  ['sslmode=verify-full&sslrootcert=other-authority.pem', 'localhost', 'its certificate is not trusted'],
  ['sslmode=verify-ca&sslrootcert=authority.pem', '127.0.0.1', 'its certificate is for another host name'],
])('%s does not connect to %s', async (parameters, host, reason) => {
  const { code, stderr } = await runCommand(urlOfEncrypted(parameters, host), createKey);
  expect(stderr).toMatch(new RegExp(`^Failed to use postgres://postgres@${host}:\\d+/postgres: ${reason}\\. .*\\n$`));
  expect(code).toBe(1);
});

test('sslcert and sslkey prove who connects, if only the owner can read the key', async () => {
  const key = join(makeFolder(), 'client.key');
  cpSync(join(certificates, 'client.key'), key);
  const url = urlOfEncrypted('sslmode=verify-full&sslrootcert=authority.pem', 'localhost', 'certified');
  const identity = `&sslcert=${encodeURIComponent(join(certificates, 'client.pem'))}&sslkey=${encodeURIComponent(key)}`;
  chmodSync(key, 0o600);
  // The server looks for the database only after it has accepted the certificate.
  expect((await runCommand(url + identity, createKey)).stderr).toMatch(/: the database does not exist\. /);
  expect((await runCommand(url, createKey)).stderr).toMatch(/: the server rejected the user or the password \(.+\)\. /);
  chmodSync(key, 0o640);
  const { code, stderr } = await runCommand(url + identity, createKey);
  expect(stderr).toMatch(/^Failed to read .*client\.key: other users have access to it\. /);
  expect(code).toBe(2);
});

test.each([
  ['of the URL', 'hush', {}, 'the database does not exist.'],
  ['of PGPASSWORD', '', { PGPASSWORD: 'hush' }, 'the database does not exist.'],
  ['that is wrong', 'hush-too', {}, 'the server rejected the user or the password (password authentication failed for'],
  ['that is missing', '', {}, 'the server requires a password, and there is none. Add it to the URL of the database, '],
] as const)('with the password %s, commands end in one line without it', async (_, password, env, reason) => {
  const administrator = new Client({ connectionString: urlOfEncrypted('sslmode=no-verify', '127.0.0.1') });
  await administrator.connect();
  await administrator.query("ALTER ROLE postgres PASSWORD 'hush'");
  await administrator.end();
  const url = urlOfEncrypted('sslmode=no-verify', '127.0.0.1', 'locked').replace('postgres@', `postgres:${password}@`);
  const { code, stdout, stderr } = await runCommand(url, ['keys', 'list'], { env });
  expect(stderr).toMatch(/^Failed to use postgres:\/\/postgres@127\.0\.0\.1:\d+\/locked: [^\n]+\.\n$/);
  expect(stderr).toContain(`: ${reason}`);
  expect(stderr).not.toContain('hush');
  expect([code, stdout]).toEqual([1, '']);
});

test('a server without TLS gets no plain text instead', async () => {
  const { code, stderr } = await runCommand(`${primary.url}?sslmode=require`, createKey);
  expect(stderr).toMatch(/: the server does not support TLS\. /);
  expect(code).toBe(1);
});

function hostOf({ url }: PostgresServer): string {
  return new URL(url).host;
}

function urlOfEncrypted(parameters: string, host: string, database = 'postgres'): string {
  const { port } = new URL(encrypted.url);
  const encoded = parameters.replace('sslrootcert=', `sslrootcert=${encodeURIComponent(certificates)}`);
  return `postgres://postgres@${host}:${port}/${database}?${encoded}`;
}
