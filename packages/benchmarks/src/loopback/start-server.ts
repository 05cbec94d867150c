import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Usage } from './report-usage.ts';

/** A server in a process of its own. */
export interface BenchServer {
  /** Without a slash at its end. */
  url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** A program of `servers/`, with its arguments. */
export type ServerProgram = readonly [name: string, ...args: string[]];

/** Starts servers, hands them over, and stops them, however that goes. */
export async function withServers<Name extends string, Result>(
  programs: Record<Name, ServerProgram>,
  use: (servers: Record<Name, BenchServer>) => Promise<Result>,
): Promise<Result> {
  const servers = {} as Record<Name, BenchServer>;
  try {
    for (const name of Object.keys(programs) as Name[]) servers[name] = await startServer(programs[name]);
    return await use(servers);
  } finally {
    await Promise.all(Object.values<BenchServer>(servers).map((server) => server.stop()));
  }
}

async function startServer([name, ...args]: ServerProgram): Promise<BenchServer> {
  const program = fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url));
  const child = fork(program, args, {
    execArgv: ['--import', new URL('report-usage.ts', import.meta.url).href],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const [line] = await Promise.race([once(lines, 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`Failed to start ${name}: it ended. See what it printed above.`);
  return {
    url: JSON.parse(line).baseUrl,
    async usage() {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [Usage];
      return usage;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
