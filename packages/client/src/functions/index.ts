/**
 * The client as functions.
 *
 * @packageDocumentation
 */
import { MemoryClient } from '../memory-client.ts';

type Reading = 'listMemories' | 'getMemory' | 'waitForMemory' | 'waitForMemories' | 'watchMemories';
type Method = Reading | 'mediaUrl' | 'openMedia';
type Read<Name extends Method> = (
  client: MemoryClient,
  ...rest: Parameters<MemoryClient[Name]>
) => ReturnType<MemoryClient[Name]>;

/** Creates a client for these functions. */
export function createClient(options?: ConstructorParameters<typeof MemoryClient>[0]): MemoryClient {
  return new MemoryClient(options);
}

/** Returns all memories of the account. */
export const listMemories: Read<'listMemories'> = (client, ...rest) => client.listMemories(...rest);
/** Returns one memory. */
export const getMemory: Read<'getMemory'> = (client, ...rest) => client.getMemory(...rest);
/** Polls a memory until it is processed. */
export const waitForMemory: Read<'waitForMemory'> = (client, ...rest) => client.waitForMemory(...rest);
/** Polls several memories. */
export const waitForMemories: Read<'waitForMemories'> = (client, ...rest) => client.waitForMemories(...rest);
/** Polls the list. */
export const watchMemories: Read<'watchMemories'> = (client, ...rest) => client.watchMemories(...rest);
/** Returns a signed URL of the media. */
export const mediaUrl: Read<'mediaUrl'> = (client, ...rest) => client.mediaUrl(...rest);
/** Downloads the media as a stream. */
export const openMedia: Read<'openMedia'> = (client, ...rest) => client.openMedia(...rest);
