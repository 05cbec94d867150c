import type { Answer } from '../../http/answer.ts';
import type { NodeHeaders, ObservedResponse } from './observed-response.ts';

/** An {@link Answer}, or the response of a caller's `fetch`, which may set several cookies. */
export interface NodeAnswer extends Omit<Answer, 'headers'> {
  readonly headers: NodeHeaders;
}

/**
 * Writes a response to its connection. If the body fails midway or has not the announced length, the connection is reset.
 *
 * @throws TypeError if Node rejects a header. It rejects control characters that `Headers` accepts.
 */
export function sendAnswer({ status, headers, body }: NodeAnswer, outgoing: ObservedResponse): void {
  if (body === null) outgoing.begin(status, sorted(headers)).end();
  else if (typeof body === 'string') sendWhole({ status, headers }, [body], outgoing);
  else if ('getReader' in body) sendChunks(body.getReader(), outgoing.begin(status, sorted(headers)));
  else sendWhole({ status, headers }, body, outgoing);
}

/** Sends headers and body in one write, which is not possible for a stream. */
function sendWhole(
  { status, headers }: Pick<NodeAnswer, 'status' | 'headers'>,
  parts: readonly (string | Uint8Array)[],
  outgoing: ObservedResponse,
): void {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  outgoing.begin(status, { ...headers, 'content-length': length });
  if (parts.length < 2) return void outgoing.end(parts[0]);
  outgoing.cork();
  for (const part of parts) outgoing.write(part);
  outgoing.end();
}

/** Sorts the headers like `Headers` does, so that they have the same order with and without a stream. */
function sorted(headers: NodeHeaders): NodeHeaders {
  return Object.fromEntries(Object.entries(headers).sort());
}

/** Sends each chunk when it arrives, as fast as the caller reads. */
function sendChunks(reader: ReadableStreamDefaultReader<Uint8Array>, outgoing: ObservedResponse): void {
  // A body that does not fit its `Content-Length` throws, because the rest would count as the next response.
  outgoing.strictContentLength = true;
  // The headers are sent with the first chunk, unless it takes longer than this turn of the event loop.
  const flushing = setImmediate(() => outgoing.flushHeaders());
  const send = ({ done, value }: ReadableStreamReadResult<Uint8Array>) => {
    clearImmediate(flushing);
    if (done) outgoing.end();
    else if (outgoing.write(value)) sendNext();
    else outgoing.once('drain', sendNext);
  };
  const breakOff = () => {
    clearImmediate(flushing);
    outgoing.breakOff();
  };
  const sendNext = () => void reader.read().then(send).catch(breakOff);
  const cancel = () => {
    clearImmediate(flushing);
    reader.cancel().catch(() => {});
  };

  outgoing.once('close', cancel);
  if (outgoing.destroyed) cancel();
  else sendNext();
}
