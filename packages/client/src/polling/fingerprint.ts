import type { ListedMemory } from '@memory-read/contract';
import { type MemoryField, type MemoryFieldName, memoryFields, partFields } from '@memory-read/contract/fields';
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

type Row = readonly [name: MemoryFieldName, row: MemoryField];

const rows = Object.entries<MemoryField>(memoryFields) as unknown as readonly Row[];
const firstRows = rows.filter(([, { addedIn }]) => addedIn === undefined);
// Their parts have no names, so their order is part of the format.
const ordered = [...firstRows.filter(isWatchedBy('value')), ...firstRows.filter(isWatchedBy('presence'))];
// An older state has no part for an added field, and neither has a memory in which the field is null.
const named = rows.filter(([, { addedIn, watched }]) => addedIn !== undefined && watched !== undefined);

export const fingerprintPattern = new RegExp(`^(?:-|0|[01](?: [\\da-z]+){${ordered.length}}(?: \\w+=[\\da-z]+)*)$`);

export function createFingerprint(memory: ListedMemory, isReported: boolean): Fingerprint {
  const parts = ordered.map((row) => part(memory, row));
  const namedParts = named.flatMap((row) => (memory[row[0]] == null ? [] : `${row[0]}=${part(memory, row)}`));
  return [Number(isReported), ...parts, ...namedParts].join(' ');
}

/** Whether the end of processing was reported, which happens once for each memory. */
export function isReported(fingerprint: Fingerprint): boolean {
  return fingerprint === missing || fingerprint.startsWith('1');
}

/** Returns the fingerprint of the same memory after the end of its processing was reported. */
export function asReported(fingerprint: Fingerprint): Fingerprint {
  return `1${fingerprint.slice(1)}`;
}

/** Returns the fields in which two fingerprints of one memory differ. */
export function changedFields(before: Fingerprint, after: Fingerprint): string[] {
  if (before === after) return [];
  const [, ...partsBefore] = before.split(' ');
  const [, ...partsAfter] = after.split(' ');
  const isChanged = (name: string) => namedPart(partsBefore, name) !== namedPart(partsAfter, name);
  return [
    ...ordered.filter((_row, index) => partsBefore[index] !== partsAfter[index]),
    ...named.filter(([name]) => isChanged(name)),
  ].map(([name]) => name);
}

function isWatchedBy(watched: MemoryField['watched']) {
  return ([, row]: Row) => row.watched === watched;
}

function namedPart(parts: readonly string[], name: string): string | undefined {
  return parts.find((part) => part.startsWith(`${name}=`));
}

function part(memory: ListedMemory, [name, { type, watched }]: Row): string | number {
  const value: unknown = memory[name];
  return watched === 'presence' ? Number(Boolean(value)) : digest(textOf(value, type));
}

/** An object is compared by what the specification knows of it, whatever the order of its fields. */
function textOf(value: unknown, type: string): string {
  const fields = partFields[type as keyof typeof partFields] as object | undefined;
  if (typeof value !== 'object' || value === null || fields === undefined) return JSON.stringify(value) ?? '';
  return JSON.stringify(Object.keys(fields).map((name) => (value as Record<string, unknown>)[name]));
}
