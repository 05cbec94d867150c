import { type SentResponse, unsendable } from './node-response.ts';

/**
 * Returns a `Response` as a value that can be written to a socket.
 *
 * A body with a single chunk, such as a text, is complete, so it is sent with its length.
 *
 * @throws TypeError if the response cannot be sent.
 */
export async function readResponse(response: Response): Promise<SentResponse> {
  assertSendable(response);
  const { status, body } = response;
  const headers = nodeHeaders(response.headers);
  if (body === null) return { status, headers, body };
  headers['content-type'] ??= 'text/plain; charset=UTF-8';
  const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
  return { status, headers, body: hasLength ? body : await wholeIfShort(body) };
}

function assertSendable(response: Response): void {
  if (!(response?.status >= 200)) {
    response?.body?.cancel().catch(() => {});
    const found = response === undefined ? 'nothing' : `a response with the status ${response?.status}`;
    throw unsendable(`fetch returned ${found}`, 'Return a response with a status of 200 or higher');
  }
  if (response.bodyUsed) throw unsendable('its body is already read', 'Return a response with an unread body');
}

function nodeHeaders(headers: Headers): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  const cookies: string[] = [];
  for (const [name, value] of headers) {
    if (name === 'set-cookie') cookies.push(value);
    values[name] = name === 'set-cookie' ? cookies : value;
  }
  return values;
}

type Chunk = Uint8Array<ArrayBuffer>;
type Read = ReadableStreamReadResult<Chunk>;

/** Returns the only chunk of a body that ends in this turn of the event loop, or the same body. */
function wholeIfShort(body: ReadableStream<Chunk>): Promise<Chunk[] | ReadableStream<Chunk>> {
  const reader = body.getReader();
  const reads = [reader.read(), reader.read()];
  return new Promise((resolve) => {
    const stream = () => {
      clearImmediate(late);
      resolve(streamOf(reads, reader));
    };
    const late = setImmediate(stream);
    Promise.all(reads).then(([first, second]) => {
      if (!second?.done) return stream();
      clearImmediate(late);
      resolve(first?.value === undefined ? [] : [first.value]);
    }, stream);
  });
}

function streamOf(begun: Promise<Read>[], reader: ReadableStreamDefaultReader<Chunk>): ReadableStream<Chunk> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await (begun.shift() ?? reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
