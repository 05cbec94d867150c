import type { Query, Row } from '../postgres-query.ts';
import { PostgresStoreError } from '../postgres-store-error.ts';
import { replicationStatements } from '../statements.ts';
import type { PrimarySample, ReplicaPosition } from './replica-freshness.ts';

/** Returns a function that reads the position of the primary on one connection. */
export function primaryReader(query: Query): () => Promise<PrimarySample> {
  const identify = identifier(query);
  return async () => {
    const { cluster } = await identify();
    const at = performance.now();
    const [row] = await query(replicationStatements.readPrimaryPosition);
    if (row === undefined) throw notWritableError();
    return {
      at,
      lsn: toPosition(textOf(row, 'lsn')),
      timeline: Number.parseInt(textOf(row, 'file').slice(0, 8), 16),
      cluster,
    };
  };
}

/** Returns a function that reads the position of a replica on one connection. */
export function replicaReader(query: Query): () => Promise<ReplicaPosition> {
  const identify = identifier(query);
  return async () => {
    const { cluster, isPermitted } = await identify();
    const [row = {}] = await query(replicationStatements.readReplicaPosition);
    return {
      cluster,
      isInRecovery: textOf(row, 'is_in_recovery') === 'true',
      isPermitted: isPermitted && row.timeline !== '0',
      lsn: typeof row.lsn === 'string' ? toPosition(row.lsn) : undefined,
      timeline: typeof row.timeline === 'string' ? Number(row.timeline) : undefined,
    };
  };
}

interface Identity {
  cluster: string;
  isPermitted: boolean;
}

/** A connection stays with its server, so the identity is read once. A missing right is read again: it may be granted. */
function identifier(query: Query): () => Promise<Identity> {
  let known: Identity | undefined;
  return async () => {
    if (known?.isPermitted) return known;
    const [row = {}] = await query(replicationStatements.identifyServer, ['pg_read_all_stats', 'USAGE']);
    known = { cluster: textOf(row, 'cluster'), isPermitted: textOf(row, 'is_permitted') === 'true' };
    return known;
  };
}

/** Parses a position such as `16/B374D848`: two hexadecimal halves of 32 bits. */
function toPosition(text: string): bigint {
  const [high, low] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

function textOf(row: Row, name: string): string {
  const value = row[name];
  if (typeof value === 'string') return value;
  throw new PostgresStoreError(
    'server_error',
    `Failed to check PostgreSQL: the server returned no ${name}. Use PostgreSQL itself, with its own replication.`,
  );
}

function notWritableError(): PostgresStoreError {
  return new PostgresStoreError(
    'not_writable',
    'Failed to check the primary: the server is a replica. Connect to the server that accepts writes.',
  );
}
