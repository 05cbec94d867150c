/** With escapes, an id of 256 characters can be nine times as long. */
export const LONGEST_ID = 3_072;
