import type { OperationId } from '@memory-read/contract/operations';
import { getMemory } from './get-memory.ts';
import type { Handler } from './handler.ts';
import { listMemories } from './list-memories.ts';

/** A handler for each row of the operation table. The code does not compile if one is missing. */
export const handlers = { listMemories, getMemory } satisfies Record<OperationId, Handler>;
