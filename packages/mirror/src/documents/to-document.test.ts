import type { Memory, Segment } from '@memory-read/client';
import { escapeControls } from '@memory-read/contract/redaction';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { type ExportFormat, exportFormats, toDocument } from './to-document.ts';

const segment: Segment = {
  speaker: 'Speaker 1',
  start_at: '2026-03-01T08:00:01Z',
  end_at: '2026-03-01T08:00:02Z',
  text: 'Shall we start?',
};

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** C0 without white space, DEL, C1 without NEL, and what embeds, overrides or isolates a direction. */
const controls = [...range(0, 8), ...range(0x0e, 0x1f), 0x7f, ...range(0x80, 0x84), ...range(0x86, 0x9f)]
  .concat(range(0x202a, 0x202e), range(0x2066, 0x2069))
  .map((code) => String.fromCodePoint(code));

const memory = sampleMemory({
  name: 'Talk: "start" # now\u202e',
  started_at: '2026-03-01T08:00:00.000Z',
  ended_at: '2026-03-01T08:10:00.000Z',
  duration_seconds: 600,
  transcript: { segments: [segment] },
  summary: { quick_summary: 'A start.', key_takeaways: ['They start.'] },
});

const written = (of: Memory, format: ExportFormat) => toDocument(of, format) ?? '';

test('Markdown has front matter, the summary and the transcript', () => {
  expect(written(memory, 'markdown')).toBe(`---
title: "Talk: \\"start\\" # now\ufffd"
date: "2026-03-01T08:00:00.000Z"
end: "2026-03-01T08:10:00.000Z"
duration_seconds: 600
id: "mem_1"
processing: false
speakers: ["Speaker 1"]
---

# Talk: "start" \\# now\ufffd

## Summary

A start.

## Key takeaways

- They start.

## Transcript

\`0:00:01\` **Speaker 1:** Shall we start?
`);
});

test('writes Markdown of a processing memory with the data that exists', () => {
  const markdown = written({ ...memory, is_processing: true, transcript: null, summary: null }, 'markdown');
  expect(markdown).toMatch(/processing: true\nspeakers: \[\]\n---\n\n# Talk.*\n$/);
});

test('nothing that was said or named makes front matter, a heading or HTML', () => {
  const name = '---\n# x <b>\nid: other';
  const said = { quick_summary: '# a\n---', key_takeaways: ['- b\n\n# c'] };
  const [, matter, rest = ''] = written({ ...memory, name, summary: said }, 'markdown').split(/^---$/m);
  expect(matter).toContain('\ntitle: "---\\n# x <b>\\nid: other"\n');
  expect(rest.match(/^#+ .*/gm)).toHaveLength(4);
  expect(rest).not.toContain('<b>');
});

test.each([...controls])('writes the control %j to no document, and escapes it in JSON', (control) => {
  const text = `a${control}b`;
  const said = { quick_summary: text, key_takeaways: [text] };
  const segments = [{ ...segment, speaker: text, text }];
  const hostile = { ...memory, id: text, name: text, summary: said, transcript: { segments } };
  for (const format of exportFormats) {
    const document = written(hostile, format);
    const shown = format === 'json' ? escapeControls(document) : document;
    expect(shown.replaceAll(/[\n\t]/g, ''), format).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  }
  const markdown = written(hostile, 'markdown');
  expect(markdown).toContain('title: "a\ufffdb"\n');
  expect(markdown).toContain('speakers: ["a\ufffdb"]\n');
  expect(JSON.parse(escapeControls(written(hostile, 'json')))).toMatchObject({
    id: text,
    name: text,
    summary: said,
  });
});

test('each document keeps the marks of direction that Hebrew and Arabic need', () => {
  const text = 'שלום\u200f ABC\u200e \u061cمرحبا';
  const segments = [{ ...segment, speaker: text, text }];
  for (const format of exportFormats) {
    const document = written({ ...memory, name: text, transcript: { segments } }, format);
    expect(document.split(text), format).toHaveLength(format === 'markdown' ? 6 : format === 'json' ? 4 : 3);
  }
});

test('writes JSON with all data of the memory except the signed URLs', () => {
  const json = JSON.parse(written({ ...memory, colour: 'red' } as Memory, 'json'));
  const { audio_url, video_url, preview_image_url, ...rest } = memory;
  expect(json).toEqual({ ...rest, colour: 'red' });
});

test.each([
  ['srt', '1\n00:00:01,000 --> 00:00:02,000\nSpeaker 1: Shall we start?\n'],
  ['vtt', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Speaker 1>Shall we start?</v>\n'],
  ['text', 'Speaker 1: Shall we start?\n'],
] as const)('%s holds the transcript, and needs one', (format, text) => {
  expect(written(memory, format)).toBe(text);
  expect(toDocument({ ...memory, transcript: null }, format)).toBeUndefined();
});

test('rejects another format', () => {
  expect(() => toDocument(memory, 'pdf' as ExportFormat)).toThrow(
    'Failed to write the memory: format is not one of them. Pass srt, vtt, text, markdown, json.',
  );
});
