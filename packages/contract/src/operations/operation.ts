import type { ProblemName } from '../problems/problems.ts';
import type { Schema } from '../schemas/schema.ts';

/** One endpoint as data: everything that server, client, document and conformance need to know of it. */
export interface Operation {
  /** Its key in the table, and its `operationId` in the OpenAPI document. */
  readonly id: string;
  /** HTTP method; every operation only reads. */
  readonly method: 'GET';
  /** Path below the base URL; a parameter stands in braces as one whole segment. */
  readonly path: `/v1/${string}`;
  /** What it does, in a few words. */
  readonly summary: string;
  /** Section of the specification. */
  readonly section: string;
  /** What a 200 response holds. */
  readonly response: { readonly description: string; readonly schema: Schema<unknown>; readonly component: string };
  /** The errors that the specification documents for it. */
  readonly problems: readonly ProblemName[];
}
