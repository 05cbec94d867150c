import type { Change, RawAnswer, RawRequest } from '../raw-server/change.ts';
import type { RawMemory } from '../raw-server/memories.ts';

/** A server that breaks one thing, and every rule that has to go red for it. */
export interface Mutant {
  name: string;
  change: Change;
  red: readonly string[];
}

/** A mutant whose memories have another value in a field, in lists and alone. */
export function withField(field: string, value: unknown, red: readonly string[] = [`2.1 ${field}`]): Mutant {
  return {
    name: `${field} is ${JSON.stringify(value)}`,
    change: { memory: (memory) => ({ ...memory, [field]: value }) },
    red,
  };
}

/** The memory without a field. */
export function without(memory: RawMemory, field: string): RawMemory {
  const { [field]: _gone, ...rest } = memory;
  return rest;
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
