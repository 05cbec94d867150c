import type { Memory } from '@memory-read/client';
import { type ExportFormat, toDocument } from '@memory-read/mirror';

/** Format in which a memory can be written. */
export type TextFormat = ExportFormat;

const row = (format: TextFormat, extension: string, needsTranscript: boolean) => ({
  extension,
  needsTranscript,
  write: (memory: Memory) => toDocument(memory, format) as string,
});

export const textFormats = {
  srt: row('srt', '.srt', true),
  vtt: row('vtt', '.vtt', true),
  text: row('text', '.txt', true),
  markdown: row('markdown', '.md', false),
  json: row('json', '.json', false),
};

export const textFormatNames = Object.keys(textFormats) as TextFormat[];
