import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { exactly, type Finding, type Row } from '../measurement/row.ts';

const load = createRequire(import.meta.url);
const cli = fileURLToPath(new URL('dist/main.js', `file://${load.resolve('@memory-read/cli/package.json')}`));
const requests = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(400);
/** Number of connections, and their maximum memory in MB. */
const attacks = [
  [60, 80],
  [300, 250],
] as const;

export const serverStalledCallers: Row = {
  id: 'server-stalled-callers',
  title: 'Server: callers that read nothing',
  method:
    'Connections without a key pipeline 400 × `GET /openapi.json` each to a new `memory-read serve`, and read nothing. When all of them have written, another connection requests `/healthz`. Memory is the peak of the process (VmHWM) over its memory before. It needs `/proc`, so it is measured on Linux only.',
  async measure() {
    const findings: Finding[] = [];
    for (const [connections, atMost] of attacks) {
      const { megabytes, milliseconds } = await attack(connections);
      const value = exactly(megabytes);
      findings.push(
        {
          what: `${connections} connections: memory over that of the idle server`,
          value,
          unit: 'MB',
          goal: { atMost },
        },
        { what: `${connections} connections: \`/healthz\` on another one`, value: exactly(milliseconds), unit: 'ms' },
      );
    }
    return {
      findings,
      explanation:
        'The memory holds the requests that Node has parsed from one read before the 17th request resets the connection.',
    };
  },
};

async function attack(count: number): Promise<{ megabytes: number; milliseconds: number }> {
  const child = spawn(process.execPath, [cli, 'serve', '--in-memory', '--port', '0', '--log', 'none'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const sockets: Socket[] = [];
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { baseUrl } = JSON.parse(line) as { baseUrl: string };
    await (await fetch(`${baseUrl}/openapi.json`)).text();
    const before = kilobytesOf(child.pid, 'VmRSS');
    const port = Number(new URL(baseUrl).port);
    const opened = Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
    });
    await Promise.all(opened);
    for (const socket of sockets) socket.write(requests);
    const startedAt = performance.now();
    await (await fetch(`${baseUrl}/healthz`)).text();
    const milliseconds = performance.now() - startedAt;
    // A second request, so that requests that arrived after the first one are parsed too.
    await (await fetch(`${baseUrl}/healthz`)).text();
    return { megabytes: (kilobytesOf(child.pid, 'VmHWM') - before) / 1024, milliseconds };
  } finally {
    for (const socket of sockets) socket.destroy();
    child.kill();
    await ended;
  }
}

function kilobytesOf(pid: number | undefined, measure: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`${measure}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
