import { invalidOption, readCount } from '../options/check-options.ts';
import type { EventOptions, MemoryEventType } from './event-types.ts';

/** Options of events with their defaults. */
export interface EventSettings {
  types: ReadonlySet<MemoryEventType>;
  payload: 'reference' | 'memory' | 'transcript';
  maxBytes: number;
}

/** Names of the options that {@link readEventOptions} reads. */
export const eventOptions = ['types', 'payload', 'maxBytes'];

/** All types of events. */
export const allTypes: readonly MemoryEventType[] = [
  'memory.added',
  'memory.processed',
  'memory.changed',
  'memory.missing',
];
const payloads: readonly EventSettings['payload'][] = ['reference', 'memory', 'transcript'];

/** @throws {@link MirrorError} with the code `invalid_option`. */
export function readEventOptions(
  action: string,
  { types = allTypes, payload = 'memory', maxBytes }: EventOptions,
): EventSettings {
  if (!Array.isArray(types) || types.length === 0 || !types.every((type) => allTypes.includes(type))) {
    throw invalidOption(action, 'types is not supported', `Use some of ${allTypes.join(', ')}`);
  }
  if (!payloads.includes(payload)) {
    throw invalidOption(action, 'payload is not supported', `Use ${payloads.join(', ').replace(/, (\w+)$/, ' or $1')}`);
  }
  const bounds = { min: 1_024, max: 16_777_216, default: 262_144 };
  return { types: new Set(types), payload, maxBytes: readCount(action, 'maxBytes', maxBytes, bounds) };
}
