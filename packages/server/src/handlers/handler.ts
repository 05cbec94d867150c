import type { ProblemName } from '@memory-read/contract/operations';
import type { MediaUrls } from '../http/memory-json.ts';
import type { PlainBody } from '../http/plain-response.ts';
import type { BodyScope } from '../http/start-body.ts';
import type { MemoryStore } from '../ports/memory-store.ts';

/** An authenticated request of one account. */
export interface HandlerContext extends BodyScope {
  store: MemoryStore;
  userId: string;
  /** The parameter of the path, as it was sent. Empty if the path has none. */
  segment: string;
  /** False for HEAD, which has the status and headers of GET and no body. */
  wantsBody: boolean;
  mediaUrls: MediaUrls;
}

/** The JSON of a 200, or the name of a problem. */
export type HandlerResult = { body: PlainBody } | { problem: ProblemName };

/** Handles one operation. If it throws, the response is a 500. */
export type Handler = (context: HandlerContext) => Promise<HandlerResult>;
