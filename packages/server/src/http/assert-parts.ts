import type { MemoryApiOptions } from '../create-memory-api.ts';

type Parts = Required<Pick<MemoryApiOptions, 'store' | 'authenticate' | 'mediaSigner' | 'clock'>>;

/** @throws TypeError when a part has not the functions that requests will need. */
export function assertParts({
  store,
  authenticate,
  mediaSigner,
  clock,
}: { [Name in keyof Parts]: Parts[Name] | undefined }): void {
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
    `Failed to create the API: because ${missing} is no function. Pass { store, authenticate, mediaSigner }.`,
  );
}
