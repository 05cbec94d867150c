import type { MemoryRecord } from '@memory-read/contract';
import { expect, test } from 'vitest';
import { createMemoryMock } from '../create-memory-mock.ts';

const DAY = '2026-01-01';
const segment = { speaker: 'Speaker 1', start_at: `${DAY}T12:00:00Z`, end_at: `${DAY}T12:00:01Z`, text: '' };
const added = (overrides: object) => createMemoryMock({ now: `${DAY}T12:00:00Z` }).memories.add(overrides);

test('an added memory is processed, complete, and lies within its own times', () => {
  const { id, transcript, ...memory } = added({});
  expect(id).toMatch(/^mem_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(memory).toEqual({
    name: 'Memory 1',
    started_at: `${DAY}T11:55:00.000Z`,
    ended_at: `${DAY}T12:00:00.000Z`,
    duration_seconds: 300,
    is_processing: false,
    summary: {
      quick_summary: 'Two people agree on when to meet again.',
      key_takeaways: ['They meet on Thursday', 'One of them brings the plans'],
    },
    media: {
      audio: { object_key: `${id}/audio.wav`, content_type: 'audio/wav' },
      video: { object_key: `${id}/video.webm`, content_type: 'video/webm' },
      preview_image: { object_key: `${id}/preview.png`, content_type: 'image/png' },
    },
  });
  expect(transcript?.segments.map(({ speaker, start_at, end_at }) => [speaker, start_at, end_at])).toEqual([
    ['Speaker 1', `${DAY}T11:55:00.000Z`, `${DAY}T11:56:07.500Z`],
    ['Speaker 2', `${DAY}T11:56:15.000Z`, `${DAY}T11:57:22.500Z`],
    ['Speaker 1', `${DAY}T11:57:30.000Z`, `${DAY}T11:58:37.500Z`],
    ['Speaker 2', `${DAY}T11:58:45.000Z`, `${DAY}T11:59:52.500Z`],
  ]);
});

test.each<[Partial<MemoryRecord>, start: string, end: string, number]>([
  [{ started_at: `${DAY}T08:00` }, '08:00', '08:05', 300],
  [{ ended_at: `${DAY}T08:00:00+02:00` }, '05:55', '06:00', 300],
  [{ duration_seconds: 60 }, '11:59', '12:00', 60],
  [{ started_at: `${DAY}T08:00:00Z`, ended_at: `${DAY}T09:00:00Z` }, '08:00', '09:00', 3600],
  [{ started_at: `${DAY}T08:00:00Z`, duration_seconds: 0 }, '08:00', '08:00', 0],
])('derives missing times from %j', (overrides, start, end, duration_seconds) => {
  const [started_at, ended_at] = [start, end].map((time) => `${DAY}T${time}:00.000Z`);
  expect(added(overrides)).toMatchObject({ started_at, ended_at, duration_seconds });
});

test('of two memories added at the same time, the later one is listed first', () => {
  const { memories } = createMemoryMock({ memories: [] });
  const ids = Array.from({ length: 40 }, () => memories.add().id);
  expect(memories.all().map(({ id }) => id)).toEqual(ids.reverse());
});

test('an override of undefined has no effect, and null is null', () => {
  expect(added({ name: undefined, transcript: null, media: {} })).toMatchObject({
    name: 'Memory 1',
    transcript: null,
    media: {},
  });
});

test('copies what is passed and returned', () => {
  const { memories } = createMemoryMock({ memories: [] });
  const media = { audio: { object_key: 'a', content_type: 'audio/wav' } };
  const memory = memories.add({ media });
  media.audio.object_key = 'b';
  memory.name = 'changed';
  if (memory.media.audio) memory.media.audio.object_key = 'c';
  memory.transcript?.segments.pop();
  const [kept] = memories.all();
  expect(kept).toMatchObject({ name: 'Memory 1', media: { audio: { object_key: 'a' } } });
  expect(kept?.transcript?.segments).toHaveLength(4);
});

test('a memory that is finished by hand has transcript and summary, generated or given', () => {
  const { memories } = createMemoryMock({ memories: [] });
  const plain = memories.finishProcessing(memories.addProcessing().id);
  expect([plain.is_processing, plain.transcript?.segments.length]).toEqual([false, 4]);
  expect(plain.summary?.quick_summary).toBe('Two people agree on when to meet again.');

  const summary = { quick_summary: 'Mine', key_takeaways: [] };
  const early = memories.addProcessing({ summary });
  expect(memories.finishProcessing(early.id, { transcript: null, name: 'Done' })).toMatchObject({
    name: 'Done',
    summary,
    transcript: null,
    is_processing: false,
  });
});

test('finishAfter 0 is processed at once, and each memory finishes at its own time', () => {
  const { memories, clock } = createMemoryMock({ memories: [] });
  expect(memories.addProcessing({}, { finishAfter: 0 }).is_processing).toBe(false);
  const after = [1000, 2000, 3000].map((finishAfter) => memories.addProcessing({}, { finishAfter }).id);
  const processing = () => memories.all().filter(({ is_processing }) => is_processing).length;
  clock.advance(2000);
  expect(processing()).toBe(1);
  clock.set('2025-01-01T00:00:00Z');
  expect(processing()).toBe(1);
  clock.advance(10 ** 12);
  expect(memories.all().filter(({ id }) => after.includes(id))).toHaveLength(3);
  expect(processing()).toBe(0);
});

test('a memory that was finished, changed or removed by hand does not finish again', () => {
  const { memories, clock } = createMemoryMock({ memories: [] });
  const [finished, updated, removed] = [1, 2, 3].map(() => memories.addProcessing({}, { finishAfter: 1000 }).id);
  memories.finishProcessing(finished ?? '', { name: 'Finished' });
  memories.update(updated ?? '', { is_processing: false });
  memories.remove(removed ?? '');
  memories.add({ id: removed ?? '', is_processing: true });
  clock.advance(5000);
  expect(
    memories.all().map(({ name, transcript, is_processing }) => [name, transcript === null, is_processing]),
  ).toEqual(
    expect.arrayContaining([
      ['Finished', false, false],
      ['Memory 2', true, false],
      ['Memory 4', true, true],
    ]),
  );
});

test('update changes only the given fields', () => {
  const { memories } = createMemoryMock({ memories: [] });
  const memory = memories.add();
  expect(memories.update(memory.id, { name: 'New', media: {} })).toEqual({ ...memory, name: 'New', media: {} });
  expect(memories.all()).toEqual([{ ...memory, name: 'New', media: {} }]);
  memories.remove(memory.id);
  expect(memories.all()).toEqual([]);
});

test('each memory belongs to one account', () => {
  const { memories, accounts } = createMemoryMock({ memories: [] });
  const { userId } = accounts.add();
  const { id } = memories.add({}, { userId });
  memories.addProcessing({ id: 'mem_other' }, { userId, finishAfter: 5 });
  expect(memories.all()).toEqual([]);
  expect(memories.all({ userId }).map((memory) => memory.id)).toEqual(['mem_other', id]);
  expect(memories.update(id, { name: 'Theirs' }).name).toBe('Theirs');
  expect(() => memories.add({ id })).toThrow(`the memory "${id}" already exists`);
  expect(() => memories.add({}, { userId: 'nobody' })).toThrow(
    'Failed to add a memory: the account "nobody" does not exist. Pass one of "user_1", "user_2".',
  );
});

test.each<[object, string]>([
  [{ titel: 'x' }, 'titel is an unknown field'],
  [{ user_id: 'ada' }, 'user_id is not stored'],
  [{ audio_url: null }, 'audio_url is not stored: name the object in media.audio'],
  [{ name: null }, 'name expected string, received null'],
  [{ is_processing: 'no' }, 'is_processing expected boolean, received string'],
  [{ started_at: 'yesterday' }, 'started_at expected an ISO 8601 date-time'],
  [{ duration_seconds: 1.5 }, 'duration_seconds expected integer'],
  [{ transcript: { segments: [{}] } }, 'transcript.segments[0].speaker expected string'],
  [{ media: { audio: 'a.wav' } }, 'media.audio expected object'],
  [
    { media: { audio: { object_key: 'a', content_type: 'text/html' } } },
    'media.audio.content_type is not an audio type',
  ],
  [{ id: '..' }, 'id is a dot segment'],
  [
    { summary: { quick_summary: '', key_takeaways: [], titel: 'x' } },
    'the field summary.titel is not supported. Use one of: quick_summary, key_takeaways.',
  ],
  [{ transcript: { segments: [], language: 'en' } }, 'the field transcript.language is not supported. Use segments.'],
  [
    { transcript: { segments: [segment, { ...segment, speker: 'x' }] } },
    'the field transcript.segments[1].speker is not supported. Use one of: speaker, ',
  ],
])('rejects an override that would violate the contract: %j', (overrides, message) => {
  const { memories } = createMemoryMock({ memories: [] });
  const { id } = memories.addProcessing({ id: 'mem_1' });
  const rest = Object.fromEntries(Object.entries(overrides).filter(([field]) => field !== 'id'));
  expect(() => memories.add(overrides)).toThrow(message);
  if (Object.keys(rest).length > 0) {
    expect(() => memories.update(id, rest)).toThrow(message);
    if (!('is_processing' in rest)) expect(() => memories.finishProcessing(id, rest)).toThrow(message);
  }
  expect(memories.all().map(({ name }) => name)).toEqual(['Memory 1']);
  expect(memories.add().name).toBe('Memory 2');
});

test('rejects overrides of the state or the identity where they cannot be chosen', () => {
  const { memories } = createMemoryMock({ memories: [] });
  const { id } = memories.addProcessing();
  const refusals = [
    () => memories.addProcessing({ is_processing: false } as object),
    () => memories.finishProcessing(id, { is_processing: true } as object),
    () => memories.finishProcessing(id, { id: 'mem_2' } as object),
    () => memories.update(id, { id: 'mem_2' } as object),
  ];
  for (const refusal of refusals)
    expect(refusal).toThrow(/: the field (id|is_processing) is not supported here\. Remove it\.$/);
  for (const finishAfter of [-1, Number.NaN, null as never]) {
    expect(() => memories.addProcessing({}, { finishAfter })).toThrow(
      `finishAfter is ${finishAfter}, which is not a number`,
    );
  }
  expect(memories.all()).toHaveLength(1);
  memories.finishProcessing(id);
  expect(() => memories.finishProcessing(id)).toThrow(`the memory "${id}" is already processed`);
});

test('an unknown id is an error that lists at most ten known ids', () => {
  const { memories } = createMemoryMock({ memories: [] });
  const controls = [memories.finishProcessing, memories.update, memories.remove];
  for (const control of controls) {
    expect(() => control('mem_x', {})).toThrow('the memory "mem_x" does not exist. Add a memory first.');
  }
  memories.add({ id: 'mem_1' });
  for (const control of controls) {
    expect(() => control('mem_x', {})).toThrow('the memory "mem_x" does not exist. Pass one of "mem_1".');
  }
  for (let count = 0; count < 11; count += 1) memories.add();
  for (const control of controls) expect(() => control('mem_x', {})).toThrow(/(?:"mem_\w+"[ ,]*){10} and 2 more\.$/);
});

test('rejects options that the types exclude', () => {
  const { add, addProcessing, update, all } = createMemoryMock({ memories: [] }).memories;
  const refusals: [() => unknown, string][] = [
    [() => add(null as never), 'Failed to add a memory: the overrides argument is null, which is not an object.'],
    [() => add({}, { userID: 'x' } as object), 'the option "userID" is not supported. Use userId.'],
    [
      () => addProcessing({}, { finishafter: 5 } as object),
      'the option "finishafter" is not supported. Use one of: finishAfter, userId.',
    ],
    [
      () => addProcessing({}, { finishAfter: '5' as never }),
      'finishAfter is "5", which is not a number of at least 0. Pass milliseconds.',
    ],
    [
      () => update('mem_1', undefined as never),
      'Failed to update a memory: the changes argument is undefined, which is not an object.',
    ],
    [() => all({ user: 'x' } as object), 'Failed to list memories: the option "user" is not supported.'],
  ];
  for (const [refusal, message] of refusals) expect(refusal).toThrow(message);
});

test('an end before the start is reported with the given values, unless a duration is given', () => {
  const times = { started_at: '2025-05-05T08:00:00Z', ended_at: '2025-05-05T07:00:00Z' };
  expect(() => added(times)).toThrow(
    'Failed to add a memory: ended_at (2025-05-05T07:00:00Z) is before started_at (2025-05-05T08:00:00Z). Swap them, or set duration_seconds.',
  );
  expect(added({ ...times, duration_seconds: 5 }).duration_seconds).toBe(5);
});
