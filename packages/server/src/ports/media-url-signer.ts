/**
 * Makes a URL under which one stored object can be read until an instant, without a key.
 *
 * @see Section 2.1.1 of the specification.
 */
export interface MediaUrlSigner {
  /** The URL of the object; it answers with this content type, and with nothing from `expiresAt` on, or from the next whole second. */
  sign(object: { objectKey: string; contentType: string; expiresAt: Date }): string | Promise<string>;
}
