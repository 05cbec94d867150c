import { type Cue, normalizeTranscript, type TranscriptSource, toVtt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { runCounts } from '@memory-read/test-kit/run-counts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { useMediaPage } from '../../runtimes/browser/use-chromium.ts';
import { anyTranscript, charactersOf, inTrackOrder, shown, shownOnOneLine } from './any-transcript.ts';

const page = useMediaPage();

test('Chromium plays the cues of any transcript, each with its time, its speaker and its text', async () => {
  const property = fc.asyncProperty(anyTranscript({ hours: 1_000 }), assertPlayed);
  await fc.assert(property, { numRuns: runCounts.playedTranscripts.short });
});

test('Chromium plays 10,000 cues', () => assertPlayed(edgeCases.longTranscript as TranscriptSource));

async function assertPlayed(memory: TranscriptSource): Promise<void> {
  const cues = await page().evaluate(loadTrack, toVtt(memory, { cues: 'stored' }));
  const played = cues.map((cue) => ({ ...cue, speaker: withoutRuns(cue.speaker) }));
  const stored = normalizeTranscript(memory).cues;
  expect(played).toEqual(inTrackOrder(stored).map(toPlayed));
  const parts = await page().evaluate(loadTrack, toVtt(memory));
  expect(charactersOf(parts.map(({ text }) => text))).toBe(charactersOf(stored.map(({ text }) => shown(text))));
}

/** Returns a cue as a browser reads it. A UTF-8 file has no lone surrogates. */
function toPlayed({ start, end, speaker, text }: Cue) {
  const voice = withoutRuns(shownOnOneLine(speaker)).toWellFormed();
  return { start, end, speaker: voice, text: shown(text).toWellFormed() };
}

/** WebVTT collapses white space in a voice label, but Chromium does not. */
function withoutRuns(voice: string): string {
  return voice.replace(/[ \t]+/g, ' ');
}

/** Runs inside Chromium. */
async function loadTrack(vtt: string) {
  const video = document.createElement('video');
  const track = document.createElement('track');
  track.src = URL.createObjectURL(new Blob([vtt], { type: 'text/vtt' }));
  video.append(track);
  track.track.mode = 'hidden';
  await new Promise((resolve, reject) => {
    track.onload = resolve;
    track.onerror = () => reject(new Error('The track cannot be loaded.'));
  });
  URL.revokeObjectURL(track.src);
  return Array.from(track.track.cues ?? [], (cue) => {
    const html = (cue as VTTCue).getCueAsHTML();
    const voice = html.querySelector('span');
    return {
      start: Math.round(cue.startTime * 1000),
      end: Math.round(cue.endTime * 1000),
      speaker: voice?.title ?? '',
      text: html.textContent ?? '',
    };
  });
}
