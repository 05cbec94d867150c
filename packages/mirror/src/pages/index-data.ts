/** What `index.html` holds of each memory: key, name, day, time of day, seconds, whether it is missing, and its summary. */
export type IndexEntry = readonly [
  key: string,
  name: string,
  date: string,
  time: string,
  seconds: number,
  isMissing: 0 | 1,
  summary: string,
];

/** What `index.html` begins with. */
export interface IndexList {
  /** Name of the folder with a script for each month. */
  readonly folder: string;
  /** Months, newest first, with their number of memories. The name of a script is the month. */
  readonly months: readonly (readonly [month: string, memories: number])[];
  /** Memories, newest first, in the order of the months. */
  readonly entries: readonly IndexEntry[];
}

/** What a month's script holds of each memory, in the order of the list. */
export interface IndexDetail {
  readonly key: string;
  readonly takeaways: readonly string[];
  readonly speakers: readonly string[];
  /** Milliseconds from the start of the recording, an index into the speakers, and the words. */
  readonly cues: readonly (readonly [start: number, speaker: number, text: string])[];
  /** Paths from the folder of the mirror. */
  readonly media: { readonly audio?: string; readonly video?: string; readonly preview_image?: string };
}

declare global {
  /** Takes what a month's script holds. */
  var memoryReadMonth: ((month: string, details: readonly IndexDetail[]) => void) | undefined;
}

/** Returns JSON that is safe inside an HTML `script` element and as a JavaScript expression. */
export function toScriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
