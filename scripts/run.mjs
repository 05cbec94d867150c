// node scripts/run.mjs PROFILE [command …]: installs what the command needs, then runs it on the
// repository's own Node, which comes from npm like every other dependency. For serving, the machine's Node is used if it
// is new enough. Works on any Node from 20 up.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';

const [scope, ...command] = process.argv.slice(2);
const root = fileURLToPath(new URL('../', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');

let child;
// Signals are forwarded to the command, which ends by itself and sets the exit code. The first process of a container
// ignores them until there is a listener, also during an installation.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (child ? child.kill(signal) : process.exit(128 + constants.signals[signal])));

if (!(await install(scope))) process.exit(1);
const quiet = {
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  REDOCLY_TELEMETRY: 'off',
  SCARF_ANALYTICS: 'false',
  npm_config_update_notifier: 'false',
};

if (command.length > 0) run(command);

function run([name, ...args]) {
  const local = join(binaries, name);
  child = spawn(existsSync(local) ? local : name, args, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...quiet, PATH: `${binaries}${delimiter}${process.env.PATH}` },
  });
  // npm ends its shell on SIGTERM, and the shell does not forward the signal. Only the loss of the parent process shows
  // it.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  child.on('error', (error) => {
    console.error(`Failed to run ${name}: ${error.message}. Check the command's name.`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
