import { closeSync, openSync, readSync } from 'node:fs';

/** Returns what a downloaded file is instead of media, worded to follow "the storage sent"; undefined if it can be media. */
export function describeNonMedia(path: string): string | undefined {
  const head = readHead(path);
  if (head === '') return 'nothing';
  // All media formats begin with a control character, except SVG images.
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
