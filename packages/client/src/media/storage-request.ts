import { cancelBody } from '../transport/cancel-body.ts';
import { linkSignal } from '../transport/link-signal.ts';
import { faultCode, safeCause } from '../transport/safe-cause.ts';
import type { MediaSource } from './media-source.ts';
import type { Wanted } from './storage-response.ts';
import { inTime, late } from './with-timeout.ts';

/** Why an attempt brought nothing, or nothing more. */
export interface Fault {
  readonly problem: string;
  readonly cause?: Error | undefined;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter?: number | undefined;
}

/** An answer of the storage that is being read. */
export interface StorageExchange {
  readonly response: Response;
  readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Lets go of the connection. Nothing waits for that: not every runtime's streams tell when it is done. */
  end(): void;
}

/** What is asked for, and how long to wait for an answer. */
export interface StorageRequest {
  readonly url: string;
  readonly wanted: Wanted;
  readonly headersTimeout: number;
  readonly signal: AbortSignal;
  /** No fault may show them. */
  readonly apiKeys: Iterable<string>;
}

/** Asks the storage once. Neither the key nor any header of the client goes there. */
export async function askStorage(source: MediaSource, request: StorageRequest): Promise<StorageExchange | Fault> {
  const { headersTimeout, signal, apiKeys } = request;
  const link = linkSignal(signal);
  const answer = openExchange(source, createRequest(request, link.signal), () => link.abort());
  try {
    const exchange = await inTime(answer, { runtime: source.runtime, signal, milliseconds: headersTimeout });
    if (exchange !== late) return exchange;
  } catch (error) {
    if (!signal.aborted) return connectionFault('the connection to the storage failed', error, apiKeys);
  }
  // A fetch that disregards its signal may still bring an answer.
  answer.then(({ end }) => end()).catch(() => {});
  link.abort();
  signal.throwIfAborted();
  return { problem: `the storage gave no answer within ${headersTimeout} ms` };
}

export function connectionFault(problem: string, error: unknown, apiKeys: Iterable<string>): Fault {
  const cause = safeCause(error, apiKeys);
  const code = faultCode(cause);
  return { problem: code === undefined ? problem : `${problem} (${code})`, cause };
}

async function openExchange(source: MediaSource, request: Request, onEnd: () => void): Promise<StorageExchange> {
  const response = await source.send(request);
  if (response.type === 'error') throw new TypeError('The fetch answered with Response.error().');
  const reader = response.body?.getReader();
  const end = () => {
    cancelBody(reader);
    onEnd();
  };
  return { response, reader, end };
}

function createRequest({ url, wanted: { byte, etag } }: StorageRequest, signal: AbortSignal): Request {
  const range = byte > 0 && etag ? { range: `bytes=${byte}-`, 'if-range': etag } : {};
  return new Request(url, {
    headers: { 'accept-encoding': 'identity', ...range },
    redirect: 'manual',
    signal,
    // Some workers know neither, and refuse them.
    ...('credentials' in Request.prototype && { credentials: 'omit', referrerPolicy: 'no-referrer' }),
  });
}
