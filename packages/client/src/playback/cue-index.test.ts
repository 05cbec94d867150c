import { expect, onTestFinished, test, vi } from 'vitest';
import { createCueIndex, followCues, type TimedCue } from './cue-index.ts';
import { FakeMedia } from './fake-media.test-support.ts';

const cues = [
  { start: 1_000, end: 5_000 },
  { start: 2_000, end: 3_000 },
  { start: 6_000, end: 7_000 },
];

test('returns the cue that started last, and every cue that is spoken', () => {
  const index = createCueIndex(cues);
  const at = (seconds: number) => [index.lastAt(seconds), ...index.activeAt(seconds)];
  expect([0, 0.98, 2.5, 4, 5.5, 6.5, 9].map(at)).toEqual([[-1], [0, 0], [1, 0, 1], [1, 0], [1], [2, 2], [2]]);
  expect([0, 2, 9].map((place) => index.secondsOf(place))).toEqual([1, 6, 0]);
});

test('reads at most 20 of 20,000 cues in a search', () => {
  let looks = 0;
  const many = Array.from({ length: 20_000 }, (_, place): TimedCue => {
    return {
      get start() {
        looks += 1;
        return place * 1_000;
      },
      end: place * 1_000 + 500,
    };
  });
  const index = createCueIndex(many);
  looks = 0;
  expect(index.lastAt(12_345.6)).toBe(12_345);
  expect(looks).toBeLessThanOrEqual(20);
});

test('rejects cues that are not in order, and an invalid tolerance', () => {
  const refused = expect.objectContaining({ code: 'configuration' });
  expect(() => createCueIndex([...cues].reverse())).toThrow(refused);
  expect(() => createCueIndex(cues, { tolerance: Number.NaN })).toThrow(refused);
});

test('reports only changes, and nothing until a new URL has data', () => {
  const media = new FakeMedia();
  const told: number[] = [];
  const unfollow = followCues(media as unknown as HTMLMediaElement, createCueIndex(cues), (place) => told.push(place));
  media.begin();
  for (const seconds of [1, 0.5, 0.2, 0.5, 3]) media.advance(seconds);
  media.src = 'https://media.example.com/fresh.wav';
  media.fire('timeupdate');
  media.currentTime = 6.2;
  media.begin();
  media.fire('loadeddata');
  expect(told).toEqual([0, 1, 2]);
  unfollow();
  media.currentTime = 0;
  expect(told).toEqual([0, 1, 2]);
});

test('reports each cue that begins between two frames, and keeps no frame after a pause or the end', () => {
  let frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (number: number) => delete frames[number - 1]);
  onTestFinished(() => void vi.unstubAllGlobals());
  const media = new FakeMedia();
  const told: number[] = [];
  const show = () => {
    const due = frames;
    frames = [];
    for (const frame of due) frame?.();
  };
  const unfollow = followCues(media as unknown as HTMLMediaElement, createCueIndex(cues), (place) => told.push(place));
  media.begin();
  void media.play();
  media.move(2.5);
  show();
  expect(told).toEqual([0, 1]);
  media.currentTime = 0.5;
  media.currentTime = 6.5;
  show();
  media.pause();
  show();
  expect([told, frames]).toEqual([[0, 1, -1, 2], []]);
  void media.play();
  unfollow();
  show();
  expect([told, frames]).toEqual([[0, 1, -1, 2], []]);
});
