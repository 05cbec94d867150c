import { type TranscriptSource, toMarkdown, turns } from '@memory-read/client/transcript';
import { edgeCases } from '@memory-read/fixtures';
import { runCounts } from '@memory-read/test-kit/run-counts';
import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { anyTranscript, shownOnOneLine } from './any-transcript.ts';

test.each([{ speakerLabels: true, timestamps: true }, { speakerLabels: false }])(
  'rendered like on GitHub, any transcript consists of paragraphs with its text, and nothing else (%j)',
  (options) => {
    fc.assert(
      fc.property(anyTranscript({ hours: 1_000 }), (memory) => {
        expect(render(toMarkdown(memory, options))).toEqual(paragraphsOf(memory, options));
      }),
      { numRuns: runCounts.transcripts.short },
    );
  },
);

// Rendering the 10,000 paragraphs of the long transcript takes seconds, and covers no further case.
const { longTranscript: _, ...awkwardCases } = edgeCases;

test.each(Object.entries(awkwardCases))('rendered like on GitHub, the edge case %s shows its text', (_name, memory) => {
  expect(render(toMarkdown(memory))).toEqual(paragraphsOf(memory, {}));
});

function render(markdown: string): string[] {
  // Raw HTML is not removed, so that the comparison detects it.
  const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] };
  return micromark(markdown, options)
    .split('\n')
    .filter((line) => line !== '');
}

function paragraphsOf(
  memory: TranscriptSource,
  { speakerLabels = true, timestamps = false }: { speakerLabels?: boolean; timestamps?: boolean },
): string[] {
  return turns(memory)
    .map(({ speaker, start, text }) => {
      const label = speakerLabels ? shownOnOneLine(speaker) : '';
      const clock = timestamps && `<code>${clockOf(start)}</code>`;
      return [clock, label !== '' && `<strong>${escapeHtml(label)}:</strong>`, escapeHtml(text)]
        .filter(Boolean)
        .join(' ');
    })
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph}</p>`);
}

function clockOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const rest = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return [Math.floor(seconds / 3600), ...rest].join(':');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
