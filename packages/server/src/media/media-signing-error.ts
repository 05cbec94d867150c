/** Returns the error of a URL that cannot be signed. */
export function mediaSigningError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to sign a media URL: ${reason}. ${advice}.`);
}
