import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { afterAll, expect, test } from 'vitest';
import { runToEnd, startServer } from './run-server.ts';

const folder = makeFolder(afterAll);
const installed = '/usr/local/bin/memory-read';
const command = join(folder, 'memory-read');
writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'packages/cli/dist/main.js')}' "$@"\n`);
chmodSync(command, 0o755);

const text = readFileSync(join(root, 'deploy/systemd/memory-read.service'), 'utf8');
const unit = join(folder, 'memory-read.service');
writeFileSync(unit, text.replace(installed, command));

/** All values of a setting of the unit. */
const settings = (name: string) =>
  Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);

const isMissing = (program: string) => spawnSync(program, ['--version']).error !== undefined;
const missing = process.env.CI === 'true' ? [] : ['systemd-analyze', 'strace'].filter(isMissing);
if (missing.length > 0)
  console.log(`The tests of the systemd unit are left out: ${missing.join(' and ')} is not installed.`);

test.skipIf(missing.length > 0)('systemd accepts the unit, and rates it as exposed by at most 2 of 10', async () => {
  const analyze = (...args: string[]) => runToEnd(['systemd-analyze', ...args, unit], {});
  expect(await analyze('verify', '--recursive-errors=no', '--man=no')).toEqual({ code: 0, stdout: '', stderr: '' });
  const security = await analyze('security', '--no-pager', '--offline=true', '--threshold=20');
  expect([security.code, security.stderr]).toEqual([0, '']);
});

test.skipIf(missing.length > 0)(
  'the command of the unit serves with its environment, makes no system call that it filters, and ends on SIGTERM',
  async () => {
    const state = join(folder, 'state');
    for (const name of settings('StateDirectory').join(' ').split(' '))
      mkdirSync(join(state, name), { recursive: true });
    const credentials = join(folder, 'credentials');
    mkdirSync(credentials);
    const [credential = ''] = settings('LoadCredential').join('').split(':');
    writeFileSync(
      join(credentials, credential),
      JSON.stringify([{ id: 'main', secret: 'a secret of at least 16 bytes' }]),
    );
    const port = await freePort();
    const words = settings('ExecStart')
      .join()
      .replace(installed, command)
      .replaceAll('%S', state)
      .replaceAll('%d', credentials)
      .replace('8787', String(port))
      .split(' ');
    // It ends with 1 without the file, so that a state directory that is not mounted is noticed.
    const environment = {
      PATH: process.env.PATH,
      STATE_DIRECTORY: join(state, 'memory-read'),
      CREDENTIALS_DIRECTORY: credentials,
    };
    const umask = process.umask(Number.parseInt(settings('UMask').join(), 8));
    const early = await runToEnd(words, { env: environment });
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('--create')]);
    execFileSync(command, ['keys', 'create', '--account', 'ada', '--db', join(state, 'memory-read/memories.sqlite')]);

    const trace = join(folder, 'trace');
    const tracer = ['strace', '--follow-forks', '--quiet=all', '--output', trace];
    const { child, ready, ended } = await startServer([...tracer, ...words], { env: environment });
    process.umask(umask);
    expect((await fetch(`${ready.baseUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${ready.baseUrl}/v1/memories`)).status).toBe(401);
    const seconds = Number(settings('TimeoutStopSec'));
    const began = performance.now();
    process.kill(
      Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')[0]),
      'SIGTERM',
    );
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(seconds * 1_000);

    const made = new Set(Array.from(readFileSync(trace, 'utf8').matchAll(/^\d+ +(\w+)\(/gm), ([, name = '']) => name));
    expect(made).toContain('listen');
    // SQLite calls it only for root, who runs the tests in containers.
    if (process.getuid?.() === 0) made.delete('fchown');
    const allowed = allowedCalls();
    expect([...made].filter((name) => !allowed.has(name))).toEqual([]);
  },
);

/** The system calls that the filters of the unit leave. */
function allowedCalls(): Set<string> {
  const allowed = new Set<string>();
  for (const value of settings('SystemCallFilter')) {
    for (const name of value.replace('~', '').split(' ')) {
      for (const call of callsOf(name)) value.startsWith('~') ? allowed.delete(call) : allowed.add(call);
    }
  }
  return allowed;
}

function callsOf(name: string): string[] {
  if (!name.startsWith('@')) return [name];
  const lines = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', name], { encoding: 'utf8' }).split(
    '\n',
  );
  return lines
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => /^@?\w/.test(line))
    .flatMap(callsOf);
}
