const texts = new WeakMap<Response, string>();

/** A response that tells its text, so that who sends it need not read it out of a stream. */
export function rememberText(response: Response, text: string): Response {
  texts.set(response, text);
  return response;
}

/** The whole body; `undefined` where it is a stream, was made elsewhere, or has been read. */
export function wholeTextOf(response: Response): string | undefined {
  return response.bodyUsed ? undefined : texts.get(response);
}
