import { sampleRecord } from '@memory-read/test-kit/sample-memory';

/** Returns a file of three memories for `memory-read import`. */
export function createMemoryLines(): string {
  const records = ['mem_1', 'mem_2', 'mem_3'].map((id) => sampleRecord({ id, name: `Memory ${id}` }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}
