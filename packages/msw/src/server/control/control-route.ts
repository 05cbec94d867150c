import type { ProcessingOptions } from '../../memories/memory-controls.ts';
import type { MemoryOverrides } from '../../memories/memory-overrides.ts';
import type { ServerFault, ServerFaultMatch } from '../faults/wire-fault.ts';
import type { MockServer, MockSpace, MockSpaceOptions } from '../mock-server.ts';

/** A JSON Schema of the document. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A route of the control API: its request, its response and its call. Dispatch and the document are derived from it. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A parameter is a whole segment in braces. */
  readonly path: string;
  /** Completes "Failed to …", with the words of the control. */
  readonly action: string;
  /** Schemas of the parameters in the query. */
  readonly query?: Readonly<Record<string, JsonSchema>> | undefined;
  /** Schemas of the fields of the body, or a component whose fields the control checks. Without it, no field is allowed. */
  readonly body?: Readonly<Record<string, JsonSchema>> | 'MemoryChanges' | undefined;
  /** Default: 200, or 204 without a body in the response. */
  readonly status?: 201 | undefined;
  /** Schema of the body of the response. */
  readonly returns?: JsonSchema | undefined;
  readonly call: (context: ControlContext) => unknown;
}

/** Returns the status of a success. */
export function statusOf({ status, returns }: ControlRoute): number {
  return status ?? (returns === undefined ? 204 : 200);
}

/** A request to a route. */
export interface ControlContext {
  readonly action: string;
  readonly server: MockServer;
  /** The space in the path, or the default one. */
  readonly space: MockSpace;
  /** Parameters in the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The body; an empty object without one. No type is checked yet: the controls do it. */
  readonly body: ControlBody;
  /** Aborts when the caller closes the connection. */
  readonly signal: AbortSignal;
  readonly nextEntry: NextEntry;
}

/** Resolves with the next entry of the log of a space. Rejects at the abort, a reset or the end of the space. */
export type NextEntry = (space: MockSpace, signal: AbortSignal) => Promise<unknown>;

type ControlBody = MockSpaceOptions &
  MemoryOverrides &
  ProcessingOptions & {
    advance?: number;
    set?: string;
    memory?: MemoryOverrides;
    processing?: boolean;
    fault: ServerFault;
    times?: number | 'always';
    match?: ServerFaultMatch;
  };
