import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';
import { commandTable } from './commands/command-table.ts';
import { runCli } from './testing/run-cli.ts';

const folder = makeFolder(afterAll);
mkdirSync(join(folder, 'directory'));
const secret = { id: 'a', secret: 'hush-hush-hush-hush' };
for (const [name, content] of Object.entries({
  'notes.txt': 'These are hush notes.',
  zeros: '\0'.repeat(16_000),
  'good.json': JSON.stringify([secret]),
  'short.json': JSON.stringify([{ ...secret, secret: 'hush' }]),
}))
  writeFileSync(join(folder, name), content);

/** All commands with options that take a value, each with what it requires. */
const commands = [
  ...['list', 'get mem_1', 'wait mem_1', 'watch', 'whoami', 'verify', 'judge node', 'mcp', 'login', 'logout'],
  ...[
    ...['mirror', 'digest', 'download --all x', 'export --all x --format srt', 'search a', 'open', 'history a'],
    'purge a',
  ],
  ...['serve', 'mock', 'import notes.txt --account a', 'finish mem_1 good.json --account a'],
  ...['keys create --account a', 'keys list', 'keys revoke a'],
];
const server = { MEMORY_API_URL: 'http://127.0.0.1:1', MEMORY_API_KEY: 'mrk_hush' };

test('every command that has options is in the table', () => {
  const named = new Set(commands.map((command) => command.split(' ')[0]));
  expect(commandTable.filter(({ name }) => !named.has(name)).map(({ name }) => name)).toEqual(['completion']);
});

test.each(commands)('`%s` rejects an empty value of each option, and names the option', async (command) => {
  const words = command.split(' ');
  const [name = '', second = ''] = words;
  const { stdout } = await runCli([name, ...(name === 'keys' ? [second] : []), '--help']);
  const options = Array.from(stdout.matchAll(/^ +(--[\w-]+) </gm), ([, option = '']) => option);
  expect(options.length).toBeGreaterThan(0);
  for (const option of options) {
    const { code, stderr } = await runCli([...words, `${option}=`], { env: server, cwd: folder });
    const empty = `Failed to read ${option}: the value is empty. Pass a value, or leave out the option.\n`;
    expect({ code, stderr }).toEqual({ code: 2, stderr: empty });
  }
});

/** A command line that cannot start, its exit code, its message after `Failed to `, and its environment. */
type StartError = readonly [line: string, code: 1 | 2, says: string, env?: Record<string, string>];

const serve = 'serve --port 0';
const newStore = `${serve} --create --db new.sqlite`;
const s3 = `${serve} --s3-endpoint https://s3.test --s3-region auto --s3-bucket media`;
const postgres = `${serve} --media-secrets file:good.json --postgres`;
const credentials = { AWS_ACCESS_KEY_ID: 'AKIAhush', AWS_SECRET_ACCESS_KEY: 'hush' };

/** Errors that no unit test of the command line provokes. */
const startErrors: StartError[] = [
  [`${serve} hush`, 2, "read the command line: too many arguments for 'serve'"],
  ['serve --in-memory --port 9100 --metrics-port 9100', 2, 'read --metrics-port: it is also the value of --port'],
  ['serve --in-memory --trust-proxy=::1,10.0.0.0/33', 2, 'read --trust-proxy: entry 2 is not an address'],
  ['serve --in-memory --trust-proxy=fe80::1%hush', 2, 'read --trust-proxy: entry 1 is not an address'],
  [`${serve} --public-url https://a.test/v1`, 2, 'read --public-url: the path must not include /v1'],
  ['serve --db x --postgres-pool-size=3', 2, "read the command line: option '--postgres-pool-size <number>' cannot"],
  ['serve --in-memory --media-dir x', 2, "read the command line: option '--in-memory' cannot"],
  [`${serve} --db x --postgres postgres://ada@b/c`, 2, "read the command line: option '--postgres"],
  [`${serve} --postgres postgres://ada@b/c`, 2, 'start: --postgres needs --media-secrets'],
  [`${serve} --in-memory --media-secrets hush`, 2, 'read --media-secrets: it is not a source of'],
  [`${s3} --s3-bucket a/../b`, 2, 'create an S3 media signer: "a/../b" is not a valid bucket name', credentials],
  [`${postgres} env:HUSH_URL`, 2, 'read --postgres: it is not the URL of a database', { HUSH_URL: 'hush' }],
  [`${postgres} postgres://ada@a/c`, 2, 'read PGSSLMODE: it is not supported', { PGSSLMODE: 'hush' }],
  ...['serve --port 0', 'import - --account a', 'finish a good.json --account a', 'keys list'].map(
    (command): StartError => [`${command} --postgres=postgres://ada:hush@a/c`, 2, 'read --postgres: a password on the'],
  ),
  ['export mem_1 --format json --dry-run', 2, 'read --dry-run: it applies only to --all'],
  ['download mem_1 audio --adopt', 2, 'read --adopt: it applies only to --all'],
  ['list --time-zone Mars', 2, 'read --time-zone: "Mars" is not a time zone', server],
  ['list --base-url=https://ada:hush@a.test', 2, 'use the base URL: it contains a user name or a password', server],
  ['list', 2, 'use the base URL: it contains a query', { ...server, MEMORY_API_URL: 'https://a.test?key=hush' }],
  ['serve --in-memory --public-url https://ada:hush@a.test', 2, 'read --public-url: it is not a plain http or https'],
  [`${s3} --s3-endpoint https://ada:hush@s3.test`, 2, 'create an S3 media signer: the endpoint is not', credentials],
  [
    'download --all x --media-origin https://ada:hush@a.test',
    2,
    'read --media-origin: the value is not an origin',
    server,
  ],
  ['list --base-url=http://a.test', 2, 'use the base URL: http:// would send the key unencrypted to a.test', server],
  ['get ..', 2, 'get a memory: the id is ".."', server],
  ['search a --base-url=hush', 2, "read the command line: unknown option '--base-url…'"],
  ['mcp --mirror gone --base-url=https://a.test', 2, "read the command line: option '--mirror <dir>' cannot be used"],
  ['login', 2, 'log in: there is no terminal to ask on'],
  ['login --key-stdin', 2, 'log in: there is no terminal to ask on', { MEMORY_API_URL: 'https://a.test' }],
  ['login --profile=specification', 2, 'read --profile: "specification" is a set of rules'],
  ['logout --all --profile=work', 2, "read the command line: option '--all' cannot be used"],
  ['list --api-key file:/dev/zero', 2, 'read --api-key: ', server],
  ['list --api-key file:zeros', 2, 'read --api-key: the value is not a key', server],
  ['watch --state /dev/zero', 2, 'read --state: the file is not the state of a watch', server],
  ['watch --state notes.txt', 2, 'read --state: the file is not the state of a watch', server],
  ['watch --state directory', 1, 'read --state: the file cannot be read (EISDIR)', server],
  ['keys create --account a\x01 --db new.sqlite', 1, 'store account "a\\u0001": its user id contains'],
  ['keys list --db directory', 1, 'open the SQLite store "directory": it is a directory'],
  ['keys list --db /dev/null', 1, 'open the SQLite store "/dev/null": it is not a regular file'],
  [`${newStore} --media-dir notes.txt`, 1, 'open the media directory: "notes.txt" is not a readable directory'],
  [`${newStore} --media-secrets file:short.json`, 1, 'prepare the media secrets: secret 1 is shorter than 16 bytes'],
  [`${serve} --in-memory --host 192.0.2.1`, 1, 'start the server: this machine does not have the address 192.0.2.1'],
  [`${serve} --in-memory --host gone.invalid`, 1, 'start the server: this machine does not have the address gone'],
  [`${postgres} postgres://ada@127.0.0.1:1/c`, 1, 'use postgres://ada@127.0.0.1:1/c: the connection was refused'],
  [`${postgres} postgres:///c?host=/gone`, 1, 'use postgres:///c?host=/gone: the socket does not exist (/gone/.s.PG'],
];

test.for(startErrors)('`%s` ends with %i: Failed to %s', async ([line, code, says, env]) => {
  const { stdout, stderr, code: ended } = await runCli(line.split(' '), { env, cwd: folder });
  expect(stderr).toMatch(/^Failed to [^\n]+?: [^\n]+?\. [A-Z][^\n]+\.\n$/);
  expect(stderr).toContain(`Failed to ${says}`);
  expect(stderr).not.toContain('hush');
  expect([ended, stdout]).toEqual([code, '']);
});
