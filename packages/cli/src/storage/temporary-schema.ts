import { randomUUID } from 'node:crypto';
import { unlessAborted } from '@memory-read/contract/event-loop';
import { checkPostgresSchema, type PostgresStoreError } from '@memory-read/server/postgres';
import { CommandError, exitCodes } from '../terminal/command-error.ts';
import { createPostgresPool } from './create-postgres-pool.ts';
import type { PostgresDatabase } from './postgres-url.ts';

export interface TemporarySchemaOptions {
  env: NodeJS.ProcessEnv;
  /** Aborts the work. The schema is dropped nevertheless. */
  interruption: AbortSignal;
  /** Maximum time of one statement, in milliseconds. */
  limitMs: number;
  /** Receives an error that names a schema that could not be dropped. */
  onRemains: (error: CommandError) => void;
}

/** Ctrl+C must end a command also while the server does not respond. */
const limitAfterInterruptionMs = 5_000;

const onConnectionLost = () => {};

/** Returns what the server says that it is. */
export async function readServerVersion(database: PostgresDatabase, interruption: AbortSignal): Promise<string> {
  interruption.throwIfAborted();
  const { pool, disconnect, close } = createPostgresPool(database, { poolSize: 1, onConnectionLost });
  try {
    const statement = { text: 'SELECT version()' };
    const { rows } = await unlessAborted(explained(pool.query(statement), database.name), interruption);
    return String(rows[0]?.version);
  } finally {
    const closed = close();
    disconnect();
    await closed;
  }
}

/**
 * Runs the work in a new schema, which is dropped at the end. The connections of the database that the work gets use no
 * other schema.
 */
export async function inTemporarySchema<Result>(
  database: PostgresDatabase,
  { env, interruption, limitMs, onRemains }: TemporarySchemaOptions,
  work: (own: PostgresDatabase) => Promise<Result>,
): Promise<Result> {
  interruption.throwIfAborted();
  const { name } = database;
  const schema = `memory_read_check_${randomUUID().replaceAll('-', '')}`;
  const own = onlyIn(schema, database, env);
  const { pool, close } = createPostgresPool(own, { poolSize: 1, onConnectionLost });
  const run = (text: string, query_timeout = limitMs) => {
    const statement = { text, query_timeout };
    return explained(pool.query(statement), name);
  };
  let canExist = false;
  try {
    await unlessAborted(create(), interruption);
    const { rows } = await unlessAborted(run('SELECT current_schemas(false)::text AS schemas'), interruption);
    if (rows[0]?.schemas !== `{${schema}}`) throw otherSchemaError(name);
    return await work(own);
  } finally {
    if (canExist) await drop().catch((cause) => onRemains(remainsError(schema, name, cause)));
    await close();
  }

  async function create(): Promise<void> {
    const connected = pool.connect().then((connection) => connection.release());
    await explained(connected, name);
    interruption.throwIfAborted();
    canExist = true;
    await run(`CREATE SCHEMA ${schema}`).catch(explainDenial);
  }

  async function drop(): Promise<void> {
    const limit = interruption.aborted ? limitAfterInterruptionMs : limitMs;
    // An aborted statement still runs in the server, and would lock what is dropped. Not every engine can end it.
    await run(endStatements(schema), limit).catch(() => {});
    await run(`DROP SCHEMA IF EXISTS ${schema} CASCADE`, limit);
  }

  function explainDenial(error: PostgresStoreError): never {
    // Otherwise the server has responded that it did not create the schema.
    canExist = error.code === 'unreachable' || error.code === 'timeout';
    if (error.code !== 'not_permitted') throw error;
    throw new CommandError(
      exitCodes.failed,
      `Failed to check ${name}: the user may not create schemas. Grant CREATE on the database, or use another user.`,
    );
  }
}

/** The name of the schema is also that of the connections, to find them in the server. */
function onlyIn(schema: string, database: PostgresDatabase, env: NodeJS.ProcessEnv): PostgresDatabase {
  const { settings } = database;
  // `pg` reads the variable only without options.
  const given = settings.options ?? env.PGOPTIONS ?? '';
  const options = `${given} -c search_path=${schema}`.trim();
  return { ...database, settings: { ...settings, options, application_name: schema } };
}

function endStatements(schema: string): string {
  return `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${schema}' AND pid <> pg_backend_pid()`;
}

/** Returns the result of a pool. Rejects with the explanation of its error. */
async function explained<Result>(result: Promise<Result>, name: string): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    const fail = () => Promise.reject(error);
    await checkPostgresSchema({ pool: { query: fail, connect: fail }, name });
    throw error;
  }
}

function otherSchemaError(name: string): CommandError {
  return new CommandError(
    exitCodes.failed,
    `Failed to check ${name}: its connections do not use the search_path of their options. Connect without a pooler.`,
  );
}

function remainsError(schema: string, name: string, cause: unknown): CommandError {
  const command = `DROP SCHEMA ${schema} CASCADE`;
  return new CommandError(
    exitCodes.failed,
    `Failed to drop the schema ${schema}: it may remain in ${name}. Run ${command}.`,
    { cause },
  );
}
