import { openMirror } from '@memory-read/mirror';

/** What Activepieces stores for a trigger. */
interface Store {
  get<T>(key: string): Promise<T | null>;
  put<T>(key: string, value: T): Promise<unknown>;
}

/** The `run` of a polling trigger: returns up to 100 events that it has not returned before. Another process syncs. */
export async function run({ store }: { store: Store }) {
  const mirror = await openMirror({ folder: process.env.MEMORY_READ_MIRROR ?? 'memories', readOnly: true });
  try {
    const after = (await store.get<string>('cursor')) ?? undefined;
    const { events, cursor } = await mirror.events({ after, types: ['memory.processed'] });
    if (cursor !== null) await store.put('cursor', cursor);
    return events;
  } finally {
    await mirror.close();
  }
}
