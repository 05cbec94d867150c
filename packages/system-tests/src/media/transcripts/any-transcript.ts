import type { Cue, TranscriptSource } from '@memory-read/client/transcript';
import fc from 'fast-check';

const beginning = Date.UTC(2026, 7, 20, 10);

const awkward = [
  ...['\n', '\r\n', '\r', '\n\n', '\u2028', '\x85', '\v', ' \n\t\n', ' ', '\u00a0', '\ufeff', '\0'],
  ...['-->', '\n\n7\n00:00:01,000 --> 00:00:02,000\n', '\n\n00:01.000 --> 00:02.000\n'],
  ...['WEBVTT\n\n', '\nNOTE ', 'STYLE\n', '# ', '- ', '1. ', '\n---\n', '\\'],
  ...'<v Eve>|</v>|<b>|<00:00:01.000>|&|&amp;|&#60;|&lt|{\\an8}|>|<|\u202eשלום\u202c|שלום\u200f!|مرحبا|👩🏽‍🚀|\ud83d|漢字|:|::|(|((a))|\u001b[2J|\u009b31m|\u0007'.split(
    '|',
  ),
  ...'```~`~*~_~[a](b)~![~<script>~<!--~| a |~https://a.b/?c=d&e_f~//a.b~www.a.b~a@b.co'.split('~'),
];

/** Text with a special meaning for a player, a browser or a renderer, and any other text. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom(...awkward), fc.string({ maxLength: 5 })), { maxLength: 6 })
  .map((parts) => parts.join(''));

/**
 * Generates transcripts of recordings of up to this many hours, with unordered and overlapping segments of all lengths.
 */
export function anyTranscript({ hours }: { hours: number }): fc.Arbitrary<TranscriptSource> {
  const moment = fc
    .oneof(fc.integer({ min: -5_000, max: 65_000 }), fc.integer({ min: 0, max: hours * 3_600_000 - 1_000 }))
    .map((milliseconds) => new Date(beginning + milliseconds).toISOString());
  const speaker = fc.oneof(fc.constantFrom('Speaker 1', 'Speaker 2', ''), anyText);
  const segments = fc.array(fc.record({ speaker, start_at: moment, end_at: moment, text: anyText }), { maxLength: 8 });
  return segments.map((list) => ({ started_at: new Date(beginning).toISOString(), transcript: { segments: list } }));
}

/** Returns the visible text, line by line. Implemented differently than in the client, as a second opinion. */
export function shown(text: string): string {
  const lines = text
    .replace(/[\s\x85]*[\n\v\f\r\x85\u2028\u2029][\s\x85]*/g, '\n')
    .replace(/^[\s\x85]+|[\s\x85]+$/g, '');
  return Array.from(lines, (character) => (isControl(character) ? '\ufffd' : character)).join('');
}

/** Controls of terminals, and of the direction of the text around them, but for tabs and line feeds. */
function isControl(character: string): boolean {
  if (character === '\t' || character === '\n') return false;
  return character < ' ' || (character >= '\x7f' && character < '\xa0') || directions.includes(character);
}

const directions = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';

/** Returns the visible text on one line, as in a label. */
export function shownOnOneLine(text: string): string {
  return shown(text).replaceAll('\n', ' ');
}

/** Returns a cue in SubRip. Without a speaker, text before a colon would look like one. */
export function srtText({ speaker, text }: Cue): string {
  const label = shownOnOneLine(speaker) || (shown(text).includes(':') ? '?' : '');
  return label === '' ? shown(text) : `${label}: ${shown(text)}`.trim();
}

/** Returns all characters but white space, sorted: parts of overlapping segments are mixed. */
export function charactersOf(texts: readonly string[]): string {
  return [
    ...texts
      .join('')
      .replace(/[\s\x85]/g, '')
      .toWellFormed(),
  ]
    .sort()
    .join('');
}

/** Browsers and validators sort cues by start. Of cues with the same start, the longest comes first. */
export function inTrackOrder(cues: readonly Cue[]): Cue[] {
  return [...cues].sort((a, b) => a.start - b.start || b.end - a.end);
}
