import { isDeepStrictEqual } from 'node:util';
import type { MediaKind, Memory } from '@memory-read/client';
import { mediaKinds, memoryFields, partFields } from '@memory-read/contract/fields';
import { comparable } from '@memory-read/contract/memory-state';

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
  const media = mediaKinds.filter((kind) => memory[`${kind}_url`]);
  const nulled = { ...memory, ...Object.fromEntries(mediaKinds.map((kind) => [`${kind}_url`, null])) };
  // JSON has no -0 and no Infinity, so the content is compared in the form in which it is stored.
  return { memory: JSON.parse(JSON.stringify(mapFields(nulled, memoryFields, cleaning))) as Memory, media };
}

/** Returns the names of the fields that differ. Another spelling of the same content does not, such as another offset. */
export function changedFields(before: StoredContent, after: StoredContent): string[] {
  const [old = {}, fresh = {}] = [before, after].map(({ memory, media }) => {
    const presence = media.map((kind) => [`${kind}_url`, true]);
    return mapFields({ ...memory, ...Object.fromEntries(presence) }, memoryFields, comparing);
  });
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...names].filter((name) => !isDeepStrictEqual(old[name], fresh[name]));
}

/** Returns a stored memory without the fields that the specification does not name, also in its parts. */
export function withKnownFields(memory: Memory): Memory {
  return mapFields(memory, memoryFields, omitting) as unknown as Memory;
}

type Rows = Readonly<Record<string, { readonly type: string }>>;

/** What becomes of the values of fields that the specification knows, of others, and of their names. */
interface Mapping {
  known(value: unknown, type: string): unknown;
  unknown(value: unknown): unknown;
  name(name: string): string;
}

const cleaning: Mapping = { known: (value) => value, unknown: cutQueries, name: cutQuery };
/** A field that is null is like one that is absent, as it is before a version of the API that adds the field. */
const comparing: Mapping = {
  known: (value, type) => comparable(value ?? undefined, type),
  unknown: (value) => value ?? undefined,
  name: (name) => name,
};
const omitting: Mapping = { known: (value) => value, unknown: () => undefined, name: (name) => name };

/** Maps the fields of an object of the API and of nested objects. */
function mapFields(value: object, rows: Rows, mapping: Mapping): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [
        mapping.name(name),
        Object.hasOwn(rows, name) ? mapPart(field, rows[name]?.type ?? '', mapping) : mapping.unknown(field),
      ])
      .filter(([, field]) => field !== undefined),
  );
}

function mapPart(value: unknown, type: string, mapping: Mapping): unknown {
  const rows: Rows | undefined = (partFields as Record<string, Rows>)[type.replace('[]', '')];
  if (rows === undefined || typeof value !== 'object' || value === null) return mapping.known(value, type);
  if (Array.isArray(value)) return value.map((item) => mapPart(item, type, mapping));
  return mapFields(value, rows, mapping);
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
