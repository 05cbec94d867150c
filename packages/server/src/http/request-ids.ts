import { isRequestId } from '@memory-read/contract/operations';

/** Gives each request an id: the one in its `X-Request-Id` header where that is a sane one, else a new one. */
export type RequestIds = (sent: string | null | undefined) => string;

/** Ids of this process: a random prefix tells processes apart, a count tells requests apart. */
export function createRequestIds(): RequestIds {
  const prefix = Array.from(crypto.getRandomValues(new Uint8Array(8)), toHex).join('');
  let count = 0;
  return (sent) => {
    if (sent && isRequestId(sent)) return sent;
    count += 1;
    return `req_${prefix}${count.toString(36).padStart(6, '0')}`;
  };
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
