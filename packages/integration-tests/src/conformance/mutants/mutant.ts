import type { Change, RawAnswer, RawRequest } from '../raw-server/change.ts';
import type { RawMemory } from '../raw-server/memories.ts';

/** A server that breaks one thing, and the rules that must fail for it. */
export interface Mutant {
  name: string;
  change: Change;
  red: readonly string[];
}

/** Servers for which the same rules fail, by the change of each of them. */
export function breaking(red: readonly string[], changes: Record<string, Change>): Mutant[] {
  return Object.entries(changes).map(([name, change]) => ({ name, change, red }));
}

/** Returns the memory without a field. */
export function without(memory: RawMemory, field: string): RawMemory {
  const { [field]: _gone, ...rest } = memory;
  return rest;
}

/** Returns whether a body is a memory that is being processed. */
export function isProcessing(body: unknown): boolean {
  return (body as { is_processing?: unknown }).is_processing === true;
}

/** Returns the detail of an error. */
export function detailOf(body: unknown): string {
  return String((body as { detail?: unknown }).detail);
}

/** Matches the 401 with this detail. */
export function isRefused(detail: string): (answer: RawAnswer) => boolean {
  return ({ status, body }) => status === 401 && detailOf(body) === detail;
}

/** Replaces the status and the body of a response. Its headers stay. */
export function saying(status: number, detail: string): Partial<RawAnswer> {
  return { status, body: { detail } };
}

/** Adds a header to a response. */
export function withHeader(name: string, value: string) {
  return ({ headers }: RawAnswer): Partial<RawAnswer> => ({ headers: { ...headers, [name]: value } });
}

/** Changes the responses that match a condition. */
export function answering(
  picks: (answer: RawAnswer, request: RawRequest) => boolean,
  changed: Partial<RawAnswer> | ((answer: RawAnswer) => Partial<RawAnswer>),
): Change {
  return {
    answer: (answer, request) => {
      if (!picks(answer, request)) return answer;
      return { ...answer, ...(typeof changed === 'function' ? changed(answer) : changed) };
    },
  };
}

/** Changes the transcripts of memories that have one. */
export function speaking(change: (segments: RawMemory[]) => unknown): Change {
  return {
    memory: (memory) => {
      const transcript = memory.transcript as { segments: RawMemory[] } | null;
      return transcript === null ? memory : { ...memory, transcript: { segments: change(transcript.segments) } };
    },
  };
}

/** Changes the summaries of memories that have one. */
export function summing(change: (summary: RawMemory) => unknown): Change {
  return {
    memory: (memory) =>
      memory.summary === null ? memory : { ...memory, summary: change(memory.summary as RawMemory) },
  };
}
