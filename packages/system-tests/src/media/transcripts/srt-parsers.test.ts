import { normalizeTranscript, type TranscriptSource, toSrt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { parse as parseSubtitles } from '@plussub/srt-vtt-parser';
import fc from 'fast-check';
import SrtParser from 'srt-parser-2';
import { expect, test } from 'vitest';
import { runCounts } from '../../run-counts.ts';
import { anyTranscript, shown, shownOnOneLine } from './any-transcript.ts';

interface Subtitle {
  number: string;
  start: number;
  end: number;
  text: string;
}

/** As the types of the package say, which TypeScript does not find. */
interface Entry {
  id: string;
  from: number;
  to: number;
  text: string;
}

/** The second one knows no more than two digits of hours. */
const parsers: { name: string; hours: number; parse(srt: string): Subtitle[] }[] = [
  {
    name: '@plussub/srt-vtt-parser',
    hours: 1_000,
    parse: (srt) =>
      parseSubtitles(srt).entries.map(({ id, from, to, text }: Entry) => ({ number: id, start: from, end: to, text })),
  },
  {
    name: 'srt-parser-2',
    hours: 99,
    parse: (srt) =>
      new SrtParser().fromSrt(srt).map(({ id, startSeconds, endSeconds, text }) => {
        return { number: id, start: Math.round(startSeconds * 1000), end: Math.round(endSeconds * 1000), text };
      }),
  },
];

for (const { name, hours, parse } of parsers) {
  test(`${name} reads back the cues of any transcript`, () => {
    fc.assert(
      fc.property(anyTranscript({ hours }), (memory) => {
        expect(parse(toSrt(memory)).map(withoutJoiners)).toEqual(subtitlesOf(memory));
      }),
      { numRuns: runCounts.transcripts.short },
    );
  });

  test.each(Object.entries(edgeCases))(`${name} reads back the edge case %s`, (_, memory) => {
    expect(parse(toSrt(memory)).map(withoutJoiners)).toEqual(subtitlesOf(memory));
  });
}

function subtitlesOf(memory: TranscriptSource): Subtitle[] {
  return normalizeTranscript(memory).cues.map(({ start, end, speaker, text }, index) => {
    const label = shownOnOneLine(speaker) || (shown(text).includes(':') ? '?' : '');
    const spoken = label === '' ? shown(text) : `${label}: ${shown(text)}`.trim();
    return { number: String(index + 1), start, end, text: spoken };
  });
}

function withoutJoiners(subtitle: Subtitle): Subtitle {
  return { ...subtitle, text: subtitle.text.replaceAll('\u2060', '') };
}
