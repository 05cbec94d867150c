import type { Answer } from '../session/answer.ts';
import { isObject, type MemoryValue } from './memory-value.ts';
import { toInstant } from './to-instant.ts';

/**
 * Returns how a list differs from lists of the same account that were read before and after it; undefined if it does
 * not. A list may grow and shrink meanwhile, and memories with the same start may change places.
 */
export function listChange(answer: Answer, before: Answer, after: Answer): string | undefined {
  const [ours, early, late] = [answer, before, after].map(memoriesById);
  if (ours === undefined || early === undefined || late === undefined) return 'no list';
  const lacking = [...early.keys()].filter((id) => late.has(id) && !ours.has(id));
  if (lacking.length > 0) return `a list without ${lacking.length} of ${early.size} memories`;
  if (early.size === 0 && late.size === 0 && ours.size > 0) return `a list with ${ours.size} memories`;
  const owners = new Set([...early.values(), ...late.values()].map(({ user_id }) => user_id));
  const foreign = [...ours.values()].filter(({ user_id }) => !owners.has(user_id));
  if (foreign.length > 0) return `a list with ${foreign.length} memories with a different user_id`;
  const isNewestFirst = (memories: Memories) => isDescending([...memories].filter(([id]) => early.has(id)));
  if (isNewestFirst(early) && !isNewestFirst(ours)) return 'a list in a different order';
  return undefined;
}

type Memories = ReadonlyMap<unknown, MemoryValue>;

/** Returns the memories by their ids, in the order of the list. */
function memoriesById({ json }: Answer): Memories | undefined {
  return Array.isArray(json) ? new Map(json.filter(isObject).map((memory) => [memory.id, memory])) : undefined;
}

function isDescending(memories: readonly (readonly [unknown, MemoryValue])[]): boolean {
  const instants = memories
    .map(([, { started_at }]) => toInstant(started_at))
    .filter((instant) => instant !== undefined);
  return instants.every((instant, index) => instant <= (instants[index - 1] ?? Number.POSITIVE_INFINITY));
}
