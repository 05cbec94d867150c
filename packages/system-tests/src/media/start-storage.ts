import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { listen } from '@memory-read/test-kit/listen';

/** How the storage responds to one request. */
export interface Plan {
  readonly status?: number | undefined;
  /** Bytes of the body after which the connection is destroyed. */
  readonly cutAfter?: number | undefined;
  /** Bytes of the body after which it stalls. */
  readonly stallAfter?: number | undefined;
  /** Milliseconds between chunks of 64 kB. */
  readonly pace?: number | undefined;
}

/** An object in a storage. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly type?: string;
}

/** An object storage on a port, for one object. */
export type Storage = Awaited<ReturnType<typeof startStorage>>;

export async function startStorage(object: StoredObject, plan: () => Plan = () => ({})) {
  let generation = 1;
  const server = await listen((request, response) => {
    storage.requests.push({ ...request.headers, target: request.url ?? '' });
    const isExpired = !request.url?.endsWith(`signature=${generation}`);
    const current = storage.plan();
    const status = isExpired ? 403 : current.status;
    const { traffic } = storage;
    traffic.open += 1;
    response.on('close', () => {
      traffic.open -= 1;
    });
    if (status === undefined) void sendObject(response, request.headers, storage.object, current, traffic);
    else response.writeHead(status).end('<Error/>');
  });
  const storage = {
    ...server,
    /** Target and headers of every request. */
    requests: [] as (IncomingHttpHeaders & { readonly target: string })[],
    /** The object, which can be replaced. */
    object,
    /** Decides how to respond to each request. */
    plan,
    /** Number of bytes sent, and number of responses in flight. */
    traffic: { sent: 0, open: 0 },
    /** Returns a URL that works until `expire`. */
    sign: () => `${server.url}/mem_1/audio.wav?signature=${generation}`,
    expire: () => {
      generation += 1;
    },
  };
  return storage;
}

/** Sends an object, as a whole or by the requested range, as far as the plan allows. */
export async function sendObject(
  response: ServerResponse,
  headers: IncomingHttpHeaders,
  { bytes, etag, type = 'audio/wav' }: StoredObject,
  { cutAfter, stallAfter, pace }: Plan = {},
  traffic = { sent: 0 },
): Promise<void> {
  const size = bytes.length;
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  const [, first, last] = (isCurrent && /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '')) || [];
  const start = Number(first ?? 0);
  const stop = last ? Math.min(Number(last) + 1, size) : size;
  if (start >= size && start > 0) {
    response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    return;
  }
  const described = { etag, 'accept-ranges': 'bytes', 'content-type': type, 'content-length': stop - start };
  if (first === undefined) response.writeHead(200, described);
  else response.writeHead(206, { ...described, 'content-range': `bytes ${start}-${stop - 1}/${size}` });
  const isClosed = once(response, 'close');
  const end = Math.min(stop, start + Math.min(cutAfter ?? size, stallAfter ?? size));
  for (let position = start; position < end && !response.destroyed; position += 65_536) {
    const isFlushed = new Promise<unknown>((resolve) => {
      response.write(bytes.subarray(position, Math.min(end, position + 65_536)), resolve);
    });
    await Promise.race([isFlushed, isClosed]);
    traffic.sent = position;
    if (pace !== undefined) await new Promise((resolve) => setTimeout(resolve, pace));
  }
  if (end < stop && cutAfter !== undefined) response.destroy();
  else if (end === stop) response.end();
}
