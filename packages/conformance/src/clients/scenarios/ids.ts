import { type ScenarioRow, scenariosOf, storedMemory } from './scenario.ts';

/** A memory with an id, beside others that a client finds if it encodes the id wrongly. */
function idRow(id: string, title: string, { memoryId, others }: { memoryId: string; others: readonly string[] }) {
  const stored = [memoryId, ...others].map((each, index) => storedMemory(each, -index));
  return { id, title, operation: 'get', memoryId, stored, ends: 'data' } satisfies ScenarioRow;
}

export const ids = scenariosOf('ids', [
  idRow('id-slash', 'an id with a slash', { memoryId: 'a/b', others: ['a', 'b', 'a%2Fb'] }),
  idRow('id-question', 'an id with a question mark and a number sign', { memoryId: 'a?b#c', others: ['a', 'a?b'] }),
  idRow('id-percent', 'an id that looks percent-encoded', {
    memoryId: 'a%2Fb%20c',
    others: ['a/b c', 'a%252Fb%2520c'],
  }),
  idRow('id-unicode', 'an id with letters of several scripts', {
    memoryId: 'Gr\u00fc\u00dfe \u65e5\u672c \u{1f600}',
    others: ['Gr'],
  }),
]);
