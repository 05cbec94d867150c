import type { ListedMemory, Memory } from '@memory-read/contract';
import type { CallSite } from '../call-site.ts';
import type { RequestOptions } from '../client-options.ts';
import type { Runtime } from '../transport/runtime.ts';
import { idOf } from '../validation/left-out.ts';

/** The parts of a client that polling uses. */
export interface PollSource {
  readonly baseUrl: string;
  readonly runtime: Runtime;
  /** Where the caller called the client. */
  readonly site: CallSite;
  /** The option of the client. */
  readonly maxRetryAfter: number | undefined;
  /** Returns the text without keys and queries of signed URLs. */
  redact(text: string): string;
  listMemories(options: RequestOptions): Promise<ListedMemory[]>;
  getMemory(memoryId: string, options: RequestOptions): Promise<Memory>;
}

/** Returns the memories of a list by id. Without validation, an item may be anything. */
export function byId(list: readonly ListedMemory[]): Map<string, ListedMemory> {
  const memories = list.filter((memory) => idOf(memory) !== undefined);
  return new Map(memories.map((memory) => [memory.id, memory]));
}
