/**
 * The API's operations and wire errors as tables. Not stable: rows and fields may change in a minor version.
 *
 * @packageDocumentation
 */
export type { ResponseBodies } from '../memory.ts';
export { type Problem, type ProblemName, problems } from '../problems/problems.ts';
export { isRequestId } from '../request-id.ts';
export type { Operation } from './operation.ts';
export { type OperationId, operations } from './operations.ts';
