import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import * as fc from 'fast-check';
import type { ListedMemory, Summary } from '../index.ts';

/** Results of the successive polls of an account: its list, or a failure. */
export type AccountHistory = readonly (ListedMemory[] | 'failure')[];

type Edit = (account: Map<string, ListedMemory>, id: string) => void;

const change =
  (changes: Partial<ListedMemory>): Edit =>
  (account, id) => {
    const memory = account.get(id);
    if (memory !== undefined) account.set(id, { ...memory, ...changes });
  };

const editArbitrary: fc.Arbitrary<Edit> = fc.oneof(
  fc.boolean().map(
    (is_processing): Edit =>
      (account, id) => {
        account.set(id, sampleListedMemory({ id, is_processing, summary: null, audio_url: null, ...account.get(id) }));
      },
  ),
  fc.constant<Edit>((account, id) => account.delete(id)),
  fc.constant(change({ is_processing: false, summary: { quick_summary: 'Done.', key_takeaways: [] } })),
  fc.constant(change({ is_processing: true })),
  fc.constantFrom('One', 'Two').map((name) => change({ name })),
  fc.constantFrom('2026-08-20T10:00:00Z', '2026-08-21T10:00:00Z').map((started_at) => change({ started_at })),
  fc.constantFrom('2026-08-22T10:00:00Z', '2026-08-23T10:00:00Z').map((ended_at) => change({ ended_at })),
  fc.integer({ min: 1, max: 2 }).map((duration_seconds) => change({ duration_seconds })),
  fc
    .constantFrom<(Summary | null)[]>(null, { quick_summary: 'New.', key_takeaways: ['One.'] })
    .map((summary) => change({ summary })),
  fc.constantFrom(null, 'https://media.example.com/a').map((audio_url) => change({ audio_url })),
  fc.constantFrom(null, 'https://media.example.com/v').map((video_url) => change({ video_url })),
  fc.constantFrom(null, 'https://media.example.com/p').map((preview_image_url) => change({ preview_image_url })),
);

const roundArbitrary = fc.record({
  edits: fc.array(fc.tuple(editArbitrary, fc.constantFrom('mem_1', 'mem_2', 'mem_3', 'mem_4')), { maxLength: 5 }),
  answer: fc.oneof(
    { weight: 6, arbitrary: fc.constant('list' as const) },
    { weight: 1, arbitrary: fc.constantFrom('failure' as const, 'empty' as const) },
  ),
  isReversed: fc.boolean(),
  broken: fc.dictionary(fc.constantFrom('mem_1', 'mem_2', 'mem_3', 'mem_4'), fc.boolean(), { maxKeys: 3 }),
});

/**
 * Histories in which memories are added, processed, changed, removed, reordered and broken, and polls fail or are empty.
 *
 * A broken memory has no name, and some have no readable id. A watch ends with the tenth list of only broken memories.
 */
export const accountHistories: fc.Arbitrary<AccountHistory> = fc
  .array(roundArbitrary, { minLength: 1, maxLength: 9 })
  .map((rounds) => {
    const account = new Map<string, ListedMemory>();
    return rounds.map(({ edits, answer, isReversed, broken }, poll) => {
      for (const [edit, id] of edits) edit(account, id);
      if (answer !== 'list') return answer === 'empty' ? [] : 'failure';
      const list = [...account.values()].map((memory) => {
        const hasId = broken[memory.id];
        if (hasId === undefined) return signUrls(memory, poll);
        return { ...memory, name: null as never, id: hasId ? memory.id : (7 as never) };
      });
      return isReversed ? list.reverse() : list;
    });
  });

/** Each response signs its URLs again. */
function signUrls(memory: ListedMemory, poll: number): ListedMemory {
  const sign = (url: string | null) => url && `${url}?signature=${poll}`;
  return {
    ...memory,
    audio_url: sign(memory.audio_url),
    video_url: sign(memory.video_url),
    preview_image_url: sign(memory.preview_image_url),
  };
}

/** The histories break a memory by its name. */
export function isValid({ name }: ListedMemory): boolean {
  return name !== null;
}
