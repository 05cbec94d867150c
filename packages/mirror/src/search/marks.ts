import { createHash } from 'node:crypto';
import { type HitKind, type SearchText, speakerKey } from '@memory-read/client/search';
import type { MirrorDatabase } from '../database/mirror-database.ts';
import { namesReader } from '../people/stored-names.ts';
import { memoryKeyOf, placeOf } from './index-keys.ts';

/** Token that represents all named speakers in the index, so that the texts of a memory with a name are found. */
export const NAMED_MARK = 'named';

/** Returns the token that represents a kind in the index. */
export function kindMark(kind: HitKind): string {
  return `k${kind}`;
}

/** Returns the token that represents a speaker in the index. */
export function speakerMark(key: string): string {
  return `s${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
}

/** Returns the token that represents a number of a person in the index. */
export function personMark(number: number): string {
  return `p${number}`;
}

/** Returns the tokens that represent the kind, the speaker and the person of a text in the index. */
export function marksOf({ kind, speaker }: Pick<SearchText, 'kind' | 'speaker'>, person?: number): string[] {
  return [
    kindMark(kind),
    ...(speaker === null ? [] : [speakerMark(speakerKey(speaker))]),
    ...(person === undefined ? [] : [NAMED_MARK, personMark(person)]),
  ];
}

/** Returns a function that returns the marks of a text of the index, by its key. Read the texts of a memory together. */
export function marksReader(
  database: MirrorDatabase,
): (unitKey: bigint, text: Pick<SearchText, 'kind' | 'speaker'>) => string[] {
  const findMemory = database.prepare('SELECT memory_id FROM memories WHERE start_slot = ? AND disambiguator = ?');
  const readNames = namesReader(database);
  let last: bigint | undefined;
  let numbers: ReadonlyMap<string, number> = new Map();
  return (unitKey, text) => {
    const memoryKey = memoryKeyOf(unitKey);
    if (memoryKey !== last) {
      last = memoryKey;
      const memory = findMemory.get(...placeOf(memoryKey));
      numbers = memory === undefined ? new Map() : readNames(String(memory.memory_id)).numbers;
    }
    return marksOf(text, text.speaker === null ? undefined : numbers.get(text.speaker));
  };
}
