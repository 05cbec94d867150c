import { isRequestId } from '@memory-read/contract/operations';

/** Returns a function that returns the id from `X-Request-Id` if it is valid, and otherwise a new id. */
export function createRequestIds<Arguments extends unknown[]>(
  createId: (...request: Arguments) => string = randomIds(),
): (sent: string | null | undefined, ...request: Arguments) => string {
  return (sent, ...request) => (sent && isRequestId(sent) ? sent : createId(...request));
}

/** Creates ids from a random prefix of the process and a counter of its requests. */
function randomIds(): () => string {
  const prefix = Array.from(crypto.getRandomValues(new Uint8Array(8)), toHex).join('');
  let count = 0;
  return () => {
    count += 1;
    return `req_${prefix}${count.toString(36).padStart(6, '0')}`;
  };
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
