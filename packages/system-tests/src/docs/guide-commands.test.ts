import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { startProcess } from '@memory-read/test-kit/start-process';
import { expect, test } from 'vitest';

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

/** An empty folder, and a shell in it that has the command. */
function createShell() {
  const folder = makeFolder();
  const programs = makeFolder();
  const script = `#!/bin/sh\nexec '${process.execPath}' --conditions=@memory-read/source '${main}' "$@"\n`;
  writeFileSync(join(programs, 'memory-read'), script, { mode: 0o755 });
  const options = { cwd: folder, env: { ...process.env, HOME: folder, PATH: `${programs}:${process.env.PATH}` } };
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
