import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@memory-read/test-kit/repository';

/** What an image says about its containers. */
interface ImageConfig {
  Env: readonly string[];
  User: string;
  WorkingDir: string;
  Volumes: Readonly<Record<string, object>>;
  Entrypoint: readonly string[];
  Cmd: readonly string[];
  Healthcheck: { Test: readonly string[] };
}

interface Image {
  config: ImageConfig;
  /** The folder of its volume on this machine. */
  volume: string;
  /** Starts a command as in a container: as process 1 of an ordinary user, with a read-only root file system. */
  start(command: readonly string[]): ChildProcessWithoutNullStreams;
}

/** The user and the group `node` of the official image. */
const node = 1_000;
/** The programs and the libraries of this machine, which the base image lacks. */
const system = '/usr';

/** Returns why no image can be built here, or `undefined`. */
export function missingBuilder(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and the user root';
  try {
    execFileSync('buildah', ['--version'], { stdio: 'ignore' });
    execFileSync('unshare', ['--mount', '--pid', '--fork', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Builds the image on the Node of this machine instead of the official image, which only a registry has. */
export function buildImage(folder: string): Image {
  const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...storage, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const context = join(folder, 'context');
  const createContext = join(root, 'packages/system-tests/src/packages/image-context.ts');
  execFileSync(process.execPath, [createContext, context], { stdio: ['ignore', 'inherit', 'inherit'] });

  const base = buildah('from', 'scratch');
  fillBase(buildah('mount', base));
  buildah('config', '--env', 'PATH=/opt/base:/bin', base);
  buildah('commit', '--quiet', base, 'localhost/base');
  const flags = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--volume', `${system}:${system}:ro`];
  buildah('build', ...flags, '--build-arg', 'NODE_IMAGE=localhost/base', '--tag', 'localhost/memory-read', context);
  const { config }: { config: ImageConfig } = JSON.parse(
    buildah('inspect', '--type', 'image', 'localhost/memory-read'),
  ).Docker;
  const image = buildah('mount', buildah('from', '--pull-never', 'localhost/memory-read'));
  const [mounted = ''] = Object.keys(config.Volumes);
  const volume = join(folder, 'volume');
  // A new volume begins as a copy of the folder of the image, with its owners.
  execFileSync('cp', ['-a', join(image, mounted), volume]);
  const script = `
    mount --bind '${image}' '${image}'
    mount --bind '${volume}' '${image}${mounted}'
    mount --bind '${system}' '${image}${system}'
    mount -o remount,bind,ro '${image}'
    exec /usr/sbin/chroot --userspec=${node}:${node} '${image}' sh -c 'cd "$0" && exec "$@"' '${config.WorkingDir}' "$@"`;
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
  const start = (command: readonly string[]) =>
    spawn('/usr/bin/unshare', [...namespaces, 'sh', '-euc', script, 'sh', ...command], {
      env: Object.fromEntries(config.Env.map((variable) => variable.split(/=(.*)/s))),
    });
  return { config, volume, start };
}

function fillBase(folder: string): void {
  for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name));
  for (const name of ['usr', 'etc', 'tmp', 'opt/base']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'etc/passwd'), `root:x:0:0::/:/bin/sh\nnode:x:${node}:${node}::/:/bin/sh\n`);
  writeFileSync(join(folder, 'etc/group'), `root:x:0:\nnode:x:${node}:\n`);
  chmodSync(join(folder, 'tmp'), 0o1777);
  chmodSync(folder, 0o755);
  copyFileSync(process.execPath, join(folder, 'opt/base/node'));
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  cpSync(join(npm, '../..'), join(folder, 'opt/npm'), { recursive: true });
  const start = '#!/bin/sh\nexec node /opt/npm/bin/npm-cli.js "$@"\n';
  writeFileSync(join(folder, 'opt/base/npm'), start, { mode: 0o755 });
}
