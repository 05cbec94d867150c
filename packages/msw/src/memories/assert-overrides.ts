import { partFields } from '@memory-read/contract/fields';
import { useAnother } from '@memory-read/contract/options';
import { assertObject } from '../checks/assert-options.ts';
import type { MemoryOverrides } from './memory-overrides.ts';

/**
 * Rejects unknown fields in transcript and summary. A store would keep them, but in a test they are most likely a
 * mistake.
 *
 * @throws TypeError naming the first one.
 */
export function assertOverrides(action: string, overrides: MemoryOverrides, name = 'the overrides argument'): void {
  assertObject(action, { name, value: overrides });
  const { summary, transcript } = overrides;
  assertFields(action, { path: 'summary', value: summary, names: fieldsOf('Summary') });
  assertFields(action, { path: 'transcript', value: transcript, names: fieldsOf('Transcript') });
  const segments: unknown = transcript?.segments;
  if (!Array.isArray(segments)) return;
  for (const [index, value] of segments.entries()) {
    assertFields(action, { path: `transcript.segments[${index}]`, value, names: fieldsOf('Segment') });
  }
}

function fieldsOf(part: keyof typeof partFields): string[] {
  return Object.keys(partFields[part]);
}

/** The store reports a value that is not an object. */
export function assertFields(action: string, { path, value, names }: Part): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const unknown = Object.entries(value).find(([name, content]) => content !== undefined && !names.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Failed to ${action}: the field ${path}.${unknown[0]} is not supported. ${useAnother(names, unknown[0])}.`,
  );
}

interface Part {
  path: string;
  value: unknown;
  names: readonly string[];
}
