import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { root } from '@memory-read/test-kit/repository';

/** A proxy of Debian in front of a server. */
export interface ProxyKind {
  name: string;
  program: 'nginx' | 'haproxy';
  /** Returns the configuration for these ports and this folder. */
  configure(port: number, serverPort: number, folder: string): string;
}

/** nginx with the file that operators copy. */
export const nginx: ProxyKind = {
  name: 'nginx with deploy/nginx/memory-read.conf',
  program: 'nginx',
  configure(port, serverPort, folder) {
    const snippet = replaced('deploy/nginx/memory-read.conf', [
      ['server 127.0.0.1:8787;', `server 127.0.0.1:${serverPort};`],
      ['listen 80;', `listen 127.0.0.1:${port};`],
      ['/var/log/nginx/memory-read.log', join(folder, 'access.log')],
      ['/var/log/nginx/memory-read-error.log', join(folder, 'error.log')],
    ]);
    return nginxMain(folder, snippet);
  },
};

/** nginx with nothing but `proxy_pass`: it uses HTTP/1.0, and buffers. */
export const stockNginx: ProxyKind = {
  name: 'nginx with only proxy_pass',
  program: 'nginx',
  configure: (port, serverPort, folder) =>
    nginxMain(folder, `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${serverPort}; } }`),
};

/** HAProxy with the file that operators copy. */
export const haproxy: ProxyKind = {
  name: 'HAProxy with deploy/haproxy/haproxy.cfg',
  program: 'haproxy',
  configure: (port, serverPort) =>
    replaced('deploy/haproxy/haproxy.cfg', [
      ['    bind :80\n', `    bind 127.0.0.1:${port}\n`],
      ['127.0.0.1:8787 ', `127.0.0.1:${serverPort} `],
    ]),
};

/** Returns why the program cannot be tested here, or `undefined`. With `CI=true`, it must be installed. */
export function missingProxy({ program }: ProxyKind): string | undefined {
  const isInstalled = spawnSync(program, ['-v'], { env: environment }).status === 0;
  if (isInstalled || process.env.CI === 'true') return undefined;
  return `${program} is not installed`;
}

/** A proxy that runs. */
export interface RunningProxy {
  /** All that it has logged of requests so far. */
  logged(): string;
  end(): Promise<void>;
}

/** Starts the proxy as an ordinary user. */
export async function startProxy(kind: ProxyKind, port: number, serverPort: number): Promise<RunningProxy> {
  const folder = makeFolder();
  mkdirSync(join(folder, 'temporary'));
  const path = join(folder, 'proxy.conf');
  writeFileSync(path, kind.configure(port, serverPort, folder));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    for (const owned of [folder, join(folder, 'temporary'), path]) chownSync(owned, nobody, nobody);
    chmodSync(folder, 0o755);
  }
  const args = kind.program === 'nginx' ? ['-p', folder, '-e', 'stderr', '-c', path] : ['-db', '-f', path];
  const child = spawn(kind.program, args, {
    env: environment,
    // The ordinary user may not be allowed to enter the folder of the repository.
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`Failed to start ${kind.name}: it ended with ${code}. See what it printed.`);
  });
  await Promise.race([failed, untilListening(port)]);
  failed.catch(() => {});
  const log = join(folder, 'access.log');
  return {
    logged: () => (kind.program === 'nginx' ? readFileSync(log, 'utf8') : printed),
    end: () => end(child),
  };
}

const nobody = 65_534;
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

function nginxMain(folder: string, http: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`).join('\n');
  return `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'main.log')}; events {}
http { access_log off; ${temporary}
${http}
}`;
}

/** Returns a file of the repository with other ports and paths. */
function replaced(path: string, replacements: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(root, path), 'utf8');
  for (const [before, after] of replacements) {
    if (text.split(before).length !== 2)
      throw new Error(`Failed to configure ${path}: ${before.trim()} is not in it once. Correct the replacement.`);
    text = text.replace(before, after);
  }
  return text;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
