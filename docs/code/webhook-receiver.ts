// #region receiver
import type { MemoryEvent } from '@memory-read/mirror';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.MEMORY_READ_WEBHOOK_SECRET ?? '');
const seen = new Set<string>();

/** Returns the status to answer with. A repeated event is accepted, and has no effect. */
export async function receive(body: string | Buffer, headers: Record<string, string>): Promise<204 | 401> {
  try {
    webhook.verify(body, headers);
  } catch {
    return 401;
  }
  const event: MemoryEvent = JSON.parse(String(body));
  if (!seen.has(event.id)) console.log(event.type, event.data.memory?.name);
  seen.add(event.id);
  return 204;
}
// #endregion
