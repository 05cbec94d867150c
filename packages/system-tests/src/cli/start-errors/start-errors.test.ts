import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { expectStartError, helpOf, type StartError } from './expect-start-error.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-start-errors-'));
  mkdirSync(join(folder, 'directory'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  makeDatabase('newer.sqlite', 'PRAGMA user_version = 9999');
  makeDatabase('other.sqlite', 'CREATE TABLE memories (text)');
  return () => rmSync(folder, { recursive: true });
});

const goodSecret = { id: 'a', secret: 'hush-hush-hush-hush' };
const files = {
  'notes.txt': 'These are hush notes, and no database at all. '.repeat(20),
  'memories.jsonl': '',
  'no-json.json': '[{"id":"a","secret":"hush-hush-hush-hush"',
  'empty.json': '[]',
  'one.json': JSON.stringify(goodSecret),
  'good.json': JSON.stringify([goodSecret]),
  'twice.json': JSON.stringify([goodSecret, goodSecret]),
  'short.json': JSON.stringify([{ id: 'a', secret: 'hush' }]),
  'swapped.json': JSON.stringify([{ id: 'hush-hush-hush-hush', secret: 'a' }]),
  'odd-id.json': JSON.stringify([{ id: 'hush hush', secret: 'a' }]),
};

const credentials = { AWS_ACCESS_KEY_ID: 'AKIAhush', AWS_SECRET_ACCESS_KEY: 'hush' };
const s3 = ['--s3-endpoint', 'https://s3.test', '--s3-region', 'auto', '--s3-bucket', 'media'];
const database = ['--db', 'new.sqlite'];
const postgres = ['--media-secrets', 'file:good.json', '--postgres'];
const serve = (...args: string[]) => ['serve', '--port', '0', ...args];
const wrong = (args: string[], says: string, env?: Record<string, string>): StartError => ({
  args,
  code: 2,
  says,
  env,
});
const failed = (args: string[], says: string): StartError => ({ args, code: 1, says });

const valueOptions = ['--db', '--postgres', '--media-dir', '--media-secrets', '--host', '--port', '--public-url'];
const others = ['--log', '--s3-endpoint', '--s3-region', '--s3-bucket'];
const withAccount = [
  ['import', 'memories.jsonl'],
  ['finish', 'mem_1', 'good.json'],
  ['keys', 'create'],
];

const key = { MEMORY_API_KEY: 'mrk_hush' };
const reading = [['list'], ['get'], ['wait'], ['watch']];

const startErrors: StartError[] = [
  // Values that are missing or empty
  ...[...valueOptions, ...others].flatMap((option) => [
    wrong(['serve', option], `read the command line: because option '${option} <`),
    wrong(['serve', `${option}=`], `read ${option}: because `),
  ]),
  ...withAccount.flatMap((command) => [
    wrong(command, "read the command line: because required option '--account <user-id>' not specified"),
    wrong([...command, '--account'], "read the command line: because option '--account <user-id>' argument missing"),
    wrong([...command, '--account='], 'read --account: because it is empty'),
    wrong([...command, '--account=mrk_hush'], 'read --account: because it is an API key'),
    wrong([...command, '--account', 'a', '--db='], 'read --db: because it is empty'),
  ]),
  wrong(['keys', 'list', '--db='], 'read --db: because it is empty'),
  ...[...withAccount, ['keys', 'list']].map((command) =>
    wrong([...command, '--account=a', '--postgres='], 'read --postgres: '),
  ),
  wrong(['keys', 'list', '--account='], 'read --account: because it is empty'),
  wrong(['keys', 'revoke'], "read the command line: because missing required argument 'key-id'"),
  wrong(['keys', 'revoke', 'mrk_hush'], 'read the key id: because it is a key itself'),
  wrong(['import', '--account', 'a'], "read the command line: because missing required argument 'file'"),
  wrong(['hush'], 'read the command line: because unknown command'),
  wrong(serve('hush'), "read the command line: because too many arguments for 'serve'"),
  wrong(serve('--api-key=hush'), "read the command line: because unknown option '--api-key…'"),

  // Values of the wrong kind
  ...['http', '65536', '-1', '80.5'].map((port) => wrong(['serve', `--port=${port}`], 'read --port: because ')),
  wrong(serve('--log', 'hush'), 'read --log: because it is no format'),
  wrong(serve('--host', 'http://hush'), 'read --host: because it is no address'),
  wrong(serve('--public-url', 'hush'), 'read --public-url: because it is no plain http or https URL'),
  wrong(serve('--public-url', 'https://ada:hush@a.test'), 'read --public-url: because it is no plain'),
  wrong(serve('--public-url', 'https://a.test/?hush'), 'read --public-url: because it is no plain'),
  wrong(serve('--public-url', 'https://a.test/v1'), 'read --public-url: because its path begins with /v1'),
  ...['soon', '5y', '2027-02-30'].map((expires) =>
    wrong(
      ['keys', 'create', '--account', 'a', '--expires', expires],
      `read --expires "${expires}": because it is neither`,
    ),
  ),
  wrong(
    ['keys', 'create', '--account', 'a', '--expires', '2020-01-01'],
    'read --expires "2020-01-01": because that is over',
  ),
  failed(['keys', 'create', '--account', 'a\x01', ...database], 'store account "a\\u0001": because its user id holds'),

  // Options that contradict each other
  ...[
    ['--db', 'x'],
    ['--postgres', 'postgres://ada:hush@b/c'],
    ['--media-dir', 'x'],
  ].map((other) =>
    wrong(serve('--in-memory', ...other), "read the command line: because option '--in-memory' cannot be used with"),
  ),
  wrong(
    serve('--db', 'x', '--postgres', 'postgres://ada:hush@b/c'),
    "read the command line: because option '--postgres",
  ),
  ...[['--media-dir', 'x'], ['--media-secrets', 'file:good.json'], ['--demo'], ['--in-memory']].map((other) =>
    wrong(serve(...s3, ...other), "read the command line: because option '--s3-", credentials),
  ),
  wrong(serve('--postgres', 'postgres://ada:hush@b/c'), 'read --media-secrets: because all that serve from one'),

  // SQLite files
  ...[serve(), ['keys', 'list'], ['import', 'memories.jsonl', '--account', 'a']].flatMap((command) => [
    failed([...command, '--db', 'notes.txt'], 'use the SQLite store '),
    failed([...command, '--db', '/dev/null'], 'open the SQLite store /dev/null: because it is no file'),
    failed([...command, '--db', 'directory'], 'open the SQLite store directory: because it is a directory'),
    failed(
      [...command, '--db', 'newer.sqlite'],
      'open the SQLite store newer.sqlite: because its schema is version 9999',
    ),
    failed([...command, '--db', 'other.sqlite'], 'open the SQLite store other.sqlite: because it is the database of'),
  ]),
  failed(serve('--db', 'gone/new.sqlite'), 'open the SQLite store gone/new.sqlite: because there is no directory'),
  failed(['keys', 'list', '--db', 'gone.sqlite'], 'open gone.sqlite: because there is no such file'),

  // Media and their secrets
  failed(serve(...database, '--media-dir', 'gone'), 'open the media directory: because "gone" is no directory'),
  failed(
    serve(...database, '--media-dir', 'notes.txt'),
    'open the media directory: because "notes.txt" is no directory',
  ),
  ...['no-json', 'empty', 'one'].map((name) =>
    failed(secretsIn(name), `read media secrets from file:${name}.json: because it is no`),
  ),
  failed(secretsIn('gone'), 'read media secrets from file:gone.json: because there is no such file'),
  failed(
    serve(...database, '--media-secrets', 'file:directory'),
    'read media secrets from file:directory: because it cannot',
  ),
  failed(secretsIn('twice'), 'prepare the media secrets: because secret 2 has the id of an earlier one'),
  failed(secretsIn('short'), 'prepare the media secrets: because secret 1 has 4 bytes'),
  failed(secretsIn('swapped'), 'prepare the media secrets: because secret 1 has 1 bytes'),
  failed(secretsIn('odd-id'), 'prepare the media secrets: because the id of secret 1 cannot stand in a URL'),
  failed(
    serve('--in-memory', '--media-secrets', 'env:GONE'),
    'read media secrets from env:GONE: because the environment',
  ),
  wrong(
    serve('--in-memory', '--media-secrets', 'env:$hush'),
    'read --media-secrets: because what follows env: is no name',
  ),
  wrong(serve('--in-memory', '--media-secrets', 'hush'), 'read --media-secrets: because it does not say where'),

  // S3
  ...[0, 2, 4].map((left) =>
    wrong(
      serve(...s3.slice(0, left), ...s3.slice(left + 2)),
      `read the S3 options: because ${s3[left]} is missing`,
      credentials,
    ),
  ),
  wrong(serve('--s3-force-path-style'), 'read the S3 options: because --s3-endpoint is missing'),
  wrong(serve(...s3), 'read the S3 credentials: because the environment has no AWS_ACCESS_KEY_ID'),
  wrong(serve(...s3), 'read the S3 credentials: because the environment has no AWS_SECRET_ACCESS_KEY', {
    AWS_ACCESS_KEY_ID: 'AKIAhush',
  }),
  wrong(serve(...s3), 'create an S3 media signer: because the secretAccessKey', {
    ...credentials,
    AWS_SECRET_ACCESS_KEY: 'hush hush',
  }),
  ...['nowhere', 'ftp://a.test', 'https://ada:hush@a.test', 'https://a.test/?hush'].map((endpoint) =>
    wrong(
      serve(...s3, '--s3-endpoint', endpoint),
      'create an S3 media signer: because the endpoint is not',
      credentials,
    ),
  ),
  wrong(
    serve(...s3, '--s3-bucket', 'a/../b'),
    'create an S3 media signer: because "a/../b" is no name of a bucket',
    credentials,
  ),
  wrong(serve(...s3, '--s3-region', 'a b'), 'create an S3 media signer: because "a b" is no region', credentials),

  // Addresses
  failed(
    serve('--in-memory', '--host', '192.0.2.1'),
    'listen on 192.0.2.1:0: because this machine has no such address',
  ),
  failed(serve('--in-memory', '--host', 'gone.invalid'), 'listen on gone.invalid:0: because this machine has no such'),

  // PostgreSQL that is not there; one that refuses is among the tests with PostgreSQL
  ...['hush', 'mysql://ada:hush@b/c', 'postgres://ada:hush@127.0.0.1:99999/c'].map((url) =>
    wrong(serve(...postgres, url), 'read --postgres: because it is no URL of a database'),
  ),
  wrong(serve(...postgres, 'postgres://ada:hu#hush@b/c'), 'read --postgres: because '),
  failed(
    serve(...postgres, 'postgres://ada:hush@127.0.0.1:1/c'),
    'use postgres://ada@127.0.0.1:1/c: because nothing listens',
  ),
  failed(serve(...postgres, 'postgres://ada:hush@gone.invalid/c'), 'use postgres://ada@gone.invalid/c: because '),
  failed(serve(...postgres, 'postgres:///c?host=/gone'), 'use postgres:///c: because there is no such socket'),

  // Where to read from, and how
  ...reading
    .map(([name = '']) => [name, ...(/get|wait/.test(name) ? ['mem_1'] : [])])
    .flatMap((command) => [
      wrong(command, 'read --base-url: because it is missing'),
      wrong([...command, '--base-url='], 'read --base-url: because it is empty'),
      wrong([...command, '--base-url=https://a.test'], 'read --api-key: because it is missing'),
      wrong(
        [...command, '--base-url=https://a.test', '--api-key=hush'],
        'read --api-key: because it does not say where',
      ),
      wrong(
        [...command, '--base-url=http://a.test'],
        'use the base URL: because it sends everything in the clear',
        key,
      ),
    ]),
  wrong(['get', '..', '--base-url=https://a.test'], 'get a memory: because its id is ".."', key),
  ...['soon', '5', '0s', '9999h'].flatMap((duration) => [
    wrong(['wait', 'mem_1', '--timeout', duration], `read --timeout "${duration}": because it is no duration`),
    wrong(['watch', '--interval', duration], `read --interval "${duration}": because it is no duration`),
  ]),
  wrong(['watch', '--state='], 'read --state: because it is empty'),
  ...[
    wrong(['watch', '--state', 'notes.txt'], 'read --state: because the file holds no state of a watch', key),
    {
      ...failed(['watch', '--state', 'directory'], 'read --state: because the file cannot be read (EISDIR)'),
      env: key,
    },
  ].map((error) => ({ ...error, args: [...error.args, '--base-url=https://a.test'] })),

  // Files to read
  failed(
    ['import', 'gone.jsonl', '--account', 'a', ...database],
    'import gone.jsonl: because it cannot be read (ENOENT)',
  ),
  failed(
    ['finish', 'm', 'gone.json', '--account', 'a', ...database],
    'read the result from gone.json: because it cannot',
  ),
  failed(
    ['finish', 'm', 'no-json.json', '--account', 'a', ...database],
    'read the result from no-json.json: because it is no JSON',
  ),
  failed(
    ['finish', 'm', 'good.json', '--account', 'a', ...database],
    'read the result from good.json: because it is no object',
  ),
];

test.concurrent.each(startErrors)('$args ends with $code: Failed to $says', async (error) => {
  await expectStartError(error, folder);
});

test('a port that is in use ends with 1', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const port = String((blocker.address() as AddressInfo).port);
  const says = `listen on 127.0.0.1:${port}: because the port is in use`;
  await expectStartError(failed(['serve', '--in-memory', '--port', port], says), folder);
  blocker.close();
});

test('the catalogue has every option that takes a value', async () => {
  for (const command of [['serve'], ['import'], ['finish'], ['keys', 'create'], ['keys', 'list'], ...reading]) {
    const options = Array.from((await helpOf(command)).matchAll(/^ +(--[\w-]+) </gm), ([, option]) => option);
    const used = startErrors.filter(({ args }) => args.includes(command.at(-1) ?? '')).flatMap(({ args }) => args);
    expect(options.length).toBeGreaterThan(1);
    const missing = options.filter((option) => !used.some((arg) => arg.split('=')[0] === option));
    expect(missing, command.join(' ')).toEqual([]);
  }
});

function secretsIn(name: string): string[] {
  return serve(...database, '--media-secrets', `file:${name}.json`);
}

function makeDatabase(name: string, sql: string): void {
  const made = new DatabaseSync(join(folder, name));
  made.exec(sql);
  made.close();
}
