import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonLines } from '../testing/json-lines.ts';
import { runCli, startServe, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

function makeRepository(ignored = ''): string {
  const folder = temporaryDirectory();
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  writeFileSync(join(folder, '.gitignore'), ignored);
  return folder;
}

const { PATH = '' } = process.env;
const said = /Git does not ignore .*(mirror|memories)\.sqlite/;

test.each([
  ['a folder with other files', makeRepository, true],
  ['an ignored folder with other files', () => makeRepository('memories\n'), false],
  ['a folder outside of a repository', temporaryDirectory, false],
])('the run of mirror that makes it in %s reports once whether git ignores it', async (_, make, isReported) => {
  const account = await serveAccount({});
  const folder = join(make(), 'memories');
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.md'), '');
  const run = () => runCli(['mirror', folder, '--no-media'], { env: { ...account.env, PATH } });
  const first = await run();
  expect([first.code, said.test(first.stderr)]).toEqual([0, isReported]);
  const warnings = jsonLines(first.stdout).filter(({ event }) => event === 'warning');
  expect(warnings).toHaveLength(isReported ? 1 : 0);
  expect(await run()).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder, '.gitignore'))).toBe(false);
});

test('a mirror in a folder of its own ignores itself, so nothing is reported', async () => {
  const account = await serveAccount({});
  const root = makeRepository();
  const folder = join(root, 'memories');
  const env = { ...account.env, PATH };
  expect(await runCli(['mirror', folder, '--no-media'], { env })).toMatchObject({ code: 0, stderr: '' });
  const status = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status).toBe('?? .gitignore\n');
});

test.each([
  ['a repository', makeRepository, true],
  ['a repository that ignores it', () => makeRepository('demo\n'), false],
  ['no repository', temporaryDirectory, false],
])('a demo in %s reports once whether git ignores it', async (_, make, isReported) => {
  const folder = join(make(), 'demo');
  const start = async () => {
    const args = ['--demo', '--db', join(folder, 'memories.sqlite'), '--media-dir', join(folder, 'media')];
    const serve = await startServe(args, { env: { PATH } });
    serve.interrupt('SIGTERM');
    return (await serve.result).stderr;
  };
  expect(said.test(await start())).toBe(isReported);
  expect(await start()).not.toMatch(said);
});
