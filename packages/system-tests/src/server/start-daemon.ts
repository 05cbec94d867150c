import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, globSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { environment } from '@memory-read/test-kit/is-installed';

/** A program of the operating system that listens on a port. */
export interface Daemon {
  /** All that it has printed to standard output so far. */
  printed(): string;
  /** Ends it, with SIGTERM by default, and resolves when it has ended. */
  end(signal?: 'SIGKILL'): Promise<void>;
}

const nobody = 65_534;

/** Starts the program in a folder with its files, and waits until it listens. It refuses to run as root. */
export async function startDaemon([program = '', ...args]: string[], folder: string, port: number): Promise<Daemon> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    for (const owned of ['.', ...globSync('**', { cwd: folder })]) chownSync(join(folder, owned), nobody, nobody);
    chmodSync(folder, 0o755);
  }
  const child = spawn(program, args, {
    env: environment,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`Failed to start ${program}: it ended with ${code}. See what it printed.`);
  });
  await Promise.race([failed, untilListening(port)]);
  failed.catch(() => {});
  return {
    printed: () => printed,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  while (!(await accepts(port))) await setTimeout(20);
}

/** Returns whether a server accepts connections on a port of this machine. */
export async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
