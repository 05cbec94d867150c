import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cue, normalizeTranscript, type TranscriptSource, toSrt, toVtt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { anyTranscript, shown, shownOnOneLine, srtText } from './any-transcript.ts';
import { hasFfprobe, type ProbedSubtitle, probeSubtitles } from './probe-subtitles.ts';

const folder = makeFolder(afterAll);

const formats = [
  { extension: 'srt', write: toSrt, plain: (text: string) => text.replaceAll('\u2060', ''), expectedText: srtText },
  { extension: 'vtt', write: toVtt, plain: plainCue, expectedText: voiceAndText },
];

// ffprobe does not recognize an empty SubRip file.
const spoken = anyTranscript({ hours: 99 }).filter(({ transcript }) => transcript?.segments.length !== 0);

for (const { extension, write, plain, expectedText } of formats) {
  const readBack = (memory: TranscriptSource) => {
    const path = join(folder, `transcript.${extension}`);
    writeFileSync(path, write(memory));
    const read = probeSubtitles(path).map((subtitle) => ({ ...subtitle, text: plain(subtitle.text).trim() }));
    const written = normalizeTranscript(memory).cues.map((cue) => {
      // A UTF-8 file cannot contain lone surrogates.
      return { start: cue.start, end: cue.end, text: expectedText(cue).trim().toWellFormed() };
    });
    // FFmpeg skips subtitles without visible text.
    expect(read.filter(isVisible)).toEqual(written.filter(isVisible));
  };

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

function voiceAndText({ speaker, text }: Cue): string {
  const voice = shownOnOneLine(speaker);
  return voice === '' ? shown(text) : `${voice}\n${shown(text)}`;
}

function plainCue(payload: string): string {
  return payload
    .replace(/^<v ([^>]*?) *>([\s\S]*)<\/v>$/, '$1\n$2')
    .replace('&#45;', '-')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
