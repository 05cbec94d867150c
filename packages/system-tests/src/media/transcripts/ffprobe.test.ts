import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cue, normalizeTranscript, type TranscriptSource, toSrt, toVtt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCounts } from '../../run-counts.ts';
import { anyTranscript, shown, shownOnOneLine } from './any-transcript.ts';
import { hasFfprobe, type ProbedSubtitle, probeSubtitles } from './probe-subtitles.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memory-read-subtitles-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const formats = [
  {
    extension: 'srt',
    write: toSrt,
    plain: (text: string) => text.replaceAll('\u2060', ''),
    separator: ': ',
    // Without one, the colon of the text would make a speaker of what stands before it.
    namesNobody: (text: string) => (text.includes(':') ? '?' : ''),
  },
  { extension: 'vtt', write: toVtt, plain: plainCue, separator: '\n', namesNobody: () => '' },
];

// It takes an empty SubRip file for no SubRip file.
const spoken = anyTranscript({ hours: 99 }).filter(({ transcript }) => transcript?.segments.length !== 0);

for (const { extension, write, plain, separator, namesNobody } of formats) {
  const readBack = (memory: TranscriptSource) => {
    const path = join(folder, `transcript.${extension}`);
    writeFileSync(path, write(memory));
    const read = probeSubtitles(path).map((subtitle) => ({ ...subtitle, text: plain(subtitle.text).trim() }));
    const written = normalizeTranscript(memory).cues.map(expected);
    // FFmpeg passes over a subtitle with nothing to see.
    expect(read.filter(isVisible)).toEqual(written.filter(isVisible));
  };

  function expected({ start, end, speaker, text }: Cue): ProbedSubtitle {
    const label = shownOnOneLine(speaker) || namesNobody(shown(text));
    const parts = label === '' ? [shown(text)] : [label, shown(text)];
    // A file has no lone surrogates.
    return { start, end, text: parts.join(separator).trim().toWellFormed() };
  }

  test.runIf(hasFfprobe)(`ffprobe reads back any transcript from .${extension}, where it is installed`, () => {
    fc.assert(fc.property(spoken, readBack), { numRuns: runCounts.probedTranscripts.short });
  });

  test.runIf(hasFfprobe)(`ffprobe reads back 10,000 cues from .${extension}, where it is installed`, () => {
    readBack(edgeCases.longTranscript as TranscriptSource);
  });
}

function isVisible({ text }: ProbedSubtitle): boolean {
  return text !== '';
}

function plainCue(payload: string): string {
  return payload
    .replace(/^<v ([^>]*?) *>([\s\S]*)<\/v>$/, '$1\n$2')
    .replace('&#45;', '-')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
