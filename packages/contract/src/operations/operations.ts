import { getMemory } from './get-memory.ts';
import { listMemories } from './list-memories.ts';
import type { Operation } from './operation.ts';

/** Every operation of the API, by id: the one list that server, client, OpenAPI document and conformance follow. */
export const operations = { listMemories, getMemory } as const satisfies Record<string, Operation>;

/** Name of an operation. */
export type OperationId = keyof typeof operations;
