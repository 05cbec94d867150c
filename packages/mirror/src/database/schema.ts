import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Digests of the tables of each version. Tab completion checks a mirror with them, without the code that makes tables.
 * Never change a digest of a released version.
 */
const digests: readonly string[] = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '288e8647db5390728cf3d7e7d3093414c246281777d940908288de2381b3623b',
  '98d8adf535b56d351186b67ab59c50b618dbaaf9ae0b27bad3f647a9b5e6690f',
  'ef6cb6d9002a5e829d3c0d8a50f075be117230d0920c87577a0ce2a2c12f0724',
  'ffacf16e152fe5e8d9b4558a469a3c5b11b60a90ddcd1ccc75833222e99aaf81',
  '8e20b6ae1feb8a4646660b763a4d079e09a15ad3a1a7a5f2f48c7ea8b2a2fd77',
];

/** Version of the tables that this software writes. */
export const NEWEST_VERSION = digests.length - 1;

/** Tables that FTS5 makes for an index. Their statements belong to the version of SQLite. */
const shadowTable = /^(words|memory_words)_(config|content|data|docsize|idx)$/;

/** Returns whether a database has the tables of a version, and no other table, view, index or trigger. */
export function hasSchema(database: DatabaseSync, version: number): boolean {
  return digestOfSchema(database) === digests[version];
}

export function digestOfSchema(database: DatabaseSync): string {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all();
  const lines = rows.map(({ type, name, tbl_name, sql }) => {
    const isShadow = shadowTable.test(String(name)) && /^CREATE TABLE /.test(String(sql));
    return JSON.stringify([type, name, tbl_name, isShadow ? '' : sql]);
  });
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}
