import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runCli, startDemo, temporaryDirectory } from '../testing/run-cli.ts';
import { serveAccount } from '../testing/serve-account.ts';

test('is identical from a server and from a mirror, byte for byte', async () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.stubEnv('TZ', 'UTC'));
  const { env } = await startDemo();
  const cwd = temporaryDirectory();
  expect((await runCli(['mirror', '--no-media'], { env, cwd })).code).toBe(0);
  // The newest memories of a demo are processed while it runs.
  const until = new Date(Date.now() - 2 * 86_400_000).toISOString();
  for (const format of ['markdown', 'json']) {
    const args = ['digest', '--since', '2000', '--until', until, '--format', format];
    const ofServer = await runCli(args, { env });
    const ofMirror = await runCli([...args, '--mirror', 'memories'], { cwd });
    expect(ofServer).toEqual({ code: 0, stderr: '', stdout: expect.stringMatching(/^[#{].{1000}/s) });
    expect(ofMirror).toEqual(ofServer);
    expect(ofServer.stdout).not.toMatch(/https?:/);
  }
});

test('covers the last seven days by default, and is written to a file or a folder', async () => {
  const ago = (days: number) => {
    const started_at = new Date(Date.now() - days * 86_400_000).toISOString();
    return { started_at, ended_at: started_at };
  };
  const { env } = await serveAccount({ id: 'mem_2', ...ago(6.9) }, { id: 'mem_1', ...ago(7.1) });
  const { stdout } = await runCli(['digest', '--json'], { env });
  const { since, until, memories } = JSON.parse(stdout);
  expect(Date.parse(until) - Date.parse(since)).toBe(7 * 86_400_000);
  expect(memories).toMatchObject([{ id: 'mem_2' }]);

  const cwd = temporaryDirectory();
  const named = await runCli(['digest', '--title', 'Week: 1/2', '--output', 'notes/'], { env, cwd });
  expect(named).toMatchObject({ code: 0, stdout: '' });
  const [name = ''] = readdirSync(join(cwd, 'notes'));
  expect(name).toMatch(/^\d{4}-\d\d-\d\d Week - 1-2\.md$/);
  expect(named.stderr).toBe(`Saved ${join('notes', name)}.\n`);
  expect(readFileSync(join(cwd, 'notes', name), 'utf8')).toMatch(/^# Week: 1\/2\n/);
});
