import type { ProblemName } from '@memory-read/contract/operations';
import type { AnswerBody } from '../http/answer.ts';
import type { MediaUrls } from '../http/memory-json.ts';
import type { MemoryStore } from '../ports/memory-store.ts';

/** An authenticated request of one account. */
export interface HandlerContext {
  store: MemoryStore;
  userId: string;
  /** Path of the request, as it was sent. */
  rawPath: string;
  /** False for HEAD, which has the status and headers of GET and no body. */
  wantsBody: boolean;
  mediaUrls: MediaUrls;
  signal: AbortSignal;
  /** Reports a failure after the response has begun. */
  reportError: (error: unknown) => void;
}

/** The JSON of a 200, or the name of a problem. */
export type HandlerResult = { body: AnswerBody } | { problem: ProblemName };

/** Handles one operation. If it throws, the response is a 500. */
export type Handler = (context: HandlerContext) => Promise<HandlerResult>;
