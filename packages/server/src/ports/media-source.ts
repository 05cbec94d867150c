/** Where the bytes of media are read from. */
export interface MediaSource {
  /** The object with this key, or `undefined` when there is none. */
  open(objectKey: string): Promise<MediaObject | undefined>;
}

/** One stored object: what a HEAD tells of it, and its bytes. Nothing is held open until `stream` is called. */
export interface MediaObject {
  /** Length in bytes. */
  readonly size: number;
  /** A quoted strong validator that changes whenever the bytes do. */
  readonly etag: string;
  /** The bytes, or those of an inclusive range. Errors when the object is no longer the one that was opened. */
  stream(range?: { start: number; end: number }): ReadableStream<Uint8Array>;
}
