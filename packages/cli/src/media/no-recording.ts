import { closeSync, openSync, readSync } from 'node:fs';

/** Why a file that a storage has sent is no recording, in words that follow "the storage sent"; undefined where it may be one. */
export function whyNoRecording(path: string): string | undefined {
  const head = readHead(path);
  if (head === '') return 'nothing';
  // Every format of media begins with other bytes, but for images in SVG.
  if (/(?!\s)\p{Cc}/u.test(head) || /<svg/i.test(head)) return undefined;
  if (/^\s*<[!?a-z]/i.test(head)) return 'a page';
  return /^\s*[[{]\s*["[\]{}]/.test(head) ? 'JSON' : undefined;
}

function readHead(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(1_024);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
