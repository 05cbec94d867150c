import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cue, normalizeTranscript, type TranscriptSource, toSrt, toVtt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { anyTranscript, shown, shownOnOneLine, srtText } from './any-transcript.ts';

const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;
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
    expect(read.filter(({ text }) => text !== '')).toEqual(written.filter(({ text }) => text !== ''));
  };

  test.runIf(hasFfprobe)(`ffprobe reads back any transcript and 10,000 cues from .${extension}`, () => {
    fc.assert(fc.property(spoken, readBack), { numRuns: runCounts.probedTranscripts.short });
    readBack(edgeCases.longTranscript as TranscriptSource);
  });
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

/** Returns the subtitles that FFmpeg finds in a file, with times in milliseconds. */
function probeSubtitles(path: string) {
  const args = ['-v', 'error', '-show_packets', '-show_data', '-of', 'json', path];
  const { status, stdout, stderr } = spawnSync('ffprobe', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0 || stderr !== '')
    throw new Error(`Failed to read ${path}: ffprobe reports ${stderr}. Correct the subtitles.`);
  const { packets } = JSON.parse(stdout) as { packets: { pts: number; duration: number; data?: string }[] };
  return packets.map(({ pts, duration, data = '' }) => ({ start: pts, end: pts + duration, text: decodeDump(data) }));
}

/** Lines such as `00000000: 486d 2e Hm.` */
function decodeDump(dump: string): string {
  const bytes = dump
    .split('\n')
    .map((line) => line.slice('00000000: '.length).split('  ')[0] ?? '')
    .join('')
    .replaceAll(' ', '');
  return Buffer.from(bytes, 'hex').toString('utf8');
}
