import type { MirrorStorage } from '../database/open-database.ts';
import type { DeliverOptions, DeliveryReport, SendEvent } from './delivery-types.ts';

/** Delivers what is due of a sink. */
export async function deliverEvents(
  _storage: MirrorStorage & { now(): number },
  _sink: string,
  _send: SendEvent,
  _options: DeliverOptions,
): Promise<DeliveryReport> {
  throw new Error('not yet');
}
