import type { Memory } from '@memory-read/client';
import { speakers, storedSegments } from '@memory-read/client/transcript';
import { cursorsOf } from '../output/cursor.ts';
import { fence, fenceNotice } from '../output/fence.ts';
import { jsonLength } from '../output/json-length.ts';
import { localTimeIn } from '../output/local-time.ts';
import { encodeId, LONGEST_ID } from '../output/shown-id.ts';
import { shownNames } from '../output/shown-people.ts';
import { shownLabel, shownName, shownText } from '../output/shown-text.ts';
import { ToolError } from '../output/tool-error.ts';
import { transcriptPage } from '../output/transcript-page.ts';
import { transcriptDigest } from '../receipt/transcript-digest.ts';
import type { NamedMemory } from '../sources/memory-source.ts';
import { readMemory } from './read-memory.ts';
import { nullable, object, schemas, type Tool } from './tool.ts';

const SEGMENTS_BEFORE = 4;
const MOST_SPEAKERS = 10;
const TAKEAWAYS = 2_500;

/** Reads one memory. */
export const fetch: Tool = {
  name: 'fetch',
  title: 'Read a memory',
  description:
    'Reads one recording: summary and a page of its transcript. Pass the segment of a result to start near it.',
  input: object(
    {
      id: schemas.text,
      segment: { type: 'integer', minimum: 0 },
      cursor: schemas.cursor,
    },
    ['id'],
  ),
  output: object(
    {
      notice: schemas.notice,
      id: schemas.text,
      title: schemas.text,
      url: schemas.text,
      text: schemas.text,
      metadata: object({
        started_at: schemas.text,
        local: schemas.text,
        time_zone: schemas.text,
        ended_at: schemas.text,
        duration_seconds: schemas.count,
        is_processing: schemas.flag,
        speakers: { type: 'array', items: schemas.text },
        summary: nullable(schemas.text),
        key_takeaways: { type: 'array', items: schemas.text },
        more_takeaways: schemas.count,
        segments: nullable({ type: 'array', items: schemas.count }),
        total_segments: schemas.count,
        transcript_digest: schemas.text,
      }),
      next_cursor: schemas.text,
    },
    ['notice', 'id', 'title', 'url', 'text', 'metadata'],
  ),
  run: async ({ source, memoryUrl, createNonce, timeZone }, input, signal) => {
    const id = input.requiredText('id', LONGEST_ID);
    const segment = input.count('segment', { min: 0, max: Number.MAX_SAFE_INTEGER });
    const cursor = input.cursor();
    const read = await readMemory(source, id, signal);
    const { memory } = read;
    const digest = transcriptDigest(memory);
    const cursors = cursorsOf('fetch', [memory.id, digest]);
    const [at, offset] = cursors.read(cursor, (position) => isPageStart(memory, position)) ?? [
      startOf(memory, segment),
      0,
    ];
    const { lines, segments, next } = transcriptPage(read, { segment: Number(at), offset: Number(offset) });
    const nonce = createNonce();
    return {
      notice: fenceNotice(nonce),
      id: encodeId(memory.id),
      title: shownText(memory.name, 200),
      url: memoryUrl(memory.id),
      text: fence(lines.join('\n'), nonce),
      metadata: {
        ...describe(read),
        ...localTimeIn(timeZone)(memory.started_at),
        time_zone: timeZone,
        segments,
        total_segments: storedSegments(memory).length,
        transcript_digest: digest,
      },
      ...(next !== undefined && { next_cursor: cursors.write([next.segment, next.offset]) }),
    };
  },
};

function isPageStart(memory: Memory, [segment, offset]: readonly unknown[]): boolean {
  return isCount(segment) && isCount(offset) && segment < storedSegments(memory).length;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function startOf(memory: Memory, segment: number | undefined): number {
  if (segment === undefined) return 0;
  const count = storedSegments(memory).length;
  if (segment < count) return Math.max(0, segment - SEGMENTS_BEFORE);
  throw new ToolError(
    `Failed to fetch the segment: the transcript has ${count} ${count === 1 ? 'segment' : 'segments'}, from 0. Take a segment from search, or leave it out.`,
  );
}

function describe(read: NamedMemory) {
  const { memory, me } = read;
  const labels = speakers(memory).map(({ speaker }) => speaker);
  const takeaways = memory.summary?.key_takeaways ?? [];
  const shown: string[] = [];
  let left = TAKEAWAYS;
  for (const takeaway of takeaways) {
    const text = shownText(takeaway, 400);
    left -= jsonLength(text) + 1;
    if (left < 0) break;
    shown.push(text);
  }
  return {
    started_at: shownText(memory.started_at, 40),
    ended_at: shownText(memory.ended_at, 40),
    duration_seconds: memory.duration_seconds,
    is_processing: memory.is_processing,
    speakers: labels.slice(0, MOST_SPEAKERS).map(shownLabel),
    ...shownNames(labels, read),
    ...(me !== undefined && { me: shownName(me) }),
    summary: memory.summary && shownText(memory.summary.quick_summary, 1_500),
    key_takeaways: shown,
    ...(shown.length < takeaways.length && { more_takeaways: takeaways.length - shown.length }),
  };
}
