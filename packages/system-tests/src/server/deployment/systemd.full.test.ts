import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@memory-read/test-kit/free-port';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';
import { endOf } from '@memory-read/test-kit/start-process';
import { afterAll, expect, test } from 'vitest';
import { untilReady } from '../serving/start-serve.ts';
import { installed, writeCommand } from './installed-command.ts';

const folder = makeFolder(afterAll);
const command = writeCommand(folder);

const text = readFileSync(join(root, 'deploy/systemd/memory-read.service'), 'utf8');
const unit = join(folder, 'memory-read.service');
writeFileSync(unit, text.replace(installed, command));

const testHere = test.runIf(['systemd-analyze', 'strace'].every(isInstalled));

testHere('systemd accepts the unit, and rates it as exposed by at most 2 of 10', async () => {
  const analyze = (...args: string[]) => endOf(spawn('systemd-analyze', [...args, unit]));
  expect(await analyze('verify', '--recursive-errors=no', '--man=no')).toEqual({ code: 0, stdout: '', stderr: '' });
  const security = analyze('security', '--no-pager', '--offline=true', '--threshold=20');
  expect(await security).toMatchObject({ code: 0, stderr: '' });
});

testHere(
  'the command of the unit serves with its environment, makes no system call that it filters, and ends on SIGTERM',
  async () => {
    const state = join(folder, 'state');
    for (const name of settings('StateDirectory').join(' ').split(' '))
      mkdirSync(join(state, name), { recursive: true });
    const credentials = join(folder, 'credentials');
    mkdirSync(credentials);
    const [credential = ''] = settings('LoadCredential').join('').split(':');
    const secrets = [{ id: 'main', secret: 'a secret of at least 16 bytes' }];
    writeFileSync(join(credentials, credential), JSON.stringify(secrets));
    const [program = '', ...args] = settings('ExecStart')
      .join()
      .replace(installed, command)
      .replaceAll('%S', state)
      .replaceAll('%d', credentials)
      .replace('8787', String(await freePort()))
      .split(' ');
    const env = {
      PATH: process.env.PATH,
      STATE_DIRECTORY: join(state, 'memory-read'),
      CREDENTIALS_DIRECTORY: credentials,
    };
    const umask = process.umask(Number.parseInt(settings('UMask').join(), 8));
    // It ends with 1 without the file, so that a state directory that is not mounted is noticed.
    const early = await endOf(spawn(program, args, { env }));
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('--create') });
    execFileSync(command, ['keys', 'create', '--account', 'ada', '--db', join(state, 'memory-read/memories.sqlite')]);

    const trace = join(folder, 'trace');
    const tracing = ['--follow-forks', '--quiet=all', '--output', trace, program];
    const server = await untilReady(spawn('strace', [...tracing, ...args], { env }));
    process.umask(umask);
    expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.baseUrl}/v1/memories`)).status).toBe(401);
    const { pid } = server.child;
    const [traced] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number);
    const began = performance.now();
    process.kill(traced ?? expect.unreachable(), 'SIGTERM');
    expect(await server.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(Number(settings('TimeoutStopSec')) * 1_000);

    const made = new Set(Array.from(readFileSync(trace, 'utf8').matchAll(/^\d+ +(\w+)\(/gm), ([, name = '']) => name));
    expect(made).toContain('listen');
    // SQLite calls it only for root, who runs the tests in containers.
    if (process.getuid?.() === 0) made.delete('fchown');
    const allowed = allowedCalls();
    expect([...made].filter((name) => !allowed.has(name))).toEqual([]);
  },
);

/** Returns all values of a setting of the unit. */
function settings(name: string): string[] {
  return Array.from(text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);
}

/** Returns the system calls that the filters of the unit leave. */
function allowedCalls(): Set<string> {
  const allowed = new Set<string>();
  for (const value of settings('SystemCallFilter')) {
    for (const call of value.replace('~', '').split(' ').flatMap(callsOf)) {
      if (value.startsWith('~')) allowed.delete(call);
      else allowed.add(call);
    }
  }
  return allowed;
}

function callsOf(name: string): string[] {
  if (!name.startsWith('@')) return [name];
  const [, ...lines] = execFileSync('systemd-analyze', ['syscall-filter', '--no-pager', name], {
    encoding: 'utf8',
  }).split('\n');
  const names = lines.map((line) => line.trim()).filter((line) => /^@?\w/.test(line));
  return names.flatMap(callsOf);
}
