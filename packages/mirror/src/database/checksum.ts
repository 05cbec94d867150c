import { crc32 } from 'node:zlib';

/** Returns the checksum of the values of a row, by which a read finds damage. */
export function checksumOf(...values: unknown[]): number {
  return crc32(values.join('\n'));
}

/** Returns whether a row has the checksum of its values. */
export function hasChecksum(checksum: unknown, ...values: unknown[]): boolean {
  return checksum === checksumOf(...values);
}

/** Returns whether a checksum of a row is right. A mirror of an earlier version that is open for reading has none. */
export function isWhole(checksum: unknown, ...values: unknown[]): boolean {
  return checksum == null || hasChecksum(checksum, ...values);
}
