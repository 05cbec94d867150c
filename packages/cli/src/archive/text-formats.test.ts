import type { Memory } from '@memory-read/client';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { summary, transcript } from '../testing/create-account.ts';
import { textFormats } from './text-formats.ts';

const memory = sampleMemory({
  name: 'Talk: "start" # now\u202e',
  started_at: '2026-03-01T08:00:00.000Z',
  ended_at: '2026-03-01T08:10:00.000Z',
  duration_seconds: 600,
  transcript,
  summary,
});

test('Markdown has front matter, the summary and the transcript', () => {
  expect(textFormats.markdown.write(memory)).toBe(`---
title: "Talk: \\"start\\" # now\\u202e"
date: "2026-03-01T08:00:00.000Z"
end: "2026-03-01T08:10:00.000Z"
duration_seconds: 600
id: "mem_1"
processing: false
speakers: ["Speaker 1"]
---

# Talk: "start" \\# now\u202e

## Summary

A start.

## Key takeaways

- They start.

## Transcript

\`0:00:01\` **Speaker 1:** Shall we start?
`);
});

test('Markdown of a memory in processing has what there is', () => {
  const markdown = textFormats.markdown.write({ ...memory, is_processing: true, transcript: null, summary: null });
  expect(markdown).toMatch(/processing: true\nspeakers: \[\]\n---\n\n# Talk.*\n$/);
});

test('nothing that was said or named makes front matter, a heading or HTML', () => {
  const name = '---\n# x <b>\nid: other';
  const said = { quick_summary: '# a\n---', key_takeaways: ['- b\n\n# c'] };
  const [, matter, rest = ''] = textFormats.markdown.write({ ...memory, name, summary: said }).split(/^---$/m);
  expect(matter).toContain('\ntitle: "---\\n# x <b>\\nid: other"\n');
  expect(rest.match(/^#+ .*/gm)).toHaveLength(4);
  expect(rest).not.toContain('<b>');
});

test('JSON is the memory with all that the server says of it, but for the signed URLs', () => {
  const json = JSON.parse(textFormats.json.write({ ...memory, colour: 'red' } as Memory));
  const { audio_url, video_url, preview_image_url, ...rest } = memory;
  expect(json).toEqual({ ...rest, colour: 'red' });
});

test.each([
  ['srt', '1\n00:00:01,000 --> 00:00:02,000\nSpeaker 1: Shall we start?\n'],
  ['vtt', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Speaker 1>Shall we start?</v>\n'],
  ['text', 'Speaker 1: Shall we start?\n'],
] as const)('%s holds the transcript', (format, text) => {
  expect(textFormats[format].write(memory)).toBe(text);
});
