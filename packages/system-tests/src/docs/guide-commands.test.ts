import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { startProcess } from '@memory-read/test-kit/start-process';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const main = join(root, 'packages/cli/src/main.ts');
const inspector = join(
  root,
  'packages/system-tests/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const ready = /"event":"ready","baseUrl":"([^"]+)"/;

test('the commands of the guide serve a SQLite file from an empty folder', async () => {
  const { folder, run, serve } = createShell();
  const section = sectionOf('running-the-server.md', '## Serve your own data');
  const [json = ''] = blocksOf(section, 'json');
  writeFileSync(join(folder, 'memories.jsonl'), json);
  const [commands = '', request = ''] = blocksOf(section, 'sh');
  const { before, last } = splitAtServe(commands);
  const key = /mrk_[\w-]+/.exec(await run(before))?.[0] ?? '';
  await using server = await serve(`${last} --port 0`);
  const url = server.ready[1] ?? '';
  const listed = await run(request.replace('mrk_…', key).replace('http://127.0.0.1:8787', url));
  expect(JSON.parse(listed)).toMatchObject([{ id: 'mem_1', name: 'Weekly planning' }]);
});

test('the commands of the guide back up a SQLite file that is served, and restore it', async () => {
  const { folder, run, serve } = createShell();
  const here = (text: string) => text.replaceAll('/var/lib/memory-read', folder).replace('--port 8787', '--port 0');
  const guide = readFileSync(join(root, 'docs/guides/backups.md'), 'utf8');
  const [start = ''] = blocksOf(guide, 'sh').map(here);
  const { before, last } = splitAtServe(start);
  await run(before);
  await using _server = await serve(last);
  const keys = blocksOf(sectionOf('keys-and-secrets.md', '## API keys'), 'sh').map(here);
  const created = JSON.parse((await run(keys[0] ?? '')).split('\n')[0] ?? '');
  const [backup = '', shell = '', restore = ''] = blocksOf(
    sectionOf('backups.md', '## Back up and restore SQLite'),
    'sh',
  ).map(here);
  await run(backup);
  expect(shell, 'needs the SQLite shell, which not every machine has').toContain('sqlite3');
  expect(await run(restore)).toContain(created.keyId);
  await run((keys[1] ?? '').replace(/key_\S+/, created.keyId));
  expect(await run(`memory-read keys list --db ${folder}/memories.sqlite`)).toContain('revoked');
});

test('the command of the guide finds something with the inspector in the memories of the demo', async () => {
  const { folder, run, serve } = createShell();
  await using server = await serve('memory-read serve --demo --in-memory --port 0');
  const { baseUrl, apiKey } = JSON.parse(server.ready.input ?? '');
  await run(`echo '${apiKey}' | memory-read login --base-url ${baseUrl} --key-stdin`);
  const guide = readFileSync(join(root, 'docs/guides/assistants.md'), 'utf8');
  const [inspect = ''] = blocksOf(guide, 'sh').filter((block) => block.includes('inspector'));
  // Without this variable, the inspector creates a folder in the home folder.
  const found = await run(
    inspect.replace(/^npx \S+/, `MCP_STORAGE_DIR=${folder} '${process.execPath}' '${inspector}'`),
  );
  expect(found).toContain('"receipt"');
});

test('the commands of the guide name the speakers of the demo, and share and forget the names', async () => {
  const { folder, run, serve } = createShell({ GIT_CONFIG_GLOBAL: '/dev/null', ...gitUser });
  await using server = await serve('memory-read serve --demo --in-memory --port 0');
  const { baseUrl, apiKey } = JSON.parse(server.ready.input ?? '');
  await run(`echo '${apiKey}' | memory-read login --base-url ${baseUrl} --key-stdin`);
  const guide = readFileSync(join(root, 'docs/guides/naming-speakers.md'), 'utf8');
  const [look = '', name = '', rename = '', backup = '', add = '', share = '', restore = '', forget = ''] = blocksOf(
    guide,
    'sh',
  );
  expect(await run(look)).toMatch(/"speaker":"Speaker 1","person":null.*Because the neighbours are asleep/);
  expect(await run(name)).toMatch(
    /"text":"I promise I will be there at eight[^"]*","speaker":"Speaker 2","person":"Ada"/,
  );
  expect(await run(rename)).toMatch(/"undone":true\}\n.*"removed":true\}\n$/);
  await run('memory-read mirror second\ngit init -q --bare remote.git\ngit clone -q remote.git one');
  const on = (machine: string, mirror: string, commands: string) =>
    run(`cd ${machine}\nexport MEMORY_READ_MIRROR='${join(folder, mirror)}'\n${commands}`);
  await on('one', 'memories', backup + add);
  await run('git clone -q remote.git two');
  // Both machines change the same line, and each one says who you are.
  await on('one', 'memories', 'memory-read name mem_showcase_call "Speaker 2" Ada --me');
  await on('two', 'second', 'memory-read name mem_showcase_call "Speaker 2" Grace --me');
  await on('one', 'memories', share);
  expect(await on('two', 'second', share)).toMatch(/"changed":1,"unchanged":1,.*Names of speakers/s);
  expect(await on('one', 'memories', share.replace('git commit', 'git commit --allow-empty'))).toContain('"changed":1');
  expect(await on('one', 'memories', 'cat people.jsonl')).toContain('"person":"Grace"');
  await run('cp one/people.jsonl .\nmemory-read people forget Grace');
  expect(await run(restore)).toContain('"changed":1,"unchanged":1');
  await run('memory-read people rename Grace "Ada Byron"');
  expect(await run(`${forget}memory-read people list\nmemory-read people import people.jsonl`)).toMatch(
    /^\{"event":"forgotten","leftFiles":\[\]\}\n\{"event":"imported","changed":0,"unchanged":2,/,
  );
});

test('the commands of the guide start a mock, and control it', async () => {
  const { run, serve } = createShell({ MOCK_API_KEY: 'key-of-the-tests' });
  const [start = '', list = ''] = blocksOf(sectionOf('mock-server.md', '## Start it'), 'sh');
  const command = start.trim().split('\n').at(-1);
  await using server = await serve(`${command} --port 0 --control-port 0`);
  const { baseUrl, controlUrl } = JSON.parse(server.ready.input);
  expect(JSON.parse(await run(list.replace('http://127.0.0.1:8790', baseUrl)))).toHaveLength(12);
  const [control = ''] = blocksOf(sectionOf('mock-server.md', '## Control it'), 'sh');
  const commands = control.replace('http://127.0.0.1:8791', controlUrl).trim().split('\n');
  const reset = commands.pop();
  const printed = await run(commands.join('\n'));
  expect(printed).toMatch(/"name":"Stand-up".*"now":.*"requests":\[.*"operation":"listMemories"/s);
  const faults = `curl --silent --fail ${controlUrl}/spaces/default/faults`;
  expect(await run(faults)).toContain('{"status":503,"retryAfter":2000}');
  expect(await run(`${commands[0]}\n${commands[1]}\n${reset}\n${faults}`)).toBe('[]');
});

test('the compose file starts a mock whose URLs have the name of its service', async () => {
  const { mock } = parse(readFileSync(join(root, 'docs/code/compose.yaml'), 'utf8')).services;
  const { run, serve } = createShell(mock.environment);
  const [port, controlPort, mediaPort, spacePort] = await Promise.all(Array.from({ length: 4 }, freePort));
  const here = mock.command
    .replaceAll('0.0.0.0', '127.0.0.1')
    .replace('8792', String(mediaPort))
    .replace('8801-8820', `${spacePort}-${spacePort}`);
  await using server = await serve(`memory-read ${here} --port ${port} --control-port ${controlPort}`);
  expect(JSON.parse(server.ready.input)).toMatchObject({
    baseUrl: `http://mock:${port}`,
    mediaUrl: expect.stringContaining(`http://mock:${mediaPort}/`),
  });
  const [, program, ...check] = mock.healthcheck.test;
  expect(program).toBe('node');
  await promisify(execFile)(
    process.execPath,
    check.map((word: string) => word.replace('8791', String(controlPort))),
  );
  const control = `curl --silent --fail --header 'Host: mock:${controlPort}' http://127.0.0.1:${controlPort}`;
  const space = await run(`${control}/spaces --header 'Content-Type: application/json' --data '{}'`);
  expect(JSON.parse(space).baseUrl).toBe(`http://mock:${spacePort}`);
});

const gitUser = {
  ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' },
  ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
};

/** An empty folder, and a shell in it that has the command. */
function createShell(variables: Record<string, string> = {}) {
  const folder = makeFolder();
  const programs = makeFolder();
  const script = `#!/bin/sh\nexec '${process.execPath}' --conditions=@memory-read/source '${main}' "$@"\n`;
  writeFileSync(join(programs, 'memory-read'), script, { mode: 0o755 });
  const options = {
    cwd: folder,
    env: { ...process.env, ...variables, HOME: folder, PATH: `${programs}:${process.env.PATH}` },
  };
  return {
    folder,
    run: async (commands: string) => (await promisify(execFile)('sh', ['-ec', commands], options)).stdout,
    serve: (command: string) => startProcess(['sh', '-c', `exec ${command}`], ready, options),
  };
}

/** Returns the commands before the last one, which serves until it is stopped. */
function splitAtServe(commands: string): { before: string; last: string } {
  const lines = commands.trim().split('\n');
  const last = lines.pop() ?? '';
  expect(last).toMatch(/^memory-read serve /);
  return { before: lines.join('\n'), last };
}

function sectionOf(guide: string, heading: string): string {
  const text = readFileSync(join(root, 'docs/guides', guide), 'utf8');
  return text.split(/^(?=## )/m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

function blocksOf(text: string, language: string): string[] {
  return Array.from(
    text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm')),
    ([, block = '']) => block,
  );
}
