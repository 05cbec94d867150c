import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { folderInMemory } from '@memory-read/test-kit/folder-in-memory';
import { isRoot } from '@memory-read/test-kit/without-network';

/** A machine of a cluster: etcd, Patroni and the PostgreSQL server of Patroni, in a folder of its own. */
export interface Machine {
  /** Sends a signal to all processes of the machine, or to those of its PostgreSQL server. */
  signal(signal: 'STOP' | 'CONT' | 'KILL', target?: 'machine' | 'postgres'): Promise<void>;
  /** Starts etcd and Patroni again after all processes were killed. */
  startAgain(): Promise<void>;
  /** The end of what etcd and Patroni have printed. */
  log(): string;
  /** Kills all processes and removes the folder. */
  stop(): Promise<void>;
}

const nobody = 65_534;

/**
 * Kills the processes of a machine and removes its folder when standard input ends, which is with this process, even if
 * it crashes. Each line before that is a signal and its target, or starts the machine again. It is confirmed by a line.
 *
 * PostgreSQL is not a child of the Patroni that started it, so its process id is read from its file. Another process can
 * have got that id since, so its command must name the folder.
 */
const supervisor = `
  folder=$1
  tree() { for pid; do echo "$pid"; tree $(cat /proc/"$pid"/task/*/children); done; }
  postgres() {
    postmaster=$(head -n 1 data/postmaster.pid) && grep -qF "$folder" "/proc/$postmaster/cmdline" && tree "$postmaster"
  }
  machine() { tree $etcd $patroni; postgres; }
  start() {
    sh -c 'set -a; . ./etcd.env; exec etcd' <&- > etcd.log 2>&1 & etcd=$!
    patroni config.yml <&- > patroni.log 2>&1 & patroni=$!
  }
  # A stopped process starts no further one that the signal would miss.
  send() { kill -s STOP $("$2"); kill -s "$1" $("$2"); }
  start
  while read -r action target; do
    if [ "$action" = start ]; then start; else send "$action" "$target"; fi 2> /dev/null
    [ "$action $target" != 'KILL machine' ] || wait
    echo
  done
  send KILL machine 2> /dev/null
  wait
  rm -rf "$folder"
`;

/** Starts a machine with the files that `configure` returns for its folder. */
export async function startMachine(configure: (folder: string) => { etcd: string; patroni: string }): Promise<Machine> {
  // PostgreSQL waits for the disk when it starts, and pg_rewind does when it ends.
  const folder = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'memory-read-cluster-'));
  const { etcd, patroni } = configure(folder);
  writeFileSync(join(folder, 'etcd.env'), etcd);
  writeFileSync(join(folder, 'config.yml'), patroni);
  chmodSync(folder, 0o755);
  // PostgreSQL refuses to run as root.
  if (isRoot) chownSync(folder, nobody, nobody);
  const child = spawn('sh', ['-c', supervisor, 'sh', folder], {
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    // In the process group of this process, it would get the signals that end a test run, and a SIGHUP from the system
    // when that group is left with a stopped process.
    detached: true,
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  const ended = once(child, 'exit');
  return {
    signal: (signal, target = 'machine') => confirmed(child, `${signal} ${target}`),
    startAgain: () => confirmed(child, 'start'),
    log: () =>
      ['etcd.log', 'patroni.log'].map((name) => readFileSync(join(folder, name), 'utf8').slice(-3000)).join(''),
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

async function confirmed(child: ChildProcessByStdio<Writable, Readable, null>, line: string): Promise<void> {
  const confirmation = once(child.stdout, 'data');
  child.stdin.write(`${line}\n`);
  await confirmation;
}
