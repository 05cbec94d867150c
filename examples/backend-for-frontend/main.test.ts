import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const start = (environment: Record<string, string>) =>
  spawn(process.execPath, ['--conditions=@memory-read/source', 'main.ts'], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, PAGES: import.meta.dirname, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('prints the address of the pages, serves them, and ends on a signal', async () => {
  const child = start({ MEMORY_API_URL: 'http://127.0.0.1:1', MEMORY_API_KEY: 'KEYSECRET_0123456789' });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const url = /^The pages are at (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
  expect((await fetch(`${url}/README.md`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('it says what is not set', async () => {
  const child = start({ MEMORY_API_URL: 'http://127.0.0.1:1' });
  const [line] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
  expect(line).toBe('Failed to start the backend: MEMORY_API_URL or MEMORY_API_KEY is not set. Set both.');
});
