import type { MediaKind, Summary, Transcript } from '@memory-read/client';

/**
 * Type of an event.
 *
 * - `memory.added`: the memory is new in the account, or is listed again.
 * - `memory.processed`: the memory is processed, for the first time. Each memory has at most one such event.
 * - `memory.changed`: `fields` of the memory have changed.
 * - `memory.missing`: the memory is not in the list any more.
 */
export type MemoryEventType = 'memory.added' | 'memory.processed' | 'memory.changed' | 'memory.missing';

/** A memory in an event, as the API wrote it. It has no URL, and no field that the specification does not name. */
export interface EventMemory {
  id: string;
  name: string;
  started_at: string;
  ended_at: string;
  is_processing: boolean;
  user_id: string;
  duration_seconds: number;
  /** Kinds of media that have a URL. */
  media: MediaKind[];
  /** Absent if the event omits it. */
  summary?: Summary | null;
  /** Absent unless the payload is `transcript`. */
  transcript?: Transcript | null;
}

/** A part that a body over `maxBytes` lacks. */
export type OmittedPart = 'transcript' | 'summary' | 'memory' | 'fields';

/** A change of a memory that a sync found. See section 3 of the specification for its fields. */
export interface MemoryEvent {
  /** Id of the event, the same at each try and each replay: `evt_` and at most 60 letters, digits and `_`. */
  id: string;
  type: MemoryEventType;
  /** Time of the sync that found the change: ISO 8601 in UTC with milliseconds. */
  timestamp: string;
  data: {
    memory_id: string;
    /** Names of the fields that have changed. Empty unless the type is `memory.changed` or `memory.processed`. */
    fields: string[];
    /** Absent if the type is `memory.missing`, or the payload is `reference`. */
    memory?: EventMemory;
    /** What the body lacks, because it would be larger than `maxBytes` or is damaged. Absent if it lacks nothing. */
    omitted?: OmittedPart[];
  };
}

/** What events contain. */
export interface EventOptions {
  /** Types of the events to take from the log. What a sink has set aside keeps its place. Default: all. */
  types?: readonly MemoryEventType[] | undefined;
  /** What an event has of its memory: the id, all but the transcript, or all. Default: `memory`. */
  payload?: 'reference' | 'memory' | 'transcript' | undefined;
  /**
   * Largest body in bytes, 1,024 to 16,777,216. A larger one loses transcript, summary, memory and fields, in this order,
   * until it fits. Default: 262,144.
   */
  maxBytes?: number | undefined;
}

/** Options of `events`. */
export interface EventsOptions extends EventOptions {
  /** Id of an event, or the cursor of a page: the page begins after it. Default: the oldest event. */
  after?: string | undefined;
  /** Largest number of events of the page, 1 to 1,000. Default: 100. */
  limit?: number | undefined;
}

/** A page of events, oldest first. */
export interface EventPage {
  events: MemoryEvent[];
  /** Pass it as `after`, now or later. Null if the mirror has no event. */
  cursor: string | null;
}
