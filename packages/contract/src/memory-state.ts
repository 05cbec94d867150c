/**
 * What a watch, a mirror and an export compare of a memory. Not stable: functions may change in a minor version.
 *
 * @packageDocumentation
 */

import { parseDateTime } from './date-time.ts';
import { type MemoryField, type MemoryFieldName, memoryFields, partFields } from './fields.ts';
import type { Memory } from './memory.ts';

/** A watched field, and a value that is equal for all spellings of the same content. */
export type FieldState = readonly [name: MemoryFieldName, value: unknown];

const rankOf = ({ addedIn, watched }: MemoryField) => (addedIn ? 2 : Number(watched === 'presence'));

const rows: Readonly<Record<MemoryFieldName, MemoryField>> = memoryFields;

/**
 * Names of the fields that are compared, those of later versions last. The order is part of stored states: another one
 * would report and read every memory again.
 */
export const watchedFields: readonly MemoryFieldName[] = /* @__PURE__ */ (Object.keys(rows) as MemoryFieldName[])
  .filter((name) => rows[name].watched)
  .sort((one, other) => rankOf(rows[one]) - rankOf(rows[other]));

/**
 * Returns the state of a memory as far as a list shows it: its watched fields, those of later versions last.
 *
 * Of media URLs it holds the presence only, because they are new in each response. Fields that the specification does
 * not know are left out, and so is a field of a later version that is null. See section 2 of the specification.
 */
export function memoryState(memory: Memory): FieldState[] {
  return watchedFields
    .filter((name) => !rows[name].addedIn || memory[name] != null)
    .map((name) => {
      const { type, watched } = rows[name];
      return [name, watched === 'presence' ? Boolean(memory[name]) : comparable(memory[name], type)];
    });
}

/** Returns a text that differs if the times or the duration of a recording do. A new name, for example, is not in it. */
export function recordingState({ started_at, ended_at, duration_seconds }: Memory): string {
  return JSON.stringify([comparable(started_at, 'date-time'), comparable(ended_at, 'date-time'), duration_seconds]);
}

/**
 * Returns a value that is equal for all spellings of the same content. A date-time becomes an instant. An object becomes
 * the values of the fields that the specification knows, in its order.
 *
 * @param type - a type of the tables of fields.
 */
export function comparable(value: unknown, type: string): unknown {
  if (type === 'date-time') return parseDateTime(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => comparable(item, type.replace('[]', '')));
  const fields = (partFields as Record<string, Record<string, { type: string }>>)[type];
  if (!fields || typeof value !== 'object' || value === null) return value;
  return Object.entries(fields).map(([name, field]) =>
    comparable((value as Record<string, unknown>)[name], field.type),
  );
}
