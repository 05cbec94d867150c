import type { MemoryRecord, Summary, Transcript } from '@memory-read/contract';
import { toInstant } from '../instant.ts';

const ORDINARY_SECONDS = 300;

/** Returns a processed memory that has just ended, with the given fields. */
export function ordinaryMemory(
  given: Partial<MemoryRecord>,
  { now, count }: { now: Date; count: number },
): MemoryRecord {
  const times = timesOf(given, now);
  const id = given.id ?? createMemoryId(toInstant(times.started_at), count);
  const generated = given.is_processing ? { transcript: null, summary: null } : generatedFields(times);
  return {
    id,
    name: `Memory ${count}`,
    is_processing: false,
    ...times,
    ...generated,
    media: ordinaryMedia(id),
    ...given,
  };
}

/** Returns the media of an ordinary memory. */
export function ordinaryMedia(memoryId: string) {
  return {
    audio: { object_key: `${memoryId}/audio.wav`, content_type: 'audio/wav' },
    video: { object_key: `${memoryId}/video.webm`, content_type: 'video/webm' },
    preview_image: { object_key: `${memoryId}/preview.png`, content_type: 'image/png' },
  };
}

/** Returns the transcript and the summary of an ordinary recording. */
export function generatedFields(times: Times): { transcript: Transcript; summary: Summary } {
  const lengthMs = toInstant(times.ended_at) - toInstant(times.started_at);
  const part = (index: number) => movedBy(times.started_at, Math.round((lengthMs * index) / lines.length));
  const segments = lines.map((text, index) => ({
    speaker: `Speaker ${(index % 2) + 1}`,
    start_at: part(index),
    end_at: part(index + 0.9),
    text,
  }));
  return {
    transcript: { segments },
    summary: {
      quick_summary: 'Two people agree on when to meet again.',
      key_takeaways: ['They meet on Thursday', 'One of them brings the plans'],
    },
  };
}

const lines = ['Shall we meet again on Thursday?', 'Thursday is good.', 'Will you bring the plans?', 'I will.'];

type Times = Pick<MemoryRecord, 'started_at' | 'ended_at'>;

/** Derives missing times from the given ones. */
function timesOf(given: Partial<MemoryRecord>, now: Date): Times & { duration_seconds: number } {
  const { started_at: start, ended_at: end } = given;
  const between = secondsBetween(start, end);
  if (given.duration_seconds === undefined && Number(between) < 0) throw orderError(start, end);
  const seconds = given.duration_seconds ?? between ?? ORDINARY_SECONDS;
  const started_at = start ?? movedBy(end ?? now.toISOString(), -seconds * 1000);
  return { started_at, ended_at: end ?? movedBy(started_at, seconds * 1000), duration_seconds: seconds };
}

function secondsBetween(start: string | undefined, end: string | undefined): number | undefined {
  if (start === undefined || end === undefined) return undefined;
  const seconds = Math.round((toInstant(end) - toInstant(start)) / 1000);
  return Number.isNaN(seconds) ? undefined : seconds;
}

function orderError(start: string | undefined, end: string | undefined): RangeError {
  return new RangeError(
    `Failed to add a memory: ended_at (${end}) is before started_at (${start}). Swap them, or set duration_seconds.`,
  );
}

/** An invalid time is returned unchanged, and the store reports it. */
function movedBy(dateTime: string, milliseconds: number): string {
  const moved = new Date(toInstant(dateTime) + milliseconds);
  return Number.isNaN(moved.getTime()) ? dateTime : moved.toISOString();
}

/** Returns `mem_` and a ULID. Of two memories with the same start, the later one is listed first. */
function createMemoryId(startedAtMs: number, count: number): string {
  return `mem_${toBase32(Math.max(startedAtMs, 0) || 0, 10)}${toBase32(count, 16)}`;
}

function toBase32(value: number, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest = Math.floor(rest / 32)) {
    digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.charAt(rest % 32) + digits;
  }
  return digits;
}
