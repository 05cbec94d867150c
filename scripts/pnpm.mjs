// Runs the pnpm that package.json pins, which writes the lockfile, on any Node from 18 up, with nothing installed but npm.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const { packageManager } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
// npx does not know the hash, which is for Corepack.
const [pinned] = packageManager.split('+');

/**
 * Runs pnpm with these arguments in the repository's root and returns its exit code. The options are those of `spawn`,
 * `pnpm`, which names another version, and `onOutput`, which gets what would be printed.
 */
export function runPnpm(args, { pnpm = pinned, onOutput, ...options } = {}) {
  const words = ['npx', '--yes', '--prefer-offline', '--allow-scripts=pnpm', pnpm, ...args];
  const command = words.map((word) => (/^[\w@./:=+*{}-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  const env = { ...process.env, npm_config_update_notifier: 'false', ...options.env };
  const stdio = onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(command, { cwd: fileURLToPath(root), shell: true, stdio, ...options, env });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      console.error(`Failed to run pnpm: ${message}. Check that npm is installed.`);
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await runPnpm(process.argv.slice(2)));
