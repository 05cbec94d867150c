import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** What the first bytes of a SQLite database say, https://sqlite.org/fileformat.html#the_database_header. */
export interface DatabaseHeader {
  applicationId: number;
  userVersion: number;
  /** Whether the file is as long as its header says. */
  isWhole: boolean;
}

const MAGIC = 'SQLite format 3\0';
const LENGTH = 100;

/** Returns the header of a database; undefined if there is no file, or it is empty. A foreign file has the id -1. */
export function readHeader(path: string): DatabaseHeader | undefined {
  const file = readStart(path);
  if (file === undefined || file.size === 0) return undefined;
  const { start, size } = file;
  if (start.length < LENGTH || start.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return { applicationId: -1, userVersion: 0, isWhole: true };
  }
  const pageSize = start.readUInt16BE(16) === 1 ? 65_536 : start.readUInt16BE(16);
  const isCountValid = start.readUInt32BE(24) === start.readUInt32BE(92);
  const isCut =
    isCountValid && size < start.readUInt32BE(28) * pageSize && !hasContent(`${path}-wal`, `${path}-journal`);
  return { applicationId: start.readUInt32BE(68), userVersion: start.readUInt32BE(60), isWhole: !isCut };
}

function readStart(path: string): { start: Buffer; size: number } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const start = Buffer.alloc(LENGTH);
    return { start: start.subarray(0, readSync(descriptor, start)), size: fstatSync(descriptor).size };
  } finally {
    closeSync(descriptor);
  }
}

function hasContent(...paths: string[]): boolean {
  return paths.some((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0);
}
