import { listen } from '@memory-read/test-kit/listen';
import { Webhook } from 'standardwebhooks';

/** An event that a receiver got. */
export interface Receipt {
  id: string;
  body: string;
  /** Number of the process that sent it, from 0. */
  run: number;
  isLost: boolean;
}

/** A receiver of webhooks. */
export interface Receiver extends AsyncDisposable {
  url: string;
  receipts: Receipt[];
  /** Number of the process that sends. */
  run: number;
  /** Whether the connection of the next event ends without a response. */
  losesNext(): boolean;
  /** Called for each event, after it was recorded and before the response. */
  onEvent(): void;
}

/** Starts a receiver, which records each event if an independent library verifies its signature. */
export async function openReceiver(secret: string): Promise<Receiver> {
  const webhook = new Webhook(secret);
  const server = await listen(async (request, response) => {
    let body = '';
    try {
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
    } catch {
      // The process was killed while it sent the event.
      return;
    }
    webhook.verify(body, request.headers as Record<string, string>);
    const isLost = receiver.losesNext();
    receiver.receipts.push({ id: String(request.headers['webhook-id']), body, run: receiver.run, isLost });
    receiver.onEvent();
    if (isLost) request.socket.destroy();
    else response.writeHead(204).end();
  });
  const receiver: Receiver = {
    url: `${server.url}/events`,
    receipts: [],
    run: 0,
    losesNext: () => false,
    onEvent: () => {},
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return receiver;
}
