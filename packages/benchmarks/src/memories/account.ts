/** Whose memories they are, in every store. */
export const userId = 'user_1';

/** No secret: the stores live as long as a measurement. */
export const apiKey = 'mrk_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

export const authorization = `Bearer ${apiKey}`;
