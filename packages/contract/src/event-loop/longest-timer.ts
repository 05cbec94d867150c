/** Longest delay of a timer, in milliseconds. With a longer one, it would expire at once. */
export const longestTimer = 2_147_483_647;
