/** A request that every host receives, as data. */
export interface ParityCase {
  title: string;
  method: string;
  /**
   * Path and query below the base URL. `{audio of onlyVideo}` stands for the path and query of that media URL of that
   * edge case.
   */
  path: string;
  /**
   * Headers as they are sent. A name may occur twice. `{etag of audio}` stands for the entity tag of the recording.
   */
  headers?: readonly (readonly [name: string, value: string])[] | undefined;
  body?: string | undefined;
  /** A change of the media URL: the first text is replaced by the second. */
  replace?: readonly [found: string, put: string] | undefined;
  /** Seconds between the response with the media URL and this request. */
  afterSeconds?: number | undefined;
}

/** A case for one host, with real values in place of its placeholders. */
export interface ParityRequest {
  method: string;
  /** Includes the base URL. */
  url: string;
  headers: [name: string, value: string][];
  body: string | undefined;
}

/** The response of a host. */
export interface RawAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}
