import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { expect, test } from 'vitest';
import { serveSite } from '../runtimes/browser/serve-site.ts';
import { useChromium } from '../runtimes/browser/use-chromium.ts';

const memories = showcaseMemories({ now: '2026-11-20T12:00:00Z' });
const files = memories.flatMap((memory) =>
  Object.entries(memory.media).map(([kind, file]) => {
    const object_key = String(file?.object_key);
    const url = import.meta.resolve(`@memory-read/fixtures/showcase/media/${object_key}`);
    return { kind, object_key, path: fileURLToPath(url), memory };
  }),
);
const recordings = files.filter(({ kind }) => kind !== 'preview_image');
const sampleRate = 8000;

test('all media have at most 600 kB, and no preview image more than 10 kB', () => {
  const sizes = files.map(({ path }) => statSync(path).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(600_000);
  const images = files.filter(({ kind }) => kind === 'preview_image');
  expect(images).toHaveLength(memories.length);
  for (const { path } of images) {
    expect(statSync(path).size).toBeLessThanOrEqual(10_000);
    expect(readFileSync(path).toString('latin1', 1, 4)).toBe('PNG');
  }
});

test.runIf(isInstalled('ffmpeg')).each(recordings)('$object_key decodes, and lasts as long as its memory', (file) => {
  const { path, memory, kind } = file;
  expect(Math.abs(samplesOf(path).length / sampleRate - memory.duration_seconds)).toBeLessThan(0.05);
  const args = ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name', '-of', 'csv=p=0', path];
  const [duration, ...codecs] = execFileSync('ffprobe', args, { encoding: 'utf8' }).trim().split('\n').reverse();
  expect(Number(duration)).toBeCloseTo(memory.duration_seconds, 1);
  expect(codecs.reverse()).toEqual(kind === 'video' ? ['vp9', 'opus'] : ['opus']);
});

test.runIf(isInstalled('ffmpeg')).each(recordings)(
  '$object_key has speech where its segments are, and silence between',
  ({ path, memory }) => {
    const samples = samplesOf(path);
    const begin = Date.parse(memory.started_at);
    const loudness = (fromMs: number, toMs: number) => {
      const part = samples.subarray((fromMs * sampleRate) / 1000, (toMs * sampleRate) / 1000);
      return Math.sqrt(part.reduce((sum, sample) => sum + sample ** 2, 0) / part.length);
    };
    let endMs = 0;
    const segments = memory.transcript?.segments ?? [];
    for (const { start_at, end_at, text } of segments) {
      const startMs = Date.parse(start_at) - begin;
      // The codec lets a sound begin and end up to 60 ms away from its place.
      expect(loudness(endMs + 60, startMs - 60), `before “${text}”`).toBeLessThan(30);
      expect(loudness(startMs, startMs + 150), `the begin of “${text}”`).toBeGreaterThan(200);
      endMs = Date.parse(end_at) - begin;
      expect(loudness(endMs - 150, endMs), `the end of “${text}”`).toBeGreaterThan(100);
      expect(loudness(startMs, endMs), text).toBeGreaterThan(1500);
    }
    expect(loudness(endMs + 60, memory.duration_seconds * 1000)).toBeLessThan(30);
  },
);

const chromium = useChromium();

test('Chromium plays each recording from the start of any segment', async () => {
  await using site = await serveSite((path) => {
    const file = files.find(({ object_key }) => path === `/${object_key}`);
    return file ? [`${file.kind}/webm`, readFileSync(file.path)] : ['text/html', '<!doctype html>'];
  });
  const page = await chromium().browser.newPage();
  await page.goto(site.url);
  for (const { object_key, kind, memory } of recordings) {
    const begin = Date.parse(memory.started_at);
    const starts = memory.transcript?.segments.map(({ start_at }) => (Date.parse(start_at) - begin) / 1000) ?? [];
    const { duration, positions } = await page.evaluate(seekTo, { src: `/${object_key}`, kind, starts });
    expect(duration).toBeCloseTo(memory.duration_seconds, 1);
    expect(positions).toEqual(starts.map((start) => expect.closeTo(start, 2)));
  }
  await page.close();
});

/** Runs inside Chromium. Returns where the player is after each seek. */
async function seekTo({ src, kind, starts }: { src: string; kind: string; starts: number[] }) {
  const player = document.createElement(kind as 'audio');
  player.src = src;
  await new Promise((resolve, reject) => {
    player.onloadeddata = resolve;
    player.onerror = () => reject(new Error(player.error?.message));
  });
  const positions = [];
  for (const start of starts) {
    await new Promise((resolve) => {
      player.onseeked = resolve;
      player.currentTime = start;
    });
    positions.push(player.currentTime);
  }
  return { duration: player.duration, positions };
}

function samplesOf(path: string): Int16Array {
  const args = [
    '-v',
    'error',
    '-xerror',
    '-i',
    path,
    '-map',
    '0:a',
    '-ar',
    String(sampleRate),
    '-ac',
    '1',
    '-f',
    's16le',
  ];
  const bytes = execFileSync('ffmpeg', [...args, '-'], { maxBuffer: 10_000_000 });
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
