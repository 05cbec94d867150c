import type { Memory } from '@memory-read/client';
import { segmentsOf, textOf } from '../receipt/segments-of.ts';
import { foldLabel, foldText } from './fold-text.ts';

/** Conditions of a search. */
export interface Question {
  /** Folded terms, all of which a memory has to contain. */
  terms: readonly string[];
  /** Earliest start of a memory, in milliseconds since 1970. */
  since: number;
  /** Time before which a memory must start, in milliseconds since 1970. */
  until: number;
  /** Folded label of the speaker whose words count. Default: the words of all speakers, the title and the summary. */
  speaker?: string | undefined;
}

/** Folded words of a transcript, by segment. */
export interface FoldedTranscript {
  speakers: string[];
  texts: string[];
}

/** Result of a comparison. */
export interface Match {
  /** Segment with most of the terms; undefined if no segment has one. */
  segment: number | undefined;
  /** Number of terms in this segment, and one more if the title has a term. Higher is better. */
  score: number;
}

/** Returns the folded words of a transcript. */
export function foldTranscript(memory: Memory): FoldedTranscript {
  const segments = segmentsOf(memory);
  return {
    speakers: segments.map((segment) => foldLabel(textOf(segment?.speaker))),
    texts: segments.map((segment) => foldText(textOf(segment?.text))),
  };
}

/**
 * Returns the match of a memory; undefined unless title, summary and transcript together have all terms of the
 * question.
 */
export function matchMemory(
  memory: Memory,
  transcript: FoldedTranscript | undefined,
  { terms, speaker }: Question,
): Match | undefined {
  const title = foldText(memory.name);
  const head = speaker === undefined ? [title, ...summaryOf(memory)] : [];
  const missing = new Set(terms.filter((term) => !head.some((text) => text.includes(term))));
  let best: { segment: number; count: number } | undefined;
  for (const [segment, text] of (transcript?.texts ?? []).entries()) {
    if (speaker !== undefined && transcript?.speakers[segment] !== speaker) continue;
    const found = terms.filter((term) => text.includes(term));
    for (const term of found) missing.delete(term);
    if (found.length > (best?.count ?? 0)) best = { segment, count: found.length };
  }
  if (missing.size > 0) return undefined;
  const inTitle = speaker === undefined && terms.some((term) => title.includes(term)) ? 1 : 0;
  return { segment: best?.segment, score: (best?.count ?? 0) + inTitle };
}

function summaryOf({ summary }: Memory): string[] {
  return summary === null ? [] : [summary.quick_summary, ...summary.key_takeaways].map((text) => foldText(text));
}
