import type { PostgresReplicaState, PostgresReplicasEvent } from '@memory-read/server/postgres';
import { visibleLine } from '../terminal/visible-text.ts';
import type { StorageNote } from './storage.ts';

/** What messages about a replica say, besides its state. */
interface ReplicaFacts {
  lag: number | null;
  /** How far it may be behind, in milliseconds. */
  limit: number;
  /** User who reads. */
  user: string;
  error?: unknown;
  /** Another host that accepted writes at its last check. */
  otherPrimary?: string | undefined;
}

/** Why a replica is not read from, and what to do, as sentences. */
export const unusedReasons: Record<Exclude<PostgresReplicaState, 'used'>, (facts: ReplicaFacts) => string> = {
  lagging: ({ lag, limit }) =>
    lag === null
      ? 'the time for which it is behind is not known.'
      : `it is ${seconds(lag)} behind (limit ${seconds(limit)}).`,
  unreachable: ({ error }) => messageOf(error),
  'no-replica': ({ otherPrimary }) =>
    otherPrimary === undefined
      ? 'it accepts writes, so it is not a replica.'
      : `it accepts writes, and ${otherPrimary} did too at its last check. If both run, stop the one that is not the primary.`,
  'other-cluster': () => 'it belongs to another cluster than --postgres. Check --postgres-reads.',
  'other-timeline': () => 'it follows a primary that was replaced.',
  'not-permitted': ({ user }) =>
    `the user may not read the state of replication. Run GRANT pg_read_all_stats TO ${identifier(user)} on the primary.`,
};

interface NoteOptions extends Pick<ReplicaFacts, 'user'> {
  /** Milliseconds. */
  maxLag: number;
  /** Milliseconds. */
  maxOutage: number;
  onNote: StorageNote;
}

/** Returns a listener that notes each change of a replica or of the primary. */
export function noteReplicas({ user, maxLag, maxOutage, onNote }: NoteOptions): (event: PostgresReplicasEvent) => void {
  const used = new Set<string>();
  const writable = new Set<string>();
  let limit = maxLag;

  return (event) => {
    const { type, error } = event;
    if (type === 'primary') {
      const message = error === undefined ? {} : { message: messageOf(error) };
      limit = event.isReachable ? maxLag : Math.max(maxLag, maxOutage);
      const [state, text] = event.isReachable
        ? ['reachable', 'The primary can be reached again.']
        : [
            'unreachable',
            `The primary cannot be reached: ${messageOf(error)} Reads use replicas that are up to ${seconds(limit)} behind.`,
          ];
      onNote('primary', { state, ...message }, text);
      return;
    }
    const { name, state, lag } = event;
    const fields = { host: name, state, lagMs: lag === null ? null : Math.round(lag) };
    const wasUsed = used.delete(name);
    writable.delete(name);
    if (state === 'used') {
      used.add(name);
      onNote('replica', { level: 'info', ...fields }, visibleLine(`Reads use ${name}.`));
      return;
    }
    const begin = wasUsed ? 'Reads no longer use' : 'Reads do not use';
    const [otherPrimary] = writable;
    const message = visibleLine(unusedReasons[state]({ lag, limit, user, error, otherPrimary }));
    if (state === 'no-replica') writable.add(name);
    // A list of all servers contains the primary.
    const level = state === 'no-replica' && otherPrimary === undefined ? 'info' : 'warn';
    onNote('replica', { level, ...fields, message }, `${visibleLine(`${begin} ${name}`)}: ${message}`);
  };
}

/** Returns the message without the name of the server at its beginning, because that can be a URL. */
function messageOf(error: unknown): string {
  const { message, code } = Object(error);
  const reason = String(message || code || 'it cannot be reached').replace(/^Failed to .*?: /, '');
  return visibleLine(reason.replace(/\.?$/, '.'));
}

function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1_000).toFixed(milliseconds < 1_000 ? 2 : 1))} s`;
}

/** Returns the name of a user as SQL. */
function identifier(user: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(user) ? user : `"${user.replaceAll('"', '""')}"`;
}
