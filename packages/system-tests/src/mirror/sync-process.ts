/**
 * node sync-process.ts FOLDER BASE_URL
 *
 * Syncs a mirror with its media, until it is killed or done.
 */
import { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';

const [folder = '', baseUrl = ''] = process.argv.slice(2);
// Fixed times, so that histories are equal however often the sync starts.
const mirror = await openMirror({ folder, clock: { now: () => new Date('2026-11-23T12:00:00.000Z') } });
await mirror.sync(new MemoryClient({ baseUrl, apiKey: process.env.KEY ?? '', retries: 0 }), {
  media: true,
  concurrency: 1,
});
await mirror.close();
