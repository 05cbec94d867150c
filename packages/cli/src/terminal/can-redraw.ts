/** Moves to the beginning of the line and erases it. */
export const returnAndErase = '\r\x1b[K';

/** Returns whether a line can be redrawn, which needs a terminal that supports escape sequences. */
export function canRedraw(stream: { isTTY?: boolean | undefined }): boolean {
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}
