/** Port for the bytes of media. */
export interface MediaSource {
  /**
   * Returns the object with this key, or `undefined` if no such object exists. `signal` aborts when the caller has
   * closed the connection.
   */
  open(objectKey: string, options?: { signal?: AbortSignal | undefined }): Promise<MediaObject | undefined>;
}

/** One stored object: its size, its tag and its bytes. It holds no file open until `stream` is called. */
export interface MediaObject {
  /** Length in bytes. */
  readonly size: number;
  /** Quoted strong entity tag, which changes whenever the bytes do. */
  readonly etag: string;
  /**
   * Returns the bytes, or those of a range with both ends included. The stream fails if the object has changed since
   * `open`. It is cancelled if it is not read to its end, at the latest when the response is garbage collected.
   */
  stream(range?: { start: number; end: number }): ReadableStream<Uint8Array>;
}
