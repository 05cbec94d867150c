/** Makes a URL under which one stored object can be read until an instant, without a key. */
export interface MediaUrlSigner {
  sign(object: { objectKey: string; contentType: string; expiresAt: Date }): string | Promise<string>;
}
