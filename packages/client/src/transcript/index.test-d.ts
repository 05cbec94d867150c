import type { ListedMemory, Memory, MemoryRecord } from '@memory-read/contract';
import { normalizeTranscript, renameSpeakers, type TranscriptWarning, toSrt, toText, toVtt } from './index.ts';

declare const memory: Memory;
declare const listed: ListedMemory;
declare const record: MemoryRecord;
declare const warning: TranscriptWarning;

// Every type with a start and a transcript is accepted.
toVtt(memory) satisfies string;
toVtt(listed) satisfies string;
toVtt(record) satisfies string;
// @ts-expect-error: times count from the start
toVtt({ transcript: null });

// A copy has the same type.
renameSpeakers(memory, { 'Speaker 1': 'Ada' }) satisfies Memory;
renameSpeakers(record, new Map([['Speaker 1', 'Ada']])) satisfies MemoryRecord;
// @ts-expect-error: a name is a string
renameSpeakers(memory, { 'Speaker 1': 1 });

toText(memory, { timestamps: undefined, speakerLabels: undefined }) satisfies string;
// @ts-expect-error: a subtitle always has its times
toSrt(memory, { timestamps: true });

normalizeTranscript(memory).cues[0]?.start satisfies number | undefined;
// A warning about the start of the recording names no segment.
// @ts-expect-error: null has to be dealt with
warning.segment satisfies number;
