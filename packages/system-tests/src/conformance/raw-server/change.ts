import type { RawAccount, RawMemory } from './memories.ts';

/** A request, as far as the server looks at it. */
export interface RawRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  /** Whether the path is the list's. */
  isList: boolean;
}

/** What is sent; a body that is not a string is sent as JSON. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** How a mutant differs from the server that keeps every rule: one of these, at one place. */
export interface Change {
  /** Each memory, as it is sent. */
  memory?: (memory: RawMemory, where: 'list' | 'detail') => unknown;
  /** The memories of a list, in their order, before it is sent. */
  list?: (memories: RawMemory[], request: RawRequest) => unknown;
  /** The finished answer. */
  answer?: (answer: RawAnswer, request: RawRequest) => RawAnswer;
  /** Whose key it is; `key` is undefined when none is sent. */
  account?: (account: RawAccount | undefined, key: string | undefined, request: RawRequest) => RawAccount | undefined;
  /** Which accounts a memory is looked for in. */
  searched?: (account: RawAccount, request: RawRequest) => RawAccount[];
  /** The key out of the headers; an array when there are two. */
  keys?: (keys: string[], request: RawRequest) => string[];
  /** How many seconds a media URL lives from its response. */
  lifetime?: (seconds: number, field: string) => number;
  /** Whether a media URL opens its file. */
  opens?: (isSigned: boolean, path: string, query: URLSearchParams) => boolean;
}
