import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@memory-read/test-kit/repository';
import { startProcess } from '@memory-read/test-kit/start-process';

/** Values that replace the output of `npm start` and a fixed port. */
export interface Places {
  readonly url: string;
  readonly apiKey: string;
  readonly port?: readonly [shown: string, free: number] | undefined;
}

/** Returns the commands of the first block in the README of an example, without the initial `npm start`. */
export function commandsOf(example: string, { url, apiKey, port = ['', 0] }: Places): string[] {
  const text = readFileSync(join(root, 'examples', example, 'README.md'), 'utf8');
  const [, start, block = ''] = /^```sh\n(npm start)\b.*\n([\s\S]*?)^```/m.exec(text) ?? [];
  if (start === undefined) throw new Error(`The README of ${example} does not begin with npm start.`);
  return block
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replace(/\s+# .*$/, '')
        .replace('http://127.0.0.1:8787', url)
        .replace('mrk_…', apiKey)
        .replace(port[0], port[0] && String(port[1]))
        // Node runs the script of the package as pnpm would, which takes ten seconds to start.
        .replace(/npm run pnpm -- --filter "\*([\w-]+)" run (\w+)/, (_, name, script) => {
          return `env -C '${join(root, 'examples', name)}' node --run ${script} --`;
        }),
    );
}

/** Runs a command, which must succeed, and returns its output. */
export async function runCommand(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root });
  return stdout;
}

/** Starts a command that keeps running, and waits for a line of its output. */
export function launchCommand(command: string, said: RegExp): Promise<AsyncDisposable> {
  return startProcess(['sh', '-c', command], said, { cwd: root, detached: true });
}
