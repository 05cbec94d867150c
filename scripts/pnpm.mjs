// Runs the pnpm that package.json pins, on any Node from 18 up, with nothing installed but npm.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const { packageManager } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** Runs pnpm with these arguments in the repository's root and returns its exit code. */
export function runPnpm(args) {
  const words = ['npx', '--yes', '--prefer-offline', '--allow-scripts=pnpm', packageManager, ...args];
  const command = words.map((word) => (/^[\w@./:=+*{}-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
  const { status, error } = spawnSync(command, {
    cwd: fileURLToPath(root),
    shell: true,
    // Standard output belongs to the command that is run afterwards. CI keeps pnpm from asking questions.
    stdio: ['ignore', 2, 2],
    env: { ...process.env, CI: 'true', npm_config_update_notifier: 'false' },
  });
  if (error) console.error(`Failed to run pnpm: because ${error.message}. Check that npm is installed.`);
  return status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(runPnpm(process.argv.slice(2)));
