import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BenchServer } from '../loopback/start-server.ts';
import type { Finding, Row } from '../measurement/row.ts';
import { mediaSecrets } from '../memories/media-secrets.ts';
import { memoryIdAt } from '../memories/small-records.ts';
import { smallStoreFile } from '../memories/store-file.ts';
import { clockRatio, cpuRatio, loadAll } from './server-get-memory.ts';

const load = createRequire(import.meta.url);
const cli = fileURLToPath(new URL('dist/main.js', `file://${load.resolve('@memory-read/cli/package.json')}`));
const path = `/v1/memories/${memoryIdAt(0)}`;

export const serverLog: Row = {
  id: 'server-log',
  title: 'Server: log and metrics',
  method:
    'autocannon loads one `memory-read serve` after the other with reads of one memory over 32 connections. They differ only in `--log` and `--metrics-port`. Standard error goes to a pipe that is read. The ratio compares requests per second of the processor time of `serve`, which is read from `/proc`, so it is measured on Linux only.',
  async measure({ folder, sizes }) {
    const store = await smallStoreFile(folder, 1_000);
    const options = {
      none: ['--log', 'none'],
      json: ['--log', 'json'],
      metrics: ['--log', 'none', '--metrics-port', '0'],
      both: ['--log', 'json', '--metrics-port', '0'],
    };
    const servers: Partial<Record<keyof typeof options, BenchServer>> = {};
    try {
      for (const [name, args] of Object.entries(options)) {
        servers[name as keyof typeof options] = await startServe(folder, ['--db', store, ...args]);
      }
      const started = servers as Record<keyof typeof options, BenchServer>;
      const loads = await loadAll(started, { path, connections: 32, seconds: sizes.loadSeconds }, { sizes });
      const against = (what: string, name: keyof typeof options): Finding[] => [
        { what: `Requests with ${what}, against neither`, value: cpuRatio(loads[name], loads.none), unit: '×' },
        { what: 'The same by the clock', value: clockRatio(loads[name], loads.none), unit: '×' },
      ];
      return {
        findings: [
          ...against('`--log json`', 'json'),
          ...against('`--metrics-port`', 'metrics'),
          ...against('both', 'both'),
        ],
      };
    } finally {
      await Promise.all(Object.values(servers).map((server) => server.stop()));
    }
  },
};

async function startServe(cwd: string, args: readonly string[]): Promise<BenchServer> {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', '--media-secrets', 'env:SECRETS', ...args], {
    cwd,
    env: { ...process.env, SECRETS: JSON.stringify(mediaSecrets) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.resume();
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  if (typeof line !== 'string') throw new Error('Failed to start memory-read serve: it ended. Start it by hand.');
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  return {
    url: baseUrl,
    usage: async () => ({ cpuMicroseconds: cpuMicrosecondsOf(child.pid), peakBytes: 0 }),
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** The 14th and the 15th field are the ticks in user mode and in the kernel, 100 a second. */
function cpuMicrosecondsOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
}
