import { ServerResponse } from 'node:http';
import { isStream, type PlainResponse } from '../../http/plain-response.ts';
import { resetConnection } from './reset-connection.ts';

/** A {@link PlainResponse}, or the response of a caller's `fetch`, which may set several cookies. */
export interface SentResponse extends Omit<PlainResponse, 'headers'> {
  /** A list becomes several lines, which only cookies need. */
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Returns the response to a request. If it resolves with undefined, it has sent all, and has emitted `finish`. */
export type ResponseSource = (request: Request) => Promise<Response | SentResponse | undefined>;

/** A response of Node with the facts that the request observer reports. */
export class NodeResponse extends ServerResponse {
  /** Time at which the headers of the request had arrived, on the clock of `performance.now()`. */
  readonly arrivedAt = performance.now();
  /** The `X-Request-Id` of the response. */
  requestId: string | null = null;
  hasFailed = false;
  /** Bytes of the body that were handed to Node. */
  bodyBytes = 0;
  /** The request that `fetch` got. Undefined if it was not called. */
  request: Request | undefined;
  /** Takes the place of the server's `fetch`. */
  fetch: ResponseSource | undefined;

  /**
   * Sends a response. If the body fails midway or has not the announced length, the connection is reset.
   *
   * @throws TypeError if Node rejects a header. It rejects control characters that `Headers` accepts.
   */
  send(response: SentResponse): void {
    const { status, headers, body } = response;
    this.requestId = headers['x-request-id']?.toString() ?? null;
    if (!(status >= 200)) throw unsendable(`its status is ${status}`, 'Return a status of 200 or higher');
    if (typeof body === 'string') {
      this.bodyBytes = Buffer.byteLength(body);
      this.writeHead(status, { ...headers, 'content-length': this.bodyBytes }).end(body);
    } else if (body === null) {
      assertNoLength(response, this.req.method);
      this.writeHead(status, sorted(headers)).end();
    } else if (Array.isArray(body)) {
      this.bodyBytes = body.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      this.writeHead(status, { ...headers, 'content-length': this.bodyBytes });
      // Headers and parts leave in one write.
      this.cork();
      for (const part of body) this.write(part);
      this.end();
    } else if (isStream(body)) {
      if (body.locked) throw unsendable('its body has another reader', 'Return a response with an unread body');
      // A body that does not fit its `Content-Length` throws, because the rest would count as the next response.
      this.strictContentLength = this.req.method !== 'HEAD';
      this.writeHead(status, sorted(headers));
      sendStream(this, body.getReader());
    } else {
      throw unsendable('its body is not a text, an array or a ReadableStream', 'Return one of them, or null');
    }
  }

  /**
   * Resets the connection, because the body cannot be read to its end.
   *
   * Without a length and without chunks, as in HTTP/1.0, a body ends when its connection is closed. Only a reset shows
   * that it is incomplete.
   */
  breakOff(): void {
    this.hasFailed = true;
    if (this.socket) resetConnection(this.socket);
    this.destroy();
  }
}

/** Sends each chunk when it arrives, as fast as the caller reads. Whatever happens, the body is ended or cancelled. */
function sendStream(outgoing: NodeResponse, reader: ReadableStreamDefaultReader<Uint8Array>): void {
  const cancel = () => void reader.cancel().catch(() => {});
  if (outgoing.destroyed || outgoing.req.method === 'HEAD') {
    cancel();
    outgoing.end();
    return;
  }
  outgoing.once('close', cancel);
  void sendChunks(outgoing, reader);
}

async function sendChunks(outgoing: NodeResponse, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  // The headers are sent with the first chunk, unless it takes longer than this turn of the event loop.
  const flushing = setImmediate(() => outgoing.flushHeaders());
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearImmediate(flushing);
      outgoing.bodyBytes += chunk.value.byteLength;
      if (!outgoing.write(chunk.value)) await new Promise((resolve) => outgoing.once('drain', resolve));
    }
    outgoing.end();
  } catch {
    if (!outgoing.destroyed) outgoing.breakOff();
  } finally {
    clearImmediate(flushing);
  }
}

/** A caller would take the next response for the missing body. */
function assertNoLength({ status, headers }: SentResponse, method: string | undefined): void {
  const length = headers['content-length'];
  if (length === undefined || length === '0' || method === 'HEAD' || status === 204 || status === 304) return;
  throw unsendable(`its Content-Length is ${length}, but it has no body`, 'Pass the body, or remove the header');
}

/** Returns the error of a response that `fetch` must not return. */
export function unsendable(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to send a response: ${reason}. ${advice}.`);
}

/** Sorts the headers like `Headers` does, so that they have the same order with and without a stream. */
function sorted(headers: SentResponse['headers']): SentResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).sort());
}
