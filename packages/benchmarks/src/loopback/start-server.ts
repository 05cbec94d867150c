import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Usage } from './announce.ts';

/** A server in a process of its own. */
export interface BenchServer {
  /** Without a slash at its end. */
  url: string;
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

/** Starts a program of `servers/`, and resolves once it listens. */
export async function startServer(name: string, ...args: string[]): Promise<BenchServer> {
  const child = fork(fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const begun = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (begun === undefined) throw new Error(`Failed to start ${name}: it ended. See what it printed.`);
  const [{ url }] = begun as [{ url: string }];
  return {
    url,
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

/** Starts servers, hands them over, and stops them, however that goes. */
export async function withServers<Name extends string, Result>(
  programs: Record<Name, readonly [name: string, ...args: string[]]>,
  use: (servers: Record<Name, BenchServer>) => Promise<Result>,
): Promise<Result> {
  const servers: Partial<Record<Name, BenchServer>> = {};
  try {
    for (const name of Object.keys(programs) as Name[]) {
      const [program, ...args] = programs[name];
      servers[name] = await startServer(program, ...args);
    }
    return await use(servers as Record<Name, BenchServer>);
  } finally {
    await Promise.all(Object.values<BenchServer>(servers as Record<Name, BenchServer>).map((server) => server.stop()));
  }
}
