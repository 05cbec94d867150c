import type { Answer } from '../session/answer.ts';

/** What an answer says by its status, its headers and its body: the name of each, and its value. */
export type Traits = ReadonlyMap<string, Trait>;

interface Trait {
  value: string;
  /** The value where the id that was asked for is left out: an error may repeat it. */
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

// Headers that differ from one response to the next by themselves, or with the length of an id.
const volatile =
  /^(age|alt-svc|connection|content-(length|md5)|(content-|repr-)?digest|date|etag|keep-alive|server-timing|set-cookie|transfer-encoding|via|x-cache.*)$/;
const maxDepth = 4;
const maxEntries = 50;

/** What has another value each time may still be there each time. */
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
