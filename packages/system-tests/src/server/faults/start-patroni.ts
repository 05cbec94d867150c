import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@memory-read/test-kit/free-port';
import { fillIn } from '../fill-in.ts';
import { type Machine, startMachine } from './start-machine.ts';

/** A machine of the cluster, and its member of Patroni. */
export interface Member extends Machine {
  name: string;
  /** Address and port of its PostgreSQL server. */
  host: string;
  /** URL of Patroni. `GET /primary` returns 200 if this member is the primary. */
  stateUrl: string;
}

/** Three machines with the files of `deploy/patroni`, which notice and repair faults within seconds. */
export interface PatroniCluster {
  members: readonly Member[];
  /** Resolves with the primary as soon as there is one. A member that is replaced does not count. */
  primary(replaced?: Member): Promise<Member>;
  /** Resolves with the primary when both other members stream its changes. */
  complete(): Promise<Member>;
  /** Hands the role of the primary over to a replica. */
  switchOver(primary: Member): Promise<void>;
  /** Returns whether each write waits for a replica, which can then replace the primary. */
  isSynchronous(): Promise<boolean>;
  /** Changes a setting of the cluster. */
  configure(primary: Member, settings: Record<string, unknown>): Promise<void>;
  stop(): Promise<void>;
}

/** Password of all users of the cluster. */
export const password = 'one-that-none-guesses';

/** Program of PostgreSQL in the folder that the files name. It is on no search path. */
export const postgresProgram = '/usr/lib/postgresql/15/bin/postgres';

const names = ['n1', 'n2', 'n3'];
const limitMs = 60_000;
const pauseMs = 50;

interface State {
  replication?: { state: string }[];
}

/** Starts the cluster on addresses of the loopback network that nothing else uses. */
export async function startPatroni(): Promise<PatroniCluster> {
  const random = () => 1 + Math.floor(Math.random() * 250);
  const network = `127.${random()}.${random()}`;
  const free = async (use: string) => [use, await freePort()];
  const ports = Object.fromEntries(await Promise.all(['postgres', 'patroni', 'etcd', 'etcdPeers'].map(free)));
  const members = await Promise.all(names.map((name) => startMember(name, network, ports)));

  async function primaryOf(candidates: readonly Member[], replicaCount: number): Promise<Member> {
    const end = performance.now() + limitMs;
    while (performance.now() < end) {
      const states = await statesOf(candidates, 'primary');
      const index = states.findIndex((state) => state !== undefined);
      const streams = states[index]?.replication?.filter(({ state }) => state === 'streaming') ?? [];
      if (candidates[index] !== undefined && streams.length >= replicaCount) return candidates[index];
      await setTimeout(pauseMs);
    }
    const logs = members.map(({ name, log }) => `--- ${name}\n${log()}`).join('\n');
    throw new Error(`Failed to wait for a primary with ${replicaCount} replicas: 60 s passed. See the logs.\n${logs}`);
  }

  return {
    members,
    primary: (replaced) =>
      primaryOf(
        members.filter((member) => member !== replaced),
        0,
      ),
    complete: () => primaryOf(members, members.length - 1),
    isSynchronous: async () => (await statesOf(members, 'synchronous')).some((state) => state !== undefined),
    switchOver: ({ name, stateUrl }) => change(`${stateUrl}/switchover`, 'POST', { leader: name }),
    configure: ({ stateUrl }, settings) => change(`${stateUrl}/config`, 'PATCH', settings),
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
    },
  };
}

async function startMember(name: string, network: string, ports: Record<string, number>): Promise<Member> {
  const addressOf = (other: string) => other.replace('n', `${network}.`);
  const address = addressOf(name);
  const machine = await startMachine((folder) => {
    const addresses = Object.fromEntries(names.map((other) => [other.toUpperCase(), addressOf(other)]));
    const both = { ...addresses, NODE: name, ADDRESS: address, ':2379': `:${ports.etcd}` };
    return {
      etcd: fillIn('deploy/patroni/etcd', { ...both, '/var/lib/etcd': folder, ':2380': `:${ports.etcdPeers}` }),
      patroni: fillIn('deploy/patroni/config.yml', {
        ...both,
        ...Object.fromEntries(['REST', 'SUPERUSER', 'REPLICATION'].map((user) => [`${user}_PASSWORD`, password])),
        NETWORK: '127.0.0.0/8',
        ':5432': `:${ports.postgres}`,
        ':8008': `:${ports.patroni}`,
        '/var/lib/postgresql/15/memories': join(folder, 'data'),
        '/var/lib/postgresql/pgpass': join(folder, 'pgpass'),
        '/var/run/postgresql': folder,
        'mode: required': 'mode: off',
        'ttl: 30': 'ttl: 5',
        'loop_wait: 10': 'loop_wait: 1',
        'retry_timeout: 10': 'retry_timeout: 2',
      }),
    };
  });
  return { ...machine, name, host: `${address}:${ports.postgres}`, stateUrl: `http://${address}:${ports.patroni}` };
}

/** Returns the states of the members that have a role. A machine that is lost or frozen does not respond. */
function statesOf(members: readonly Member[], role: 'primary' | 'synchronous'): Promise<(State | undefined)[]> {
  const states = members.map(async ({ stateUrl }) => {
    const response = await fetch(`${stateUrl}/${role}`, { signal: AbortSignal.timeout(1_000) });
    const state: State = await response.json();
    return response.ok ? state : undefined;
  });
  return Promise.all(states.map((state) => state.catch(() => undefined)));
}

async function change(url: string, method: string, body: unknown): Promise<void> {
  const authorization = `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}`;
  const response = await fetch(url, { method, headers: { authorization }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Failed to change the cluster: ${await response.text()}`);
}
