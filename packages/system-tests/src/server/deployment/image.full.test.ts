import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';
import { manyRecords } from '../serving/many-records.ts';
import { buildWithBuildah, missingBuilder } from './build-with-buildah.ts';
import { createContext } from './create-context.ts';
import type { Image } from './image.ts';
import { runToEnd, startServer } from './run-server.ts';
import { runSteps } from './run-steps.ts';

const folder = makeFolder(afterAll);
const context = join(folder, 'context');
createContext(context);

const missing = missingBuilder(folder);
if (missing !== undefined) console.log(`The image is not built, only its steps run in a folder: ${missing}.`);
const builders: [string, () => Image][] = [
  ...(missing === undefined
    ? [['built by buildah', () => buildWithBuildah(folder, context)] as [string, () => Image]]
    : []),
  ['whose steps run in a folder', () => runSteps(makeFolder(), context)],
];

test('the base image is the Node of this repository, pinned by a digest', () => {
  const version = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').match(/^nodeVersion: (.*)$/m)?.[1];
  const text = readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8');
  expect(text).toMatch(new RegExp(`^ARG NODE_IMAGE=node:${version}-slim@sha256:[0-9a-f]{64}$`, 'm'));
  expect(text.match(/^FROM (?!\$\{NODE_IMAGE\})/gm)).toBeNull();
});

test.each(builders)('the image %s serves its volume as an ordinary user, and ends on SIGTERM', async (_, build) => {
  const { config, pathOf, inContainer, firstProcess } = build();
  expect(config.User).toBe('node');
  const port = await freePort();
  const [mounted = ''] = Object.keys(config.Volumes);
  // A new volume begins as a copy of the folder of the image, with its owners.
  const volume = join(makeFolder(), 'volume');
  execFileSync('cp', ['-a', pathOf(mounted), volume]);
  writeFileSync(join(volume, 'media', 'a.wav'), 'sound');
  const records = [...manyRecords(3, 'mem')].map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(volume, 'memories.jsonl'), records.join(''));
  const mounts = { [mounted]: volume };
  const onPort = (word: string) => word.replace('8787', String(port));
  const run = (...args: string[]) => {
    const { program, options } = inContainer([...config.Entrypoint, ...args], mounts);
    return runToEnd(program, options);
  };

  const early = await run(...config.Cmd.map(onPort));
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('--create')]);
  const imported = await run('import', 'memories.jsonl', '--account', 'ada', '--db', 'memories.sqlite');
  expect([imported.code, imported.stderr]).toEqual([0, 'Created memories.sqlite.\n']);
  const created = await run('keys', 'create', '--account', 'ada', '--db', 'memories.sqlite', '--json');
  const key = /mrk_[\w-]+/.exec(created.stdout)?.[0] ?? created.stderr;

  const { program, options } = inContainer([...config.Entrypoint, ...config.Cmd.map(onPort)], mounts);
  const { child, ready, ended } = await startServer(program, options);
  const check = async () => {
    const [kind, ...command] = config.Healthcheck.Test.map(onPort);
    expect(kind).toBe('CMD');
    const beside = inContainer(command, mounts);
    return (await runToEnd(beside.program, beside.options)).code;
  };
  expect(ready.baseUrl).toBe(`http://127.0.0.1:${port}`);
  expect(await check()).toBe(0);
  const listed = await fetch(`${ready.baseUrl}/v1/memories`, { headers: { authorization: `Bearer ${key}` } });
  expect(await listed.json()).toHaveLength(3);
  process.kill(firstProcess(child), 'SIGTERM');
  expect(await ended).toBe(0);
  expect(await check()).toBe(1);
  expect(readdirSync(volume)).toEqual([
    'media',
    'memories.jsonl',
    'memories.sqlite',
    'memories.sqlite.media-secrets.json',
  ]);
  expect(statSync(join(volume, 'memories.sqlite')).mode & 0o777).toBe(0o600);
});
