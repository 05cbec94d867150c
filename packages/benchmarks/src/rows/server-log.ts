import { loadAll } from '../loopback/load-server.ts';
import { type ServerProgram, withServers } from '../loopback/start-server.ts';
import { ratio } from '../measurement/finding.ts';
import type { Row } from '../measurement/row.ts';
import { smallStoreFile } from '../memories/files.ts';

export const serverLog: Row = {
  id: 'server-log',
  title: 'Server: log and metrics',
  method:
    'autocannon loads one `memory-read serve` after the other with reads of one memory over 32 connections. They differ only in `--log` and `--metrics-port`. Standard error goes to a pipe that is read. The ratio compares requests per second of the processor time of `serve`.',
  async measure({ folder, sizes }) {
    const store = await smallStoreFile(folder, 1_000);
    const serve = (...options: string[]): ServerProgram => [
      'memory-read',
      'serve',
      '--port',
      '0',
      '--db',
      store,
      ...options,
    ];
    const programs = {
      none: serve('--log', 'none'),
      json: serve('--log', 'json'),
      metrics: serve('--log', 'none', '--metrics-port', '0'),
      both: serve('--log', 'json', '--metrics-port', '0'),
    };
    const load = { connections: 32, seconds: sizes.loadSeconds };
    const { perCpuSecond: cpu, perSecond: clock } = await withServers(programs, (servers) =>
      loadAll(servers, load, sizes.longRounds),
    );
    return {
      findings: [
        ratio('Requests with `--log json`, against neither', cpu.json, cpu.none),
        ratio('The same by the clock', clock.json, clock.none),
        ratio('Requests with `--metrics-port`, against neither', cpu.metrics, cpu.none),
        ratio('The same by the clock', clock.metrics, clock.none),
        ratio('Requests with both, against neither', cpu.both, cpu.none),
        ratio('The same by the clock', clock.both, clock.none),
      ],
    };
  },
};
