import type { Memory } from '@memory-read/client';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';

const beginning = Date.parse('2026-08-20T10:00:00.000Z');

/** Returns a memory of `[speaker, text]` segments, each of two seconds. */
export function spokenMemory(lines: readonly (readonly [speaker: string, text: string])[], overrides = {}): Memory {
  const segments = lines.map(([speaker, text], index) => ({
    speaker,
    start_at: new Date(beginning + index * 2_000).toISOString(),
    end_at: new Date(beginning + index * 2_000 + 1_900).toISOString(),
    text,
  }));
  return sampleMemory({ transcript: { segments }, ...overrides });
}
