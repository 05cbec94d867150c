import { startError } from './start-error.ts';

/** The right of a mock to be the only one of its page. */
export interface PageClaim {
  /** Stops the mock, once, and then lets another one start. */
  end(stop: () => unknown): Promise<void>;
  /** Gives the right back, after a start that failed. */
  release(): void;
}

// Several copies of this package in a page have this key in common.
const key = Symbol.for('@memory-read/msw/browser');
const page = globalThis as { [key]?: { closing?: Promise<void> } | undefined };

/** Claims the page, if necessary after a mock that is about to close. */
export async function claimPage(): Promise<PageClaim> {
  while (page[key]?.closing) await page[key].closing;
  if (page[key]) throw startError('a mock already runs in this page', 'Close it first');
  const claim: { closing?: Promise<void> } = {};
  page[key] = claim;
  const release = () => {
    page[key] = undefined;
  };
  async function close(stop: () => unknown): Promise<void> {
    await stop();
    release();
  }
  return { end: (stop) => (claim.closing ??= close(stop)), release };
}
