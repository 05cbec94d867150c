import type { PostgresReplicaState, PostgresReplicasEvent } from '@memory-read/server/postgres';
import { visibleLine } from '../terminal/visible-text.ts';
import type { StorageNote } from './storage.ts';

/** What messages about a replica say, besides its status. */
interface Facts {
  lag: number | null;
  /** How far it may be behind, in milliseconds. */
  limit: number;
  /** User who reads. */
  user: string;
  error?: unknown;
}

/** For each state, the level of its note, and why the replica is not read from. */
const states: Record<PostgresReplicaState, readonly ['info' | 'warn', reason: (facts: Facts) => string]> = {
  used: ['info', () => 'it is up to date'],
  lagging: [
    'warn',
    ({ lag, limit }) =>
      lag === null
        ? 'the time for which it is behind is not known'
        : `it is ${seconds(lag)} behind (limit ${seconds(limit)})`,
  ],
  unreachable: ['warn', ({ error }) => reasonOf(error)],
  'no-replica': ['info', () => 'it accepts writes, so it is not a replica'],
  'other-cluster': ['warn', () => 'it belongs to another cluster than --postgres. Check --postgres-reads'],
  'other-timeline': ['warn', () => 'it follows a primary that was replaced'],
  'not-permitted': [
    'warn',
    ({ user }) =>
      `the user may not read the state of replication. Run GRANT pg_read_all_stats TO ${identifier(user)} on the primary`,
  ],
};

/** Returns why a replica is not read from, without a period at the end. */
export function whyNotUsed(state: PostgresReplicaState, facts: Facts): string {
  return states[state][1](facts);
}

interface NoteOptions extends Pick<Facts, 'user'> {
  /** Milliseconds. */
  maxLag: number;
  /** Milliseconds. */
  maxOutage: number;
  onNote: StorageNote;
}

/** Returns a listener that notes each change of a replica or of the primary. */
export function noteReplicas({ user, maxLag, maxOutage, onNote }: NoteOptions): (event: PostgresReplicasEvent) => void {
  const used = new Set<string>();
  const outageLimit = Math.max(maxLag, maxOutage);
  let limit = maxLag;

  return (event) => {
    const message = event.error === undefined ? {} : { message: reasonOf(event.error) };
    if (event.type === 'primary') {
      limit = event.isReachable ? maxLag : outageLimit;
      const text = event.isReachable
        ? 'The primary can be reached again.'
        : `The primary cannot be reached: ${reasonOf(event.error)}. Reads use replicas that are up to ${seconds(limit)} behind.`;
      onNote('primary', { state: event.isReachable ? 'reachable' : 'unreachable', ...message }, text);
      return;
    }
    const { name, state, lag } = event;
    const [level] = states[state];
    const lagMs = lag === null ? null : Math.round(lag);
    const begin = used.delete(name) ? 'Reads no longer use' : 'Reads do not use';
    if (state === 'used') used.add(name);
    const text =
      state === 'used' ? `Reads use ${name}.` : `${begin} ${name}: ${whyNotUsed(state, { ...event, limit, user })}.`;
    onNote('replica', { level, host: name, state, lagMs, ...message }, visibleLine(text));
  };
}

/** The name of the server at the beginning of a message is left out, because it can be a URL. */
function reasonOf(error: unknown): string {
  const { message, code } = Object(error);
  const reason = String(message || code || 'it cannot be reached');
  return visibleLine(reason.replace(/^Failed to .*?: /, '').replace(/\.$/, ''));
}

function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1_000).toFixed(milliseconds < 1_000 ? 2 : 1))} s`;
}

/** Returns the name of a user as SQL. */
function identifier(user: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(user) ? user : `"${user.replaceAll('"', '""')}"`;
}
