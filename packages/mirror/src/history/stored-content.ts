import { isDeepStrictEqual } from 'node:util';
import type { MediaKind, Memory } from '@memory-read/client';
import { mediaKinds, memoryFields, partFields } from '@memory-read/contract/fields';

/** Content of a version: the memory without its URLs, and the kinds of media that had a URL. */
export interface StoredContent {
  memory: Memory;
  media: readonly MediaKind[];
}

/**
 * Returns the content that the mirror stores of a response. The query of a URL in an unknown field could be a
 * signature.
 */
export function toStoredContent(memory: Memory): StoredContent {
  const media = mediaKinds.filter((kind) => memory[`${kind}_url`] !== null);
  const nulled = { ...memory, ...Object.fromEntries(mediaKinds.map((kind) => [`${kind}_url`, null])) };
  // JSON has no -0 and no Infinity, so the content is compared in the form in which it is stored.
  return { memory: JSON.parse(JSON.stringify(cleanFields(nulled, memoryFields))) as Memory, media };
}

/** Returns the names of the fields that differ. */
export function changedFields(before: StoredContent, after: StoredContent): string[] {
  const [old, fresh] = [before.memory, after.memory] as unknown as Record<string, unknown>[];
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})]);
  const differs = (name: string) => {
    const kind = mediaKinds.find((one) => name === `${one}_url`);
    if (kind !== undefined) return before.media.includes(kind) !== after.media.includes(kind);
    return !isDeepStrictEqual(old?.[name], fresh?.[name]);
  };
  return [...names].filter(differs);
}

type Rows = Readonly<Record<string, { readonly type: string }>>;

/** Cleans the unknown fields of an object of the API and of nested objects. */
function cleanFields(value: object, rows: Rows): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      cutQuery(name),
      Object.hasOwn(rows, name) ? cleanPart(field, rows[name]?.type ?? '') : cutQueries(field),
    ]),
  );
}

function cleanPart(value: unknown, type: string): unknown {
  const rows: Rows | undefined = (partFields as Record<string, Rows>)[type.replace('[]', '')];
  if (rows === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanPart(item, type));
  return cleanFields(value, rows);
}

/** Matches a text that is one URL, with or without a scheme and a host. Its path and its query can contain quotes. */
const urlAlone = /^(?:[a-z][a-z\d+.-]*:)?\/\/|^\/\S*$/i;

/** Removes the query of each URL, also in names. */
function cutQueries(value: unknown): unknown {
  if (typeof value === 'string') return cutQuery(value);
  if (Array.isArray(value)) return value.map(cutQueries);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [cutQuery(name), cutQueries(field)]));
}

function cutQuery(text: string): string {
  if (urlAlone.test(text)) return text.replace(/\?[^#]*/, '');
  return text.replace(/([a-z][a-z\d+.-]*:\/\/[^\s?#]*)\?[^\s#]*/gi, '$1');
}
