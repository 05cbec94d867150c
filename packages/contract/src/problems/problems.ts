/** An error as it goes over the wire: a status, and the `detail` of its JSON body. */
export interface Problem {
  /** HTTP status. */
  readonly status: number;
  /** What the body's `detail` says. */
  readonly detail: string;
  /** When it is sent, for people. */
  readonly when: string;
  /** Where it is decided: a section of the specification, or `null` for a decision of the reference server. */
  readonly section: string | null;
}

/**
 * Every error that the reference server sends, by name.
 *
 * Those with a section stand in the specification; the others are decisions where it is silent, each with its reason
 * in `docs/decisions/`. Not stable: rows may be added or renamed in a minor version.
 */
export const problems = {
  'missing-api-key': {
    status: 401,
    detail: 'Missing API key',
    when: 'no key is sent',
    section: '5.4',
  },
  'invalid-api-key': {
    status: 401,
    detail: 'Invalid API key',
    when: 'a key is sent but unknown, inactive, or contradicted by a second one',
    section: '5.4',
  },
  'memory-not-found': {
    status: 404,
    detail: 'Memory not found',
    when: 'no memory of the calling account has the id',
    section: '4.2.2',
  },
  'malformed-memory-id': {
    status: 422,
    detail: 'Malformed memory id',
    when: 'the id in the path is not valid percent-encoded UTF-8, holds control characters, or is longer than 256 code points',
    section: '7',
  },
  'internal-server-error': {
    status: 500,
    detail: 'Internal server error',
    when: 'the request could not be completed',
    section: '7',
  },
  'route-not-found': { status: 404, detail: 'Not Found', when: 'the path names no operation', section: null },
  'method-not-allowed': {
    status: 405,
    detail: 'Method Not Allowed',
    when: 'the path names an operation but the method is neither GET nor HEAD',
    section: null,
  },
  'bad-request': { status: 400, detail: 'Bad Request', when: 'the request is not well-formed HTTP', section: null },
  'request-timeout': {
    status: 408,
    detail: 'Request Timeout',
    when: 'the request did not arrive in time',
    section: null,
  },
  'expectation-failed': {
    status: 417,
    detail: 'Expectation Failed',
    when: 'the request expects what the server does not do',
    section: null,
  },
  'request-headers-too-large': {
    status: 431,
    detail: 'Request Header Fields Too Large',
    when: 'the request line and headers are larger than the server reads',
    section: null,
  },
  'media-url-invalid': {
    status: 403,
    detail: 'Media URL is not valid',
    when: 'the signature of a media URL does not fit it',
    section: null,
  },
  'media-url-expired': {
    status: 403,
    detail: 'Media URL has expired',
    when: 'the signature of a media URL fits but its hour is over',
    section: null,
  },
  'media-not-found': {
    status: 404,
    detail: 'Media not found',
    when: 'a media URL is valid but its object is not in the storage',
    section: null,
  },
  'precondition-failed': {
    status: 412,
    detail: 'Precondition Failed',
    when: 'the current version of the media is not one that If-Match names',
    section: null,
  },
  'range-not-satisfiable': {
    status: 416,
    detail: 'Range Not Satisfiable',
    when: 'the first byte asked for lies beyond the end of the media',
    section: null,
  },
} as const satisfies Record<string, Problem>;

/** Name of a row of {@link problems}. */
export type ProblemName = keyof typeof problems;
