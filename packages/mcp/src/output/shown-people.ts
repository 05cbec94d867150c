import type { NamedMemory } from '../sources/memory-source.ts';
import { shownLabel, shownName } from './shown-text.ts';

const MOST = 10;

/** Returns the people of a memory, at most 10, and which one is the user; nothing if no speaker has a name. */
export function shownPeople({ names, me }: NamedMemory): { people?: string[]; me?: string } {
  return { ...shownList(names?.values() ?? []), ...(me !== undefined && { me: shownName(me) }) };
}

/** Returns different names, at most 10; nothing without names. */
export function shownList(names: Iterable<string>): { people?: string[] } {
  const people = [...new Set(names)].slice(0, MOST).map(shownName);
  return people.length === 0 ? {} : { people };
}

/**
 * Returns the names of labels, at most 10, by visible label; nothing if none has a name. Labels that look the same and
 * are not of the same person are left out.
 */
export function shownNames(labels: readonly string[], { names }: NamedMemory): { people?: Record<string, string> } {
  const shown = new Map<string, string | undefined>();
  for (const label of labels) {
    const key = shownLabel(label);
    const name = names?.get(label);
    shown.set(key, shown.has(key) && shown.get(key) !== name ? undefined : name);
  }
  const named = [...shown].flatMap(([label, name]) => (name === undefined ? [] : [[label, shownName(name)] as const]));
  return named.length === 0 ? {} : { people: Object.fromEntries(named.slice(0, MOST)) };
}
