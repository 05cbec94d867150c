/** Delivers the events of a new mirror to a receiver that is dead at first. Prints the time after that, and the peak memory. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createWebhookSender, DeliveryError, type SendEvent } from '@memory-read/mirror';
import { peakMemory } from '../measurement/process-memory.ts';
import { openLoggedMirror, webhookSecret } from '../memories/logged-events.ts';

const DEAD = 2_000;
const [, , folder = '', events, url = ''] = process.argv;
const mirror = await openLoggedMirror(folder, Number(events));
const post = createWebhookSender({ url, secret: webhookSecret });
const alive = performance.now() + DEAD;
const send: SendEvent = (event, context) => {
  if (performance.now() < alive) throw new DeliveryError('the receiver is dead', { action: 'unavailable' });
  return post(event, context);
};

let delivered = 0;
let accepting = 0;
for (;;) {
  const start = performance.now();
  const report = await mirror.deliver('default', send);
  delivered += report.delivered;
  if (report.delivered > 0) accepting += performance.now() - start;
  if (report.nextTry === null) break;
  await sleep(Math.max(1, report.nextTry.getTime() - Date.now()));
}
await mirror.close();
console.log(JSON.stringify({ delivered, milliseconds: accepting, peakBytes: peakMemory() }));
