import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordedMedia } from '@memory-read/fixtures';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { afterAll, expect, test } from 'vitest';
import { useMediaPage } from './use-chromium.ts';

const page = useMediaPage();
const lengths = [1, 2.5, 600, 3_700];

test.each(lengths.flatMap((seconds) => [['audio', seconds] as const, ['video', seconds] as const]))(
  'the %s of %d seconds has that duration in Chromium, can be sought, and plays to its end',
  async (kind, seconds) => {
    const { duration, seekableTo, currentTime } = await page().evaluate(playTheEnd, { kind, seconds });
    expect([duration, seekableTo, currentTime]).toEqual(Array(3).fill(expect.closeTo(seconds, 1)));
  },
);

test.each(['audio', 'video'] as const)('an empty %s ends at once in Chromium', async (kind) => {
  const ended = await page().evaluate(async (src) => {
    const player = document.createElement(src.startsWith('/audio') ? 'audio' : 'video');
    player.src = src;
    await new Promise((resolve, reject) => {
      player.onended = resolve;
      player.onerror = () => reject(new Error(player.error?.message));
      player.play().catch(() => {});
    });
    return player.duration;
  }, `/${kind}/0`);
  expect(ended).toBeCloseTo(0, 1);
});

test('seeking in a video shows the time of each position', async () => {
  const times = [125, 0, 59.5, 600, 9.9, 10, 3_699.9];
  const faces = await page().evaluate(facesAt, { times: times.slice(0, 3), seconds: 600 });
  expect(faces.slice(0, 3)).toEqual([
    [
      '.....................',
      '.....................',
      '..###.###...###.###..',
      '..#.#...#.#.#.#.#....',
      '..#.#.###...#.#.###..',
      '..#.#.#...#.#.#...#..',
      '..###.###...###.###..',
      '.....................',
      '.....................',
    ],
    [
      '.....................',
      '.....................',
      '..###.###...###.###..',
      '..#.#.#.#.#.#.#.#.#..',
      '..#.#.#.#...#.#.#.#..',
      '..#.#.#.#.#.#.#.#.#..',
      '..###.###...###.###..',
      '.....................',
      '.....................',
    ],
    [
      '.....................',
      '.....................',
      '..###.###...###.###..',
      '..#.#.#.#.#.#...#.#..',
      '..#.#.#.#...###.###..',
      '..#.#.#.#.#...#...#..',
      '..###.###...###.###..',
      '.....................',
      '.....................',
    ],
  ]);
  const later = await page().evaluate(facesAt, { times: times.slice(3), seconds: 3_700 });
  expect(later.slice(0, 4).map((face) => face[4])).toEqual([
    '..#.#....#..#.#...#.#.#.#..',
    '..#.#...#.#.#.#...#.#.###..',
    '..#.#...#.#.#.#....#..#.#..',
    '...#....#.#..#....###.###..',
  ]);
});

test('the preview image shows the duration', async () => {
  const [image] = await page().evaluate(facesAt, { times: [], seconds: 600 });
  expect(image?.[2]).toBe('...#..###...###.###..');
});

const spoken = {
  started_at: '2026-03-01T12:00:00Z',
  duration_seconds: 125,
  transcript: {
    segments: [
      { speaker: 'Ann', start_at: '2026-03-01T12:00:02Z', end_at: '2026-03-01T12:00:04Z', text: 'One.' },
      { speaker: 'Bob', start_at: '2026-03-01T12:02:00Z', end_at: '2026-03-01T12:02:03Z', text: 'Two.' },
    ],
  },
};
const folder = makeFolder(afterAll);

function saved(kind: 'audio' | 'video' | 'preview_image'): string {
  const path = join(folder, kind);
  writeFileSync(path, recordedMedia(spoken, kind).read());
  return path;
}

test.runIf(isInstalled('ffprobe')).each(['audio', 'video', 'preview_image'] as const)(
  'FFmpeg decodes all of the %s without a complaint',
  (kind) => {
    const decoded = spawnSync('ffmpeg', ['-v', 'error', '-xerror', '-i', saved(kind), '-f', 'null', '-']);
    expect([decoded.status, String(decoded.stderr)]).toEqual([0, '']);
    if (kind === 'preview_image') return;
    const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', saved(kind)];
    expect(Number(String(spawnSync('ffprobe', args).stdout))).toBe(125);
  },
);

test.runIf(isInstalled('ffmpeg'))('FFmpeg hears silence exactly between the segments', () => {
  const args = ['-i', saved('audio'), '-af', 'silencedetect=noise=-50dB:d=0.5', '-f', 'null', '-'];
  const heard = String(spawnSync('ffmpeg', args).stderr).matchAll(/silence_(start|end): ([\d.]+)/g);
  const changes = Array.from(heard, ([, , second]) => Number(second));
  expect(changes).toEqual([0, 2, 4, 120, 123, 125].map((second) => expect.closeTo(second, 1)));
});

// The functions below run inside Chromium, so they cannot use variables of this module.

async function playTheEnd({ kind, seconds }: { kind: 'audio' | 'video'; seconds: number }) {
  const player = document.createElement(kind);
  player.src = `/${kind}/${seconds}`;
  await new Promise<void>((resolve, reject) => {
    player.onloadedmetadata = () => {
      player.currentTime = Math.max(0, seconds - 0.3);
    };
    player.onended = () => resolve();
    player.onerror = () => reject(new Error(player.error?.message));
    player.addEventListener('seeked', () => void player.play().catch(reject), { once: true });
  });
  return { duration: player.duration, seekableTo: player.seekable.end(0), currentTime: player.currentTime };
}

/** Returns the cells of the picture at each of these times, as text, and then those of the preview image. */
async function facesAt({ times, seconds }: { times: number[]; seconds: number }) {
  const video = document.createElement('video');
  video.src = `/video/${seconds}`;
  await new Promise((resolve, reject) => {
    video.onloadeddata = resolve;
    video.onerror = reject;
  });
  const faces = [];
  for (const time of times) {
    // `seeked` comes before the picture of the new position can be drawn.
    const shown = new Promise<void>((resolve) => {
      const resolveAtTime: VideoFrameRequestCallback = (_, { mediaTime }) =>
        mediaTime === Math.floor(time) ? resolve() : video.requestVideoFrameCallback(resolveAtTime);
      video.requestVideoFrameCallback(resolveAtTime);
    });
    // Seeking to the current position would show no new picture.
    for (const position of [seconds / 2, time]) {
      await new Promise((resolve) => {
        video.onseeked = resolve;
        video.currentTime = position;
      });
    }
    await shown;
    faces.push(readFace(video));
  }
  const image = new Image();
  image.src = `/preview_image/${seconds}`;
  await image.decode();
  return [...faces, readFace(image)];

  function readFace(source: CanvasImageSource) {
    const { videoWidth: width, videoHeight: height } = video;
    const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(source, 0, 0);
    return Array.from({ length: height / 16 }, (_row, row) =>
      Array.from({ length: width / 16 }, (_column, column) => {
        const [red = 0] = context.getImageData(column * 16 + 8, row * 16 + 8, 1, 1).data;
        return red > 128 ? '#' : '.';
      }).join(''),
    );
  }
}
