import { assertObject } from '../checks/assert-options.ts';
import type { MemoryOverrides } from './memory-overrides.ts';

/**
 * Refuses fields within transcript and summary that the specification does not name: a store keeps them, but what a
 * test gives is more likely a slip.
 *
 * @throws TypeError naming the first one.
 */
export function assertOverrides(action: string, overrides: MemoryOverrides): void {
  assertObject(action, overrides);
  const { summary, transcript } = overrides;
  assertFields(action, { path: 'summary', value: summary, names: ['quick_summary', 'key_takeaways'] });
  assertFields(action, { path: 'transcript', value: transcript, names: ['segments'] });
  const segments: unknown = transcript?.segments;
  if (!Array.isArray(segments)) return;
  for (const [index, value] of segments.entries()) {
    assertFields(action, { path: `transcript.segments[${index}]`, value, names: segmentFields });
  }
}

const segmentFields = ['speaker', 'start_at', 'end_at', 'text'];

/** What is no object is told of by the store. */
function assertFields(action: string, { path, value, names }: Part): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const unknown = Object.entries(value).find(([name, content]) => content !== undefined && !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Failed to ${action}: because there is no ${path}.${unknown[0]}. Pass some of ${names.join(', ')}.`,
  );
}

interface Part {
  path: string;
  value: unknown;
  names: readonly string[];
}
