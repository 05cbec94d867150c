import type { MirrorDatabase } from './mirror-database.ts';

/**
 * Names of the settings of a mirror. `time_zone` is that of the last pages, so that a purge writes `index.html` in the
 * same one. `spilled_slots` is the largest distance of a memory from its slot in the index.
 */
export type SettingName = 'user_id' | 'base_url' | 'empty_lists' | 'time_zone' | 'spilled_slots';

/** Returns a setting; undefined if it was never written. */
export function readSetting(database: MirrorDatabase, name: SettingName): string | undefined {
  const row = database.prepare('SELECT value FROM settings WHERE name = ?').get(name);
  return row === undefined ? undefined : String(row.value);
}

/** Writes a setting, unless it has this value already. */
export function writeSetting(database: MirrorDatabase, name: SettingName, value: string): void {
  if (readSetting(database, name) === value) return;
  database.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)').run(name, value);
}
