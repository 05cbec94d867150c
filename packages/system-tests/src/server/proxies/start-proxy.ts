import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { fillIn } from '../fill-in.ts';
import { startDaemon } from '../start-daemon.ts';

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
    const snippet = fillIn('deploy/nginx/memory-read.conf', {
      'server 127.0.0.1:8787;': `server 127.0.0.1:${serverPort};`,
      'listen 80;': `listen 127.0.0.1:${port};`,
      '/var/log/nginx/memory-read.log': join(folder, 'access.log'),
      '/var/log/nginx/memory-read-error.log': join(folder, 'error.log'),
    });
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
    fillIn('deploy/haproxy/haproxy.cfg', {
      '    bind :80\n': `    bind 127.0.0.1:${port}\n`,
      '127.0.0.1:8787 ': `127.0.0.1:${serverPort} `,
    }),
};

/** Starts the proxy. `logged` returns all that it has logged of requests so far. */
export async function startProxy({ program, configure }: ProxyKind, port: number, serverPort: number) {
  const folder = makeFolder();
  mkdirSync(join(folder, 'temporary'));
  const path = join(folder, 'proxy.conf');
  writeFileSync(path, configure(port, serverPort, folder));
  const args = program === 'nginx' ? ['-p', folder, '-e', 'stderr', '-c', path] : ['-db', '-f', path];
  const { printed, end } = await startDaemon([program, ...args], folder, port);
  const logged = () => (program === 'nginx' ? readFileSync(join(folder, 'access.log'), 'utf8') : printed());
  return { logged, end };
}

function nginxMain(folder: string, http: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, 'temporary', kind)};`).join('\n');
  return `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'main.log')}; events {}
http { access_log off; ${temporary}
${http}
}`;
}
