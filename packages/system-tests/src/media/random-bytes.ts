import { createHash } from 'node:crypto';

/** Returns bytes without repetition, the same for the same seed. */
export function createRandomBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}
