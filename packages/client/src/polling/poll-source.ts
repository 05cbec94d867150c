import type { ListedMemory, Memory } from '@memory-read/contract';
import type { RequestOptions } from '../client-options.ts';
import type { Runtime } from '../transport/runtime.ts';
import { isObject } from '../validation/shape.ts';

/** What polling needs of a client. */
export interface PollSource {
  readonly baseUrl: string;
  readonly runtime: Runtime;
  /** A text as it may stand in an error. */
  redact(text: string): string;
  listMemories(options: RequestOptions): Promise<ListedMemory[]>;
  getMemory(memoryId: string, options: RequestOptions): Promise<Memory>;
}

/** The memories of a list by their ids, each once; without validation, an item may be anything. */
export function byId(list: readonly ListedMemory[]): Map<string, ListedMemory> {
  const memories = list.filter((memory) => isObject(memory) && typeof memory.id === 'string');
  return new Map(memories.map((memory) => [memory.id, memory]));
}
