import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { endOf } from '@memory-read/test-kit/start-process';
import { expect, test } from 'vitest';
import { recordLines } from '../serving/many-records.ts';
import { untilReady } from '../serving/start-serve.ts';
import { buildImage, missingBuilder } from './build-image.ts';

const missing = missingBuilder();
if (missing !== undefined) console.log(`The image is not built: ${missing}.`);

test('the base image is the Node of this repository, pinned by a digest', () => {
  const version = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8').match(/^nodeVersion: (.*)$/m)?.[1];
  const text = readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8');
  expect(text).toMatch(new RegExp(`^ARG NODE_IMAGE=node:${version}-slim@sha256:[0-9a-f]{64}$`, 'm'));
  expect(text.match(/^FROM (?!\$\{NODE_IMAGE\})/gm)).toBeNull();
});

test.skipIf(missing)(
  'the image serves its volume as an ordinary user, and ends on SIGTERM',
  async () => {
    const { config, volume, start } = buildImage(makeFolder());
    expect(config.User).toBe('node');
    const port = await freePort();
    writeFileSync(join(volume, 'media', 'a.wav'), 'sound');
    writeFileSync(join(volume, 'memories.jsonl'), [...recordLines(3, 'mem')].join(''));
    const onPort = (words: readonly string[]) => words.map((word) => word.replace('8787', String(port)));
    const run = (...args: string[]) => endOf(start([...config.Entrypoint, ...args]));
    const command = onPort(config.Cmd);

    expect(await run(...command)).toMatchObject({ code: 1, stderr: expect.stringContaining('--create') });
    const imported = await run('import', 'memories.jsonl', '--account', 'ada', '--db', 'memories.sqlite');
    expect(imported).toMatchObject({ code: 0, stderr: 'Created memories.sqlite.\n' });
    const created = await run('keys', 'create', '--account', 'ada', '--db', 'memories.sqlite', '--json');
    const authorization = `Bearer ${JSON.parse(created.stdout).apiKey}`;

    const server = await untilReady(start([...config.Entrypoint, ...command]));
    const [kind, ...healthCheck] = onPort(config.Healthcheck.Test);
    const check = async () => (await endOf(start(healthCheck))).code;
    expect([kind, server.baseUrl]).toEqual(['CMD', `http://127.0.0.1:${port}`]);
    expect(await check()).toBe(0);
    const listed = await fetch(`${server.baseUrl}/v1/memories`, { headers: { authorization } });
    expect(await listed.json()).toHaveLength(3);
    const { pid } = server.child;
    const firstProcess = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
    process.kill(firstProcess, 'SIGTERM');
    expect(await server.ended).toBe(0);
    expect(await check()).toBe(1);
    const files = ['media', 'memories.jsonl', 'memories.sqlite', 'memories.sqlite.media-secrets.json'];
    expect(readdirSync(volume)).toEqual(files);
    expect(statSync(join(volume, 'memories.sqlite')).mode & 0o777).toBe(0o600);
  },
  300_000,
);
