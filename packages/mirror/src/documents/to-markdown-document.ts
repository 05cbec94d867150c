import type { Memory } from '@memory-read/client';
import { speakers } from '@memory-read/client/transcript';
import { replaceControls } from '@memory-read/contract/redaction';
import { markdownOf } from './markdown-of.ts';

/** Returns the memory as Markdown: front matter, summary and transcript. */
export function toMarkdownDocument(memory: Memory): string {
  return markdownOf(memory, {
    title: replaceControls(memory.name),
    date: memory.started_at,
    end: memory.ended_at,
    duration_seconds: memory.duration_seconds,
    id: memory.id,
    processing: memory.is_processing,
    speakers: speakers(memory).map(({ speaker }) => replaceControls(speaker)),
  });
}
