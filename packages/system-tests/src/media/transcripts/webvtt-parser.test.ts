import { normalizeTranscript, type TranscriptSource, toVtt } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TreeNode, WebVTTParser } from 'webvtt-parser';
import { runCounts } from '../../run-counts.ts';
import { anyTranscript, inTrackOrder, shown, shownOnOneLine } from './any-transcript.ts';

// Its own list lacks the semicolons, so that it would read `&lt;` as `<;`.
const parser = new WebVTTParser({ '&amp;': '&', '&lt;': '<', '&gt;': '>' });

test('a WebVTT validator finds nothing wrong with any transcript, and reads back its cues', () => {
  fc.assert(fc.property(anyTranscript({ hours: 1_000 }), assertReadBack), { numRuns: runCounts.transcripts.short });
});

test.each(Object.entries(edgeCases))('a WebVTT validator reads back the edge case %s', (_, memory) => {
  assertReadBack(memory);
});

function assertReadBack(memory: TranscriptSource): void {
  const { cues, errors } = parser.parse(toVtt(memory));
  expect(errors).toEqual([]);
  const read = cues.map(({ startTime, endTime, tree }) => {
    const [voice] = tree.children;
    const isVoiced = voice?.type === 'object' && voice.name === 'v';
    const speaker = isVoiced ? decodeLabel(voice.value).replace(/[\t ]+/g, ' ') : '';
    return { start: milliseconds(startTime), end: milliseconds(endTime), speaker, text: textOf(tree.children) };
  });
  const expected = inTrackOrder(normalizeTranscript(memory).cues).map(({ start, end, speaker, text }) => {
    return { start, end, speaker: shownOnOneLine(speaker).replace(/[\t ]+/g, ' '), text: shown(text) };
  });
  expect(read).toEqual(expected);
}

function textOf(nodes: TreeNode[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'timestamp') throw new Error('A text became a timestamp.');
      return node.type === 'text' ? node.value : textOf(node.children as TreeNode[]);
    })
    .join('');
}

/** It leaves references in a label as they are. */
function decodeLabel(label: string): string {
  return label.replace('&#45;', '-').replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
