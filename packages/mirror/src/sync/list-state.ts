import { createHash } from 'node:crypto';
import type { Memory } from '@memory-read/client';
import { memoryFields } from '@memory-read/contract/fields';
import { memoryState } from '@memory-read/contract/memory-state';
import { parseStored } from '../history/stored-version.ts';

/** Data of a memory in a list: everything except the summary, and a hash of the summary. */
type Said = readonly [facts: string, summary: string | null];

/**
 * Data of the list and of the details when the details were read.
 *
 * While they disagree, the memory is read once more. If they disagree in the same way again, the state is settled.
 */
export interface ListState {
  list: Said;
  /** Absent if list and details agree. */
  details?: Said;
  isSettled?: true;
}

/** Returns what a list would say about a memory. The texts are part of stored states. */
function saidOf(memory: Memory): Said {
  const state = memoryState(memory);
  const facts = state
    .filter(([name]) => name !== 'summary')
    .map(([name, value]) => ('addedIn' in memoryFields[name] ? [name, value] : value));
  const [, summary] = state.find(([name]) => name === 'summary') ?? [];
  return [JSON.stringify(facts), memory.summary && hashOf(summary)];
}

/** Returns a stored state; undefined if it is damaged. */
export function readListState(text: unknown): ListState | undefined {
  const state = parseStored(text) as Partial<ListState> | undefined;
  const areSaid = [state?.list, state?.details ?? state?.list].every((said) => Array.isArray(said));
  return areSaid ? (state as ListState) : undefined;
}

/** Returns whether the details of a listed memory have to be read. */
export function isDue(state: ListState, listed: Memory): boolean {
  return !agrees(state.list, saidOf(listed)) || (state.details !== undefined && state.isSettled !== true);
}

/** Returns the state after the details of a listed memory were read. */
export function nextState(before: ListState | undefined, listed: Memory, memory: Memory): ListState {
  const [facts, summary] = saidOf(listed);
  const details = saidOf(memory);
  // A list without a summary is not compared by summary. A difference of an earlier list still counts.
  const earlier = before?.details && before.list[1] !== before.details[1] ? before.list[1] : null;
  const list: Said = [facts, summary ?? earlier ?? details[1]];
  if (isEqual(details, list)) return { list: details };
  const isSame = before?.details !== undefined && isEqual(before.list, list) && isEqual(before.details, details);
  return { list, details, ...(isSame && { isSettled: true }) };
}

/** A list without a summary is not compared by summary. */
function agrees([facts, summary]: Said, [listedFacts, listedSummary]: Said): boolean {
  return facts === listedFacts && (listedSummary === null || summary === listedSummary);
}

function isEqual(one: Said, other: Said): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);
}
