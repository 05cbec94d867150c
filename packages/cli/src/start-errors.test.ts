import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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
  'result.json': '{"transcript":null,"summary":null}',
  'good.json': JSON.stringify([secret]),
  'short.json': JSON.stringify([{ ...secret, secret: 'hush' }]),
}))
  writeFileSync(join(folder, name), content);
const files = readdirSync(folder);

/** All commands with options that take a value, each with what it requires. */
const commands = [
  ...['list', 'get mem_1', 'wait mem_1', 'watch', 'whoami', 'verify', 'judge node', 'mcp', 'login', 'logout'],
  ...[
    ...['mirror', 'digest', 'download --all x', 'export --all x --format srt', 'search a', 'open', 'history a'],
    'purge a',
  ],
  ...['name a', 'people list', 'people rename a b', 'people merge a b', 'people forget a', 'people undo'],
  ...['people export', 'people import notes.txt'],
  ...['serve', 'mock', 'import notes.txt --account a', 'finish mem_1 good.json --account a'],
  ...['keys create --account a', 'keys list', 'keys revoke a', 'store-check --postgres postgres://ada@a/c'],
];
const server = { MEMORY_API_URL: 'http://127.0.0.1:1', MEMORY_API_KEY: 'mrk_hush' };

test('every command that has options is in the table', () => {
  const named = new Set(commands.map((command) => command.split(' ')[0]));
  expect(commandTable.filter(({ name }) => !named.has(name)).map(({ name }) => name)).toEqual(['completion']);
});

test.each(commands)('`%s` rejects an empty value of each option, and names the option', async (command) => {
  const words = command.split(' ');
  const [name = '', second = ''] = words;
  const { stdout } = await runCli([name, ...(['keys', 'people'].includes(name) ? [second] : []), '--help']);
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
  ...['reads postgres://ada@b/c', 'max-lag 3s', 'max-outage 0s', 'fallback 0'].flatMap((option): StartError[] => {
    const given = `--postgres-${option}`;
    const [name] = given.split(' ');
    return [
      [`${serve} ${given}`, 2, `read ${name}: it requires --postgres. Pass --postgres too.`],
      [`${serve} --db x ${given}`, 2, `read the command line: option '${name} <`],
      [`serve --in-memory ${given}`, 2, "cannot be used with option '--in-memory'"],
    ];
  }),
  ...['max-lag 3s', 'max-outage 0s', 'fallback 0'].map((option): StartError => {
    const name = `--postgres-${option.split(' ')[0]}`;
    return [
      `${postgres} postgres://ada@a/c --postgres-${option}`,
      2,
      `read ${name}: it requires --postgres-reads. Pass`,
    ];
  }),
  ...(
    [
      ['reads postgres://ada:hush@a/c', 'a password on the'],
      ['reads postgres://ada@a,b,A:5432/c', 'it has a host twice. Remove one of them.'],
      ['reads postgres://ada@a/c?target_session_attrs=any', 'its target_session_attrs is not supported. Remove it'],
      ['max-lag 249ms', '"249ms" is not a duration from 250ms to 1h. Pass'],
      ['max-lag 0s', '"0s" is not a duration from 250ms to 1h. Pass'],
      ['max-outage 61m', '"61m" is not a duration from 0s to 1h. Pass'],
      ['fallback -1', '"-1" is not a whole number from 0 to 999999. Pass'],
      ['pool-size 0', '"0" is not a whole number from 1 to 999999. Pass'],
      ['pool-size 1 --postgres-reads postgres://ada@a/c', 'with --postgres-reads, each check holds a connection'],
    ] as const
  ).map(([option, problem]): StartError => {
    const line = `${postgres} postgres://ada@a/c --postgres-${option.replace(' -1', '=-1')}`;
    return [line, 2, `read --postgres-${option.split(' ')[0]}: ${problem}`];
  }),
  [
    `${postgres} postgres://a/c?target_session_attrs=any --postgres-reads postgres://a/c`,
    2,
    'read --postgres: with --postgres-reads, its target_session_attrs can only be read-write. Remove it.',
  ],
  [`${postgres} env:HUSH_URL`, 2, 'read --postgres: it is not the URL of a database', { HUSH_URL: 'hush' }],
  [`${postgres} postgres://ada@a/c`, 2, 'read PGSSLMODE: it is not supported', { PGSSLMODE: 'hush' }],
  ...['', ' postgres://ada@a:1/c --postgres-reads'].flatMap((lead): StartError[] => [
    [`${postgres}${lead} postgres://ada@a,b:1/c`, 2, 'read PGPORT: it is not a number from 1 to', { PGPORT: '70000' }],
    [`${postgres}${lead} postgres:///c?port=1`, 2, 'read PGHOST: it is a list. Write', { PGHOST: 'a,b' }],
  ]),
  ...['serve --port 0', 'import - --account a', 'finish a good.json --account a', 'keys list'].map(
    (command): StartError => [`${command} --postgres=postgres://ada:hush@a/c`, 2, 'read --postgres: a password on the'],
  ),
  ...['--media', '--kind audio', '--name {id}', '--copy', '--offline', '--dry-run', '--adopt', '--concurrency 2']
    .concat('--last 7d', '--since 2026', '--until 2026')
    .map(
      (option): StartError => [
        ...([
          `export mem_1 --format srt ${option}`,
          2,
          `read ${option.split(' ')[0]}: it applies only to --all.`,
        ] as const),
      ],
    ),
  ['export --all  --format srt', 2, 'read the folder: the value is empty. Pass a value, or leave out the option.'],
  ['export mem_1 --format srt,vtt', 2, 'read --format: one memory is written in one format. Pass one.'],
  ['export mem_1', 2, 'export: a format is needed. Pass --format with one of srt, vtt, text, markdown, json.'],
  ['export --all talks', 2, 'export: nothing is chosen. Pass --format srt,vtt,text,markdown,json, or --media.'],
  ['export --all talks --format srt,pdf', 2, 'read --format: "pdf" is not a format. Pass srt, vtt, text, markdown or'],
  ['export --all talks --media --output x', 2, 'read --output: with --all, the folder is the argument.'],
  ['export --all talks --media --concurrency 17', 2, 'read --concurrency: "17" is not a whole number from 1 to 16.'],
  ['export --all talks --media --offline', 2, 'find the mirror: "memories" is not a mirror.'],
  ['export --all x --media --offline --base-url http://a.test', 2, "read the command line: option '--offline'"],
  ['export --all talks --media --name {nope}', 2, 'read --name: {nope} is not a field. Use {date}, {time},', server],
  ['export --all talks --media --name talks', 2, 'read --name: its last part has no field.', server],
  ['export --all memories --media', 2, 'use "memories": it is in a mirror ("memories"). Choose a folder', server],
  ['export --all memories/talks --media', 2, 'use "memories/talks": it is in a mirror ("memories").', server],
  ['export --all . --media', 2, 'use ".": a mirror is in it. Choose another folder.', server],
  ['export --all a --media --mirror a/b/c', 2, 'use "a": a mirror is in it.', server],
  ['export mem_1 --format srt --mirror memories --profile work', 2, 'read --mirror: a mirror is read without'],
  [
    'export --format vtt',
    2,
    'export: a memory id is needed. Pass one, or run memory-read export --all FOLDER --format',
  ],
  ['export --format vtt --all', 2, 'export: --all needs a folder. Run memory-read export --all FOLDER --format vtt.'],
  ['export mem_1 --output d.jsonl', 2, 'read --output: "d.jsonl" ends with the name of another format. Pass --format'],
  ...['d.srt', 'a.b/d.VTT', 'd.ndjson'].map(
    (path): StartError => [
      `digest --output ${path}`,
      2,
      `read --output: "${path}" ends with the name of another`,
      server,
    ],
  ),
  ['digest --mirror memories', 2, 'find the mirror: "memories" is not a mirror.'],
  ['digest --last 2d --since today', 2, 'read --last: it cannot be combined with --since or --until.'],
  ['download talks audio --all', 2, 'read --all: it takes a folder only. Pass --kind audio instead.'],
  ['download mem_1 audio --last 7d', 2, 'read --last: it applies only to --all.'],
  ['download mem_1 audio --mirror memories', 2, 'read --mirror: it applies only to --all.'],
  ['download mem_1 audio --output -', 2, 'read --output: media cannot be written to standard output.'],
  ['download --all talks --force', 2, 'read --force: --all never replaces files that were changed.'],
  ['download --all --output talks', 2, 'read --output: with --all, the folder is the argument.'],
  ['download --all', 2, 'download: --all needs a folder. Run memory-read download --all FOLDER.'],
  ['download', 2, 'download: a memory and a kind of media are needed. Pass both, or --all and a folder.'],
  ['download mem_1', 2, 'download: a kind of media is needed. Pass audio, video, preview_image after the memory.'],
  ['mirror --no-media --kind audio', 2, 'read --kind: it cannot be combined with --no-media.'],
  ['mirror --refresh --recheck 1', 2, 'read --recheck: it cannot be combined with --refresh.'],
  ['mirror --recheck 10001', 2, 'read --recheck: "10001" is not a whole number from 1 to 10000.'],
  ['mirror ', 2, 'read the folder: the value is empty.'],
  ['search start -- -draft --limit 2', 2, 'read --limit: it follows --, where everything is a word of the query.'],
  ...['search', 'history', 'purge', 'name', 'people forget', 'people rename a'].map(
    (command): StartError => [
      ...([`${command} word`, 2, 'find the mirror: "memories" is not a mirror. Run memory-read mirror first'] as const),
    ],
  ),
  [
    'search word --mirror my~copy',
    2,
    "Pass the folder that contains mirror.sqlite, or run memory-read mirror 'my copy'",
  ],
  ...['two\nlines', 'x'.repeat(101), '~', '\u202e'].map(
    (label): StartError => [`keys create --account a --label ${label}`, 2, 'read --label: it does not have 1 to 100'],
  ),
  ['keys create --account a --label mrk_hush', 2, 'read --label: it contains an API key'],
  ['keys revoke Bearer~mrk_hush', 2, 'revoke the key: this is the key itself. Pass its id'],
  ['keys list --db gone.sqlite', 1, 'open gone.sqlite: there is no such file. Check --db, or pass --postgres.'],
  ['import - --account mrk_hush', 2, 'read --account: this is an API key. Pass the user_id of an account.'],
  ['import gone.jsonl --account a', 1, 'import gone.jsonl: it cannot be read (ENOENT). Pass a JSON Lines file.'],
  ['finish mem_1 gone.json --account a', 1, 'read the result from gone.json: it cannot be read (ENOENT). Pass'],
  ['finish mem_1 result.json --account a', 1, 'open ./memory-read-data/memories.sqlite: there is no such file. Check'],
  ['completion tcsh', 2, "read the command line: command-argument value 'tcsh' is invalid for argument 'shell'"],
  ['list --since soon', 2, 'read --since: "soon" is not a time. Pass one such as '],
  ['list', 1, 'list memories: http://127.0.0.1:1 cannot be reached. Check the URL and the network, then run', server],
  ['list --base-url nonsense', 2, 'use the base URL: it does not begin with https:', server],
  ['verify --timeout 30', 2, 'read --timeout: "30" is not a duration'],
  ['verify --report html', 2, "argument 'html' is invalid"],
  ['verify --profile reference', 2, 'read --profile: "reference" is a set of rules of verify, not a profile.'],
  ['verify --api-key mrk_hush', 2, 'read --api-key: a key on the command line is visible', server],
  ['verify --other-api-key mrk_hush', 2, 'read --other-api-key: a key on the command line is visible', server],
  ['verify --api-key env:mrk-hush', 2, 'read --api-key: the text after env: is not the name of a variable', server],
  ['verify --api-key env:EMPTY', 2, 'read --api-key: the value is not a key. Name a place', { ...server, EMPTY: '' }],
  ['verify --api-key env:NO_SUCH_KEY', 2, 'read --api-key: the environment variable NO_SUCH_KEY is not set', server],
  ['verify --api-key file:/no/such/key', 2, 'read --api-key: the file cannot be read (ENOENT).', server],
  [`${serve} --create --db gone/a.sqlite`, 1, 'open the SQLite store "gone/a.sqlite": the directory '],
  [`${newStore} --media-dir gone`, 1, 'open the media directory: '],
  [`${newStore} --media-secrets file:gone`, 1, 'read media secrets from "file:gone": the file does not exist.'],
  ['serve --create --postgres postgres://ada@b/c', 2, "read the command line: option '--create' cannot be used with"],
  ['serve --create --in-memory', 2, "read the command line: option '--create' cannot be used with"],
  ['serve --demo --db /dev/null/gone/memories.sqlite', 1, 'use a file: E'],
  ['serve --demo --db /proc/gone/memories.sqlite', 1, 'use a file: E'],
  ['serve --prot 1', 2, "read the command line: unknown option '--prot' (Did you mean --port?). Run memory-read help"],
  ['import x', 2, "read the command line: required option '--account <user-id>' not specified. Run memory-read help"],
  ['serve --in-memory --db x', 2, "read the command line: option '--in-memory' cannot be used"],
  ['serve --port 70000', 2, 'read --port: "70000" is not a port.'],
  [s3, 2, 'read the S3 credentials: the environment variable AWS_ACCESS_KEY_ID is not set. Set AWS_ACCESS_KEY_ID'],
  ...[...['--media-dir media', '--media-secrets env:SECRETS', '--demo', '--in-memory']].map(
    (local): StartError => [
      `serve --s3-bucket media ${local}`,
      2,
      "read the command line: option '--s3-bucket <bucket>'",
    ],
  ),
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
  const args = line.split(' ').map((word) => word.replaceAll('~', ' '));
  const { stdout, stderr, code: ended } = await runCli(args, { env, cwd: folder });
  expect(stderr).toMatch(/^Failed to [^\n]+?: [^\n]+?\. [A-Z][^\n]+\.\n$/);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain('hush');
  // Some fail only when the new store and its folder of media are open.
  const made = readdirSync(folder).filter((name) => !/^(new.sqlite|memory-read-data)/.test(name));
  expect([ended, stdout, made]).toEqual([code, '', files]);
});
