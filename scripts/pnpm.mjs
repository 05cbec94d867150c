// Runs the pnpm that package.json pins, on any Node from 20 up, with nothing installed but npm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Such as `pnpm@1.2.3`, and the SHA-512 of its tarball. */
export const [pinned, sha512] = packageManager.split('+sha512.');
const folder = join(root, 'node_modules', '.cache', `${pinned}-${sha512.slice(0, 16)}`);
const isWindows = process.platform === 'win32';

/**
 * Runs pnpm with these arguments in the repository's root and returns its exit code, or that of the npm that fetches it.
 * The options are those of `spawn` and `onOutput`, which gets what would be printed. Rejects if nothing can be run.
 */
export async function runPnpm(args, options = {}) {
  const status = existsSync(folder) ? 0 : await fetchPnpm(options);
  const program = join(folder, 'bin', 'pnpm.cjs');
  return status || run('node', [program, ...args], options);
}

/** Fetches the tarball, compares it, and unpacks it without running any of its scripts. */
async function fetchPnpm(options) {
  mkdirSync(join(folder, '..'), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  const tarball = `${pinned.replace('@', '-')}.tgz`;
  // npm's own cache may be read-only, or hold what another registry has served.
  const flags = ['--cache=cache', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const stdio = ['ignore', 'ignore', 'inherit'];
  const npm = (...words) => run('npm', [...words, ...flags], { ...options, cwd: partial, stdio, shell: isWindows });
  try {
    copyFileSync(join(root, '.npmrc'), join(partial, '.npmrc'));
    // Makes this folder the project. With --prefix, npm would not read the settings of the machine.
    writeFileSync(join(partial, 'package.json'), '{}');
    const packed = await npm('pack', pinned);
    if (packed !== 0) return packed;
    // The file has another name if the registry says so.
    const file = join(partial, tarball);
    if (!existsSync(file) || createHash('sha512').update(readFileSync(file)).digest('hex') !== sha512)
      throw new Error(
        `the registry serves ${pinned} with another SHA-512 than package.json names, and nothing of it was run. ` +
          'Check the registry that "npm config get registry" prints.',
      );
    const unpacked = await npm('install', '--offline', tarball);
    if (unpacked === 0) moveInto(folder, join(partial, 'node_modules', 'pnpm'));
    return unpacked;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function moveInto(target, source) {
  try {
    renameSync(source, target);
  } catch (error) {
    // Of two that fetch it at once, the first one wins.
    if (!existsSync(target)) throw error;
  }
}

function run(program, args, { onOutput, ...options }) {
  const env = { ...process.env, npm_config_update_notifier: 'false', ...options.env };
  const stdio = onOutput ? ['ignore', 'pipe', 'pipe'] : (options.stdio ?? 'inherit');
  const child = spawn(program, args, { cwd: root, ...options, stdio, env });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput);
  return new Promise((resolve, reject) => {
    child.on('error', ({ message }) => reject(new Error(`${message}. Check that npm is installed.`)));
    child.on('close', (status) => resolve(status ?? 1));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await runPnpm(process.argv.slice(2)).catch(({ message }) => {
    console.error(`Failed to run pnpm: ${message}`);
    return 1;
  });
}
