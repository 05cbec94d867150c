/** Kind of a difference that fails a `strict` call. */
export type BrokenKind =
  | 'wrong_type'
  | 'missing_field'
  /** The memory has another id than the requested one. */
  | 'other_id';

/** Kind of a difference that is only reported. */
export type DriftKind =
  | 'missing_nullable'
  | 'date_time_format'
  | 'uri_format'
  /** A fraction, or a number too large to hold one. */
  | 'fractional_number'
  | 'listed_transcript';

/** One difference between a response and the specification. A minor version can add kinds. */
export interface ResponseIssue {
  /** Kind of the difference. */
  readonly kind: BrokenKind | DriftKind;
  /** Path to the value, such as `[3, 'transcript', 'segments', 0, 'start_at']`. */
  readonly path: readonly (string | number)[];
  /** Expected and received type. It never holds the value, which can be a signed URL. */
  readonly message: string;
}
