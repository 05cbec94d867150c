/** Fills a new SQLite file, and prints the time and the most memory that it took. */
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { preferSmallHeap } from '../measurement/prefer-small-heap.ts';
import { peakMemory } from '../measurement/process-memory.ts';
import { userId } from '../memories/account.ts';
import { leanRecords } from '../memories/small-records.ts';

preferSmallHeap();
const [, , kind, path = '', rows = '0'] = process.argv;
const count = Number(rows);
const store = openSqliteStore({ path });
await store.putAccount({ userId });

const start = performance.now();
if (kind === 'ours') await store.putMemories(userId, leanRecords(count));
else insertRows(new DatabaseSync(path));
const milliseconds = performance.now() - start;

await store.close();
console.log(JSON.stringify({ milliseconds, peakBytes: peakMemory() }));

function insertRows(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; BEGIN');
  const statement = database.prepare('INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const record of leanRecords(count)) {
    const { is_processing, summary, transcript, ...fields } = record;
    const columns = [record.id, userId, record.started_at, is_processing ? 1 : 0, JSON.stringify(fields)];
    statement.run(...columns, summary && JSON.stringify(summary), transcript && '');
  }
  database.exec('COMMIT');
  database.close();
}
