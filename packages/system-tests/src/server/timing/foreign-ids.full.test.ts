import { join } from 'node:path';
import type { MemoryRecord } from '@memory-read/contract';
import { createMemories } from '@memory-read/fixtures';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { expect, onTestFinished, test } from 'vitest';

const readsOfEach = 4_000;

test('a read from SQLite takes as long for a memory of another account as for an unknown one', async () => {
  const store = openSqliteStore({ path: join(makeFolder(), 'memories.sqlite') });
  onTestFinished(store.close);
  await store.putAccount({ userId: 'owner' });
  await store.putAccount({ userId: 'caller' });
  await store.putMemories('owner', memories());
  const durationOf = async (memoryId: string) => {
    const start = performance.now();
    const memory = await store.getMemory({ userId: 'caller', memoryId });
    const duration = performance.now() - start;
    expect(memory).toBeUndefined();
    return duration;
  };
  const rounds: number[] = [];
  // The first round is not counted, because its first reads run before the code is compiled.
  for (let round = 0; round < 4; round += 1) {
    const durations: Record<'foreign' | 'unknown', number[]> = { foreign: [], unknown: [] };
    for (let read = 0; read < readsOfEach; read += 1) {
      const kinds = read % 2 === 0 ? (['foreign', 'unknown'] as const) : (['unknown', 'foreign'] as const);
      for (const kind of kinds) durations[kind].push(await durationOf(idOf(kind, read)));
    }
    if (round > 0) rounds.push(areaUnderCurve(durations.foreign, durations.unknown));
  }
  const median = rounds.toSorted((a, b) => a - b)[1];
  console.log(`AUC of foreign against unknown ids: ${rounds.map((area) => area.toFixed(2)).join(', ')}`);
  expect(median).toBeGreaterThan(0.3);
  expect(median).toBeLessThan(0.7);
});

/** The ids of both kinds alternate in the index, so that both lead to the same pages. */
function idOf(kind: 'foreign' | 'unknown', index: number): string {
  return `mem_${String(index).padStart(5, '0')}_${kind}`;
}

function* memories(): Generator<MemoryRecord> {
  const samples = createMemories({ count: 20, seed: 'timing', now: new Date('2026-01-01T00:00:00.000Z') });
  for (let index = 0; index < readsOfEach; index += 1) {
    yield { ...(samples[index % samples.length] as MemoryRecord), id: idOf('foreign', index) };
  }
}

/** The share of all pairs in which the first duration is longer: 0.5 if they cannot be told apart. Ties count half. */
function areaUnderCurve(first: readonly number[], second: readonly number[]): number {
  const values = [...first.map((ms) => ({ ms, isFirst: true })), ...second.map((ms) => ({ ms, isFirst: false }))];
  values.sort((a, b) => a.ms - b.ms);
  let rankSum = 0;
  for (let start = 0; start < values.length; ) {
    let end = start;
    while (values[end]?.ms === values[start]?.ms) end += 1;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * values.slice(start, end).filter(({ isFirst }) => isFirst).length;
    start = end;
  }
  return (rankSum - (first.length * (first.length + 1)) / 2) / (first.length * second.length);
}
