import { isRequestId } from '@memory-read/contract/operations';

/** Returns the id from `X-Request-Id` if it is valid, and otherwise a new id. */
export type RequestIds = (sent: string | null | undefined) => string;

/** Creates ids from a random prefix of the process and a counter of its requests. */
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
