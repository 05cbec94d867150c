import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a storage does with one request. */
export interface Plan {
  readonly status?: number | undefined;
  /** Bytes of the body after which the connection is destroyed. */
  readonly cutAfter?: number | undefined;
  /** Bytes of the body after which nothing comes any more. */
  readonly stallAfter?: number | undefined;
  /** Milliseconds between chunks of 64 kB. */
  readonly pace?: number | undefined;
  /** Takes the caller's word for which object this is. */
  readonly ignoresIfRange?: boolean | undefined;
}

/** An object storage on a port, for one object. */
export interface Storage extends AsyncDisposable {
  readonly url: string;
  /** The headers of every request, and its target. */
  readonly requests: readonly (IncomingHttpHeaders & { readonly target: string })[];
  /** The object may be exchanged. */
  object: { bytes: Uint8Array; etag: string };
  /** Decides what happens to each request. */
  plan: () => Plan;
  /** A URL that works until `expire`. */
  sign(): string;
  expire(): void;
  /** Bytes that have left for the network, and how many answers are under way. */
  readonly traffic: { sent: number; open: number };
}

export async function startStorage(object: Storage['object'], plan: () => Plan = () => ({})): Promise<Storage> {
  const requests: (IncomingHttpHeaders & { target: string })[] = [];
  let generation = 1;
  const server = createServer((request, response) => {
    requests.push({ ...request.headers, target: request.url ?? '' });
    const isExpired = !request.url?.endsWith(`signature=${generation}`);
    const current = storage.plan();
    const status = isExpired ? 403 : current.status;
    const { traffic } = storage;
    traffic.open += 1;
    response.on('close', () => {
      traffic.open -= 1;
    });
    const { headers } = request;
    if (status === undefined) void sendObject(response, { ...storage.object, ...current, headers, traffic });
    else response.writeHead(status).end('<Error/>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const storage: Storage = {
    url,
    requests,
    object,
    plan,
    traffic: { sent: 0, open: 0 },
    sign: () => `${url}/mem_1/audio.wav?signature=${generation}`,
    expire: () => {
      generation += 1;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return storage;
}

type Delivery = Plan & Storage['object'] & Pick<Storage, 'traffic'> & { headers: IncomingHttpHeaders };

async function sendObject(response: ServerResponse, delivery: Delivery): Promise<void> {
  const { bytes, etag, headers, cutAfter, stallAfter, pace } = delivery;
  const size = bytes.length;
  const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  const isCurrent = delivery.ignoresIfRange || headers['if-range'] === etag;
  const start = first !== undefined && isCurrent ? Number(first) : 0;
  if (start >= size && start > 0) {
    response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    return;
  }
  const range = start > 0 ? { 'content-range': `bytes ${start}-${size - 1}/${size}` } : {};
  response.writeHead(start > 0 ? 206 : 200, {
    etag,
    'content-length': size - start,
    'content-type': 'audio/wav',
    ...range,
  });
  const isClosed = once(response, 'close');
  const end = Math.min(size, start + Math.min(cutAfter ?? size, stallAfter ?? size));
  for (let position = start; position < end && !response.destroyed; position += 65_536) {
    const isFlushed = new Promise<unknown>((resolve) => {
      response.write(bytes.subarray(position, Math.min(end, position + 65_536)), resolve);
    });
    await Promise.race([isFlushed, isClosed]);
    delivery.traffic.sent = position;
    if (pace !== undefined) await new Promise((resolve) => setTimeout(resolve, pace));
  }
  if (end < size && cutAfter !== undefined) response.destroy();
  else if (end === size) response.end();
}
