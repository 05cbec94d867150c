/** What makes a signed URL work. */
export const signedQuery = 'expires=1&signature=URLSECRET';

/** As the API gives them out: whoever has it needs no key. */
export const signedUrl = `https://media.example.com/a.wav?${signedQuery}`;
