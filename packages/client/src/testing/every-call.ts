import type { MemoryClient } from '../index.ts';

type Calls = Pick<
  MemoryClient,
  'listMemories' | 'getMemory' | 'waitForMemory' | 'waitForMemories' | 'watchMemories' | 'mediaUrl' | 'openMedia'
>;

/** Every call of a client with its options. Those that return several results end with the first. */
export const everyCall: Record<keyof Calls, (client: Calls, options?: object) => Promise<unknown>> = {
  listMemories: (client, options) => client.listMemories(options),
  getMemory: (client, options) => client.getMemory('mem_1', options),
  waitForMemory: (client, options) => client.waitForMemory('mem_1', options),
  waitForMemories: (client, options) => client.waitForMemories(['mem_1'], options).next(),
  watchMemories: (client, options) => client.watchMemories(options)[Symbol.asyncIterator]().next(),
  mediaUrl: (client, options) => client.mediaUrl('mem_1', 'audio', options),
  openMedia: (client, options) => client.openMedia('mem_1', 'audio', options),
};
