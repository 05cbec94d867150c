/** A difference that breaks the structure, and so fails a `strict` call. */
export type BrokenKind = 'wrong_type' | 'missing_field';

/** A difference that passes and is only reported. */
export type DriftKind =
  | 'missing_nullable'
  | 'date_time_format'
  | 'uri_format'
  /** A fraction, or a number so large that a fraction would be lost. */
  | 'fractional_number'
  | 'listed_transcript';

/** One difference between a response and the specification. New kinds may come in a minor version. */
export interface ResponseIssue {
  /** What kind of difference. */
  readonly kind: BrokenKind | DriftKind;
  /** Where, such as `[3, 'transcript', 'segments', 0, 'start_at']`. */
  readonly path: readonly (string | number)[];
  /** What was expected and which type came; never the value, which may be a signed URL. */
  readonly message: string;
}
