/**
 * Port that signs media URLs, which work without an API key until they expire.
 *
 * @see Section 2.1.1 of the specification.
 */
export interface MediaUrlSigner {
  /**
   * Returns a URL of the object, served with this content type, which works until `expiresAt`, exact to the second.
   */
  sign(object: { objectKey: string; contentType: string; expiresAt: Date }): string | Promise<string>;
}
