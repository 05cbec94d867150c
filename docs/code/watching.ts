import { DatabaseSync } from 'node:sqlite';
import { type MemoryChange, MemoryClient, type MemoryWatch, type WatchState } from '@memory-read/client';

const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });

// #region watch-memories
for await (const change of client.watchMemories()) {
  if (change.type !== 'processed') continue;
  console.log(`${change.memory.name} can be read now`);
  break;
}
// #endregion

// #region at-least-once
async function mirror(watch: MemoryWatch, names: Map<string, string>, save: (state: WatchState) => Promise<void>) {
  for await (const change of watch) {
    if (change.type === 'missing') names.delete(change.memoryId);
    else names.set(change.memory.id, change.memory.name);
    await save(watch.state);
  }
}
// #endregion

// #region exactly-once
async function followExactlyOnce(watch: MemoryWatch, database: DatabaseSync) {
  const changes = watch[Symbol.asyncIterator]();
  try {
    let result = await changes.next();
    while (!result.done) {
      // Call next() first: from then on, watch.state covers the current change.
      [result] = await Promise.all([changes.next(), store(database, result.value, watch.state)]);
    }
  } finally {
    await watch.close();
  }
}

async function store(database: DatabaseSync, change: MemoryChange, state: WatchState) {
  database.exec('BEGIN');
  try {
    if (change.type === 'processed') database.prepare('INSERT INTO mail VALUES (?)').run(change.memory.id);
    database.prepare('INSERT OR REPLACE INTO watch VALUES (1, ?)').run(JSON.stringify(state));
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
// #endregion

// #region load
function loadState(database: DatabaseSync): WatchState | undefined {
  const row = database.prepare('SELECT state FROM watch').get();
  return row && JSON.parse(String(row.state));
}
// #endregion

/** A client whose second look ends the watch that it is for. */
function endAfterOneLook(watchOf: () => MemoryWatch | undefined): MemoryClient {
  let looks = 0;
  const onEnd = () => {
    looks += 1;
    if (looks === 2) void watchOf()?.close();
  };
  return client.withOptions({ hooks: { onEnd } });
}

let watch: MemoryWatch | undefined;
const options = { interval: 1 };
const names = new Map<string, string>();
let stored: WatchState | undefined;
watch = endAfterOneLook(() => watch).watchMemories(options);
await mirror(watch, names, async (state) => {
  stored = state;
});
console.log(names.size, stored?.memories.length);

const database = new DatabaseSync(':memory:');
database.exec(
  'CREATE TABLE mail (memory_id TEXT) STRICT; CREATE TABLE watch (id INTEGER PRIMARY KEY, state TEXT) STRICT',
);
for (const _restart of [1, 2]) {
  const state = loadState(database);
  watch = endAfterOneLook(() => watch).watchMemories({ ...options, state });
  await followExactlyOnce(watch, database);
  console.log(database.prepare('SELECT count(*) AS count FROM mail').get()?.count);
}
