import { spawn } from 'node:child_process';
import { endOf } from '@memory-read/test-kit/start-process';

/** Exit status and output of a program. */
export interface RecipeRun {
  readonly status: number | null;
  readonly output: string;
}

/** Milliseconds after which a program is killed. */
const longest = 50_000;

/** Runs a program in Node, such as a test runner, independent of the environment of this process. */
export async function runRecipe(
  args: readonly string[],
  environment: Record<string, string> = {},
  node = process.execPath,
  cwd = process.cwd(),
): Promise<RecipeRun> {
  const child = spawn(node, args, {
    cwd,
    env: { ...ownEnvironment(), NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: longest,
  });
  const { code, stdout, stderr } = await endOf(child);
  return { status: code, output: stdout + stderr };
}

/** Returns the environment without the variables of this test runner, which would make another runner act as its worker. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const ofRunner =
    /^(?:NODE_TEST_CONTEXT|NODE_OPTIONS|NODE_ENV|JEST_WORKER_ID|VITEST.*|TEST|MODE|DEV|PROD|SSR|BASE_URL)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofRunner.test(name)));
}
