/** What an answer says before its body. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  readonly receivedAt: Date;
}

/** What happens inside the `fetch` of one attempt, of which ky passes on no more than the text. */
export interface Exchange {
  /** Why there was no key: the provider's own rejection, which passes through. */
  keyFailure?: { readonly reason: unknown };
  /** Set once headers arrived. */
  head?: ResponseHead;
  /** Set when the body went beyond what is read. */
  isTooLarge?: boolean;
}
