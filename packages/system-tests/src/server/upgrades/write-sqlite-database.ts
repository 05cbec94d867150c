/**
 * Writes the SQLite database of the present schema, once: what an older version wrote must stay as that version wrote it.
 *
<<<<<<< HEAD:packages/system-tests/src/server/upgrades/write-sqlite-database.ts
 * node --conditions=@memory-read/source packages/system-tests/src/server/upgrades/write-sqlite-database.ts sqlite-schema-1.sqlite
=======
 * node --conditions=@memory-read/source packages/system-tests/src/upgrades/write-sqlite-database.ts sqlite-schema-2.sqlite
>>>>>>> b9fdf38 (wip):packages/system-tests/src/upgrades/write-sqlite-database.ts
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { writeContent } from './write-content.ts';

const [, , name = ''] = process.argv;
const path = join(import.meta.dirname, name);
if (existsSync(path)) {
  throw new Error(`Failed to write ${path}: because it is there already. Name one of a schema that has none.`);
}

const store = openSqliteStore({ path });
await writeContent(store);
// The last one to close brings the log back into the file.
await store.close();
