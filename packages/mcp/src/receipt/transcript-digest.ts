import type { Memory } from '@memory-read/client';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Returns the digest of the start and the transcript of a memory: `sha256-` and 43 characters of base64url.
 *
 * Name, summary and URLs do not change the digest. The start, and each label, time and text of the transcript do.
 *
 * @example
 * ```ts
 * const isSame = transcriptDigest(memory) === transcriptDigest(await client.getMemory('mem_2'));
 * console.log(isSame ? 'Every receipt is still valid.' : 'The transcript has changed.');
 * ```
 */
export function transcriptDigest(memory: Memory): string {
  const segments: unknown = memory.transcript?.segments;
  const rows = Array.isArray(segments)
    ? segments.map((segment) => [segment?.speaker, segment?.start_at, segment?.end_at, segment?.text])
    : null;
  const bytes = sha256(utf8ToBytes(JSON.stringify([memory.started_at, rows])));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `sha256-${base64.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')}`;
}

/** Returns whether a value has the form of a digest. The last character holds only four of the 256 bits. */
export function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^sha256-[\w-]{42}[AEIMQUYcgkosw048]$/.test(value);
}
