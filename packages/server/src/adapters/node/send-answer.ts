import type { Answer } from '../../http/answer.ts';
import type { NodeHeaders, ObservedResponse } from './observed-response.ts';

/** An {@link Answer}, or that of a caller's `fetch`, which may set several cookies. */
export interface NodeAnswer extends Omit<Answer, 'headers'> {
  readonly headers: NodeHeaders;
}

/**
 * Writes an answer to its connection. A body that fails half-way breaks the connection off.
 *
 * @throws TypeError when Node refuses a header, as it does with control characters that `Headers` accepts.
 */
export function sendAnswer({ status, headers, body }: NodeAnswer, outgoing: ObservedResponse): void {
  if (body === null) outgoing.begin(status, sorted(headers)).end();
  else if (typeof body === 'string') sendWhole({ status, headers }, [body], outgoing);
  else if ('getReader' in body) sendChunks(body.getReader(), outgoing.begin(status, sorted(headers)));
  else sendWhole({ status, headers }, body, outgoing);
}

/** Headers and body in one write, which no stream can be. */
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

/** In the order of `Headers`, in which answers without a whole body have always been sent. */
function sorted(headers: NodeHeaders): NodeHeaders {
  return Object.fromEntries(Object.entries(headers).sort());
}

/** Each chunk as it comes, as fast as the caller reads. */
function sendChunks(reader: ReadableStreamDefaultReader<Uint8Array>, outgoing: ObservedResponse): void {
  // The headers leave with the first chunk, unless that takes longer than this turn of the event loop.
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
