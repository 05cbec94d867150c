/** A request that every host receives, as data. */
export interface ParityCase {
  title: string;
  method: string;
  /**
   * Path and query below the base URL. `{audio of onlyVideo}` stands for the path and query of that media URL of that
   * edge case.
   */
  path: string;
  /** As they are sent; a name may come twice. `{etag of audio}` stands for the entity tag of the sample media. */
  headers?: readonly (readonly [name: string, value: string])[] | undefined;
  body?: string | undefined;
  /** A change of the media URL: the first text becomes the second. */
  replace?: readonly [found: string, put: string] | undefined;
  /** Seconds between the response with the media URL and this request. */
  afterSeconds?: number | undefined;
}

/** Cases about one thing, and where it is decided what is right. */
export interface ParityGroup {
  /** Of the golden file. */
  name: string;
  /** Statements of docs/specification.md and pages of docs/decisions that the answers were read against. */
  says: readonly string[];
  cases: readonly ParityCase[];
}

/** A case with its placeholders filled in, on its way to one host. */
export interface ParityRequest {
  method: string;
  /** Base URL included. */
  url: string;
  headers: [name: string, value: string][];
  body: string | undefined;
}

/** What came back. */
export interface RawAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}
