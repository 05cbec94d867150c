import {
  type Cue,
  normalizeTranscript,
  type SubtitleOptions,
  type TranscriptSource,
  toSrt,
  toVtt,
} from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { parse as parseSubtitles } from '@plussub/srt-vtt-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TreeNode, WebVTTParser } from 'webvtt-parser';
import { anyTranscript, charactersOf, inTrackOrder, shown, shownOnOneLine, srtText } from './any-transcript.ts';

/** Copied from the types of the package, which TypeScript does not find. */
interface Entry {
  from: number;
  to: number;
  text: string;
}

// The parser's default table lacks the semicolons, so it would read `&lt;` as `<;`.
const validator = new WebVTTParser({ '&amp;': '&', '&lt;': '<', '&gt;': '>' });

interface Parser {
  name: string;
  read: (memory: TranscriptSource, options: SubtitleOptions) => Pick<Cue, 'start' | 'end' | 'text'>[];
  expected: (cues: readonly Cue[]) => unknown;
}

/** How to read a transcript with each parser, and the expected result. */
const parsers: Parser[] = [
  {
    name: '@plussub/srt-vtt-parser',
    read: (memory, options) =>
      parseSubtitles(toSrt(memory, options)).entries.map(({ from, to, text }: Entry) =>
        inSrt({ start: from, end: to }, text),
      ),
    expected: asSrt,
  },
  { name: 'a WebVTT validator', read: readVtt, expected: asVtt },
];

for (const { name, read, expected } of parsers) {
  const assertReadBack = (memory: TranscriptSource) => {
    const { cues } = normalizeTranscript(memory);
    expect(read(memory, { cues: 'stored' })).toEqual(expected(cues));
    const parts = read(memory, { speakerLabels: false });
    expect(parts.filter(({ start, end }) => end - start < 1)).toEqual([]);
    expect(charactersOf(parts.map(({ text }) => text))).toBe(charactersOf(cues.map(({ text }) => shown(text))));
  };

  test(`${name} reads back the cues of any transcript`, () => {
    fc.assert(fc.property(anyTranscript({ hours: 1_000 }), assertReadBack), { numRuns: runCounts.transcripts.short });
  });

  test.each(Object.entries(edgeCases))(`${name} reads back the edge case %s`, (_, memory) => assertReadBack(memory));
}

function inSrt(times: Pick<Cue, 'start' | 'end'>, text: string) {
  return { ...times, text: text.replaceAll('\u2060', '') };
}

function asSrt(cues: readonly Cue[]) {
  return cues.map((cue) => ({ start: cue.start, end: cue.end, text: srtText(cue) }));
}

function readVtt(memory: TranscriptSource, options: SubtitleOptions) {
  const { cues, errors } = validator.parse(toVtt(memory, options));
  expect(errors).toEqual([]);
  return cues.map(({ startTime, endTime, tree }) => {
    const [voice] = tree.children;
    const label = voice?.type === 'object' && voice.name === 'v' ? voice.value : '';
    return { ...milliseconds(startTime, endTime), speaker: labelOf(decode(label)), text: textOf(tree.children) };
  });
}

function asVtt(cues: readonly Cue[]) {
  return inTrackOrder(cues).map(({ start, end, speaker, text }) => {
    return { start, end, speaker: labelOf(shownOnOneLine(speaker)), text: shown(text) };
  });
}

/** WebVTT collapses white space in a voice label. */
function labelOf(voice: string): string {
  return voice.replace(/[\t ]+/g, ' ');
}

function textOf(nodes: TreeNode[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'timestamp') throw new Error('A text became a timestamp.');
      return node.type === 'text' ? node.value : textOf(node.children as TreeNode[]);
    })
    .join('');
}

/** The validator does not decode character references in a label. */
function decode(label: string): string {
  return label.replace('&#45;', '-').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

function milliseconds(start: number, end: number) {
  return { start: Math.round(start * 1000), end: Math.round(end * 1000) };
}
