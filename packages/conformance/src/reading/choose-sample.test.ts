import { expect, test } from 'vitest';
import { sampleMemory } from '../stub-api.test-support.ts';
import { chooseSample } from './choose-sample.ts';

const memory = (id: string, more = {}) => ({ ...sampleMemory, id, ...more });

test('few memories serve all checks: each kind of media, the newest, the oldest, an awkward id', () => {
  const video = 'https://media.example/v';
  const plain = Array.from({ length: 50 }, (_, index) => memory(`m${index}`, { summary: null }));
  const list = [
    ...plain,
    memory('video', { video_url: video, summary: null }),
    ...plain,
    memory('a b'),
    memory('last'),
  ];
  expect(chooseSample(list).processed.map(({ id }) => id)).toEqual(['video', 'a b', 'm0', 'last']);
});

test('one memory in processing is enough', () => {
  const list = ['p1', 'p2'].map((id) => memory(id, { is_processing: true }));
  expect(chooseSample(list)).toEqual({ processed: [], processing: [list[0]] });
});

test('does not request an id that no path can contain', () => {
  const ids = ['', '.', '..', '\ud800', 7 as unknown as string, 'ok'];
  expect(chooseSample(ids.map((id) => memory(id))).processed.map(({ id }) => id)).toEqual(['ok']);
});
