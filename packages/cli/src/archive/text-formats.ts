import type { Memory } from '@memory-read/client';
import { toSrt, toText, toVtt } from '@memory-read/client/transcript';
import { toJsonDocument } from './to-json-document.ts';
import { toMarkdownDocument } from './to-markdown-document.ts';

/** Format in which a memory can be written. */
export type TextFormat = 'srt' | 'vtt' | 'text' | 'markdown' | 'json';

interface TextFormatRow {
  extension: string;
  /** Whether the format requires a transcript. */
  needsTranscript: boolean;
  write: (memory: Memory) => string;
}

export const textFormats: Record<TextFormat, TextFormatRow> = {
  srt: { extension: '.srt', needsTranscript: true, write: (memory) => toSrt(memory) },
  vtt: { extension: '.vtt', needsTranscript: true, write: (memory) => toVtt(memory) },
  text: { extension: '.txt', needsTranscript: true, write: (memory) => toText(memory) },
  markdown: { extension: '.md', needsTranscript: false, write: toMarkdownDocument },
  json: { extension: '.json', needsTranscript: false, write: toJsonDocument },
};

export const textFormatNames = Object.keys(textFormats) as TextFormat[];
