import type { ListedMemory } from '@memory-read/contract';
import { memoryState, watchedFields } from '@memory-read/contract/memory-state';
import { digest } from './digest.ts';

/**
 * Represents a memory in the state of a watch. It has a part for each compared field, and says whether the end of
 * processing was reported.
 *
 * It reveals no text and no URL. Of media URLs it holds only the presence, because they are new in each response.
 */
export type Fingerprint = string;

/** The fingerprint of a missing memory. */
export const missing: Fingerprint = '-';

/** The fingerprint of a memory that is in the account but was not readable: every field of it is new. */
export const unread: Fingerprint = '0';

/** The parts of the first nine fields have no names. */
export const fingerprintPattern = /^(?:-|0|[01](?: [\da-z]+){9}(?: \w+=[\da-z]+)*)$/;

export function createFingerprint(memory: ListedMemory, isReported: boolean): Fingerprint {
  return [Number(isReported), ...partsOf(memory)].join(' ');
}

/** Whether the end of processing was reported, which happens once for each memory. */
export function isReported(fingerprint: Fingerprint): boolean {
  return /^[-1]/.test(fingerprint);
}

/** Returns the fingerprint of the same memory after the end of its processing was reported. */
export function asReported(fingerprint: Fingerprint): Fingerprint {
  return `1${fingerprint.slice(1)}`;
}

/** Returns the fields in which a memory differs from its fingerprint. Earlier versions stored the texts of times. */
export function changedFields(before: Fingerprint, memory: ListedMemory): string[] {
  const [, ...old] = before.split(' ');
  const parts = partsOf(memory);
  return watchedFields.filter((name, index) => {
    const find = (all: readonly string[]) => (index < 9 ? all[index] : all.find((part) => part.startsWith(`${name}=`)));
    return ![find(parts), partOf(memory[name])].includes(find(old));
  });
}

function partsOf(memory: ListedMemory): string[] {
  return memoryState(memory).map(([name, value], index) => (index < 9 ? '' : `${name}=`) + partOf(value));
}

function partOf(value: unknown): string {
  return typeof value === 'boolean' ? `${Number(value)}` : digest(JSON.stringify(value) ?? '');
}
