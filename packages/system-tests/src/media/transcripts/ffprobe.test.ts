import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { normalizeTranscript, type TranscriptSource, toSrt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { anyTranscript, srtText } from './any-transcript.ts';

const hasFfprobe = spawnSync('ffprobe', ['-version']).status === 0;
const folder = makeFolder(afterAll);

// ffprobe does not recognize an empty SubRip file.
const spoken = anyTranscript({ hours: 99 }).filter(({ transcript }) => transcript?.segments.length !== 0);

test.runIf(hasFfprobe)('ffprobe reads back any transcript and 10,000 cues from SubRip', () => {
  fc.assert(fc.property(spoken, assertReadBack), { numRuns: runCounts.probedTranscripts.short });
  assertReadBack(edgeCases.longTranscript as TranscriptSource);
});

function assertReadBack(memory: TranscriptSource): void {
  const path = join(folder, 'transcript.srt');
  writeFileSync(path, toSrt(memory, { cues: 'stored' }));
  const read = probeSubtitles(path).map((subtitle) => ({
    ...subtitle,
    text: subtitle.text.replaceAll('\u2060', '').trim(),
  }));
  const written = normalizeTranscript(memory).cues.map((cue) => {
    // A UTF-8 file cannot contain lone surrogates.
    return { start: cue.start, end: cue.end, text: srtText(cue).trim().toWellFormed() };
  });
  // FFmpeg skips subtitles without visible text.
  expect(read.filter(({ text }) => text !== '')).toEqual(written.filter(({ text }) => text !== ''));
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
