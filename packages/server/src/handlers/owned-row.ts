import type { StoredMemory } from '../ports/memory-store.ts';

/** Lets a row pass only when it belongs to the account: a store's mistake must never become a leak (section 5.5). */
export function ownedRow(row: StoredMemory, userId: string): StoredMemory {
  if (row.user_id === userId) return row;
  throw new Error(
    'Failed to read memories: because the store returned a memory of another account. Check how the store selects by user id.',
  );
}
