import type { Memory } from '@memory-read/client';
import { toSrt, toText, toVtt } from '@memory-read/client/transcript';
import { invalidOption } from '../options/check-options.ts';
import { toJsonDocument } from './to-json-document.ts';
import { toMarkdownDocument } from './to-markdown-document.ts';

/** Format in which `toDocument` and `exportFiles` write a memory: subtitles, lines of text, Markdown or JSON. */
export type ExportFormat = 'srt' | 'vtt' | 'text' | 'markdown' | 'json';

/** What the files of each format end with. */
export const documentSuffixes: Readonly<Record<ExportFormat, string>> = {
  srt: '.srt',
  vtt: '.vtt',
  text: '.txt',
  markdown: '.md',
  json: '.json',
};

/** All formats. */
export const exportFormats = Object.keys(documentSuffixes) as ExportFormat[];

const ofTranscript = { srt: toSrt, vtt: toVtt, text: toText };

/**
 * Returns a memory in a format; undefined if the format needs a transcript and the memory has no transcript.
 *
 * Markdown has front matter, the summary and the transcript. JSON is the memory without signed URLs.
 *
 * @example
 * ```ts
 * const { srt, video } = fileNames(memory, { timeZone: 'UTC', media: { video: '.mp4' } });
 * console.log(srt, video);
 * console.log(toDocument(memory, 'srt') ?? 'There is no transcript yet.');
 * ```
 *
 * @throws {@link MirrorError} with the code `invalid_option` for another format, or with the code `storage` for JSON of a
 * memory in which a field that the API does not specify is nested too deeply.
 */
export function toDocument(memory: Memory, format: ExportFormat): string | undefined {
  if (!exportFormats.includes(format)) {
    throw invalidOption('write the memory', 'format is not one of them', `Pass ${exportFormats.join(', ')}`);
  }
  if (format === 'json') return toJsonDocument(memory);
  if (format === 'markdown') return toMarkdownDocument(memory);
  return memory.transcript === null ? undefined : ofTranscript[format](memory);
}
