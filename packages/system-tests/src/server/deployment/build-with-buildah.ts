import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Image } from './image.ts';

const search = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** The user and the group `node` of the official image. */
const node = 1_000;

/** Returns why no image can be built here, or `undefined`. */
export function missingBuilder(folder: string): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and the user root';
  try {
    execFileSync('buildah', ['--version'], { stdio: 'ignore' });
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
    buildah(folder, 'info');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Builds the image as it is, but on the Node and the programs of this machine instead of those of the official image,
 * which only a registry has. `folder` holds all images until it is removed.
 */
export function buildWithBuildah(folder: string, context: string): Image {
  const base = createBase(folder);
  const flags = ['--isolation', 'chroot', '--format', 'docker', '--pull-never'];
  buildah(folder, 'build', ...flags, '--build-arg', `NODE_IMAGE=${base}`, '--tag', 'localhost/memory-read', context);
  const { Docker } = JSON.parse(buildah(folder, 'inspect', '--type', 'image', 'localhost/memory-read'));
  const container = buildah(folder, 'from', '--pull-never', 'localhost/memory-read');
  const rootFolder = buildah(folder, 'mount', container);
  return {
    config: Docker.config,
    pathOf: (path) => join(rootFolder, path),
    inContainer: (command, mounts) => ({
      program: inChroot(rootFolder, Docker.config.WorkingDir, command, mounts),
      options: { env: Object.fromEntries(Docker.config.Env.map(pairOf)) },
    }),
    firstProcess: ({ pid }) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')),
  };
}

/** Mounts the root file system read-only, and makes the command the process with the id 1 of an ordinary user. */
function inChroot(
  rootFolder: string,
  workingFolder: string,
  command: readonly string[],
  mounts: Readonly<Record<string, string>>,
): string[] {
  const script = [
    `mount --bind '${rootFolder}' '${rootFolder}'`,
    ...Object.entries(mounts).map(([target, source]) => `mount --bind '${source}' '${rootFolder}${target}'`),
    `mount -o remount,bind,ro '${rootFolder}'`,
    `exec chroot --userspec=${node}:${node} '${rootFolder}' sh -c 'cd "$0" && exec "$@"' "$0" "$@"`,
  ].join('\n');
  const own = ['--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  return ['/usr/bin/unshare', ...own, 'sh', '-euc', script, workingFolder, ...command];
}

/** Creates an image with the programs that the steps of the Dockerfile call. */
function createBase(folder: string): string {
  const container = buildah(folder, 'from', 'scratch');
  const target = buildah(folder, 'mount', container);
  for (const name of ['sh', 'mkdir', 'chown', 'chmod']) copyProgram(pathOf(name), target, `/bin/${name}`);
  copyProgram(process.execPath, target, '/usr/local/bin/node');
  const npm = join(realpathSync(pathOf('npm')), '../..');
  cpSync(npm, join(target, 'usr/local/lib/npm'), { recursive: true });
  const start = '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n';
  writeFileSync(join(target, 'usr/local/bin/npm'), start, { mode: 0o755 });
  mkdirSync(join(target, 'etc'));
  writeFileSync(join(target, 'etc/passwd'), `root:x:0:0::/:/bin/sh\nnode:x:${node}:${node}::/:/bin/sh\n`);
  writeFileSync(join(target, 'etc/group'), `root:x:0:\nnode:x:${node}:\n`);
  mkdirSync(join(target, 'tmp'));
  chmodSync(join(target, 'tmp'), 0o1777);
  chmodSync(target, 0o755);
  buildah(folder, 'config', '--env', `PATH=${search}`, container);
  buildah(folder, 'commit', '--quiet', container, 'localhost/node-of-this-machine');
  return 'localhost/node-of-this-machine';
}

function pathOf(program: string): string {
  return execFileSync('which', [program], { encoding: 'utf8' }).trim();
}

/** Copies a program with the libraries that it loads. */
function copyProgram(path: string, rootFolder: string, target: string): void {
  const libraries = execFileSync('ldd', [path], { encoding: 'utf8' }).match(/\/[^ ]*\.so[^ ]*/g) ?? [];
  for (const [from, to] of [[path, target], ...libraries.map((library) => [library, library])] as [string, string][]) {
    mkdirSync(join(rootFolder, dirname(to)), { recursive: true });
    copyFileSync(from, join(rootFolder, to));
  }
}

function buildah(folder: string, ...args: string[]): string {
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  return execFileSync('buildah', [...storage, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

function pairOf(variable: string): [string, string] {
  const position = variable.indexOf('=');
  return [variable.slice(0, position), variable.slice(position + 1)];
}
