/**
 * Returns whether a server may use the `X-Request-Id` that a caller sent: 1 to 128 plain characters.
 *
 * A text that looks like an API key is refused, because the id is sent back and logged.
 */
export function isRequestId(text: string): boolean {
  return /^(?!.*mrk_)[\w.~:+/=-]{1,128}$/i.test(text);
}
