import type { EventOptions, MemoryEventType } from './event-types.ts';

/** Options of events with their defaults. */
export interface EventSettings {
  types: ReadonlySet<MemoryEventType>;
  payload: 'reference' | 'memory' | 'transcript';
  maxBytes: number;
}

/** @throws {@link MirrorError} with the code `invalid_option`. */
export function readEventOptions(_action: string, _options: EventOptions): EventSettings {
  throw new Error('not yet');
}
