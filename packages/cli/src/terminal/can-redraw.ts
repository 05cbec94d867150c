/** Moves to the beginning of the line and erases it. */
export const returnAndErase = '\r\x1b[K';

/** Returns whether a line can be drawn over itself: on a terminal that knows escape sequences. */
export function canRedraw(stream: { isTTY?: boolean | undefined }): boolean {
  return stream.isTTY === true && process.env.TERM !== 'dumb';
}
