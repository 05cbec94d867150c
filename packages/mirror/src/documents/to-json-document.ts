import type { Memory } from '@memory-read/client';
import { type Field, type MemoryField, memoryFields, partFields } from '@memory-read/contract/fields';
import { MirrorError } from '../errors/mirror-error.ts';

/**
 * Returns the memory as JSON, without secrets.
 *
 * Signed URLs are omitted. A URL in an unknown field loses its query, which may be a signature.
 *
 * @throws MirrorError if an unknown field is nested too deeply.
 */
export function toJsonDocument(memory: Memory, rows: Readonly<Record<string, MemoryField>> = memoryFields): string {
  const isSigned = (name: string) => Object.hasOwn(rows, name) && rows[name]?.from === 'signer';
  const unsigned = Object.fromEntries(Object.entries(memory).filter(([name]) => !isSigned(name)));
  try {
    return `${JSON.stringify(withoutQueries(unsigned, rows), null, 2)}\n`;
  } catch (cause) {
    // The engine reports an exhausted stack in this way.
    if (Object(cause).name !== 'RangeError') throw cause;
    const problem = 'a field that the API does not specify is nested too deeply';
    const advice = 'Choose another format, or report it to the operator of the API';
    throw new MirrorError('storage', `Failed to write JSON: ${problem}. ${advice}.`, { cause });
  }
}

type Rows = Readonly<Record<string, Field>>;

/** Cuts the queries of URLs, except in the fields of the rows, whose texts come from people. */
function withoutQueries(value: unknown, rows: Rows): unknown {
  if (typeof value === 'string') return value.replace(urlWithQuery, '$1');
  if (Array.isArray(value)) return value.map((item) => withoutQueries(item, rows));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => {
    const type = Object.hasOwn(rows, name) ? rows[name]?.type : undefined;
    return [name, type === undefined ? withoutQueries(field, {}) : ofType(field, type)];
  });
  return Object.fromEntries(entries);
}

/** Keeps the texts of a known field. An object in it is cleaned by the rows of its type. */
function ofType(value: unknown, type: Field['type']): unknown {
  const isText = typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  const itemType = type.replace('[]', '');
  const rows: Rows = Object.hasOwn(partFields, itemType) ? partFields[itemType as keyof typeof partFields] : {};
  return isText ? value : withoutQueries(value, rows);
}

const urlWithQuery = /(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi;
