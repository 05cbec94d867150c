import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { assertPathType } from '../files/assert-path-type.ts';

/** Header of a SQLite database, https://sqlite.org/fileformat.html#the_database_header. */
export interface DatabaseHeader {
  applicationId: number;
  userVersion: number;
}

const MAGIC = 'SQLite format 3\0';
const LENGTH = 100;

/** End of a journal that names another file, which lists the journals of one transaction. */
const JOURNAL_MAGIC = Buffer.from('d9d505f920a163d7', 'hex');

/** Returns the header of a database; undefined if the file is missing or empty. Another kind of file has the id -1. */
export function readHeader(path: string): DatabaseHeader | undefined {
  const start = readBytes(path, () => 0);
  if (start === undefined || start.length === 0) return undefined;
  if (start.length < LENGTH || start.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return { applicationId: -1, userVersion: 0 };
  }
  return { applicationId: start.readUInt32BE(68), userVersion: start.readUInt32BE(60) };
}

/** Returns whether the journal of a database names another file. SQLite removes that file, wherever it is. */
export function journalNamesFile(database: string): boolean {
  const journal = `${database}-journal`;
  assertPathType('file', journal, 'read');
  const end = readBytes(journal, (size) => Math.max(size - JOURNAL_MAGIC.length, 0));
  return end !== undefined && JOURNAL_MAGIC.equals(end);
}

/** Returns up to 100 bytes of a file from a position; undefined if it is missing. */
function readBytes(path: string, position: (size: number) => number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const bytes = Buffer.alloc(LENGTH);
    return bytes.subarray(0, readSync(descriptor, bytes, { position: position(fstatSync(descriptor).size) }));
  } finally {
    closeSync(descriptor);
  }
}
