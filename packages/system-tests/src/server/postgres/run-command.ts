import { makeFolder } from '@memory-read/test-kit/make-folder';
import { endOf } from '@memory-read/test-kit/start-process';
import { spawnCommand } from '../serving/start-serve.ts';

/** Runs a command over a PostgreSQL database to its end. */
export function runCommand(
  url: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
) {
  const child = spawnCommand([...args, '--postgres', 'env:DATABASE_URL'], {
    cwd: makeFolder(),
    env: { NO_COLOR: '1', NODE_OPTIONS: '', DATABASE_URL: url, ...env },
  });
  return endOf(child, input);
}
