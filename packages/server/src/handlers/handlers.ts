import type { OperationId } from '@memory-read/contract/operations';
import { getMemory } from './get-memory.ts';
import type { Handler } from './handler.ts';
import { listMemories } from './list-memories.ts';

/** A handler for each row of the operation table: a missing one does not compile. */
export const handlers = { listMemories, getMemory } satisfies Record<OperationId, Handler>;
