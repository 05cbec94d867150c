import type { OperationId } from '@memory-read/contract/operations';

/** Target of a request to a mock server: an operation of the API, or media. */
export type WireOperation = OperationId | 'media';
