import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { describe, expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { expectFailure, failing, runCli, temporaryDirectory, withFunction } from '../testing/run-cli.ts';
import { audio, serveAccount, summary, transcript } from '../testing/serve-account.ts';
import { spawnCli } from '../testing/spawn-cli.ts';

const counts = {
  ...{
    memories: 2,
    requests: 1,
    listed: 2,
    added: 0,
    changed: 0,
    unchanged: 0,
    missing: 0,
    returned: 0,
    purged: 0,
  },
  ...{ rechecked: 0, unconfirmedEmptyList: false, incompleteList: false, doubtfulNames: 0, logPending: false },
  ...{ mediaSaved: 0, mediaBytes: 0, failed: 0, index: null },
};

const folderOf = () => join(temporaryDirectory(), 'mirror');

/** An account, and a folder to mirror it to. */
async function setUp(...records: Parameters<typeof serveAccount>) {
  const account = await serveAccount(...records);
  const folder = folderOf();
  const run = async (...args: string[]) => {
    const { stdout, ...result } = await runCli(['mirror', folder, ...args], account);
    const lines = jsonLines(stdout);
    return { ...result, stdout, lines, last: lines.at(-1) };
  };
  return { account, folder, run };
}

/** Contents by path, without the empty files that a reader of SQLite leaves. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:shm|wal)$/.test(entry.name))
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]);

test('saves memories, media and pages, and a run without changes sends one request and writes nothing', async () => {
  const { account, folder, run } = await setUp({ media: audio, transcript, summary }, { id: 'mem_2', name: 'Evening' });
  const first = await run();
  expect([first.code, first.stderr]).toEqual([0, '']);
  const lines = first.lines;
  const path = expect.stringMatching(/^media\/[\da-f]{24}\/audio-[\da-f]{8}\.wav$/);
  expect(lines.slice(0, -1)).toEqual(
    expect.arrayContaining([
      { event: 'saved', memoryId: 'mem_1', part: 'memory', change: 'added' },
      { event: 'saved', memoryId: 'mem_2', part: 'memory', change: 'added' },
      { event: 'saved', memoryId: 'mem_1', part: 'audio', path, size: 20_000 },
    ]),
  );
  expect(lines).toHaveLength(4);
  const media = { mediaSaved: 1, mediaBytes: 20_000, bytes: 20_000 };
  const complete = {
    ...counts,
    event: 'mirrored',
    complete: true,
    done: 2,
    edited: 0,
    index: join(folder, 'index.html'),
  };
  expect(lines.at(-1)).toEqual({ ...complete, ...media, saved: 3, requests: 3, added: 2 });
  expect(readdirSync(join(folder, 'pages'))).toHaveLength(2);
  expect(existsSync(join(folder, 'index.html'))).toBe(true);

  const get = (format: string) => runCli(['get', 'mem_1', '--mirror', folder, '--format', format]);
  const { media_files } = JSON.parse((await get('json')).stdout);
  expect(media_files).toEqual({ audio: expect.stringContaining(join(folder, 'media')) });
  expect(statSync(media_files.audio).size).toBe(20_000);
  expect((await get('text')).stdout).toContain(`\nMedia    ${media_files.audio}\n`);

  account.requests.length = 0;
  const before = filesIn(folder);
  expect((await run()).lines).toEqual([{ ...complete, saved: 0, bytes: 0, unchanged: 2 }]);
  expect(account.requests).toEqual(['/v1/memories']);
  expect(filesIn(folder)).toEqual(before);
});

test('sends one request and creates nothing in a dry run, with a mirror and without one', async () => {
  const account = await serveAccount({ media: audio }, { id: 'mem_2', name: 'Evening' });
  const parent = temporaryDirectory();
  const env = { ...account.env, MEMORY_READ_MIRROR: join(parent, 'mirror') };
  const dryRun = async (...args: string[]) => {
    account.requests.length = 0;
    const { code, stdout, stderr } = await runCli(['mirror', '--dry-run', ...args], { env });
    expect([code, stderr, account.requests]).toEqual([0, '', ['/v1/memories']]);
    return jsonLines(stdout);
  };
  const dry = { ...counts, event: 'mirrored', dryRun: true };
  const wouldSave = (memoryId: string, part: string) => ({ event: 'would_save', memoryId, part });
  const lines = await dryRun();
  expect(lines.slice(0, -1)).toEqual(
    expect.arrayContaining([wouldSave('mem_1', 'memory'), wouldSave('mem_1', 'audio'), wouldSave('mem_2', 'memory')]),
  );
  expect(lines.slice(3)).toEqual([{ ...dry, planned: 3, added: 2 }]);
  expect((await dryRun('--no-media')).at(-1)).toEqual({ ...dry, planned: 2, added: 2 });
  expect(readdirSync(parent)).toEqual([]);

  expect(await runCli(['mirror', '--no-media'], { env })).toMatchObject({ code: 0 });
  expect(readdirSync(parent)).toEqual(['mirror']);
  await account.put({ id: 'mem_2', name: 'Night' });
  const before = filesIn(join(parent, 'mirror'));
  const again = await dryRun();
  expect(again).toHaveLength(3);
  expect(again).toEqual(expect.arrayContaining([wouldSave('mem_2', 'memory'), wouldSave('mem_1', 'audio')]));
  const index = join(parent, 'mirror', 'index.html');
  expect(again.at(-1)).toEqual({ ...dry, planned: 2, changed: 1, unchanged: 1, index });
  expect(filesIn(join(parent, 'mirror'))).toEqual(before);
});

test.each([['--dry-run'], []])('an invalid memory of the list fails alone (%j)', async (...args) => {
  const account = await serveAccount({});
  const list = [sampleListedMemory({ id: 'mem_1' }), { ...sampleListedMemory(), id: 'mem_2', name: 7 }];
  account.intercept = (path) => (path === '/v1/memories' ? Response.json(list) : undefined);
  const { code, stdout, stderr } = await runCli(['mirror', folderOf(), '--no-media', ...args], account);
  expect([code, stderr]).toEqual([1, expect.stringContaining('name of memory "mem_2" (item 1)')]);
  expect(jsonLines(stdout).at(-1)).toMatchObject({ memories: 1, listed: 1, added: 1, failed: 1 });
});

test('an invalid memory without a readable id can be any, so the run says that none is marked as missing', async () => {
  const { account, run } = await setUp({}, { id: 'mem_2' });
  const list = [sampleListedMemory({ id: 'mem_1' }), { ...sampleListedMemory(), id: 7 }];
  const warning = { event: 'warning', message: expect.stringContaining('does not show which memories were left out') };
  const intercept = (path: string) => (path === '/v1/memories' ? Response.json(list) : undefined);
  account.intercept = intercept;
  expect((await run('--no-media', '--dry-run')).lines).toContainEqual(warning);
  account.intercept = () => undefined;
  expect((await run('--no-media')).last).toMatchObject({ complete: true, incompleteList: false });
  account.intercept = intercept;
  for (const args of [['--dry-run'], []]) {
    const lines = (await run('--no-media', ...args)).lines;
    expect(lines).toContainEqual(warning);
    expect(lines.at(-1)).toMatchObject({ incompleteList: true, missing: 0, failed: 1 });
  }
});

test('saves only the given kinds of media', async () => {
  const media = { ...audio, preview_image: { object_key: 'mem_1/preview.png', content_type: 'image/png' } };
  const account = await serveAccount({ media });
  const folder = folderOf();
  const saved = async (...args: string[]) => {
    const { stdout } = await runCli(['mirror', folder, '--no-pages', ...args], account);
    return jsonLines(stdout).flatMap(({ event, part }) => (event === 'saved' ? [part] : []));
  };
  expect(await saved('--no-media')).toEqual(['memory']);
  expect(await saved('--kind', 'preview')).toEqual(['preview_image']);
  expect(await saved()).toEqual(['audio']);
  expect(readdirSync(folder).sort()).toEqual(['media', 'mirror.lock', 'mirror.sqlite']);
});

test('reads only the memories of a range, and marks no other as missing', async () => {
  const of = (month: string) => ({ started_at: `2026-${month}-01T08:00:00Z`, ended_at: `2026-${month}-01T08:10:00Z` });
  const account = await serveAccount(of('03'), { id: 'mem_2', ...of('04') }, { id: 'mem_3', ...of('05') });
  const folder = folderOf();
  const range = ['--since', '2026-04', '--until', '2026-04'];
  const run = async (...args: string[]) => jsonLines((await runCli(['mirror', folder, ...args], account)).stdout);
  const dry = await run(...range, '--dry-run');
  expect(dry).toEqual([
    { event: 'would_save', memoryId: 'mem_2', part: 'memory' },
    expect.objectContaining({ memories: 1, listed: 3, planned: 1, added: 1 }),
  ]);
  expect((await run(...range)).at(-1)).toMatchObject({ complete: true, memories: 1, done: 1, added: 1 });
  expect((await run()).at(-1)).toMatchObject({ added: 2, unchanged: 1 });
  const { stdout } = await runCli(['search', 'morning', ...range, '--mirror', folder]);
  expect(jsonLines(stdout)).toEqual([expect.objectContaining({ memoryId: 'mem_2' })]);
});

test('reads unchanged memories again with --recheck and --refresh', async () => {
  const { run } = await setUp({}, { id: 'mem_2' }, { id: 'mem_3' });
  await run();
  expect((await run('--recheck', '2')).last).toMatchObject({ requests: 3, rechecked: 2, unchanged: 3 });
  expect((await run('--refresh')).last).toMatchObject({ requests: 4, rechecked: 3, unchanged: 3 });
});

test('ends with 1 if a memory fails, and the next run reads only that', async () => {
  const { account, run } = await setUp({}, { id: 'mem_2' });
  account.intercept = (path) => (path.endsWith('mem_2') ? Response.json({}, { status: 400 }) : undefined);
  const { code, stdout, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^mem_2: Failed to get memory .*\nFailed to save 1 memory: the reason is above\. Run the same command again to retry only this\.\n$/,
  );
  const lines = jsonLines(stdout);
  const error = { code: expect.any(String), message: expect.stringMatching(/^Failed to /) };
  expect(lines).toContainEqual({ event: 'failed', memoryId: 'mem_2', error });
  expect(lines.at(-1)).toMatchObject({ complete: false, memories: 2, done: 1, added: 1, failed: 1 });
  account.intercept = () => undefined;
  account.requests.length = 0;
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  expect(account.requests).toEqual(['/v1/memories', '/v1/memories/mem_2']);
});

test('reports an outage with the number of saved memories, and resumes in the next run', async () => {
  const ids = Array.from({ length: 20 }, (_item, index) => `mem_${index}`);
  const account = await serveAccount(...ids.map((id) => ({ id })));
  let answers = 0;
  account.intercept = (path) => {
    // The server stops after 8 memories.
    if (path !== '/v1/memories' && ++answers > 8) void account.close();
    return undefined;
  };
  const folder = folderOf();
  const { code, stdout, stderr } = await runCli(['mirror', folder, '--concurrency', '1'], account);
  expect(code).toBe(1);
  const last = jsonLines(stdout).at(-1) ?? {};
  expect(last).toMatchObject({ event: 'mirrored', complete: false, memories: 20 });
  expect(Number(last.done)).toBeGreaterThanOrEqual(8);
  expect(Number(last.done)).toBeLessThan(16);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(`^Failed to .* Run the same command again to resume; ${last.done} of 20 memories are done\\.$`),
  );
  const other = await serveAccount(...ids.map((id) => ({ id })));
  const again = await runCli(['mirror', folder, '--adopt'], { env: other.env });
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(jsonLines(again.stdout).at(-1)).toMatchObject({ complete: true, done: 20, added: 20 - Number(last.done) });
});

test.each([
  ['refuses the key', 3, () => Response.json({ detail: 'Invalid API key' }, { status: 401 })],
  ['returns a sign-in page', 1, () => new Response('<title>Sign in</title>')],
])('a server that %s ends a mirror with one line, and changes no file', async (_title, exitCode, answer) => {
  const { account, folder, run } = await setUp({ media: audio });
  await run();
  const before = filesIn(folder);
  account.intercept = answer;
  const { code, stdout, stderr } = await run('--refresh', '--adopt');
  expect(stderr).toMatch(/^Failed to [^\n]+?: [^\n]+\n$/);
  expect([code, stdout]).toEqual([exitCode, '']);
  expect(filesIn(folder)).toEqual(before);
});

test('saves all texts if the storage cannot be reached', async () => {
  const account = await serveAccount(...[1, 2, 3, 4, 5, 6].map((number) => ({ id: `mem_${number}`, media: audio })));
  account.intercept = (path) =>
    path.startsWith('/media/') ? new Response('', { status: 503, headers: { 'retry-after': '999' } }) : undefined;
  const folder = folderOf();
  const { code, stdout, stderr } = await runCli(['mirror', folder, '--concurrency', '1'], account);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /\nFailed to download media: the media storage cannot be reached\. Run the same command again to resume; all texts are saved\. The last failure: /,
  );
  expect(jsonLines(stdout).at(-1)).toMatchObject({ complete: false, memories: 6, done: 0, added: 6 });
});

test('keeps a page that its owner edited, and ends with 0', async () => {
  const { account, folder, run } = await setUp({ transcript });
  await run();
  const [page = ''] = readdirSync(join(folder, 'pages'));
  appendFileSync(join(folder, 'pages', page), 'mine');
  await account.put({ name: 'Noon', transcript });
  const { code, stdout, stderr } = await run();
  expect([code, stderr]).toEqual([0, '']);
  const writtenTo = `pages/${page.replace('.md', ' (update 1).md')}`;
  expect(jsonLines(stdout).slice(1)).toEqual([
    { event: 'kept', memoryId: 'mem_1', part: 'page', path: `pages/${page}`, reason: 'edited', writtenTo },
    expect.objectContaining({ complete: true, edited: 1, saved: 1 }),
  ]);
  expect(readFileSync(join(folder, 'pages', page), 'utf8')).toMatch(/mine$/);
  expect((await run()).lines).toEqual([expect.objectContaining({ complete: true, edited: 0 })]);
});

test('marks memories after two empty lists, or after one with --allow-empty, and purges them on request', async () => {
  const { account, run } = await setUp({}, { id: 'mem_2' });
  await run();
  for (const id of ['mem_1', 'mem_2']) await account.remove(id);
  const first = await run();
  expect(first).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Warning: The server returned an empty list/),
  });
  expect(first.lines).toEqual([
    { event: 'warning', message: expect.stringContaining('empty list') },
    expect.objectContaining({ memories: 0, missing: 0, unconfirmedEmptyList: true }),
  ]);
  expect((await run('--allow-empty')).lines).toEqual([expect.objectContaining({ missing: 2, purged: 0 })]);
  expect((await run('--allow-empty', '--missing', 'purge')).lines).toEqual([
    expect.objectContaining({ missing: 0, purged: 2 }),
  ]);
});

test('rejects a folder of something else, and changes nothing there', async () => {
  const account = await serveAccount({});
  const parent = temporaryDirectory();
  const run = (name: string, ...args: string[]) => runCli(['mirror', join(parent, name), ...args], account);
  const named = (name: string) => JSON.stringify(join(parent, name));
  writeFileSync(join(parent, 'file'), '');
  mkdirSync(join(parent, 'other'));
  writeFileSync(join(parent, 'other', 'mirror.sqlite'), 'This is a text, and not a database at all.'.repeat(20));
  await expectFailure(run('file'), 1, `Failed to use ${named('file')}: it is not a folder. Choose a folder.\n`);
  await expectFailure(run('other'), 1, /^Failed to .*\n$/);
  expect(readdirSync(parent, { recursive: true }).sort()).toEqual(['file', 'other', join('other', 'mirror.sqlite')]);
  expect(account.requests).toEqual([]);

  await run('mirror');
  const moved = await serveAccount({});
  account.requests.length = 0;
  const ofOther = `Failed to use ${named('mirror')}: it holds memories of another server. Choose another folder, or run memory-read mirror --adopt if the server has a new address.\n`;
  await expectFailure(runCli(['mirror', join(parent, 'mirror')], moved), 2, ofOther);
  expect(moved.requests).toEqual([]);
  await expectFailure(run('mirror', '--api-key', 'env:NONE'), 2, /^Failed to /);
});

test.each([
  ['mirror', ['mirror']],
  ['download --all', ['download', '--all']],
])('`%s` ends with 1 and one line if no folder can be made, and sends no request', async (_name, command) => {
  const account = await serveAccount({});
  const file = folderOf();
  writeFileSync(file, '');
  const deep = join(temporaryDirectory(), ...Array.from({ length: 30 }, () => 'x'.repeat(200)));
  for (const [path, reason] of [
    [join(file, 'below'), 'it is not a folder. Choose a folder.\n'],
    [deep, 'the path is too long. Choose a folder with a shorter path.\n'],
    ['/proc/none', ''],
  ] as const) {
    const env = { ...account.env, MEMORY_READ_MIRROR: folderOf() };
    const { code, stdout, stderr } = await runCli([...command, path], { env });
    expect(stderr).toMatch(/^Failed to [^\n]*"[^\n]*: [^\n]*\n$/);
    expect(stderr).toContain(reason);
    expect([code, stdout]).toEqual([1, '']);
  }
  expect(account.requests).toEqual([]);
});

test('loads no mirror and no SQLite for the help', async () => {
  for (const command of ['mirror', 'search', 'open', 'history', 'purge']) {
    const trace = join(temporaryDirectory(), 'loaded.txt');
    const { result } = spawnCli([command, '--help'], {
      nodeArguments: ['--import', noteModules],
      env: { TRACE: trace },
    });
    expect(await result).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(trace, 'utf8')).toContain('command-table');
    expect(readFileSync(trace, 'utf8')).not.toMatch(/node:sqlite|packages\/mirror\//);
  }
});

/** Source of a module that writes the URL of each loaded module to the file in `TRACE`. */
const noteModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { appendFileSync } from 'node:fs';
  registerHooks({
    load(url, context, next) {
      appendFileSync(process.env.TRACE, url + '\\n');
      return next(url, context);
    },
  });
`)}`;

test.each(['fsyncSync', 'fchmodSync'] as const)(
  'where %s is refused, a note says so once, and all is saved',
  async (name) => {
    const account = await serveAccount({ media: audio, transcript, summary });
    const run = await withFunction(name, failing('ENOTSUP'), () => runCli(['mirror', folderOf()], account));
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^Warning: Failed to [^\n]+ \(ENOTSUP\)\. Keep [^\n]+\n$/);
    const warnings = jsonLines(run.stdout).filter(({ event }) => event === 'warning');
    const code = name === 'fsyncSync' ? 'not_durable' : 'not_private';
    expect(warnings).toEqual([{ event: 'warning', code, message: run.stderr.slice('Warning: '.length, -1) }]);
    expect(jsonLines(run.stdout).at(-1)).toMatchObject({ complete: true, failed: 0 });
  },
);

describe('--backup, --check and --repair', () => {
  const make = async () => {
    const account = await serveAccount({ media: audio, transcript });
    const folder = folderOf();
    expect((await runCli(['mirror', folder], account)).code).toBe(0);
    return { account, folder, run: (...args: string[]) => runCli(['mirror', ...args], account) };
  };
  const recordingIn = (folder: string) =>
    filesIn(folder).flatMap(([path = '']) => (path.endsWith('.wav') ? [path] : []))[0] ?? '';

  test('--backup copies the database to a new file, which becomes a mirror', async () => {
    const { folder, run } = await make();
    const copy = temporaryDirectory();
    const file = join(copy, 'mirror.sqlite');
    const { code, stdout } = await run(folder, '--backup', file);
    expect([code, jsonLines(stdout)]).toEqual([0, [{ event: 'backed_up', file, size: statSync(file).size }]]);
    expect((await run(folder, '--backup', file)).code).toBe(1);
    expect(jsonLines((await run(copy)).stdout).at(-1)).toMatchObject({ unchanged: 1, mediaSaved: 1 });
  });

  test('--check names what is damaged, and --repair takes it from the server', async () => {
    const { account, folder, run } = await make();
    const path = expect.stringMatching(/^media\//);
    const damage = { memoryId: 'mem_1', part: 'audio', version: null, path };
    const counts = { memories: 1, versions: 1, media: 1 };
    const checked = async () => {
      const { code, stdout } = await run(folder, '--check');
      return [code, ...jsonLines(stdout)];
    };
    expect(await checked()).toEqual([0, { event: 'checked', ...counts, damaged: 0 }]);
    appendFileSync(recordingIn(folder), 'x');
    const found = [1, { event: 'damaged', ...damage }, { event: 'checked', ...counts, damaged: 1 }];
    expect(await checked()).toEqual(found);

    const record = { media: audio, transcript };
    await account.remove('mem_1');
    const lost = await run(folder, '--repair');
    expect([lost.code, ...jsonLines(lost.stdout)]).toEqual([
      1,
      { event: 'lost', ...damage },
      { event: 'repaired', repaired: 0, lost: 1 },
    ]);
    await account.put(record);
    const repaired = await run(folder, '--repair');
    expect([repaired.code, ...jsonLines(repaired.stdout)]).toEqual([0, { event: 'repaired', repaired: 1, lost: 0 }]);
    expect(await checked()).toEqual([0, { event: 'checked', ...counts, damaged: 0 }]);
  });

  test('exclude each other and all options of a sync, and need a mirror', async () => {
    const folder = folderOf();
    const care = [['--backup', 'x'], ['--check'], ['--repair']];
    const others = [
      ...care,
      ...[['--no-media'], ['--kind', 'audio'], ['--refresh'], ['--recheck', '1'], ['--missing', 'purge']],
      ...[['--allow-empty'], ['--no-pages'], ['--since', '2026'], ['--until', '2026'], ['--last', '1h']],
      ...[['--time-zone', 'UTC'], ['--concurrency', '2'], ['--dry-run'], ['--adopt']],
    ];
    for (const option of care) {
      const env = { MEMORY_API_URL: 'http://127.0.0.1:9', MEMORY_API_KEY: 'key' };
      expect((await runCli(['mirror', folder, ...option], { env })).code, String(option)).toBe(2);
      for (const other of others.filter(([name]) => name !== option[0])) {
        const { code, stderr } = await runCli(['mirror', folder, ...option, ...other], { env });
        expect([code, stderr], `${option} ${other}`).toEqual([2, expect.stringContaining(option[0] ?? '')]);
      }
    }
    expect(existsSync(folder)).toBe(false);
  });
});
