import { once } from 'node:events';
import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { type PostgresServer, startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnCommand } from '../serving/start-serve.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let encrypted: PostgresServer;

beforeAll(async () => {
  [primary, encrypted] = await Promise.all([startPostgres(), startPostgres({ isTlsRequired: true })]);
  standby = await primary.startStandby();
});

afterAll(() => Promise.all([primary, standby, encrypted].map((server) => server.stop())));

// Made with openssl, valid until 2120: Node cannot make certificates.
const certificates = join(import.meta.dirname, 'certificates', '/');
const createKey = ['keys', 'create', '--account', 'ada'];

test('with read-write, a standby that is listed first is passed over', async () => {
  const hosts = `${hostOf(standby)},${hostOf(primary)}`;
  const written = await run(`postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`, createKey);
  expect(written).toMatchObject({ code: 0, stderr: '' });
});

test('without read-write, or with only a standby, a write fails and the message names all hosts', async () => {
  await run(primary.url, createKey);
  const hosts = `${hostOf(standby)},${hostOf(primary)}`;
  const ofAny = await run(`postgres://postgres:hush@${hosts}/postgres`, createKey);
  expect(ofAny).toEqual({
    code: 1,
    stdout: '',
    stderr: `Failed to use postgres://postgres@${hosts}/postgres: the database is read-only. Use the primary server.\n`,
  });
  const alone = `127.0.0.1:1,${hostOf(standby)}`;
  const { code, stderr } = await run(
    `postgres://postgres:hush@${alone}/postgres?target_session_attrs=read-write`,
    createKey,
  );
  expect(stderr).toBe(
    `Failed to use postgres://postgres@${alone}/postgres: none of its hosts accepts writes. Check that the primary server is one of them and runs.\n`,
  );
  expect(code).toBe(1);
});

test('a host that is gone is passed over', async () => {
  const { code, stderr } = await run(`postgres://postgres@127.0.0.1:1,${hostOf(primary)}/postgres`, createKey);
  expect([code, stderr]).toEqual([0, '']);
});

test.each([
  ['sslmode=verify-full&sslrootcert=authority.pem', 'localhost'],
  ['sslmode=verify-ca&sslrootcert=authority.pem', 'localhost'],
  ['sslmode=require&sslrootcert=authority.pem', 'localhost'],
  ['sslmode=no-verify', '127.0.0.1'],
])('%s encrypts the connection to %s, without a warning', async (parameters, host) => {
  expect(await run(urlOfEncrypted(parameters, host), createKey)).toMatchObject({ code: 0, stderr: '' });
});

test('PGSSLMODE counts if the URL has no sslmode', async () => {
  const env = { PGSSLMODE: 'no-verify' };
  expect(await run(encrypted.url, createKey, env)).toMatchObject({ code: 0, stderr: '' });
});

test.each([
  ['sslmode=disable', 'localhost', 'the server rejected the user or the password \\(no pg_hba.conf entry .+\\)'],
  ['sslmode=require', 'localhost', 'its certificate is not trusted'],
  ['sslmode=verify-full&sslrootcert=other-authority.pem', 'localhost', 'its certificate is not trusted'],
  ['sslmode=require&sslrootcert=authority.pem', '127.0.0.1', 'its certificate is for another host name'],
  ['sslmode=verify-ca&sslrootcert=authority.pem', '127.0.0.1', 'its certificate is for another host name'],
  ['sslmode=verify-full&sslrootcert=authority.pem', '127.0.0.1', 'its certificate is for another host name'],
])('%s does not connect to %s', async (parameters, host, reason) => {
  const { code, stderr } = await run(urlOfEncrypted(parameters, host), createKey);
  expect(stderr).toMatch(new RegExp(`^Failed to use postgres://postgres@${host}:\\d+/postgres: ${reason}\\. .*\\n$`));
  expect(code).toBe(1);
});

test('sslcert and sslkey prove who connects, if only the owner can read the key', async () => {
  const key = join(makeFolder(), 'client.key');
  cpSync(join(certificates, 'client.key'), key);
  const url = urlOfEncrypted('sslmode=verify-full&sslrootcert=authority.pem', 'localhost').replace(
    '/postgres?',
    '/certified?',
  );
  const identity = `&sslcert=${encodeURIComponent(join(certificates, 'client.pem'))}&sslkey=${encodeURIComponent(key)}`;
  chmodSync(key, 0o600);
  // The server looks for the database only after it has accepted the certificate.
  expect((await run(url + identity, createKey)).stderr).toMatch(/: the database does not exist\. /);
  expect((await run(url, createKey)).stderr).toMatch(/: the server rejected the user or the password \(.+\)\. /);
  chmodSync(key, 0o640);
  const { code, stderr } = await run(url + identity, createKey);
  expect(stderr).toMatch(/^Failed to read .*client\.key: other users have access to it\. /);
  expect(code).toBe(2);
});

test('a server without TLS gets no plain text instead', async () => {
  const { code, stderr } = await run(`${primary.url}?sslmode=require`, createKey);
  expect(stderr).toMatch(/: the server does not support TLS\. /);
  expect(code).toBe(1);
});

function hostOf({ url }: PostgresServer): string {
  return new URL(url).host;
}

function urlOfEncrypted(parameters: string, host: string): string {
  const url = encrypted.url.replace('127.0.0.1', host);
  return `${url}?${parameters.replace('sslrootcert=', `sslrootcert=${encodeURIComponent(certificates)}`)}`;
}

async function run(url: string, args: readonly string[], env: Record<string, string> = {}) {
  const surroundings = { NO_COLOR: '1', NODE_OPTIONS: '', DATABASE_URL: url, ...env };
  const child = spawnCommand([...args, '--postgres', 'env:DATABASE_URL'], {
    cwd: makeFolder(),
    env: surroundings,
    isFromSources: true,
  });
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
