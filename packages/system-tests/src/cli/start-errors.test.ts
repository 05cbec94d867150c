import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runCommand, wordsOfCode } from './run-command.ts';

/** A command line that cannot start, what it says behind `Failed to `, and its environment. */
type StartError = readonly [line: string, says: string, env?: Record<string, string>];

const goodSecret = { id: 'a', secret: 'hush-hush-hush-hush' };
const files = {
  'notes.txt': 'These are hush notes, and no database at all. '.repeat(20),
  'memories.jsonl': '',
  'no-json.json': '[{"id":"a","secret":"hush-hush-hush-hush"',
  'good.json': JSON.stringify([goodSecret]),
  'short.json': JSON.stringify([{ id: 'a', secret: 'hush' }]),
};
const folder = makeFolder(afterAll);
mkdirSync(join(folder, 'directory'));
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
makeDatabase('newer.sqlite', 'PRAGMA user_version = 9999');
makeDatabase('other.sqlite', 'CREATE TABLE memories (text)');

const serve = 'serve --port 0';
const s3 = `${serve} --s3-endpoint https://s3.test --s3-region auto --s3-bucket media`;
const postgres = `${serve} --media-secrets file:good.json --postgres`;
const secretsIn = `${serve} --db new.sqlite --media-secrets`;
const create = 'keys create --account a';
const site = '--base-url=https://a.test';
const credentials = { AWS_ACCESS_KEY_ID: 'AKIAhush', AWS_SECRET_ACCESS_KEY: 'hush' };
const key = { MEMORY_API_KEY: 'mrk_hush' };

const readFromServe = ['db', 'postgres', 'media-dir', 'media-secrets', 'host', 'port', 'public-url', 'log'];
const withAccount = ['import memories.jsonl', 'finish mem_1 good.json', 'keys create'];

/** What is wrong with the command line: it ends with 2. */
const usageErrors: StartError[] = [
  // Values that are missing or empty
  ...[...readFromServe, 's3-endpoint', 's3-region', 's3-bucket'].flatMap((option): StartError[] => [
    [`serve --${option}`, `read the command line: because option '--${option} <`],
    [`serve --${option}=`, `read --${option}: because `],
  ]),
  ...withAccount.flatMap((command): StartError[] => [
    [command, "read the command line: because required option '--account <user-id>' not specified"],
    [`${command} --account`, "read the command line: because option '--account <user-id>' argument missing"],
    [`${command} --account=`, 'read --account: because it is empty'],
    [`${command} --account=mrk_hush`, 'read --account: because it is an API key'],
    [`${command} --account a --db=`, 'read --db: because it is empty'],
  ]),
  ['keys list --db=', 'read --db: because it is empty'],
  ...[...withAccount, 'keys list'].map(
    (command) => [`${command} --account=a --postgres=`, 'read --postgres: '] as const,
  ),
  ['keys list --account=', 'read --account: because it is empty'],
  ['keys revoke', "read the command line: because missing required argument 'key-id'"],
  ['keys revoke mrk_hush', 'read the key id: because it is a key itself'],
  ['import --account a', "read the command line: because missing required argument 'file'"],
  ['hush', 'read the command line: because unknown command'],
  [`${serve} hush`, "read the command line: because too many arguments for 'serve'"],
  [`${serve} --api-key=hush`, "read the command line: because unknown option '--api-key…'"],

  // Values of the wrong kind
  ...['http', '65536', '-1', '80.5'].map((port) => [`serve --port=${port}`, 'read --port: because '] as const),
  [`${serve} --log hush`, 'read --log: because it is no format'],
  [`${serve} --host http://hush`, 'read --host: because it is no address'],
  [`${serve} --public-url hush`, 'read --public-url: because it is no plain http or https URL'],
  [`${serve} --public-url https://ada:hush@a.test`, 'read --public-url: because it is no plain'],
  [`${serve} --public-url https://a.test/?hush`, 'read --public-url: because it is no plain'],
  [`${serve} --public-url https://a.test/v1`, 'read --public-url: because its path begins with /v1'],
  [`${create} --expires soon`, 'read --expires "soon": because it is neither'],

  // Options that contradict each other
  ...['--db x', '--postgres postgres://ada:hush@b/c', '--media-dir x'].map(
    (other) => [`${serve} --in-memory ${other}`, "read the command line: because option '--in-memory' cannot"] as const,
  ),
  [`${serve} --db x --postgres postgres://ada:hush@b/c`, "read the command line: because option '--postgres"],
  [`${serve} --postgres postgres://ada:hush@b/c`, 'read --media-secrets: because all that serve from one'],

  // Secrets and S3
  [`${serve} --in-memory --media-secrets env:$hush`, 'read --media-secrets: because what follows env: is no name'],
  [`${serve} --in-memory --media-secrets hush`, 'read --media-secrets: because it does not say where'],
  [`${serve} --s3-force-path-style`, 'read the S3 options: because --s3-endpoint is missing'],
  [s3, 'read the S3 credentials: because the environment has no AWS_ACCESS_KEY_ID'],
  [
    `${s3} --s3-endpoint https://ada:hush@a.test`,
    'create an S3 media signer: because the endpoint is not',
    credentials,
  ],
  [`${s3} --s3-bucket a/../b`, 'create an S3 media signer: because "a/../b" is no name of a bucket', credentials],
  [`${s3} --s3-region a/b`, 'create an S3 media signer: because "a/b" is no region', credentials],

  // A URL that is none of PostgreSQL
  [`${postgres} postgres://ada:hush@127.0.0.1:99999/c`, 'read --postgres: because it is no URL of a database'],

  // Where to read from, and how
  ...['list', 'get mem_1', 'wait mem_1', 'watch'].flatMap((command): StartError[] => [
    [command, 'read --base-url: because it is missing'],
    [`${command} --base-url=`, 'read --base-url: because it is empty'],
    [`${command} ${site}`, 'read --api-key: because it is missing'],
    [`${command} ${site} --api-key=hush`, 'read --api-key: because it does not say where'],
    [`${command} --base-url=http://a.test`, 'create the client: the base URL would send requests to a.test', key],
    [`${command} --base-url=/memories`, 'create the client: the base URL ', key],
    [`${command} --base-url=https://ada:hush@a.test`, 'create the client: the base URL ', key],
  ]),
  [`get .. ${site}`, 'get a memory: the id is ".."', key],
  ['wait mem_1 --timeout soon', 'read --timeout "soon": because it is no duration'],
  ['watch --interval soon', 'read --interval "soon": because it is no duration'],
  ['watch --state=', 'read --state: because it is empty'],
  [`watch --state notes.txt ${site}`, 'read --state: because the file holds no state of a watch', key],
];

/** What the command finds wrong around it: it ends with 1. */
const failures: StartError[] = [
  [`${create}\x01 --db new.sqlite`, 'store account "a\\u0001": because its user id holds'],

  // SQLite files
  ...[serve, 'keys list', 'import memories.jsonl --account a'].flatMap((command): StartError[] => [
    [`${command} --db notes.txt`, 'use the SQLite store '],
    [`${command} --db /dev/null`, 'open the SQLite store /dev/null: because it is no file'],
    [`${command} --db directory`, 'open the SQLite store directory: because it is a directory'],
    [`${command} --db newer.sqlite`, 'open the SQLite store newer.sqlite: because its schema is version 9999'],
    [`${command} --db other.sqlite`, 'open the SQLite store other.sqlite: because it is the database of'],
  ]),
  [`${serve} --db gone/new.sqlite`, 'open the SQLite store gone/new.sqlite: because there is no directory'],
  ['keys list --db gone.sqlite', 'open gone.sqlite: because there is no such file'],

  // Media and their secrets
  ...['gone', 'notes.txt'].map((directory) => {
    const says = `open the media directory: because "${directory}" is no directory`;
    return [`${serve} --db new.sqlite --media-dir ${directory}`, says] as const;
  }),
  [`${secretsIn} file:no-json.json`, 'read media secrets from file:no-json.json: because it is no'],
  [`${secretsIn} file:short.json`, 'prepare the media secrets: because secret 1 has 4 bytes'],

  // Addresses, and PostgreSQL that is not there; one that refuses is among the tests with PostgreSQL
  [`${serve} --in-memory --host 192.0.2.1`, 'listen on 192.0.2.1:0: because this machine has no such address'],
  [`${serve} --in-memory --host gone.invalid`, 'listen on gone.invalid:0: because this machine has no such'],
  [`${postgres} postgres://ada:hush@127.0.0.1:1/c`, 'use postgres://ada@127.0.0.1:1/c: because nothing listens'],
  [`${postgres} postgres://ada:hush@gone.invalid/c`, 'use postgres://ada@gone.invalid/c: because '],
  [`${postgres} postgres:///c?host=/gone`, 'use postgres:///c: because there is no such socket'],

  // Files to read
  [`watch --state directory ${site}`, 'read --state: because the file cannot be read (EISDIR)', key],
  ['import gone.jsonl --account a --db new.sqlite', 'import gone.jsonl: because it cannot be read (ENOENT)'],
  ...Object.entries({ gone: 'cannot', 'no-json': 'is no JSON', good: 'is no object' }).map(([name, reason]) => {
    const line = `finish m ${name}.json --account a --db new.sqlite`;
    return [line, `read the result from ${name}.json: because it ${reason}`] as const;
  }),
];

test.concurrent.for(usageErrors)('%s ends with 2: Failed to %s', (error) => expectStartError(2, error));

test.concurrent.for(failures)('%s ends with 1: Failed to %s', (error) => expectStartError(1, error));

test('a port that is in use ends with 1', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const says = `listen on 127.0.0.1:${port}: because the port is in use`;
  await expectStartError(1, [`serve --in-memory --port ${port}`, says]);
  blocker.close();
});

test('the catalogue has every option that takes a value', async () => {
  const lines = [...usageErrors, ...failures].map(([line]) => line.split(/[ =]/));
  for (const command of ['serve', 'import', 'finish', 'keys create', 'keys list', 'list', 'get', 'wait', 'watch']) {
    const { stdout } = await runCommand([...command.split(' '), '--help']);
    const options = Array.from(stdout.matchAll(/^ +(--[\w-]+) </gm), ([, option = '']) => option);
    const used = lines.filter((words) => words.includes(command.split(' ').at(-1) ?? '')).flat();
    expect(options.length).toBeGreaterThan(1);
    expect(
      options.filter((option) => !used.includes(option)),
      command,
    ).toEqual([]);
  }
});

/** The command fails in one line of the right form, which repeats no secret. */
async function expectStartError(code: 1 | 2, [line, says, env]: StartError): Promise<void> {
  const { stdout, stderr, code: ended } = await runCommand(line.split(' '), { env, cwd: folder });
  expect(stderr).toMatch(/^Failed to [^\n]+?: because [^\n]+?\. [A-Z][^\n]+\.\n$/);
  expect(stderr).toContain(`Failed to ${says}`);
  expect(stderr).not.toContain('hush');
  if (says.startsWith('use the base URL')) expect(stderr).not.toMatch(wordsOfCode);
  expect([ended, stdout]).toEqual([code, '']);
}

function makeDatabase(name: string, sql: string): void {
  const made = new DatabaseSync(join(folder, name));
  made.exec(sql);
  made.close();
}
