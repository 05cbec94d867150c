import type { MemoryEvent } from '@memory-read/mirror';

/** What the receivers of the guide call. Tests replace `handle`. */
export const receiver = { handle: async (_event: MemoryEvent): Promise<void> => {} };

export const handle = (event: MemoryEvent): Promise<void> => receiver.handle(event);
