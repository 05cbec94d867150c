import type { ProblemName } from '@memory-read/contract/operations';
import type { AnswerBody } from '../http/answer.ts';
import type { MediaUrls } from '../http/memory-json.ts';
import type { MemoryStore } from '../ports/memory-store.ts';

/** What a handler works with: an authenticated request of one account. */
export interface HandlerContext {
  store: MemoryStore;
  userId: string;
  /** Path of the request, as it was sent. */
  rawPath: string;
  /** False for HEAD, which is told what GET would answer. */
  wantsBody: boolean;
  mediaUrls: MediaUrls;
  signal: AbortSignal;
  /** Tells of a failure that comes after the response has begun. */
  reportError: (error: unknown) => void;
}

/** The JSON of a 200, or the problem to answer with. */
export type HandlerResult = { body: AnswerBody } | { problem: ProblemName };

/** Answers one operation. What it throws is a 500. */
export type Handler = (context: HandlerContext) => Promise<HandlerResult>;
