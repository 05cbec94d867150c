import type { ResponseBodies } from '../memory.ts';
import type { ProblemName } from '../problems/problems.ts';

/** An endpoint as data, for the server, the client, the OpenAPI document and the conformance run. */
export interface Operation {
  /** Key in the table, and `operationId` in the OpenAPI document. */
  readonly id: string;
  /** HTTP method. Every operation only reads. */
  readonly method: 'GET';
  /** Path below the base URL. A parameter is a whole segment in braces. */
  readonly path: `/v1/${string}`;
  /** Short description. */
  readonly summary: string;
  /** Section of the specification. */
  readonly section: string;
  /** Description of the 200 response, and the name of its component in the OpenAPI document. */
  readonly response: { readonly description: string; readonly component: keyof ResponseBodies };
  /** Errors that the specification documents for it. */
  readonly problems: readonly ProblemName[];
}
