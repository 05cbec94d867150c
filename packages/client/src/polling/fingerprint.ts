import type { ListedMemory } from '@memory-read/contract';
import { type MemoryField, type MemoryFieldName, memoryFields, partFields } from '@memory-read/contract/fields';
import { digest } from './digest.ts';

/**
 * What is remembered of a memory: whether the end of its processing was told, and a part for each field that is compared.
 *
 * No text and no URL can be read out of it. Media URLs count only as there or not: they are new in each response.
 */
export type Fingerprint = string;

/** What stays of a memory that is missing. */
export const gone: Fingerprint = '-';

type Row = readonly [name: MemoryFieldName, row: MemoryField];

const rows = Object.entries<MemoryField>(memoryFields) as unknown as readonly Row[];
const firstRows = rows.filter(([, { addedIn }]) => addedIn === undefined);
// Their parts have no names, so their order is part of the format.
const ordered = [...firstRows.filter(isWatchedBy('value')), ...firstRows.filter(isWatchedBy('presence'))];
// A state from before such a field was known has no part for it, just as a memory in which it is null.
const named = rows.filter(([, { addedIn, watched }]) => addedIn !== undefined && watched !== undefined);

export const fingerprintPattern = new RegExp(`^(?:-|[01](?: [\\da-z]+){${ordered.length}}(?: \\w+=[\\da-z]+)*)$`);

export function createFingerprint(memory: ListedMemory, isTold: boolean): Fingerprint {
  const parts = ordered.map((row) => part(memory, row));
  const namedParts = named.flatMap((row) => (memory[row[0]] == null ? [] : `${row[0]}=${part(memory, row)}`));
  return [Number(isTold), ...parts, ...namedParts].join(' ');
}

/** Whether the end of processing was told: it is told once in the life of a memory. */
export function isTold(fingerprint: Fingerprint): boolean {
  return fingerprint === gone || fingerprint.startsWith('1');
}

/** The fingerprint of the same memory, once the end of its processing was told. */
export function asTold(fingerprint: Fingerprint): Fingerprint {
  return `1${fingerprint.slice(1)}`;
}

/** The fields in which two fingerprints of one memory differ. */
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
