import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { spawnCommand } from '../serving/start-serve.ts';

/** Runs a command over a PostgreSQL database to its end. */
export async function runCommand(
  url: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
) {
  const child = spawnCommand([...args, '--postgres', 'env:DATABASE_URL'], {
    cwd: makeFolder(),
    env: { NO_COLOR: '1', NODE_OPTIONS: '', DATABASE_URL: url, ...env },
    isFromSources: true,
  });
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, stdout, stderr };
}
