import { closeSync, openSync, readSync } from 'node:fs';

/** Header of a SQLite database, https://sqlite.org/fileformat.html#the_database_header. */
export interface DatabaseHeader {
  applicationId: number;
  userVersion: number;
}

const MAGIC = 'SQLite format 3\0';
const LENGTH = 100;

/** Returns the header of a database; undefined if the file is missing or empty. Another kind of file has the id -1. */
export function readHeader(path: string): DatabaseHeader | undefined {
  const start = readStart(path);
  if (start === undefined || start.length === 0) return undefined;
  if (start.length < LENGTH || start.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return { applicationId: -1, userVersion: 0 };
  }
  return { applicationId: start.readUInt32BE(68), userVersion: start.readUInt32BE(60) };
}

function readStart(path: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const start = Buffer.alloc(LENGTH);
    return start.subarray(0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}
