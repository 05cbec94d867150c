import { dirname, join } from 'node:path';
import { isMemoryApiError, type MediaKind, type Memory } from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';
import { inTransaction } from '../database/in-transaction.ts';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { readSetting } from '../database/settings.ts';
import { ofCaller } from '../errors/stored-values.ts';
import { assertPathType } from '../files/assert-path-type.ts';
import { digestFile } from '../files/digest-file.ts';
import { ANY_BYTES, MIRROR_FOLDER } from '../files/file-tables.ts';
import { restoreVersion } from '../history/restore-version.ts';
import { toStoredContent } from '../history/stored-content.ts';
import { isDamage } from '../history/stored-version.ts';
import { writeVersion } from '../history/write-version.ts';
import { writePages } from '../pages/write-pages.ts';
import { resolveNamesOf } from '../people/follow-names.ts';
import { indexAllMemories } from '../search/index-memory.ts';
import { isFileOf, stemOfMedia } from '../sync/save-media-files.ts';
import { accountOf, assertServer, baseUrlOf, fieldsOf, type SyncedStorage } from '../sync/sync-mirror.ts';
import type { SyncClient } from '../sync/sync-types.ts';
import { checkMirror, keyOf } from './check-mirror.ts';
import { removeDamagedChanges, removeDamagedNames } from './check-people.ts';
import type { Damage, RepairReport } from './check-types.ts';

/** Takes from the server what is damaged in a mirror, and writes its index and its pages again. */
export async function repairMirror(
  storage: SyncedStorage,
  client: SyncClient,
  signal: AbortSignal | undefined,
): Promise<RepairReport> {
  const { database } = storage;
  assertServer(database, baseUrlOf(client));
  const options = { signal, readOnly: false };
  const before = await checkMirror(storage, options);
  const fromServer = before.damaged.filter(
    ({ memoryId, part }) => memoryId !== null && !['page', 'index', 'database'].includes(part),
  );
  const ids = new Set(fromServer.map(({ memoryId }) => memoryId as string));
  let requests = 0;
  let isOwnAccount = false;
  for (const memoryId of ids) {
    requests += 1;
    const memory = await readMemory(client, memoryId, signal);
    if (!isOwnAccount && memory?.user_id !== readSetting(database, 'user_id')) {
      // Another account has none of the memories, so that all of them would count as lost.
      requests += 1;
      accountOf(await ofCaller(() => client.listMemories({ signal, validation: 'skip' })), database);
    }
    isOwnAccount = true;
    if (memory === undefined || memory.user_id !== readSetting(database, 'user_id')) continue;
    inTransaction(database, () => restoreMemory(storage, memory));
    for (const { memoryId: id, part, path } of fromServer) {
      if (id === memoryId && path !== null)
        await restoreMedia(storage, client, { memory, kind: part as MediaKind, path, signal });
    }
  }
  rebuild(database, before.damaged);
  const timeZone = readSetting(database, 'time_zone');
  if (timeZone !== undefined) {
    forgetPages(database, before.damaged);
    await writePages(storage, { timeZone, isInRange: () => true, signal });
  }
  const { damaged: lost } = await checkMirror(storage, options);
  if (lost.some(({ part }) => part === 'database')) unlessDamaged(database, () => removeDamagedNames(database));
  const stays = new Set(lost.map(keyOf));
  return { requests, repaired: before.damaged.filter((damage) => !stays.has(keyOf(damage))).length, lost };
}

const unknown = ['not_found', 'invalid_request', 'invalid_response'];

/** Returns undefined if the server does not have the memory, or not in a valid form. */
async function readMemory(
  client: SyncClient,
  memoryId: string,
  signal: AbortSignal | undefined,
): Promise<Memory | undefined> {
  try {
    const memory = await ofCaller(() => client.getMemory(memoryId, { signal }));
    return memory.id === memoryId ? memory : undefined;
  } catch (error) {
    if (!isMemoryApiError(error)) throw error;
    // An id that cannot be sent is not one of the server.
    const isUnknown = error.code === 'configuration' ? error.option === undefined : unknown.includes(error.code);
    if (isUnknown) return undefined;
    throw error;
  }
}

/** Puts each damaged version back that has today's content. If the newest one is damaged or differs, this is a new one. */
function restoreMemory({ database, now }: SyncedStorage, memory: Memory): void {
  const content = toStoredContent(memory);
  const rows = database
    .prepare('SELECT memory_id, versions.* FROM versions JOIN memories USING (memory_key) WHERE memory_id = ?')
    .all(memory.id);
  for (const row of rows) restoreVersion(database, row, content);
  const fields = fieldsOf(database, Number(rows[0]?.memory_key), content);
  if (fields.length > 0) writeVersion(database, content, { now: now(), fields });
}

/** Loads a recording again, if the server still has the same one. */
async function restoreMedia(
  { database, folder, hardening }: SyncedStorage,
  client: SyncClient,
  { memory, kind, path, signal }: { memory: Memory; kind: MediaKind; path: string; signal: AbortSignal | undefined },
): Promise<void> {
  if (memory[`${kind}_url`] === null || !isFileOf(stemOfMedia(memory, kind), path)) return;
  const target = join(folder, path);
  assertPathType('folder', dirname(target), 'save media to');
  assertPathType('file', target, 'save media to');
  try {
    const saved = await ofCaller(() => saveMedia(client, memory.id, kind, target, { signal }));
    hardening.setMode(saved.path, 0o600);
    const digest = await digestFile(saved.path, signal);
    database
      .prepare('UPDATE media SET size = ?, sha256 = ? WHERE path = ?')
      .run(saved.size, digest?.sha256 ?? null, path);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isMemoryApiError(error) || error.code === 'authentication') throw error;
  }
}

/** Writes the indexes of the tables again, what the names of speakers are in the index, and the index of the search. */
function rebuild(database: MirrorDatabase, damaged: readonly Damage[]): void {
  // Without the version in which a speaker was named, a certain name would become doubtful.
  const unread = new Set(damaged.map(({ memoryId, part }) => (part === 'version' ? memoryId : null)));
  unlessDamaged(database, () => {
    database.exec('REINDEX');
    removeDamagedChanges(database);
    for (const { memory_id } of database.prepare('SELECT DISTINCT memory_id FROM namings').all()) {
      if (!unread.has(String(memory_id))) resolveNamesOf(database, String(memory_id));
    }
    indexAllMemories(database);
  });
}

/** Changes the database in one transaction. A table that cannot be read stays damaged. */
function unlessDamaged(database: MirrorDatabase, change: () => void): void {
  try {
    inTransaction(database, change);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** All pages are compared again. The bytes of damaged ones are not those of their owner. */
function forgetPages(database: MirrorDatabase, damaged: readonly Damage[]): void {
  database.prepare("UPDATE files SET depends = '' WHERE folder_key = ?").run(MIRROR_FOLDER);
  const forget = database.prepare("UPDATE files SET written = ?, stamp = '' WHERE folder_key = ? AND path = ?");
  for (const { part, path } of damaged)
    if (part === 'page' && path !== null) forget.run(ANY_BYTES, MIRROR_FOLDER, path);
}
