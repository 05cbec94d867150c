/** Escapes make an id of 256 characters up to nine times as long. */
export const LONGEST_ID = 3_072;
