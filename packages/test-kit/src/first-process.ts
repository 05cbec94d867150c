import { type ChildProcessWithoutNullStreams, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { isRoot } from './without-network.ts';

/** A program that is the first process of its namespace, as in a container. */
export interface FirstProcess {
  child: ChildProcessWithoutNullStreams;
  /** Sends a signal to the program itself, from outside of the namespace. */
  kill(signal: NodeJS.Signals): void;
  /** Exit code of the program. */
  ended: Promise<number | null>;
}

const namespace = ['unshare', ...(isRoot ? [] : ['-r']), '--pid', '--fork', '--kill-child=SIGKILL'];

/** Returns, and prints, why no program can be the first process here. */
export function missingNamespaces(): string | undefined {
  try {
    const [command = '', ...args] = [...namespace, 'true'];
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    console.log(`No program runs as the first process: ${message}.`);
    return message;
  }
}

/** Starts a program as the first process. It ends with its test. */
export function startFirstProcess(words: readonly string[], options: SpawnOptions = {}): FirstProcess {
  const [command = '', ...args] = [...namespace, ...words];
  const child = spawn(command, args, { ...options, stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { pid } = child;
  return {
    child,
    kill: (signal) => void process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), signal),
    ended: once(child, 'close').then(([code]) => code),
  };
}

/** Start option of Node that prints the URL of each module on standard error before it runs. */
export const printModules = `--import=data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process._rawDebug(url); return next(url, context); } });",
)}`;
