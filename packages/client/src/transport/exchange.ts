/** What an answer says before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly receivedAt: Date;
}

/** What happens inside the `fetch` of one attempt, of which ky passes on nothing but how it ended. */
export interface Exchange {
  /** Follows the caller's signal, and is aborted when the attempt ends. */
  readonly signal: AbortSignal;
  /** What is sent. It is held here because Node loses an abort on its way through a request that it has collected. */
  request?: Request;
  /** Why there was no key: the provider's own rejection, which passes through. */
  keyFailure?: { readonly reason: unknown };
  /** Set while the key is awaited. */
  isKeyPending?: boolean;
  /** What it all failed with, where that was no timer of ours: a fetch option may have one of the same kind. */
  fault?: unknown;
  /** What the fetch option answered with, where nothing can be read of it. */
  misuse?: string;
  /** Set once headers arrived. */
  head?: ResponseHead;
  /** The body, once it has been read. */
  text?: string;
  /** Lets go of the body, and so of its connection. */
  cancelBody?: () => void;
  /** Set when the body went beyond what is read. */
  isTooLarge?: boolean;
}
