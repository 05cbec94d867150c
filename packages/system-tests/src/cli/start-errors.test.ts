import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';
import { runCommand, wordsOfCode } from './run-command.ts';

/** A command line that cannot start, its message after `Failed to `, and its environment. */
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
const secretsIn = `${serve} --create --db new.sqlite --media-secrets`;
const create = 'keys create --account a';
const site = '--base-url=https://a.test';
const credentials = { AWS_ACCESS_KEY_ID: 'AKIAhush', AWS_SECRET_ACCESS_KEY: 'hush' };
const key = { MEMORY_API_KEY: 'mrk_hush' };

const range = '--since 2026-11-02 --until 2026-11-01';
/** Commands that save or search many memories. */
const many = ['mirror', 'digest', 'download --all', 'export --all x --format srt', 'search a'];
const readFromServe = ['db', 'postgres', 'media-dir', 'media-secrets', 'host', 'port', 'public-url', 'log'];
const withAccount = ['import memories.jsonl', 'finish mem_1 good.json', 'keys create'];

/** Errors of the command line, which end with 2. */
const usageErrors: StartError[] = [
  // Missing or empty values
  ...[...readFromServe, 's3-endpoint', 's3-region', 's3-bucket'].flatMap((option): StartError[] => [
    [`serve --${option}`, `read the command line: option '--${option} <`],
    [`serve --${option}=`, `read --${option}: `],
  ]),
  ['serve --trust-proxy', "read the command line: option '--trust-proxy <"],
  ['serve --metrics-port', "read the command line: option '--metrics-port <"],
  ['serve --metrics-port=', 'read --metrics-port: "" is not a port'],
  ['serve --max-connections', "read the command line: option '--max-connections <"],
  ['serve --max-connections=', 'read --max-connections: "" is not a whole number'],
  ...['postgres-pool-size', 'postgres-read-timeout'].map(
    (option) => [`serve --${option}`, `read the command line: option '--${option} <`] as const,
  ),
  ['serve --postgres-pool-size=0', 'read --postgres-pool-size: "0" is not a whole number from 1'],
  ['serve --postgres-read-timeout=5', 'read --postgres-read-timeout: "5" is not a duration'],
  ['serve --db x --postgres-pool-size=3', "read the command line: option '--postgres-pool-size <number>' cannot"],
  ...withAccount.flatMap((command): StartError[] => [
    [command, "read the command line: required option '--account <user-id>' not specified"],
    [`${command} --account`, "read the command line: option '--account <user-id>' argument missing"],
    [`${command} --account=`, 'read --account: the value is empty'],
    [`${command} --account=mrk_hush`, 'read --account: this is an API key'],
    [`${command} --account a --db=`, 'read --db: the value is empty'],
  ]),
  ['keys list --db=', 'read --db: the value is empty'],
  ['import memories.jsonl --account a --object-prefix=', 'read --object-prefix: the value is empty'],
  ...[...withAccount, 'keys list'].map(
    (command) => [`${command} --account=a --postgres=`, 'read --postgres: '] as const,
  ),
  ['keys list --account=', 'read --account: the value is empty'],
  ['keys revoke', "read the command line: missing required argument 'key-id'"],
  ['keys revoke mrk_hush', 'revoke the key: this is the key itself'],
  ['import --account a', "read the command line: missing required argument 'file'"],
  ['hush', 'read the command line: there is no such command'],
  [`${serve} hush`, "read the command line: too many arguments for 'serve'"],
  [`${serve} --api-key=hush`, "read the command line: unknown option '--api-key…'"],

  // Values of the wrong kind
  ...['http', '65536', '-1', '80.5'].map((port) => [`serve --port=${port}`, 'read --port: '] as const),
  ...['http', '65536', '-1', '80.5'].map((port) => [`serve --metrics-port=${port}`, 'read --metrics-port: '] as const),
  ['serve --in-memory --port 9100 --metrics-port 9100', 'read --metrics-port: it is also the value of --port'],
  ...['', 'hush', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', 'fe80::1%hush'].map(
    (entry) =>
      [`serve --in-memory --trust-proxy=::1,${entry}`, 'read --trust-proxy: entry 2 is not an address'] as const,
  ),
  [`${serve} --log hush`, 'read --log: the value is not a format'],
  [`${serve} --host http://hush`, 'read --host: it is not an address'],
  [`${serve} --public-url hush`, 'read --public-url: it is not a plain http or https URL'],
  [`${serve} --public-url https://ada:hush@a.test`, 'read --public-url: it is not a plain'],
  [`${serve} --public-url https://a.test/?hush`, 'read --public-url: it is not a plain'],
  [`${serve} --public-url https://a.test/v1`, 'read --public-url: the path must not include /v1'],
  [`${create} --label mrk_hush`, 'read --label: it contains an API key'],
  [`${create} --expires soon`, 'read --expires: "soon" is not a time'],

  // Options that contradict each other
  ...['--db x', '--postgres postgres://ada:hush@b/c', '--media-dir x'].map(
    (other) => [`${serve} --in-memory ${other}`, "read the command line: option '--in-memory' cannot"] as const,
  ),
  [`${serve} --db x --postgres postgres://ada:hush@b/c`, "read the command line: option '--postgres"],
  [`${serve} --postgres postgres://ada:hush@b/c`, 'start: --postgres needs --media-secrets'],

  // Secrets and S3
  [`${serve} --in-memory --media-secrets env:$hush`, 'read --media-secrets: the text after env: is not the name'],
  [`${serve} --in-memory --media-secrets hush`, 'read --media-secrets: it is not a source of'],
  [`${serve} --s3-force-path-style`, 'read the S3 options: --s3-endpoint is missing'],
  [s3, 'read the S3 credentials: the environment variable AWS_ACCESS_KEY_ID is not set'],
  [`${s3} --s3-endpoint https://ada:hush@a.test`, 'create an S3 media signer: the endpoint is not', credentials],
  [`${s3} --s3-bucket a/../b`, 'create an S3 media signer: "a/../b" is not a valid bucket name', credentials],
  [`${s3} --s3-region a/b`, 'create an S3 media signer: "a/b" is not a valid region', credentials],

  // Invalid PostgreSQL URLs
  [`${postgres} postgres://ada:hush@127.0.0.1:99999/c`, 'read --postgres: it is not the URL of a database'],
  [`${postgres} postgres://ada:hush@a,b/c?sslmode=prefer`, 'read --postgres: its sslmode is not supported'],
  [`${postgres} postgres://ada:hush@a,b/c?target_session_attrs=x`, 'read --postgres: its target_session_attrs is not'],
  [`${postgres} postgres://ada@a/c?hush`, 'read --postgres: it has a parameter that is not supported'],
  [`${postgres} postgres://ada:hush@a/c`, 'read PGSSLMODE: it is not supported', { PGSSLMODE: 'hush' }],
  [`${postgres} env:HUSH_URL`, 'read --postgres: it is not the URL of a database', { HUSH_URL: 'hush' }],
  [`${postgres} env:$hush`, 'read --postgres: the text after env: is not the name'],
  [`${postgres} file:gone`, 'read --postgres: the file "gone" does not exist'],

  // Options of the commands that read from a server
  ['export mem_1 --format json --dry-run', 'read --dry-run: it applies only to --all'],
  ['download mem_1 audio --dry-run', 'read --dry-run: it applies only to --all'],
  ['download mem_1 audio --adopt', 'read --adopt: it applies only to --all'],
  ...many.flatMap((command): StartError[] => [
    [`${command} --last 7d --since 2026`, 'read --last: it cannot be combined with --since or --until'],
    [`${command} ${range}`, 'read --since and --until: the range is empty'],
    [`${command} --time-zone Mars`, 'read --time-zone: "Mars" is not a time zone'],
  ]),
  ...many.slice(0, -1).flatMap((command): StartError[] => [
    [command, 'find the server: no base URL is set'],
    [`${command} --base-url=`, 'read --base-url: the value is empty'],
    [`${command} ${site} --api-key=hush`, 'read --api-key: a key on the command line is visible'],
    [`${command} --profile=hush`, 'read --profile: there is no such profile'],
  ]),
  ...['mirror', 'download --all', 'export --all x --format srt'].flatMap((command): StartError[] => [
    [`${command} --concurrency 0`, 'read --concurrency: "0" is not a whole number'],
    [`${command} ${site} --media-origin https://ada:hush@a.test`, 'read --media-origin: the value is not an ori', key],
  ]),
  ...['mirror', 'download --all'].map(
    (command) =>
      [`${command} --kind text`, "read the command line: option '--kind <kind...>' argument 'text' is"] as const,
  ),
  ['mirror --recheck 10001', 'read --recheck: "10001" is not a whole number from 1 to 10000'],
  ['mirror --missing all', "read the command line: option '--missing <policy>' argument 'all' is invalid"],
  ['mirror hush hush', "read the command line: too many arguments for 'mirror'"],
  ['digest --format table', "read the command line: option '--format <format>' argument 'table' is invalid"],
  ['digest --json --format markdown', "read the command line: option '--json' cannot be used"],
  ['digest --output=', 'read --output: the value is empty'],
  ['digest --title=', 'read --title: the value is empty'],
  ['download mem_1 text', "read the command line: command-argument value 'text' is invalid for argument 'kind'"],
  ['download --all --output -', 'read --output: media cannot be written to standard output'],
  ['export mem_1', "read the command line: required option '--format <format>' not specified"],
  ['export --format srt', 'export: a memory id is needed. Pass one, or run memory-read export --all FOLDER'],
  ['export --all --format srt', 'export: --all needs a folder. Run memory-read export --all FOLDER --format srt'],
  ['export mem_1 --format csv', "read the command line: option '--format <format>' argument 'csv' is invalid"],
  ['export mem_1 --format srt --output=', 'read --output: the value is empty'],
  ['export mem_1 --format srt --since 2026', 'read --since, --until and --last: they apply only to --all'],
  ['search', "read the command line: missing required argument 'words'"],
  ['search a --limit 0', 'read --limit: "0" is not a whole number'],
  ['search a --format table', 'read --format: "table" is not a format'],
  ...['search', 'history', 'purge'].flatMap((command): StartError[] => [
    [`${command} a --mirror=`, 'read --mirror: the value is empty'],
    [`${command} a --mirror directory`, 'find the mirror: "directory" is not a mirror'],
    [`${command} a --base-url=hush`, "read the command line: unknown option '--base-url…'"],
  ]),
  ...['history', 'purge'].map(
    (command) => [command, "read the command line: missing required argument 'memory-id'"] as const,
  ),
  ['keys list --format csv', 'read --format: "csv" is not a format'],
  [`list ${site} --since soon`, 'read --since: "soon" is not a time', key],
  [`list ${site} --until 2026-02-30`, 'read --until: "2026-02-30" is not a time', key],
  [`list ${site} --last 0d`, 'read --last: "0d" is not a duration', key],
  [`list ${site} --format csv`, 'read --format: "csv" is not a format', key],
  [`list ${site} --format text`, 'read --format: "text" is not a format', key],
  [`list ${site} --fields nome`, 'read --fields: "nome" is not a field', key],
  [`list ${site} --limit 0`, 'read --limit: "0" is not a whole number', key],
  [`list ${site} --status done`, "read the command line: option '--status <status>' argument 'done' is invalid", key],
  [`list ${site} --json --format json`, "read the command line: option '--format <format>' cannot be used", key],
  [`get mem_1 ${site} --format table`, 'read --format: "table" is not a format', key],
  [`list ${site} --time-zone Mars`, 'read --time-zone: "Mars" is not a time zone', key],
  ...['list', 'get mem_1', 'wait mem_1', 'watch', 'whoami', 'verify', 'mcp'].flatMap((command): StartError[] => [
    [command, 'find the server: no base URL is set'],
    [`${command} --base-url=`, 'read --base-url: the value is empty'],
    [`${command} ${site}`, 'find the key: no API key is set'],
    [`${command} ${site} --api-key=hush`, 'read --api-key: a key on the command line is visible'],
    [`${command} --base-url=http://a.test`, 'use the base URL: http:// would send the key unencrypted to a.test', key],
    [`${command} --base-url=/memories`, 'use the base URL: it does not begin with https://', key],
    [`${command} --base-url=https://ada:hush@a.test`, 'use the base URL: it contains a user name or a pass', key],
    [`${command} --profile=hush`, 'read --profile: there is no such profile'],
  ]),
  ...['list', 'verify'].flatMap((command): StartError[] => [
    [`${command} ${site} --api-key=env:GONE`, 'read --api-key: the variable GONE is not set'],
    [`${command} ${site} --api-key=file:gone`, 'read --api-key: the file cannot be read (ENOENT)'],
    [`${command} --base-url=https://a.test/?hush`, 'use the base URL: it contains a query or a fragment', key],
    [`${command} --profile=`, 'read --profile: it is not the name of a profile'],
    [`${command} --profile=mrk_hush`, 'read --profile: it is an API key'],
    [`${command} --profile=reference`, 'read --profile: "reference" is a set of rules'],
    [command, 'read MEMORY_PROFILE: there is no such profile', { MEMORY_PROFILE: 'hush' }],
    [command, 'read MEMORY_PROFILE: it is not the name of a profile', { MEMORY_PROFILE: '../hush' }],
  ]),
  ['login', 'log in: there is no terminal to ask on'],
  [`login ${site}`, 'log in: there is no terminal to ask on'],
  ['login --key-stdin', 'log in: there is no terminal to ask on', { MEMORY_API_URL: 'https://a.test' }],
  [`login ${site} --key-stdin`, 'log in: no API key was given'],
  [`login ${site} --key-stdin --api-key env:MEMORY_API_KEY`, "read the command line: option '--key-stdin' cannot", key],
  [`login ${site} --api-key=hush`, 'read --api-key: a key on the command line is visible'],
  ['login --base-url=http://a.test --api-key env:MEMORY_API_KEY', 'use the base URL: http:// would send the', key],
  ['login --base-url=hush --api-key env:MEMORY_API_KEY', 'use the base URL: it does not begin with https://', key],
  ['login --profile=specification', 'read --profile: "specification" is a set of rules'],
  ['logout --profile=mrk_hush', 'read --profile: it is an API key'],
  ['logout --all --profile=work', "read the command line: option '--all' cannot be used"],
  ...['mcp', 'digest'].flatMap((command): StartError[] => [
    [`${command} --mirror=`, 'read --mirror: the value is empty'],
    [`${command} --mirror gone`, 'find the mirror: "gone" is not a mirror'],
    [`${command} --mirror gone ${site}`, "read the command line: option '--mirror <dir>' cannot be used"],
  ]),
  [`mcp ${site}/v1`, 'use the base URL: it ends with /v1. Pass --base-url with the root of the API, without /v1.', key],
  [`get .. ${site}`, 'get a memory: the id is ".."', key],
  ['wait mem_1 --timeout soon', 'read --timeout: "soon" is not a duration'],
  ['watch --interval soon', 'read --interval: "soon" is not a duration'],
  ['watch --state=', 'read --state: the value is empty'],
  [`watch --state notes.txt ${site}`, 'read --state: the file is not the state of a watch', key],
];

/** Errors of the environment of the command, which end with 1. */
const failures: StartError[] = [
  [`${create}\x01 --db new.sqlite`, 'store account "a\\u0001": its user id contains'],

  // SQLite files
  ...[serve, 'keys list', 'import memories.jsonl --account a'].flatMap((command): StartError[] => [
    [`${command} --db notes.txt`, 'use the SQLite store '],
    [`${command} --db /dev/null`, 'open the SQLite store "/dev/null": it is not a regular file'],
    [`${command} --db directory`, 'open the SQLite store "directory": it is a directory'],
    [`${command} --db newer.sqlite`, 'open the SQLite store "newer.sqlite": its schema has version 9999'],
    [`${command} --db other.sqlite`, 'open the SQLite store "other.sqlite": it is the database of'],
  ]),
  [`${serve} --create --db gone/new.sqlite`, 'open the SQLite store "gone/new.sqlite": the directory'],
  [`${serve} --db gone.sqlite`, 'open gone.sqlite: there is no such file. Check --db, pass --create to make it'],
  ['keys list --db gone.sqlite', 'open gone.sqlite: there is no such file'],

  // Media and their secrets
  ...['gone', 'notes.txt'].map((directory) => {
    const says = `open the media directory: "${directory}" is not a readable directory`;
    return [`${serve} --create --db new.sqlite --media-dir ${directory}`, says] as const;
  }),
  [`${secretsIn} file:no-json.json`, 'read media secrets from "file:no-json.json": it is no'],
  [`${secretsIn} file:short.json`, 'prepare the media secrets: secret 1 is shorter than 16 bytes'],

  // Addresses, and an unreachable PostgreSQL. The tests with PostgreSQL cover a server that rejects the user.
  [`${serve} --in-memory --host 192.0.2.1`, 'start the server: this machine does not have the address 192.0.2.1'],
  [`${serve} --in-memory --host gone.invalid`, 'start the server: this machine does not have the address gone.invalid'],
  [`${postgres} postgres://ada:hush@127.0.0.1:1/c`, 'use postgres://ada@127.0.0.1:1/c: the connection was refused'],
  [`${postgres} postgres://ada:hush@gone.invalid/c`, 'use postgres://ada@gone.invalid/c: '],
  [
    `${postgres} postgres:///c?host=/gone`,
    'use postgres:///c?host=/gone: the socket does not exist (/gone/.s.PGSQL.5432)',
  ],
  [`${postgres} postgres://:hush@/c?port=1`, 'use postgres:///c?port=1: the URL has no host, and localhost:1 refused'],

  // Files to read
  ...['mirror notes.txt', 'mirror notes.txt --dry-run', 'export --all notes.txt --format srt'].map(
    (command) => [`${command} ${site}`, 'use "notes.txt": it is not a folder', key] as const,
  ),
  [`watch --state directory ${site}`, 'read --state: the file cannot be read (EISDIR)', key],
  ['import gone.jsonl --account a --db new.sqlite', 'import gone.jsonl: it cannot be read (ENOENT)'],
  ...Object.entries({ gone: 'cannot', 'no-json': 'is not valid JSON', good: 'is not an object' }).map(
    ([name, reason]) => {
      const line = `finish m ${name}.json --account a --db new.sqlite`;
      return [line, `read the result from ${name}.json: it ${reason}`] as const;
    },
  ),
];

test.concurrent.for(usageErrors)('%s ends with 2: Failed to %s', (error) => expectStartError(2, error));

test.concurrent.for(failures)('%s ends with 1: Failed to %s', (error) => expectStartError(1, error));

test('a port that is in use ends with 1', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const says = `start the server: port ${port} of 127.0.0.1 is in use`;
  await expectStartError(1, [`serve --in-memory --port ${port}`, says]);
  blocker.close();
});

test('the catalogue contains every option that takes a value', async () => {
  const lines = [...usageErrors, ...failures].map(([line]) => line.split(/[ =]/));
  for (const command of [
    'serve',
    'import',
    'finish',
    'keys create',
    'keys list',
    'list',
    'get',
    'wait',
    'watch',
    'login',
    'whoami',
    'mcp',
    'mirror',
    'digest',
    'download',
    'export',
    'search',
    'history',
    'purge',
  ]) {
    const { stdout } = await runCommand([...command.split(' '), '--help']);
    const options = Array.from(stdout.matchAll(/^ +(--[\w-]+) </gm), ([, option = '']) => option);
    const used = lines.filter((words) => words.includes(command.split(' ').at(-1) ?? '')).flat();
    expect(options.length).toBeGreaterThan(0);
    expect(
      options.filter((option) => !used.includes(option)),
      command,
    ).toEqual([]);
  }
});

/** Expects that the command fails with one line of the right form that contains no secret. */
async function expectStartError(code: 1 | 2, [line, says, env]: StartError): Promise<void> {
  const { stdout, stderr, code: ended } = await runCommand(line.split(' '), { env, cwd: folder });
  expect(stderr).toMatch(/^Failed to [^\n]+?: [^\n]+?\. [A-Z][^\n]+\.\n$/);
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
