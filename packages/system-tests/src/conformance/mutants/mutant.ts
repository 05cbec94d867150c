import type { Change, RawAnswer, RawRequest } from '../raw-server/change.ts';
import type { RawMemory } from '../raw-server/memories.ts';

/** A server that breaks one thing, and every rule that has to go red for it. */
export interface Mutant {
  name: string;
  change: Change;
  red: readonly string[];
}

/** Servers that turn the same rules red, by what each of them does. */
export function breaking(red: readonly string[], changes: Record<string, Change>): Mutant[] {
  return Object.entries(changes).map(([name, change]) => ({ name, change, red }));
}

/** The memory without a field. */
export function without(memory: RawMemory, field: string): RawMemory {
  const { [field]: _gone, ...rest } = memory;
  return rest;
}

/** Whether a body is a memory in processing. */
export function isProcessing(body: unknown): boolean {
  return (body as { is_processing?: unknown }).is_processing === true;
}

/** What an error says. */
export function detailOf(body: unknown): string {
  return String((body as { detail?: unknown }).detail);
}

/** Picks the 401 with this detail. */
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

/** Changes the answers that a condition picks. */
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
