import type { RawAccount, RawMemory } from './memories.ts';

/** The parts of a request that the server reads. */
export interface RawRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** Whether the path is that of the list. */
  isList: boolean;
}

/** A response. A body that is not a string is sent as JSON. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** The difference between a mutant and the server that follows every rule. Each mutant sets one of these. */
export interface Change {
  /** Changes each memory before it is sent. */
  memory?: (memory: RawMemory, where: 'list' | 'detail') => unknown;
  /** Changes the memories of a list before they are sent. */
  list?: (memories: RawMemory[], request: RawRequest) => unknown;
  /** Changes the complete response. */
  answer?: (answer: RawAnswer, request: RawRequest) => RawAnswer;
  /** Returns the account of a key. `key` is undefined if none is sent. */
  account?: (account: RawAccount | undefined, key: string | undefined, request: RawRequest) => RawAccount | undefined;
  /** Returns the accounts in which a memory is looked up. */
  searched?: (account: RawAccount, request: RawRequest) => RawAccount[];
  /** Returns the key in the headers, or an array if there are two. */
  keys?: (keys: string[], request: RawRequest) => string[];
  /** Lifetime of a media URL in seconds. */
  lifetime?: (seconds: number, field: string) => number;
  /** Returns whether a media URL opens its file. */
  opens?: (isSigned: boolean, path: string, query: URLSearchParams) => boolean;
}
