// The forms of the client: an object with methods, and functions that take the client first.
import { MemoryClient } from '@memory-read/client';
import {
  createClient,
  getMemory,
  listMemories,
  mediaUrl,
  openMedia,
  waitForMemories,
  waitForMemory,
  watchMemories,
} from '@memory-read/client/functions';

const functions = { getMemory, listMemories, mediaUrl, openMedia, waitForMemories, waitForMemory, watchMemories };

/** Each creates a client, and returns it with its calls as methods. */
export const clientForms = {
  class(options) {
    const client = new MemoryClient(options);
    return { client, calls: client };
  },
  functions(options) {
    const client = createClient(options);
    const bound = Object.entries(functions).map(([name, call]) => [name, (...rest) => call(client, ...rest)]);
    return { client, calls: Object.fromEntries(bound) };
  },
};
