/**
 * node deliver-process.ts FOLDER BASE_URL WEBHOOK_URL [once]
 *
 * Syncs a mirror and delivers its events side by side, until it is killed. With `once`, it syncs once, and ends when all
 * events are delivered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryClient } from '@memory-read/client';
import { createWebhookSender, openMirror } from '@memory-read/mirror';

const [folder = '', baseUrl = '', url = '', once] = process.argv.slice(2);
const { KEY = '', SECRET = '' } = process.env;
const mirror = await openMirror({ folder });
const client = new MemoryClient({ baseUrl, apiKey: KEY, retries: 0 });
const send = createWebhookSender({ url, secret: SECRET });
const deliver = () => mirror.deliver('default', send, { firstRetry: 1, longestRetry: 20 });

if (once === undefined) {
  const repeat = async (work: () => Promise<unknown>) => {
    for (;;) {
      await work();
      await sleep(2);
    }
  };
  await Promise.all([repeat(() => mirror.sync(client)), repeat(deliver)]);
}
await mirror.sync(client);
while ((await deliver()).pending > 0) await sleep(2);
await mirror.close();
