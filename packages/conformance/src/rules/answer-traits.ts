import type { Answer } from '../session/answer.ts';

/** Status, headers and body fields of a response, by name. */
export type Traits = ReadonlyMap<string, Trait>;

interface Trait {
  value: string;
  /** The value without the requested id, which an error may repeat. */
  withoutId: string;
}

export function traitsOf({ status, headers, json, sent }: Answer): Traits {
  const [, encoded = ''] = /\/v1\/memories\/(\S+)/.exec(sent) ?? [];
  const removeId = (value: string) =>
    encoded === '' ? value : value.replaceAll(encoded, '{id}').replaceAll(decodeURIComponent(encoded), '{id}');
  const named = [
    ['status', String(status)] as const,
    ...[...headers]
      .filter(([name]) => !volatile.test(name))
      .flatMap(([name, value]) => withPresence(`the header ${name}`, value)),
    ...leavesOf(json, 'the body').flatMap(([name, value]) => withPresence(name, value)),
  ];
  return new Map(named.map(([name, value]) => [name, { value, withoutId: removeId(value) }]));
}

// Headers that vary between responses, or with the length of an id.
const volatile =
  /^(age|alt-svc|connection|content-(length|md5)|(content-|repr-)?digest|date|etag|keep-alive|server-timing|set-cookie|transfer-encoding|via|x-cache.*)$/;
const maxDepth = 4;
const maxEntries = 50;

/** Adds a trait for the presence of a value, because the value may vary. */
function withPresence(name: string, value: string): (readonly [string, string])[] {
  return [
    [name, 'there'],
    [`the value of ${name}`, value],
  ];
}

function leavesOf(json: unknown, name: string, depth = 0): (readonly [string, string])[] {
  if (typeof json !== 'object' || json === null) return [[name, String(JSON.stringify(json))]];
  const entries = Object.entries(json);
  const fields: readonly [string, string] = [name, `fields ${entries.map(([key]) => key).join(', ')}`];
  if (depth === maxDepth) return [fields];
  return [
    fields,
    ...entries.slice(0, maxEntries).flatMap(([key, value]) => leavesOf(value, `${key} of ${name}`, depth + 1)),
  ];
}
