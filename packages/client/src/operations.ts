import type { Schema } from '@memory-read/contract';
import type { OperationId, operations } from '@memory-read/contract/operations';
import { memoryListShape, memoryShape } from './validation/memory-shapes.ts';
import type { Shape } from './validation/shape.ts';

type Contract = typeof operations;

/** What a successful operation returns. */
export type ResponseOf<Id extends OperationId> =
  Contract[Id]['response']['schema'] extends Schema<infer Value> ? Value : never;

/** One operation as the client sees it: the contract's path, and its response with the client's tolerance. */
export interface ClientOperation<Id extends OperationId> {
  readonly method: Contract[Id]['method'];
  readonly path: Contract[Id]['path'];
  readonly shape: Shape<ResponseOf<Id>>;
  /** Whether the body is an array or an object; required in every validation mode. */
  readonly root: ResponseOf<Id> extends readonly unknown[] ? 'array' : 'object';
}

/**
 * The client's side of the operation table.
 *
 * Only types come from the contract, because its schemas weigh as much as all of this package. The compiler holds every
 * row against the contract's: a new operation, another path or another field does not compile until it is here too.
 */
export const clientOperations: { readonly [Id in OperationId]: ClientOperation<Id> } = {
  listMemories: { method: 'GET', path: '/v1/memories', shape: memoryListShape, root: 'array' },
  getMemory: { method: 'GET', path: '/v1/memories/{memory_id}', shape: memoryShape, root: 'object' },
};
