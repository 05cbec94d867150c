import { expect, test } from 'vitest';
import { fileNames } from './name-files.ts';

const memory = { id: 'mem_1', name: 'Talk', started_at: '2026-11-19T23:30:00Z' };

test('names the documents and media of a memory, in local time', () => {
  const media = { audio: '.webm', video: '.webm' };
  expect(fileNames(memory, { timeZone: 'Asia/Tokyo', media })).toEqual({
    srt: '2026-11-20 Talk 2213.srt',
    vtt: '2026-11-20 Talk 2213.vtt',
    text: '2026-11-20 Talk 2213.txt',
    markdown: '2026-11-20 Talk 2213.md',
    json: '2026-11-20 Talk 2213.json',
    video: '2026-11-20 Talk 2213.webm',
    audio: '2026-11-20 Talk 2213.audio.webm',
  });
  expect(fileNames(memory, { timeZone: 'UTC', name: '{year}/{time} {name}' }).srt).toBe('2026/23.30 Talk.srt');
});

test.each([
  [{ name: '{nope}' }, /^Failed to read name: \{nope\} is not a field\. Use \{date\}, .* or \{memory_id\}\.$/],
  [{ name: 5 as never }, 'Failed to read name: name is not a string. Pass a string.'],
  [{ timeZone: 'Mars' }, 'Failed to name the files: timeZone is not an IANA time zone.'],
])('rejects %j', (options, message) => {
  expect(() => fileNames(memory, options)).toThrow(message);
  expect(() => fileNames(memory, options)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
});
