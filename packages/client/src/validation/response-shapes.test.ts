import { memoryListSchema, memorySchema } from '@memory-read/contract';
import { sampleListedMemory, sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { createFindings } from './findings.ts';
import { responseShapes } from './response-shapes.ts';
import type { Inspector } from './shape.ts';

/** Values that no field may have, or only some fields. */
const values = [
  undefined,
  null,
  true,
  0,
  1.5,
  '',
  'x',
  '2026-08-20T10:00:00Z',
  'https://example.com/a?b=c',
  [],
  {},
  [null],
];

/** Yields every value in place of every field, at any depth. */
function* mutations(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    for (const other of [...values, ...mutations(field)]) {
      const copy = structuredClone(value) as Record<string, unknown>;
      if (other === undefined) delete copy[key];
      else copy[key] = other;
      yield copy;
    }
  }
}

test.each([
  ['memory', memorySchema, responseShapes.getMemory.shape, sampleMemory()],
  ['list', memoryListSchema, responseShapes.listMemories.shape, [sampleListedMemory()]],
] as const)('the %s of the client and of the contract accept the same responses', (_title, schema, shape, sample) => {
  let refused = 0;
  let count = 0;
  for (const value of mutations(sample)) {
    if (Array.isArray(value) && Object.keys(value).length !== value.length) continue;
    const issues = schema['~standard'].validate(structuredClone(value)).issues?.map(({ path }) => path) ?? [];
    expect(findPaths(shape, value), JSON.stringify(value)).toEqual(issues.map(String).sort());
    count += 1;
    refused += issues.length > 0 ? 1 : 0;
  }
  expect(count).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

function findPaths(shape: Inspector, value: unknown): string[] {
  const findings = createFindings();
  shape(structuredClone(value), findings);
  const paths = [findings.broken, findings.drift].flatMap(({ issues }) => issues.map(({ path }) => String(path)));
  // A list must not contain transcripts, so the contract does not check what is inside one.
  return [...new Set(paths.map((path) => path.replace(/^0,transcript,.*/, '0,transcript')))].sort();
}
