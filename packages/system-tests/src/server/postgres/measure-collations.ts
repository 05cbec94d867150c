/**
 * Compares ways to order ids by bytes, with 100,000 memories of one account, and prints a table. For the decision on
 * collations.
 *
 * node --conditions=@memory-read/source packages/system-tests/src/server/postgres/measure-collations.ts
 */
import { availableParallelism } from 'node:os';
import { startPostgres } from '@memory-read/test-kit/postgres/start-postgres';
import { Pool } from 'pg';

const memories = 100_000;
const rounds = 5;
const text = 'user_id, is_processing, record_json, summary_json';

interface Way {
  name: string;
  /** Type of the columns that are compared. */
  type: string;
  /** Expressions by which the index and the list order. */
  order: readonly [startedAt: string, id: string];
}

const ways: Way[] = [
  { name: 'columns with `COLLATE "C"`', type: 'TEXT COLLATE "C"', order: ['started_at', 'id'] },
  { name: 'columns without a collation', type: 'TEXT', order: ['started_at', 'id'] },
  {
    name: '`ORDER BY id COLLATE "C"` and an index on the expression',
    type: 'TEXT',
    order: ['(started_at COLLATE "C")', '(id COLLATE "C")'],
  },
  {
    name: '`ORDER BY convert_to(id)` and an index on the bytes',
    type: 'TEXT',
    order: ['bytes_of(started_at)', 'bytes_of(id)'],
  },
];

const locales = {
  C: "LOCALE 'C' LOCALE_PROVIDER libc",
  'en-US (ICU)': "LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'",
};

const server = await startPostgres();
const administrator = new Pool({ connectionString: server.url, max: 1 });
administrator.on('error', () => {});
const [{ version }] = (await administrator.query("SELECT current_setting('server_version') AS version")).rows;
console.log(
  `PostgreSQL ${version}, Node ${process.versions.node}, ${availableParallelism()} cores, ${memories} memories\n`,
);
console.log('| Database | Way | Index | Whole list, median of 5 | Last page | Plan of a page | Order |');
console.log('|---|---|---|---|---|---|---|');
for (const [locale, clause] of Object.entries(locales)) {
  for (const [index, way] of ways.entries()) {
    const name = `way_${locale.charAt(0).toLowerCase()}_${index}`;
    await administrator.query(`CREATE DATABASE ${name} ENCODING UTF8 ${clause} TEMPLATE template0`);
    const pool = new Pool({ connectionString: Object.assign(new URL(server.url), { pathname: name }).href, max: 1 });
    pool.on('error', () => {});
    console.log(`| ${locale} | ${way.name} | ${(await measure(pool, way)).join(' | ')} |`);
    await pool.end();
  }
}
await administrator.end();
await server.stop();

async function measure(pool: Pool, { type, order }: Way): Promise<string[]> {
  const [startedAt, id] = order;
  await pool.query(
    `
    CREATE FUNCTION bytes_of(TEXT) RETURNS BYTEA LANGUAGE SQL IMMUTABLE RETURN convert_to($1, 'UTF8');
    CREATE TABLE memories (id ${type} PRIMARY KEY, user_id ${type} NOT NULL, started_at ${type} NOT NULL,
      is_processing BOOLEAN NOT NULL, record_json TEXT NOT NULL, summary_json TEXT);
    CREATE INDEX memories_newest_first ON memories (user_id, ${startedAt} DESC, ${id} DESC);
    INSERT INTO memories SELECT prefix || number, 'ada', to_char(TIMESTAMP '2026-01-01' + number % 997 * INTERVAL '1 minute',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), false, repeat('x', 300), repeat('y', 200)
      FROM generate_series(1, ${memories / 4}) AS number, unnest(ARRAY['A', 'a', 'é', '_']) AS prefix`,
  );
  await pool.query('VACUUM ANALYZE memories');
  const parameter = (number: number, expression: string) =>
    expression.includes('COLLATE')
      ? `$${number} COLLATE "C"`
      : expression.includes('bytes_of')
        ? `bytes_of($${number})`
        : `$${number}`;
  const page = `SELECT id, started_at, ${text} FROM memories
    WHERE user_id = $1 AND (${startedAt}, ${id}) < (${parameter(2, startedAt)}, ${parameter(3, id)})
    ORDER BY ${startedAt} DESC, ${id} DESC LIMIT (SELECT 200)`;
  const newest = ['ada', '9', ''];
  const times: number[] = [];
  const lastPages: number[] = [];
  let listed: { id: string; started_at: string }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    listed = [];
    let values = newest;
    for (;;) {
      const pageBegan = performance.now();
      const { rows } = await pool.query({ name: 'page', text: page, values });
      if (rows.length > 0) lastPages[round] = performance.now() - pageBegan;
      listed.push(...rows);
      const last = rows.at(-1);
      if (last === undefined || rows.length < 200) break;
      values = ['ada', last.started_at, last.id];
    }
    times.push(performance.now() - began);
  }
  const [{ size }] = (await pool.query("SELECT pg_relation_size('memories_newest_first') AS size")).rows;
  const plan = (await pool.query(`EXPLAIN ${page}`, ['ada', '2026-01-01T08:00:00.000Z', 'a1'])).rows
    .map((row) => String(row['QUERY PLAN']))
    .join(' ');
  const nodes = plan.match(/Index Scan|Bitmap Heap Scan|Seq Scan|Incremental Sort|Sort(?= )/g) ?? [];
  const keys = listed.map((row) => Buffer.from(`${row.started_at} ${row.id}`));
  const isOrdered =
    keys.length === memories && keys.every((key, at) => at === 0 || Buffer.compare(keys[at - 1] as Buffer, key) > 0);
  return [
    `${(Number(size) / 1_048_576).toFixed(1)} MB`,
    `${Math.round(median(times))} ms`,
    `${median(lastPages).toFixed(1)} ms`,
    [...new Set(nodes)].join(', '),
    isOrdered ? 'by bytes' : '**wrong**',
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
