import type { Segment } from '@memory-read/contract';
import fc from 'fast-check';
import type { TranscriptSource } from '../transcript/transcript-source.ts';

const beginning = Date.UTC(2026, 7, 20, 10);

/**
 * Returns a transcript that begins at ten. Each segment is given as its start and end in seconds, its text and its
 * label.
 */
export function sampleTranscript(...segments: [from: number, to: number, text: string, speaker?: string][]) {
  return {
    started_at: at(0),
    transcript: {
      segments: segments.map(([from, to, text, speaker = 'Speaker 1']): Segment => {
        return { speaker, start_at: at(from), end_at: at(to), text };
      }),
    },
  } satisfies TranscriptSource;
}

/** Returns a date-time that many seconds after ten o'clock. */
export function at(seconds: number): string {
  return new Date(beginning + Math.round(seconds * 1000)).toISOString();
}

const awkward = [
  '\n',
  '\r\n',
  '\n\n',
  '-->',
  '<v X>',
  '&amp;',
  '{\\an8}',
  ' ',
  '\0',
  '\u2028',
  '#',
  '- ',
  '1. ',
  'שלום',
  '👩🏽‍🚀',
];

/** Texts with characters that break naive renderers. */
export const anyText = fc
  .array(fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom(...awkward)), { maxLength: 6 })
  .map((parts) => parts.join(''));

const anyMoment = fc.oneof(
  fc.integer({ min: -5_000, max: 400_000_000 }).map((milliseconds) => at(milliseconds / 1000)),
  fc.constantFrom('', 'yesterday', '2026-08-20T12:00:01.5+02:00', '2026-08-20T10:00:02'),
);

/** Any transcript that a server could send, valid or not. */
export const anyTranscript: fc.Arbitrary<TranscriptSource> = fc.record({
  started_at: fc.oneof({ weight: 9, arbitrary: fc.constant(at(0)) }, { weight: 1, arbitrary: anyMoment }),
  transcript: fc.option(
    fc.record({
      segments: fc.array(
        fc.record({
          speaker: fc.oneof(fc.constantFrom('Speaker 1', 'Speaker 2', '', '__proto__', 'a > b\n'), anyText),
          start_at: anyMoment,
          end_at: anyMoment,
          text: anyText,
        }),
        { maxLength: 12 },
      ),
    }),
  ),
});
