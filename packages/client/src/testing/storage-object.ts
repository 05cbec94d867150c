/** An object in a storage, and the faults of the response with it. */
export interface StorageObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag?: string | null;
  /** Number of bytes of the body after which the connection breaks. */
  readonly cutAfter?: number | undefined;
  /** Number of bytes of the body after which no more bytes arrive. */
  readonly stallAfter?: number | undefined;
  readonly chunkSize?: number | undefined;
  readonly headers?: Record<string, string>;
}

/** Responds to a GET like a storage: with the whole object, or with a part of it if `If-Range` matches its ETag. */
export function answerWith(request: Request, object: StorageObject): Response {
  const { bytes, etag = '"v1"' } = object;
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.get('range') ?? '') ?? [];
  const isCurrent = request.headers.get('if-range') === etag;
  const start = first !== undefined && isCurrent ? Number(first) : 0;
  const headers = new Headers({ 'content-type': 'audio/wav', ...(etag !== null && { etag }) });
  if (start > 0 && start >= bytes.length) {
    headers.set('content-range', `bytes */${bytes.length}`);
    return new Response('<Error/>', { status: 416, headers });
  }
  headers.set('content-length', String(bytes.length - start));
  if (start > 0) headers.set('content-range', `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
  for (const [name, value] of Object.entries(object.headers ?? {})) headers.set(name, value);
  return new Response(bodyOf(bytes.subarray(start), object), { status: start > 0 ? 206 : 200, headers });
}

function bodyOf(bytes: Uint8Array<ArrayBuffer>, { cutAfter, stallAfter, chunkSize = 4096 }: StorageObject) {
  const end = Math.min(bytes.length, cutAfter ?? bytes.length, stallAfter ?? bytes.length);
  let position = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        if (position < end) {
          const next = Math.min(end, position + chunkSize);
          controller.enqueue(bytes.slice(position, next));
          position = next;
        } else if (position === cutAfter) controller.error(new TypeError('terminated'));
        else if (position === stallAfter) await new Promise(() => {});
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns bytes that differ for each position and version. */
export function createBytes(length: number, version = 1): Uint8Array<ArrayBuffer> {
  let state = version * 2_654_435_761;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  });
}

/** Returns all bytes of a body. */
export async function readAll(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
