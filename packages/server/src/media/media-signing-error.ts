/** Why no URL is signed for what was asked. */
export function mediaSigningError(reason: string, advice: string): TypeError {
  return new TypeError(`Failed to sign a media URL: because ${reason}. ${advice}.`);
}
