/** Gives each request an id: the one in its `X-Request-Id` header where that is a sane one, else a new one. */
export type RequestIds = (sent: string | null | undefined) => string;

/** Ids of this process: a random prefix tells processes apart, a count tells requests apart. */
export function createRequestIds(): RequestIds {
  const prefix = Array.from(crypto.getRandomValues(new Uint8Array(8)), toHex).join('');
  let count = 0;
  return (sent) => {
    if (sent && saneRequestId.test(sent)) return sent;
    count += 1;
    return `req_${prefix}${count.toString(36).padStart(6, '0')}`;
  };
}

// A key that was put into the wrong header must not come back, nor get into anyone's log.
const saneRequestId = /^(?!.*mrk_)[\w.~:+/=-]{1,128}$/i;

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
