/**
 * The ids, speakers, people and sinks of a mirror, for tab completion. It loads less code than the mirror.
 *
 * @packageDocumentation
 */

import { resolve } from 'node:path';
import { isMirror, openExisting } from './database/open-existing.ts';

/**
 * Returns ids of a mirror that begin with a text: memories that are on the server first, newest first. It omits ids that
 * a shell would have to quote. It throws if the folder cannot be read, or if another program made the database.
 */
export function listIds(folder: string, { prefix, limit }: { prefix: string; limit: number }): string[] {
  return listTexts(
    folder,
    `SELECT memory_id AS text FROM memories
    WHERE substr(memory_id, 1, length(:prefix)) = :prefix
      AND memory_id NOT GLOB '*[^A-Za-z0-9_.-]*' AND memory_id NOT GLOB '-*'
    ORDER BY missing_since IS NOT NULL, started_at DESC LIMIT :limit`,
    { prefix, limit },
  );
}

/** Returns the labels of the speakers of a memory, in the order of first speech. It throws as {@link listIds} does. */
export function listLabels(folder: string, memoryId: string): string[] {
  // The keys of the units of a memory are in the order of the last unit to the first.
  return listTexts(
    folder,
    `SELECT speaker AS text FROM memories JOIN units
      ON unit_key >> 16 = (start_slot << 13) + disambiguator
      AND unit_key BETWEEN start_slot << 29 AND ((start_slot + 1) << 29) - 1
    WHERE memory_id = :memoryId AND speaker IS NOT NULL GROUP BY speaker ORDER BY max(unit_key) DESC`,
    { memoryId },
  );
}

/** Returns the names of the people, in the order of their folded names. It throws as {@link listIds} does. */
export function listNames(folder: string): string[] {
  return listTexts(folder, 'SELECT name AS text FROM people ORDER BY folded', {});
}

/** Returns the names of the sinks. Those that a shell would have to quote do not exist. It throws as {@link listIds} does. */
export function listSinkNames(folder: string): string[] {
  return listTexts(
    folder,
    "SELECT name AS text FROM sinks WHERE name NOT GLOB '*[^a-z0-9_-]*' AND name NOT GLOB '-*' ORDER BY name",
    {},
  );
}

function listTexts(folder: string, sql: string, values: Record<string, string | number>): string[] {
  const path = resolve(folder);
  if (!isMirror(path)) return [];
  const database = openExisting(path, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all(values)
      .map(({ text }) => String(text));
  } finally {
    database.close();
  }
}
