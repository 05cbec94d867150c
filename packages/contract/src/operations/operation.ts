import type { ResponseBodies } from '../memory.ts';
import type { ProblemName } from '../problems/problems.ts';

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
  /** What a 200 response holds, as words and as the name of its component in the OpenAPI document. */
  readonly response: { readonly description: string; readonly component: keyof ResponseBodies };
  /** The errors that the specification documents for it. */
  readonly problems: readonly ProblemName[];
}
