import { escapeControls } from '@memory-read/contract/redaction';

/**
 * Entry of a memory in `index.html`: key, name, day, time of day, seconds, its state if it is not a usual one, and its
 * summary. Texts are as stored, because the search folds them.
 */
export type IndexEntry = readonly [
  key: string,
  name: string,
  date: string,
  time: string,
  seconds: number,
  state: '' | 'deleted at the source' | 'still processing',
  summary: string,
];

/** Data in `index.html` itself. */
export interface IndexList {
  /** Name of the folder, which has a script for each month. */
  readonly folder: string;
  /** Months, newest first, with their numbers of memories. A script has the month as its name. */
  readonly months: readonly (readonly [month: string, memories: number])[];
  /** Memories, newest first, in the order of the months. */
  readonly entries: readonly IndexEntry[];
  /** Names of all people. Absent without people. */
  readonly people?: readonly string[];
}

/** Data of a memory in the script of its month, in the order of the list. Texts are as stored. */
export interface IndexDetail {
  readonly key: string;
  readonly takeaways: string[];
  readonly speakers: readonly string[];
  /**
   * Names of speakers by label, in the order of the speakers. Absent without names. A property named `__proto__` would not
   * be data in a script.
   */
  readonly names?: readonly (readonly [label: string, name: string])[];
  /**
   * Segments in the stored order: milliseconds from the start of the recording, an index into the speakers, and the
   * words.
   */
  readonly segments: readonly (readonly [start: number, speaker: number, text: string])[];
  /** Paths relative to the folder of the mirror. */
  readonly media: { readonly audio?: string; readonly video?: string; readonly preview_image?: string };
}

declare global {
  /** Called by the script of a month with its data. */
  var memoryReadMonth: ((month: string, details: readonly IndexDetail[]) => void) | undefined;
}

/** Returns JSON that is safe inside an HTML `script` element and as a JavaScript expression. */
export function toScriptJson(value: unknown): string {
  return escapeControls(JSON.stringify(value)).replace(/[<>&]/g, (character) => {
    return `\\u00${character.charCodeAt(0).toString(16)}`;
  });
}
