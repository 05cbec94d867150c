import type { Authenticate } from '../ports/authenticate.ts';
import type { Clock } from '../ports/clock.ts';
import type { MediaUrlSigner } from '../ports/media-url-signer.ts';
import type { MemoryStore } from '../ports/memory-store.ts';

/** The parts of the API. Plain JavaScript may omit any of them. */
interface Parts {
  store: MemoryStore | undefined;
  authenticate: Authenticate | undefined;
  mediaSigner: MediaUrlSigner | undefined;
  clock: Clock | undefined;
}

/** @throws TypeError if a part lacks a method that requests need. */
export function assertParts({ store, authenticate, mediaSigner, clock }: Parts): void {
  const functions: Record<string, unknown> = {
    authenticate,
    'store.listMemories': store?.listMemories,
    'store.getMemory': store?.getMemory,
    'mediaSigner.sign': mediaSigner?.sign,
    'clock.now': clock?.now,
  };
  const missing = Object.keys(functions).find((name) => typeof functions[name] !== 'function');
  if (missing === undefined) return;
  throw new TypeError(
    `Failed to create the API: ${missing} is not a function. Pass { store, authenticate, mediaSigner }.`,
  );
}
