import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { listen } from '@memory-read/test-kit/listen';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { installed, writeCommand } from './installed-command.ts';

const folder = makeFolder(afterAll);
const command = writeCommand(folder);

const service = 'memory-read-watch.service';
const timer = 'memory-read-watch.timer';
const once = `${service}.d/once.conf`;
const textOf = (file: string) => readFileSync(join(root, 'deploy/systemd', file), 'utf8');
const settingsOf = (file: string, name: string) =>
  Array.from(textOf(file).matchAll(new RegExp(`^${name}=(.+)$`, 'gm')), ([, value = '']) => value);

const compose = parse(readFileSync(join(root, 'deploy/compose/watch.yaml'), 'utf8'));

test.runIf(isInstalled('systemd-analyze')).each([
  ['as a service', [service]],
  ['with the timer', [service, timer, once]],
])('systemd accepts the unit %s, and rates it as exposed by at most 2 of 10', async (name, files) => {
  const units = join(folder, name);
  for (const file of files) {
    mkdirSync(join(units, file, '..'), { recursive: true });
    writeFileSync(join(units, file), textOf(file).replaceAll(installed, command));
  }
  const analyze = (args: readonly string[], unit: string) =>
    endOf(spawn('systemd-analyze', [...args, join(units, unit)]));
  for (const unit of files.filter((file) => file !== once)) {
    const verified = await analyze(['verify', '--recursive-errors=no', '--man=no'], unit);
    expect(verified).toEqual({ code: 0, stdout: '', stderr: '' });
  }
  const security = analyze(['security', '--no-pager', '--offline=true', '--threshold=20'], service);
  expect(await security).toMatchObject({ code: 0, stderr: '' });
});

test('the run of the timer differs from the service in --once only, and the timer retries', () => {
  expect(settingsOf(once, 'ExecStart')).toEqual(settingsOf(service, 'ExecStart').map((line) => `${line} --once`));
  // An empty value removes the command of the service.
  expect(textOf(once)).toMatch(/^ExecStart=\nExecStart=/m);
  expect([settingsOf(once, 'Type'), settingsOf(once, 'Restart')]).toEqual([['oneshot'], ['no']]);
});

test('the command of the service reads the credentials that it gets', () => {
  const read = Array.from(
    settingsOf(service, 'ExecStart')
      .join()
      .matchAll(/file:%d\/(\S+)/g),
    ([, name]) => name,
  );
  const given = settingsOf(service, 'LoadCredential').map((value) => value.split(':')[0]);
  expect(read.sort()).toEqual(given.sort());
});

test('the container has the keys of Compose, its secrets and volumes exist, and nothing is published', () => {
  const { watch } = compose.services;
  expect(Object.keys(compose)).toEqual(['services', 'secrets', 'volumes']);
  expect(Object.keys(watch).sort()).toEqual([
    ...['cap_drop', 'command', 'environment', 'healthcheck', 'image', 'read_only', 'restart', 'secrets'],
    ...['security_opt', 'stop_grace_period', 'tmpfs', 'volumes'],
  ]);
  expect(watch.secrets).toEqual(Object.keys(compose.secrets));
  for (const value of watch.command.filter((word: string) => word.includes('/run/secrets/')))
    expect(watch.secrets).toContain(value.split('/').at(-1));
  expect(watch.volumes.map((volume: string) => volume.split(':')[0])).toEqual(Object.keys(compose.volumes));
  const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const entrypoint = JSON.parse(dockerfile.match(/^ENTRYPOINT (.*)$/m)?.[1] ?? '');
  expect(watch.healthcheck.test.slice(0, 3)).toEqual(['CMD', ...entrypoint]);
  expect(dockerfile).toContain(`VOLUME ${watch.volumes[0].split(':')[1]}\n`);
});

const runs = [
  ['unit', settingsOf(once, 'ExecStart').join().split(' ').slice(1)],
  ['container', [...compose.services.watch.command, '--once']],
] as const;

test.each(runs)(
  'the command of the %s delivers, its arguments hold no secret, and it binds no port',
  async (_, words) => {
    const received: unknown[] = [];
    await using api = await listen(({ url = '' }, response) => {
      const body = url.endsWith('/mem_1') ? sampleMemory() : [sampleListedMemory()];
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    });
    await using receiver = await listen(async (request, response) => {
      received.push(request.url);
      response.writeHead(204).end();
    });
    const state = makeFolder();
    const files = {
      'api-key': 'k'.repeat(40),
      'webhook-url': `${receiver.url}/hook/s3cret`,
      'webhook-secret': `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(state, name), `${text}\n`, { mode: 0o600 });
    const args = words.map((word) =>
      word
        .replace(/(file:)(%d|\/run\/secrets)/, `$1${state}`)
        .replace(/%S|\/var\/lib\/memory-read/, join(state, 'mirrors')),
    );
    mkdirSync(join(state, 'mirrors'));
    for (const text of Object.values(files)) expect(words.join(' ')).not.toContain(text);
    const trace = join(state, 'trace');
    const tracing = isInstalled('strace')
      ? ['strace', '--follow-forks', '--quiet=all', '--trace=bind,listen', '--output', trace]
      : [];
    const [program = '', ...rest] = [...tracing, command, ...args];
    const env = { PATH: process.env.PATH, MEMORY_API_URL: api.url };
    const run = await endOf(spawn(program, rest, { env }));
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'watched',
      delivered: 2,
      pending: 0,
    });
    expect(received).toEqual(['/hook/s3cret', '/hook/s3cret']);
    // SocketBindDeny= refuses these calls.
    if (tracing.length > 0) expect(readFileSync(trace, 'utf8')).not.toMatch(/bind\(.*AF_INET|listen\(/);
  },
);
