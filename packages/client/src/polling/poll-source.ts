import type { ListedMemory, Memory } from '@memory-read/contract';
import type { CallSite } from '../call-site.ts';
import { bindCallerContext } from '../caller-context.ts';
import { type Client, type ClientState, stateOf } from '../client.ts';
import type { RequestOptions } from '../client-options.ts';
import { read } from '../read-memories.ts';
import { idOf } from '../validation/left-out.ts';

/** The reads of a wait or a watch. They run in the asynchronous context of the caller that created it. */
export interface PollSource {
  /** Where the caller called the client. */
  readonly site: CallSite;
  /** Throws if the caller passed no client. */
  state(): ClientState;
  listMemories(options: RequestOptions): Promise<ListedMemory[]>;
  getMemory(memoryId: string, options: RequestOptions): Promise<Memory>;
}

/** @param name - the function that the caller called, for messages. */
export function createPollSource(client: Client, name: string): PollSource {
  const site = new Error();
  const state = () => stateOf(client, name);
  return {
    site,
    state,
    listMemories: bindCallerContext(async (options: RequestOptions) => {
      const mode = options.validation ?? state().settings.validation;
      const validation = mode === 'strict' ? 'skip' : mode;
      return read(client, { operation: 'listMemories', site }, { ...options, validation });
    }),
    getMemory: bindCallerContext((memoryId: string, options: RequestOptions) =>
      read(client, { operation: 'getMemory', memoryId, site }, options),
    ),
  };
}

/** Returns the memories of a list by id. Without validation, an item may be anything. */
export function byId(list: readonly ListedMemory[]): Map<string, ListedMemory> {
  const memories = list.filter((memory) => idOf(memory) !== undefined);
  return new Map(memories.map((memory) => [memory.id, memory]));
}
