import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { listen } from '@memory-read/test-kit/listen';

/** How the storage responds to one request. */
interface Plan {
  readonly status?: number;
  /** Bytes of the body after which the connection is destroyed. */
  readonly cutAfter?: number;
  /** Bytes of the body after which it stalls. */
  readonly stallAfter?: number;
  /** Milliseconds between chunks of 64 kB. */
  readonly pace?: number;
}

export type Storage = Awaited<ReturnType<typeof startStorage>>;

/** Starts an object storage on a port, for one object, which can be replaced. */
export async function startStorage(
  object: { readonly bytes: Uint8Array; readonly etag: string },
  plan: () => Plan = () => ({}),
) {
  let generation = 1;
  const server = await listen((request, response) => {
    storage.requests.push(request.headers);
    storage.traffic.open += 1;
    response.on('close', () => {
      storage.traffic.open -= 1;
    });
    const isExpired = !request.url?.endsWith(`signature=${generation}`);
    const current = storage.plan();
    const status = isExpired ? 403 : current.status;
    if (status === undefined) void send(response, request.headers, current);
    else response.writeHead(status).end('<Error/>');
  });
  const storage = {
    ...server,
    /** Headers of every request. */
    requests: [] as IncomingHttpHeaders[],
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

  /** Sends the object, as a whole or from the requested byte on, as far as the plan allows. */
  async function send(response: ServerResponse, headers: IncomingHttpHeaders, { cutAfter, stallAfter, pace }: Plan) {
    const { bytes, etag } = storage.object;
    const size = bytes.length;
    const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
    const [, first] = (isCurrent && /^bytes=(\d+)-$/.exec(headers.range ?? '')) || [];
    const start = Number(first ?? 0);
    const described = { etag, 'accept-ranges': 'bytes', 'content-type': 'audio/wav', 'content-length': size - start };
    if (first === undefined) response.writeHead(200, described);
    else response.writeHead(206, { ...described, 'content-range': `bytes ${start}-${size - 1}/${size}` });
    const isClosed = once(response, 'close');
    const end = Math.min(size, start + Math.min(cutAfter ?? size, stallAfter ?? size));
    for (let position = start; position < end && !response.destroyed; position += 65_536) {
      const isFlushed = new Promise<unknown>((resolve) => {
        response.write(bytes.subarray(position, Math.min(end, position + 65_536)), resolve);
      });
      await Promise.race([isFlushed, isClosed]);
      storage.traffic.sent = position;
      if (pace !== undefined) await new Promise((resolve) => setTimeout(resolve, pace));
    }
    if (end === size) response.end();
    else if (cutAfter !== undefined) response.destroy();
  }
}
